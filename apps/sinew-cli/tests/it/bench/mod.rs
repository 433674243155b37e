//! What the tests of the command line share.

use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder with the limb of the samples in it, as a newcomer would have a model.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with_rows(8)
    }

    /// With a limb of so many rows of vertices.
    pub(crate) fn with_rows(rows: u32) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let limb = sinew::model::Model::new(sinew::rig::samples::limb(8, rows));
        limb.save(&folder.path().join("limb.glb"), &mut sinew::io::Report::default())
            .expect("the sample is right");
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sinew"))
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("the binary runs")
    }

    /// Runs a command that must work, and returns what it prints.
    #[track_caller]
    pub(crate) fn works(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Runs a command that must fail with `code`, leave no file behind, and say `message`.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: &[&str], code: i32, message: &str) {
        let before = self.files();
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?} said {said:?}, not {message:?}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        assert_eq!(self.files(), before, "{arguments:?} left files behind");
    }

    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder is there");
        let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
        files.sort();
        files
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("writable");
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("written")
    }
}
