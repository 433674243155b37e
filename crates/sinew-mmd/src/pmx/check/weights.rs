//! Bones and weights of vertices, and the parameters of SDEF.
//!
//! Weights that are not finite or below 0 become 0, bones that do not exist lose theirs, a bone listed twice has both its weights once; what is
//! left is scaled to sum to 1. A vertex that nothing is left for follows the first of its bones that exists, else bone 0. Unused places
//! may name anything.
//!
//! c, r0 and r1 are wrong where they are not finite or lie further from the vertex than the model is large; c on the vertex itself is right. A
//! wrong c becomes the head of the child, where one bone is the other's parent, else the foot of the vertex on the line between both
//! heads, no further than these; r0 and r1 become c with it, or where one of them is wrong. The vertex is then moved as by SBS.

use super::{Problems, is_finite, place_of};
use crate::pmx::{Pmx, PmxBone, PmxWeight};
use glam::Vec3;

/// How far a sum may be from 1; five digits of decimal text keep within it.
const SUM_TOLERANCE: f32 = 1e-4;

/// The least size of a model for the distance of c, r0 and r1, units: a model of one point has none.
const LEAST_SIZE: f64 = 1.0;

/// Times the size: a c that was set at the far end of the model must not count as too far for its last digit.
const ROUNDING: f64 = 1.001;

/// Repairs bones and weights.
pub(super) fn repair(weight: &mut PmxWeight, bone_count: usize, add: &mut impl FnMut(&str, &str)) {
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
                add(&format!("its weight is {share}"), &format!("it becomes {held}"));
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

/// The first bone of a vertex that exists.
pub(super) fn first_bone(weight: &PmxWeight, bone_count: usize) -> Option<usize> {
    let bones: &[i32] = match weight {
        PmxWeight::Bdef1(bone) => std::slice::from_ref(bone),
        PmxWeight::Bdef2 { bones, .. } | PmxWeight::Sdef { bones, .. } => bones,
        PmxWeight::Bdef4 { bones, .. } | PmxWeight::Qdef { bones, .. } => bones,
    };
    bones.iter().find_map(|&bone| place_of(bone, bone_count))
}

/// The bone that alone moves a vertex of two, where one of them is wrong.
fn only_bone(
    [first, second]: [(i32, f32); 2],
    bone_count: usize,
    add: &mut impl FnMut(&str, &str),
) -> Option<i32> {
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
fn repair_four(
    bones: &mut [i32; 4],
    weights: &mut [f32; 4],
    bone_count: usize,
    add: &mut impl FnMut(&str, &str),
) -> bool {
    for weight in weights.iter_mut().filter(|weight| !weight.is_finite() || **weight < 0.0) {
        add(&format!("a weight of it is {weight}"), "it becomes 0");
        *weight = 0.0;
    }
    let largest = weights.iter().copied().fold(0.0, f32::max);
    if !weights.iter().sum::<f32>().is_finite() {
        // So large that they cannot be added; their sum is told below.
        *weights = weights.map(|weight| weight / largest);
    }
    for at in (0..4).filter(|&at| weights[at] > 0.0).collect::<Vec<_>>() {
        if place_of(bones[at], bone_count).is_none() {
            add(&format!("its bone {} does not exist", bones[at]), "the others have its weight");
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
        // By the largest first: what is left of tiny weights would not divide well.
        let largest = weights.iter().copied().fold(0.0, f32::max);
        let scaled = weights.map(|weight| weight / largest);
        let sum: f32 = scaled.iter().sum();
        *weights = scaled.map(|weight| weight / sum);
    }
    true
}

/// Repairs c, r0 and r1, by bones that are in order.
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
                "its c is not finite or far off",
                "c is set by its bones, r0 and r1 to c",
            );
            *c = center(&pmx.bones, *bones, position).to_array();
            (*r0, *r1) = (*c, *c);
        } else if is_wrong(r0) || is_wrong(r1) {
            problems.add("vertices", index, "its r0 or r1 is not finite or far off", "both are set to c");
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

/// The point that a vertex turns about, by the rule of this module.
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
