//! Weight calibration: makes the weights of a joint linear along its axis.
//!
//! Automatic weights are often uneven along the axis, which bends the center's curve in its middle, [Hagihara14] §5.1, Fig. 16 to 18; the
//! source leaves the correction to the author. Here t is recomputed from the vertex's projection onto the axis: 1 at r0, 0 at r1, linear
//! between.
//!
//! Only joints whose weights follow the axis are calibrated. At a shoulder they change around the limb as much as along it, and linear
//! weights along the axis would tear the armpit.

use crate::SkinSettings;
use crate::anchors::{LineFit, line_fits, soft_ranges_with};
use crate::author::bound_vertices;
use crate::axis::{Axis, Ramp};
use crate::palette_joints::PaletteJoints;
use crate::skin::given_ranges;
use sinew_rig::{BoneId, BoundSurface, Character, Influences, InfluencesBuilder, InvalidCharacter, MeshId};
use std::collections::BTreeMap;

/// Changes by a calibration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightChange {
    /// Every joint that has vertices, in the order of the palette.
    pub joints: Vec<CalibratedJoint>,

    /// Number of vertices with a changed weight.
    pub vertices: usize,
    /// Mean change of a weight over these, 0 to 1.
    pub mean: f32,
    /// Largest change of a weight, 0 to 1.
    pub largest: f32,
}

/// A joint in a calibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibratedJoint {
    /// The bone below the joint.
    pub child: BoneId,
    /// Share of the weights' change that the position on the axis explains: the squared correlation, 0 to 1.
    pub explained: f32,
    /// Whether the weights were recomputed; if not, they do not follow the axis and are unchanged.
    pub is_calibrated: bool,
}

/// Minimum share of the weights' change that the axis must explain (the squared correlation). `sinew rig --calibrate --json` shows it for
/// every joint: elbows and knees of the Quaternius man, CesiumMan and the Fox have 0.68 to 0.87, CesiumMan's ankles 0.61, the man's
/// clavicles 0.33 and his hips 0. Lower: weights that run around a limb are overwritten. Higher: elbows stay uneven.
const LEAST_EXPLAINED: f64 = 0.65;

/// If two bones have less of a vertex than this, its weights stay; from here to 1 they change more and more.
const LEAST_PAIR_WEIGHT: f32 = 0.75;

/// A change below this is rounding.
const LEAST_CHANGE: f32 = 1e-6;

/// Recomputes the weights along every joint's axis. Soft ranges set by hand are used, and their joints are always calibrated. Spherical
/// parameters of vertices that lose a bone are dropped.
///
/// # Errors
/// None for an existing character; the parts are checked again.
pub fn calibrate_weights(
    character: Character,
    settings: &SkinSettings,
) -> Result<(Character, WeightChange), InvalidCharacter> {
    let bound = BoundSurface::of(&character);
    let joints = PaletteJoints::of(&character, &bound);
    let given = given_ranges(&character, &bound, &joints, settings);
    let fits = line_fits(&joints, &bound);
    let mut ramps = BTreeMap::new();
    let mut change = WeightChange::default();
    for ((parent, child), range) in soft_ranges_with(&joints, &bound, &given) {
        let pair = (parent, child);
        let explained = fits.get(&pair).map_or(0.0, LineFit::explained);
        let axis = Axis::of(&joints, parent, child);
        let ramp = Ramp { begin: axis.foot(range.begin).1, end: axis.foot(range.end).1, axis };
        let has_length = ramp.end - ramp.begin > f32::EPSILON * (axis.back_length + axis.forth_length);
        let is_calibrated = has_length && (explained >= LEAST_EXPLAINED || given.contains_key(&pair));
        let bone = bound.palette()[usize::from(child)].bone;
        change.joints.push(CalibratedJoint { child: bone, explained: explained as f32, is_calibrated });
        if is_calibrated {
            ramps.insert(pair, ramp);
        }
    }
    let mut weights: Vec<Vec<f32>> = Vec::new();
    let meshes: Vec<_> = (0..character.meshes().len())
        .map(|mesh| {
            let vertices = bound_vertices(&character, &bound, MeshId::of(mesh))?;
            weights.clear();
            for vertex in vertices {
                let position = bound.rest().positions[vertex];
                let (entries, before) = bound.influences().of(vertex);
                let after = calibrated(&joints, &ramps, position, entries, before);
                change.note(before, &after);
                weights.push(after);
            }
            Some(with_weights(&character.meshes()[mesh].influences, &weights))
        })
        .collect();
    if change.vertices > 0 {
        change.mean /= change.vertices as f32;
    }
    let mut parts = character.into_parts();
    for (mesh, influences) in parts.meshes.iter_mut().zip(meshes) {
        let Some(influences) = influences else { continue };
        for (vertex, spherical) in mesh.spherical.iter_mut().enumerate() {
            if mesh.influences.of(vertex).0 != influences.of(vertex).0 {
                *spherical = None;
            }
        }
        mesh.influences = influences;
    }
    Ok((Character::new(parts)?, change))
}

impl WeightChange {
    fn note(&mut self, before: &[f32], after: &[f32]) {
        let changes = before.iter().zip(after).map(|(before, after)| (before - after).abs());
        let largest = changes.fold(0.0, f32::max);
        if largest > LEAST_CHANGE {
            self.vertices += 1;
            self.mean += largest;
            self.largest = self.largest.max(largest);
        }
    }
}

