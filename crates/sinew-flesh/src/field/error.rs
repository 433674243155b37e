//! Why fields cannot be solved for.

/// Why no field was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A constraint at a place that is not there.
    #[error("fiber constraint {constraint} is at {what} {index}, but there are {count}")]
    ConstraintPlace {
        /// From 0.
        constraint: usize,
        /// `point` or `tetrahedron`.
        what: &'static str,
        /// From 0.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// A constraint with numbers that mean nothing.
    #[error("fiber constraint {constraint}: {what} is not finite or is negative")]
    ConstraintNumber {
        /// From 0.
        constraint: usize,
        /// `direction`, `weight` or `barycentric weight`.
        what: &'static str,
    },
    /// There is not enough memory for the factors.
    #[error("not enough memory for a field over {points} points; use fewer tetrahedra")]
    Memory {
        /// Points of the tetrahedra.
        points: usize,
    },
    /// The matrix has no Cholesky factors: numbers are out of range.
    #[error(
        "the equations of a field over {points} points cannot be solved; are lengths or strengths out of range?"
    )]
    NotPositive {
        /// Points of the tetrahedra.
        points: usize,
    },
}
