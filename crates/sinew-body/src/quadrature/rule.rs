//! Rules over a whole patch: places in the unit square with weights.

use super::GaussRule;
use crate::Patch;
use glam::DVec3;

/// Places (u, w) in the unit square and their weights, which sum to one.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchRule {
    places: Vec<(f64, f64, f64)>,
}

impl PatchRule {
    /// The `count` × `count` Gauss rule. Six are exact for a Bézier patch's volume.
    pub fn tensor(count: usize) -> Self {
        let rule = GaussRule::new(count);
        let places = rule.iter().flat_map(|(u, a)| rule.iter().map(move |(w, b)| (u, w, a * b))).collect();
        PatchRule { places }
    }

    /// Duffy's rule: the square is cut into quarters, each quarter into two triangles with their tip in the patch's corner. Each triangle is
    /// the image of a square, which makes functions of p/(p+q) smooth. `8 count²` places.
    pub fn duffy(count: usize) -> Self {
        let rule = GaussRule::new(count);
        let mut places = Vec::with_capacity(8 * count * count);
        for (radius, weight) in rule.iter() {
            for (across, other_weight) in rule.iter() {
                let (far, near) = (0.5 * radius, 0.5 * radius * across);
                let weight = weight * other_weight * 0.25 * radius;
                for (p, q) in [(far, near), (near, far)] {
                    places.extend([
                        (p, q, weight),
                        (1.0 - p, q, weight),
                        (p, 1.0 - q, weight),
                        (1.0 - p, 1.0 - q, weight),
                    ]);
                }
            }
        }
        PatchRule { places }
    }

    /// The integral of a function of place (u, w) over the unit square.
    pub fn integrate(&self, mut value: impl FnMut(f64, f64) -> f64) -> f64 {
        self.places.iter().map(|&(u, w, weight)| weight * value(u, w)).sum()
    }

    /// The same for vectors.
    pub fn integrate_vector(&self, mut value: impl FnMut(f64, f64) -> DVec3) -> DVec3 {
        self.places.iter().fold(DVec3::ZERO, |sum, &(u, w, weight)| sum + weight * value(u, w))
    }

    /// Volume of the cone from the origin over the patch, signed by the patch's outside.
    pub fn volume(&self, patch: &Patch) -> f64 {
        let sum = self.integrate(|u, w| {
            let jet = patch.jet(u, w);
            jet.position.dot(jet.du.cross(jet.dw))
        });
        sum / 3.0
    }

    /// Area of the patch. Not polynomial: on a body 4 × 4 places give 1e-5 of it, 10 × 10 give 2e-6.
    pub fn area(&self, patch: &Patch) -> f64 {
        self.integrate(|u, w| {
            let jet = patch.jet(u, w);
            jet.du.cross(jet.dw).length()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quadrature::oracle;
    use crate::testing::Random;

    #[test]
    fn six_points_are_exact_for_bezier_and_five_are_not() {
        for seed in 0..5 {
            let patch = Random::new(seed).bezier();
            let exact = oracle::bernstein_volume(&patch);
            // The sum's terms are about one; its result may be small.
            assert!((PatchRule::tensor(6).volume(&patch) - exact).abs() < 1e-13, "seed {seed}");
            assert!((PatchRule::tensor(5).volume(&patch) - exact).abs() > 1e-7, "seed {seed}");
        }
    }

    #[test]
    fn gregory_volume_converges_as_measured() {
        // Errors that the rules make on wild patches, with room for the seed: the ladder of rules must stay a ladder.
        let patch = Random::new(8).gregory();
        let truth = PatchRule::duffy(18).volume(&patch);
        let error = |rule: PatchRule| (rule.volume(&patch) - truth).abs() / truth.abs();
        assert!(error(PatchRule::tensor(8)) > 1e-6);
        assert!(error(PatchRule::tensor(12)) < 1e-3);
        assert!(error(PatchRule::tensor(24)) < 1e-5);
        assert!(error(PatchRule::duffy(8)) < 1e-6);
        assert!(error(PatchRule::duffy(10)) < 1e-9);
    }

    #[test]
    fn area_of_a_flat_patch_is_its_square() {
        let net = std::array::from_fn(|i| {
            std::array::from_fn(|j| DVec3::new(0.5 * i as f64, 0.25 * j as f64, 1.0))
        });
        let patch = Patch::bezier(net);
        assert!((PatchRule::tensor(4).area(&patch) - 2.0).abs() < 1e-14);
        assert!((PatchRule::tensor(6).volume(&patch) - 2.0 / 3.0).abs() < 1e-14);
    }
}
