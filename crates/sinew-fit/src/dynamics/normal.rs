//! Least squares over all vertices and frames for what pulls do to helpers.
//!
//! To first order, a helper whose numbers are z = (t, l) moves a vertex by `w R (t + 2 l × r)`: w its weight, R the parent's turn, r where the vertex lies at
//! rest as seen from the helper's center. With z = M s, s the pull, that is linear in the 18 entries of M. The normal matrix of a frame depends on the vertices by sums
//! Σ w w′ (1, r)(1, r′)ᵀ alone, which are those of every frame.

use glam::{DMat3, DVec3};

use crate::controllers::Controllers;
use crate::examples::Examples;
use crate::numeric::skew;

/// Numbers of a helper that a pull moves: shift and log-quaternion. Scales stay.
pub(super) const NUMBERS: usize = 6;

/// A matrix of numbers of one helper by those of another.
pub(super) type Block = [[f64; NUMBERS]; NUMBERS];

/// Σ w w′ (1, r)(1, r′)ᵀ of two helpers over all vertices.
#[derive(Clone, Copy, Default)]
struct Moments {
    weight: f64,
    first: DVec3,
    second: DVec3,
    /// By components of r, then of r′.
    product: [[f64; 3]; 3],
}

/// Frames as least squares sees them.
pub(super) struct Normal {
    helper_count: usize,
    /// Pairs of helpers, the second not before the first, with vertices in common.
    pairs: Vec<(usize, usize, Moments)>,
    /// Turns of the helpers' parents, frame by frame.
    rotations: Vec<DMat3>,
    /// What vertices want of each helper's numbers, frame by frame.
    right: Vec<[f64; NUMBERS]>,
}

impl Normal {
    /// `left`: what the rig leaves over without swings, frame by frame. `rotations`: of each helper's parent, frame by frame.
    pub(super) fn new(
        examples: &Examples<'_>,
        weights: &[f64],
        controllers: &Controllers,
        rotations: Vec<DMat3>,
        left: &[DVec3],
    ) -> Self {
        let helper_count = controllers.helpers.len();
        let bone_count = examples.driver_count + helper_count;
        let mut sums = vec![Moments::default(); helper_count * helper_count];
        // Vertices by helper, with weight and place.
        let mut moved: Vec<Vec<(usize, f64, DVec3)>> = vec![Vec::new(); helper_count];
        for (vertex, place) in examples.rest_positions.iter().enumerate() {
            let row = &weights[vertex * bone_count + examples.driver_count..][..helper_count];
            let own: Vec<(usize, f64, DVec3)> = row
                .iter()
                .enumerate()
                .filter(|(_, weight)| **weight != 0.0)
                .map(|(helper, &weight)| {
                    (helper, weight, place.as_dvec3() - controllers.helpers[helper].frame.center)
                })
                .collect();
            for &(helper, weight, r) in &own {
                moved[helper].push((vertex, weight, r));
                for &(other, other_weight, other_r) in own.iter().filter(|(other, ..)| *other >= helper) {
                    sums[helper * helper_count + other].add(weight * other_weight, r, other_r);
                }
            }
        }
        let pairs = (0..helper_count)
            .flat_map(|a| (a..helper_count).map(move |b| (a, b)))
            .map(|(a, b)| (a, b, sums[a * helper_count + b]))
            .filter(|(_, _, moments)| moments.weight != 0.0)
            .collect();
        let vertex_count = examples.vertex_count();
        let mut right = vec![[0.0; NUMBERS]; rotations.len()];
        for (at, right) in right.iter_mut().enumerate() {
            let (frame, helper) = (at / helper_count, at % helper_count);
            let back = rotations[at].transpose();
            let (mut shift, mut turn) = (DVec3::ZERO, DVec3::ZERO);
            for &(vertex, weight, r) in &moved[helper] {
                let wanted = back * left[frame * vertex_count + vertex] * weight;
                shift += wanted;
                turn += 2.0 * r.cross(wanted);
            }
            *right = [shift.x, shift.y, shift.z, turn.x, turn.y, turn.z];
        }
        Self { helper_count, pairs, rotations, right }
    }

    pub(super) fn frame_count(&self) -> usize {
        self.rotations.len() / self.helper_count.max(1)
    }

    /// What vertices want of a helper's numbers in a frame.
    pub(super) fn right(&self, frame: usize, helper: usize) -> &[f64; NUMBERS] {
        &self.right[frame * self.helper_count + helper]
    }

    /// A helper's own block in a frame; that of its turn does not matter, and all frames have the same.
    pub(super) fn own_block(&self, helper: usize) -> Block {
        let own = self.pairs.iter().find(|(a, b, _)| *a == helper && *b == helper);
        own.map_or([[0.0; NUMBERS]; NUMBERS], |(_, _, moments)| moments.block(DMat3::IDENTITY))
    }

