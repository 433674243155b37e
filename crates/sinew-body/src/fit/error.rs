//! Errors of fitting a body.

use crate::build::BuildError;
use sinew_geometry::progress::Interrupted;

/// Error of a target mesh or its joints, or of a fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FitError {
    #[error("the target mesh has no {what}")]
    Empty { what: &'static str },
    /// Vertices are counted from zero.
    #[error("vertex {vertex} of the target mesh is not finite")]
    NotFinite { vertex: usize },
    #[error("{what} refers to vertex {vertex}, but the target mesh has {count} vertices")]
    Index { what: String, vertex: usize, count: usize },
    /// The mesh is too large or too small to be a body in m.
    #[error(
        "the target mesh is {height} m high, out of range {low} to {high} m; multiply it by {factor} (m, +Y up)"
    )]
    Units { height: f64, low: f64, high: f64, factor: f64 },
    /// Model space, m.
    #[error(
        "joint \"{joint}\" at {at} is {distance_m:.3} m outside the target mesh's box; use one unit and one origin for both"
    )]
    JointOutside { joint: String, at: glam::DVec3, distance_m: f64 },
    #[error("joint \"{joint}\" is missing; add it to the joints")]
    MissingJoint { joint: String },
    #[error("the vertices do not determine the control points; use a finer mesh")]
    Undetermined,
    #[error("the fitted design cannot be built: {0}")]
    Build(#[from] BuildError),
    #[error("the joints are not a JSON object: {message}")]
    JointsText { message: String },
    #[error("{key}: missing")]
    JointKey { key: String },
    #[error("{key}: expected three finite numbers, found {found}")]
    JointValue { key: String, found: String },
    /// The caller stopped it.
    #[error("the fit was stopped")]
    Interrupted(#[from] Interrupted),
}

impl FitError {
    /// Whether the error is in the text of the joints, not in the mesh.
    pub fn is_in_joints(&self) -> bool {
        matches!(
            self,
            Self::JointsText { .. }
                | Self::JointKey { .. }
                | Self::JointValue { .. }
                | Self::MissingJoint { .. }
        )
    }
}
