//! Motions for humans of any rig: walking, running, jumping, key frames, and retargeting. Makes [`sinew_rig::Clip`]s. [`camera`] has paths,
//! follows, orbits, lenses and cuts.
//!
//! ```
//! use sinew_motion::{GaitSettings, Humanoid, gait_clip};
//! use sinew_rig::{guess_humanoid, samples};
//!
//! let character = samples::figure();
//! let humanoid = Humanoid::new(&character, &guess_humanoid(&character))?;
//! let clip = gait_clip(&humanoid, &GaitSettings { speed_m_s: 1.4, seconds: 2.0, ..GaitSettings::walk() })?;
//! assert!((clip.duration_secs() - 2.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bake;
pub mod camera;
mod curve;
mod gait;
mod human_keys;
mod humanoid;
mod jump;
mod key_clip;
mod key_feet;
mod leg_reach;
mod posture;
mod quadruped;
mod retarget;
mod sequence;
mod sole;

pub use bake::BakeSettings;
pub use gait::{Gait, GaitError, GaitKind, GaitSettings, GroundPath, Personality, SpeedKey, gait_clip};
pub use humanoid::{Ground, Humanoid, HumanoidError, HumanoidPose};
pub use jump::{Jump, JumpSettings};
pub use key_clip::{AxesChoice, EulerOrder, Key, KeyClip, KeyClipError, KeyEase, KeyTrack};
pub use key_feet::{FootKey, FootSide, FootTrack};
pub use posture::{Posture, PostureKind, PostureSettings};
pub use quadruped::{Quadruped, QuadrupedError, QuadrupedGait, QuadrupedGaitKind, QuadrupedSettings};
pub use retarget::{RetargetError, RetargetSettings, retarget};
pub use sequence::{DEFAULT_BLEND_SECS, Layer, Part, Sequence, SequenceError, mask, sequence};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
