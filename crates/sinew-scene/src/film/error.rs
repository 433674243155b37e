//! Why there is no film.

use super::motion_source::MotionError;
use crate::body::BodyError;
use crate::scene_text::SceneError;
use sinew_body::design::DesignError;
use sinew_io::{ImageError, OutputError};
use sinew_model::OpenError;
use sinew_motion::camera::CameraError;
use sinew_picture::video::VideoError;
use sinew_render::{EncodeError, RenderError};
use sinew_rig::{FindError, InvalidCharacter};
use std::path::PathBuf;

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// The scene file cannot be read.
    #[error("{path:?}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The scene file means nothing.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A character cannot be opened.
    #[error("line {line}: character {name:?}: {path:?}: {error}")]
    Open {
        /// Where in the scene file.
        line: usize,
        /// Which character.
        name: String,
        /// Its file.
        path: PathBuf,
        /// Why.
        error: Box<OpenError>,
    },
    /// A body cannot be made.
    #[error("line {line}: character {name:?}: {error}")]
    Body {
        /// Where in the scene file.
        line: usize,
        /// Which character.
        name: String,
        /// Why.
        error: Box<BodyError>,
    },
    /// A design of a body cannot be read.
    #[error("line {line}: character {name:?}: {path:?}: {error}")]
    Design {
        /// Where in the scene file.
        line: usize,
        /// Which character.
        name: String,
        /// The file.
        path: PathBuf,
        /// Why.
        error: Box<DesignError>,
    },
    /// A method or rule does not fit a character.
    #[error("line {line}: character {name:?}: {message}")]
    Skin {
        /// Where in the scene file.
        line: usize,
        /// Which character.
        name: String,
        /// Why.
        message: String,
    },
    /// A motion does not fit a character.
    #[error("line {line}: character {name:?}: motion: {error}")]
    Motion {
        /// Where in the scene file.
        line: usize,
        /// Which character.
        name: String,
        /// Why.
        error: Box<MotionError>,
    },
    /// A motion makes no character.
    #[error("line {line}: character {name:?}: {error}")]
    Invalid {
        /// Where in the scene file.
        line: usize,
        /// Which character.
        name: String,
        /// Why.
        error: Box<InvalidCharacter>,
    },
    /// A camera follows whom or what is not there.
    #[error("line {line}: camera {camera:?}: {message}")]
    Follow {
        /// Where in the scene file.
        line: usize,
        /// Which camera.
        camera: String,
        /// Why.
        message: String,
    },
    /// A bone that is not there.
    #[error("line {line}: camera {camera:?}: {error}")]
    Bone {
        /// Where in the scene file.
        line: usize,
        /// Which camera.
        camera: String,
        /// Why.
        error: FindError,
    },
    /// A cut to a camera that is not there.
    #[error("line {line}: cut: no camera is named {name:?}; known are {known}")]
    CutTo {
        /// Where in the scene file.
        line: usize,
        /// What was asked for.
        name: String,
        /// Those that are there.
        known: String,
    },
    /// Cuts that leave a time without a camera.
    #[error("cuts: {0}")]
    Cuts(#[from] CameraError),
    /// Several cameras and no word on when.
    #[error(
        "there are {count} cameras and no [[cut]]; say when each is on, such as [[cut]] time = 0, camera = {first:?}"
    )]
    NoCuts {
        /// How many.
        count: usize,
        /// The first.
        first: String,
    },
    /// A camera that sees nothing at a time.
    #[error("line {line}: camera {camera:?} at {time_secs:.3} s: {problem}")]
    View {
        /// Where in the scene file.
        line: usize,
        /// Which camera.
        camera: String,
        /// When.
        time_secs: f64,
        /// Why.
        problem: CameraError,
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
    #[error("nothing moves, so that the film's length is not known; give [film] a duration in seconds")]
    NoDuration,
    /// More frames than any film has.
    #[error("the film would have {count} frames; the most is {most}, use a lower fps or a shorter duration")]
    TooManyFrames {
        /// How many.
        count: f64,
        /// The most.
        most: usize,
    },
    /// Frames that are not there.
    #[error("frames {start}..{end} are not all in the film, which has 0..{count}")]
    Frames {
        /// The first.
        start: usize,
        /// After the last.
        end: usize,
        /// All.
        count: usize,
    },
    /// A name that says no kind of film.
    #[error("cannot film to {path:?}; known are .mp4, .gif, .png for a single frame, and folders")]
    Kind {
        /// The output.
        path: PathBuf,
    },
    /// Several frames for one picture.
    #[error(
        "{path:?} holds one picture, these are {count} frames; use --frames A..B for one of them, or write .gif, .mp4 or a folder"
    )]
    OnePicture {
        /// The output.
        path: PathBuf,
        /// How many.
        count: usize,
    },
    /// The scratch folder's name is taken.
    #[error("{folder:?} is in the way: it is not a folder of frames that Sinew left; move it away")]
    ForeignFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder or frame cannot be written or read.
    #[error("{path:?}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A frame cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A kept frame is damaged.
    #[error("{path:?}: {error}; remove it, and run the command again")]
    DamagedFrame {
        /// The frame.
        path: PathBuf,
        /// Why.
        error: ImageError,
    },
    /// The renderer refused.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A picture or film that cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// ffmpeg is missing or gave up.
    #[error(transparent)]
    Video(#[from] VideoError),
    /// Threads cannot be had.
    #[error("cannot start threads: {message}")]
    Threads {
        /// What the system says.
        message: String,
    },
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
}
