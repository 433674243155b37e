//! Why frames of a surface cannot be made or written.

use crate::patches::PatchesError;
use glam::Vec3;
use sinew_geometry::progress::Interrupted;
use sinew_io::{OutputError, PointsWriteError};
use sinew_model::{SaveError, SkinChoiceErrors};
use sinew_rig::InvalidCharacter;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Why frames of a surface cannot be made or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum TakeError {
    /// A model, pose, motion or skin file that cannot be used.
    #[error("{}: {source}", .path.display())]
    Input { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    /// Rules of skinning that name no bone.
    #[error(transparent)]
    Skin(#[from] SkinChoiceErrors),
    /// Patches that the model does not have.
    #[error(transparent)]
    Patches(#[from] PatchesError),
    /// A rate that is none.
    #[error("invalid frame rate {0}; use a number above 0")]
    Rate(f64),
    /// No frames.
    #[error("no frames to write")]
    Empty,
    /// A frame of another surface.
    #[error("frame {frame} has {found} vertices, {whose} {expected}")]
    VertexCount { frame: usize, found: usize, whose: &'static str, expected: usize },
    /// A vertex that left the range of numbers.
    #[error("frame {frame}: vertex {vertex} is not finite{why}")]
    NotFinite { frame: usize, vertex: usize, why: &'static str },
    /// An extension that cannot hold what is asked for.
    #[error("cannot write {what} as {extension:?}; known are {known}")]
    UnknownKind { what: &'static str, extension: String, known: &'static str },
    /// A second file of normals where the format has its own place for them, or none.
    #[error("normals go to a second file with .npy only; {extension:?} {has}")]
    NormalsElsewhere { extension: String, has: &'static str },
    /// A second file of bones beside another format.
    #[error("bones go to a second file with .npy only, not {extension:?}")]
    BonesElsewhere { extension: String },
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
    /// Whether a frame is one of `expected` places; `whose` says of what.
    pub(crate) fn check(
        frame: usize,
        places: &[Vec3],
        whose: &'static str,
        expected: usize,
    ) -> Result<(), Self> {
        if places.len() != expected {
            return Err(Self::VertexCount { frame, found: places.len(), whose, expected });
        }
        Self::check_finite(frame, places, "")
    }

    /// Whether every place of a frame is finite; `why` ends the sentence.
    pub(crate) fn check_finite(frame: usize, places: &[Vec3], why: &'static str) -> Result<(), Self> {
        match places.iter().position(|place| !place.is_finite()) {
            Some(vertex) => Err(Self::NotFinite { frame, vertex, why }),
            None => Ok(()),
        }
    }

    /// Says which input file an error is about.
    pub(crate) fn at<E: Error + Send + Sync + 'static>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Input { path, source: source.into() }
    }
}
