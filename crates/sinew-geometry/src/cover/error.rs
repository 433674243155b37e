//! Errors of covering a surface.

use std::fmt;

/// Error of covering a surface with tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum CoverError {
    /// No triangles.
    Empty { vertex_count: usize },
    /// Only triangles without area.
    NoArea { triangle_count: usize },
    /// A vertex that is not finite.
    NotFinite { vertex: usize },
    /// A triangle with a vertex that does not exist.
    Corner { triangle: usize, vertex_count: usize },
    /// An invalid spacing.
    Spacing { spacing: f32 },
    /// An invalid width of gaps.
    Join { join_m: f32 },
    /// A wanted number of zero, or over the limit.
    Count { count: usize, most_tets: usize },
    /// A spacing so small beside the surface that the lattice has no room.
    TooFine {
        spacing: f32,
        /// Cubes of the box around the surface.
        cell_count: f64,
    },
    /// A surface so large that tetrahedra around it leave the range of numbers.
    TooFar { spacing: f32 },
    /// More tetrahedra than allowed.
    TooMany { spacing: f32, most_tets: usize },
}

impl fmt::Display for CoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { vertex_count } => {
                write!(f, "the surface has no triangles ({vertex_count} vertices) and cannot be filled")
            }
            Self::NoArea { triangle_count } => {
                write!(
                    f,
                    "none of the surface's {triangle_count} triangles has an area; the surface cannot be filled"
                )
            }
            Self::NotFinite { vertex } => write!(f, "vertex {vertex} of the surface is not finite"),
            Self::Corner { triangle, vertex_count } => {
                write!(
                    f,
                    "triangle {triangle} has an index out of range; the surface has {vertex_count} vertices"
                )
            }
            Self::Spacing { spacing } => {
                write!(f, "invalid spacing {spacing}; use a positive finite length")
            }
            Self::Join { join_m } => {
                write!(f, "invalid gap width {join_m}; use a finite length of 0 or more")
            }
            Self::Count { count, most_tets } => {
                write!(f, "{count} tetrahedra are out of range; use 1 to {most_tets}")
            }
            Self::TooFine { spacing, cell_count } => {
                write!(
                    f,
                    "spacing {spacing} is too small for the surface (its box has {cell_count:.0} cells); use a larger one"
                )
            }
            Self::TooFar { spacing } => {
                write!(
                    f,
                    "tetrahedra of spacing {spacing} around the surface overflow; scale the surface down"
                )
            }
            Self::TooMany { spacing, most_tets } => {
                write!(f, "spacing {spacing} makes more than {most_tets} tetrahedra; use a larger one")
            }
        }
    }
}

impl std::error::Error for CoverError {}
