//! What jobs on files share.

use crate::SaveError;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Why a job on files failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum JobError {
    /// A file that cannot be used or written.
    #[error("{}: {source}", .path.display())]
    At { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    /// A file that cannot be written; the error names it.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// No helpers to bake.
    #[error("{}: the model has no helper controllers to bake", .path.display())]
    NoControllers { path: PathBuf },
    /// No springs to bake.
    #[error("{}: the model has no springs to bake", .path.display())]
    NoSprings { path: PathBuf },
    /// A format that holds no rig.
    #[error("{}: only .glb, .gltf, .vrm and .pmx hold a rig", .path.display())]
    NoRig { path: PathBuf },
    /// An output over its input that holds less.
    #[error("{}: this is the input, and the output holds less; write another file", .path.display())]
    ReplacesInput { path: PathBuf },
    /// A format that holds no tetrahedra, and is no picture.
    #[error("{}: known are .node, .ele, .msh, .vtk and .png", .path.display())]
    NoTets { path: PathBuf },
}

impl JobError {
    /// Says which file an error is about.
    pub fn at<E: Into<Box<dyn Error + Send + Sync>>>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_path_buf();
        move |source| Self::At { path, source: source.into() }
    }
}
