//! Why a structure cannot be made.

/// Why a chain, sheet or lattice cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StructureError {
    /// A number that must be finite and more than nothing.
    #[error("{what} is {found}, but must be finite and more than 0")]
    NotPositive {
        /// Which.
        what: &'static str,
        /// As given.
        found: f32,
    },
    /// A stiffness that must be finite and not negative.
    #[error("{what} is {found}, but must be finite and not negative")]
    Negative {
        /// Which.
        what: &'static str,
        /// As given.
        found: f32,
    },
    /// No round rod is stiffer against twist.
    #[error(
        "square speed of twist {twist} is more than that of bending, {bend}; no shear modulus is more than Young's"
    )]
    TwistTooStiff {
        /// Of twist, m²/s².
        twist: f32,
        /// Of bending, m²/s².
        bend: f32,
    },
    /// A point that is nowhere.
    #[error("point {point} of strand {strand} is not finite")]
    StrandPoint {
        /// From 0.
        strand: usize,
        /// From 0.
        point: usize,
    },
    /// A strand of one point or none.
    #[error("strand {strand} has {found} points; use at least two")]
    ShortStrand {
        /// From 0.
        strand: usize,
        /// Its points.
        found: usize,
    },
    /// Two neighbors at one place.
    #[error("points {point} and {} of strand {strand} coincide; remove one", point + 1)]
    StrandRepeats {
        /// From 0.
        strand: usize,
        /// The first of both.
        point: usize,
    },
    /// A point that is nowhere.
    #[error("point {point} is not finite")]
    Point {
        /// From 0.
        point: usize,
    },
    /// A corner that is not there.
    #[error("point {corner} of triangle {triangle} does not exist; there are {point_count}")]
    Corner {
        /// From 0.
        triangle: usize,
        /// From 0.
        corner: u32,
        /// How many points there are.
        point_count: usize,
    },
    /// A triangle without area has no inside to be strained.
    #[error("triangle {triangle} is degenerate; remove it, or merge its corners")]
    FlatTriangle {
        /// From 0.
        triangle: usize,
    },
    /// A spacing that is far too small.
    #[error("{found:.0} cells exceed the maximum of {most:.0}; use a larger spacing")]
    TooManyCells {
        /// How many there would be.
        found: f64,
        /// How many there may be.
        most: f64,
    },
    /// Nothing holds a point.
    #[error("point {point} belongs to no triangle; remove it")]
    LoosePoint {
        /// From 0.
        point: usize,
    },
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
