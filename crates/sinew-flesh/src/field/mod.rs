//! Fields over tetrahedra: values at points, as smooth as what is known of them allows.
//!
//! A field f that minimizes ½ ∫ |∇f|² + ½ Σᵢ sᵢ (fᵢ − vᵢ)² over linear elements is the solution of (L + S) f = S v, where L is the
//! cotangent Laplacian and S holds the strengths sᵢ. `laplacian` makes L, `cholesky` solves, `locate` finds tetrahedra at places.

mod cholesky;
mod error;
mod laplacian;
mod locate;

pub(crate) use cholesky::FieldSolver;
pub use error::FieldError;
pub(crate) use laplacian::Laplacian;
pub(crate) use locate::{Locator, barycentric, parts_of_points};
