//! A smooth map of space that follows given points.
//!
//! Moving least squares: at each place the affine map that fits the moved points best, near ones most, after \[Schaefer06\] section 2.1.

use glam::{DMat3, DVec3};

/// Softens the weight at a given point, m. Smaller: the map bends sharply beside the points; larger: it passes them by.
const SOFT_M: f64 = 0.005;
/// Share of the points' spread that keeps directions without points as they are. Smaller: a ring's normal gets any length.
const QUIET: f64 = 1e-3;

/// Points before and after.
#[derive(Clone, Debug, Default)]
pub(super) struct Warp {
    pub(super) pairs: Vec<[DVec3; 2]>,
}

/// The map at a place: where the place goes, and how vectors there change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) point: DVec3,
    pub(super) vectors: DMat3,
}

impl Warp {
    pub(super) fn at(&self, place: DVec3) -> Local {
        let weight = |from: DVec3| (place.distance_squared(from) + SOFT_M * SOFT_M).powi(-2);
        let mut sums = (0.0, DVec3::ZERO, DVec3::ZERO);
        for &[from, to] in &self.pairs {
            let w = weight(from);
            sums = (sums.0 + w, sums.1 + w * from, sums.2 + w * to);
        }
        let (from_mean, to_mean) = (sums.1 / sums.0, sums.2 / sums.0);
        let (mut moved, mut spread) = (DMat3::ZERO, DMat3::ZERO);
        for &[from, to] in &self.pairs {
            let (w, out) = (weight(from), from - from_mean);
            moved += outer(w * (to - to_mean - out), out);
            spread += outer(w * out, out);
        }
        let trace = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
        let inverse = (spread + DMat3::from_diagonal(DVec3::splat(QUIET * trace))).inverse();
        let vectors = DMat3::IDENTITY + moved * inverse;
        Local { point: to_mean + vectors * (place - from_mean), vectors }
    }

    pub(super) fn point(&self, place: DVec3) -> DVec3 {
        self.at(place).point
    }
}

/// `a bᵀ`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use glam::DQuat;

    #[test]
    fn an_affine_change_is_followed() {
        let mut random = Random::new(3);
        let turn = 1.1 * DMat3::from_quat(DQuat::from_rotation_z(0.2));
        let shift = random.vector();
        let pairs = random.points::<40>().map(|point| 0.1 * point).map(|point| [point, turn * point + shift]);
        let warp = Warp { pairs: pairs.to_vec() };
        let place = 0.1 * random.vector();
        let found = warp.at(place);
        // What `QUIET` holds back.
        assert!(found.point.distance(turn * place + shift) < 1e-3);
        assert!((found.vectors - turn).to_cols_array().iter().all(|entry| entry.abs() < 0.02), "{found:?}");
    }
}
