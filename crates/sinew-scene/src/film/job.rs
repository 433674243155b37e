//! A film from its scene file to its output; one that was stopped goes on where it was.

use super::artist::{FilmSet, Style};
use super::open::Film;
use super::shoot::shoot;
use super::store::{Found, FrameStore};
use crate::{Reading, SceneChoices, SceneError};
use serde::Serialize;
use sinew_geometry::progress::Progress;
use sinew_io::{Limits, Report};
use sinew_picture::{PictureFile, PictureKind};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// What is filmed, and to where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilmRequest {
    /// The scene file.
    pub scene: PathBuf,
    /// .mp4, .gif, .png for a single frame, or a folder.
    pub output: PathBuf,
    /// What goes before the scene file.
    pub choices: SceneChoices,
    /// How frames are drawn.
    pub style: Style,
    /// Only these frames; `None` for all.
    pub frames: Option<Range<usize>>,
    /// Anything that changes with the program that draws. Kept frames of another program are not taken.
    pub program: Vec<u8>,
}

/// A film that is ready to be drawn.
pub struct FilmJob {
    film: Arc<Film>,
    set: FilmSet,
    request: FilmRequest,
    frames: Range<usize>,
}

/// Where a film goes to, with the frames that are there already.
pub struct FilmStart {
    file: PictureFile,
    store: FrameStore,
    /// What was left of an earlier run.
    pub found: Found,
}

/// What was filmed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilmOutcome {
    /// The file or folder.
    pub output: PathBuf,
    /// Frames.
    pub frames: usize,
    /// The first of them.
    pub first_frame: usize,
    /// Frames a second.
    pub fps: f64,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Seconds of film.
    pub duration_secs: f64,
    /// Whether lines only were drawn.
    pub preview: bool,
    /// Frames that were drawn now.
    pub drawn: usize,
    /// Frames that were there already.
    pub kept: usize,
    /// Seconds of drawing.
    pub draw_secs: f64,
    /// Seconds of putting frames together.
    pub finish_secs: f64,
    /// Milliseconds for each frame that was drawn now.
    pub ms_per_frame: f64,
}

impl FilmJob {
    /// Opens the scene and all that it names.
    ///
    /// # Errors
    /// As [`Film::read`].
    pub fn open(request: FilmRequest, limits: &Limits, report: &mut Report) -> Result<Self, SceneError> {
        let (text, mut reading) = Reading::open(&request.scene, limits, report)?;
        let film = Film::read(&text, &request.choices, &mut reading)?;
        let set = FilmSet::new(&film, request.style, report);
        let frames = request.frames.clone().unwrap_or(0..film.frame_count());
        Ok(Self { film, set, request, frames })
    }

    /// Looks at the output before anything is drawn.
    ///
    /// # Errors
    /// Frames that are not there, an output that cannot be had, or a scratch folder that is in the way.
    pub fn start(&self) -> Result<FilmStart, SceneError> {
        let file = self.film.output(&self.request.output, &self.frames)?;
        let mut digest = self.film.digest();
        digest.add_debug(&self.request.style);
        digest.add(&self.request.program);
        let (store, found) = FrameStore::open(&self.request.output, &digest)?;
        Ok(FilmStart { file, store, found })
    }

    /// Draws what is missing and puts it together. Frames are kept until all is done.
    ///
    /// # Errors
    /// A frame that cannot be drawn or kept, an output that cannot be written, or the caller stops.
    pub fn run(&self, start: FilmStart, progress: &Progress<'_>) -> Result<FilmOutcome, SceneError> {
        let FilmStart { file, store, .. } = start;
        let (film, frames) = (&self.film, &self.frames);
        let clock = Instant::now();
        let drawn = shoot(&self.set, frames.clone(), &store, &progress.part("drawing", 0.0..0.9))?;
        let draw_secs = clock.elapsed().as_secs_f64();
        finish(&store, frames.start, &file, &progress.part("putting together", 0.9..1.0))?;
        store.remove()?;
        Ok(FilmOutcome {
            output: self.request.output.clone(),
            frames: frames.len(),
            first_frame: frames.start,
            fps: film.fps(),
            size: film.size(),
            duration_secs: frames.len() as f64 / film.fps(),
            preview: self.request.style == Style::Lines,
            drawn,
            kept: frames.len() - drawn,
            draw_secs,
            finish_secs: clock.elapsed().as_secs_f64() - draw_secs,
            ms_per_frame: draw_secs * 1e3 / drawn.max(1) as f64,
        })
    }

    /// A digest of all joints of each frame.
    pub fn joint_digests(&self) -> Vec<String> {
        let mut player = self.film.player();
        let digest = |frame: usize| {
            player.set_bones(self.film.time_secs(frame));
            player.joint_digest().to_string()
        };
        self.frames.clone().map(digest).collect()
    }
}

/// Writes an output from frames that are all in the store, from `first` on. Where the caller stops it, the frames stay.
///
/// # Errors
/// A frame that cannot be read, an output that cannot be written, or the caller stops.
pub fn finish(
    store: &FrameStore,
    first: usize,
    file: &PictureFile,
    progress: &Progress<'_>,
) -> Result<(), SceneError> {
    match file.kind() {
        PictureKind::Folder | PictureKind::Picture => {
            file.write_encoded(progress, |frame| store.bytes(first + frame))
        }
        PictureKind::Video | PictureKind::Gif => file.write(progress, |frame| store.image(first + frame)),
    }
}
