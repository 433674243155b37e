//! Volume and area of patches.
//!
//! `V = ⅓ Σ ∬ S · (S_u × S_w) du dw` over a closed surface. For a biquartic Bézier patch the integrand has degree 11 in u and in w, so the
//! 6 × 6 Gauss rule is exact; the appendix of \[Komatsu88\] integrates the same by parts. Gregory patches are rational: plain rules converge
//! slowly at their corners, and Duffy's change of variables removes the corner.

mod cap;
mod gauss;
mod gradient;
#[cfg(test)]
mod oracle;
mod rule;

pub use cap::{area_vector, cone_volume, fan_center};
pub use gauss::GaussRule;
pub use gradient::{PointVersion, volume_gradient};
pub use rule::PatchRule;

use crate::Patch;

/// The rules that a body needs, built once: integrating does not allocate.
#[derive(Clone, Debug)]
pub struct BodyRules {
    /// For Bézier patches.
    pub bezier: PatchRule,
    /// For Gregory patches.
    pub gregory: PatchRule,
}

impl BodyRules {
    /// Exact for Bézier patches; Duffy's rule with 10 points for Gregory patches, about 2e-12.
    pub fn for_reports() -> Self {
        BodyRules { bezier: PatchRule::tensor(6), gregory: PatchRule::duffy(10) }
    }

    /// A patch's share of the volume: the cone from the origin over the patch, positive if the patch's outside is the cone's.
    pub fn volume(&self, patch: &Patch) -> f64 {
        self.rule_for(patch).volume(patch)
    }

    /// The sum of the patches' shares: the enclosed volume if they close.
    pub fn volume_of(&self, patches: &[Patch]) -> f64 {
        patches.iter().map(|patch| self.volume(patch)).sum()
    }

    /// The rule for a patch's kind.
    pub fn rule_for(&self, patch: &Patch) -> &PatchRule {
        if patch.is_gregory() { &self.gregory } else { &self.bezier }
    }
}