    /// How much each number of the helper that moves most skin counts.
    pub(super) fn heaviest(&self) -> [f64; NUMBERS] {
        let blocks: Vec<Block> = (0..self.helper_count).map(|helper| self.own_block(helper)).collect();
        std::array::from_fn(|number| blocks.iter().map(|block| block[number][number]).fold(0.0, f64::max))
    }

    /// Every pair of helpers with its block in a frame; those of the other half are the transposes.
    pub(super) fn blocks(&self, frame: usize) -> impl Iterator<Item = (usize, usize, Block)> + '_ {
        let rotations = &self.rotations[frame * self.helper_count..][..self.helper_count];
        self.pairs
            .iter()
            .map(move |(a, b, moments)| (*a, *b, moments.block(rotations[*a].transpose() * rotations[*b])))
    }
}

impl Moments {
    fn add(&mut self, weight: f64, r: DVec3, other: DVec3) {
        self.weight += weight;
        self.first += weight * r;
        self.second += weight * other;
        for (row, x) in self.product.iter_mut().zip(r.to_array()) {
            row.iter_mut().zip(other.to_array()).for_each(|(sum, y)| *sum += weight * x * y);
        }
    }

    /// `[1, 2[r]×]ᵀ S [1, −2[r′]×]` summed, with S the turn from the second helper's axes to the first's; `[a]× b = a × b`.
    fn block(&self, turn: DMat3) -> Block {
        let mut block = [[0.0; NUMBERS]; NUMBERS];
        let mut put = |row: usize, column: usize, part: DMat3| {
            for i in 0..3 {
                for j in 0..3 {
                    block[row + i][column + j] = part.col(j)[i];
                }
            }
        };
        put(0, 0, turn * self.weight);
        put(0, 3, turn * skew(self.second) * -2.0);
        put(3, 0, skew(self.first) * turn * 2.0);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(skew);
        let mut turns = DMat3::ZERO;
        for (row, a) in self.product.iter().zip(&axes) {
            for (&sum, b) in row.iter().zip(&axes) {
                turns += *a * turn * *b * sum;
            }
        }
        put(3, 3, turns * -4.0);
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DriverInput;
    use crate::controllers::{HelperController, HelperFrame};
    use glam::{DAffine3, Vec3};

    #[test]
    fn blocks_and_right_sides_are_those_of_single_vertices() {
        let rest: Vec<Vec3> = (0..7).map(|i| Vec3::new(i as f32 * 0.3, (i as f32).sin(), 0.2)).collect();
        let weights: Vec<f64> =
            (0..7).flat_map(|i| [0.5, 0.1 * f64::from(i), 0.5 - 0.1 * f64::from(i).min(5.0)]).collect();
        let helper = |x: f64| HelperController {
            frame: HelperFrame { parent: 0, center: DVec3::new(x, 0.4, -0.1) },
            coefficients: Vec::new(),
        };
        let controllers = Controllers {
            inputs: vec![DriverInput::None],
            basis: sinew_rig::ControllerBasis::default(),
            helpers: vec![helper(0.2), helper(1.1)],
        };
        let examples = Examples {
            rest_positions: &rest,
            triangles: &[],
            driver_count: 1,
            driver_posed_from_rest: &[DAffine3::IDENTITY],
            target_positions: &rest,
        };
        let rotations = vec![DMat3::from_rotation_x(0.7), DMat3::from_rotation_z(-1.1)];
        let left: Vec<DVec3> = rest.iter().map(|place| place.as_dvec3().cross(DVec3::ONE)).collect();
        let normal = Normal::new(&examples, &weights, &controllers, rotations.clone(), &left);
        // What number n of a helper does to a vertex.
        let slope = |helper: usize, vertex: usize, number: usize| {
            let axis = DVec3::AXES[number % 3];
            let r = rest[vertex].as_dvec3() - controllers.helpers[helper].frame.center;
            let way = if number < 3 { axis } else { 2.0 * axis.cross(r) };
            rotations[helper] * way * weights[3 * vertex + 1 + helper]
        };
        for (a, b, block) in normal.blocks(0) {
            for (i, row) in block.iter().enumerate() {
                for (j, found) in row.iter().enumerate() {
                    let sum: f64 = (0..7).map(|v| slope(a, v, i).dot(slope(b, v, j))).sum();
                    assert!((sum - found).abs() < 1e-9, "{a} {b} {i} {j}: {sum} {found}");
                }
            }
        }
        for helper in 0..2 {
            for (number, found) in normal.right(0, helper).iter().enumerate() {
                let sum: f64 = (0..7).map(|v| slope(helper, v, number).dot(left[v])).sum();
                assert!((sum - found).abs() < 1e-9, "{helper} {number}");
            }
        }
    }
}
