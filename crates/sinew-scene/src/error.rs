//! Why a scene cannot be read, played, drawn or written.

use sinew_geometry::progress::Interrupted;
use sinew_io::ImageError;
use sinew_motion::camera::CameraError;
use sinew_picture::PictureError;
use sinew_play::TakeError;
use sinew_settings::TextError;
use std::error::Error;
use std::path::PathBuf;

/// Why a scene cannot be read, played, drawn or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SceneError {
    /// A file or folder cannot be read or written.
    #[error("{path:?}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    /// A scene file that cannot be read.
    #[error("{path:?}: {source}")]
    Unreadable { path: PathBuf, source: sinew_model::OpenError },
    /// A scene file that means nothing.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Something that a scene file names does not fit. `place`: which character, camera or cut.
    #[error("line {line}: {place}: {source}")]
    At { line: usize, place: String, source: Box<dyn Error + Send + Sync> },
    /// Cuts that leave a time without a camera.
    #[error("cuts: {0}")]
    Cuts(#[from] CameraError),
    /// Several cameras and no word on when.
    #[error(
        "{count} cameras need [[cut]] to switch between them, such as [[cut]] time = 0, camera = {first:?}"
    )]
    NoCuts { count: usize, first: String },
    /// A camera below the floor. `height_m`: its height. `ground_m`: the ground's.
    #[error(
        "line {line}: camera {camera:?} at {time_secs:.3} s: it is at a height of {height_m:.3} m, inside the ground at {ground_m:.3} m; \
         raise its eye, or lower the ground (or leave it out: [ground] kind = \"none\")"
    )]
    InGround { line: usize, camera: String, time_secs: f64, height_m: f64, ground_m: f64 },
    /// A camera inside somebody. `character`: in whom. `bone`: near which bone. `distance_m`: how near.
    #[error(
        "line {line}: camera {camera:?} at {time_secs:.3} s: it is inside {character:?}, {distance_m:.3} m from the bone {bone:?}; \
         move its eye away"
    )]
    InCharacter {
        line: usize,
        camera: String,
        time_secs: f64,
        character: String,
        bone: String,
        distance_m: f64,
    },
    /// No motion says how long.
    #[error("nothing moves, so the film has no length; give [film] a duration in seconds")]
    NoDuration,
    /// More frames than any film has.
    #[error(
        "the film would have {count} frames, the maximum is {most}; use a lower fps or a shorter duration"
    )]
    TooManyFrames { count: f64, most: usize },
    /// Frames that are not there. `end`: after the last.
    #[error("frames {start}..{end} are out of range; the film has 0..{count}")]
    Frames { start: usize, end: usize, count: usize },
    /// Examples that do not fit their body.
    #[error("body {body:?}: {error}")]
    Examples { body: String, error: sinew_soft::ExampleError },
    /// A scene that does not fit into memory. `particles`: particles of all bodies.
    #[error(
        "{frames} frames of {particles} particles would take {gib:.1} GiB of memory; use a shorter duration, a lower fps or fewer bodies"
    )]
    TooLong { frames: f64, particles: usize, gib: f64 },
    /// A body that left the range of numbers.
    #[error(
        "the simulation of body {body:?} diverged at {time_secs:.3} s; use a shorter step or softer springs"
    )]
    NotFinite { body: String, time_secs: f64 },
    /// A name that says no kind of output.
    #[error("cannot write {path:?}; known are {known}")]
    Kind { path: PathBuf, known: &'static str },
    /// A motion at another speed does not fit the rig's clip.
    #[error("{path:?}: a clip of a model is written at its own speed")]
    Speed { path: PathBuf },
    /// The scratch folder's name is taken.
    #[error("{folder:?} exists and was not written by Sinew; move it away")]
    ForeignFolder { folder: PathBuf },
    /// A kept frame is damaged.
    #[error("{path:?}: {error}; remove it, and run the command again")]
    DamagedFrame { path: PathBuf, error: ImageError },
    /// Threads cannot be had.
    #[error("cannot start threads: {message}")]
    Threads { message: String },
    /// A picture or film cannot be made.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The motion cannot be recorded or written.
    #[error(transparent)]
    Take(#[from] TakeError),
    /// The caller stopped the job.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl SceneError {
    /// What is wrong at a line of a scene file. `place`: such as `camera "wide"`.
    pub(crate) fn at(
        line: usize,
        place: impl Into<String>,
        why: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self::At { line, place: place.into(), source: why.into() }
    }
}
