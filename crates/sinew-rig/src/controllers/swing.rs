//! Lag and swing: the contribution of a mass on a spring at the helper's place.

use super::HELPER_NUMBERS;
use sinew_geometry::Spring;

/// Swing of a helper. The mass is attached at the helper's place in its parent at rest, in the space in which the character moves; its
/// pull along the helper's axes moves the helper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// The spring of the mass.
    pub spring: Spring,
    /// Contribution of a pull of 1 m/s² along each axis to the numbers.
    pub gains: [[f64; HELPER_NUMBERS]; 3],
}

impl Swing {
    /// The numbers for the controller's values and the pull of the mass.
    pub fn add(&self, said: &[f64; HELPER_NUMBERS], pull: glam::DVec3) -> [f64; HELPER_NUMBERS] {
        let added = self.added(pull);
        std::array::from_fn(|at| said[at] + added[at])
    }

    /// Contribution of a pull to the numbers.
    pub fn added(&self, pull: glam::DVec3) -> [f64; HELPER_NUMBERS] {
        let [x, y, z] = &self.gains;
        std::array::from_fn(|at| x[at] * pull.x + y[at] * pull.y + z[at] * pull.z)
    }

    /// Whether it comes to rest and all numbers are finite.
    pub fn is_valid(&self) -> bool {
        self.spring.is_valid() && self.gains.iter().flatten().all(|gain| gain.is_finite())
    }
}
