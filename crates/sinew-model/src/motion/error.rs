//! Why a model does not get a motion.

use crate::error::lines;
use crate::{OpenError, SaveError, TextError};
use sinew_io::bvh::BvhReadError;
use sinew_motion::{GaitError, HumanoidError, KeyClipError, QuadrupedError, RetargetError, SequenceError};
use sinew_rig::{FindError, InvalidCharacter};

/// Why a word or a file does not move a character.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MotionLoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Not BVH.
    #[error(transparent)]
    Bvh(#[from] BvhReadError),
    /// No key frames.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Key frames that do not fit.
    #[error("{}", lines(.0))]
    KeyClip(Vec<KeyClipError>),
    /// The skeleton of the motion is no human's.
    #[error("the motion's skeleton: {0}")]
    Source(HumanoidError),
    /// Numbers out of range.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
    /// The motion cannot be taken over.
    #[error(transparent)]
    Retarget(#[from] RetargetError),
    /// VMD names bones that this model lacks.
    #[error("none of the motion's bones is in the model; VMD names the bones of MMD's models")]
    NoVmdBones,
    /// A model without clips.
    #[error("the file has no clips")]
    NoClips,
    /// A model with several clips, none of which is named.
    #[error("the file has {count} clips; choose one with \"#\" and its name after the file: {names}")]
    WhichClip { count: usize, names: String },
    /// No clip of that name.
    #[error("{source}; the file has {names}")]
    Clip { source: FindError, names: String },
    /// A clip of another model that moves nothing.
    #[error("the clip moves no bone of this character, which has no bones {names}")]
    NoBone { names: String },
    /// Not a motion by its name.
    #[error(
        "unknown motion {name:?}; use walk, run, gait, jump, stand, sit, rise, trot, map, or a file: .toml, .json, .bvh, .vmd, .vrma, .glb, .gltf, .vrm or .fbx{}",
        .near.as_ref().map_or_else(String::new, |near| format!(" (did you mean {near:?}?)"))
    )]
    UnknownKind { name: String, near: Option<String> },
    /// Bones of a human are missing.
    #[error("{motion} is made for humans: {source}")]
    Humanoid { motion: String, source: HumanoidError },
    /// Not four legs.
    #[error(transparent)]
    Quadruped(#[from] QuadrupedError),
    /// Motions that cannot follow or cover each other so.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// It cannot walk, run or jump so.
    #[error(transparent)]
    Gait(#[from] GaitError),
    /// It cannot walk, run or jump so.
    #[error("{motion}: {source}")]
    Made { motion: String, source: GaitError },
    /// It cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// A gait without a way.
    #[error("motion \"gait\" needs a path file")]
    NeedsPath,
}
