//! Points of the skin that touch.

use crate::anatomy::Anatomy;
use glam::Vec3;
use sinew_geometry::{Cover, TriangleMesh, smooth_normals};
use sinew_soft::SharedPoint;
use std::collections::BTreeMap;

/// A point of the skin, which stands for the skin around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinPoint {
    /// Particles of its tetrahedron, with their shares.
    pub place: SharedPoint,
    /// Outwards at rest, unit.
    pub normal: Vec3,
    /// The part of the body that it is of: points of one part do not touch each other.
    pub part: u32,
}

/// Points are about this many spacings of the tetrahedra apart: nearer ones would move the same particles.
const APART_SPACINGS: f32 = 0.6;

/// Chooses points of a skin at even distances: one vertex of each cell of a grid, the one nearest to its middle. Parts are bones.
///
/// Also tells how far points are apart, metres. Vertices that no tetrahedron carries, and those without a normal, are left out.
pub fn choose_skin_points(surface: &TriangleMesh, cover: &Cover, anatomy: &Anatomy) -> (Vec<SkinPoint>, f32) {
    let apart_m = APART_SPACINGS * cover.spacing;
    let normals = smooth_normals(&surface.positions, &surface.triangles);
    let mut is_skin = vec![false; surface.positions.len()];
    surface.triangles.iter().flatten().for_each(|&vertex| is_skin[vertex as usize] = true);
    cover.embedding.loose().iter().for_each(|&vertex| is_skin[vertex as usize] = false);
    let part_of = |vertex: usize| {
        let corners = cover.embedding.corners()[vertex].into_iter().zip(cover.embedding.weights()[vertex]);
        let nearest = corners.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(corner, _)| corner);
        anatomy.bone[nearest as usize].index() as u32
    };
    // Parts in touch may share a cell.
    let mut chosen: BTreeMap<(u32, [i32; 3]), (f32, usize)> = BTreeMap::new();
    for (vertex, position) in surface.positions.iter().enumerate().filter(|(vertex, _)| is_skin[*vertex]) {
        if normals[vertex].length_squared() < 0.5 {
            continue;
        }
        let cell = (*position / apart_m).floor();
        let from_middle = (*position / apart_m - cell).distance(Vec3::splat(0.5));
        let key = (part_of(vertex), cell.as_ivec3().to_array());
        let entry = chosen.entry(key).or_insert((from_middle, vertex));
        if from_middle < entry.0 {
            *entry = (from_middle, vertex);
        }
    }
    let of_vertex = |((part, _), (_, vertex)): ((u32, [i32; 3]), (f32, usize))| {
        let (corners, shares) = (cover.embedding.corners()[vertex], cover.embedding.weights()[vertex]);
        SkinPoint {
            place: std::array::from_fn(|at| (corners[at], shares[at])),
            normal: normals[vertex],
            part,
        }
    };
    (chosen.into_iter().map(of_vertex).collect(), apart_m)
}
