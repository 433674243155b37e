//! Motions for files: whom they move, how they are read, and how they are written.
//!
//! ```
//! use sinew::motion::{Mover, gait_clip, GaitSettings};
//! use sinew::{Model, rig::samples};
//!
//! let mover = Mover::new(Model::new(samples::figure()), None, &mut Default::default())?;
//! let clip = gait_clip(&mover.humanoid, &GaitSettings::walk())?;
//! assert!(clip.duration_secs() > 3.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod map_file;
mod mover;
mod save;

pub use map_file::{MapFileError, map_from_toml, map_to_toml};
pub use mover::{MapOrigin, Mover, MoverError, humanoid_map, standard_body};
pub use save::{MotionSaveError, with_clip};
pub use sinew_motion::{
    BakeSettings, Gait, GaitError, GaitKind, GaitSettings, Humanoid, HumanoidError, Personality, SpeedKey, gait_clip,
};
