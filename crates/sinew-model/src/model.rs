//! Models on disk: opened by what they are, saved by their extension.

use crate::{RotationConstraint, baked_where_missing, for_gltf};
use sinew_io::{
    Folder, FolderError, GltfDocument, Limits, ObjReadError, ObjWriteError, OutputError, OutputSet,
    PendingFile, ReadGltfError, Report, WriteGltfError,
};
use sinew_mmd::MmdReadError;
use sinew_mmd::pmd::{Pmd, PmdLimitError};
use sinew_mmd::pmx::{Pmx, PmxDocument, PmxWriteSettings, ReadPmxError, WritePmxError};
use sinew_mmd::vmd::Vmd;
use sinew_rig::{Character, Clip, InvalidCharacter};
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A character with the file it came from, so that it can be written back without loss.
pub struct Model {
    /// The character.
    pub character: Character,
    /// The file that it came from, if it did.
    pub document: Option<Document>,
}

/// A file with all that Sinew does not understand of it.
pub enum Document {
    /// glTF or VRM.
    Gltf(GltfDocument),
    /// PMX.
    Pmx(Box<PmxDocument>),
    /// PMD, and the PMX that was made of it.
    Pmd(Box<(Pmd, PmxDocument)>),
}

/// Why a file cannot be opened as a model.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file itself cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no file.
    #[error("this is a folder, not a model file")]
    IsFolder,
    /// Larger than the memory limit.
    #[error("the file has {bytes} bytes, more than the memory limit of {limit}; raise it with --max-memory")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The folder it lies in cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A broken glTF file.
    #[error(transparent)]
    Gltf(#[from] ReadGltfError),
    /// A broken OBJ file.
    #[error(transparent)]
    Obj(#[from] ObjReadError),
    /// A broken PMX file.
    #[error(transparent)]
    Pmx(#[from] ReadPmxError),
    /// A broken PMD or VMD file.
    #[error(transparent)]
    Mmd(#[from] MmdReadError),
    /// Neither by name nor by content anything known.
    #[error("{extension:?} is not a known kind of model; known are {KNOWN_MODELS}")]
    UnknownKind {
        /// The file's extension.
        extension: String,
    },
}

/// Why a model cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// An extension that no writer has.
    #[error("cannot write {extension:?}; known are {KNOWN_MODELS}")]
    UnknownKind {
        /// The extension asked for.
        extension: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// More than a `.glb` holds, or the model lost something that its file may need.
    #[error(transparent)]
    Update(#[from] WriteGltfError),
    /// An OBJ file.
    #[error(transparent)]
    Obj(#[from] ObjWriteError),
    /// A PMX file.
    #[error(transparent)]
    Pmx(#[from] WritePmxError),
    /// A PMD file.
    #[error(transparent)]
    Pmd(#[from] PmdLimitError),
    /// The posed shape left the range of numbers.
    #[error("the posed shape cannot be written: {0}")]
    Invalid(#[from] InvalidCharacter),
    /// A file of the model that would replace one of the user's.
    #[error(
        "{path:?} exists and is not the file that the model uses; move it away, or write to another folder"
    )]
    WouldReplace {
        /// The file.
        path: PathBuf,
    },
}

const KNOWN_MODELS: &str = ".glb, .gltf, .vrm, .pmx, .pmd and .obj";

impl Model {
    /// A character that came from no file.
    pub fn new(character: Character) -> Self {
        Self { character, document: None }
    }

    /// Opens a model file. Files that it names are read from its own folder only.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or claims more than `limits`.
    pub fn open(path: &Path, limits: &Limits, report: &mut Report) -> Result<Self, OpenError> {
        let bytes = read_limited(path, limits.max_memory)?;
        let folder = Folder::new(path.parent().unwrap_or(Path::new(".")))?;
        let extension = extension_of(path);
        let is_gltf = matches!(extension.as_str(), "glb" | "gltf" | "vrm") || bytes.starts_with(b"glTF");
        if is_gltf {
            let document = GltfDocument::read(bytes, &|uri, most| folder.read(uri, most), limits, report)?;
            let character = document.to_character(report)?;
            return Ok(Self { character, document: Some(Document::Gltf(document)) });
        }
        if extension == "obj" {
            let character =
                sinew_io::read_obj(&bytes, |name| folder.read_name(name, limits.max_memory), report)?;
            return Ok(Self::new(character));
        }
        let resources = |name: &str, most: u64| folder.read_similar_name(name, most);
        if extension == "pmx" || bytes.starts_with(b"PMX ") {
            let pmx = Pmx::read(&bytes, limits, report)?;
            let document = PmxDocument::new(pmx, &resources, limits, report)?;
            let character = document.to_character(report)?;
            return Ok(Self { character, document: Some(Document::Pmx(Box::new(document))) });
        }
        if extension == "pmd" || bytes.starts_with(b"Pmd") {
            let pmd = Pmd::read(&bytes, limits, report)?;
            let document = PmxDocument::new(pmd.to_pmx(report), &resources, limits, report)?;
            let character = document.to_character(report)?;
            return Ok(Self { character, document: Some(Document::Pmd(Box::new((pmd, document)))) });
        }
        Err(OpenError::UnknownKind { extension: format!(".{extension}") })
    }

    /// Adds the motion of a VMD file to the clips, named after the file, and returns its name.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or claims more than `limits`.
    pub fn add_motion(
        &mut self,
        path: &Path,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<String, OpenError> {
        let bytes = read_limited(path, limits.max_memory)?;
        let vmd = Vmd::read(&bytes, limits, report)?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let is_taken = |name: &str| self.character.clips().iter().any(|clip| clip.name == name);
        let name = (1..)
            .map(|number| if number == 1 { stem.clone() } else { format!("{stem} {number}") })
            .find(|name| !is_taken(name))
            .unwrap_or_default();
        let clip = vmd.to_clip(&self.character, &name, report);
        let mut parts = std::mem::take(&mut self.character).into_parts();
        parts.clips.push(clip);
        self.character = Character::new(parts).map_err(ReadPmxError::from)?;
        Ok(name)
    }

    /// The glTF document that the character came from, if it did.
    pub fn gltf(&self) -> Option<&GltfDocument> {
        match &self.document {
            Some(Document::Gltf(document)) => Some(document),
            _ => None,
        }
    }

    /// Saves to `path`, in the format of its extension. All that a format cannot hold is reported.
    ///
    /// # Errors
    /// Nothing is written then, and what was there before stays.
    pub fn save(&self, path: &Path, report: &mut Report) -> Result<(), SaveError> {
        match extension_of(path).as_str() {
            "glb" | "vrm" | "gltf" => save_as_gltf(&self.character, self.gltf(), path, report),
            "pmx" => self.save_pmx(path, report),
            "pmd" => self.save_pmd(path, report),
            "obj" => crate::save_obj(
                &sinew_skin::PosedCharacter::bind(&self.character, sinew_skin::Method::Lbs),
                path,
                report,
            ),
            extension => Err(SaveError::UnknownKind { extension: format!(".{extension}") }),
        }
    }

    /// Saves as VRM 1.0, with rotation constraints for helpers. Where the model was no VRM 1.0, what is missing is reported.
    ///
    /// # Errors
    /// Nothing is written then, and what was there before stays.
    pub fn save_constrained(
        &self,
        path: &Path,
        constraints: &[RotationConstraint],
        report: &mut Report,
    ) -> Result<(), SaveError> {
        let baked = baked_where_missing(&self.character, report);
        let mut document = match self.gltf() {
            Some(document) => document.updated(&baked, report)?,
            None => new_gltf(&baked, report),
        };
        add_constraints(&mut document, constraints, report);
        save_document(&document, path, report)
    }

    /// The PMX document to write: that of the file with the differences put in, or a new one.
    fn pmx_document(&self, report: &mut Report) -> Result<PmxDocument, WritePmxError> {
        let character = sinew_skin::with_default_s(self.character.clone());
        match &self.document {
            Some(Document::Pmx(document)) => document.updated(&character, report),
            Some(Document::Pmd(files)) => files.1.updated(&character, report),
            _ => Ok(PmxDocument::from_character(&character, &PmxWriteSettings::default(), report)),
        }
    }

    fn save_pmx(&self, path: &Path, report: &mut Report) -> Result<(), SaveError> {
        self.tell_lost_controllers(report);
        let document = self.pmx_document(report)?;
        let mut output = OutputSet::new(path)?;
        output.main().write_bytes(&document.pmx().write())?;
        save_pictures(&document, &mut output, path)?;
        Ok(output.commit()?)
    }

    /// MMD's formats know bones that follow one other, not several by formulas.
    fn tell_lost_controllers(&self, report: &mut Report) {
        let count = self.character.controllers().helpers.len();
        if count > 0 {
            report.warn(
                "",
                format!(
                    "MMD cannot hold how {count} helpers follow other bones; they stay with their parents"
                ),
            );
        }
    }

    fn save_pmd(&self, path: &Path, report: &mut Report) -> Result<(), SaveError> {
        self.tell_lost_controllers(report);
        let document = self.pmx_document(report)?;
        let bytes = match &self.document {
            Some(Document::Pmd(files)) if files.1 == document => files.0.write(),
            _ => Pmd::from_pmx(document.pmx(), report)?.write(),
        };
        let mut output = OutputSet::new(path)?;
        output.main().write_bytes(&bytes)?;
        save_pictures(&document, &mut output, path)?;
        Ok(output.commit()?)
    }
}

/// Saves a character as glTF: as the file that it came from with the differences put in, or as a new one.
pub fn save_as_gltf(
    character: &Character,
    source: Option<&GltfDocument>,
    path: &Path,
    report: &mut Report,
) -> Result<(), SaveError> {
    let baked = baked_where_missing(character, report);
    let document = match source {
        Some(document) => document.updated(&baked, report)?,
        None => new_gltf(&baked, report),
    };
    save_document(&document, path, report)
}

/// VRM's extension for nodes that follow others.
const CONSTRAINT_EXTENSION: &str = "VRMC_node_constraint";

fn add_constraints(document: &mut GltfDocument, constraints: &[RotationConstraint], report: &mut Report) {
    let has = |name: &str| document.json()["extensions"].get(name).is_some();
    if has("VRM") && !has("VRMC_vrm") {
        report.warn(
            "",
            "VRM 0.x has no constraints of nodes: helpers move in its clips alone; convert the model to VRM 1.0",
        );
        return;
    }
    if !has("VRMC_vrm") {
        report.warn(
            "",
            "the model has no VRMC_vrm, which players of VRM ask for; its constraints are written all the same",
        );
    }
    for constraint in constraints {
        let value = serde_json::json!({
            "specVersion": "1.0",
            "constraint": {
                "rotation": { "source": constraint.source.index(), "weight": constraint.weight }
            },
        });
        document.set_node_extension(constraint.helper.index(), CONSTRAINT_EXTENSION, value);
    }
}

fn new_gltf(character: &Character, report: &mut Report) -> GltfDocument {
    if !character.has_logic() {
        return GltfDocument::from_character(&for_gltf(character.clone(), report), report);
    }
    if character.clips().is_empty() {
        report.warn("", "glTF cannot hold what bones do by themselves (IK, following bones); left out");
    } else {
        let what = format!(
            "what bones do by themselves is baked into the clips, {BAKED_FPS} frames a second; glTF has no such logic"
        );
        report.warn("", what);
    }
    let baked = sinew_rig::bake(&without_endless_clips(character, report), BAKED_FPS);
    GltfDocument::from_character(&for_gltf(baked, report), report)
}

/// The most places of bones that are baked for a clip: some 3 GB on the way. With a hundred bones 6 hours.
const MOST_BAKED: usize = 1 << 26;

/// The character without clips that are too long to be baked; a motion of two keys may be years long.
fn without_endless_clips<'a>(character: &'a Character, report: &mut Report) -> Cow<'a, Character> {
    let bone_count = character.skeleton().bone_count();
    let is_endless = |clip: &Clip| clip.frame_count(BAKED_FPS).saturating_mul(bone_count) > MOST_BAKED;
    let endless: Vec<&Clip> = character.clips().iter().filter(|clip| is_endless(clip)).collect();
    if endless.is_empty() {
        return Cow::Borrowed(character);
    }
    for clip in endless {
        let what = format!("it has {} frames, too many to be baked; left out", clip.frame_count(BAKED_FPS));
        report.warn(format_args!("clip {:?}", clip.name), what);
    }
    let mut parts = character.clone().into_parts();
    parts.clips.retain(|clip| !is_endless(clip));
    Cow::Owned(Character::new(parts).expect("fewer clips change nothing else"))
}

/// Frames a second of clips that are baked: those of MMD.
const BAKED_FPS: f64 = 30.0;

/// Writes the pictures of a PMX or PMD file beside it.
fn save_pictures(document: &PmxDocument, output: &mut OutputSet, path: &Path) -> Result<(), SaveError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let files: Vec<(PathBuf, &[u8])> =
        document.beside().into_iter().map(|(name, bytes)| (folder.join(name), bytes)).collect();
    // All are looked at before folders are made for any.
    files.iter().try_for_each(|(target, bytes)| refuse_replacing(target, bytes))?;
    files.iter().try_for_each(|(target, bytes)| add_beside(output, target, bytes, false))
}

/// Saves a document as the kind of glTF that the extension says.
pub fn save_document(document: &GltfDocument, path: &Path, report: &mut Report) -> Result<(), SaveError> {
    if extension_of(path) != "gltf" {
        let mut file = PendingFile::create(path)?;
        file.write_bytes(&document.to_glb()?)?;
        return Ok(file.commit()?);
    }
    if document.other_chunk_count() > 0 {
        let count = document.other_chunk_count();
        report.warn("", format!(".gltf cannot hold {count} unknown chunks of the .glb; left out"));
    }
    let stem = path.file_stem().map_or_else(|| "model".into(), |stem| stem.to_string_lossy().into_owned());
    let files = document.to_gltf(&stem);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut output = OutputSet::new(path)?;
    output.main().write_bytes(&files.main)?;
    for (name, bytes) in &files.beside {
        let target = folder.join(name);
        let is_own = name.starts_with(&stem) && extension_of(&target) == "bin";
        add_beside(&mut output, &target, bytes, is_own)?;
    }
    Ok(output.commit()?)
}

/// Adds a file that the model names. One that is there already with the same bytes stays; another of that name is only replaced
/// if it is the output's own.
pub fn add_beside(
    output: &mut OutputSet,
    target: &Path,
    bytes: &[u8],
    is_own: bool,
) -> Result<(), SaveError> {
    if !is_own {
        refuse_replacing(target, bytes)?;
    }
    if std::fs::read(target).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    if let Some(parent) = target.parent() {
        std::fs::create_dir_all(parent).map_err(|source| OutputError::Io { path: parent.into(), source })?;
    }
    Ok(output.add_side(target)?.write_bytes(bytes)?)
}

/// An error where another file than the model's has its name.
fn refuse_replacing(target: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    match std::fs::read(target) {
        Ok(there) if there != bytes => Err(SaveError::WouldReplace { path: target.into() }),
        _ => Ok(()),
    }
}

/// A path's extension in lower case; empty without one.
pub fn extension_of(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The bytes of a file of at most `limit`.
///
/// # Errors
/// It cannot be read, is a folder, or is larger.
pub fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, OpenError> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(OpenError::IsFolder);
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
