//! Why there is no picture or film.

use crate::pictures::FilmShape;
use sinew_geometry::progress::Interrupted;
use sinew_io::OutputError;
use sinew_render::{EncodeError, RenderError};
use sinew_rig::FindError;
use std::path::PathBuf;

/// Why there is no picture or film.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum PictureError {
    /// A bone that is not there: to show the weights of, or to look at.
    #[error(transparent)]
    Find(#[from] FindError),
    /// The renderer refused.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Neither triangles nor bones.
    #[error("the picture would be empty: the model has neither triangles nor bones")]
    Empty,
    /// A camera that looks elsewhere.
    #[error(
        "the picture would be empty: the camera does not see the model; move eye and target, or use a view such as front"
    )]
    OutOfView,
    /// Patches that the model does not have.
    #[error(transparent)]
    Patches(#[from] sinew_play::patches::PatchesError),
    /// Nothing to compare.
    #[error("name at least one method to compare")]
    NoMethod,
    /// The focus of a comparison moves no skin together with its parent.
    #[error("no vertex lies between bone {bone:?} and its parent; focus on one of {known}")]
    NoJoint { bone: String, known: String },
    /// A name that says no kind of film.
    #[error("cannot film to {path:?}; known are .mp4, .gif, .png for a single frame, and folders")]
    Kind { path: PathBuf },
    /// Several frames for one picture.
    #[error("{path:?} stores one picture, but there are {count} frames")]
    OnePicture { path: PathBuf, count: usize },
    /// One pose for a film or a folder.
    #[error("{path:?} stores a film, but one pose is one picture; write .png")]
    OnePose { path: PathBuf },
    /// No ffmpeg.
    #[error(
        "ffmpeg is not installed, and .mp4 needs it; install it, or write .gif or a folder of PNG frames"
    )]
    NoFfmpeg,
    /// A GIF that does not fit into memory.
    #[error(
        "a GIF of {} frames of {}×{} pixels would take {gib:.1} GiB of memory; write .mp4",
        .shape.count, .shape.size.0, .shape.size.1
    )]
    GifTooLarge { shape: FilmShape, gib: f64 },
    /// ffmpeg gave up.
    #[error("ffmpeg failed: {message}")]
    Ffmpeg { message: String },
    /// A frame of another size.
    #[error("expected a frame of {expected:?} pixels, found {found:?}")]
    Size { expected: (u32, u32), found: (u32, u32) },
    /// The film cannot be put in place.
    #[error("cannot write {path:?}: {source}")]
    Film { path: PathBuf, source: std::io::Error },
    /// A folder of frames cannot be made.
    #[error("{path:?}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A picture or film cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The caller stopped the job.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}
