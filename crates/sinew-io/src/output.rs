//! Output files that appear complete or not at all.
//!
//! Every file is written under a temporary name in its target's folder and renamed when complete. Until then an existing file
//! is unchanged, and a failed or dropped job leaves nothing behind. Data is not synced to disk: after a power failure the last
//! files may be missing.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{TempDir, TempPath};

/// Error of writing an output file.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum OutputError {
    #[error("cannot write {path:?}: folder {folder:?} does not exist; create it first")]
    MissingFolder { path: PathBuf, folder: PathBuf },
    #[error(
        "cannot write {path:?}: permission denied; check the owner of the file and folder, or choose another path"
    )]
    Permission { path: PathBuf },
    #[error("cannot write {path:?}: it is a folder; give a file name")]
    IsFolder { path: PathBuf },
    #[error("cannot write {path:?}: it is not a regular file and would be removed")]
    NotAFile { path: PathBuf },
    #[error("cannot write {path:?} twice: two output files have the same name; rename one")]
    Twice { path: PathBuf },
    #[error("cannot write {path:?}: {source}; files already replaced: {replaced:?}")]
    HalfReplaced { path: PathBuf, source: io::Error, replaced: Vec<PathBuf> },
    #[error("cannot write {path:?}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

/// A buffered output file under its temporary name. Dropping it without [`PendingFile::commit`] removes it.
///
/// If the target is a link to a file, the file is replaced, not the link. An existing target keeps its permissions; a new one
/// gets the default ones (0666 less the umask). A read-only target is an error.
#[derive(Debug)]
pub struct PendingFile {
    /// As given, for messages.
    target: PathBuf,
    /// Links followed.
    replaced: PathBuf,
    // Before `scratch`, so that the file is closed when it is removed.
    writer: BufWriter<File>,
    scratch: TempPath,
}

impl PendingFile {
    /// Opens a temporary file beside `target`.
    ///
    /// # Errors
    /// If the folder is missing or not writable, or the target is a folder, a device or read-only.
    pub fn create(target: impl AsRef<Path>) -> Result<Self, OutputError> {
        let target = target.as_ref().to_path_buf();
        let replaced = checked_target(&target)?;
        let (file, scratch) = scratch_beside(&replaced).map_err(|source| create_error(&target, source))?;
        // 64 KiB: frames are written in pieces smaller than this.
        let writer = BufWriter::with_capacity(1 << 16, file);
        Ok(Self { target, replaced, writer, scratch })
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// The system's error with the target's name; usually a full disk.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.writer.write_all(bytes).map_err(|source| OutputError::Io { path: self.target.clone(), source })
    }

    /// Final path of the file.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Moves the file to its target.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the target cannot be replaced; the target is then unchanged.
    pub fn commit(self) -> Result<(), OutputError> {
        let path = self.target.clone();
        self.finish()?.put_in_place().map_err(|source| OutputError::Io { path, source })
    }

    /// Writes buffered bytes and closes the file.
    fn finish(self) -> Result<FinishedFile, OutputError> {
        let Self { target, replaced, writer, scratch } = self;
        let error = |source| OutputError::Io { path: target.clone(), source };
        let file = writer.into_inner().map_err(|failed| error(failed.into_error()))?;
        // Checked again: during a long job others may have changed it.
        checked_target(&target)?;
        let existing = fs::metadata(&replaced).ok();
        if let Some(existing) = &existing {
            file.set_permissions(existing.permissions()).map_err(error)?;
        }
        Ok(FinishedFile { target, replaced, scratch, did_exist: existing.is_some() })
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| named(&self.target, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| named(&self.target, error))
    }
}

/// Output files that belong together: a main file and the files it refers to.
///
/// All are written before the first is moved into place. The main file comes last and never refers to a missing file.
/// Renaming several files is not atomic: if one rename fails after others (another program holds the file open), new files are
/// removed again, and the error lists the existing files that were replaced.
#[derive(Debug)]
pub struct OutputSet {
    main: PendingFile,
    sides: Vec<PendingFile>,
}

impl OutputSet {
    /// A set with this main file, open for writing through [`OutputSet::main`].
    ///
    /// # Errors
    /// As for [`PendingFile::create`].
    pub fn new(main_target: impl AsRef<Path>) -> Result<Self, OutputError> {
        Ok(Self { main: PendingFile::create(main_target)?, sides: Vec::new() })
    }

    /// The main file.
    pub fn main(&mut self) -> &mut PendingFile {
        &mut self.main
    }

    /// Adds a file that the main file refers to; write it through the result.
    ///
    /// # Errors
    /// As for [`PendingFile::create`], or if the set already contains this target.
    pub fn add_side(&mut self, target: impl AsRef<Path>) -> Result<&mut PendingFile, OutputError> {
        let side = PendingFile::create(target)?;
        let mut all = std::iter::once(&self.main).chain(&self.sides);
        if all.any(|other| is_same_target(&other.replaced, &side.replaced)) {
            return Err(OutputError::Twice { path: side.target.clone() });
        }
        self.sides.push(side);
        Ok(self.sides.last_mut().expect("just pushed"))
    }

