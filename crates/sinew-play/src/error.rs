//! Why frames of a surface cannot be made or written.

use sinew_geometry::progress::Interrupted;
use sinew_io::{OutputError, PointsWriteError};
use sinew_model::{SaveError, SkinChoiceErrors};
use sinew_rig::InvalidCharacter;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Why frames of a surface cannot be made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TakeError {
    /// A model, pose, motion or skin file that cannot be used.
    #[error("{}: {source}", .path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What its reader says.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Rules of skinning that name no bone.
    #[error(transparent)]
    Skin(#[from] SkinChoiceErrors),
    /// A rate that is none.
    #[error("invalid frame rate {0}; use a number above 0")]
    Rate(f64),
    /// No frames.
    #[error("no frames to write")]
    Empty,
    /// A frame of another surface.
    #[error("frame {frame} has {found} vertices, {whose} {expected}")]
    VertexCount {
        /// The frame.
        frame: usize,
        /// Its vertices.
        found: usize,
        /// "the meshes have" or "the character has".
        whose: &'static str,
        /// Vertices of the surface.
        expected: usize,
    },
    /// A vertex that left the range of numbers.
    #[error("frame {frame}: vertex {vertex} is not finite{why}")]
    NotFinite {
        /// The frame.
        frame: usize,
        /// The vertex.
        vertex: usize,
        /// What follows in the sentence; may be empty.
        why: &'static str,
    },
    /// An extension that cannot hold what is asked for.
    #[error("cannot write {what} as {extension:?}; known are {known}")]
    UnknownKind {
        /// "one pose", "a whole clip" or "a recording".
        what: &'static str,
        /// The extension asked for.
        extension: String,
        /// Those that can.
        known: &'static str,
    },
    /// A second file of normals where the format has its own place for them, or none.
    #[error("normals go to a second file with .npy only; {extension:?} {has}")]
    NormalsElsewhere {
        /// The extension asked for.
        extension: String,
        /// "has its own normals" or "holds no normals".
        has: &'static str,
    },
    /// A second file of bones beside another format.
    #[error("bones go to a second file with .npy only, not {extension:?}")]
    BonesElsewhere {
        /// The extension asked for.
        extension: String,
    },
    /// Meshes or morphs that make no character.
    #[error(transparent)]
    Character(#[from] InvalidCharacter),
    /// A model format.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The points of a cache cannot be written.
    #[error(transparent)]
    Points(#[from] PointsWriteError),
    /// The caller stopped the job.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl TakeError {
    /// Says which input file an error is about.
    pub(crate) fn at<E: Error + Send + Sync + 'static>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Input { path, source: source.into() }
    }
}
