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
//! that minimizes Σ m̃ ‖p − R S̃ q‖², so that no region exerts a torque on itself and angular momentum is kept; where `A_r` is a
//! rotation times the wanted stretch both are the same.

use super::polar::{
    MOST_DEFECT, nearest_rotations, robust_rotation, rows_times_symmetric, times_symmetric,
    transposed_product,
};
use super::volume::{VolumeBlocks, add_volume};
use crate::regions::{FiberTables, FollowTables, RegionTables};
use glam::Vec4;
use sinew_geometry::simd::lane_math::{Rows, dot, transform};
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

/// What a region's matrix is to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// Stiffness times where members are pulled.
    Pull,
    /// The goal itself, R S̃ (x⁰ − c⁰) + c, and 1 in the last lane.
    Goal,
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
    pub(crate) want: Want,
    /// How far the volume term is trusted; see [`VolumeBlocks`].
    pub(crate) volumes: VolumeBlocks<'a>,
    pub(crate) examples: Option<ExampleBlocks<'a>>,
    /// What regions compare themselves with, per block, if it is not their rest shape.
    pub(crate) follow: &'a [FollowTables],
    /// How regions give way along their fibers, per block, if they have any.
    pub(crate) fibers: &'a [FiberTables],
}

impl Kernel for RegionPass<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for at in 0..self.affines.len() {
            let block = self.first + at;
            let mut sums = region_sums(simd, self.tables, self.positions, block);
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

/// Sums of a region that is not there, in a block that is not full.
const NO_REGION: Lanes =
    Lanes([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);

/// Linear map and center of each region of a block, by columns.
#[inline(always)]
pub(super) fn region_sums<S: Simd>(
    simd: S,
    tables: &RegionTables,
    positions: &[Vec4],
    block: usize,
) -> [Lanes; BLOCK_LANES] {
    let mut rows = [NO_REGION; BLOCK_LANES];
    for (lane, row) in rows.iter_mut().enumerate() {
        let Some((members, pairs)) = tables.members(BLOCK_LANES * block + lane) else { break };
        let term = |member: u32, pair: &[f32; 4], sum: S::Wide| {
            simd.add_outer(positions[member as usize].as_ref(), pair, sum)
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

impl RegionPass<'_> {
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
        let f = load_columns(simd, sums, part);
        let center = [simd.load(&sums[12], part), simd.load(&sums[13], part), simd.load(&sums[14], part)];
        let follow = self.follow.get(block);
        let (f, even, rest_center) = match follow {
            None => (
                f,
                load_all(simd, &self.tables.evens[block], part),
                load_all(simd, &self.tables.centers[block], part),
            ),
            Some(follow) => (
                follow_map(simd, &f, follow, part),
                load_all(simd, &follow.evens, part),
                load_all(simd, &follow.centers, part),
            ),
        };
        let target = match (&self.examples, self.fibers.get(block)) {
            (Some(examples), _) => Some(target(simd, examples, at, block, part)),
            (None, Some(fibers)) => {
                let rest = follow.map(|follow| &follow.fibers).or(self.tables.fibers.get(block));
                rest.map(|direction| fiber_target(simd, fibers, direction, part, &f))
            }
            (None, None) => None,
        };
        let (rotation, wanted) = match &target {
            None => {
                let rotation = rotation_of(simd, &mut self.rotations[at], part, &f);
                (rotation, rotation)
            }
            Some(target) => {
                let map = rows_times_symmetric(simd, &f, target);
                let rotation = rotation_of(simd, &mut self.rotations[at], part, &map);
                (rotation, rows_times_symmetric(simd, &rotation, target))
            }
        };
        if let Some(examples) = &mut self.examples {
            let stretch = transposed_product(simd, &rotation, &f);
            write_products(simd, examples, at, block, part, &stretch);
        }
        if self.want == Want::Goal {
            store_goal(simd, part, &wanted, center, rest_center, affines);
            return;
        }
        let stiffness = simd.load(&self.tables.stiffness[block], part);
        let bound = simd.splat(self.tables.bound_share);
        let mut strain = f;
        for (strain, wanted) in strain.as_flattened_mut().iter_mut().zip(wanted.as_flattened()) {
            *strain = simd.sub(*wanted, *strain);
        }
        if let Some(bulk) = self.tables.bulk_shares.get(block) {
            let share = simd.load(bulk, part);
            let trust = simd.splat(self.volumes.trust);
            let kept = add_volume(simd, [share, trust], &f, &wanted, &mut strain);
            simd.store(&mut self.volumes.kept[at], part, kept);
        }
        let (half, zero) = (simd.splat(0.5), simd.splat(0.0));
        let is_whole = follow.map_or(simd.splat(1.0), |follow| simd.load(&follow.is_whole, part));
        for row in 0..3 {
            let mut linear = times_symmetric(simd, strain[row], &even);
            for column in 0..3 {
                linear[column] = simd.mul_add(bound, f[row][column], linear[column]);
                // A region that the shape has turned inside out holds each particle in its place.
                let place = if row == column { bound } else { zero };
                linear[column] = simd.select_less(is_whole, half, place, linear[column]);
                simd.store(&mut affines[4 * column + row], part, simd.mul(stiffness, linear[column]));
            }
            let shift = simd.mul_sub(bound, center[row], dot(simd, linear, rest_center));
            let shift = simd.select_less(is_whole, half, zero, shift);
            simd.store(&mut affines[12 + row], part, simd.mul(stiffness, shift));
        }
        simd.store(&mut affines[15], part, stiffness);
    }
}

/// The rotations of maps, solved the slow way where they must be. `kept` has the former rotations, and then these.
#[inline(always)]
pub(super) fn rotation_of<S: Simd>(
    simd: S,
    kept: &mut [Lanes; 9],
    part: usize,
    map: &Rows<S::V>,
) -> Rows<S::V> {
    let found = nearest_rotations(simd, map);
    if simd.all_less(found.defect, simd.splat(MOST_DEFECT)) {
        store_all(simd, kept, part, found.rows.as_flattened());
        return found.rows;
    }
    let mut failed = Failed { defect: Lanes::ZERO, maps: [Lanes::ZERO; 9], rotations: [Lanes::ZERO; 9] };
    simd.store(&mut failed.defect, part, found.defect);
    store_all(simd, &mut failed.maps, part, map.as_flattened());
    store_all(simd, &mut failed.rotations, part, found.rows.as_flattened());
    failed.mend(part * S::WIDTH..(part + 1) * S::WIDTH, kept);
    load_rows(simd, kept, part)
}

#[inline(always)]
fn store_goal<S: Simd>(
    simd: S,
    part: usize,
    wanted: &Rows<S::V>,
    center: [S::V; 3],
    rest_center: [S::V; 3],
    affines: &mut [Lanes; BLOCK_LANES],
) {
    for row in 0..3 {
        for column in 0..3 {
            simd.store(&mut affines[4 * column + row], part, wanted[row][column]);
        }
        let shift = simd.sub(center[row], dot(simd, wanted[row], rest_center));
        simd.store(&mut affines[12 + row], part, shift);
    }
    simd.store(&mut affines[15], part, simd.splat(1.0));
}

/// Columns of matrices as their sums have them, as rows.
#[inline(always)]
pub(super) fn load_columns<S: Simd>(simd: S, sums: &[Lanes; BLOCK_LANES], part: usize) -> Rows<S::V> {
    let mut rows = [[simd.splat(0.0); 3]; 3];
    for row in 0..3 {
        for column in 0..3 {
            rows[row][column] = simd.load(&sums[4 * column + row], part);
        }
    }
    rows
}

#[inline(always)]
pub(super) fn load_all<S: Simd, const N: usize>(simd: S, lanes: &[Lanes; N], part: usize) -> [S::V; N] {
    let mut all = [simd.splat(0.0); N];
    for entry in 0..N {
        all[entry] = simd.load(&lanes[entry], part);
    }
    all
}

/// Writes a part of several lists.
#[inline(always)]
pub(super) fn store_all<S: Simd>(simd: S, lanes: &mut [Lanes], part: usize, entries: &[S::V]) {
    for (lanes, entry) in lanes.iter_mut().zip(entries) {
        simd.store(lanes, part, *entry);
    }
}

/// Lanes of which some have no rotation yet.
struct Failed {
    defect: Lanes,
    maps: [Lanes; 9],
    rotations: [Lanes; 9],
}

impl Failed {
    /// Solves the lanes on which the closed form failed, and keeps all in `kept`, which has the former rotations.
    #[cold]
    #[inline(never)]
    fn mend(&self, lanes: std::ops::Range<usize>, kept: &mut [Lanes; 9]) {
        for lane in lanes {
            let rows = |from: &[Lanes; 9]| {
                std::array::from_fn(|row| std::array::from_fn(|column| from[3 * row + column].0[lane]))
            };
            let is_good = self.defect.0[lane] < MOST_DEFECT;
            let rotation =
                if is_good { rows(&self.rotations) } else { robust_rotation(rows(&self.maps), rows(kept)) };
            for (entry, lanes) in kept.iter_mut().enumerate() {
                lanes.0[lane] = rotation[entry / 3][entry % 3];
            }
        }
    }
}

#[inline(always)]
fn load_rows<S: Simd>(simd: S, lanes: &[Lanes; 9], part: usize) -> Rows<S::V> {
    let mut rows = [[simd.splat(0.0); 3]; 3];
    for (entry, lanes) in rows.as_flattened_mut().iter_mut().zip(lanes) {
        *entry = simd.load(lanes, part);
    }
    rows
}

/// (F + A' − A) A'⁻¹: the map from the shape that is followed.
#[inline(always)]
fn follow_map<S: Simd>(simd: S, f: &Rows<S::V>, follow: &FollowTables, part: usize) -> Rows<S::V> {
    let mut whole = load_rows(simd, &follow.missing, part);
    for (entry, f) in whole.as_flattened_mut().iter_mut().zip(f.as_flattened()) {
        *entry = simd.add(*entry, *f);
    }
    rows_times_rows(simd, &whole, &load_rows(simd, &follow.inverses, part))
}

#[inline(always)]
fn rows_times_rows<S: Simd>(simd: S, a: &Rows<S::V>, b: &Rows<S::V>) -> Rows<S::V> {
    let mut product = *a;
    for row in 0..3 {
        for column in 0..3 {
            product[row][column] = dot(simd, a[row], [b[0][column], b[1][column], b[2][column]]);
        }
    }
    product
}

/// T = t d dᵀ + ℓ (I − d dᵀ): along the fiber d what contraction asks for and a share of what the region has, across it what keeps the
/// volume. The stretch along d is ‖F d‖, for which no rotation need be known.
#[inline(always)]
fn fiber_target<S: Simd>(
    simd: S,
    fibers: &FiberTables,
    direction: &[Lanes; 3],
    part: usize,
    f: &Rows<S::V>,
) -> [S::V; 6] {
    let d = load_all(simd, direction, part);
    let along = transform(simd, f, d);
    let square = dot(simd, along, along);
    let stretch = simd.mul(square, simd.reciprocal_sqrt(simd.max(square, simd.splat(1e-12))));
    let (contraction, give) = (simd.load(&fibers.contractions, part), simd.load(&fibers.gives, part));
    let wanted = simd.mul_add(give, simd.sub(stretch, contraction), contraction);
    let (low, high) = (simd.splat(LEAST_STRETCH), simd.splat(MOST_STRETCH));
    let wanted = simd.max(wanted, low);
    let wanted = simd.select_less(wanted, high, wanted, high);
    // ℓ of the contraction alone, and the square root of what was given way to.
    let given = simd.mul(contraction, simd.reciprocal(wanted));
    let root = simd.mul(given, simd.reciprocal_sqrt(given));
    let lateral = simd.mul(simd.load(&fibers.laterals, part), root);
    let more = simd.sub(wanted, lateral);
    let mut target = [lateral, lateral, lateral, simd.splat(0.0), simd.splat(0.0), simd.splat(0.0)];
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    for entry in 0..6 {
        let (i, j) = pairs[entry];
        target[entry] = simd.mul_add(simd.mul(more, d[i]), d[j], target[entry]);
    }
    target
}

/// Fibers are not asked to be shorter or longer, as a share of their length.
const LEAST_STRETCH: f32 = 0.4;
const MOST_STRETCH: f32 = 2.5;

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
