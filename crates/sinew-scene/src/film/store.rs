//! Frames on their way into a film: a folder beside the output that survives an interruption.

use super::digest::Digest;
use crate::SceneError;
use sinew_io::{DecodedImage, ImageLimits, OutputError, decode_image};
use sinew_picture::{PictureError, write_bytes};
use sinew_render::Image;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of finished frames of one film.
///
/// Every frame is written under another name and renamed, so that a frame that is there is whole. The manifest holds a digest of all
/// that decides the frames; a folder of another film is emptied.
pub struct FrameStore {
    folder: PathBuf,
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
}

const MANIFEST: &str = "film.json";

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

    /// Opens or makes the folder of an output.
    ///
    /// # Errors
    /// The folder cannot be written, or holds something else.
    pub fn open(output: &Path, digest: &Digest) -> Result<(Self, Found), SceneError> {
        let folder = Self::folder_of(output);
        let manifest = folder.join(MANIFEST);
        let failed = |source| SceneError::Io { path: folder.clone(), source };
        let mut found = Found::Nothing;
        if folder.exists() {
            let is_empty = fs::read_dir(&folder).map_err(failed)?.next().is_none();
            let text = fs::read_to_string(&manifest);
            let known = text.ok().and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
            let known = known.and_then(|manifest| Some(manifest.get("digest")?.as_str()?.to_owned()));
            match known {
                Some(known) if known == digest.to_string() => found = Found::Frames(0),
                Some(_) => {
                    fs::remove_dir_all(&folder).map_err(failed)?;
                    found = Found::Changed;
                }
                None if is_empty => {}
                None => return Err(SceneError::ForeignFolder { folder }),
            }
        }
        let beside = output.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(parent) = beside.filter(|parent| !parent.is_dir()) {
            let missing = OutputError::MissingFolder { path: output.into(), folder: parent.into() };
            return Err(PictureError::from(missing).into());
        }
        fs::create_dir_all(&folder).map_err(failed)?;
        let store = Self { folder: folder.clone() };
        if let Found::Frames(_) = found {
            found = Found::Frames(store.tidied()?);
        } else {
            let text = serde_json::json!({ "format": "sinew film frames", "version": 1, "digest": digest.to_string() });
            write_bytes(&manifest, format!("{text:#}\n").as_bytes())?;
        }
        Ok((store, found))
    }

    /// Removes what an interruption left half-done, and counts the whole frames.
    fn tidied(&self) -> Result<usize, SceneError> {
        let failed = |source| SceneError::Io { path: self.folder.clone(), source };
        let mut count = 0;
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name == MANIFEST {
                continue;
            }
            let is_frame =
                name.starts_with("frame_") && fs::read(&path).is_ok_and(|bytes| bytes.ends_with(&PNG_END));
            if is_frame {
                count += 1;
            } else {
                fs::remove_file(&path).map_err(failed)?;
            }
        }
        Ok(count)
    }

    /// Where a frame is kept.
    pub fn path(&self, frame: usize) -> PathBuf {
        self.folder.join(format!("frame_{frame:0FRAME_DIGITS$}.png"))
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
        fs::remove_dir_all(&self.folder).map_err(|source| SceneError::Io { path: self.folder, source })
    }
}
