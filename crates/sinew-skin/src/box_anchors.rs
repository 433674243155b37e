//! Box anchors: weights and soft ranges from boxes bound to bones.
//!
//! After [Hagihara14] §5.1: every bone has a box around its vertices. A vertex in one box follows only that bone; where the boxes of a parent
//! and a child overlap, t falls linearly along the axis from 1 at the start of the overlap (r0) to 0 at its end (r1).
//!
//! Departures: the source handles only two boxes. In three or more, each pair of bones gives both a factor, t and 1−t for a joint, the depths
//! inside the two boxes for bones without a common joint, and the weights are the products. A vertex outside all boxes keeps its weights.

use crate::author::bound_vertices;
use crate::axis::{Axis, Ramp};
use crate::palette_joints::PaletteJoints;
use glam::{Affine3A, Vec3};
use sinew_rig::{
    BoneId, BoundSurface, Character, InfluencesBuilder, InvalidCharacter, MeshId, PaletteEntry, Spherical,
};
use std::collections::BTreeMap;

/// The space of a box's corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoxSpace {
    /// The bone's own rest frame: the box is rotated with the bone.
    #[default]
    Bone,
    /// The rest space of the mesh.
    Rest,
}

/// A box that belongs to a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneBox {
    /// The bone that moves vertices in the box.
    pub bone: BoneId,
    /// The least corner, m.
    pub min: Vec3,
    /// The largest corner, m.
    pub max: Vec3,
    /// The space of the corners.
    pub space: BoxSpace,
}

/// Result of binding by boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoxCoverage {
    /// Vertices in one box.
    pub rigid: usize,
    /// Vertices between two or more.
    pub soft: usize,
    /// Vertices outside all boxes; they keep their weights.
    pub outside: usize,
    /// Boxes of bones that no mesh is bound to, and boxes that are not finite.
    pub unused_boxes: usize,
}

/// Sets the weights of every vertex in a box, and c, r0 and r1 if it is between two joined bones.
///
/// # Errors
/// None for an existing character; the parts are checked again.
pub fn bind_by_boxes(
    character: Character,
    boxes: &[BoneBox],
) -> Result<(Character, BoxCoverage), InvalidCharacter> {
    let bound = BoundSurface::of(&character);
    let joints = PaletteJoints::of(&character, &bound);
    let placed = PlacedBox::all(bound.palette(), boxes);
    let overlaps = overlaps(&joints, &placed);
    let is_used = |of: &&BoneBox| {
        !placed.iter().any(|placed| bound.palette()[usize::from(placed.entry)].bone == of.bone)
    };
    let mut coverage =
        BoxCoverage { unused_boxes: boxes.iter().filter(is_used).count(), ..BoxCoverage::default() };
    let mut parts = character.clone().into_parts();
    for (index, mesh) in parts.meshes.iter_mut().enumerate() {
        let Some(vertices) = bound_vertices(&character, &bound, MeshId::of(index)) else { continue };
        let instance = character
            .instances()
            .iter()
            .find(|instance| instance.mesh.index() == index && instance.bind.is_some());
        let Some(bind) = instance.and_then(|instance| instance.bind) else { continue };
        let joint_of = |entry: u16| {
            let bone = bound.palette()[usize::from(entry)].bone;
            character.bind(bind).joints.iter().position(|&joint| joint == bone).map(|joint| joint as u16)
        };
        mesh.spherical.resize(mesh.positions.len(), None);
        let mut influences =
            InfluencesBuilder::with_capacity(mesh.positions.len(), mesh.influences.influence_count());
        for (at, vertex) in vertices.enumerate() {
            let position = bound.rest().positions[vertex];
            let inside: Vec<&PlacedBox> = placed
                .iter()
                .filter(|of| {
                    bound.palette()[usize::from(of.entry)].bind == Some(bind) && of.depth(position) >= 0.0
                })
                .collect();
            let weighted = weights(&joints, &overlaps, position, &inside);
            match weighted.len() {
                0 => {
                    coverage.outside += 1;
                    influences.push(mesh.influences.pairs(at));
                    continue;
                }
                1 => coverage.rigid += 1,
                _ => coverage.soft += 1,
            }
            influences.push(weighted.iter().filter_map(|&(entry, weight)| Some((joint_of(entry)?, weight))));
            mesh.spherical[at] = spherical(&joints, &overlaps, position, &weighted);
        }
        mesh.influences = influences.build();
    }
    Ok((Character::new(parts)?, coverage))
}

