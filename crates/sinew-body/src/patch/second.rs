//! Second derivatives of Bézier patches.

use super::Patch;
use crate::bernstein;
use glam::DVec3;

/// Second derivatives at one place of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondDerivatives {
    /// `∂²S/∂u²`.
    pub duu: DVec3,
    /// `∂²S/∂u∂w`, the twist.
    pub duw: DVec3,
    /// `∂²S/∂w²`.
    pub dww: DVec3,
}

impl Patch {
    /// Second derivatives of a Bézier patch; `None` for a Gregory patch, whose twist at a corner depends on the direction of approach.
    pub fn second_derivatives(&self, u: f64, w: f64) -> Option<SecondDerivatives> {
        if self.is_gregory() {
            return None;
        }
        let (bu, bw) = (bernstein::quartic(u), bernstein::quartic(w));
        let (su, sw) = (bernstein::quartic_slope(u), bernstein::quartic_slope(w));
        let (cu, cw) = (bernstein::quartic_bend(u), bernstein::quartic_bend(w));
        Some(SecondDerivatives {
            duu: self.tensor(&cu, &bw),
            duw: self.tensor(&su, &sw),
            dww: self.tensor(&bu, &cw),
        })
    }

    /// `Σ along_u[i] along_w[j] net[i][j]`.
    fn tensor(&self, along_u: &[f64; 5], along_w: &[f64; 5]) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (row, &weight_u) in self.net.iter().zip(along_u) {
            for (&point, &weight_w) in row.iter().zip(along_w) {
                sum += point * (weight_u * weight_w);
            }
        }
        sum
    }
}
