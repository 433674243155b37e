//! What is wrong with muscles, and what is worth reporting about them.

use super::joint_angles::Joint;
use sinew_geometry::CurveError;
use sinew_rig::HumanoidBone;
use sinew_settings::TextErrors;

/// Why muscles cannot be placed, driven or laid into flesh. Numbers of things count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MuscleError {
    /// A description that makes no muscle. `name`: without its side.
    #[error("muscle {name:?}: {problem}")]
    Spec { name: String, problem: String },
    /// A name that no muscle has. `name`: as asked for. `nearest`: best first.
    #[error("unknown muscle {name:?}{}", if .nearest.is_empty() { String::new() } else { format!("; did you mean {}?", .nearest.join(" or ")) })]
    Unknown { name: String, nearest: Vec<String> },
    /// No legs that say where left is. `bone`: as VRM calls it.
    #[error("{bone} is unknown, so left and right are too; name it in the map")]
    BoneMissing { bone: HumanoidBone },
    /// Legs that do not point down.
    #[error(
        "the knees are not below the hips in rest pose (up must be +Y); check the map, or turn the model"
    )]
    NotUpright,
    /// A setting of the drive out of its range.
    #[error(transparent)]
    Setting(#[from] TextErrors),
    /// A curve that does not rise in angle; a set that was made by [`MuscleSet::place`](super::MuscleSet::place) has none such.
    /// `muscle`: with its side.
    #[error("{muscle}: {source}")]
    Curve { muscle: String, source: CurveError },
    /// Lists of points of different lengths.
    #[error(
        "found {positions} positions, {depths} depths and {skin_distances} distances from the skin; give one of each per point"
    )]
    Lengths { positions: usize, depths: usize, skin_distances: usize },
    /// A point with a number that is infinite or not a number.
    #[error("point {point} has a position, depth or distance from the skin that is not finite")]
    NotFinite { point: usize },
    /// A blur that is negative or not a number.
    #[error("the blur is {blur_m} m; use 0 or more")]
    Blur { blur_m: f32 },
}

/// What a user should know of muscles that are there, or not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MuscleNote {
    /// A character without a bone that the muscle lies along. `muscle`: with its side. `bone`: the first bone that is missing.
    #[error("{muscle} is left out: the character has no {bone}")]
    LeftOut { muscle: String, bone: HumanoidBone },
    /// All places of a strip fell into one. `muscle`: with its side. `strip`: which strip, from 0.
    #[error("strip {strip} of {muscle} is left out: its points coincide on this character")]
    NoLength { muscle: String, strip: usize },
    /// No skin where the muscle should be. `muscle`: with its side. `places`: how many places.
    #[error("{places} point(s) of {muscle} found no skin; the default thickness is used there")]
    NoSkin { muscle: String, places: usize },
    /// A joint that should drive a muscle, on a character that has no bones for it. `muscle`: with its side. `joint`: of the muscle's side.
    #[error("{muscle} does not follow {}: the character lacks the bones", .joint.name())]
    Idle { muscle: String, joint: Joint },
}
