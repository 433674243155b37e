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
pub enum SceneError {
    /// A file or folder cannot be read or written.
    #[error("{path:?}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A scene file that means nothing.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Something that a scene file names does not fit.
    #[error("line {line}: {place}: {source}")]
    At {
        /// Where in the scene file.
        line: usize,
        /// Which character, camera or cut.
        place: String,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Cuts that leave a time without a camera.
    #[error("cuts: {0}")]
    Cuts(#[from] CameraError),
    /// Several cameras and no word on when.
    #[error(
        "{count} cameras need [[cut]] to switch between them, such as [[cut]] time = 0, camera = {first:?}"
    )]
    NoCuts {
        /// How many.
        count: usize,
        /// The first.
        first: String,
    },
    /// A camera below the floor.
    #[error(
        "line {line}: camera {camera:?} at {time_secs:.3} s: it is at a height of {height_m:.3} m, inside the ground at {ground_m:.3} m; \
         raise its eye, or lower the ground (or leave it out: [ground] kind = \"none\")"
    )]
    InGround {
        /// Where in the scene file.
        line: usize,
        /// Which camera.
        camera: String,
        /// When.
        time_secs: f64,
        /// Its height.
        height_m: f64,
        /// The ground's.
        ground_m: f64,
    },
    /// A camera inside somebody.
    #[error(
        "line {line}: camera {camera:?} at {time_secs:.3} s: it is inside {character:?}, {distance_m:.3} m from the bone {bone:?}; \
         move its eye away"
    )]
    InCharacter {
        /// Where in the scene file.
        line: usize,
        /// Which camera.
        camera: String,
        /// When.
        time_secs: f64,
        /// In whom.
        character: String,
        /// Near which bone.
        bone: String,
        /// How near.
        distance_m: f64,
    },
    /// No motion says how long.
    #[error("nothing moves, so the film has no length; give [film] a duration in seconds")]
    NoDuration,
    /// More frames than any film has.
    #[error(
        "the film would have {count} frames, the maximum is {most}; use a lower fps or a shorter duration"
    )]
    TooManyFrames {
        /// How many.
        count: f64,
        /// The most.
        most: usize,
    },
    /// Frames that are not there.
    #[error("frames {start}..{end} are out of range; the film has 0..{count}")]
    Frames {
        /// The first.
        start: usize,
        /// After the last.
        end: usize,
        /// All.
        count: usize,
    },
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
    /// A body that left the range of numbers.
    #[error(
        "the simulation of body {body:?} diverged at {time_secs:.3} s; use a shorter step or softer springs"
    )]
    NotFinite {
        /// Which.
        body: String,
        /// When.
        time_secs: f64,
    },
    /// A name that says no kind of output.
    #[error("cannot write {path:?}; known are {known}")]
    Kind {
        /// The output.
        path: PathBuf,
        /// Extensions that are known.
        known: &'static str,
    },
    /// A motion at another speed does not fit the rig's clip.
    #[error("{path:?}: a clip of a model is written at its own speed")]
    Speed {
        /// The output.
        path: PathBuf,
    },
    /// The scratch folder's name is taken.
    #[error("{folder:?} exists and was not written by Sinew; move it away")]
    ForeignFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// A kept frame is damaged.
    #[error("{path:?}: {error}; remove it, and run the command again")]
    DamagedFrame {
        /// The frame.
        path: PathBuf,
        /// Why.
        error: ImageError,
    },
    /// Threads cannot be had.
    #[error("cannot start threads: {message}")]
    Threads {
        /// What the system says.
        message: String,
    },
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
