//! Sinew turns a skeleton's motion into believable skin.
//!
//! This crate joins the others: each of them is a module here, under its own name. Data goes one way, from file to picture or file:
//!
//! 1. [`io`] and [`mmd`]: files as they are.
//! 2. [`model`]: a [`Model`](model::Model) is a character with the file that it came from.
//! 3. [`rig`] and [`motion`]: the format-neutral [`rig::Character`], its poses and clips; walking, running, motions of others.
//! 4. [`skin`], [`body`], [`soft`], [`flesh`]: what deforms it.
//! 5. [`play`]: frames of a surface, to every file that holds them.
//! 6. [`fit`] and [`helpers`]: helper bones that play any of it in every engine.
//! 7. [`render`] and [`picture`]: pictures of it.
//! 8. [`scene`]: films, soft bodies, flesh and bodies, from a text to files.
//!
//! Each crate but `geometry`, `rig` and `skin` is a feature; all are on by default. Without default features nothing here needs files or
//! threads: `model` then opens and writes bytes, `files` adds the file system, `parallel` threads.
//!
//! ```
//! use sinew::model::{Frames, PoseChoice};
//! use sinew::rig::{Pose, samples};
//! use sinew::skin::{Method, PosedCharacter};
//!
//! let character = samples::limb(16, 24);
//! let frames = Frames::new(&character, &PoseChoice::ClipAt { clip: "bend".into(), time_secs: 1.0 })?;
//! let mut posed = PosedCharacter::bind(&character, Method::Lbs);
//! let mut pose = Pose::rest(&character);
//! frames.pose_into(0, &mut pose);
//! posed.set(&pose);
//! // Bent by 90°, the limb is as deep as it is high.
//! assert!(posed.bounds().size().z > 0.25);
//! # Ok::<(), sinew::model::PoseChoiceError>(())
//! ```

#[cfg(feature = "body")]
pub use sinew_body as body;
#[cfg(feature = "fit")]
pub use sinew_fit as fit;
#[cfg(feature = "flesh")]
pub use sinew_flesh as flesh;
pub use sinew_geometry as geometry;
#[cfg(feature = "helpers")]
pub use sinew_helpers as helpers;
#[cfg(feature = "io")]
pub use sinew_io as io;
#[cfg(feature = "mmd")]
pub use sinew_mmd as mmd;
#[cfg(feature = "model")]
pub use sinew_model as model;
#[cfg(feature = "motion")]
pub use sinew_motion as motion;
#[cfg(feature = "picture")]
pub use sinew_picture as picture;
#[cfg(feature = "play")]
pub use sinew_play as play;
#[cfg(feature = "render")]
pub use sinew_render as render;
pub use sinew_rig as rig;
#[cfg(feature = "scene")]
pub use sinew_scene as scene;
pub use sinew_skin as skin;
#[cfg(feature = "soft")]
pub use sinew_soft as soft;

/// The README's code is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of this crate's README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
