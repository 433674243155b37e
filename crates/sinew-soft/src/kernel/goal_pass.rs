//! From what regions want to where particles go.
//!
//! Every particle takes the mean of its regions' goals, weighted by their stiffness, and meets it half-way, by the implicit blend
//! `x = (y + h² Σ k g) / (1 + h² Σ k)`, with y where it would go by itself. Repeated, this is backward Euler for springs of physical
//! stiffness k, however long the step. Chebyshev's weights hasten the repetition.

use crate::level::Level;
use glam::Vec4;
use sinew_geometry::simd::{Kernel, Simd};

/// How far an iteration goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blend {
    /// Square of the step, seconds².
    pub(crate) square_secs: f32,
    /// How far beyond the blend an iteration goes; 1 for a plain one.
    pub(crate) reach: f32,
    /// Chebyshev's weight; 1 for a plain iteration.
    pub(crate) omega: f32,
    /// What that weight may add at most, metres.
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
        let Blend { square_secs, reach, omega, most_extra_m } = self.blend;
        for (at, former) in self.former.iter_mut().enumerate() {
            let particle = self.first + at;
            let position = self.positions[particle];
            // Σ k g, with Σ k as fourth.
            let mut pull = Vec4::ZERO;
            for level in self.levels {
                pull += pull_of_level(simd, level, particle, self.rest[particle], position);
            }
            let predicted = self.predicted[particle];
            let weight = square_secs * predicted.w;
            let goal = (predicted + pull * weight) * (1.0 + weight * pull.w).recip();
            let next = position + (goal - position) * reach;
            let mut extra = (next - *former) * (omega - 1.0);
            // The fourth is not a coordinate.
            extra.w = 0.0;
            if most_extra_m < f32::INFINITY {
                extra = extra.clamp_length_max(most_extra_m);
            }
            *former = next + extra;
            former.w = 0.0;
        }
    }
}

#[inline(always)]
fn pull_of_level<S: Simd>(simd: S, level: &Level, particle: usize, rest: Vec4, position: Vec4) -> Vec4 {
    let affines = level.affines.as_flattened();
    let (regions, share) = level.tables.regions_of(particle);
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
    let pull = Vec4::from_array(simd.times_vector(all, rest.as_ref())) * share;
    // What is not linear within a region is held by a share only: the rest of the goal is where the particle is.
    pull + position * (pull.w * (1.0 - level.tables.bound_share))
}
