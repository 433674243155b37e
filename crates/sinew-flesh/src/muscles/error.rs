//! What is wrong with muscles, and what is worth reporting about them.

use super::joint_angles::Joint;
use sinew_geometry::CurveError;
use sinew_rig::HumanoidBone;
use sinew_settings::TextErrors;

/// Why muscles cannot be placed, driven or laid into flesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MuscleError {
    /// A description that makes no muscle.
    #[error("muscle {name:?}: {problem}")]
    Spec {
        /// Without its side.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A name that no muscle has.
    #[error("unknown muscle {name:?}{}", if .nearest.is_empty() { String::new() } else { format!("; did you mean {}?", .nearest.join(" or ")) })]
    Unknown {
        /// As asked for.
        name: String,
        /// Best first.
        nearest: Vec<String>,
    },
    /// No legs that say where left is.
    #[error("{bone} is unknown, so left and right are too; name it in the map")]
    BoneMissing {
        /// As VRM calls it.
        bone: HumanoidBone,
    },
    /// Legs that do not point down.
    #[error(
        "the knees are not below the hips in rest pose (up must be +Y); check the map, or turn the model"
    )]
    NotUpright,
    /// A setting of the drive out of its range.
    #[error(transparent)]
    Setting(#[from] TextErrors),
    /// A curve that does not rise in angle; a set that was made by [`MuscleSet::place`](super::MuscleSet::place) has none such.
    #[error("{muscle}: {source}")]
    Curve {
        /// With its side.
        muscle: String,
        /// What is wrong.
        source: CurveError,
    },
    /// Lists of points of different lengths.
    #[error(
        "found {positions} positions, {depths} depths and {skin_distances} distances from the skin; give one of each per point"
    )]
    Lengths {
        /// How many.
        positions: usize,
        /// How many.
        depths: usize,
        /// How many.
        skin_distances: usize,
    },
    /// A point with a number that is infinite or not a number.
    #[error("point {point} has a position, depth or distance from the skin that is not finite")]
    NotFinite {
        /// From 0.
        point: usize,
    },
    /// A blur that is negative or not a number.
    #[error("the blur is {blur_m} m; use 0 or more")]
    Blur {
        /// As given.
        blur_m: f32,
    },
}

/// What a user should know of muscles that are there, or not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MuscleNote {
    /// A character without a bone that the muscle lies along.
    #[error("{muscle} is left out: the character has no {bone}")]
    LeftOut {
        /// With its side.
        muscle: String,
        /// The first bone that is missing.
        bone: HumanoidBone,
    },
    /// All places of a strip fell into one.
    #[error("strip {strip} of {muscle} is left out: its points coincide on this character")]
    NoLength {
        /// With its side.
        muscle: String,
        /// Which strip, from 0.
        strip: usize,
    },
    /// No skin where the muscle should be.
    #[error("{places} point(s) of {muscle} found no skin; the default thickness is used there")]
    NoSkin {
        /// With its side.
        muscle: String,
        /// How many places.
        places: usize,
    },
    /// A joint that should drive a muscle, on a character that has no bones for it.
    #[error("{muscle} does not follow {}: the character lacks the bones", .joint.name())]
    Idle {
        /// With its side.
        muscle: String,
        /// Of the muscle's side.
        joint: Joint,
    },
}
