//! Errors of covering a surface.

/// Error of covering a surface with tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum CoverError {
    /// No triangles.
    #[error("the surface has no triangles ({vertex_count} vertices) and cannot be filled")]
    Empty { vertex_count: usize },
    /// Only triangles without area.
    #[error("none of the surface's {triangle_count} triangles has an area; the surface cannot be filled")]
    NoArea { triangle_count: usize },
    /// A vertex that is not finite.
    #[error("vertex {vertex} of the surface is not finite")]
    NotFinite { vertex: usize },
    /// A triangle with a vertex that does not exist.
    #[error("triangle {triangle} has an index out of range; the surface has {vertex_count} vertices")]
    Corner { triangle: usize, vertex_count: usize },
    /// An invalid spacing.
    #[error("invalid spacing {spacing}; use a positive finite length")]
    Spacing { spacing: f32 },
    /// An invalid width of gaps.
    #[error("invalid gap width {join_m}; use a finite length of 0 or more")]
    Join { join_m: f32 },
    /// A wanted number of zero, or over the limit.
    #[error("{count} tetrahedra are out of range; use 1 to {most_tets}")]
    Count { count: usize, most_tets: usize },
    /// A spacing so small beside the surface that the lattice has no room.
    #[error(
        "spacing {spacing} is too small for the surface (its box has {cell_count:.0} cells); use a larger one"
    )]
    TooFine { spacing: f32, cell_count: f64 },
    /// A surface so large that tetrahedra around it leave the range of numbers.
    #[error("tetrahedra of spacing {spacing} around the surface overflow; scale the surface down")]
    TooFar { spacing: f32 },
    /// More tetrahedra than allowed.
    #[error("spacing {spacing} makes more than {most_tets} tetrahedra; use a larger one")]
    TooMany { spacing: f32, most_tets: usize },
}
