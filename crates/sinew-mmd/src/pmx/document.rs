//! A PMX file with its images.

use super::Pmx;
use crate::MmdReadError;
use sinew_io::{Budget, FoundFile, Limits, MemoryLimitError, Report, ResourceError, ResourceProblem};
use sinew_rig::InvalidCharacter;

/// Returns a file beside the model by its relative path; rejects files larger than the given number of bytes. Usually
/// [`sinew_io::Folder::read_similar_name`].
pub type PmxResources<'a> = dyn Fn(&str, u64) -> Result<FoundFile, ResourceError> + 'a;

/// A PMX file with everything in it, known to Sinew or not, and its images.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxDocument {
    /// The file.
    pub(super) pmx: Pmx,
    /// The bytes of each texture; `None` if it could not be read.
    pub(super) images: Vec<Option<Vec<u8>>>,
    /// Limits left after reading.
    pub(super) limits: Limits,
}

/// Error of making a character from a PMX file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ReadPmxError {
    /// The parts do not make a character.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
    /// The file is damaged.
    #[error(transparent)]
    File(#[from] MmdReadError),
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    #[error("{place}: {source}")]
    Resource { place: String, source: ResourceError },
}

impl PmxDocument {
    /// Reads a `.pmx` file; `resources` provides its images. Images that cannot be read are reported.
    ///
    /// # Errors
    /// If the file is damaged or needs more memory than `limits` allow.
    pub fn read(
        bytes: &[u8],
        resources: &PmxResources<'_>,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Self, ReadPmxError> {
        let mut budget = Budget::new(limits, bytes.len());
        let pmx = Pmx::read(bytes, limits, report)?;
        // The data takes about twice the file: a vertex of 38 bytes or more takes 88.
        budget.take(&"the file", bytes.len() as u64, 3)?;
        Self::new(pmx, resources, &Limits { max_memory: budget.left(), ..*limits }, report)
    }

    /// The bytes of the `.pmx` file. An unchanged file is written back byte for byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.pmx.write()
    }

    /// A file with its images from `resources`. Images that cannot be read are reported.
    ///
    /// # Errors
    /// If the images need more memory than `limits` allow.
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
                        report.warn(place, format!("{:?} was found as {name:?}", path.as_str()));
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

    /// A file without its images, for uses that do not need them.
    pub fn from_pmx(pmx: Pmx) -> Self {
        let images = vec![None; pmx.textures.len()];
        Self { pmx, images, limits: Limits::default() }
    }

    /// The file.
    pub fn pmx(&self) -> &Pmx {
        &self.pmx
    }

    /// The same images with another file, such as a repaired one.
    #[must_use]
    pub fn with_pmx(&self, pmx: Pmx) -> Self {
        let mut images = self.images.clone();
        images.resize(pmx.textures.len(), None);
        Self { pmx, images, limits: self.limits }
    }

    /// The images to write beside the model: path relative to its folder with `/` between folders, and bytes. Leaves out images that
    /// could not be read and paths outside the folder.
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
