//! Which way flesh runs.
//!
//! At bones fibres run along the bone, at the skin along the bone and within the skin, where strokes are drawn along the strokes;
//! between, the field is as smooth as can be, by Laplacian interpolation as in \[Takayama08\].
//! Fibres have no sign: what is interpolated is the tensor T = d dᵀ, which is the same for d and −d. The field minimises
//!
//! ½ ∫ |∇T|² + ½ Σₖ sₖ |T(xₖ) − dₖ dₖᵀ|²   (Frobenius norms),
//!
//! and the fibre is the eigenvector of T with the largest eigenvalue. All six components obey the same equations, so that one
//! factor serves them all and the double weight of the off-diagonal ones cancels. Constraints are soft, and each is shared out to the corners
//! of its tetrahedron by barycentric weights: it changes the diagonal alone, so that the order of unknowns and the factor's
//! pattern stay from edit to edit.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | `dₖ` | [`FibreConstraint::direction`] | unit vector |
//! | `sₖ` | [`FibreConstraint::weight`] × Lᵢᵢ | strength, in units of what neighbours do |
//! | `(λ₁ − λ₂) / (λ₁ + λ₂ + λ₃)` | [`FibreField::point_confidence`] | 1 where all agree, 0 where directions cross |
//!
//! Limits: where fibres of two directions meet, the field turns through the shorter way between them, and in the middle of such a turn confidence falls. See
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
pub use constraint::{FibreConstraint, FibreError, FibrePlace, FibreWarning};
pub use field::FibreField;
pub use natural::{FibreSettings, natural_constraints};
pub use solver::FibreSolver;
pub use stroke::{Stroke, StrokeCanvas};
