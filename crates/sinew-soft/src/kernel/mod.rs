//! The two passes of shape matching, written once against the vector instructions of [`sinew_geometry::simd`].

pub(crate) mod example_sums;
pub(crate) mod follow_pass;
pub(crate) mod goal_pass;
pub(crate) mod polar;
pub(crate) mod region_pass;
pub(crate) mod volume;
