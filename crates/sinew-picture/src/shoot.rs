//! A subject drawn to a file: one pose, or a clip frame by frame.

use crate::{FilmShape, PictureError, PictureFile, PictureSettings, Stage};
use serde::Serialize;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_model::{Frames, extension_of};
use sinew_play::Subject;
use sinew_rig::Pose;
use sinew_skin::PosedCharacter;
use std::path::{Path, PathBuf};

/// A subject on its stage, with a file that can hold it.
pub struct Shoot {
    posed: PosedCharacter,
    frames: Frames,
    stage: Stage,
    file: PictureFile,
    outcome: RenderOutcome,
}

/// What was drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RenderOutcome {
    /// The file or folder.
    pub output: PathBuf,
    /// Frames.
    pub frames: usize,
    /// Frames a second, for a clip.
    pub fps: Option<f64>,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl Shoot {
    /// Binds the subject and sets its stage; textures that cannot be decoded are reported.
    ///
    /// # Errors
    /// An output that cannot be had, or a bone to show that is not there.
    pub fn new(
        subject: &Subject,
        settings: &PictureSettings,
        output: &Path,
        report: &mut Report,
    ) -> Result<Self, PictureError> {
        let frames = subject.frames();
        let (count, size, fps) = (frames.count(), settings.size, frames.fps());
        if fps.is_none() && matches!(extension_of(output).as_str(), "" | "gif" | "mp4") {
            return Err(PictureError::OnePose { path: output.into() });
        }
        if fps.is_some() && extension_of(output) == "png" {
            return Err(PictureError::OnePicture { path: output.into(), count });
        }
        let file = PictureFile::new(output, FilmShape { size, fps: fps.unwrap_or(1.0), count })?;
        let mut posed = subject.posed();
        let stage = Stage::new(&mut posed, &frames, settings, report)?;
        let outcome = RenderOutcome { output: output.into(), frames: count, fps, size };
        Ok(Self { posed, frames, stage, file, outcome })
    }

    /// Draws all frames and writes them.
    ///
    /// # Errors
    /// The renderer refused, the file cannot be written, or the caller stops.
    pub fn run(mut self, progress: &Progress<'_>) -> Result<RenderOutcome, PictureError> {
        let progress = progress.part("drawing", 0.0..1.0);
        // Steps of a single picture are told from within it.
        let (of_file, of_frame) = match self.frames.fps() {
            Some(_) => (progress, Progress::none()),
            None => (Progress::none(), progress),
        };
        let mut pose = Pose::rest(self.posed.character());
        self.file.write(&of_file, |frame| {
            self.frames.pose_into(frame, &mut pose);
            self.posed.set(&pose);
            self.stage.draw(&self.posed, &of_frame)
        })?;
        Ok(self.outcome)
    }
}
