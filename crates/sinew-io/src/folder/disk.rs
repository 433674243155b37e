//! A folder in the file system.
//!
//! Known limit: someone who may change the folder can swap a checked file between the check and the opening. On Unix the opened
//! file is compared with the checked one and a swap is an error, but a swap for a FIFO can still block the opening. On other
//! systems a swap is not detected. Hard links look like files and are read.

use super::{ResourceProblem, refuse_large};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Error of opening a folder.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FolderError {
    #[error("cannot open folder {path:?}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path:?} is not a folder")]
    NotAFolder { path: PathBuf },
}

/// A folder by its absolute path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DiskFolder {
    /// Canonical: absolute, without links.
    root: PathBuf,
}

impl DiskFolder {
    pub(super) fn new(path: &Path) -> Result<Self, FolderError> {
        let or_current = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let error = |source| FolderError::Io { path: path.into(), source };
        let root = fs::canonicalize(or_current).map_err(error)?;
        if !fs::metadata(&root).map_err(error)?.is_dir() {
            return Err(FolderError::NotAFolder { path: path.into() });
        }
        Ok(Self { root })
    }

    /// The path below this folder that equals `relative` except for letter case, with `/` between its parts.
    pub(super) fn similar_path(&self, relative: &str) -> Option<String> {
        let mut found = String::new();
        for wanted in relative.split('/') {
            let folder = fs::canonicalize(self.root.join(&found)).ok()?;
            if !folder.starts_with(&self.root) {
                return None;
            }
            let folded = wanted.to_lowercase();
            let entries = fs::read_dir(folder).ok()?.flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            // The exact name first, then the others in order.
            let similar = names
                .filter(|name| name.to_lowercase() == folded)
                .min_by(|a, b| (a != wanted, a).cmp(&(b != wanted, b)))?;
            if !found.is_empty() {
                found.push('/');
            }
            found.push_str(&similar);
        }
        Some(found)
    }

    pub(super) fn read_below(&self, relative: &str, max_bytes: u64) -> Result<Vec<u8>, ResourceProblem> {
        let path = fs::canonicalize(self.root.join(relative)).map_err(io_problem)?;
        if !path.starts_with(&self.root) {
            return Err(ResourceProblem::Outside);
        }
        // Before opening, because opening a pipe waits for its other end.
        let checked = fs::metadata(&path).map_err(io_problem)?;
        if !checked.is_file() {
            return Err(ResourceProblem::NotAFile);
        }
        refuse_large(checked.len(), max_bytes)?;
        let file = File::open(&path).map_err(io_problem)?;
        let opened = file.metadata().map_err(io_problem)?;
        if !opened.is_file() || !is_same_file(&checked, &opened) {
            return Err(ResourceProblem::Changed);
        }
        let mut bytes = Vec::new();
        // One byte more than allowed, to detect a file that grows while it is read.
        file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io_problem)?;
        refuse_large(bytes.len() as u64, max_bytes)?;
        Ok(bytes)
    }
}

fn io_problem(error: io::Error) -> ResourceProblem {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ResourceProblem::NotFound,
        _ => ResourceProblem::Io(error),
    }
}

