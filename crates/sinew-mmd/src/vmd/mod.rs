//! VMD motions, in raw form.
//!
//! All values are MMD's own (left-handed, 1 unit = 0.08 m, 30 fps). Keys are in any order, and names are the first bytes of their CP932
//! form. [`Vmd::to_clip`] makes a clip of a character, and [`Vmd::from_clip`] is the reverse.

mod curves;
mod from_clip;
mod keys;
mod read;
mod timeline;
mod to_clip;

pub use curves::{BoneCurves, CameraChannel, CameraCurves, PhysicsSwitch, ShiftOrTurn, VmdCurve};
pub use keys::{
    VmdBoneKey, VmdCameraKey, VmdLightKey, VmdMorphKey, VmdPropertyKey, VmdReachSwitch, VmdShadowKey,
};

use super::cp932::FixedText;

/// A VMD file. Default: an empty one of version 2 with all lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vmd {
    /// Five bytes after the signature; the first is 0 in valid files, the rest may be anything.
    pub signature_padding: [u8; 5],
    /// The model it was made for; its length depends on the file's version.
    pub model_name: VmdModelName,
    /// Bones, in any order.
    pub bones: Vec<VmdBoneKey>,
    /// Morphs, in any order.
    pub morphs: Vec<VmdMorphKey>,
    /// The camera, in any order; see [`Vmd::camera_keys`].
    pub cameras: Vec<VmdCameraKey>,
    /// The light, in any order.
    pub lights: Vec<VmdLightKey>,
    /// Self-shadow, in any order.
    pub shadows: Vec<VmdShadowKey>,
    /// Visibility and IK switches, in any order.
    pub properties: Vec<VmdPropertyKey>,
    /// The last list in the file, even if empty: old programs end their files early. A later list with keys is written nevertheless.
    pub last_list: VmdList,
    /// Bytes after the last list.
    pub trailing: Vec<u8>,
}

/// The lists of keys, in the file's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum VmdList {
    /// [`Vmd::bones`], which every file has.
    Bones,
    /// [`Vmd::morphs`].
    Morphs,
    /// [`Vmd::cameras`].
    Cameras,
    /// [`Vmd::lights`].
    Lights,
    /// [`Vmd::shadows`].
    Shadows,
    /// [`Vmd::properties`], which MMD writes since version 7.40.
    #[default]
    Properties,
}

/// Name of the model that a motion was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VmdModelName {
    /// Version 1, before MMD had several models. Everything else is the same in both.
    Short(FixedText<10>),
    /// Version 2.
    Long(FixedText<20>),
}

impl VmdModelName {
    /// The name as text.
    pub fn decode(&self) -> String {
        match self {
            Self::Short(name) => name.decode(),
            Self::Long(name) => name.decode(),
        }
    }
}

impl Default for VmdModelName {
    fn default() -> Self {
        Self::Long(FixedText::default())
    }
}

impl Vmd {
    /// The camera keys by frame; of several at one frame the last in the file.
    pub fn camera_keys(&self) -> Vec<VmdCameraKey> {
        let mut keys = self.cameras.clone();
        timeline::sort_last_wins(&mut keys, |key| key.frame);
        keys
    }
}

/// Start of the signature; five more bytes follow.
const SIGNATURE_OLD: &[u8; 25] = b"Vocaloid Motion Data file";
const SIGNATURE: &[u8; 25] = b"Vocaloid Motion Data 0002";
