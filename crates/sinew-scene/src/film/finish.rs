//! Puts kept frames together: a film, a moving picture, a folder or one picture.

use super::error::FilmError;
use super::open::Film;
use super::shoot::Progress;
use super::store::FrameStore;
use sinew_io::PendingFile;
use sinew_model::extension_of;
use sinew_picture::video;
use sinew_picture::video::FilmShape;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// What an output's name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// H.264, by ffmpeg, or an animated GIF.
    Film,
    /// A folder of PNG files.
    Folder,
    /// One PNG file.
    Picture,
}

impl OutputKind {
    /// What a name asks for, and whether it can be had: asked before the first frame is drawn.
    ///
    /// # Errors
    /// An unknown extension, several frames for one picture, a GIF that would not fit, or no ffmpeg.
    pub fn of(output: &Path, film: &Film, frames: &Range<usize>) -> Result<Self, FilmError> {
        let count = frames.len();
        match extension_of(output).as_str() {
            "mp4" | "gif" => {
                video::check_film(output, &FilmShape { size: film.size(), fps: film.fps(), count })?;
                Ok(Self::Film)
            }
            "" => Ok(Self::Folder),
            "png" if count == 1 => Ok(Self::Picture),
            "png" => Err(FilmError::OnePicture { path: output.into(), count }),
            _ => Err(FilmError::Kind { path: output.into() }),
        }
    }
}

/// Writes the output from frames that are all in the store. `on_progress` may stop it; the frames stay then.
///
/// # Errors
/// A frame that cannot be read, an output that cannot be written, or [`FilmError::Interrupted`].
pub fn finish(
    film: &Film,
    kind: OutputKind,
    frames: Range<usize>,
    store: &FrameStore,
    output: &Path,
    on_progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<(), FilmError> {
    let total = frames.len();
    let mut step = |done: usize| {
        if on_progress(Progress { done, total }) { Ok(()) } else { Err(FilmError::Interrupted) }
    };
    match kind {
        OutputKind::Film => {
            let shape = FilmShape { size: film.size(), fps: film.fps(), count: total };
            video::write_film(output, &shape, |done| {
                step(done)?;
                store.image(frames.start + done)
            })?;
        }
        OutputKind::Folder => {
            fs::create_dir_all(output).map_err(|source| FilmError::Io { path: output.into(), source })?;
            for (done, frame) in frames.enumerate() {
                step(done)?;
                put(&store.path(frame), &output.join(format!("frame_{frame:06}.png")))?;
            }
        }
        OutputKind::Picture => put(&store.path(frames.start), output)?,
    }
    step(total)
}

/// Copies a frame into place, whole or not at all.
fn put(from: &Path, to: &Path) -> Result<(), FilmError> {
    let bytes = fs::read(from).map_err(|source| FilmError::Io { path: from.into(), source })?;
    let mut file = PendingFile::create(to)?;
    file.write_bytes(&bytes)?;
    Ok(file.commit()?)
}
