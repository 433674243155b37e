//! The one writer of pictures of frames: films, folders of PNG files, one picture, strips.

use crate::PictureError;
use crate::video::{self, VideoWriter};
use sinew_geometry::progress::Progress;
use sinew_io::PendingFile;
use sinew_model::extension_of;
use sinew_render::{Image, contact_sheet};
use std::path::{Path, PathBuf};

/// How large and how long a film is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmShape {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames a second.
    pub fps: f64,
    /// Frames.
    pub count: usize,
}

/// What an output's name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// H.264, by ffmpeg.
    Video,
    /// An animated GIF.
    Gif,
    /// A folder of PNG files.
    Folder,
    /// One PNG file.
    Picture,
}

/// Memory that the frames of a GIF may take, bytes: they are all looked at for its palette.
const MOST_GIF_BYTES: u64 = 2 << 30;

/// A file or folder for pictures of frames, checked before the first is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureFile {
    path: PathBuf,
    kind: PictureKind,
    shape: FilmShape,
    /// Of the files in a folder.
    first_number: usize,
    digits: usize,
}

impl PictureFile {
    /// What a name asks for, and whether it can be had.
    ///
    /// # Errors
    /// An unknown extension, several frames for one picture, a folder that is not there, a GIF that would not fit, or no ffmpeg.
    pub fn new(path: &Path, shape: FilmShape) -> Result<Self, PictureError> {
        let kind = match (extension_of(path).as_str(), shape.count) {
            ("mp4", _) => PictureKind::Video,
            ("gif", _) => PictureKind::Gif,
            ("", _) => PictureKind::Folder,
            ("png", 1) => PictureKind::Picture,
            ("png", count) => return Err(PictureError::OnePicture { path: path.into(), count }),
            _ => return Err(PictureError::Kind { path: path.into() }),
        };
        if kind != PictureKind::Folder {
            drop(PendingFile::create(path)?);
        }
        if kind == PictureKind::Video && !video::is_available() {
            return Err(PictureError::NoFfmpeg);
        }
        let (width, height) = shape.size;
        let bytes = 4 * u64::from(width) * u64::from(height) * shape.count as u64;
        if kind == PictureKind::Gif && bytes > MOST_GIF_BYTES {
            return Err(PictureError::GifTooLarge { shape, gib: bytes as f64 / (1u64 << 30) as f64 });
        }
        let digits = shape.count.to_string().len().max(4);
        Ok(Self { path: path.into(), kind, shape, first_number: 0, digits })
    }

    /// The same, with other numbers in the names of a folder's files.
    #[must_use]
    pub fn numbered(self, first_number: usize, digits: usize) -> Self {
        Self { first_number, digits, ..self }
    }

    /// What the name asked for.
    pub fn kind(&self) -> PictureKind {
        self.kind
    }

    /// Draws all frames in order and writes them, each file whole or not at all.
    ///
    /// # Errors
    /// A frame that `draw` has not, a file that cannot be written, or the caller stops.
    pub fn write<E: From<PictureError>>(
        &self,
        progress: &Progress<'_>,
        mut draw: impl FnMut(usize) -> Result<Image, E>,
    ) -> Result<(), E> {
        let count = self.shape.count;
        let mut next = |frame: usize| {
            progress.step(frame, count).map_err(PictureError::from)?;
            draw(frame)
        };
        match self.kind {
            PictureKind::Video => {
                let first = next(0)?;
                let mut writer =
                    VideoWriter::start(&self.path, (first.width(), first.height()), self.shape.fps)?;
                writer.push(&first)?;
                for frame in 1..count {
                    writer.push(&next(frame)?)?;
                }
                writer.finish()?;
            }
            PictureKind::Gif => {
                let images = (0..count).map(next).collect::<Result<Vec<Image>, E>>()?;
                let gif = sinew_render::encode_gif(&images, self.shape.fps as f32, &|_| ());
                write_bytes(&self.path, &gif.map_err(PictureError::from)?)?;
            }
            PictureKind::Folder | PictureKind::Picture => {
                let png = |image: Image| Ok(image.encode_png().map_err(PictureError::from)?);
                return self.write_encoded(progress, |frame| draw(frame).and_then(png));
            }
        }
        Ok(progress.step(count, count).map_err(PictureError::from)?)
    }

    /// As [`PictureFile::write`] for a folder or one picture, of frames that are PNG files already.
    ///
    /// # Errors
    /// As [`PictureFile::write`].
    ///
    /// # Panics
    /// If the output is a film.
    pub fn write_encoded<E: From<PictureError>>(
        &self,
        progress: &Progress<'_>,
        mut png: impl FnMut(usize) -> Result<Vec<u8>, E>,
    ) -> Result<(), E> {
        assert!(matches!(self.kind, PictureKind::Folder | PictureKind::Picture), "an output of PNG files");
        let (count, digits) = (self.shape.count, self.digits);
        let mut folder = match self.kind {
            PictureKind::Folder => Some(NewFrames::in_folder(&self.path)?),
            _ => None,
        };
        for frame in 0..count {
            progress.step(frame, count).map_err(PictureError::from)?;
            let name = format!("frame_{:0digits$}.png", self.first_number + frame);
            let path = if folder.is_some() { self.path.join(name) } else { self.path.clone() };
            let is_new = !path.exists();
            write_bytes(&path, &png(frame)?)?;
            if let Some(folder) = folder.as_mut().filter(|_| is_new) {
                folder.files.push(path);
            }
        }
        if let Some(folder) = &mut folder {
            folder.is_whole = true;
        }
        Ok(progress.step(count, count).map_err(PictureError::from)?)
    }
}

