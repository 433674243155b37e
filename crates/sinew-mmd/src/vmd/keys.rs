//! The keys of VMD files.

use super::{BoneCurves, CameraCurves};
use crate::cp932::FixedText;

/// Pose of a bone at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdBoneKey {
    /// First 15 bytes of the bone's name.
    pub name: FixedText<15>,
    /// At 30 fps.
    pub frame: u32,
    /// Relative to rest.
    pub shift: [f32; 3],
    /// x, y, z, w; need not be unit; all zeros is the identity.
    pub rotation: [f32; 4],
    /// Interpolation from the previous key.
    pub curves: BoneCurves,
}

/// Weight of a morph at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdMorphKey {
    /// First 15 bytes of the morph's name.
    pub name: FixedText<15>,
    /// At 30 fps.
    pub frame: u32,
    /// From 0 to 1.
    pub weight: f32,
}

/// Camera at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdCameraKey {
    /// At 30 fps.
    pub frame: u32,
    /// From the target to the camera; negative in front of it.
    pub distance: f32,
    /// Position of the target.
    pub target: [f32; 3],
    /// About x, y and z, rad.
    pub angles_rad: [f32; 3],
    /// Interpolation from the previous key. Between keys one frame apart it jumps.
    pub curves: CameraCurves,
    /// Vertical field of view, °.
    pub view_degrees: u32,
    /// 0 with perspective.
    pub perspective_off: u8,
}

/// The light at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdLightKey {
    /// At 30 fps.
    pub frame: u32,
    /// Red, green, blue.
    pub color: [f32; 3],
    /// Direction of the light rays.
    pub direction: [f32; 3],
}

/// Self-shadow at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VmdShadowKey {
    /// At 30 fps.
    pub frame: u32,
    /// 0 off, 1 or 2 for MMD's two modes.
    pub mode: u8,
    /// Range: MMD shows 10,000 − 100,000 times this.
    pub distance: f32,
}

/// Visibility of the model and active IK chains, from a frame on.
#[derive(Clone, Debug, PartialEq)]
pub struct VmdPropertyKey {
    /// At 30 fps.
    pub frame: u32,
    /// 0: hidden.
    pub visible: u8,
    /// One for each switched chain.
    pub switches: Vec<VmdReachSwitch>,
}

/// Switch of an IK chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VmdReachSwitch {
    /// The goal bone; only 15 bytes are significant.
    pub name: FixedText<20>,
    /// 0: off.
    pub enabled: u8,
}
