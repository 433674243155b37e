//! From where particles are to where each region wants them.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `A_r` | `f` | linear map of the region, by one outer product a member: Σ x bᵀ with b = m̃ (Σ m̃ q qᵀ)⁻¹ q |
//! | `c_r` | `center` | Σ w x with w = m̃ / Σ m̃ |
//! | `R_r` | `rotation` | of `A_r` |
//! | `S̃_r` | `target` | the stretch that is wanted |
//! | `g` | `affine` | R S̃ (x⁰ − c⁰) + c, as a matrix of four columns |
//!
//! After \[Koyama13\] section 3 and 4.2. Departure: R is the rotation nearest to `A_r (Σ m̃ q qᵀ) S̃`, not to `A_r` itself. It is the one
//! that minimises Σ m̃ ‖p − R S̃ q‖², so that no region exerts a torque on itself and angular momentum is kept; where `A_r` is a
//! rotation times the wanted stretch both are the same.

use super::polar::{MOST_DEFECT, nearest_rotations, robust_rotation, times_symmetric, transposed_product};
use crate::regions::RegionTables;
use glam::Vec4;
use sinew_geometry::simd::lane_math::{Rows, dot};
use sinew_geometry::simd::{BLOCK_LANES, Kernel, Lanes, Simd};

/// What the pass needs of the examples: for each block the differences to rest of all examples, and the weights.
pub(crate) struct ExampleBlocks<'a> {
    /// How many examples there are.
    pub(crate) count: usize,
    /// Per block and example: S^k − I by xx, yy, zz, xy, xz, yz.
    pub(crate) differences: &'a [[Lanes; 6]],
    /// Weights by which stretches are wanted: per example the same in all regions, or per block and example.
    pub(crate) weights: ExampleWeights<'a>,
    /// Per block and example: ⟨S − I, S^k − I⟩ in the metric of matrices, for the projection.
    pub(crate) products: &'a mut [Lanes],
}

/// By which weights stretches are blended.
#[derive(Clone, Copy)]
pub(crate) enum ExampleWeights<'a> {
    /// One a example.
    Same(&'a [f32]),
    /// One a block, example and lane.
    Each(&'a [Lanes]),
}

/// Some consecutive blocks of regions.
pub(crate) struct RegionPass<'a> {
    pub(crate) tables: &'a RegionTables,
    /// The first block.
    pub(crate) first: usize,
    pub(crate) positions: &'a [Vec4],
    /// Rotations by rows, of the last time and then of this.
    pub(crate) rotations: &'a mut [[Lanes; 9]],
    /// Per region: stiffness times the goal's matrix, by columns, with the stiffness in the last lane.
    pub(crate) affines: &'a mut [[Lanes; BLOCK_LANES]],
    pub(crate) examples: Option<ExampleBlocks<'a>>,
}

impl Kernel for RegionPass<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for at in 0..self.affines.len() {
            let block = self.first + at;
            let mut sums = self.sums(simd, block);
            simd.transpose(&mut sums);
            let mut affines = [Lanes::ZERO; BLOCK_LANES];
            for part in 0..BLOCK_LANES / S::WIDTH {
                self.part(simd, at, part, &sums, &mut affines);
            }
            simd.transpose(&mut affines);
            self.affines[at] = affines;
        }
    }
}

/// x
pub(crate) const BOUND_SHARE: f32 = 0.1;

