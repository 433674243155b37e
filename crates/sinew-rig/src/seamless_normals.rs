//! Smooth normals without visible seams.

use crate::{BoundInstance, BoundSurface, Character, Mesh};
use glam::Vec3;
use std::ops::Range;

/// Computes smooth normals of moving meshes. Vertices at one place share a normal if they do at rest: seams of materials and texture
/// coordinates stay invisible, and sharp edges stay sharp.
#[derive(Clone, Debug, PartialEq)]
pub struct SeamlessNormals {
    /// Range of each mesh's vertices.
    meshes: Vec<(Range<usize>, Weld)>,
}

impl SeamlessNormals {
    /// For meshes with consecutive vertices.
    pub fn of_meshes<'a>(meshes: impl IntoIterator<Item = &'a Mesh>) -> Self {
        let mut end = 0;
        let of_mesh = |mesh: &'a Mesh| {
            let start = end;
            end += mesh.vertex_count();
            (start..end, Weld::of(mesh))
        };
        Self { meshes: meshes.into_iter().map(of_mesh).collect() }
    }

    /// For a character's meshes, in the order of its surface.
    pub fn of_character(character: &Character, bound: &BoundSurface) -> Self {
        let instances = bound.instances().iter();
        let of_instance =
            |placed: &BoundInstance| (placed.vertices.clone(), Weld::of(character.mesh_of(placed.instance)));
        Self { meshes: instances.map(of_instance).collect() }
    }

    /// The normals of all vertices at these positions.
    ///
    /// # Panics
    /// If there are fewer positions than vertices.
    pub fn at(&self, places: &[Vec3]) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; places.len()];
        for (range, weld) in &self.meshes {
            weld.normals_into(&places[range.clone()], &mut normals[range.clone()]);
        }
        normals
    }
}

/// Vertices of a mesh with the same position and normal.
#[derive(Clone, Debug, PartialEq)]
struct Weld {
    triangles: Vec<[u32; 3]>,
    first_of: Vec<u32>,
}

impl Weld {
    fn of(mesh: &Mesh) -> Self {
        /// Normals within about 8° are equal; a sharp edge has a larger angle.
        const SAME: f32 = 0.99;
        let mut order: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
        let key = |vertex: u32| mesh.positions[vertex as usize].to_array().map(f32::to_bits);
        order.sort_by_key(|&vertex| (key(vertex), vertex));
        let mut first_of: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
        for place in order.chunk_by(|&a, &b| key(a) == key(b)) {
            for (at, &vertex) in place.iter().enumerate() {
                let is_same = |&&other: &&u32| match mesh.normals[..] {
                    [] => true,
                    ref normals => normals[vertex as usize].dot(normals[other as usize]) > SAME,
                };
                if let Some(&other) = place[..at].iter().find(is_same) {
                    first_of[vertex as usize] = first_of[other as usize];
                }
            }
        }
        let triangles =
            mesh.triangles.iter().map(|corners| corners.map(|corner| first_of[corner as usize])).collect();
        Self { triangles, first_of }
    }

    fn normals_into(&self, places: &[Vec3], normals: &mut [Vec3]) {
        let welded = sinew_geometry::smooth_normals(places, &self.triangles);
        normals.iter_mut().zip(&self.first_of).for_each(|(normal, &first)| *normal = welded[first as usize]);
    }
}
