//! Checks of bones and weights of vertices, and of the SDEF parameters.
//!
//! Weights that are not finite or below 0 become 0, missing bones lose theirs, a bone listed twice gets both weights once; the rest
//! is scaled to sum to 1. A vertex without weights follows the first of its bones that exists, else bone 0. Unused places may have
//! any value.
//!
//! c, r0 and r1 are invalid if they are not finite or further from the vertex than the model's size; c at the vertex is valid. An
//! invalid c becomes the head of the child, if one bone is the other's parent, else the vertex projected onto the segment between
//! both heads. If c was invalid, or r0 or r1 is, both become c. The vertex then moves as with SBS.

use super::{Problems, is_finite, place_of};
use crate::pmx::{Pmx, PmxBone, PmxWeight};
use glam::Vec3;

/// Tolerance of a sum around 1; five digits of decimal text are within it.
const SUM_TOLERANCE: f32 = 1e-4;

/// Minimum size of a model for the distance of c, r0 and r1, units: a model of one point has size 0.
const LEAST_SIZE: f64 = 1.0;

/// Factor on the size: a c at the far end of the model must not count as too far because of rounding.
const ROUNDING: f64 = 1.001;

/// Adds a problem of a vertex, and its fix.
type Add<'a> = dyn FnMut(&str, &str) + 'a;

/// Repairs bones and weights.
pub(super) fn repair(weight: &mut PmxWeight, bone_count: usize, add: &mut Add<'_>) {
    if bone_count == 0 {
        return;
    }
    match weight {
        PmxWeight::Bdef1(bone) => {
            if place_of(*bone, bone_count).is_none() {
                add(&format!("its bone {bone} does not exist"), "it follows bone 0");
                *bone = 0;
            }
        }
        PmxWeight::Bdef2 { bones, weight: share } | PmxWeight::Sdef { bones, weight: share, .. } => {
            let held = if share.is_nan() { 1.0 } else { share.clamp(0.0, 1.0) };
            if held != *share {
                add(&format!("its weight is {share}, out of range 0 to 1"), &format!("it becomes {held}"));
                *share = held;
            }
            let listed = [(bones[0], held), (bones[1], 1.0 - held)];
            if let Some(only) = only_bone(listed, bone_count, add) {
                *weight = PmxWeight::Bdef1(only);
            }
        }
        PmxWeight::Bdef4 { bones, weights } | PmxWeight::Qdef { bones, weights } => {
            if !repair_four(bones, weights, bone_count, add) {
                let exists = |bone: &&i32| place_of(**bone, bone_count).is_some();
                *weight = PmxWeight::Bdef1(bones.iter().find(exists).copied().unwrap_or(0));
            }
        }
    }
}

/// The first existing bone of a vertex.
pub(super) fn first_bone(weight: &PmxWeight, bone_count: usize) -> Option<usize> {
    let bones: &[i32] = match weight {
        PmxWeight::Bdef1(bone) => std::slice::from_ref(bone),
        PmxWeight::Bdef2 { bones, .. } | PmxWeight::Sdef { bones, .. } => bones,
        PmxWeight::Bdef4 { bones, .. } | PmxWeight::Qdef { bones, .. } => bones,
    };
    bones.iter().find_map(|&bone| place_of(bone, bone_count))
}

/// The only bone of a vertex with two bones, if one of them is invalid.
fn only_bone([first, second]: [(i32, f32); 2], bone_count: usize, add: &mut Add<'_>) -> Option<i32> {
    let is_missing = |(bone, weight): (i32, f32)| weight > 0.0 && place_of(bone, bone_count).is_none();
    let exists = |(bone, _): (i32, f32)| place_of(bone, bone_count).is_some();
    if is_missing(first) || is_missing(second) {
        let missing = if is_missing(first) { first.0 } else { second.0 };
        let only = [first, second].into_iter().find(|&listed| exists(listed)).map_or(0, |(bone, _)| bone);
        add(&format!("its bone {missing} does not exist"), &format!("it follows bone {only} alone"));
        return Some(only);
    }
    if first.0 == second.0 {
        add(&format!("its bone {} is listed twice", first.0), "it is listed once");
        return Some(first.0);
    }
    None
}

