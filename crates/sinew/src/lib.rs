//! Sinew turns a skeleton's motion into believable skin.
//!
//! This crate joins the others and holds the pipelines that need more than one of them. A tour, in the order of use:
//!
//! 1. [`rig`]: the format-neutral [`rig::Character`], its poses and clips.
//! 2. [`io`]: files in and out of it.
//! 3. [`skin`]: the methods that deform it.
//! 4. [`render`]: pictures of it.
//! 5. [`human`] and [`body`]: a human from measures, when there is no file.
//! 6. [`motion`] and [`film`]: walking, running, jumping, key frames, motions taken over from others; films of whole scenes.
//! 7. [`tets`]: tetrahedra around a character, for soft bodies.
//! 8. [`elastic`]: scenes of soft bodies that follow examples.
//! 9. [`anatomy`] and [`flesh`]: what lies inside a character.
//! 10. [`fit`]: helper bones that play any of it in every engine.
//!
//! ```
//! use sinew::{PoseChoice, Frames, PosedCharacter, rig::{samples, Pose}, skin::Method};
//!
//! let character = samples::limb(16, 24);
//! let frames = Frames::new(&character, &PoseChoice::ClipAt { clip: "bend".into(), time_secs: 1.0 })?;
//! let mut posed = PosedCharacter::bind(&character, Method::Lbs);
//! let mut pose = Pose::rest(&character);
//! frames.pose_into(0, &mut pose);
//! posed.set(&pose);
//! // Bent by 90°, the limb is as deep as it is high.
//! assert!(posed.bounds().size().z > 0.25);
//! # Ok::<(), sinew::PoseChoiceError>(())
//! ```

pub use sinew_body as human;
pub use sinew_geometry as geometry;
pub use sinew_io as io;
pub use sinew_render as render;
pub use sinew_rig as rig;
pub use sinew_skin as skin;
pub use sinew_soft as soft;

pub mod anatomy;
pub mod body;
mod chart;
pub mod compare;
pub mod demo;
pub mod elastic;
pub mod export;
pub mod figures;
pub mod film;
pub mod fit;
pub mod flesh;
mod for_gltf;
mod frames;
pub mod helper_rig;
pub mod inspect;
mod model;
pub mod motion;
pub mod moving;
pub mod picture;
mod point_cache;
mod pose_file;
mod posed;
pub mod rigging;
mod scene_text;
mod screen;
mod skin_choice;
mod skin_file;
pub mod tets;
pub mod video;

pub use frames::{Frames, PoseChoice, PoseChoiceError};
pub use model::{Document, Model, OpenError, SaveError, extension_of, read_limited};
pub use pose_file::{BoneChange, Entries, PoseFile, PoseFileError};
pub use posed::PosedCharacter;
pub use skin_choice::{SkinChoice, SkinChoiceErrors};
pub use skin_file::{SkinFile, SkinFileError};

/// The README's code is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