    /// Moves all files into place, the main file last.
    ///
    /// # Errors
    /// If the last bytes of a file cannot be written, or a target cannot be replaced.
    pub fn commit(self) -> Result<(), OutputError> {
        let all = self.sides.into_iter().chain([self.main]);
        let finished = all.map(PendingFile::finish).collect::<Result<Vec<_>, _>>()?;
        let (mut created, mut replaced) = (Vec::new(), Vec::new());
        for file in finished {
            let (target, did_exist) = (file.target.clone(), file.did_exist);
            if let Err(source) = file.put_in_place() {
                for path in created {
                    // Report the first error only; a file that stays is complete.
                    let _ = fs::remove_file(path);
                }
                return Err(if replaced.is_empty() {
                    OutputError::Io { path: target, source }
                } else {
                    OutputError::HalfReplaced { path: target, source, replaced }
                });
            }
            if did_exist { replaced.push(target) } else { created.push(target) }
        }
        Ok(())
    }
}

/// An empty temporary file for reading and writing on the disk of `target`, removed when it is closed.
///
/// # Errors
/// If the folder of `target` is missing or not writable.
pub fn scratch_file(target: impl AsRef<Path>) -> Result<File, OutputError> {
    let target = target.as_ref();
    tempfile::tempfile_in(folder_of(target)).map_err(|source| create_error(target, source))
}

/// A folder with a name of its own beside `target`, removed with all that is in it when it is dropped.
#[derive(Debug)]
pub struct ScratchFolder(TempDir);

impl ScratchFolder {
    /// Makes the folder `.NAME.RANDOM.tmp`.
    ///
    /// # Errors
    /// If the folder of `target` is missing or not writable.
    pub fn beside(target: impl AsRef<Path>) -> Result<Self, OutputError> {
        let target = target.as_ref();
        let folder = scratch_names(target, |builder| builder.tempdir_in(folder_of(target)));
        folder.map(Self).map_err(|source| create_error(target, source))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Whether two paths lead to the same existing file, links and relative parts followed.
pub fn is_same_file(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(a.as_ref()).is_some_and(|a| real(b.as_ref()) == Some(a))
}

/// Written and closed, not yet renamed.
struct FinishedFile {
    target: PathBuf,
    replaced: PathBuf,
    scratch: TempPath,
    did_exist: bool,
}

impl FinishedFile {
    fn put_in_place(self) -> io::Result<()> {
        self.scratch.persist(&self.replaced).map_err(|failed| failed.error)
    }
}

/// A new file `.NAME.RANDOM.tmp` in the folder of `target`; it is removed when its path is dropped.
fn scratch_beside(target: &Path) -> io::Result<(File, TempPath)> {
    scratch_names(target, |builder| {
        // Less the umask, as for any new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(builder.tempfile_in(folder_of(target))?.into_parts())
    })
}

/// Makes something under a new name `.NAME.RANDOM.tmp`.
fn scratch_names<T>(
    target: &Path,
    make: impl FnOnce(&mut tempfile::Builder<'_, '_>) -> io::Result<T>,
) -> io::Result<T> {
    // File names may have 255 bytes; this leaves room for the random letters.
    let most_bytes = 200;
    let name = target.file_name().and_then(OsStr::to_str).unwrap_or("output");
    let prefix = format!(".{}.", &name[..name.floor_char_boundary(most_bytes)]);
    make(tempfile::Builder::new().prefix(&prefix).suffix(".tmp"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path to replace, links followed, if replacing is allowed.
fn checked_target(target: &Path) -> Result<PathBuf, OutputError> {
    let path = || target.to_path_buf();
    let ends_as_folder = target.as_os_str().as_encoded_bytes().ends_with(b"/");
    if target.file_name().is_none() || ends_as_folder {
        return Err(OutputError::IsFolder { path: path() });
    }
    match fs::metadata(target) {
        Ok(existing) if existing.is_dir() => Err(OutputError::IsFolder { path: path() }),
        Ok(existing) if !existing.is_file() => Err(OutputError::NotAFile { path: path() }),
        Ok(existing) if existing.permissions().readonly() => Err(OutputError::Permission { path: path() }),
        Ok(_) => fs::canonicalize(target).map_err(|source| OutputError::Io { path: path(), source }),
        // Missing or not readable: creating the temporary file finds out which.
        Err(_) => Ok(path()),
    }
}

fn create_error(target: &Path, source: io::Error) -> OutputError {
    let path = target.to_path_buf();
    let folder = folder_of(target).to_path_buf();
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => OutputError::MissingFolder { path, folder },
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            OutputError::Permission { path }
        }
        _ => OutputError::Io { path, source },
    }
}

/// Whether two targets are the same file: by name or, for "a/b" and "a/./b", by their folder.
fn is_same_target(a: &Path, b: &Path) -> bool {
    let folder = |path: &Path| fs::canonicalize(folder_of(path)).ok();
    a == b || (a.file_name() == b.file_name() && folder(a) == folder(b))
}

fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{path:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek, SeekFrom};

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_committed_file_replaces_the_old_one_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.bin");
        fs::write(&target, "old").unwrap();
        let mut file = PendingFile::create(&target).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["out.bin"]);
    }

