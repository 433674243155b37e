//! The format-neutral character: the result of every reader, and the input of every deformer, renderer and writer.
//!
//! A [`Character`] is built from [`CharacterParts`] and checked once; a constructed one is valid. A [`Pose`] has its requested bone
//! transforms and morph weights; an [`Evaluator`] applies the rig's own logic to it; a [`BoundSurface`] lays out all meshes as one list of
//! vertices in output order; a [`Deformer`] moves that list.
//!
//! ```
//! use sinew_rig::{samples, BoundSurface, Pose};
//!
//! let character = samples::limb(16, 24);
//! let bound = BoundSurface::of(&character);
//! let mut pose = Pose::rest(&character);
//! let elbow = character.skeleton().find("lower")?;
//! pose.turn(elbow, glam::Quat::from_rotation_x(1.0));
//! let posed_from_rest = bound.posed_from_rest(&character, &pose);
//! assert_eq!(posed_from_rest.len(), bound.palette().len());
//! # Ok::<(), sinew_rig::FindError>(())
//! ```

mod authored_body;
mod bake;
mod bake_helpers;
mod bind;
mod bound_surface;
mod character;
mod check_logic;
mod clip;
#[cfg(feature = "conformance")]
pub mod conformance;
mod controllers;
mod deformer;
mod evaluate;
mod find;
mod follow_through;
mod humanoid;
mod ids;
mod influences;
mod key_reduction;
mod logic;
mod material;
mod mesh;
mod morph;
mod pose;
mod problem;
pub mod samples;
mod scaled;
mod seamless_normals;
mod skeleton;
mod spherical;
mod springs;
mod straight_tracks;
mod surface;
mod without_logic;

pub use authored_body::AuthoredBody;
pub use bake::{bake, bake_clip};
pub use bake_helpers::{HelperBake, bake_helpers};
pub use bind::Bind;
pub use bound_surface::{BoundInstance, BoundSurface, PaletteEntry};
pub use character::{Character, CharacterParts, Instance};
pub use clip::{Channel, Clip, Easing, Interpolation, Track};
pub use controllers::{
    ControllerBasis, ControllerDriver, ControllerRun, DriverChange, HELPER_NUMBERS, HelperController,
    HelperControllers, MorphController, Swing, driver_change, driver_rotation, exp_quaternion, helper_change,
    log_quaternion,
};
pub use deformer::{Deformer, Workspace};
pub use evaluate::Evaluator;
pub use find::{FindError, did_you_mean, nearest_names, suggestion};
pub use follow_through::with_follow_through;
pub use humanoid::{HumanoidBone, HumanoidMap, HumanoidMapError, guess_humanoid};
pub use ids::{BindId, BoneId, ClipId, ImageId, InstanceId, MaterialId, MeshId};
pub use influences::{InfluenceCut, Influences, InfluencesBuilder};
pub use logic::{BoneLogic, BoneMorph, Follow, MorphEffect, Reach, ReachLink};
pub use material::{AlphaMode, Filter, Image, Material, TextureSlot, UvTransform, Wrap};
pub use mesh::{MaterialGroup, Mesh};
pub use morph::MorphTarget;
pub use pose::Pose;
pub use problem::{InvalidCharacter, Problem};
pub use seamless_normals::SeamlessNormals;
pub use skeleton::{Bone, LocalTransform, Skeleton};
pub use spherical::{AuthoredJoint, AuthoredRange, AuthoredSkin, FormerVertex, Spherical};
pub use springs::{
    ColliderGroup, ColliderShape, SPRING_FPS, SpringChain, SpringCollider, SpringJoint, SpringPlay,
    SpringRun, Springs, bake_springs, spring_tracks,
};
pub use surface::{Surface, SurfaceMut};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
