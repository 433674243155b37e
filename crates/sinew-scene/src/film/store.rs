//! Frames on their way into a film: a folder beside the output that survives an interruption.

use super::digest::Digest;
use crate::SceneError;
use sinew_io::{DecodedImage, ImageLimits, OutputError, ScratchFolder, decode_image};
use sinew_picture::{PictureError, write_bytes};
use sinew_render::Image;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A folder of finished frames of one film.
///
/// Every frame is written under another name and renamed, so that a frame that is there is whole. The manifest holds a digest of all
/// that decides the frames; a folder of another film is emptied. A folder belongs to one run at a time, which holds its lock.
pub struct FrameStore {
    place: Place,
}

/// Where frames are.
enum Place {
    /// In the folder that the next run finds. The lock is released when the file is closed.
    Kept { folder: PathBuf, _lock: File },
    /// In a folder of this run alone.
    Own(ScratchFolder),
}

/// What was in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// Frames of this very film.
    Frames(usize),
    /// Frames of a film that has changed since, which were removed.
    Changed,
    /// Another run that writes the same output now; this one draws all frames by itself and keeps none.
    Busy,
}

const MANIFEST: &str = "film.json";
const LOCK: &str = "lock";

/// Digits of a frame's number in the name of its file.
pub(super) const FRAME_DIGITS: usize = 6;

/// The last bytes of every PNG file.
const PNG_END: [u8; 8] = [b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82];

impl FrameStore {
    /// The folder of a film's frames, beside its output.
    pub fn folder_of(output: &Path) -> PathBuf {
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        output.with_file_name(format!(".{name}.frames"))
    }

    /// Frames of one run, removed when it ends, however it does.
    ///
    /// # Errors
    /// The folder of the output is missing or cannot be written.
    pub fn scratch(output: &Path) -> Result<Self, SceneError> {
        Ok(Self { place: Place::Own(ScratchFolder::beside(output).map_err(PictureError::from)?) })
    }

    /// Opens or makes the folder of an output, whose frames survive an interruption. While another run uses it, frames go to a
    /// folder of their own.
    ///
    /// # Errors
    /// The folder cannot be written, or holds something else.
    pub fn open(output: &Path, digest: &Digest) -> Result<(Self, Found), SceneError> {
        let beside = output.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(parent) = beside.filter(|parent| !parent.is_dir()) {
            let missing = OutputError::MissingFolder { path: output.into(), folder: parent.into() };
            return Err(PictureError::from(missing).into());
        }
        let folder = Self::folder_of(output);
        let failed = |source| SceneError::Io { path: folder.clone(), source };
        let Some(lock) = locked(&folder)? else { return Ok((Self::scratch(output)?, Found::Busy)) };
        let known = digest_in(&folder.join(MANIFEST));
        let names = entries(&folder).map_err(failed)?;
        let store = Self { place: Place::Kept { folder: folder.clone(), _lock: lock } };
        let found = match known {
            Some(known) if known == digest.to_string() => {
                let count = store.tidied()?;
                return Ok((store, Found::Frames(count)));
            }
            Some(_) => {
                store.empty().map_err(failed)?;
                Found::Changed
            }
            None if names.is_empty() => Found::Nothing,
            None => {
                fs::remove_file(folder.join(LOCK)).map_err(failed)?;
                return Err(SceneError::ForeignFolder { folder });
            }
        };
        let text =
            serde_json::json!({ "format": "sinew film frames", "version": 1, "digest": digest.to_string() });
        write_bytes(&folder.join(MANIFEST), format!("{text:#}\n").as_bytes())?;
        Ok((store, found))
    }

    fn folder(&self) -> &Path {
        match &self.place {
            Place::Kept { folder, .. } => folder,
            Place::Own(scratch) => scratch.path(),
        }
    }

    /// Removes all but the lock.
    fn empty(&self) -> io::Result<()> {
        entries(self.folder())?.iter().try_for_each(|name| fs::remove_file(self.folder().join(name)))
    }

    /// Removes what an interruption left half-done, and counts the whole frames.
    fn tidied(&self) -> Result<usize, SceneError> {
        let failed = |source| SceneError::Io { path: self.folder().into(), source };
        let mut count = 0;
        for name in entries(self.folder()).map_err(failed)? {
            let path = self.folder().join(&name);
            let is_whole = || fs::read(&path).is_ok_and(|bytes| bytes.ends_with(&PNG_END));
            if name.starts_with("frame_") && is_whole() {
                count += 1;
            } else if name != MANIFEST {
                fs::remove_file(&path).map_err(failed)?;
            }
        }
        Ok(count)
    }

    /// Where a frame is kept.
    pub fn path(&self, frame: usize) -> PathBuf {
        self.folder().join(format!("frame_{frame:0FRAME_DIGITS$}.png"))
    }

    /// Whether a frame is there.
    pub fn has(&self, frame: usize) -> bool {
        self.path(frame).exists()
    }

    /// Keeps a frame, whole or not at all.
    ///
    /// # Errors
    /// It cannot be encoded or written.
    pub fn keep(&self, frame: usize, image: &Image) -> Result<(), SceneError> {
        let bytes = image.encode_png_quickly().map_err(PictureError::from)?;
        Ok(write_bytes(&self.path(frame), &bytes)?)
    }

    /// A kept frame, as its file is.
    ///
    /// # Errors
    /// It is not there.
    pub fn bytes(&self, frame: usize) -> Result<Vec<u8>, SceneError> {
        let path = self.path(frame);
        fs::read(&path).map_err(|source| SceneError::Io { path, source })
    }

    /// A kept frame.
    ///
    /// # Errors
    /// It is not there, or damaged.
    pub fn image(&self, frame: usize) -> Result<Image, SceneError> {
        let decoded = decode_image(&self.bytes(frame)?, &ImageLimits::default());
        let DecodedImage { width, height, rgba } =
            decoded.map_err(|error| SceneError::DamagedFrame { path: self.path(frame), error })?;
        Ok(Image::from_rgba(width, height, &rgba).map_err(PictureError::from)?)
    }

    /// Removes the folder.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(self) -> Result<(), SceneError> {
        match self.place {
            // The lock is held until all is gone.
            Place::Kept { folder, _lock } => {
                fs::remove_dir_all(&folder).map_err(|source| SceneError::Io { path: folder, source })
            }
            Place::Own(scratch) => {
                drop(scratch);
                Ok(())
            }
        }
    }
}

/// Makes the folder and takes its lock; `None` while another run has it.
fn locked(folder: &Path) -> Result<Option<File>, SceneError> {
    let failed = |source| SceneError::Io { path: folder.into(), source };
    loop {
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = match File::create(folder.join(LOCK)) {
            // The run before has just removed the folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            lock => lock.map_err(failed)?,
        };
        match lock.try_lock() {
            // A lock on a file that was removed meanwhile keeps nobody out.
            Ok(()) if !folder.join(LOCK).exists() => {}
            Ok(()) => return Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
    }
}

/// Names of the files in a folder, but that of the lock.
fn entries(folder: &Path) -> io::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    names.filter(|name| name.as_ref().map_or(true, |name| name != LOCK)).collect()
}

/// The digest that a manifest holds.
fn digest_in(manifest: &Path) -> Option<String> {
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(manifest).ok()?).ok()?;
    Some(json.get("digest")?.as_str()?.to_owned())
}
