//! Why a body cannot be fitted.

use crate::build::BuildError;
use sinew_geometry::progress::Interrupted;

/// Why a mesh or its joints cannot be a target, or a fit found no design.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The target has no vertices, no triangles, or leaves nothing out of what is excluded.
    #[error("the target mesh has no {what}")]
    Empty {
        /// What it lacks.
        what: &'static str,
    },
    /// A vertex of the target is no position.
    #[error("vertex {vertex} of the target mesh is not finite")]
    NotFinite {
        /// Counted from zero.
        vertex: usize,
    },
    /// A triangle or the list of excluded vertices names a vertex that is not there.
    #[error("{what} names vertex {vertex}, but the target mesh has {count}")]
    Index {
        /// What names it.
        what: String,
        /// The vertex named.
        vertex: usize,
        /// How many there are.
        count: usize,
    },
    /// The mesh is too large or too small to be a body in metres.
    #[error(
        "the target mesh is {height} high, but a body is {low} to {high} metres high; multiply it by {factor}, +Y is up"
    )]
    Units {
        /// The mesh's extent along y.
        height: f64,
        /// Least height that makes sense.
        low: f64,
        /// Greatest.
        high: f64,
        /// The power of ten that would bring the mesh into the range.
        factor: f64,
    },
    /// A joint is neither inside nor near the mesh.
    #[error(
        "joint \"{joint}\" at {at} lies {distance_m:.3} m outside the target mesh's box; joints and mesh need one unit and one origin"
    )]
    JointOutside {
        /// By the template's name.
        joint: String,
        /// Model space, metres.
        at: glam::DVec3,
        /// How far outside.
        distance_m: f64,
    },
    /// A joint that the template needs is not given.
    #[error("joint \"{joint}\" is missing")]
    MissingJoint {
        /// The template's name for it.
        joint: String,
    },
    /// The target cannot be mapped onto a tube.
    #[error(
        "the target cannot be mapped onto {tube}: {problem}; leave it out of the mapped tubes to fit it by nearest points"
    )]
    Map {
        /// Names of the chain of tubes.
        tube: String,
        /// Why.
        problem: String,
    },
    /// The design that a step led to cannot be built.
    #[error("the fit left what can be built: {source}")]
    Build {
        /// Why.
        #[from]
        source: BuildError,
    },
    /// The text of the joints is not JSON, or not an object.
    #[error("the joints are not a JSON object: {message}")]
    JointsText {
        /// What the parser says.
        message: String,
    },
    /// A joint of a known naming scheme is not in the text.
    #[error("{key}: missing")]
    JointKey {
        /// The scheme's name for it.
        key: String,
    },
    /// A joint in the text is not a position.
    #[error("{key}: expected three finite numbers, found {found}")]
    JointValue {
        /// The joint's name in the text.
        key: String,
        /// The beginning of its value.
        found: String,
    },
    /// The caller stopped it.
    #[error("the fit was stopped")]
    Interrupted(#[from] Interrupted),
}

impl FitError {
    /// Whether the text of the joints is to blame, and not the mesh.
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
