//! Motions for files: whom they move, how they are read, and how they are written.
//!
//! ```
//! use sinew_model::Model;
//! use sinew_model::motion::{GaitSettings, Mover, gait_clip};
//! use sinew_rig::samples;
//!
//! let mover = Mover::new(Model::new(samples::figure()), None, &mut Default::default())?;
//! let clip = gait_clip(&mover.humanoid, &GaitSettings::walk())?;
//! assert!(clip.duration_secs() > 3.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "files")]
mod add;
#[cfg(feature = "files")]
mod animal;
mod choice;
mod clip_file;
mod error;
mod load;
mod map_file;
mod mover;
mod of_model;
mod path_file;
#[cfg(feature = "files")]
mod save;

pub use choice::{MotionChoice, MotionOver};
pub use clip_file::{key_clip_from_json, key_clip_from_toml, key_clip_to_toml};
pub use error::MotionLoadError;
#[cfg(feature = "files")]
pub use load::load_motion;
pub use load::motion_from_bytes;
pub use map_file::{map_from_toml, map_to_toml};
#[cfg(feature = "files")]
pub use mover::MotionOutcome;
pub use mover::{MapOrigin, Mover, humanoid_map, humanoid_of};
pub use of_model::{clip_of_model, some_names};
pub use path_file::PathFile;
#[cfg(feature = "files")]
pub use save::save_motion;
pub use sinew_motion::camera;
pub use sinew_motion::{
    BakeSettings, DEFAULT_BLEND_SECS, Gait, GaitError, GaitKind, GaitSettings, GroundPath, Humanoid,
    HumanoidError, HumanoidPose, Jump, JumpSettings, KeyClip, KeyClipError, Layer, Part, Personality,
    Posture, PostureKind, PostureSettings, Quadruped, QuadrupedError, QuadrupedGaitKind, QuadrupedSettings,
    RetargetError, RetargetSettings, Sequence, SequenceError, SpeedKey, gait_clip, mask, retarget, sequence,
};
