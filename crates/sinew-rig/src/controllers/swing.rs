//! Lag and swing: what a mass on a spring at the helper's place adds to its numbers.

use super::HELPER_NUMBERS;
use sinew_geometry::Spring;

/// How a helper swings. The mass hangs where the helper stands in its parent at rest, in the space that the character moves in; its pull along the
/// helper's axes there moves the helper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// What the mass hangs on.
    pub spring: Spring,
    /// What a pull of 1 m/s² along each axis adds to the numbers.
    pub gains: [[f64; HELPER_NUMBERS]; 3],
}

impl Swing {
    /// The numbers for what the controller says and how the mass pulls.
    #[must_use]
    pub fn add(&self, said: &[f64; HELPER_NUMBERS], pull: glam::DVec3) -> [f64; HELPER_NUMBERS] {
        let added = self.added(pull);
        std::array::from_fn(|at| said[at] + added[at])
    }

    /// What a pull adds to the numbers.
    #[must_use]
    pub fn added(&self, pull: glam::DVec3) -> [f64; HELPER_NUMBERS] {
        let [x, y, z] = &self.gains;
        std::array::from_fn(|at| x[at] * pull.x + y[at] * pull.y + z[at] * pull.z)
    }

    /// Whether it comes to rest and all numbers are finite.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.spring.is_valid() && self.gains.iter().flatten().all(|gain| gain.is_finite())
    }
}