#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;
    use proptest::prelude::*;

    struct Setup {
        _outer: tempfile::TempDir,
        folder: Folder,
        model: PathBuf,
    }

    /// `secret.txt` and `model/` with files; the folder is `model/`.
    fn setup() -> Setup {
        let outer = tempfile::tempdir().unwrap();
        let model = outer.path().join("model");
        fs::create_dir_all(model.join("tex ture")).unwrap();
        fs::write(outer.path().join("secret.txt"), "secret").unwrap();
        fs::write(model.join("a.bin"), "12345").unwrap();
        fs::write(model.join("tex ture").join("ü%41.png"), "png").unwrap();
        fs::write(model.join("100%.png"), "full").unwrap();
        let folder = Folder::new(&model).unwrap();
        Setup { _outer: outer, folder, model }
    }

    #[track_caller]
    fn check_refused(folder: &Folder, uri: &str, expected: &str) {
        let error = folder.read(uri, 1000).expect_err(uri).to_string();
        assert!(error.contains(expected), "{uri:?} gave {error:?}, which should contain {expected:?}");
    }

    #[test]
    fn files_in_the_folder_are_read() {
        let Setup { folder, .. } = &setup();
        for uri in ["a.bin", "./a.bin", "%61.bin", "a%2Ebin", ".//a.bin"] {
            assert_eq!(folder.read(uri, 5).unwrap(), b"12345", "{uri}");
        }
        for uri in ["tex%20ture/%C3%BC%2541.png", "tex ture\\ü%2541.png", "tex%20ture%2F%c3%bc%2541.png"] {
            assert_eq!(folder.read(uri, 5).unwrap(), b"png", "{uri}");
        }
        // Decoded once only, and not at all for plain names.
        check_refused(folder, "tex ture/ü%41.png", "does not exist");
        assert_eq!(folder.read_name("tex ture/ü%41.png", 5).unwrap(), b"png");
        assert_eq!(folder.read("100%.png", 5).unwrap(), b"full");
    }

    #[test]
    fn names_that_differ_in_case_are_found() {
        let Setup { folder, model, .. } = &setup();
        fs::create_dir(model.join("Tex")).unwrap();
        fs::write(model.join("Tex").join("Über.PNG"), "1").unwrap();
        let read = |name: &str| folder.read_similar_name(name, 10);
        let found = read("tex\\über.png").unwrap();
        assert_eq!((&found.bytes[..], found.found_as.as_deref()), (&b"1"[..], Some("Tex/Über.PNG")));
        assert_eq!(read("a.bin").unwrap().found_as, None);
        assert!(matches!(read("tex/other.png").unwrap_err().problem, ResourceProblem::NotFound));
        assert!(matches!(read("../SECRET.txt").unwrap_err().problem, ResourceProblem::Parent));
    }

    #[cfg(unix)]
    #[test]
    fn similar_names_do_not_lead_out() {
        let Setup { folder, model, .. } = &setup();
        std::os::unix::fs::symlink("..", model.join("up")).unwrap();
        let error = folder.read_similar_name("UP/SECRET.TXT", 10).unwrap_err();
        assert!(matches!(error.problem, ResourceProblem::NotFound), "{error}");
    }

    #[test]
    fn ways_out_are_refused() {
        let Setup { folder, model, .. } = &setup();
        for uri in [
            "../secret.txt",
            "..",
            "tex ture/../a.bin",
            "%2e%2e/secret.txt",
            "%2E./secret.txt",
            "..%2Fsecret.txt",
            "..\\secret.txt",
            "..%5csecret.txt",
            "tex ture\\..\\..\\secret.txt",
        ] {
            check_refused(folder, uri, "\"..\" is not supported");
        }
        let absolute = model.join("a.bin").display().to_string();
        for uri in [
            "/etc/passwd",
            "//host/x",
            "\\\\host\\share\\x",
            "\\x",
            "%2Fetc/passwd",
            "C:\\x",
            "c:x",
            "C%3A/x",
            &absolute,
        ] {
            check_refused(folder, uri, "absolute paths");
        }
        for uri in [
            "http://example.org/a.bin",
            "file:a.bin",
            "file:///etc/passwd",
            "FILE%3A/etc/passwd",
            "data:,x",
            "x-y+z.1:b",
        ] {
            check_refused(folder, uri, "with a scheme");
        }
        for uri in ["", ".", "./", "a.bin/", "a.bin/."] {
            check_refused(folder, uri, "name is empty");
        }
        check_refused(folder, "a.bin%00.png", "NUL");
        check_refused(folder, "%ff.png", "not UTF-8");
        check_refused(folder, "..%252Fsecret.txt", "does not exist");
        check_refused(folder, "tex ture", "not a regular file");
        check_refused(folder, "missing.bin", "external file \"missing.bin\": the file does not exist");
        check_refused(folder, "a.bin/x", "does not exist");
    }

    #[test]
    fn sizes_are_limited() {
        let Setup { folder, .. } = &setup();
        assert_eq!(folder.read("a.bin", 5).unwrap().len(), 5);
        let error = folder.read("a.bin", 4).expect_err("one byte too large").to_string();
        assert_eq!(error, "external file \"a.bin\": it has 5 bytes or more; the maximum is 4");
        assert_eq!(folder.read("a.bin", u64::MAX).unwrap().len(), 5);
    }

    #[test]
    fn missing_folders_are_errors() {
        let Setup { model, .. } = &setup();
        assert!(matches!(Folder::new(model.join("no")), Err(FolderError::Io { .. })));
        assert!(matches!(Folder::new(model.join("a.bin")), Err(FolderError::NotAFolder { .. })));
        Folder::new("").expect("the current folder");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_only() {
        use std::os::unix::fs::symlink;
        let Setup { folder, model, .. } = &setup();
        symlink("a.bin", model.join("inside")).unwrap();
        symlink("../secret.txt", model.join("outside")).unwrap();
        symlink("..", model.join("up")).unwrap();
        symlink("/dev/zero", model.join("zero")).unwrap();
        symlink("loop", model.join("loop")).unwrap();
        // A sibling whose name starts with that of the folder is outside too.
        fs::create_dir(model.with_file_name("model2")).unwrap();
        fs::write(model.with_file_name("model2").join("x"), "x").unwrap();
        symlink("../model2/x", model.join("sibling")).unwrap();
        assert_eq!(folder.read("inside", 5).unwrap(), b"12345");
        for uri in ["outside", "up/secret.txt", "zero", "sibling"] {
            check_refused(folder, uri, "outside the model's folder");
        }
        assert_eq!(folder.read("up/model/a.bin", 5).unwrap(), b"12345");
        check_refused(folder, "loop", "cannot be read");
        // A folder reached by a link is itself fine.
        let link = model.with_file_name("link");
        symlink(model, &link).unwrap();
        assert_eq!(Folder::new(link).unwrap().read("a.bin", 5).unwrap(), b"12345");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_sockets_do_not_hang() {
        let Setup { folder, model, .. } = &setup();
        let _socket = std::os::unix::net::UnixListener::bind(model.join("socket")).unwrap();
        check_refused(folder, "socket", "not a regular file");
        let made = std::process::Command::new("mkfifo").arg(model.join("pipe")).status();
        if made.is_ok_and(|status| status.success()) {
            check_refused(folder, "pipe", "not a regular file");
        }
    }

    #[test]
    fn long_names_are_shown_short() {
        let Setup { folder, .. } = &setup();
        let error = folder.read(&"ü".repeat(100_000), 10).expect_err("does not exist").to_string();
        assert!(error.len() < 500, "{}", error.len());
    }

    proptest! {
        #[test]
        fn accepted_paths_only_go_down(name in r"([a-zA-Z]|%2[eEfF]|%5[cC]|%00|[./\\:%]){0,12}") {
            if let Ok(path) = percent_decoded(&name).and_then(|name| relative_path(&name)) {
                let is_plain = |component| matches!(component, std::path::Component::Normal(_));
                prop_assert!(Path::new(&path).components().all(is_plain), "{}", path);
                prop_assert!(!path.is_empty());
            }
        }
    }
}
