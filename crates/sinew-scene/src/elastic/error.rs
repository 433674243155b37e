//! Why a scene of soft bodies cannot be played or written.

use super::text::BodyText;
use crate::scene_text::SceneError;
use sinew_io::OutputError;
use sinew_motion::camera::CameraError;
use sinew_picture::video::VideoError;
use sinew_play::{RecordingError, SaveRecordingError};
use sinew_render::{EncodeError, RenderError};
use std::fmt::Display;
use std::path::PathBuf;

/// Why a scene of soft bodies cannot be played or written.
#[derive(Debug, thiserror::Error)]
pub enum ElasticError {
    /// The scene file cannot be read.
    #[error("{path:?}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The scene file, or a file that it names, means nothing.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Examples that do not fit their body.
    #[error("body {body:?}: {error}")]
    Examples {
        /// Which.
        body: String,
        /// Why.
        error: sinew_soft::ExampleError,
    },
    /// A scene that does not fit into memory.
    #[error(
        "{frames} frames of {particles} particles would take {gib:.1} GiB of memory; use a shorter duration, a lower fps or fewer bodies"
    )]
    TooLong {
        /// Frames.
        frames: f64,
        /// Particles of all bodies.
        particles: usize,
        /// Memory.
        gib: f64,
    },
    /// A camera that sees nothing at a time.
    #[error("line {line}: camera at {time_secs:.3} s: {problem}")]
    View {
        /// Where in the scene file.
        line: usize,
        /// When.
        time_secs: f64,
        /// Why.
        problem: CameraError,
    },
    /// A body that left the range of numbers.
    #[error(
        "body {body:?} is nowhere after {time_secs:.3} s: its particles are not finite; use a shorter step or softer springs"
    )]
    NotFinite {
        /// Which.
        body: String,
        /// When.
        time_secs: f64,
    },
    /// A name that says no kind of output.
    #[error(
        "cannot write {path:?}; known are .mp4, .gif, .png, .glb, .gltf, .pc2, .usda, .npy, .csv, and folders for several of them"
    )]
    Kind {
        /// The output.
        path: PathBuf,
    },
    /// A folder cannot be made.
    #[error("cannot make the folder {path:?}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The renderer refused.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A picture or film that cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// ffmpeg is missing or gave up.
    #[error(transparent)]
    Video(#[from] VideoError),
    /// The motion cannot be recorded.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The motion cannot be written.
    #[error(transparent)]
    Save(#[from] SaveRecordingError),
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
}

impl ElasticError {
    /// Something wrong with a body of the scene.
    pub(super) fn body(body: &BodyText, message: impl Display) -> Self {
        Self::Scene(body.spot.error(format!("body {:?}", body.name), message))
    }
}
