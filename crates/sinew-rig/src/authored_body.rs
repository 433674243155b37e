//! The design that a character's surface was made from.

/// A body of patches as its file describes it: the text of a design, which this crate does not read.
///
/// It belongs to the character's mesh and binds. Who changes these leaves it in place: whoever uses it checks that it still fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthoredBody {
    /// The layout that the design is of: `human`, `quadruped`, or the whole text of another.
    pub template: String,
    /// The design, TOML.
    pub design: String,
    /// Steps along the edge of a tube's patch, by which the surface was cut into triangles.
    pub steps: u32,
}
