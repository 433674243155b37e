//! Fields over tetrahedra: values at points, as smooth as what is known of them allows.
//!
//! A field f that minimises ½ ∫ |∇f|² + ½ Σᵢ sᵢ (fᵢ − vᵢ)² over linear elements is the solution of (L + S) f = S v, where L is the
//! cotangent Laplacian and S holds the strengths sᵢ. `laplacian` makes L, `cholesky` solves, `locate` finds tetrahedra at places.

mod cholesky;
mod laplacian;
mod locate;

pub(crate) use cholesky::FieldSolver;
pub use cholesky::SolveError;
pub(crate) use laplacian::Laplacian;
pub(crate) use locate::{Locator, barycentric};