/// A box over a palette entry.
struct PlacedBox {
    entry: u16,
    /// The box's own space from rest space.
    box_from_rest: Affine3A,
    min: Vec3,
    max: Vec3,
}

impl PlacedBox {
    /// Every box for every entry of its bone, in the palette's order; of several boxes of a bone the last wins.
    fn all(palette: &[PaletteEntry], boxes: &[BoneBox]) -> Vec<Self> {
        let of_entry = |(entry, of): (usize, &PaletteEntry)| {
            let is_own = |found: &&BoneBox| {
                of.bind.is_some() && found.bone == of.bone && found.min.is_finite() && found.max.is_finite()
            };
            let found = boxes.iter().rev().find(is_own)?;
            let box_from_rest = match found.space {
                BoxSpace::Bone => of.bone_from_rest,
                BoxSpace::Rest => Affine3A::IDENTITY,
            };
            Some(Self {
                entry: entry as u16,
                box_from_rest,
                min: found.min.min(found.max),
                max: found.max.max(found.min),
            })
        };
        palette.iter().enumerate().filter_map(of_entry).collect()
    }

    /// The distance of a point inside to the nearest face, in the box's units; negative outside.
    fn depth(&self, point: Vec3) -> f32 {
        let local = self.box_from_rest.transform_point3(point);
        (local - self.min).min(self.max - local).min_element()
    }

