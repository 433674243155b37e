//! Why a surface has no cover.

use std::fmt;

/// Why a surface could not be covered.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum CoverError {
    /// No triangles.
    Empty { vertex_count: usize },
    /// Only triangles without area.
    NoArea { triangle_count: usize },
    /// A vertex that is nowhere.
    NotFinite { vertex: usize },
    /// A triangle with a vertex that does not exist.
    Corner { triangle: usize, vertex_count: usize },
    /// A spacing that is no length.
    Spacing { spacing: f32 },
    /// A width of gaps that is no length.
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
                write!(f, "the surface has no triangles ({vertex_count} vertices); nothing can be filled")
            }
            Self::NoArea { triangle_count } => {
                write!(
                    f,
                    "none of the surface's {triangle_count} triangles has an area; nothing can be filled"
                )
            }
            Self::NotFinite { vertex } => write!(f, "vertex {vertex} of the surface is not finite"),
            Self::Corner { triangle, vertex_count } => {
                write!(f, "triangle {triangle} goes past the surface's {vertex_count} vertices")
            }
            Self::Spacing { spacing } => {
                write!(f, "a spacing of {spacing} is no length; give one that is positive and finite")
            }
            Self::Join { join_m } => {
                write!(f, "gaps of {join_m} are no length; give one that is finite and not negative")
            }
            Self::Count { count, most_tets } => {
                write!(f, "{count} tetrahedra cannot be made; ask for 1 to {most_tets}")
            }
            Self::TooFine { spacing, cell_count } => {
                write!(
                    f,
                    "a spacing of {spacing} is too small for the surface (its box has {cell_count:.0} cells); give a larger one"
                )
            }
            Self::TooFar { spacing } => {
                write!(
                    f,
                    "tetrahedra of spacing {spacing} around the surface leave the range of numbers; scale it down"
                )
            }
            Self::TooMany { spacing, most_tets } => {
                write!(f, "a spacing of {spacing} makes more than {most_tets} tetrahedra; give a larger one")
            }
        }
    }
}

impl std::error::Error for CoverError {}
