//! The keys of VMD files.

use super::{BoneCurves, CameraCurves};
use crate::cp932::FixedText;

/// How a bone stands at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdBoneKey {
    /// The bone; only so much of its name.
    pub name: FixedText<15>,
    /// 30 a second.
    pub frame: u32,
    /// From where it rests.
    pub shift: [f32; 3],
    /// x, y, z, w; need not be unit, and all zeros is no turn.
    pub rotation: [f32; 4],
    /// How it gets here from the key before.
    pub curves: BoneCurves,
}

/// How much of a morph shows at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdMorphKey {
    /// The morph; only so much of its name.
    pub name: FixedText<15>,
    /// 30 a second.
    pub frame: u32,
    /// 0 for nothing, 1 for all.
    pub weight: f32,
}

/// How the camera stands at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdCameraKey {
    /// 30 a second.
    pub frame: u32,
    /// From the target to the camera; negative in front of it.
    pub distance: f32,
    /// What it looks at.
    pub target: [f32; 3],
    /// About x, y and z, radians.
    pub angles_rad: [f32; 3],
    /// How it gets here from the key before. Between keys one frame apart it jumps.
    pub curves: CameraCurves,
    /// The angle of view from bottom to top, degrees.
    pub view_degrees: u32,
    /// 0 with perspective.
    pub perspective_off: u8,
}

/// The light at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdLightKey {
    /// 30 a second.
    pub frame: u32,
    /// Red, green, blue.
    pub color: [f32; 3],
    /// Where it shines to.
    pub direction: [f32; 3],
}

/// The shadow of the model on itself at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdShadowKey {
    /// 30 a second.
    pub frame: u32,
    /// 0 off, 1 or 2 for MMD's two kinds.
    pub mode: u8,
    /// How far it goes: MMD shows 10,000 − 100,000 times this.
    pub distance: f32,
}

/// Whether the model is seen and which chains reach, from a frame on.
#[derive(Clone, Debug, PartialEq)]
pub struct VmdPropertyKey {
    /// 30 a second.
    pub frame: u32,
    /// 0 for a model that is not seen.
    pub visible: u8,
    /// One for each chain that is switched.
    pub switches: Vec<VmdReachSwitch>,
}

/// Whether a chain reaches; in MMD "IK".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VmdReachSwitch {
    /// The bone that is reached for; only 15 bytes count.
    pub name: FixedText<20>,
    /// 0 for off.
    pub enabled: u8,
}
