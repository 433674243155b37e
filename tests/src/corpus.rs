//! Public models that are not part of this repository.

use std::path::{Path, PathBuf};

/// A model and the files beside it, in memory.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// Its name.
    pub name: String,
    /// The `.glb` or `.gltf` itself.
    pub main: Vec<u8>,
    /// Files that it names: name relative to its folder, and bytes.
    pub beside: Vec<(String, Vec<u8>)>,
}

impl ModelFile {
    /// The bytes of a file beside this one; empty where there is none.
    pub fn resource(&self, uri: &str) -> Vec<u8> {
        let name = uri.replace("%20", " ");
        self.beside
            .iter()
            .find(|(beside, _)| *beside == name)
            .map(|(_, bytes)| bytes.clone())
            .unwrap_or_default()
    }
}

/// The glTF files of the folder that the environment variable `SINEW_CORPUS` names, in order; none, and a line that says so, where
/// it is not set.
pub fn corpus_files(test: &str) -> Vec<ModelFile> {
    let Some(folder) = std::env::var_os("SINEW_CORPUS").map(PathBuf::from) else {
        eprintln!("{test}: SINEW_CORPUS is not set, public models are skipped");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = ["gltf", "characters"]
        .iter()
        .flat_map(|part| std::fs::read_dir(folder.join(part)).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "SINEW_CORPUS names a folder without gltf/ or characters/");
    paths.iter().map(|path| read_model(path)).collect()
}

/// Names and bytes of the files in a folder of the corpus whose names end in `ending`, in order; none, and a line that says so, where
/// `SINEW_CORPUS` is not set.
pub fn corpus_bytes(test: &str, folder: &str, ending: &str) -> Vec<(String, Vec<u8>)> {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS").map(PathBuf::from) else {
        eprintln!("{test}: SINEW_CORPUS is not set, public files are skipped");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus.join(folder))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending)))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "SINEW_CORPUS names a folder without {folder}/*.{ending}");
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, std::fs::read(path).expect("the folder lists it"))
    };
    paths.iter().map(named).collect()
}

fn read_model(path: &Path) -> ModelFile {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let main = std::fs::read(path).expect("the folder lists it");
    // The samples refer to no files but those in their own folder.
    let folder = path.parent().unwrap_or(Path::new("."));
    let others = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let beside = others
        .filter(|other| other.extension().is_some_and(|extension| extension == "bin" || extension == "png"))
        .map(|other| {
            let name = other.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read(&other).unwrap_or_default())
        })
        .collect();
    ModelFile { name, main, beside }
}
