//! What is wrong with shapes and skins that should touch.

/// Why points, a mesh or particles cannot touch anything. Numbers of things count from 0.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ContactError {
    /// Points that lie in a plane, or fewer than four.
    #[error("the points lie in a plane; a hull needs four that do not")]
    Flat,
    /// Every triangle is a line or a point.
    #[error("the mesh has no triangle with an area")]
    NoArea,
    /// A place that is infinite or not a number. `what`: `"point"` or `"vertex"`.
    #[error("{what} {number} is not finite")]
    NotFinite { what: &'static str, number: usize },
    /// A triangle with a corner that is not there. `what`: `"vertex"` or `"particle"`.
    #[error("triangle {triangle} has {what} {number}, but there are {count}")]
    Corner { triangle: usize, what: &'static str, number: u32, count: usize },
    /// The body has fewer particles than its skin names. `particle_count`: particles of the body.
    #[error(
        "particle {particle} of the skin does not exist; the body has {particle_count}, use the skin of its mesh"
    )]
    Body { particle: usize, particle_count: usize },
    /// A margin that is negative or not finite.
    #[error("margin {margin_m} m is out of range; use 0 or more, and above 0 for shapes without volume")]
    Margin { margin_m: f32 },
}
