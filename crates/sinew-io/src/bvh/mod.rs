//! BVH: a hierarchy of joints and one row of angles per frame.
//!
//! [`Bvh`] is the file as it is: its own units, angles in degrees. [`Bvh::to_character`] makes a skeleton with a clip from it;
//! [`Bvh::from_clip`] is the reverse. Axes are as in Sinew: right-handed, +Y up.

mod from_clip;
mod read;
mod to_character;
mod write;

pub use read::BvhReadError;
pub use to_character::BvhScale;

use glam::DVec3;

/// A BVH file.
///
/// Invariant: parents come before children; `values` has one row of all channels per frame, all finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    joints: Vec<BvhJoint>,
    frame_secs: f64,
    values: Vec<f64>,
}

/// A joint and its channels.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhJoint {
    /// As in the file.
    pub name: String,
    /// Index of the parent joint.
    pub parent: Option<usize>,
    /// From the parent, in the file's units.
    pub offset: DVec3,
    /// In the order of the file, which is the multiplication order of rotations.
    pub channels: Vec<BvhChannel>,
    /// End site, if the file has one.
    pub end: Option<DVec3>,
}

/// One number of a joint in every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BvhChannel {
    /// Position along an axis (0 to 2), replacing the offset.
    Position(usize),
    /// Degrees about an axis (0 to 2).
    Rotation(usize),
}

const CHANNEL_NAMES: [&str; 6] =
    ["Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"];

impl BvhChannel {
    fn from_name(name: &str) -> Option<Self> {
        let place = CHANNEL_NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        Some(if place < 3 { Self::Position(place) } else { Self::Rotation(place - 3) })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Position(axis) => CHANNEL_NAMES[axis],
            Self::Rotation(axis) => CHANNEL_NAMES[3 + axis],
        }
    }
}

impl Bvh {
    /// Parents before children.
    pub fn joints(&self) -> &[BvhJoint] {
        &self.joints
    }

    /// Seconds from frame to frame.
    pub fn frame_secs(&self) -> f64 {
        self.frame_secs
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.values.len().checked_div(self.channel_count()).unwrap_or(0)
    }

    /// The values of a frame: all channels in the order of joints.
    ///
    /// # Panics
    /// If the frame is out of range.
    pub fn frame(&self, frame: usize) -> &[f64] {
        let count = self.channel_count();
        &self.values[frame * count..(frame + 1) * count]
    }

    fn channel_count(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }
}
