//! Fast evaluation of many vertices of many patches.
//!
//! The weights of all places of a grid are tabulated once. A patch is then summed along u for each row of the grid, five points with
//! derivatives, and along w for four vertices at a time, in f32 relative to the patch's first corner, in loops that compilers vectorize. The
//! plain twin is [`Patch::jet`] and [`Patch::normal`].

mod lanes;
mod tables;

pub use tables::Tessellation;

use crate::Patch;
use glam::Vec3;
use lanes::{LocalNet, RowSums};

impl Tessellation {
    /// Positions and outward unit normals of a patch at all places of the grid, model space, m; vertex (i, j) at [`Tessellation::index`]. Does
    /// not allocate.
    ///
    /// # Panics
    /// If a buffer is shorter than [`Tessellation::vertex_count`].
    ///
    /// # Accuracy
    /// Positions to 1e-6 of the patch's size and the rounding of f32; normals to 1e-4 where the patch is not degenerate, else as exact as
    /// [`Patch::normal`].
    pub fn evaluate_into(&self, patch: &Patch, positions: &mut [Vec3], normals: &mut [Vec3]) {
        let row_len = self.row_len();
        let positions = &mut positions[..self.vertex_count()];
        let normals = &mut normals[..self.vertex_count()];
        let net = LocalNet::new(patch);
        let rows = positions.chunks_exact_mut(row_len).zip(normals.chunks_exact_mut(row_len));
        for (row, (positions, normals)) in rows.enumerate() {
            let sums = RowSums::new(&net, &self.along_u[row]);
            for (block, weights) in self.blocks.iter().enumerate() {
                let mut vertices = sums.vertices(weights);
                if let Some(spreads) = &net.spreads {
                    vertices.add_corners(spreads, &self.corner_blocks[row * self.blocks.len() + block]);
                }
                let start = block * lanes::LANES;
                let end = (start + lanes::LANES).min(row_len);
                let flat = vertices.write(&net, &mut positions[start..end], &mut normals[start..end]);
                if flat {
                    self.repair(patch, &net, row, start, &mut normals[start..end]);
                }
            }
        }
    }

    /// Recomputes unreliable normals of f32 exactly.
    #[cold]
    fn repair(&self, patch: &Patch, net: &LocalNet, row: usize, start: usize, normals: &mut [Vec3]) {
        for (lane, normal) in normals.iter_mut().enumerate() {
            let (u, w) = self.parameters(row, start + lane);
            let jet = patch.jet(u, w);
            if jet.du.cross(jet.dw).length() <= f64::from(net.flat_below) * 2.0 {
                *normal = patch.normal(u, w).as_vec3();
            }
        }
    }
}

#[cfg(test)]
mod tests;