    /// The part of a segment that is inside, as shares of it.
    fn clip(&self, from: Vec3, to: Vec3) -> Option<(f32, f32)> {
        let (from, to) = (self.box_from_rest.transform_point3(from), self.box_from_rest.transform_point3(to));
        let (mut enter, mut leave) = (0.0f32, 1.0f32);
        for axis in 0..3 {
            let (start, along) = (from[axis], to[axis] - from[axis]);
            if along == 0.0 {
                if start < self.min[axis] || start > self.max[axis] {
                    return None;
                }
                continue;
            }
            let (a, b) = ((self.min[axis] - start) / along, (self.max[axis] - start) / along);
            (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
        }
        (enter <= leave).then_some((enter, leave))
    }
}

/// The overlaps of all joints with boxes of both bones that meet on the axis: from r0 to r1.
fn overlaps(joints: &PaletteJoints, placed: &[PlacedBox]) -> BTreeMap<(u16, u16), Ramp> {
    let mut overlaps = BTreeMap::new();
    for (at, a) in placed.iter().enumerate() {
        for b in &placed[at + 1..] {
            let Some((parent, child)) = joints.related(a.entry, b.entry) else { continue };
            let axis = Axis::of(joints, parent, child);
            let (mut begin, mut end) = (f32::INFINITY, f32::NEG_INFINITY);
            for (direction, length, sign) in
                [(axis.back, axis.back_length, -1.0), (axis.forth, axis.forth_length, 1.0)]
            {
                let to = axis.head + direction * length;
                let (Some(of_a), Some(of_b)) = (a.clip(axis.head, to), b.clip(axis.head, to)) else {
                    continue;
                };
                let (enter, leave) = (of_a.0.max(of_b.0), of_a.1.min(of_b.1));
                for share in [enter, leave].into_iter().filter(|_| enter <= leave) {
                    (begin, end) = (begin.min(sign * share * length), end.max(sign * share * length));
                }
            }
            if begin <= end {
                overlaps.insert((parent, child), Ramp { axis, begin, end });
            }
        }
    }
    overlaps
}

/// Entries with their weights, without zeros; parents before children if two share a joint.
fn weights(
    joints: &PaletteJoints,
    overlaps: &BTreeMap<(u16, u16), Ramp>,
    position: Vec3,
    inside: &[&PlacedBox],
) -> Vec<(u16, f32)> {
    let mut weighted: Vec<(u16, f32)> = inside.iter().map(|placed| (placed.entry, 1.0)).collect();
    for at in 0..inside.len() {
        for other_at in at + 1..inside.len() {
            let (a, b) = (inside[at], inside[other_at]);
            let joint = joints.related(a.entry, b.entry).and_then(|pair| Some((pair, overlaps.get(&pair)?)));
            let share = match joint {
                Some(((parent, _), overlap)) if parent == a.entry => overlap.t(position),
                Some((_, overlap)) => 1.0 - overlap.t(position),
                None => {
                    let (depth, other_depth) = (a.depth(position), b.depth(position));
                    if depth + other_depth > 0.0 { depth / (depth + other_depth) } else { 0.5 }
                }
            };
            weighted[at].1 *= share;
            weighted[other_at].1 *= 1.0 - share;
        }
    }
    let total: f32 = weighted.iter().map(|&(_, weight)| weight).sum();
    if total > 0.0 {
        weighted.retain(|&(_, weight)| weight > 0.0);
        weighted.iter_mut().for_each(|(_, weight)| *weight /= total);
    } else {
        // Every product can vanish at the corners of three boxes: use equal weights then.
        let share = 1.0 / weighted.len().max(1) as f32;
        weighted.iter_mut().for_each(|(_, weight)| *weight = share);
    }
    if let [(a, _), (b, _)] = weighted[..]
        && joints.related(a, b).is_some_and(|(parent, _)| parent == b)
    {
        weighted.swap(0, 1);
    }
    weighted
}

/// c, r0 and r1 of a vertex between the two bones of a joint.
fn spherical(
    joints: &PaletteJoints,
    overlaps: &BTreeMap<(u16, u16), Ramp>,
    position: Vec3,
    weighted: &[(u16, f32)],
) -> Option<Spherical> {
    let &[(parent, _), (child, _)] = weighted else { return None };
    let overlap = overlaps.get(&joints.related(parent, child)?)?;
    let center = overlap.axis.foot(position).0;
    Some(Spherical { center, r0: overlap.point(overlap.begin), r1: overlap.point(overlap.end) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    /// Rounding of f32 in numbers of the order of 1.
    const ROUNDING: f32 = 1e-6;

    fn boxed(bone: u32, min_y: f32, max_y: f32, space: BoxSpace) -> BoneBox {
        BoneBox {
            bone: BoneId(bone),
            min: Vec3::new(-0.1, min_y, -0.1),
            max: Vec3::new(0.1, max_y, 0.1),
            space,
        }
    }

    /// The joint is at a height of 0.3; the boxes overlap from 0.2 to 0.35.
    fn check(boxes: [BoneBox; 2]) {
        let (limb, coverage) = bind_by_boxes(samples::limb(12, 60), &boxes).expect("right");
        assert_eq!((coverage.outside, coverage.unused_boxes), (0, 0));
        assert!(coverage.rigid > 0 && coverage.soft > 0, "{coverage:?}");
        let mesh = &limb.meshes()[0];
        for vertex in 0..mesh.vertex_count() {
            let height = mesh.positions[vertex].y;
            let upper = ((0.35 - height) / 0.15).clamp(0.0, 1.0);
            let (joints, weights) = mesh.influences.of(vertex);
            let found: f32 =
                joints.iter().zip(weights).filter(|&(&joint, _)| joint == 0).map(|(_, &weight)| weight).sum();
            assert!((found - upper).abs() < 1e-5, "at {height}: {found}, not {upper}");
            if let Some(spherical) = mesh.spherical[vertex] {
                assert_eq!(joints, [0, 1], "r0 belongs to the parent");
                assert!(spherical.center.abs_diff_eq(Vec3::Y * height, ROUNDING));
                assert!(
                    spherical.r0.abs_diff_eq(Vec3::Y * 0.2, ROUNDING)
                        && spherical.r1.abs_diff_eq(Vec3::Y * 0.35, ROUNDING)
                );
            }
        }
        assert_eq!(mesh.spherical.iter().flatten().count(), coverage.soft);
    }

    #[test]
    fn overlaps_make_linear_weights_and_soft_ranges() {
        check([boxed(0, -0.1, 0.35, BoxSpace::Rest), boxed(1, 0.2, 0.7, BoxSpace::Rest)]);
        // The lower bone's frame begins at the joint; its corners may come in any order.
        check([boxed(0, -0.1, 0.35, BoxSpace::Bone), boxed(1, 0.4, -0.1, BoxSpace::Bone)]);
    }

    #[test]
    fn what_no_box_holds_keeps_its_weights() {
        let limb = samples::limb(8, 8);
        // A box without extent, one that is NaN, and one of a bone that moves nothing.
        let nothing = [
            boxed(0, 0.31, 0.31, BoxSpace::Rest),
            boxed(1, f32::NAN, 0.7, BoxSpace::Rest),
            boxed(2, 0.0, 1.0, BoxSpace::Rest),
        ];
        let (after, coverage) = bind_by_boxes(limb.clone(), &nothing).expect("right");
        assert_eq!(coverage.unused_boxes, 2);
        assert!(after.meshes()[0].influences == limb.meshes()[0].influences, "other weights");
        assert_eq!(coverage.outside, limb.meshes()[0].vertex_count());
    }
}
