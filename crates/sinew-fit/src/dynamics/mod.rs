//! Helpers that lag and swing: a mass on a spring at each helper's place.
//!
//! What follows through follows the motion, not the pose: flesh of a thigh is thrown by the thigh's acceleration. A mass on a spring ([`sinew_geometry::Spring`]) at the
//! helper's place, carried by its parent, feels exactly that, in a clip of another kind as well, and its pull moves the helper.

mod fit;
mod normal;

pub use fit::{SwingFit, Take, fit_swings, swinging_helpers};