/// Repairs four bones; returns whether any weight is left.
fn repair_four(bones: &mut [i32; 4], weights: &mut [f32; 4], count: usize, add: &mut Add<'_>) -> bool {
    for weight in weights.iter_mut().filter(|weight| !weight.is_finite() || **weight < 0.0) {
        add(&format!("one of its weights is {weight}"), "it becomes 0");
        *weight = 0.0;
    }
    let largest = weights.iter().copied().fold(0.0, f32::max);
    if !weights.iter().sum::<f32>().is_finite() {
        // Too large to add up; the sum is reported below.
        *weights = weights.map(|weight| weight / largest);
    }
    for at in (0..4).filter(|&at| weights[at] > 0.0).collect::<Vec<_>>() {
        if place_of(bones[at], count).is_none() {
            add(&format!("its bone {} does not exist", bones[at]), "the others get its weight");
            (bones[at], weights[at]) = (0, 0.0);
        } else if let Some(known) = (0..at).find(|&known| bones[known] == bones[at] && weights[known] > 0.0) {
            add(&format!("its bone {} is listed twice", bones[at]), "it is listed once, with both weights");
            weights[known] += weights[at];
            (bones[at], weights[at]) = (0, 0.0);
        }
    }
    let sum: f32 = weights.iter().sum();
    if sum <= 0.0 {
        add("all its weights are 0", "it follows one bone");
        return false;
    }
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        add(&format!("its weights sum to {sum}"), "they are scaled to sum to 1");
        // Divide by the largest first: tiny weights would lose precision.
        let largest = weights.iter().copied().fold(0.0, f32::max);
        let scaled = weights.map(|weight| weight / largest);
        let sum: f32 = scaled.iter().sum();
        *weights = scaled.map(|weight| weight / sum);
    }
    true
}

/// Repairs c, r0 and r1; bones must be valid.
pub(super) fn repair_spheres(pmx: &mut Pmx, problems: &mut Problems) {
    let size = size(pmx);
    for (index, vertex) in pmx.vertices.iter_mut().enumerate() {
        let PmxWeight::Sdef { bones, c, r0, r1, .. } = &mut vertex.weight else { continue };
        let position = Vec3::from(vertex.position);
        let is_wrong = |point: &[f32; 3]| {
            // In f64, where not even the largest f32 overflows.
            let distance = Vec3::from(*point).as_dvec3().distance(position.as_dvec3());
            !is_finite(point) || distance > size
        };
        if is_wrong(c) {
            problems.add(
                "vertices",
                index,
                "its c is not finite or too far away",
                "c is computed from its bones, r0 and r1 become c",
            );
            *c = center(&pmx.bones, *bones, position).to_array();
            (*r0, *r1) = (*c, *c);
        } else if is_wrong(r0) || is_wrong(r1) {
            problems.add("vertices", index, "its r0 or r1 is not finite or too far away", "both become c");
            (*r0, *r1) = (*c, *c);
        }
    }
}

/// The diagonal of the box around all vertices and bones, units.
fn size(pmx: &Pmx) -> f64 {
    let vertices = pmx.vertices.iter().map(|vertex| vertex.position);
    let all: Vec<Vec3> = vertices.chain(pmx.bones.iter().map(|bone| bone.position)).map(Vec3::from).collect();
    let bounds = sinew_geometry::Bounds::of(&all);
    ROUNDING * bounds.min().as_dvec3().distance(bounds.max().as_dvec3()).max(LEAST_SIZE)
}

/// The center of rotation of a vertex, by the rule of this module.
fn center(bones: &[PmxBone], [first, second]: [i32; 2], position: Vec3) -> Vec3 {
    let place = |bone: i32| place_of(bone, bones.len());
    let (Some(a), Some(b)) = (place(first), place(second)) else { return position };
    let head = |bone: usize| Vec3::from(bones[bone].position);
    if bones[a].parent == second {
        return head(a);
    }
    if bones[b].parent == first {
        return head(b);
    }
    let line = head(b) - head(a);
    let along = (position - head(a)).dot(line) / line.length_squared();
    if along.is_finite() { head(a) + line * along.clamp(0.0, 1.0) } else { head(a) }
}
