//! A PMX file with the pictures that it names.

use super::Pmx;
use crate::MmdReadError;
use sinew_io::Budget;
use sinew_io::{FoundFile, Limits, MemoryLimitError, Report, ResourceError, ResourceProblem};
use sinew_rig::InvalidCharacter;

/// Gives a file beside the model by its relative path, refusing files of more than so many bytes. [`sinew_io::Folder::read_similar_name`]
/// does.
pub type PmxResources<'a> = dyn Fn(&str, u64) -> Result<FoundFile, ResourceError> + 'a;

/// A PMX file as it was read: everything in it, understood or not, and its pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxDocument {
    /// The file.
    pub(super) pmx: Pmx,
    /// The bytes of each texture; `None` where it could not be read.
    pub(super) images: Vec<Option<Vec<u8>>>,
    /// What reading left of the limits.
    pub(super) limits: Limits,
}

/// Why no character could be made of a PMX file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadPmxError {
    /// The file is damaged.
    #[error(transparent)]
    File(#[from] MmdReadError),
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    /// A picture that is too large.
    #[error("{place}: {source}")]
    Resource {
        /// Where it is named.
        place: String,
        /// Why.
        source: ResourceError,
    },
    /// The parts do not make a character.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
}

impl PmxDocument {
    /// Reads a `.pmx` file; `resources` gives the pictures that it names. Pictures that cannot be read are reported.
    ///
    /// # Errors
    /// The file is damaged, or needs more memory than `limits` allow.
    pub fn read(
        bytes: &[u8],
        resources: &PmxResources<'_>,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Self, ReadPmxError> {
        let mut budget = Budget::new(limits, bytes.len());
        let pmx = Pmx::read(bytes, limits, report)?;
        // What is read takes about twice the file: a vertex of 38 bytes or more takes 88.
        budget.take(&"the file", bytes.len() as u64, 3)?;
        Self::new(pmx, resources, &Limits { max_memory: budget.left(), ..*limits }, report)
    }

    /// The bytes of the `.pmx` file. What was read and not changed comes back byte for byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.pmx.write()
    }

    /// A file with its pictures, which `resources` gives. Pictures that cannot be read are reported.
    ///
    /// # Errors
    /// The pictures need more memory than `limits` allow.
    pub fn new(
        pmx: Pmx,
        resources: &PmxResources<'_>,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Self, ReadPmxError> {
        let mut budget = Budget::new(limits, 0);
        let mut images = Vec::with_capacity(pmx.textures.len());
        for (index, path) in pmx.textures.iter().enumerate() {
            let place = format!("textures[{index}]");
            match resources(path.as_str(), budget.left()) {
                Ok(found) => {
                    budget.take(&place, found.bytes.len() as u64, 1)?;
                    if let Some(name) = found.found_as {
                        report.warn(place, format!("{:?} is read from {name:?}", path.as_str()));
                    }
                    images.push(Some(found.bytes));
                }
                Err(source) if matches!(source.problem, ResourceProblem::TooLarge { .. }) => {
                    return Err(ReadPmxError::Resource { place, source });
                }
                Err(source) => {
                    report.warn(place, format!("{source}; drawn without it"));
                    images.push(None);
                }
            }
        }
        Ok(Self { pmx, images, limits: Limits { max_memory: budget.left(), ..*limits } })
    }

    /// A file without its pictures, as where they do not matter.
    pub fn from_pmx(pmx: Pmx) -> Self {
        let images = vec![None; pmx.textures.len()];
        Self { pmx, images, limits: Limits::default() }
    }

    /// The file.
    pub fn pmx(&self) -> &Pmx {
        &self.pmx
    }

    /// The same pictures with another file, such as a repaired one.
    #[must_use]
    pub fn with_pmx(&self, pmx: Pmx) -> Self {
        let mut images = self.images.clone();
        images.resize(pmx.textures.len(), None);
        Self { pmx, images, limits: self.limits }
    }

    /// The pictures to be written beside the model: path relative to its folder with `/` between folders, and bytes. Those that
    /// could not be read are left out, and so are paths that lead out of the folder.
    pub fn beside(&self) -> Vec<(String, &[u8])> {
        let mut files: Vec<(String, &[u8])> = Vec::new();
        for (path, bytes) in self.pmx.textures.iter().zip(&self.images) {
            let Some(bytes) = bytes else { continue };
            let path = path.as_str().replace('\\', "/");
            let is_inside =
                !path.starts_with('/') && !path.contains(':') && path.split('/').all(|part| part != "..");
            if is_inside && files.iter().all(|(known, _)| *known != path) {
                files.push((path, bytes));
            }
        }
        files
    }
}
