//! The folder of a model: the only place its external files are read from.
//!
//! Models are untrusted input. A URI in a model may only name files below the model's folder: no other folder, no network, no
//! device, no link that leads out.

#[cfg(feature = "files")]
mod disk;
mod resource;

#[cfg(feature = "files")]
pub use disk::FolderError;
pub use resource::{FoundFile, ResourceError, ResourceProblem};

use resource::shortened;
use std::collections::BTreeMap;

/// Source of a model's external files: a folder of the file system, or files given as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    #[cfg(feature = "files")]
    Disk(disk::DiskFolder),
    /// By path, with `/` between folders.
    Memory(BTreeMap<String, Vec<u8>>),
}

impl Folder {
    /// The folder at `path`; an empty path is the current folder.
    ///
    /// # Errors
    /// If the folder does not exist.
    #[cfg(feature = "files")]
    pub fn new(path: impl AsRef<std::path::Path>) -> Result<Self, FolderError> {
        Ok(Self { place: Place::Disk(disk::DiskFolder::new(path.as_ref())?) })
    }

    /// Files by their path relative to the model: for systems without a file system, or models from an archive. `\` and `/` both
    /// separate folders. Paths that lead out of the folder are dropped, because no model can name them.
    pub fn of_files(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let named = files.into_iter().filter_map(|(name, bytes)| Some((relative_path(&name).ok()?, bytes)));
        Self { place: Place::Memory(named.collect()) }
    }

    /// Reads the file of a relative URI, percent-decoded once. A `%` without two hex digits is taken literally, because many
    /// exporters do not encode names. `\` and `/` both separate folders.
    ///
    /// # Errors
    /// If the URI leads out of the folder, the file is missing, not regular or larger than `max_bytes`, or reading fails.
    pub fn read(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResourceError> {
        self.read_checked(uri, || percent_decoded(uri), max_bytes)
    }

    /// Reads the file of this relative name like [`Folder::read`], but without percent-decoding: for formats with plain paths (OBJ,
    /// MTL).
    ///
    /// # Errors
    /// As for [`Folder::read`].
    pub fn read_name(&self, name: &str, max_bytes: u64) -> Result<Vec<u8>, ResourceError> {
        self.read_checked(name, || Ok(name.to_owned()), max_bytes)
    }

    /// Reads the file of this relative name like [`Folder::read_name`]. If it does not exist, reads the file whose name differs only in
    /// letter case: for formats from case-insensitive systems (PMX). Of several such files it reads the first in name order.
    ///
    /// # Errors
    /// As for [`Folder::read`].
    pub fn read_similar_name(&self, name: &str, max_bytes: u64) -> Result<FoundFile, ResourceError> {
        let error = match self.read_name(name, max_bytes) {
            Ok(bytes) => return Ok(FoundFile { bytes, found_as: None }),
            Err(error) if !matches!(error.problem, ResourceProblem::NotFound) => return Err(error),
            Err(error) => error,
        };
        let Some(similar) = relative_path(name).ok().and_then(|path| self.similar_path(&path)) else {
            return Err(error);
        };
        let bytes = self.read_below(&similar, max_bytes);
        let bytes = bytes.map_err(|problem| ResourceError { uri: name.into(), problem })?;
        Ok(FoundFile { bytes, found_as: Some(similar) })
    }

    fn read_checked(
        &self,
        uri: &str,
        name: impl FnOnce() -> Result<String, ResourceProblem>,
        max_bytes: u64,
    ) -> Result<Vec<u8>, ResourceError> {
        // Check for a scheme before and after decoding: "file%3A/x" must not become one.
        let read = || {
            refuse_scheme(uri)?;
            let relative = relative_path(&name()?)?;
            self.read_below(&relative, max_bytes)
        };
        read().map_err(|problem| ResourceError { uri: uri.into(), problem })
    }

    fn read_below(&self, relative: &str, max_bytes: u64) -> Result<Vec<u8>, ResourceProblem> {
        match &self.place {
            #[cfg(feature = "files")]
            Place::Disk(folder) => folder.read_below(relative, max_bytes),
            Place::Memory(files) => {
                let bytes = files.get(relative).ok_or(ResourceProblem::NotFound)?;
                refuse_large(bytes.len() as u64, max_bytes)?;
                Ok(bytes.clone())
            }
        }
    }

    /// The path below this folder that equals `relative` except for letter case, with `/` between its parts.
    fn similar_path(&self, relative: &str) -> Option<String> {
        match &self.place {
            #[cfg(feature = "files")]
            Place::Disk(folder) => folder.similar_path(relative),
            Place::Memory(files) => {
                let folded = relative.to_lowercase();
                files.keys().find(|path| path.to_lowercase() == folded).cloned()
            }
        }
    }
}

fn refuse_large(found: u64, limit: u64) -> Result<(), ResourceProblem> {
    if found > limit { Err(ResourceProblem::TooLarge { found, limit }) } else { Ok(()) }
}

/// Rejects `name:` at the start, where name is a scheme after RFC 3986 §3.1; drive letters are schemes of one letter.
fn refuse_scheme(text: &str) -> Result<(), ResourceProblem> {
    let Some((scheme, _)) = text.split_once(':') else { return Ok(()) };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|other| other.is_ascii_alphanumeric() || "+-.".contains(other));
    match scheme.len() {
        1 if is_scheme => Err(ResourceProblem::Absolute),
        _ if is_scheme => Err(ResourceProblem::Scheme(shortened(scheme))),
        _ => Ok(()),
    }
}