/// Sums of a region that is not there, in a block that is not full.
const NO_REGION: Lanes =
    Lanes([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);

impl RegionPass<'_> {
    /// Linear map and centre of each region of a block, by columns.
    #[inline(always)]
    fn sums<S: Simd>(&self, simd: S, block: usize) -> [Lanes; BLOCK_LANES] {
        let mut rows = [NO_REGION; BLOCK_LANES];
        for (lane, row) in rows.iter_mut().enumerate() {
            let Some((members, pairs)) = self.tables.members(BLOCK_LANES * block + lane) else { break };
            let term = |member: u32, pair: &[f32; 4], sum: S::Wide| {
                simd.add_outer(self.positions[member as usize].as_ref(), pair, sum)
            };
            // Four sums at a time, because an addition takes four clocks.
            let mut sum = [simd.wide_splat(0.0); 4];
            let (fours, rest) = members.as_chunks::<4>();
            let (pair_fours, pair_rest) = pairs.as_chunks::<4>();
            for (members, pairs) in fours.iter().zip(pair_fours) {
                for k in 0..4 {
                    sum[k] = term(members[k], &pairs[k], sum[k]);
                }
            }
            for (k, (&member, pair)) in rest.iter().zip(pair_rest).enumerate() {
                sum[k] = term(member, pair, sum[k]);
            }
            let all = simd.wide_add(simd.wide_add(sum[0], sum[1]), simd.wide_add(sum[2], sum[3]));
            simd.wide_store(row, all);
        }
        rows
    }

    #[inline(always)]
    fn part<S: Simd>(
        &mut self,
        simd: S,
        at: usize,
        part: usize,
        sums: &[Lanes; 16],
        affines: &mut [Lanes; 16],
    ) {
        let block = self.first + at;
        let f: Rows<S::V> =
            std::array::from_fn(|row| std::array::from_fn(|column| simd.load(&sums[4 * column + row], part)));
        let center = [simd.load(&sums[12], part), simd.load(&sums[13], part), simd.load(&sums[14], part)];
        let target = self.examples.as_ref().map(|examples| target(simd, examples, at, block, part));
        let map = match &target {
            Some(target) => f.map(|row| times_symmetric(simd, row, target)),
            None => f,
        };
        let rotation = self.rotation(simd, at, part, &map);
        if let Some(examples) = &mut self.examples {
            let stretch = transposed_product(simd, &rotation, &f);
            write_products(simd, examples, at, block, part, &stretch);
        }
        let wanted = match &target {
            Some(target) => rotation.map(|row| times_symmetric(simd, row, target)),
            None => rotation,
        };
        let evens = &self.tables.evens[block];
        let even: [S::V; 6] = std::array::from_fn(|entry| simd.load(&evens[entry], part));
        let rest = &self.tables.centers[block];
        let rest_center = [simd.load(&rest[0], part), simd.load(&rest[1], part), simd.load(&rest[2], part)];
        let stiffness = simd.load(&self.tables.stiffness[block], part);
        let bound = simd.splat(BOUND_SHARE);
        for row in 0..3 {
            let strain: [S::V; 3] = std::array::from_fn(|column| simd.sub(wanted[row][column], f[row][column]));
            let answer = times_symmetric(simd, strain, &even);
            let linear: [S::V; 3] = std::array::from_fn(|column| simd.mul_add(bound, f[row][column], answer[column]));
            for (column, &entry) in linear.iter().enumerate() {
                simd.store(&mut affines[4 * column + row], part, simd.mul(stiffness, entry));
            }
            let shift = simd.mul_sub(bound, center[row], dot(simd, linear, rest_center));
            simd.store(&mut affines[12 + row], part, simd.mul(stiffness, shift));
        }
        simd.store(&mut affines[15], part, stiffness);
    }

    #[inline(always)]
    fn rotation<S: Simd>(&mut self, simd: S, at: usize, part: usize, map: &Rows<S::V>) -> Rows<S::V> {
        let found = nearest_rotations(simd, map);
        let kept = &mut self.rotations[at];
        let is_good = simd.all_less(found.defect, simd.splat(MOST_DEFECT));
        if is_good {
            for (entry, lanes) in kept.iter_mut().enumerate() {
                simd.store(lanes, part, found.rows[entry / 3][entry % 3]);
            }
            return found.rows;
        }
        let mut defect = Lanes::ZERO;
        simd.store(&mut defect, part, found.defect);
        let (mut maps, mut rotations) = ([Lanes::ZERO; 9], [Lanes::ZERO; 9]);
        for entry in 0..9 {
            simd.store(&mut maps[entry], part, map[entry / 3][entry % 3]);
            simd.store(&mut rotations[entry], part, found.rows[entry / 3][entry % 3]);
        }
        let lanes = part * S::WIDTH..(part + 1) * S::WIDTH;
        mend_lanes(lanes, &defect, &maps, &mut rotations, kept);
        for (lanes, rotation) in kept.iter_mut().zip(&rotations) {
            simd.store(lanes, part, simd.load(rotation, part));
        }
        std::array::from_fn(|row| std::array::from_fn(|column| simd.load(&rotations[3 * row + column], part)))
    }
}

/// Solves the lanes on which the closed form failed.
#[cold]
#[inline(never)]
fn mend_lanes(
    lanes: std::ops::Range<usize>,
    defect: &Lanes,
    maps: &[Lanes; 9],
    rotations: &mut [Lanes; 9],
    former: &[Lanes; 9],
) {
    for lane in lanes {
        if defect.0[lane] < MOST_DEFECT {
            continue;
        }
        let rows = |from: &[Lanes; 9]| {
            std::array::from_fn(|row| std::array::from_fn(|column| from[3 * row + column].0[lane]))
        };
        let mended = robust_rotation(rows(maps), rows(former));
        for (entry, lanes) in rotations.iter_mut().enumerate() {
            lanes.0[lane] = mended[entry / 3][entry % 3];
        }
    }
}

/// S̃ = I + Σ w (S^k − I).
#[inline(always)]
fn target<S: Simd>(simd: S, examples: &ExampleBlocks<'_>, at: usize, block: usize, part: usize) -> [S::V; 6] {
    let (one, zero) = (simd.splat(1.0), simd.splat(0.0));
    let mut target = [one, one, one, zero, zero, zero];
    for example in 0..examples.count {
        let weight = match examples.weights {
            ExampleWeights::Same(weights) => simd.splat(weights[example]),
            ExampleWeights::Each(weights) => simd.load(&weights[at * examples.count + example], part),
        };
        let difference = &examples.differences[block * examples.count + example];
        for (entry, difference) in target.iter_mut().zip(difference) {
            *entry = simd.mul_add(weight, simd.load(difference, part), *entry);
        }
    }
    target
}

/// ⟨S − I, S^k − I⟩, with entries off the diagonal twice: they stand for two of the matrix.
#[inline(always)]
fn write_products<S: Simd>(
    simd: S,
    examples: &mut ExampleBlocks<'_>,
    at: usize,
    block: usize,
    part: usize,
    stretch: &[S::V; 6],
) {
    let (one, two) = (simd.splat(1.0), simd.splat(2.0));
    let strain = [
        simd.sub(stretch[0], one),
        simd.sub(stretch[1], one),
        simd.sub(stretch[2], one),
        simd.mul(two, stretch[3]),
        simd.mul(two, stretch[4]),
        simd.mul(two, stretch[5]),
    ];
    for example in 0..examples.count {
        let difference = &examples.differences[block * examples.count + example];
        let mut sum = simd.mul(strain[0], simd.load(&difference[0], part));
        for entry in 1..6 {
            sum = simd.mul_add(strain[entry], simd.load(&difference[entry], part), sum);
        }
        simd.store(&mut examples.products[at * examples.count + example], part, sum);
    }
}
