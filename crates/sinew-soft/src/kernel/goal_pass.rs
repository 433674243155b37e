//! From what regions want to where particles go.
//!
//! Every particle takes the mean of its regions' goals, weighted by their stiffness, and meets it half-way, by the implicit blend
//! `x = (y + h² Σ k g) / (1 + h² Σ k)`, with y where it would go by itself. Repeated, this is backward Euler for springs of physical
//! stiffness k, however long the step. Chebyshev's weights hasten the repetition.

use crate::level::Level;
use glam::Vec4;
use sinew_geometry::simd::{Kernel, Lanes, Simd};

/// How far an iteration goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blend {
    /// Square of the step, seconds².
    pub(crate) square_secs: f32,
    /// How far beyond the blend an iteration goes; 1 for a plain one.
    pub(crate) reach: f32,
    /// Chebyshev's weight; 1 for a plain iteration.
    pub(crate) omega: f32,
    /// What that weight may add at most along each axis, meters.
    pub(crate) most_extra_m: f32,
}

/// Some consecutive particles.
pub(crate) struct GoalPass<'a> {
    pub(crate) levels: &'a [Level],
    /// The first particle.
    pub(crate) first: usize,
    /// Rest places with 1 as fourth.
    pub(crate) rest: &'a [Vec4],
    /// Where particles would go by themselves; the fourth is 1 for those that are free and 0 for those that are held.
    pub(crate) predicted: &'a [Vec4],
    pub(crate) positions: &'a [Vec4],
    /// Positions an iteration ago, and then the new ones.
    pub(crate) former: &'a mut [Vec4],
    pub(crate) blend: Blend,
}

impl Kernel for GoalPass<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if let [level] = self.levels {
            self.run_one_level(simd, level);
            return;
        }
        for (at, former) in self.former.iter_mut().enumerate() {
            let particle = self.first + at;
            let position = self.positions[particle];
            // Σ k g, with Σ k as fourth.
            let mut pull = Vec4::ZERO;
            for level in self.levels {
                pull += pull_of_level(simd, level, particle, self.rest[particle], position);
            }
            *former = self.blend.next(self.predicted[particle], pull, position, *former);
        }
    }
}

impl GoalPass<'_> {
    /// The same for one level, with nothing looked up that need not be.
    #[inline(always)]
    fn run_one_level<S: Simd>(self, simd: S, level: &Level) {
        let (count, blend) = (self.former.len(), self.blend);
        let affines = level.affines.as_flattened();
        let loose = 1.0 - level.tables.bound_share;
        let (starts, members, shares) = level.tables.lists_of(self.first, count);
        let own = self.first..self.first + count;
        let places = self.positions[own.clone()].iter().zip(&self.rest[own.clone()]);
        let lists = starts.array_windows::<2>().zip(shares).zip(&self.predicted[own]);
        for ((former, (&position, rest)), (([start, end], &share), &predicted)) in
            self.former.iter_mut().zip(places).zip(lists)
        {
            let regions = &members[*start as usize..*end as usize];
            let pull = sum_of(simd, affines, regions, *rest) * share;
            *former = blend.next(predicted, pull + position * (pull.w * loose), position, *former);
        }
    }
}

impl Blend {
    /// Where a particle goes that is pulled by Σ k g, with Σ k as fourth.
    #[inline(always)]
    fn next(self, predicted: Vec4, pull: Vec4, position: Vec4, former: Vec4) -> Vec4 {
        let weight = self.square_secs * predicted.w;
        let mut goal = (predicted + pull * weight) * (1.0 + weight * pull.w).recip();
        // The fourth is not a coordinate; it is 0 in all positions.
        goal.w = 0.0;
        let next = position + (goal - position) * self.reach;
        // A box, not a ball: the limit is reached only far from rest, and the length of every addition would cost a tenth of the pass.
        let most = Vec4::splat(self.most_extra_m);
        next + ((next - former) * (self.omega - 1.0)).min(most).max(-most)
    }
}

/// The update of \[Koyama13\] section 3, for some consecutive particles: every particle goes a share α of
/// the way to the plain mean of its goals, beside where it would go by itself. In one pass:
/// `v ← v + α (g − x) / h + h f / m`, `x ← x + h v`.
pub(crate) struct SourcePass<'a> {
    pub(crate) levels: &'a [Level],
    /// The first particle.
    pub(crate) first: usize,
    /// Rest places with 1 as fourth.
    pub(crate) rest: &'a [Vec4],
    /// x + h v + h² f / m; the fourth is 1 for particles that are free and 0 for those that are held.
    pub(crate) predicted: &'a [Vec4],
    pub(crate) positions: &'a [Vec4],
    pub(crate) next: &'a mut [Vec4],
    pub(crate) alpha: f32,
}

impl Kernel for SourcePass<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (at, next) in self.next.iter_mut().enumerate() {
            let particle = self.first + at;
            // Σ g, with the number of goals as fourth.
            let mut sum = Vec4::ZERO;
            for level in self.levels {
                let (regions, _) = level.tables.regions_of(particle);
                sum += sum_of(simd, level.affines.as_flattened(), regions, self.rest[particle]);
            }
            let predicted = self.predicted[particle];
            let mean = sum * if sum.w > 0.0 { sum.w.recip() } else { 0.0 };
            let share = if sum.w > 0.0 { self.alpha * predicted.w } else { 0.0 };
            *next = predicted + (mean - self.positions[particle]) * share;
            next.w = 0.0;
        }
    }
}

/// Σ k g of a level's regions for a particle, with Σ k as fourth.
#[inline(always)]
pub(crate) fn pull_of_level<S: Simd>(
    simd: S,
    level: &Level,
    particle: usize,
    rest: Vec4,
    position: Vec4,
) -> Vec4 {
    let (regions, share) = level.tables.regions_of(particle);
    let pull = sum_of(simd, level.affines.as_flattened(), regions, rest) * share;
    // What is not linear within a region is held by a share only: the rest of the goal is where the particle is.
    pull + position * (pull.w * (1.0 - level.tables.bound_share))
}

/// The sum of regions' matrices times a rest place.
#[inline(always)]
fn sum_of<S: Simd>(simd: S, affines: &[Lanes], regions: &[u32], rest: Vec4) -> Vec4 {
    let mut sum = [simd.wide_splat(0.0); 2];
    let (pairs, last) = regions.as_chunks::<2>();
    for pair in pairs {
        sum[0] = simd.wide_add(sum[0], simd.wide_load(&affines[pair[0] as usize]));
        sum[1] = simd.wide_add(sum[1], simd.wide_load(&affines[pair[1] as usize]));
    }
    if let [last] = last {
        sum[0] = simd.wide_add(sum[0], simd.wide_load(&affines[*last as usize]));
    }
    let all = simd.wide_add(sum[0], sum[1]);
    Vec4::from_array(simd.times_vector(all, rest.as_ref()))
}