    #[test]
    fn a_dropped_file_leaves_all_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.bin");
        fs::write(&target, "old").unwrap();
        let mut file = PendingFile::create(&target).unwrap();
        file.write_bytes(&[7; 200_000]).unwrap();
        let scratch = names(folder.path());
        assert!(scratch[0].starts_with(".out.bin.") && scratch[0].ends_with(".tmp"), "{scratch:?}");
        drop(file);
        assert_eq!(names(folder.path()), ["out.bin"]);
        assert_eq!(fs::read(&target).unwrap(), b"old");
    }

    #[test]
    fn sets_appear_together() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut set = OutputSet::new(at("a.gltf")).unwrap();
        set.main().write_bytes(b"main").unwrap();
        set.add_side(at("a.bin")).unwrap().write_bytes(b"side").unwrap();
        set.add_side(at("t.png")).unwrap().write_bytes(b"texture").unwrap();
        let error = set.add_side(folder.path().join(".").join("a.bin")).expect_err("twice").to_string();
        assert!(error.contains("twice"), "{error}");
        assert!(names(folder.path()).iter().all(|name| name.ends_with(".tmp")));
        set.commit().unwrap();
        assert_eq!(names(folder.path()), ["a.bin", "a.gltf", "t.png"]);
        assert_eq!(fs::read(at("a.gltf")).unwrap(), b"main");
        assert_eq!(fs::read(at("t.png")).unwrap(), b"texture");
    }

    #[test]
    fn a_set_with_one_bad_file_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.bin"), "old").unwrap();
        let mut set = OutputSet::new(at("a.gltf")).unwrap();
        set.add_side(at("a.bin")).unwrap().write_bytes(b"new").unwrap();
        // A folder appears under the main file's name while the job runs.
        fs::create_dir(at("a.gltf")).unwrap();
        assert!(matches!(set.commit(), Err(OutputError::IsFolder { .. })));
        assert_eq!(fs::read(at("a.bin")).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.bin", "a.gltf"]);
    }

    #[test]
    fn errors_say_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no").join("out.bin");
        let error = PendingFile::create(&missing).expect_err("no folder").to_string();
        assert!(error.contains("does not exist") && error.ends_with("create it first"), "{error}");
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        PendingFile::create(file.join("out.bin")).expect_err("a file is not a folder");
        let error = PendingFile::create(folder.path()).expect_err("a folder").to_string();
        assert!(error.ends_with("it is a folder; give a file name"), "{error}");
        assert!(matches!(PendingFile::create(""), Err(OutputError::IsFolder { .. })));
        assert!(matches!(PendingFile::create("new_folder/"), Err(OutputError::IsFolder { .. })));
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn read_only_targets_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.bin");
        fs::write(&target, "old").unwrap();
        let mut permissions = fs::metadata(&target).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&target, permissions).unwrap();
        let error = PendingFile::create(&target).expect_err("read-only").to_string();
        assert!(error.contains("permission denied"), "{error}");
    }

    #[test]
    fn names_as_long_as_can_be_work() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("ü".repeat(127));
        let mut file = PendingFile::create(&target).unwrap();
        file.write_bytes(b"x").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"x");
    }

    #[test]
    fn scratch_files_read_back_and_vanish() {
        let folder = tempfile::tempdir().unwrap();
        let mut scratch = scratch_file(folder.path().join("out.usda")).unwrap();
        scratch.write_all(b"0123456789").unwrap();
        scratch.seek(SeekFrom::Start(3)).unwrap();
        let mut bytes = [0; 4];
        scratch.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"3456");
        drop(scratch);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn scratch_folders_have_names_of_their_own_and_vanish() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("film.mp4");
        let (a, b) = (ScratchFolder::beside(&target).unwrap(), ScratchFolder::beside(&target).unwrap());
        assert_ne!(a.path(), b.path());
        fs::write(a.path().join("frame.png"), "x").unwrap();
        drop((a, b));
        assert!(names(folder.path()).is_empty());
        assert!(matches!(
            ScratchFolder::beside(folder.path().join("no").join("film.mp4")),
            Err(OutputError::MissingFolder { .. })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn the_same_file_is_known_by_any_path() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.glb"), "x").unwrap();
        fs::write(at("b.glb"), "x").unwrap();
        std::os::unix::fs::symlink("a.glb", at("link.glb")).unwrap();
        assert!(is_same_file(at("a.glb"), at("link.glb")));
        assert!(is_same_file(at("a.glb"), folder.path().join(".").join("a.glb")));
        assert!(!is_same_file(at("a.glb"), at("b.glb")));
        assert!(!is_same_file(at("new.glb"), at("new.glb")), "nothing is there to be lost");
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("real", &link).unwrap();
        let mut file = PendingFile::create(&link).unwrap();
        file.write_bytes(b"new").unwrap();
        file.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);

        assert!(matches!(PendingFile::create("/dev/null"), Err(OutputError::NotAFile { .. })));

        let fresh = folder.path().join("fresh");
        PendingFile::create(&fresh).unwrap().commit().unwrap();
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&fresh), mode(&plain));
    }
}
