//! What is wrong with shapes and skins that should touch.

/// Why points, a mesh or particles cannot touch anything.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// Points that lie in a plane, or fewer than four.
    #[error("the points lie in a plane; a hull needs four that do not")]
    Flat,
    /// Every triangle is a line or a point.
    #[error("the mesh has no triangle with an area")]
    NoArea,
    /// A place that is infinite or not a number.
    #[error("{what} {number} is not finite")]
    NotFinite {
        /// `"point"` or `"vertex"`.
        what: &'static str,
        /// From 0.
        number: usize,
    },
    /// A triangle with a corner that is not there.
    #[error("triangle {triangle} has {what} {number}, but there are {count}")]
    Corner {
        /// From 0.
        triangle: usize,
        /// `"vertex"` or `"particle"`.
        what: &'static str,
        /// From 0.
        number: u32,
        /// How many there are.
        count: usize,
    },
    /// The body has fewer particles than its skin names.
    #[error(
        "particle {particle} of the skin does not exist; the body has {particle_count}, use the skin of its mesh"
    )]
    Body {
        /// From 0.
        particle: usize,
        /// Particles of the body.
        particle_count: usize,
    },
    /// A margin that is negative or not finite.
    #[error("a margin of {margin_m} m; it must be 0 or more, and more than 0 where there is no volume")]
    Margin {
        /// As given.
        margin_m: f32,
    },
}
