//! Small solvers that both stages share.

mod align;
mod cholesky;
mod product;
mod rotation_vector;
mod simplex;

pub(crate) use align::nearest_rotation;
pub(crate) use cholesky::solve_spd;
pub(crate) use product::multiply;
pub(crate) use rotation_vector::{left_jacobian, skew};
pub(crate) use simplex::{MAX_CANDIDATES, SimplexProblem};
