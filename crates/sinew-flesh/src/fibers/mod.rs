//! Which way flesh runs.
//!
//! At bones fibers run along the bone, at the skin along the bone and within the skin, where strokes are drawn along the strokes;
//! between, the field is as smooth as can be, by Laplacian interpolation as in \[Takayama08\].
//! Fibers have no sign: what is interpolated is the tensor T = d dᵀ, which is the same for d and −d. The field minimizes
//!
//! ½ ∫ |∇T|² + ½ Σₖ sₖ |T(xₖ) − dₖ dₖᵀ|²   (Frobenius norms),
//!
//! and the fiber is the eigenvector of T with the largest eigenvalue. All six components obey the same equations, so that one
//! factor serves them all and the double weight of the off-diagonal ones cancels. Constraints are soft, and each is shared out to the corners
//! of its tetrahedron by barycentric weights: it changes the diagonal alone, so that the order of unknowns and the factor's
//! pattern stay from edit to edit.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | `dₖ` | [`FiberConstraint::direction`] | unit vector |
//! | `sₖ` | [`FiberConstraint::weight`] × Lᵢᵢ | strength, in units of what neighbors do |
//! | `(λ₁ − λ₂) / (λ₁ + λ₂ + λ₃)` | [`FiberField::point_confidence`] | 1 where all agree, 0 where directions cross |
//!
//! Limits: where fibers of two directions meet, the field turns through the shorter way between them, and in the middle of such a turn confidence falls. See
//! `docs/methods/flesh.md`.

mod bone_directions;
mod constraint;
mod field;
mod natural;
mod solver;
mod stroke;
#[cfg(test)]
mod tests;

pub use bone_directions::BoneDirections;
pub use constraint::{FiberConstraint, FiberPlace, FiberWarning};
pub use field::FiberField;
pub use natural::{USUAL_WEIGHT, natural_constraints};
pub use solver::FiberSolver;
pub use stroke::StrokeCanvas;
