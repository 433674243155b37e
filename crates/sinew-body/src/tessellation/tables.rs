//! The tabulated weights of a grid.

use super::lanes::{CornerWeights, LANES, LaneWeights};
use crate::bernstein;
use crate::patch::{CORNERS, corner_weight};

/// A grid of places on a patch, with all weights tabulated.
#[derive(Clone, Debug)]
pub struct Tessellation {
    us: Vec<f64>,
    ws: Vec<f64>,
    /// Values and slopes of the five polynomials at each u.
    pub(super) along_u: Vec<[[f32; 5]; 2]>,
    /// The same at each w, for several neighbors at once. The last block repeats its last w.
    pub(super) blocks: Vec<LaneWeights>,
    /// Weights of split corners, one for each u and block.
    pub(super) corner_blocks: Vec<CornerWeights>,
}

impl Tessellation {
    /// A grid of equal steps.
    ///
    /// # Panics
    /// If there is no step along u or w.
    pub fn new(u_segments: usize, w_segments: usize) -> Self {
        assert!(u_segments > 0 && w_segments > 0, "a grid has a step each way");
        let steps = |count: usize| (0..=count).map(|k| k as f64 / count as f64).collect();
        Self::at(steps(u_segments), steps(w_segments))
    }

    /// A grid of given parameters, each in 0…1 and ascending.
    ///
    /// # Panics
    /// If there are fewer than two each way.
    pub fn at(us: Vec<f64>, ws: Vec<f64>) -> Self {
        assert!(us.len() > 1 && ws.len() > 1, "a grid has a step each way");
        let as_f32 = |weights: [f64; 5]| weights.map(|weight| weight as f32);
        let along_u = us
            .iter()
            .map(|&u| [as_f32(bernstein::quartic(u)), as_f32(bernstein::quartic_slope(u))])
            .collect();
        let block_ws: Vec<[f64; LANES]> = (0..ws.len())
            .step_by(LANES)
            .map(|start| std::array::from_fn(|lane| ws[(start + lane).min(ws.len() - 1)]))
            .collect();
        let blocks = block_ws.iter().map(lane_weights).collect();
        let corner_blocks =
            us.iter().flat_map(|&u| block_ws.iter().map(move |ws| corner_weights(u, ws))).collect();
        Tessellation { us, ws, along_u, blocks, corner_blocks }
    }

    /// Vertices of a patch.
    pub fn vertex_count(&self) -> usize {
        self.us.len() * self.ws.len()
    }

    /// Vertices along w: those of one u lie together.
    pub fn row_len(&self) -> usize {
        self.ws.len()
    }

    /// Rows along u.
    pub fn row_count(&self) -> usize {
        self.us.len()
    }

    /// Index in the buffers of vertex `i` along u and `j` along w.
    pub fn index(&self, i: usize, j: usize) -> usize {
        i * self.ws.len() + j
    }

    /// (u, w) of a vertex.
    pub fn parameters(&self, i: usize, j: usize) -> (f64, f64) {
        (self.us[i], self.ws[j])
    }

    /// Triangles of the grid, counter-clockwise from the patch's outside.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let corner = |i: usize, j: usize| self.index(i, j) as u32;
        let mut triangles = Vec::with_capacity(2 * (self.us.len() - 1) * (self.ws.len() - 1));
        for i in 0..self.us.len() - 1 {
            for j in 0..self.ws.len() - 1 {
                let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        triangles
    }
}

fn lane_weights(ws: &[f64; LANES]) -> LaneWeights {
    LaneWeights {
        values: std::array::from_fn(|j| ws.map(|w| bernstein::quartic(w)[j] as f32)),
        slopes: std::array::from_fn(|j| ws.map(|w| bernstein::quartic_slope(w)[j] as f32)),
    }
}

fn corner_weights(u: f64, ws: &[f64; LANES]) -> CornerWeights {
    CornerWeights(CORNERS.map(|(i, j)| {
        let weights = ws.map(|w| corner_weight(i, j, u, w));
        [weights.map(|w| w.0 as f32), weights.map(|w| w.1 as f32), weights.map(|w| w.2 as f32)]
    }))
}
