//! Fast evaluation of a posed body's vertices: the places of a mesh sorted by patch, on tabulated grids.

use crate::Body;
use crate::body::BodyMesh;
use crate::tessellation::Tessellation;
use glam::Vec3;

/// Writes positions and normals of a mesh made for a body with the same patches.
///
/// The plain twin is [`Body::evaluate_into`].
#[derive(Clone, Debug)]
pub struct MeshEvaluator {
    grids: Vec<Tessellation>,
    patches: Vec<PatchVertices>,
    /// Index on the grid and vertex, patch after patch.
    scatter: Vec<(u32, u32)>,
    vertex_count: usize,
    /// Vertices of the largest grid.
    grid_len: usize,
}

#[derive(Clone, Copy, Debug)]
struct PatchVertices {
    patch: u32,
    grid: u32,
    /// End of its part of `scatter`.
    end: u32,
}

/// Workspace for one patch; one per thread.
#[derive(Clone, Debug)]
pub struct EvaluatorRoom {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl MeshEvaluator {
    /// Sorts the places of a mesh.
    pub fn new(mesh: &BodyMesh) -> Self {
        let mut order: Vec<u32> = (0..mesh.places.len() as u32).collect();
        order.sort_by_key(|&vertex| mesh.places[vertex as usize].patch);
        let mut made = MeshEvaluator {
            grids: Vec::new(),
            patches: Vec::new(),
            scatter: Vec::new(),
            vertex_count: mesh.places.len(),
            grid_len: 0,
        };
        let mut known: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for vertices in
            order.chunk_by(|&a, &b| mesh.places[a as usize].patch == mesh.places[b as usize].patch)
        {
            let place = |vertex: u32| &mesh.places[vertex as usize];
            let us = distinct(vertices.iter().map(|&vertex| place(vertex).u));
            let ws = distinct(vertices.iter().map(|&vertex| place(vertex).w));
            let index = |list: &[f64], value: f64| list.partition_point(|&found| found < value);
            for &vertex in vertices {
                let (i, j) = (index(&us, place(vertex).u), index(&ws, place(vertex).w));
                made.scatter.push(((i * ws.len() + j) as u32, vertex));
            }
            made.grid_len = made.grid_len.max(us.len() * ws.len());
            let grid =
                known.iter().position(|found| *found == (us.clone(), ws.clone())).unwrap_or_else(|| {
                    made.grids.push(Tessellation::at(us.clone(), ws.clone()));
                    known.push((us, ws));
                    known.len() - 1
                });
            let patch = place(vertices[0]).patch;
            made.patches.push(PatchVertices { patch, grid: grid as u32, end: made.scatter.len() as u32 });
        }
        made
    }

    /// Number of written vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Workspace for one thread.
    pub fn room(&self) -> EvaluatorRoom {
        EvaluatorRoom { positions: vec![Vec3::ZERO; self.grid_len], normals: vec![Vec3::ZERO; self.grid_len] }
    }

    /// Positions and unit normals of all vertices, model space, m; no normals if the list is empty. Does not allocate.
    ///
    /// # Panics
    /// If there are fewer positions than [`MeshEvaluator::vertex_count`], or the body is another.
    pub fn evaluate_into(
        &self,
        body: &Body,
        room: &mut EvaluatorRoom,
        positions: &mut [Vec3],
        normals: &mut [Vec3],
    ) {
        let mut start = 0;
        for patch in &self.patches {
            let surface = &body.patches[patch.patch as usize].patch;
            self.grids[patch.grid as usize].evaluate_into(surface, &mut room.positions, &mut room.normals);
            for &(place, vertex) in &self.scatter[start..patch.end as usize] {
                positions[vertex as usize] = room.positions[place as usize];
                if let Some(normal) = normals.get_mut(vertex as usize) {
                    *normal = room.normals[place as usize];
                }
            }
            start = patch.end as usize;
        }
    }
}

/// Sorted unique values; at least two.
fn distinct(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut list: Vec<f64> = values.collect();
    list.sort_by(f64::total_cmp);
    list.dedup();
    for end in [0.0, 1.0] {
        if list.len() < 2 && !list.contains(&end) {
            list.push(end);
        }
    }
    list.sort_by(f64::total_cmp);
    list
}
