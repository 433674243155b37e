//! From examples to helper bones, weights and controllers.

pub(crate) mod append;
pub(crate) mod fitted_rig;
pub(crate) mod held_out;
pub(crate) mod mirror;
pub(crate) mod rig_fit;
pub(crate) mod sequence;
pub(crate) mod set_fit;
pub(crate) mod spend;
pub(crate) mod suggest;

#[cfg(test)]
mod random_rigs;
#[cfg(test)]
mod tests;
