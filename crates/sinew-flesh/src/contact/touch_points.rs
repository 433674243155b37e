//! Points of the skin that touch.

use super::body_parts::BodyParts;
use glam::Vec3;
use sinew_geometry::{Bounds, TriangleMesh, smooth_normals};
use sinew_rig::{BoneId, BoundSurface};
use std::ops::Range;

/// A character's skin at rest, as far as contact asks.
#[derive(Clone, Copy, Debug)]
pub struct TouchSkin<'a> {
    /// Its meshes as one list.
    pub bound: &'a BoundSurface,
    /// The same as one surface, model space at rest, meters.
    pub surface: &'a TriangleMesh,
    /// Triangles that face the outside: clothes, but not what is under them.
    pub outer: &'a [u32],
    /// How far each vertex gives way when it is pressed, meters.
    pub gives_m: &'a [f32],
}

impl TouchSkin<'_> {
    /// The bones of a vertex and their weights; a bone may come twice.
    pub(super) fn bones_of(&self, vertex: usize) -> impl Iterator<Item = (BoneId, f32)> + '_ {
        let (entries, weights) = self.bound.influences().of(vertex);
        let palette = self.bound.palette();
        entries.iter().zip(weights).map(|(&entry, &weight)| (palette[usize::from(entry)].bone, weight))
    }

    /// Normals of all vertices, unit; one for all vertices of one place, so that seams of a texture do not come apart.
    pub(super) fn seamless_normals(&self) -> Vec<Vec3> {
        let mut normals = smooth_normals(&self.surface.positions, &self.surface.triangles);
        let key = |vertex: &u32| self.surface.positions[*vertex as usize].to_array().map(f32::to_bits);
        let mut order: Vec<u32> = (0..normals.len() as u32).collect();
        order.sort_by_key(|vertex| (key(vertex), *vertex));
        for same in order.chunk_by(|a, b| key(a) == key(b)).filter(|same| same.len() > 1) {
            let sum: Vec3 = same.iter().map(|&vertex| normals[vertex as usize]).sum();
            same.iter().for_each(|&vertex| normals[vertex as usize] = sum.normalize_or_zero());
        }
        normals
    }

    /// How much a bone moves a vertex.
    pub(super) fn weight(&self, vertex: usize, bone: BoneId) -> f32 {
        self.bones_of(vertex).filter(|(of, _)| *of == bone).map(|(_, weight)| weight).sum()
    }
}

/// A point that gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TouchPoint {
    /// Its number among the places that are moved.
    pub(super) place: u32,
    pub(super) rest: Vec3,
    /// Outwards at rest, unit.
    pub(super) normal: Vec3,
    pub(super) give_m: f32,
    /// Where its bones begin and end in the list of all.
    pub(super) kin: [u32; 2],
    /// Where the parts that it touches at rest begin and end in the list of all.
    pub(super) at_rest: [u32; 2],
}

/// Vertices of a skin that give way, by the bones that move them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TouchPoints {
    pub(super) points: Vec<TouchPoint>,
    /// Points that are near each other in any pose, because they are at rest and one bone moves most of each.
    pub(super) groups: Vec<Range<usize>>,
    /// Bones of all points, with their weights.
    pub(super) kin: Vec<(BoneId, f32)>,
    /// Parts that points touch at rest already, by their bones, and how deep, meters.
    pub(super) at_rest: Vec<(BoneId, f32)>,
}

/// Points of a group lie in a cell of this share of the body's size at rest: small enough that most groups are near few parts.
const GROUP_SHARE: f32 = 0.05;

/// Vertices that give way by less are left where they are, meters.
const LEAST_GIVE_M: f32 = 2e-4;

impl TouchPoints {
    /// Of these vertices of a body with these parts; the first of them is place 0, the next place 1.
    pub fn new(skin: &TouchSkin<'_>, parts: &BodyParts, vertices: impl IntoIterator<Item = usize>) -> Self {
        let normals = skin.seamless_normals();
        let cell_m = GROUP_SHARE * Bounds::of(&skin.surface.positions).diagonal();
        let cell = |vertex: usize| {
            (skin.surface.positions[vertex] / cell_m.max(f32::MIN_POSITIVE)).as_ivec3().to_array()
        };
        let mut by_bone: Vec<((BoneId, [i32; 3]), u32, usize)> = Vec::new();
        for (place, vertex) in vertices.into_iter().enumerate() {
            let heaviest = skin.bones_of(vertex).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            if let Some((bone, _)) = heaviest.filter(|_| skin.gives_m[vertex] > LEAST_GIVE_M) {
                by_bone.push(((bone, cell(vertex)), place as u32, vertex));
            }
        }
        by_bone.sort_unstable();
        let mut made = Self::default();
        for of_bone in by_bone.chunk_by(|a, b| a.0 == b.0) {
            let first = made.points.len();
            for &(_, place, vertex) in of_bone {
                let begin = made.kin.len() as u32;
                made.kin.extend(skin.bones_of(vertex).filter(|(_, weight)| *weight > 0.0));
                made.points.push(TouchPoint {
                    place,
                    rest: skin.surface.positions[vertex],
                    normal: normals[vertex],
                    give_m: skin.gives_m[vertex],
                    kin: [begin, made.kin.len() as u32],
                    at_rest: [0; 2],
                });
            }
            made.groups.push(first..made.points.len());
        }
        for point in &mut made.points {
            let begin = made.at_rest.len() as u32;
            made.at_rest.extend(parts.touching_at_rest(point.rest));
            point.at_rest = [begin, made.at_rest.len() as u32];
        }
        made
    }

    /// How many give way.
    pub fn count(&self) -> usize {
        self.points.len()
    }

    /// The bones of a point and their weights.
    pub(super) fn kin_of(&self, point: &TouchPoint) -> &[(BoneId, f32)] {
        &self.kin[point.kin[0] as usize..point.kin[1] as usize]
    }

    /// How deep a point lies in a bone's skin at rest, meters.
    pub(super) fn depth_at_rest(&self, point: &TouchPoint, bone: BoneId) -> f32 {
        let own = &self.at_rest[point.at_rest[0] as usize..point.at_rest[1] as usize];
        own.iter().find(|(of, _)| *of == bone).map_or(0.0, |(_, depth_m)| *depth_m)
    }

    /// How much a bone moves a point.
    pub(super) fn kinship(&self, point: &TouchPoint, bone: BoneId) -> f32 {
        self.kin_of(point).iter().filter(|(of, _)| *of == bone).map(|(_, weight)| weight).sum()
    }

    /// The box round a group's places.
    pub(super) fn bounds(&self, group: &Range<usize>, places: &[Vec3]) -> Bounds {
        Bounds::around(self.points[group.clone()].iter().map(|point| places[point.place as usize]))
    }
}
