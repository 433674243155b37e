//! Why a structure cannot be made.

/// Why a chain, sheet or lattice cannot be made. Numbers of things count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum StructureError {
    /// A number that must be finite and more than nothing.
    #[error("{what} is {found}, but must be finite and more than 0")]
    NotPositive { what: &'static str, found: f32 },
    /// A stiffness that must be finite and not negative.
    #[error("{what} is {found}, but must be finite and not negative")]
    Negative { what: &'static str, found: f32 },
    /// No round rod is stiffer against twist. Both in m²/s².
    #[error(
        "square speed of twist {twist} is more than that of bending, {bend}; no shear modulus is more than Young's"
    )]
    TwistTooStiff { twist: f32, bend: f32 },
    /// A point that is nowhere.
    #[error("point {point} of strand {strand} is not finite")]
    StrandPoint { strand: usize, point: usize },
    /// A strand of one point or none.
    #[error("strand {strand} has {found} points; use at least two")]
    ShortStrand { strand: usize, found: usize },
    /// Two neighbors at one place. `point`: the first of both.
    #[error("points {point} and {} of strand {strand} coincide; remove one", point + 1)]
    StrandRepeats { strand: usize, point: usize },
    /// A point that is nowhere.
    #[error("point {point} is not finite")]
    Point { point: usize },
    /// A corner that is not there. `point_count`: how many points there are.
    #[error("point {corner} of triangle {triangle} does not exist; there are {point_count}")]
    Corner { triangle: usize, corner: u32, point_count: usize },
    /// A triangle without area has no inside to be strained.
    #[error("triangle {triangle} is degenerate; remove it, or merge its corners")]
    FlatTriangle { triangle: usize },
    /// A spacing that is far too small. `found`: how many there would be. `most`: how many there may be.
    #[error("{found:.0} cells exceed the maximum of {most:.0}; use a larger spacing")]
    TooManyCells { found: f64, most: f64 },
    /// Nothing holds a point.
    #[error("point {point} belongs to no triangle; remove it")]
    LoosePoint { point: usize },
}

/// Checks a number that must be more than nothing.
pub(super) fn positive(what: &'static str, found: f32) -> Result<f64, StructureError> {
    let is_right = found.is_finite() && found > 0.0;
    if is_right { Ok(f64::from(found)) } else { Err(StructureError::NotPositive { what, found }) }
}

/// Checks a stiffness.
pub(super) fn stiffness(what: &'static str, found: f32) -> Result<f64, StructureError> {
    let is_right = found.is_finite() && found >= 0.0;
    if is_right { Ok(f64::from(found)) } else { Err(StructureError::Negative { what, found }) }
}
