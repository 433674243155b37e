//! The PMX weight type of each vertex.
//!
//! One bone is BDEF1. Two are SDEF if the vertex uses a spherical method and has its parameters, else BDEF2. Three and four are
//! BDEF4. Dual quaternions are QDEF in version 2.1. Unsupported methods are reported once for all vertices.

use super::PmxWriteSettings;
use crate::pmx::PmxWeight;
use crate::pmx::rest_model::RestWeight;
use crate::pmx::tally::Tally;
use crate::space::point_to_mmd;
use sinew_io::Report;

/// Codes of [`sinew_rig::Mesh::methods`] that PMX does not support, or only with parameters.
const SBS: u8 = 2;
const SDEF: u8 = 3;
const BEZIER: u8 = 4;
const DUAL_QUATERNION: u8 = 5;
const CENTERS_OF_ROTATION: u8 = 6;

/// babylon-mmd plays a vertex as BDEF if x of `c + (r0 − m)/2` is 0: spine and neck of most humans. C then gets this x, units: 8e-8 m.
const OFF_ZERO: f32 = 1e-6;

/// C, moved off the plane x = 0 where viewers would not see SDEF.
fn off_zero(c: [f32; 3], r0: [f32; 3], r1: [f32; 3], weight: f32) -> [f32; 3] {
    let tested = c[0] + 0.5 * (1.0 - weight) * (r0[0] - r1[0]);
    if tested.abs() < 0.1 * OFF_ZERO { [c[0] + OFF_ZERO, c[1], c[2]] } else { c }
}

/// Makes weights, and counts losses.
#[derive(Default)]
pub(in crate::pmx) struct WeightWriter {
    settings: PmxWriteSettings,
    as_sdef: Tally,
    no_parameters: Tally,
    too_many_bones: Tally,
    no_qdef: Tally,
    no_centers: Tally,
}

impl WeightWriter {
    pub(in crate::pmx) fn new(settings: &PmxWriteSettings) -> Self {
        Self { settings: *settings, ..Self::default() }
    }

    /// The weight of a vertex.
    pub(in crate::pmx) fn weight(&mut self, index: usize, rest: &RestWeight) -> PmxWeight {
        let bones = rest.bones.map(|bone| bone as i32);
        let weights = rest.weights;
        if rest.method == DUAL_QUATERNION && rest.count > 1 {
            if self.settings.allow_2_1 {
                return PmxWeight::Qdef { bones, weights };
            }
            self.no_qdef.add(index);
        }
        if rest.method == CENTERS_OF_ROTATION && rest.count > 1 {
            self.no_centers.add(index);
        }
        let asks_sphere = matches!(rest.method, SBS | SDEF | BEZIER);
        let is_spherical = asks_sphere || (self.settings.spherical && rest.spherical.is_some());
        match (rest.count, rest.spherical) {
            (1, _) => PmxWeight::Bdef1(bones[0]),
            (2, Some(spherical)) if is_spherical => {
                if rest.method != SDEF && asks_sphere {
                    self.as_sdef.add(index);
                }
                let [c, r0, r1] = [spherical.center, spherical.r0, spherical.r1].map(point_to_mmd);
                let (bones, weight) = ([bones[0], bones[1]], weights[0]);
                PmxWeight::Sdef { bones, weight, c: off_zero(c, r0, r1, weight), r0, r1 }
            }
            (2, _) => {
                if asks_sphere {
                    self.no_parameters.add(index);
                }
                PmxWeight::Bdef2 { bones: [bones[0], bones[1]], weight: weights[0] }
            }
            _ => {
                if is_spherical {
                    self.too_many_bones.add(index);
                }
                PmxWeight::Bdef4 { bones, weights }
            }
        }
    }

    /// Reports the losses.
    pub(in crate::pmx) fn tell(self, report: &mut Report) {
        self.as_sdef.tell("vertices", report, "PMX does not support SBS or Bézier skinning; written as SDEF");
        self.no_parameters.tell(
            "vertices",
            report,
            "it uses a spherical method without c, r0 and r1; written as BDEF2",
        );
        self.too_many_bones.tell(
            "vertices",
            report,
            "it uses a spherical method with more than two bones; written as BDEF4",
        );
        self.no_qdef.tell("vertices", report, "dual quaternions need version 2.1; written as BDEF");
        self.no_centers.tell("vertices", report, "PMX does not support centers of rotation; written as BDEF");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centers_in_the_middle_are_seen_as_sdef() {
        let tested = |c: [f32; 3], r0: [f32; 3], r1: [f32; 3], weight: f32| {
            let c = off_zero(c, r0, r1, weight);
            // As babylon-mmd computes it.
            0.5 * (c[0] + (c[0] + r0[0] - (r0[0] * weight + r1[0] * (1.0 - weight))))
        };
        assert_ne!(tested([0.0, 9.0, 0.1], [0.0, 8.0, 0.0], [0.0, 10.0, 0.0], 0.3), 0.0);
        assert_ne!(tested([-0.125, 9.0, 0.1], [0.25, 8.0, 0.0], [-0.25, 10.0, 0.0], 0.5), 0.0);
        assert_eq!(off_zero([0.5, 9.0, 0.1], [0.0; 3], [0.0; 3], 0.5), [0.5, 9.0, 0.1]);
    }
}
