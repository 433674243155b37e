//! How joints move, as a template says it. Angles are in degrees here, because people write these files.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// How a bone moves at its first joint, and what the skin does there.
///
/// Angles are those of [`crate::pose::JointPose`]: the same numbers on both sides are mirror images.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MotionText {
    /// By its name in the template.
    pub bone: String,
    /// Whether the joint is a ball: it twists about its own bone, and its skin swings aside as it bends. Else it twists about the bone
    /// before it.
    #[serde(default)]
    pub ball: bool,
    /// Least and greatest bend, degrees; −30 to 30 if not given.
    pub bend: Option<[f64; 2]>,
    /// Least and greatest turn aside, degrees; none if not given.
    pub aside: Option<[f64; 2]>,
    /// Least and greatest twist, degrees; none if not given.
    pub twist: Option<[f64; 2]>,
    /// Whether the skin folds at the joint's ring, as at an elbow, which lies in that ring. Else the ring turns as a whole.
    #[serde(default)]
    pub fold: bool,
    /// The share of the bend that the ring at the joint turns by, where it does not fold; ½ if not given.
    pub share: Option<f64>,
    /// The same for the turn aside; as `share` if not given.
    pub aside_share: Option<f64>,
    /// The source's p: how much the outside sharpens until 90°.
    #[serde(default)]
    pub roundness: f64,
    /// Factor on the outside's distance from the joint at 90°; 1 if not given.
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
    /// The patch: `tube/bay/number`, as patches are named.
    pub patch: String,
    /// How far its middle rises at 90°, metres; negative is hollow.
    pub height: f64,
}

/// The shape of a fill when a joint has turned by 90°. What is not given stays as in rest.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BentFillText {
    /// By its name in the template.
    pub fill: String,
    /// The angle that counts; the bend if not given.
    #[serde(default)]
    pub way: BentWay,
    /// The source's H: push of the center outward, metres.
    pub height: Option<f64>,
    /// The source's S: factor on the spokes.
    pub spread: Option<f64>,
    /// How far inside the center lies, in half legs.
    pub center: Option<f64>,
    /// Shift of the center, metres.
    pub shift: Option<DVec3>,
}

/// Which way a joint turns.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BentWay {
    /// A positive bend.
    #[default]
    Bend,
    /// A negative bend.
    Back,
    /// A positive turn aside.
    Aside,
    /// A negative turn aside.
    Inward,
}
