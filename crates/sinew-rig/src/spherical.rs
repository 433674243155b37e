//! Spherical parameters of vertices, and the skinning methods of a file.

use crate::MeshId;
use glam::Vec3;

/// The parameters of the spherical methods for one vertex, in PMX "SDEF".
///
/// They belong to the vertex's first and second influence, in that order: after reordering influences swap `r0` and `r1`; after removing
/// one of the two remove the parameters ([`crate::Mesh::cut_influences`] does). A vertex with one influence does not need them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spherical {
    /// c: the center of rotation, rest space, m.
    pub center: Vec3,
    /// The end of the soft range of the first influence, rest space, m.
    pub r0: Vec3,
    /// The end of the soft range of the second influence, rest space, m.
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

/// The skinning methods of a file. Methods are text, such as `sdef` or `sdef:s=0.3`; the skinning crate parses it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuthoredSkin {
    /// The method of every joint without a rule and every vertex without its own method.
    pub method: Option<String>,
    /// Rules for joints; the last match wins.
    pub joints: Vec<AuthoredJoint>,
    /// Soft ranges set by hand; the last match wins.
    pub ranges: Vec<AuthoredRange>,
    /// The share of linear blending for vertices with the method SBS+, 0 to 1.
    pub s: Option<f32>,
    /// `slerp` or `nlerp`, for vertices with their own method.
    pub rotation: Option<String>,
    /// What an optimization of joints replaced, so that it can be undone.
    pub former: Vec<FormerVertex>,
}

/// The values of a vertex before an optimization.
#[derive(Clone, Debug, PartialEq)]
pub struct FormerVertex {
    /// Its mesh.
    pub mesh: MeshId,
    /// Its index in the mesh.
    pub vertex: u32,
    /// Joints of the bind and weights, as in [`crate::Influences`].
    pub influences: Vec<(u16, f32)>,
    /// c, r0 and r1.
    pub spherical: Option<Spherical>,
}

/// The method of the joints whose child bone matches a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthoredJoint {
    /// A bone's name; `*` matches any text.
    pub pattern: String,
    /// As the file writes it; unknown names are kept.
    pub method: String,
}

/// The soft range of the joints whose child bone matches a name.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthoredRange {
    /// A bone's name; `*` matches any text.
    pub pattern: String,
    /// Where the parent's influence ends, rest space, m.
    pub r0: Vec3,
    /// Where the child's influence is complete, rest space, m.
    pub r1: Vec3,
}
