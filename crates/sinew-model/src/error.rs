//! Why files cannot be read or written, and what is wrong with texts that a person writes.

use sinew_io::bvh::BvhReadError;
#[cfg(feature = "files")]
use sinew_io::{FolderError, OutputError};
use sinew_io::{ObjReadError, ObjWriteError, ReadGltfError, TetReadError, WriteGltfError};
use sinew_mmd::MmdReadError;
use sinew_mmd::pmd::PmdLimitError;
use sinew_mmd::pmx::{ReadPmxError, WritePmxError};
use sinew_motion::HumanoidError;
use sinew_rig::{FindError, HumanoidMapError, InvalidCharacter};
use sinew_skin::MethodError;
use std::fmt::Display;
use std::path::PathBuf;

const WRITTEN_MODELS: &str = ".glb, .gltf, .vrm, .pmx, .pmd and .obj";
/// A skeleton with its motion can be read as a model; as a motion it is written by `motion`.
const READABLE_MODELS: &str = ".glb, .gltf, .vrm, .fbx, .pmx, .pmd, .obj and .bvh";
const KNOWN_TETS: &str = ".node, .ele, .msh and .vtk";

/// Why a file cannot be opened: a model, a motion or tetrahedra.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum OpenError {
    /// The file itself cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no file.
    #[error("this is a folder, not a model file")]
    IsFolder,
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// A file that a person writes is something else.
    #[error("expected a text file, found {found}")]
    NotText { found: &'static str },
    /// Larger than the memory limit.
    #[error("the file has {bytes} bytes, more than the memory limit of {limit}")]
    TooLarge { bytes: u64, limit: u64 },
    /// The folder it lies in cannot be read.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A broken glTF file.
    #[error(transparent)]
    Gltf(#[from] ReadGltfError),
    /// A broken OBJ file.
    #[error(transparent)]
    Obj(#[from] ObjReadError),
    /// A broken FBX file.
    #[cfg(feature = "fbx")]
    #[error(transparent)]
    Fbx(#[from] sinew_io::ReadFbxError),
    /// FBX in a build without its reader.
    #[cfg(not(feature = "fbx"))]
    #[error(
        "this build cannot read .fbx; build Sinew with the feature \"fbx\", or convert the model to .glb"
    )]
    WithoutFbx,
    /// A broken PMX file.
    #[error(transparent)]
    Pmx(#[from] ReadPmxError),
    /// A broken PMD or VMD file.
    #[error(transparent)]
    Mmd(#[from] MmdReadError),
    /// A broken BVH file.
    #[error(transparent)]
    Bvh(#[from] BvhReadError),
    /// The parts of a file do not make a character.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
    /// Broken tetrahedra.
    #[error(transparent)]
    Tets(#[from] TetReadError),
    /// A scale that no number can hold.
    #[error("the scaled model is invalid; use another --scale: {0}")]
    Scaled(InvalidCharacter),
    /// Neither by name nor by content a known model.
    #[error("{} is not a known kind of model{}; known are {READABLE_MODELS}", kind_text(.extension), purpose(.extension))]
    UnknownKind { extension: String },
    /// An extension that no format of tetrahedra has.
    #[error("{extension:?} is not a known kind of tetrahedra; known are {KNOWN_TETS}")]
    UnknownTets { extension: String },
    /// One of the files that belong together.
    #[error("{path:?}: {source}")]
    At { path: PathBuf, source: Box<OpenError> },
}

/// What a file is for that is no model.
fn purpose(extension: &str) -> &'static str {
    match extension {
        ".vmd" | ".bvh" | ".vrma" => " but a motion",
        ".vpd" | ".json" => " but a pose or data",
        ".toml" => " but a scene or settings",
        ".png" | ".jpg" | ".jpeg" | ".gif" | ".mp4" => " but a picture or film",
        ".npy" | ".pc2" | ".usda" => " but a cache of vertices",
        _ => "",
    }
}

/// An extension with its dot, which may be all that there is.
fn kind_text(extension: &str) -> String {
    if extension == "." { "a name without an extension".to_owned() } else { format!("{extension:?}") }
}

/// Why a model, a motion or tetrahedra cannot be saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SaveError {
    /// An extension that no writer of models has.
    #[error("cannot write {}; known are {WRITTEN_MODELS}", kind_text(.extension))]
    UnknownKind { extension: String },
    /// A format that is only read.
    #[error(
        "cannot write \".fbx\", only read it; write a .glb, which Blender, Unity, Unreal and Godot import"
    )]
    FbxIsReadOnly,
    /// An extension that no writer of motions has.
    #[error("cannot write {}; known are .glb, .gltf, .vrm, .bvh, .vmd, .toml and .json", kind_text(.extension))]
    UnknownMotion { extension: String },
    /// An extension that no format of tetrahedra has.
    #[error("{extension:?} is not a known kind of tetrahedra; known are {KNOWN_TETS}")]
    UnknownTets { extension: String },
    /// The file cannot be written.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Output(#[from] OutputError),
    /// More than a `.glb` holds, or the model lost something that its file may need.
    #[error(transparent)]
    Update(#[from] WriteGltfError),
    /// Bones that VRM requires.
    #[error("a .vrm needs a human skeleton; missing: {missing}; write .glb instead")]
    NoVrm { missing: String },
    /// Bones that do not make a human.
    #[error("a .vrm needs a human skeleton: {0}; or write .glb")]
    NotHuman(HumanoidError),
    /// Shapes without a skeleton.
    #[error("a .vrm holds a human with a skeleton, which this is not; write .glb instead")]
    NoAvatar,
    /// An OBJ file.
    #[error(transparent)]
    Obj(#[from] ObjWriteError),
    /// A PMX file.
    #[error(transparent)]
    Pmx(#[from] WritePmxError),
    /// A PMD file.
    #[error(transparent)]
    Pmd(#[from] PmdLimitError),
    /// The posed shape left the range of numbers.
    #[error("the posed shape cannot be written: {0}")]
    Invalid(#[from] InvalidCharacter),
    /// The motion left the range of numbers.
    #[error("the motion cannot be written: {0}")]
    InvalidMotion(InvalidCharacter),
    /// A file of the model that would replace one of the user's.
    #[error(
        "{path:?} exists and is not the file that the model uses; move it away, or write to another folder"
    )]
    WouldReplace { path: PathBuf },
}

/// What is wrong with a text that a person writes: poses, skins, boxes, maps of bones, paths, key frames.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TextError {
    /// Not TOML or JSON, or other members than expected.
    #[error("{message}")]
    Syntax { message: String },
    /// A pose: a name that is not in the model, or there more than once.
    #[error("{0}")]
    Find(#[from] FindError),
    /// A pose: one bone or morph addressed twice.
    #[error("{first:?} and {second:?} are the same {kind}; keep one")]
    Twice { kind: &'static str, first: String, second: String },
    /// A pose: a rotation without length.
    #[error("bone {name:?}: the rotation has no length; [0, 0, 0, 1] changes nothing")]
    ZeroRotation { name: String },
    /// A pose: a number that is too large.
    #[error("{name:?}: the values must be finite")]
    NotFinite { name: String },
    /// A skin: an unknown method of the model.
    #[error("skin.method: {0}")]
    Method(#[from] MethodError),
    /// A skin: an unknown method of joints.
    #[error("skin.joints.{pattern:?}: {error}")]
    Joint { pattern: String, error: MethodError },
    /// A skin: a range with NaN or infinity.
    #[error("skin.ranges.{pattern:?}: the numbers must be finite")]
    Range { pattern: String },
    /// Boxes: none at all.
    #[error("there is no [[box]] in it")]
    NoBox,
    /// Boxes: one with NaN or infinity.
    #[error("the box of {bone:?} is not finite")]
    Box { bone: String },
    /// A map: unknown names.
    #[error("{}", lines(.0))]
    Map(Vec<HumanoidMapError>),
}

impl TextError {
    /// What a parser says.
    pub(crate) fn syntax(error: impl Display) -> Self {
        Self::Syntax { message: error.to_string() }
    }
}

/// One error a line.
pub(crate) fn lines(errors: &[impl Display]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
