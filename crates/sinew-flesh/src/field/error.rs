//! Why fields cannot be solved for.

/// Why no field was found. Numbers of things count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FieldError {
    /// A constraint at a place that is not there. `what`: `point` or `tetrahedron`.
    #[error("fiber constraint {constraint} is at {what} {index}, but there are {count}")]
    ConstraintPlace { constraint: usize, what: &'static str, index: u32, count: usize },
    /// A constraint with numbers that mean nothing. `what`: `direction`, `weight` or `barycentric weight`.
    #[error("fiber constraint {constraint}: {what} is not finite or is negative")]
    ConstraintNumber { constraint: usize, what: &'static str },
    /// There is not enough memory for the factors. `points`: points of the tetrahedra.
    #[error("not enough memory for a field over {points} points; use fewer tetrahedra")]
    Memory { points: usize },
    /// The matrix has no Cholesky factors: numbers are out of range. `points`: points of the tetrahedra.
    #[error(
        "the equations of a field over {points} points cannot be solved; are lengths or strengths out of range?"
    )]
    NotPositive { points: usize },
}