/// The weights of a vertex with those of its heaviest joint recomputed.
fn calibrated(
    joints: &PaletteJoints,
    ramps: &BTreeMap<(u16, u16), Ramp>,
    position: glam::Vec3,
    entries: &[u16],
    weights: &[f32],
) -> Vec<f32> {
    let mut after = weights.to_vec();
    let mut heaviest: Option<(f32, usize, usize)> = None;
    for (at, &a) in entries.iter().enumerate() {
        for (other_at, &b) in entries.iter().enumerate().skip(at + 1) {
            let both = weights[at] + weights[other_at];
            if heaviest.is_none_or(|(most, ..)| both > most)
                && let Some((parent, _)) = joints.related(a, b)
            {
                heaviest = Some(if parent == a { (both, at, other_at) } else { (both, other_at, at) });
            }
        }
    }
    let Some((both, parent, child)) = heaviest.filter(|&(both, ..)| both > LEAST_PAIR_WEIGHT) else {
        return after;
    };
    let Some(ramp) = ramps.get(&(entries[parent], entries[child])) else { return after };
    let t = weights[parent] / both;
    let follow = ((both - LEAST_PAIR_WEIGHT) / (1.0 - LEAST_PAIR_WEIGHT)).clamp(0.0, 1.0);
    let t = t + (ramp.t(position) - t) * follow;
    (after[parent], after[child]) = (both * t, both * (1.0 - t));
    after
}

/// The influences with other weights, without zeros.
fn with_weights(influences: &Influences, weights: &[Vec<f32>]) -> Influences {
    let mut builder = InfluencesBuilder::with_capacity(weights.len(), influences.influence_count());
    for (vertex, weights) in weights.iter().enumerate() {
        builder.push(influences.of(vertex).0.iter().copied().zip(weights.iter().copied()));
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    /// A change of weight that nobody sees.
    const LITTLE: f32 = 1e-4;

    /// Half the length over which the sample's weights change.
    const SOFT_HALF_M: f32 = 0.08;
    const JOINT_HEIGHT_M: f32 = 0.3;

    fn uneven_limb(uneven: impl Fn(f32) -> f32) -> Character {
        let mut parts = samples::limb(12, 60).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for position in &mesh.positions {
            let lower = ((position.y - JOINT_HEIGHT_M + SOFT_HALF_M) / (2.0 * SOFT_HALF_M)).clamp(0.0, 1.0);
            let lower = uneven(lower).clamp(0.0, 1.0);
            influences.push([(0, 1.0 - lower), (1, lower)]);
        }
        mesh.influences = influences.build();
        Character::new(parts).expect("right")
    }

    /// Weights of the lower bone by height.
    fn profile(character: &Character) -> Vec<(f32, f32)> {
        let mesh = &character.meshes()[0];
        let lower = |vertex: usize| {
            let (joints, weights) = mesh.influences.of(vertex);
            joints
                .iter()
                .zip(weights)
                .filter(|&(&joint, _)| joint == 1)
                .map(|(_, &weight)| weight)
                .sum::<f32>()
        };
        (0..mesh.vertex_count()).map(|vertex| (mesh.positions[vertex].y, lower(vertex))).collect()
    }

    #[test]
    fn linear_weights_stay() {
        let (after, change) =
            calibrate_weights(samples::limb(12, 60), &SkinSettings::default()).expect("right");
        assert!(change.largest < LITTLE, "{change:?}");
        assert!(change.joints.len() == 1 && change.joints[0].is_calibrated, "{change:?}");
        assert_eq!(profile(&after).len(), profile(&samples::limb(12, 60)).len());
    }

    #[test]
    fn a_step_in_the_middle_becomes_a_straight_line() {
        // As an automatic tool gives it: slow at both ends, a jump in the middle.
        let stepped = uneven_limb(|x| if x < 0.5 { 0.6 * x } else { 1.0 - 0.6 * (1.0 - x) });
        let (after, change) = calibrate_weights(stepped, &SkinSettings::default()).expect("right");
        assert!(change.largest > 0.05 && change.mean > 0.02 && change.mean < change.largest, "{change:?}");
        let profile = profile(&after);
        let soft: Vec<_> = profile.iter().filter(|&&(_, lower)| lower > 0.0 && lower < 1.0).collect();
        // Inside the range every weight lies on one line.
        let slope = |a: &(f32, f32), b: &(f32, f32)| (b.1 - a.1) / (b.0 - a.0);
        let first = soft.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0)).expect("some are soft");
        let last = soft.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)).expect("some are soft");
        let overall = slope(first, last);
        for place in &soft {
            let expected = first.1 + overall * (place.0 - first.0);
            assert!((place.1 - expected).abs() < LITTLE, "{place:?}: {expected}");
        }
    }

    #[test]
    fn weights_across_the_axis_are_left() {
        let mut parts = samples::limb(12, 20).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for p in &mesh.positions {
            influences.push([(0, 0.5 + 5.0 * p.x), (1, 0.5 - 5.0 * p.x)]);
        }
        mesh.influences = influences.build();
        let character = Character::new(parts).expect("right");
        let (after, change) = calibrate_weights(character.clone(), &SkinSettings::default()).expect("right");
        assert!(!change.joints[0].is_calibrated && change.vertices == 0, "{change:?}");
        assert!(after == character, "another character");
    }
}
