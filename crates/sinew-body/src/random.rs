//! Random control nets for tests: the same on every platform.

use crate::{GregoryCorners, Patch};
use glam::DVec3;

/// The shared generator, with patches.
pub(crate) struct Random(sinew_geometry::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(sinew_geometry::Random::new(seed))
    }

    /// A number in −1…1.
    pub(crate) fn signed(&mut self) -> f64 {
        self.0.signed()
    }

    /// A number between two others.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.signed() + 1.0)
    }

    /// A number of the normal distribution with mean 0 and deviation 1, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.between(1e-12, 1.0).ln()).sqrt();
        radius * self.between(0.0, std::f64::consts::TAU).cos()
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        self.0.signed_vector()
    }

    pub(crate) fn points<const N: usize>(&mut self) -> [DVec3; N] {
        std::array::from_fn(|_| self.vector())
    }

    pub(crate) fn bezier(&mut self) -> Patch {
        Patch::bezier(std::array::from_fn(|_| self.points()))
    }

    pub(crate) fn gregory(&mut self) -> Patch {
        let corners = GregoryCorners { cross_u: self.points(), cross_w: self.points() };
        Patch::gregory(std::array::from_fn(|_| self.points()), corners)
    }

    /// A gently curved patch of about unit size in the plane, whose normals are everywhere defined.
    pub(crate) fn gentle(&mut self) -> Patch {
        let mut point =
            |i: usize, j: usize| DVec3::new(i as f64 / 4.0, j as f64 / 4.0, 0.0) + 0.04 * self.vector();
        Patch::bezier(std::array::from_fn(|i| std::array::from_fn(|j| point(i, j))))
    }

    /// The same with split corners.
    pub(crate) fn gentle_gregory(&mut self) -> Patch {
        let patch = self.gentle();
        let near =
            |random: &mut Self| crate::patch::CORNERS.map(|(i, j)| patch.net[i][j] + 0.03 * random.vector());
        let corners = GregoryCorners { cross_u: near(self), cross_w: near(self) };
        Patch::gregory(patch.net, corners)
    }
}
