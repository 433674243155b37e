//! Motions of joints in a template. Angles are in °, because people write these files.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Motion of a bone at its first joint, and of the skin there.
///
/// Angles are those of [`crate::pose::JointPose`]: the same numbers on both sides are mirror images.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MotionText {
    /// Name in the template.
    pub bone: String,
    /// Whether the joint is a ball: it twists about its own bone, and its skin swings aside as it bends. Else it twists about its parent
    /// bone.
    #[serde(default)]
    pub ball: bool,
    /// Minimum and maximum bend, °; default −30 to 30.
    pub bend: Option<[f64; 2]>,
    /// Minimum and maximum sideways turn, °; default none.
    pub aside: Option<[f64; 2]>,
    /// Minimum and maximum twist, °; default none.
    pub twist: Option<[f64; 2]>,
    /// Whether the skin folds at the joint's ring, as at an elbow. Else the ring turns as a whole.
    #[serde(default)]
    pub fold: bool,
    /// Share of the bend that the ring at the joint turns by, if it does not fold; default ½.
    pub share: Option<f64>,
    /// The same for the sideways turn; default `share`.
    pub aside_share: Option<f64>,
    /// The source's p: sharpness of the outside at 90°.
    #[serde(default)]
    pub roundness: f64,
    /// Factor on the outside's distance from the joint at 90°; default 1.
    pub outside: Option<f64>,
    /// Muscles that swell as the joint bends.
    #[serde(default)]
    pub bulges: Vec<BulgeText>,
    /// Fills that change as the joint moves.
    #[serde(default)]
    pub fills: Vec<BentFillText>,
}

/// A muscle on a patch of a tube.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BulgeText {
    /// The patch: `tube/bay/number`, the name of the patch.
    pub patch: String,
    /// Rise of its middle at 90°, m; negative is hollow.
    pub height: f64,
}

/// The shape of a fill when a joint has turned by 90°. Missing values stay as in rest.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BentFillText {
    /// Name in the template.
    pub fill: String,
    /// The relevant angle; default the bend.
    #[serde(default)]
    pub way: BentWay,
    /// The source's H: outward push of the center, m.
    pub height: Option<f64>,
    /// The source's S: factor on the spokes.
    pub spread: Option<f64>,
    /// Distance of the center from the border, in half legs.
    pub center: Option<f64>,
    /// Shift of the center, m.
    pub shift: Option<DVec3>,
}

/// Direction of a joint's turn.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BentWay {
    /// A positive bend.
    #[default]
    Bend,
    /// A negative bend.
    Back,
    /// A positive sideways turn.
    Aside,
    /// A negative sideways turn.
    Inward,
}
