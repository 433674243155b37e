//! Why a rig could not be fitted, put on, or written.

use glam::{DVec3, Vec3};
use sinew_fit::{ControllersError, HelperError};
use sinew_geometry::progress::Interrupted;
use sinew_io::{OutputError, PointsReadError};
use sinew_model::{OpenError, PaintError, SaveError, SettingError, SkinChoiceErrors, TextError};
use sinew_rig::{FindError, InvalidCharacter};
use std::path::PathBuf;

/// Why a fit gave no rig.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FitError {
    /// Files with examples.
    #[error(transparent)]
    Examples(#[from] ExampleFileError),
    /// The character, or the rig on it.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// Helper bones, controllers, lag and swing.
    #[error(transparent)]
    Helpers(#[from] HelperError),
    /// A clip that is not there.
    #[error(transparent)]
    Clip(#[from] FindError),
    /// How the skin moves.
    #[error(transparent)]
    Skin(#[from] SkinChoiceErrors),
    /// Patches that the model does not have.
    #[error(transparent)]
    Patches(#[from] sinew_play::patches::PatchesError),
    /// Flesh.
    #[error(transparent)]
    Flesh(#[from] sinew_flesh::FleshRigError),
    /// What the flesh is made of.
    #[error(transparent)]
    Preset(#[from] sinew_flesh::config::UnknownPreset),
    /// A model that cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// Another file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A pattern for joints that names none.
    #[error("joints {pattern:?}: no bone of that name moves skin")]
    Joints { pattern: String },
    /// A pattern for locked bones that names none.
    #[error("locked bones {pattern:?}: no bone of that name moves skin")]
    LockedBones { pattern: String },
    /// A pattern for bones that slide that names none.
    #[error("shifts {pattern:?}: no bone of that name moves skin")]
    Shifts { pattern: String },
    /// Bones that slide without poses in which they do.
    #[error("shifts need poses in which bones slide; name a clip, or give shapes with poses")]
    StillShifts,
    /// A pattern for shape keys that names none.
    #[error("shape keys {pattern:?}: the model has no key of that name")]
    Keys { pattern: String },
    /// Vertices that should keep their weights.
    #[error("locked paint {from:?}: {source}")]
    Paint { from: String, source: PaintError },
    /// Nothing to fit.
    #[error("none of the requested joints bends skin")]
    NoRegion,
    /// Nothing to suggest.
    #[error("none of the requested joints bends skin; there are no poses to suggest")]
    NoSuggestion,
    /// Both sides alike where they cannot be.
    #[error("the fit cannot be symmetric: {what} symmetric")]
    Symmetric { what: &'static str },
    /// A number of helpers to be found without poses to judge by.
    #[error("the number of helpers cannot be found from clips and shapes; give a number")]
    AutoHelpers,
    /// Flesh without a motion.
    #[error("flesh needs a motion; name a clip")]
    NoClip,
    /// Shapes of several clips.
    #[error("shapes must be the frames of one clip")]
    SeveralClips,
    /// A shape without pose.
    #[error("shape {name:?} has no pose; put {name}.json beside it")]
    NoPose { name: String },
    /// A pose that is not of this model.
    #[error("the pose of {name:?}: {}", .errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Pose { name: String, errors: Vec<TextError> },
    /// More or fewer shapes than frames.
    #[error("{found} shapes, but the clip {clip:?} has {expected} frames at {fps} fps")]
    FrameCount { found: usize, clip: String, expected: usize, fps: f64 },
    /// Examples to measure on that are of another skin: vertices and bones, those to measure on and those that are fitted.
    #[error("expected {2} vertices and {3} bones as in the fit, found {0} and {1} to measure on", .found.0, .found.1, .expected.0, .expected.1)]
    HeldOut { found: (usize, usize), expected: (usize, usize) },
    /// Correctives without helpers.
    #[error("the fit made no helpers, and correctives need helpers to follow")]
    NothingToFollow,
    /// Correctives in a file that has no morphs.
    #[error("correctives are morph targets; .json cannot store them")]
    CorrectivesInJson,
    /// A `.pmx` of a fit that was not made for it.
    #[error("the fit has no bones that follow others, which .pmx needs; ask for MMD's before fitting")]
    NotForMmd,
    /// Correctives for MMD.
    #[error("correctives follow controllers, which .pmx cannot store; use .glb, or leave them out")]
    CorrectivesInMmd,
    /// Too many examples of too many vertices.
    #[error(
        "correctives of {examples} examples need {needed} bytes, the limit is {allowed}; use fewer poses"
    )]
    CorrectiveMemory { examples: u64, needed: u64, allowed: u64 },
    /// A file with an interrupted fit.
    #[error("{}: {why}", path.display())]
    Saved { path: PathBuf, why: String },
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
}

impl From<Interrupted> for FitError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// Why a character cannot be fitted, or cannot have a fit's helpers and correctives.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RigError {
    /// No skin at all.
    #[error("no mesh of the model is skinned; bind one to bones first, or name another model")]
    NoSkin,
    /// A bone that no mesh is bound to.
    #[error("bone {name:?} moves no mesh; a driver must be a joint of a skin")]
    NoJoint { name: String },
    /// Meshes that disagree about how bones stood.
    #[error(
        "bone {name:?} has different bind matrices in two meshes; give both the same bind pose, or join them"
    )]
    RestPoses { name: String },
    /// A vertex without mirror image.
    #[error("vertex {vertex} at {place} has no mirror image across x = 0")]
    MirrorVertex { vertex: usize, place: Vec3 },
    /// A bone without mirror image.
    #[error("driver {driver} at {place} has no mirror image across x = 0")]
    MirrorDriver { driver: usize, place: DVec3 },
    /// Weights that differ from those of the mirror image; the vertex where they do most.
    #[error(
        "weights differ from those of the mirror image across x = 0, at vertex {vertex} ({place}) by {difference:.2}"
    )]
    MirrorWeights { vertex: usize, place: Vec3, difference: f64 },
    /// Functions that depend on all inputs, in several regions.
    #[error("radial functions work for one region only; use polynomials, or fit one region")]
    Radial,
    /// One driver that two regions see differently.
    #[error("driver {driver} has different inputs in two regions")]
    Inputs { driver: usize },
    /// More functions than files can count.
    #[error("more than 65,535 functions; lower the degree or fit fewer joints")]
    TooManyFunctions,
    /// The controllers.
    #[error(transparent)]
    Controllers(#[from] ControllersError),
    /// It has some already.
    #[error("the character already has helpers with controllers; fit the model it was made from")]
    HasControllers,
    /// Nothing that could drive correctives.
    #[error("the character has no controllers for correctives to follow; fit helpers first")]
    NoControllers,
    /// Nothing to learn from.
    #[error("no examples")]
    NoExamples,
    /// Lists of the wrong length.
    #[error("expected {expected} {what}, found {found}")]
    Count { what: &'static str, found: usize, expected: usize },
    /// An example of another character.
    #[error("example {example} has {found} {what}, the character has {expected}")]
    Example { example: usize, what: &'static str, found: usize, expected: usize },
    /// A vertex that is nowhere, in the order of [`BoundSurface`](sinew_rig::BoundSurface).
    #[error("example {example}: vertex {vertex} is not finite")]
    NotFinite { example: usize, vertex: usize },
    /// A mesh that is in several places.
    #[error("mesh {mesh:?} is used by several nodes; correctives would show on all of them")]
    Shared { mesh: String },
    /// A parent in whose frame a helper, counted from 1 as in its name, cannot be animated.
    #[error(
        "helper {helper} is a child of bone {bone:?}, which was bound with shear; a clip cannot animate it there"
    )]
    Shear { helper: usize, bone: String },
    /// The settings.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The parts do not make a character.
    #[error(transparent)]
    Character(#[from] InvalidCharacter),
}

/// Why files hold no examples.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ExampleFileError {
    /// An array of a folder that cannot be opened.
    #[error(
        "{path:?}: {source}; a folder of examples holds rest, faces, parents, bone_rest_world, bone_world, bone_local_quat and verts, each .npy"
    )]
    Folder { path: PathBuf, source: OpenError },
    /// A file that cannot be opened.
    #[error("{path:?}: {source}")]
    Open { path: PathBuf, source: OpenError },
    /// A file without points or numbers.
    #[error("{path:?}: {source}")]
    Points { path: PathBuf, source: PointsReadError },
    /// A pose file that is none.
    #[error("{path:?}: {source}")]
    Pose { path: PathBuf, source: TextError },
    /// A pose without shape.
    #[error("{path:?}: the pose has no shape; put one beside it, or give weights of shape keys (\"morphs\")")]
    NoShape { path: PathBuf },
    /// An array of another shape.
    #[error("{path:?} has the shape {found:?}; {expected}")]
    Shape { path: PathBuf, found: Vec<usize>, expected: String },
    /// A number that means nothing there; counted from 0, last axis fastest.
    #[error("{path:?}: entry {at} is {value}; {expected}")]
    Value { path: PathBuf, at: usize, value: f64, expected: String },
    /// A rest matrix without inverse.
    #[error("{path:?}: the matrix of bone {bone} has no inverse")]
    Singular { path: PathBuf, bone: usize },
    /// Another number of vertices.
    #[error(
        "{path:?} has {found} vertices, the model has {expected}; export it with the model's own vertices, in order"
    )]
    VertexCount { path: PathBuf, found: usize, expected: usize },
    /// Nothing there.
    #[error(
        "{path:?} is not a shape; use a folder of .obj, .glb, .gltf or .npy files, or a .npy, .pc2 or .usda cache"
    )]
    Empty { path: PathBuf },
}
