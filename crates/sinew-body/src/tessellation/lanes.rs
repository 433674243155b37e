//! Sums over control points for several vertices at once. Plain arrays of four: compilers keep each in one register.

use crate::Patch;
use crate::patch::CORNERS;
use glam::{DVec3, Vec3};

/// Vertices computed at once.
pub(super) const LANES: usize = 4;

/// One number for each vertex.
type Lanes = [f32; LANES];

/// Values and slopes of the five polynomials at each vertex's w.
#[derive(Clone, Debug)]
pub(super) struct LaneWeights {
    pub(super) values: [Lanes; 5],
    pub(super) slopes: [Lanes; 5],
}

/// For each split corner: weight of its second version and the weight's derivatives by u and w.
#[derive(Clone, Debug)]
pub(super) struct CornerWeights(pub(super) [[Lanes; 3]; 4]);

/// Cross products shorter than this share of the patch's size squared may be rounding: relative to the first corner f32 leaves 1e-7 of the
/// size in a derivative.
const FLAT: f64 = 1e-4;

/// A patch's control points in f32, relative to its first corner: no digits are lost far from the origin.
pub(super) struct LocalNet {
    origin: DVec3,
    /// For each i the five points of the row: x of all, y of all, z of all, one unused.
    rows: [[f32; 16]; 5],
    pub(super) spreads: Option<[[f32; 3]; 4]>,
    pub(super) flat_below: f32,
}

impl LocalNet {
    #[inline]
    pub(super) fn new(patch: &Patch) -> Self {
        let origin = patch.net[0][0];
        let mut rows = [[0.0; 16]; 5];
        for (row, points) in rows.iter_mut().zip(&patch.net) {
            for (j, &point) in points.iter().enumerate() {
                set(row, j, point - origin);
            }
        }
        let spreads = patch.corners.map(|corners| {
            for (corner, &(i, j)) in CORNERS.iter().enumerate() {
                set(&mut rows[i], j, corners.cross_u[corner] - origin);
            }
            std::array::from_fn(|corner| {
                (corners.cross_w[corner] - corners.cross_u[corner]).as_vec3().to_array()
            })
        });
        let size = patch.size();
        LocalNet { origin, rows, spreads, flat_below: (FLAT * size * size) as f32 }
    }
}

#[inline]
fn set(row: &mut [f32; 16], j: usize, point: DVec3) {
    (row[j], row[5 + j], row[10 + j]) = (point.x as f32, point.y as f32, point.z as f32);
}

/// A patch summed along u at one u: five points and their derivatives by u, in the layout of [`LocalNet`].
pub(super) struct RowSums {
    points: [f32; 16],
    slopes: [f32; 16],
}

impl RowSums {
    #[inline]
    pub(super) fn new(net: &LocalNet, [values, slopes]: &[[f32; 5]; 2]) -> Self {
        let mut sums = RowSums { points: [0.0; 16], slopes: [0.0; 16] };
        for i in 0..5 {
            for k in 0..16 {
                sums.points[k] += values[i] * net.rows[i][k];
                sums.slopes[k] += slopes[i] * net.rows[i][k];
            }
        }
        sums
    }

    /// Summed along w for one block of vertices.
    #[inline]
    pub(super) fn vertices(&self, weights: &LaneWeights) -> Vertices {
        let mut vertices =
            Vertices { position: [[0.0; LANES]; 3], du: [[0.0; LANES]; 3], dw: [[0.0; LANES]; 3] };
        for axis in 0..3 {
            for j in 0..5 {
                let (point, slope) = (self.points[5 * axis + j], self.slopes[5 * axis + j]);
                for lane in 0..LANES {
                    vertices.position[axis][lane] += weights.values[j][lane] * point;
                    vertices.du[axis][lane] += weights.values[j][lane] * slope;
                    vertices.dw[axis][lane] += weights.slopes[j][lane] * point;
                }
            }
        }
        vertices
    }
}

/// Positions and derivatives of a block of vertices.
pub(super) struct Vertices {
    position: [Lanes; 3],
    du: [Lanes; 3],
    dw: [Lanes; 3],
}

impl Vertices {
    /// Adds the effect of split corners: weight times the difference of both versions.
    #[inline]
    pub(super) fn add_corners(&mut self, spreads: &[[f32; 3]; 4], weights: &CornerWeights) {
        for (spread, [value, by_u, by_w]) in spreads.iter().zip(&weights.0) {
            for (axis, &along) in spread.iter().enumerate() {
                for lane in 0..LANES {
                    self.position[axis][lane] += value[lane] * along;
                    self.du[axis][lane] += by_u[lane] * along;
                    self.dw[axis][lane] += by_w[lane] * along;
                }
            }
        }
    }

    /// Writes positions and unit normals; returns whether some normal is too short to be reliable.
    #[inline]
    pub(super) fn write(&self, net: &LocalNet, positions: &mut [Vec3], normals: &mut [Vec3]) -> bool {
        let (a, b) = (&self.du, &self.dw);
        let mut normal = [[0.0f32; LANES]; 3];
        let mut shortest = f32::INFINITY;
        for lane in 0..LANES {
            let x = a[1][lane] * b[2][lane] - a[2][lane] * b[1][lane];
            let y = a[2][lane] * b[0][lane] - a[0][lane] * b[2][lane];
            let z = a[0][lane] * b[1][lane] - a[1][lane] * b[0][lane];
            let length = (x * x + y * y + z * z).sqrt();
            let scale = 1.0 / length;
            (normal[0][lane], normal[1][lane], normal[2][lane]) = (x * scale, y * scale, z * scale);
            shortest = shortest.min(length);
        }
        let origin = net.origin;
        for (lane, (position, out)) in positions.iter_mut().zip(normals).enumerate() {
            // Added in f64: the patch's own digits are not lost before the last rounding.
            *position = Vec3::new(
                (origin.x + f64::from(self.position[0][lane])) as f32,
                (origin.y + f64::from(self.position[1][lane])) as f32,
                (origin.z + f64::from(self.position[2][lane])) as f32,
            );
            *out = Vec3::new(normal[0][lane], normal[1][lane], normal[2][lane]);
        }
        shortest <= net.flat_below
    }
}
