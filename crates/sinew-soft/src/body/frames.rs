//! Frames of a body's particles, if they have any: bodies made by [`crate::Chain`] and [`crate::Sheet`].

use super::{Momentum, SoftBody, StepSettings};
use crate::examples::ExampleSet;
use crate::kernel::goal_pass::{Blend, pull_of_level};
use crate::level::Level;
use crate::oriented::{Oriented, Outer};
use crate::regions::Regions;
use glam::{Quat, Vec3, Vec4};
use sinew_geometry::simd::{Kernel, Simd};

impl SoftBody {
    /// Gives particles frames and what holds them together. Other levels may pull at the same particles.
    pub(crate) fn with_frames(mut self, mut oriented: Oriented) -> Self {
        if !self.levels.is_empty() {
            oriented.pulls = vec![Vec4::ZERO; self.particle_count()];
        }
        self.oriented = Some(oriented);
        self
    }

    /// The same body with one more level of regions, whose forces add to the others'. Chains and sheets may have such levels besides their
    /// frames: wide ones that keep a shape, or ones with examples.
    ///
    /// # Panics
    /// If the regions were made for another number of particles.
    #[must_use]
    pub fn with_level(mut self, regions: &Regions, examples: Option<ExampleSet>) -> Self {
        assert_eq!(regions.particle_count(), self.particle_count(), "regions of this body");
        self.most_stiffness += regions.most_stiffness();
        self.levels.push(Level::new(regions, examples));
        let count = self.particle_count();
        self.oriented.iter_mut().for_each(|oriented| oriented.pulls = vec![Vec4::ZERO; count]);
        self
    }

    /// How a particle is turned: along a chain x is the way to the next particle, on a sheet z is its normal. `None` if the body's
    /// particles have no frames.
    pub fn frame(&self, particle: usize) -> Option<Quat> {
        self.oriented.as_ref().map(|oriented| oriented.frames.frame(particle))
    }

    /// Turns a particle as it is; does nothing to particles without frames. What is no rotation turns it back to rest.
    pub fn set_frame(&mut self, particle: usize, frame: Quat) {
        self.oriented.iter_mut().for_each(|oriented| oriented.frames.set_frame(particle, frame));
    }

    /// Holds a particle's frame, or lets it go; its place is held by [`SoftBody::hold`]. Does nothing to particles without frames.
    pub fn hold_frame(&mut self, particle: usize, frame: Option<Quat>) {
        self.oriented.iter_mut().for_each(|oriented| oriented.frames.hold(particle, frame));
    }

    /// How fast a particle turns, rad/s; nothing without a frame.
    pub fn spin(&self, particle: usize) -> Vec3 {
        self.oriented.as_ref().map_or(Vec3::ZERO, |oriented| oriented.frames.spins[particle].as_vec3())
    }

    /// Gives a particle an angular velocity, rad/s; does nothing to particles without frames.
    pub fn set_spin(&mut self, particle: usize, spin: Vec3) {
        self.oriented.iter_mut().for_each(|oriented| oriented.frames.spins[particle] = spin.as_dvec3());
    }

    /// Turns a particle by a moment of force during the next step, N m; does nothing to particles without frames.
    pub fn twist(&mut self, particle: usize, moment: Vec3) {
        self.oriented.iter_mut().for_each(|oriented| oriented.frames.push(particle, moment));
    }

    /// An iteration of a body with frames, in place of the plain one.
    pub(super) fn improve_frames<S: Simd>(&mut self, simd: S, blend: &Blend) {
        let Self { oriented, levels, masses, rest, positions, former, predicted, .. } = self;
        let Some(oriented) = oriented else { return };
        let mut pulls = std::mem::take(&mut oriented.pulls);
        simd.run(Pulls { levels, rest, positions, pulls: &mut pulls });
        let dt_secs = f64::from(blend.square_secs).sqrt();
        let outer = Outer { dt_secs, masses, positions, predicted, pulls: &pulls };
        oriented.improve(&outer, former);
        oriented.pulls = pulls;
    }

    pub(crate) fn end_frames(&mut self, settings: &StepSettings) {
        self.oriented.iter_mut().for_each(|oriented| {
            oriented.end(f64::from(settings.dt_secs), &self.masses, &mut self.velocities)
        });
    }

    /// Gives the frames of a free body their share of the momentum that it must have.
    pub(crate) fn restore_spin(&mut self, wanted: Momentum) {
        let Self { oriented: Some(oriented), masses, positions, velocities, .. } = self else { return };
        oriented.frames.restore_spin(wanted.angular, masses, positions, velocities);
    }
}

/// What plain levels want of all particles of a body with frames.
struct Pulls<'a> {
    levels: &'a [Level],
    rest: &'a [Vec4],
    positions: &'a [Vec4],
    pulls: &'a mut [Vec4],
}

impl Kernel for Pulls<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (particle, pull) in self.pulls.iter_mut().enumerate() {
            *pull = Vec4::ZERO;
            for level in self.levels {
                *pull += pull_of_level(simd, level, particle, self.rest[particle], self.positions[particle]);
            }
        }
    }
}
