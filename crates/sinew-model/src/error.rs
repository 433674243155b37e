//! Why files cannot be read or written, and what is wrong with texts that a person writes.

#[cfg(feature = "files")]
use sinew_io::{FolderError, OutputError};
use sinew_io::{ObjReadError, ObjWriteError, ReadGltfError, TetReadError, WriteGltfError};
use sinew_mmd::MmdReadError;
use sinew_mmd::pmd::PmdLimitError;
use sinew_mmd::pmx::{ReadPmxError, WritePmxError};
use sinew_rig::{FindError, HumanoidMapError, InvalidCharacter};
use sinew_skin::MethodError;
use std::fmt::Display;
use std::path::PathBuf;

const KNOWN_MODELS: &str = ".glb, .gltf, .vrm, .pmx, .pmd and .obj";
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
    /// A broken PMX file.
    #[error(transparent)]
    Pmx(#[from] ReadPmxError),
    /// A broken PMD or VMD file.
    #[error(transparent)]
    Mmd(#[from] MmdReadError),
    /// Broken tetrahedra.
    #[error(transparent)]
    Tets(#[from] TetReadError),
    /// Neither by name nor by content a known model.
    #[error("{extension:?} is not a known kind of model; known are {KNOWN_MODELS}")]
    UnknownKind { extension: String },
    /// An extension that no format of tetrahedra has.
    #[error("{extension:?} is not a known kind of tetrahedra; known are {KNOWN_TETS}")]
    UnknownTets { extension: String },
    /// One of the files that belong together.
    #[error("{path:?}: {source}")]
    At { path: PathBuf, source: Box<OpenError> },
}

/// Why a model, a motion or tetrahedra cannot be saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SaveError {
    /// An extension that no writer of models has.
    #[error("cannot write {extension:?}; known are {KNOWN_MODELS}")]
    UnknownKind { extension: String },
    /// An extension that no writer of motions has.
    #[error("cannot write {extension:?}; known are .glb, .gltf, .vrm, .bvh, .vmd, .toml and .json")]
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
