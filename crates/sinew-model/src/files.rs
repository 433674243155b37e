//! Files of the file system: read within limits, written whole or not at all.

use crate::{OpenError, SaveError, WrittenModel};
use sinew_io::{OutputError, OutputSet, PendingFile};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The bytes of a file of at most `limit`.
///
/// # Errors
/// It cannot be read, is a folder, or is larger.
pub fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, OpenError> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(OpenError::IsFolder);
    }
    if metadata.is_file() && metadata.len() == 0 {
        return Err(OpenError::Empty);
    }
    if metadata.len() > limit {
        return Err(OpenError::TooLarge { bytes: metadata.len(), limit });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // A pipe has no length beforehand: one byte past the limit tells that it is too long.
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(OpenError::TooLarge { bytes: bytes.len() as u64, limit });
    }
    Ok(bytes)
}

/// Bytes of a text that a person writes; more is a mistake.
const MOST_TEXT_BYTES: u64 = 1 << 28;

/// The text of a file that a person writes: a pose, a scene, settings.
///
/// # Errors
/// It cannot be read, or is something else than text.
pub fn read_text(path: &Path) -> Result<String, OpenError> {
    let bytes = match read_limited(path, MOST_TEXT_BYTES) {
        // The parser says what it misses.
        Err(OpenError::Empty) => return Ok(String::new()),
        bytes => bytes?,
    };
    let found = match bytes.as_slice() {
        [b'g', b'l', b'T', b'F', ..] => "a glTF model",
        [b'P', b'M', b'X', b' ', ..] | [b'P', b'm', b'd', ..] => "an MMD model",
        bytes if bytes.starts_with(b"Vocaloid Motion Data") => "a VMD motion",
        [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, ..] | [b'G', b'I', b'F', b'8', ..] => "a picture",
        _ => "binary data",
    };
    String::from_utf8(bytes).map_err(|_| OpenError::NotText { found })
}

/// Writes bytes to a file, whole or not at all.
///
/// # Errors
/// What was there before stays then.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = PendingFile::create(path)?;
    file.write_bytes(bytes)?;
    file.commit()
}

impl WrittenModel {
    /// Writes all files, or none.
    ///
    /// # Errors
    /// A file cannot be written, or another than the model's has its name.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut output = OutputSet::new(path)?;
        output.main().write_bytes(&self.main)?;
        let sides = || self.beside.iter().map(|side| (side, folder.join(&side.name)));
        // All are looked at before folders are made for any.
        let mut foreign = sides().filter(|(side, target)| !side.is_own && differs(target, &side.bytes));
        if let Some((_, path)) = foreign.next() {
            return Err(SaveError::WouldReplace { path });
        }
        for (side, target) in sides() {
            // What is there already with the same bytes stays.
            if std::fs::read(&target).is_ok_and(|there| there == side.bytes) {
                continue;
            }
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent)
                    .map_err(|source| OutputError::Io { path: parent.into(), source })?;
            }
            output.add_side(&target)?.write_bytes(&side.bytes)?;
        }
        Ok(output.commit()?)
    }
}

/// Whether a file is there with other bytes.
fn differs(target: &Path, bytes: &[u8]) -> bool {
    std::fs::read(target).is_ok_and(|there| there != bytes)
}
