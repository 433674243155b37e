//! The thin-plate energy of a fit beside that of its target mesh smoothed once.

use glam::DVec3;
use sinew_body::fit::{FitError, PairedFit};

/// One operator for both: the mesh's Laplacian by cotangents, on the places of the smoothed mesh's vertices.
pub(crate) struct ThinPlate {
    triangles: Vec<[u32; 3]>,
    /// Neighbors of each vertex.
    neighbors: Vec<Vec<u32>>,
    /// Vertices where energy is counted: judged, with all their neighbors.
    counted: Vec<bool>,
}

impl ThinPlate {
    pub(crate) fn new(triangles: &[[u32; 3]], is_judged: &[bool], paired: &[usize]) -> Self {
        let mut is_paired = vec![false; is_judged.len()];
        paired.iter().for_each(|&vertex| is_paired[vertex] = true);
        let mut neighbors: Vec<Vec<u32>> = vec![Vec::new(); is_judged.len()];
        for triangle in triangles {
            for k in 0..3 {
                for other in [triangle[(k + 1) % 3], triangle[(k + 2) % 3]] {
                    let list = &mut neighbors[triangle[k] as usize];
                    if !list.contains(&other) {
                        list.push(other);
                    }
                }
            }
        }
        let is_whole = |vertex: usize| is_judged[vertex] && is_paired[vertex];
        let counts = |vertex: usize| {
            is_whole(vertex) && neighbors[vertex].iter().all(|&other| is_whole(other as usize))
        };
        let counted = (0..is_judged.len()).map(counts).collect();
        ThinPlate { triangles: triangles.to_vec(), neighbors, counted }
    }

    /// The energies of a fitted list and of the mesh, each vertex of which went half of the way to the mean of its neighbors, at each vertex.
    pub(crate) fn by_vertex(
        &self,
        fit: &PairedFit,
        list: &[f64],
        vertices: &[DVec3],
        stature: f64,
    ) -> Result<Vec<[f64; 2]>, FitError> {
        let smoothed: Vec<DVec3> =
            self.neighbors.iter().zip(vertices).map(|(n, &at)| at.midpoint(mean(n, vertices, at))).collect();
        let places = fit.nearest(list, &smoothed, &self.normals(&smoothed), stature)?;
        let weights = self.weights(&smoothed);
        let each = |vertex: usize| [&places, &smoothed].map(|at| self.energy(at, &weights, vertex));
        Ok((0..vertices.len()).map(each).collect())
    }

    /// The normal of each vertex.
    fn normals(&self, at: &[DVec3]) -> Vec<DVec3> {
        let mut normals = vec![DVec3::ZERO; at.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|corner| at[corner as usize]);
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|&corner| normals[corner as usize] += normal);
        }
        normals.iter().map(|normal| normal.normalize_or_zero()).collect()
    }

    /// Cotangents of the edges, in the order of neighbors, and the area of each vertex.
    fn weights(&self, at: &[DVec3]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut weights: Vec<Vec<f64>> = self.neighbors.iter().map(|list| vec![0.0; list.len()]).collect();
        let mut areas = vec![0.0; at.len()];
        for triangle in &self.triangles {
            for k in 0..3 {
                let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| triangle[k] as usize);
                let (to_b, to_c) = (at[b] - at[a], at[c] - at[a]);
                let twice = to_b.cross(to_c).length().max(1e-12);
                areas[a] += twice / 6.0;
                for (from, to) in [(b, c), (c, b)] {
                    if let Some(place) = self.neighbors[from].iter().position(|&other| other as usize == to) {
                        weights[from][place] += 0.5 * to_b.dot(to_c) / twice;
                    }
                }
            }
        }
        (weights, areas)
    }

    fn energy(&self, at: &[DVec3], (weights, areas): &(Vec<Vec<f64>>, Vec<f64>), vertex: usize) -> f64 {
        if !self.counted[vertex] {
            return 0.0;
        }
        let parts = self.neighbors[vertex].iter().zip(&weights[vertex]);
        let bend: DVec3 = parts.map(|(&other, weight)| *weight * (at[other as usize] - at[vertex])).sum();
        bend.length_squared() / areas[vertex].max(1e-12)
    }
}

fn mean(neighbors: &[u32], vertices: &[DVec3], at: DVec3) -> DVec3 {
    if neighbors.is_empty() {
        return at;
    }
    neighbors.iter().map(|&other| vertices[other as usize]).sum::<DVec3>() / neighbors.len() as f64
}
