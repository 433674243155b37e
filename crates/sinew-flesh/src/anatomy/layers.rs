//! Which layer a point belongs to, and what it is made of.
//!
//! Layer l goes from depth eₗ to eₗ₊₁, e₀ = 0. With σ the softness of the flesh, borders move outwards, until at σ = 0 all is the
//! first layer:
//!
//! e'ₗ = 1 + b/2 − σ (1 + b/2 − eₗ),   cₗ = ramp from 0 at e'ₗ − b/2 to 1 at e'ₗ + b/2,   shareₗ = cₗ − cₗ₊₁ (c₀ = 1, c after the last is 0),
//!
//! with b the blend. Young's modulus is the geometric mean by these shares, because it spans decades; all else the plain mean.

use super::AnatomySettings;
use super::paint::{Coat, PaintTarget};
use super::softness::ramp;
use crate::config::BoneSettings;
use sinew_rig::{BoneId, Influences};

/// What each point is made of; lists of one per point, `mix` of one per point and layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Makeup {
    pub(super) mix: Vec<f32>,
    pub(super) layer: Vec<usize>,
    pub(super) softness: Vec<f32>,
    pub(super) young_pa: Vec<f32>,
    pub(super) density_kg_m3: Vec<f32>,
    pub(super) beta: Vec<f32>,
    pub(super) damping: Vec<f32>,
    pub(super) is_held: Vec<bool>,
}

impl Makeup {
    /// Young's modulus over density, m²/s².
    pub(super) fn square_speeds(&self) -> Vec<f32> {
        self.young_pa.iter().zip(&self.density_kg_m3).map(|(young, density)| young / density).collect()
    }

    /// Kilograms of these volumes, cubic meters.
    pub(super) fn masses_kg(&self, volumes: &[f64]) -> Vec<f32> {
        volumes.iter().zip(&self.density_kg_m3).map(|(volume, density)| *volume as f32 * density).collect()
    }
}

/// How thick a layer is.
#[derive(Clone, Copy)]
enum Thickness {
    Share(f32),
    Meters(f32),
}

/// What layers are laid by.
pub(super) struct Layering<'a> {
    pub(super) settings: &'a AnatomySettings,
    /// By bone.
    pub(super) of_bones: &'a [Option<&'a BoneSettings>],
    pub(super) joints: &'a [BoneId],
    pub(super) influences: &'a Influences,
    pub(super) depth: &'a [f32],
    pub(super) thickness_m: &'a [f32],
    pub(super) coats: &'a [Coat],
    /// By bone.
    pub(super) softness: &'a [f32],
    /// By point.
    pub(super) most_softness: &'a [f32],
}

