//! Smooth joins: one tangent plane along a shared edge.
//!
//! Two patches A and B share the edge E. With `c` the edge's differences, `a` from A's row to the edge and `b` from the edge to B's row,
//! they are smooth if `b(t) = k a(t) + h(t) c(t)` with k > 0.

mod check;
mod edge_rule;
mod least_squares;

pub use check::{EdgeGap, compare_edges};
pub use edge_rule::{across_from, h_at_center, linear_ratio_legs, symmetric_legs};
pub use least_squares::{common_ratio, joined_legs, joined_points};