/// The decoded name as a path that never leaves the folder, with `/` between its parts.
fn relative_path(name: &str) -> Result<String, ResourceProblem> {
    refuse_scheme(name)?;
    if name.contains('\0') {
        return Err(ResourceProblem::BadName("a NUL character"));
    }
    // Colons name streams and drives on Windows; elsewhere they are ordinary characters.
    if cfg!(windows) && name.contains(':') {
        return Err(ResourceProblem::BadName("a colon"));
    }
    if name.starts_with(['/', '\\']) {
        return Err(ResourceProblem::Absolute);
    }
    let mut parts = Vec::new();
    for segment in name.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." => return Err(ResourceProblem::Parent),
            _ => parts.push(segment),
        }
    }
    let last = name.rsplit(['/', '\\']).next();
    if parts.is_empty() || matches!(last, Some("" | ".")) {
        return Err(ResourceProblem::Empty);
    }
    Ok(parts.join("/"))
}

fn percent_decoded(uri: &str) -> Result<String, ResourceProblem> {
    let text = String::from_utf8(percent_decoded_bytes(uri));
    text.map_err(|_| ResourceProblem::BadName("bytes that are not UTF-8"))
}

/// A `%` without two hex digits is taken literally.
pub(crate) fn percent_decoded_bytes(text: &str) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = (digit(bytes.get(at + 1)), digit(bytes.get(at + 2)));
        let (byte, length) = match (bytes[at], digits) {
            (b'%', (Some(high), Some(low))) => ((high * 16 + low) as u8, 3),
            (byte, _) => (byte, 1),
        };
        decoded.push(byte);
        at += length;
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_are_found_by_the_rules_of_folders() {
        let files = [("tex/Über 1.PNG", "png"), ("a.bin", "12345"), ("../out.bin", "x"), ("b\\c.bin", "c")];
        let folder = Folder::of_files(files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));
        assert_eq!(folder.read("./%61.bin", 5).unwrap(), b"12345");
        assert_eq!(folder.read("b/c.bin", 5).unwrap(), b"c");
        let found = folder.read_similar_name("TEX\\über 1.png", 5).unwrap();
        assert_eq!((&found.bytes[..], found.found_as.as_deref()), (&b"png"[..], Some("tex/Über 1.PNG")));
        let problem = |name: &str, most: u64| folder.read(name, most).unwrap_err().problem;
        assert!(matches!(problem("a.bin", 4), ResourceProblem::TooLarge { found: 5, limit: 4 }));
        assert!(matches!(problem("../out.bin", 5), ResourceProblem::Parent));
        assert!(matches!(problem("out.bin", 5), ResourceProblem::NotFound));
    }
}