impl Layering<'_> {
    pub(super) fn lay(&self) -> Makeup {
        let mut makeup = Makeup::default();
        let layers = &self.settings.layers;
        let thicknesses: Vec<Vec<Thickness>> =
            (0..layers.len()).map(|layer| self.thicknesses(layer)).collect();
        for point in 0..self.depth.len() {
            let softness = self.softness_of(point) * self.most_softness[point];
            let mix = self.mix(point, softness, &thicknesses);
            let mean = |value: &dyn Fn(usize) -> f32| -> f32 {
                mix.iter().enumerate().map(|(layer, share)| share * value(layer)).sum()
            };
            let stiffness = self.painted(
                PaintTarget::Stiffness,
                point,
                self.mean_of_bones(point, |bone| {
                    self.of_bones[bone.index()].map_or(1.0, |settings| settings.stiffness as f32)
                }),
            );
            let young = mean(&|layer| (layers[layer].young_pa as f32).ln()).exp();
            let held = mean(&|layer| if layers[layer].is_held { 1.0 } else { 0.0 });
            let beta = mean(&|layer| layers[layer].fiber_share as f32);
            makeup.young_pa.push(young * stiffness);
            makeup.density_kg_m3.push(mean(&|layer| layers[layer].density_kg_m3 as f32));
            makeup.beta.push(self.painted(PaintTarget::Beta, point, beta));
            makeup.damping.push(mean(&|layer| layers[layer].damping_per_sec as f32));
            makeup.is_held.push(held >= 0.5);
            makeup.layer.push(heaviest(&mix));
            makeup.softness.push(softness);
            makeup.mix.extend(mix);
        }
        makeup
    }

    fn softness_of(&self, point: usize) -> f32 {
        let of_bones = self.mean_of_bones(point, |bone| self.softness[bone.index()]);
        self.painted(PaintTarget::Softness, point, of_bones)
    }

    /// The mean over a point's bones by their weights.
    fn mean_of_bones(&self, point: usize, value: impl Fn(BoneId) -> f32) -> f32 {
        let (joints, weights) = self.influences.of(point);
        joints
            .iter()
            .zip(weights)
            .map(|(&joint, weight)| weight * value(self.joints[usize::from(joint)]))
            .sum()
    }

    fn painted(&self, target: PaintTarget, point: usize, before: f32) -> f32 {
        let coats = self.coats.iter().filter(|coat| coat.target == target);
        coats.fold(before, |before, coat| coat.over(point, before))
    }

    /// The share of each layer; they sum to 1.
    fn mix(&self, point: usize, softness: f32, thicknesses: &[Vec<Thickness>]) -> Vec<f32> {
        let blend = self.settings.blend;
        let outermost = 1.0 + blend / 2.0;
        let mut inner = 0.0;
        let mut reached = 1.0;
        let shares = self.shares(point, thicknesses);
        let mut mix = Vec::with_capacity(shares.len());
        for (layer, share) in shares.iter().enumerate() {
            inner += share;
            let border = outermost - softness * (outermost - inner);
            let is_last = layer + 1 == shares.len();
            let next = if is_last {
                0.0
            } else {
                ramp([border - blend / 2.0, border + blend / 2.0], self.depth[point]).min(reached)
            };
            mix.push(reached - next);
            reached = next;
        }
        mix
    }

    /// The share of each layer of the way from bone to skin; they sum to 1.
    fn shares(&self, point: usize, thicknesses: &[Vec<Thickness>]) -> Vec<f32> {
        let way = (self.thickness_m[point] * (1.0 - self.settings.core_share)).max(f32::MIN_POSITIVE);
        let mut in_meters = vec![0.0; thicknesses.len()];
        let mut in_shares = vec![0.0; thicknesses.len()];
        for (layer, thickness) in thicknesses.iter().enumerate() {
            let thickness = |bone: BoneId| thickness[bone.index()];
            in_meters[layer] = self.mean_of_bones(point, |bone| match thickness(bone) {
                Thickness::Meters(meters) => (meters / way).min(1.0),
                Thickness::Share(_) => 0.0,
            });
            in_shares[layer] = self.mean_of_bones(point, |bone| match thickness(bone) {
                Thickness::Meters(_) => 0.0,
                Thickness::Share(share) => share,
            });
            let painted = self.coats.iter().filter(|coat| coat.target == PaintTarget::Thickness(layer));
            for coat in painted {
                in_shares[layer] = coat.over(point, in_shares[layer]);
                in_meters[layer] *= 1.0 - coat.cover[point];
            }
        }
        let (meters, shares): (f32, f32) = (in_meters.iter().sum(), in_shares.iter().sum());
        let by_meters = if meters > 1.0 { 1.0 / meters } else { 1.0 };
        let rest = 1.0 - meters * by_meters;
        let by_shares = if shares > 0.0 { rest / shares } else { 0.0 };
        let joined = in_meters.iter().zip(&in_shares);
        let mut joined: Vec<f32> =
            joined.map(|(meters, share)| meters * by_meters + share * by_shares).collect();
        if shares <= 0.0 {
            // All in meters, and they do not reach the skin: the rest is the innermost layer's.
            joined[0] += rest;
        }
        joined
    }

    /// How thick a layer is round each bone.
    fn thicknesses(&self, layer: usize) -> Vec<Thickness> {
        let layer = &self.settings.layers[layer];
        let of_layer = |list: &[(String, f64)]| {
            list.iter().rev().find(|(name, _)| *name == layer.name).map(|(_, thickness)| *thickness as f32)
        };
        let own = |bone: &BoneSettings| {
            let meters = of_layer(&bone.thickness_m).map(Thickness::Meters);
            meters.or_else(|| of_layer(&bone.thickness).map(Thickness::Share))
        };
        let meters = layer.thickness_m.map(|meters| Thickness::Meters(meters as f32));
        let usual = meters.unwrap_or(Thickness::Share(layer.thickness as f32));
        self.of_bones.iter().map(|bone| bone.and_then(own).unwrap_or(usual)).collect()
    }
}

/// The largest share; of equal ones the inner.
fn heaviest(mix: &[f32]) -> usize {
    let inner_first = mix.iter().enumerate().rev();
    inner_first.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(layer, _)| layer)
}
