//! Spherical parameters of vertices, and what a file says about the methods that move them.

use glam::Vec3;

/// The parameters of the spherical methods for one vertex, in PMX "SDEF".
///
/// They belong to the vertex's first and second influence, in that order: whoever reorders influences swaps `r0` and `r1` with them,
/// whoever drops one of the two drops the parameters ([`crate::Mesh::cut_influences`] does). A vertex with one influence has no use
/// for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spherical {
    /// c: the point that the vertex turns about, rest space, metres.
    pub center: Vec3,
    /// The end of the soft range that belongs to the first influence, rest space, metres.
    pub r0: Vec3,
    /// The end of the soft range that belongs to the second influence, rest space, metres.
    pub r1: Vec3,
}

impl Spherical {
    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.center.is_finite() && self.r0.is_finite() && self.r1.is_finite()
    }

    /// The same for the two influences in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { r0: self.r1, r1: self.r0, ..self }
    }
}

/// How a file asks to be skinned. Methods are text, such as `sdef` or `sdef:s=0.3`; the skinning crate reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuthoredSkin {
    /// The method of every joint without a rule and every vertex without a method of its own.
    pub method: Option<String>,
    /// Rules for joints; where several fit, the last counts.
    pub joints: Vec<AuthoredJoint>,
    /// Soft ranges set by hand; where several fit, the last counts.
    pub ranges: Vec<AuthoredRange>,
    /// The share of the plain blend for vertices whose own method is SBS+, 0 to 1.
    pub s: Option<f32>,
    /// `slerp` or `nlerp`, for vertices with a method of their own.
    pub rotation: Option<String>,
}

/// The method of the joints whose child bone has a name like this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthoredJoint {
    /// A bone's name, in which `*` stands for any text.
    pub pattern: String,
    /// As the file writes it; unknown names are kept.
    pub method: String,
}

/// The soft range of the joints whose child bone has a name like this.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthoredRange {
    /// A bone's name, in which `*` stands for any text.
    pub pattern: String,
    /// Where the parent lets go, rest space, metres.
    pub r0: Vec3,
    /// Where the child has taken over, rest space, metres.
    pub r1: Vec3,
}
