//! Heads as the average, moved by the nearest affine map, plus a difference whose bends are priced.

use crate::data::Failure;
use crate::pairing::Pairing;
use glam::{DAffine3, DMat3, DVec3};
use sinew_body::patchwork::fit::{PatchworkFit, Prices};
use sinew_body::patchwork::{Patchwork, SlotKind};

/// The average and the fit of differences from it.
pub(crate) struct Heads {
    mean: Vec<DVec3>,
    /// The average's vertices at the places.
    targets: Vec<DVec3>,
    weights: Vec<f64>,
    fit: PatchworkFit,
}

impl Heads {
    pub(crate) fn new(
        net: &Patchwork,
        pairing: &Pairing,
        mean: Vec<DVec3>,
        (average, weights): (&[DVec3], &[f64]),
        prices: &Prices,
    ) -> Result<Heads, Failure> {
        let fit = PatchworkFit::new(net, (&pairing.places, weights), prices, &net.patches(&mean))?;
        Ok(Heads { mean, targets: pairing.targets(average), weights: weights.to_vec(), fit })
    }

    /// The change of slots for a movement of the vertices at the places.
    pub(crate) fn movement(&self, by: &[DVec3]) -> Vec<DVec3> {
        self.fit.fit(by)
    }

    /// The slots of a head with these vertices at the places.
    pub(crate) fn fit(&self, net: &Patchwork, targets: &[DVec3]) -> Vec<DVec3> {
        let map = affine(&self.targets, targets, &self.weights);
        let rest: Vec<DVec3> =
            targets.iter().zip(&self.targets).map(|(at, mean)| *at - map.transform_point3(*mean)).collect();
        let moved = self.mean.iter().zip(net.slot_kinds()).map(|(slot, kind)| match kind {
            SlotKind::Place => map.transform_point3(*slot),
            _ => map.transform_vector3(*slot),
        });
        moved.zip(self.fit.fit(&rest)).map(|(slot, by)| slot + by).collect()
    }
}

/// The affine map that takes some points nearest to others.
fn affine(from: &[DVec3], to: &[DVec3], weights: &[f64]) -> DAffine3 {
    let total: f64 = weights.iter().sum();
    let center =
        |all: &[DVec3]| all.iter().zip(weights).map(|(at, weight)| *weight * *at).sum::<DVec3>() / total;
    let (start, end) = (center(from), center(to));
    let (mut own, mut cross) = (DMat3::ZERO, DMat3::ZERO);
    for ((a, b), &weight) in from.iter().zip(to).zip(weights) {
        let (a, b) = (weight * (*a - start), *b - end);
        let a_plain = a / weight.max(f64::MIN_POSITIVE);
        own += DMat3::from_cols(a * a_plain.x, a * a_plain.y, a * a_plain.z);
        cross += DMat3::from_cols(weight * b * a_plain.x, weight * b * a_plain.y, weight * b * a_plain.z);
    }
    let linear = cross * own.inverse();
    DAffine3 { matrix3: linear, translation: end - linear * start }
}