/// Frames that are put into a folder: those of a job that ends before the last are taken away again.
struct NewFrames<'a> {
    folder: &'a Path,
    is_new_folder: bool,
    files: Vec<PathBuf>,
    is_whole: bool,
}

impl<'a> NewFrames<'a> {
    fn in_folder(folder: &'a Path) -> Result<Self, PictureError> {
        let is_new_folder = !folder.exists();
        let failed = |source| PictureError::Folder { path: folder.into(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self { folder, is_new_folder, files: Vec::new(), is_whole: false })
    }
}

impl Drop for NewFrames<'_> {
    fn drop(&mut self) {
        if self.is_whole {
            return;
        }
        // The job's own error is reported; what cannot be removed stays.
        self.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
        if self.is_new_folder {
            let _ = std::fs::remove_dir(self.folder);
        }
    }
}

/// Writes a picture, whole or not at all.
///
/// # Errors
/// It cannot be encoded or written.
pub fn write_png(path: &Path, image: &Image) -> Result<(), PictureError> {
    write_bytes(path, &image.encode_png()?)
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// It cannot be written.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), PictureError> {
    let mut file = PendingFile::create(path)?;
    file.write_bytes(bytes)?;
    Ok(file.commit()?)
}

/// Pictures of a strip.
const STRIP_CELLS: usize = 8;

/// Frames for a strip: from the first to the last, evenly.
pub fn strip_frames(frame_count: usize) -> Vec<usize> {
    let (cells, last) = (STRIP_CELLS.min(frame_count), frame_count - 1);
    (0..cells).map(|cell| cell * last / (cells - 1).max(1)).collect()
}

/// Draws moments on one sheet, each with its time below. `moments`: frames, and their times in seconds.
///
/// # Errors
/// A frame that `draw` has not, a sheet that is too large, or the caller stops.
pub fn strip<E: From<PictureError>>(
    moments: &[(usize, f64)],
    columns: usize,
    progress: &Progress<'_>,
    mut draw: impl FnMut(usize) -> Result<Image, E>,
) -> Result<Image, E> {
    let mut cells = Vec::with_capacity(moments.len());
    for (done, &(frame, time_secs)) in moments.iter().enumerate() {
        progress.step(done, moments.len()).map_err(PictureError::from)?;
        cells.push((draw(frame)?, format!("{time_secs:.2} s")));
    }
    Ok(contact_sheet(&cells, columns, None).map_err(PictureError::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_output_is_known_or_refused_before_a_frame_is_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, count: usize| {
            PictureFile::new(&folder.path().join(name), FilmShape { size: (64, 48), fps: 6.0, count })
        };
        let kind = |name: &str, count: usize| file(name, count).unwrap().kind();
        assert_eq!(kind("a.gif", 9), PictureKind::Gif);
        assert_eq!(kind("frames", 9), PictureKind::Folder);
        assert_eq!(kind("a.png", 1), PictureKind::Picture);
        assert!(matches!(file("a.png", 9), Err(PictureError::OnePicture { count: 9, .. })));
        assert!(matches!(file("a.webm", 9), Err(PictureError::Kind { .. })));
        assert!(matches!(file("a.gif", 900_000), Err(PictureError::GifTooLarge { .. })));
        assert!(matches!(file("nowhere/a.gif", 9), Err(PictureError::Output(_))));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    }

    #[test]
    fn a_folder_of_frames_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let file = PictureFile::new(&path, FilmShape { size: (4, 4), fps: 6.0, count: 3 }).unwrap();
        let stop = |frame: usize| if frame < 2 { Ok(vec![0]) } else { Err(PictureError::NoFfmpeg) };
        assert!(file.write_encoded(&Progress::none(), stop).is_err());
        assert!(!path.exists());
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("mine.txt"), "x").unwrap();
        assert!(file.write_encoded(&Progress::none(), stop).is_err());
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 1, "what was there before stays");
        file.write_encoded(&Progress::none(), |_| Ok::<_, PictureError>(vec![0])).unwrap();
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 4);
    }

    #[test]
    fn strips_go_from_the_first_frame_to_the_last() {
        assert_eq!(strip_frames(1), [0]);
        assert_eq!(strip_frames(3), [0, 1, 2]);
        assert_eq!(strip_frames(15), [0, 2, 4, 6, 8, 10, 12, 14]);
    }
}
