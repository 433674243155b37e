//! Models: opened by what they are, saved by their extension.

use crate::contents::of_gltf::{VRM_0, vrm_version};
use crate::motion::humanoid_map;
use crate::written::gltf_of;
use crate::{OpenError, RotationConstraint, SaveError, VrmMeta, WrittenModel};
use sinew_io::bvh::{Bvh, BvhScale};
use sinew_io::{Folder, FoundFile, GltfDocument, Limits, Loss, Report, ResourceError};
use sinew_mmd::StandardBones;
use sinew_mmd::pmd::Pmd;
use sinew_mmd::pmx::{Pmx, PmxDocument, PmxWriteSettings, WritePmxError};
use sinew_rig::{Character, Clip, InvalidCharacter};
use sinew_skin::{Method, PosedCharacter};
use std::path::Path;

/// A character with the file it came from, so that it can be written back without loss.
pub struct Model {
    /// The character.
    pub character: Character,
    /// The file that it came from, if it did.
    pub document: Option<Document>,
    pub(crate) source: Source,
}

/// What a document does not tell of the file that a model came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The document tells all, or there is no file.
    Document,
    /// A VRM 0.x, of which the document keeps a VRM 1.0.
    Vrm0,
    /// A format that is not kept, by its name.
    Read(&'static str),
}

/// A file with all that Sinew does not understand of it.
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "a model has one document, and a program few models")]
pub enum Document {
    /// glTF or VRM.
    Gltf(GltfDocument),
    /// PMX.
    Pmx(Box<PmxDocument>),
    /// PMD, and the PMX that was made of it.
    Pmd(Box<(Pmd, PmxDocument)>),
}

/// How a model is written where a format leaves a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveSettings {
    /// Whether bones keep their names in MMD's formats and get no IK. Default: no. Humans that did not come from MMD get its standard
    /// skeleton, so that motions made for other models move them.
    pub keeps_names: bool,
    /// What a `.vrm` says about itself.
    pub vrm: VrmMeta,
}

impl Model {
    /// A character that came from no file.
    pub fn new(character: Character) -> Self {
        Self { character, document: None, source: Source::Document }
    }

    /// A character from a format that is not kept.
    fn read_from(format: &'static str, character: Character) -> Self {
        Self { source: Source::Read(format), ..Self::new(character) }
    }

    /// Opens a model file. Files that it names are read from its own folder only.
    ///
    /// Lengths are in m: by `limits.scale`, or by a guess, which is reported.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or claims more than `limits`.
    #[cfg(feature = "files")]
    pub fn open(path: &Path, limits: &Limits, report: &mut Report) -> Result<Self, OpenError> {
        let bytes = crate::read_limited(path, limits.max_memory)?;
        let folder = Folder::new(path.parent().unwrap_or(Path::new(".")))?;
        Self::from_bytes(path, bytes, &folder, limits, report)
    }

    /// A model from the bytes of its file. The name tells the kind by its extension; `folder` has the files that the model names:
    /// see [`Folder::of_files`].
    ///
    /// ```
    /// use sinew_io::{Folder, Limits, Report};
    /// use sinew_model::Model;
    /// use sinew_rig::samples;
    ///
    /// let mut report = Report::default();
    /// let written = Model::new(samples::limb(8, 4)).to_bytes("limb.gltf", &mut report)?;
    /// let beside = Folder::of_files(written.beside.into_iter().map(|side| (side.name, side.bytes)));
    /// let model = Model::from_bytes("limb.gltf", written.main, &beside, &Limits::default(), &mut report)?;
    /// assert_eq!(model.character.clips(), samples::limb(8, 4).clips());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file is damaged, or claims more than `limits`.
    pub fn from_bytes(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        folder: &Folder,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Self, OpenError> {
        Self::from_bytes_unscaled(name.as_ref(), bytes, folder, limits, report)?
            .in_meters(limits.scale, report)
    }

    /// A model in the file's own unit.
    fn from_bytes_unscaled(
        name: &Path,
        bytes: Vec<u8>,
        folder: &Folder,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Self, OpenError> {
        let extension = extension_of(name);
        let is_gltf =
            matches!(extension.as_str(), "glb" | "gltf" | "vrm" | "vrma") || bytes.starts_with(b"glTF");
        if is_gltf {
            let mut document =
                GltfDocument::read(bytes, &|uri, most| folder.read(uri, most), limits, report)?;
            let is_vrm0 = vrm_version(document.json()).as_deref() == Some(VRM_0);
            let source = if is_vrm0 { Source::Vrm0 } else { Source::Document };
            document.upgrade_vrm0(report);
            let character = document.to_character(report)?;
            return Ok(Self { character, document: Some(Document::Gltf(document)), source });
        }
        if extension == "obj" {
            let read = |name: &str| folder.read_name(name, limits.max_memory);
            return Ok(Self::read_from("OBJ", sinew_io::read_obj(&bytes, read, report)?));
        }
        if extension == "bvh" {
            let stem = name.file_stem().unwrap_or_default().to_string_lossy();
            let bvh = Bvh::read(&bytes, limits, report)?;
            let character = bvh.to_character(&stem, BvhScale::Guessed, report)?;
            return Ok(Self::read_from("BVH", character));
        }
        let resources = |name: &str, most: u64| folder.read_similar_name(name, most);
        if extension == "fbx" || bytes.starts_with(FBX_MAGIC) {
            return Ok(Self::read_from("FBX", read_fbx(&bytes, &resources, limits, report)?));
        }
        if extension == "pmx" || bytes.starts_with(b"PMX ") {
            let pmx = Pmx::read(&bytes, limits, report)?;
            let document = PmxDocument::new(pmx, &resources, limits, report)?;
            let character = document.to_character(report)?;
            let document = Some(Document::Pmx(Box::new(document)));
            return Ok(Self { character, document, source: Source::Document });
        }
        if extension == "pmd" || bytes.starts_with(b"Pmd") {
            let pmd = Pmd::read(&bytes, limits, report)?;
            let document = PmxDocument::new(pmd.to_pmx(report), &resources, limits, report)?;
            let character = document.to_character(report)?;
            let document = Some(Document::Pmd(Box::new((pmd, document))));
            return Ok(Self { character, document, source: Source::Document });
        }
        Err(OpenError::UnknownKind { extension: format!(".{extension}") })
    }

    /// The glTF document that the character came from, if it did.
    pub fn gltf(&self) -> Option<&GltfDocument> {
        match &self.document {
            Some(Document::Gltf(document)) => Some(document),
            _ => None,
        }
    }

    /// Puts a clip among the character's; one of that name is replaced.
    ///
    /// # Errors
    /// The clip is not one of this model, which then stays as it is.
    pub fn set_clip(&mut self, clip: Clip) -> Result<(), InvalidCharacter> {
        let mut parts = self.character.clone().into_parts();
        match parts.clips.iter_mut().find(|there| there.name == clip.name) {
            Some(there) => *there = clip,
            None => parts.clips.push(clip),
        }
        self.character = Character::new(parts)?;
        Ok(())
    }

    /// The model's files, in the format of the name's extension. All that a format cannot hold is reported.
    ///
    /// # Errors
    /// The format cannot hold the model, or is unknown.
    pub fn to_bytes(&self, name: impl AsRef<Path>, report: &mut Report) -> Result<WrittenModel, SaveError> {
        self.to_bytes_with(name, &SaveSettings::default(), report)
    }

    /// [`Self::to_bytes`] with settings.
    ///
    /// # Errors
    /// The format cannot hold the model, or is unknown.
    pub fn to_bytes_with(
        &self,
        name: impl AsRef<Path>,
        settings: &SaveSettings,
        report: &mut Report,
    ) -> Result<WrittenModel, SaveError> {
        let name = name.as_ref();
        let extension = extension_of(name);
        self.report_lost_contents(&extension, report);
        match extension.as_str() {
            "glb" | "vrm" | "gltf" => {
                let document = gltf_of(&self.character, self.gltf(), (name, &settings.vrm), report)?;
                WrittenModel::gltf(&document, name, report)
            }
            "pmx" => {
                let document = self.pmx_document(settings, report)?;
                Ok(WrittenModel::mmd(document.pmx().write(), &document))
            }
            "pmd" => {
                let document = self.pmx_document(settings, report)?;
                let main = match &self.document {
                    Some(Document::Pmd(files)) if files.1 == document => files.0.write(),
                    _ => Pmd::from_pmx(document.pmx(), report)?.write(),
                };
                Ok(WrittenModel::mmd(main, &document))
            }
            "obj" => WrittenModel::obj(&PosedCharacter::bind(&self.character, Method::Lbs), name, report),
            "fbx" => Err(SaveError::FbxIsReadOnly),
            extension => Err(SaveError::UnknownKind { extension: format!(".{extension}") }),
        }
    }

    /// Saves to `path`, in the format of its extension. All that a format cannot hold is reported.
    ///
    /// # Errors
    /// Nothing is written then, and what was there before stays.
    #[cfg(feature = "files")]
    pub fn save(&self, path: &Path, report: &mut Report) -> Result<(), SaveError> {
        self.save_with(path, &SaveSettings::default(), report)
    }

    /// [`Self::save`] with settings.
    ///
    /// # Errors
    /// Nothing is written then, and what was there before stays.
    #[cfg(feature = "files")]
    pub fn save_with(
        &self,
        path: &Path,
        settings: &SaveSettings,
        report: &mut Report,
    ) -> Result<(), SaveError> {
        self.to_bytes_with(path, settings, report)?.save(path)
    }

    /// The names of MMD that this model's bones get in its formats. `None` for models of MMD, for those that are not human, and where names
    /// are kept.
    pub fn standard_bones(&self, settings: &SaveSettings) -> Option<StandardBones> {
        if settings.keeps_names || matches!(self.document, Some(Document::Pmx(_) | Document::Pmd(_))) {
            return None;
        }
        let (map, _) = humanoid_map(self, &mut Report::default());
        StandardBones::of(&self.character, &map)
    }

    /// Saves as VRM 1.0, with rotation constraints for helpers. These count from the rest pose: see [`Self::rest_in_t_pose`].
    ///
    /// # Errors
    /// Nothing is written then, and what was there before stays.
    #[cfg(feature = "files")]
    pub fn save_constrained(
        &self,
        path: &Path,
        constraints: &[RotationConstraint],
        meta: &VrmMeta,
        report: &mut Report,
    ) -> Result<(), SaveError> {
        self.report_lost_contents(&extension_of(path), report);
        let mut document = gltf_of(&self.character, self.gltf(), (path, meta), report)?;
        add_constraints(&mut document, constraints);
        save_document(&document, path, report)
    }

    /// The PMX document to write: that of the file with the differences put in, or a new one.
    fn pmx_document(
        &self,
        settings: &SaveSettings,
        report: &mut Report,
    ) -> Result<PmxDocument, WritePmxError> {
        // MMD's formats know bones that follow one other, not several by formulas.
        let helpers = self.character.controllers().helpers.iter();
        let names = helpers.map(|helper| self.character.skeleton().bone(helper.bone).name.clone());
        let loss = Loss::of("controllers of helper bones", names.collect());
        report.lose_counted("MMD", loss, "stay with their parents");
        let (character, losses) = sinew_skin::with_mmd_form(self.character.clone());
        let counted = [
            (losses.nlerp_vertices, "vertices blend rotations by nlerp; MMD's viewers use slerp"),
            (
                losses.jointless_vertices,
                "vertices between bones without a common joint are written as the nearest SDEF",
            ),
        ];
        for (count, loss) in counted.into_iter().filter(|(count, _)| *count > 0) {
            report.warn("", format!("{count} {loss}"));
        }
        if let Some(fits) = &losses.fits {
            report.warn("", fits_text(fits));
        }
        match &self.document {
            Some(Document::Pmx(document)) => document.updated(&character, report),
            Some(Document::Pmd(files)) => files.1.updated(&character, report),
            _ => {
                let written = PmxWriteSettings::default();
                Ok(match self.standard_bones(settings) {
                    Some(bones) => PmxDocument::from_humanoid(&character, &bones, &written, report),
                    None => PmxDocument::from_character(&character, &written, report),
                })
            }
        }
    }
}

/// What viewers make of vertices with more than two bones.
fn fits_text(fits: &sinew_skin::MmdFits) -> String {
    let (plain, fitted) = (&fits.plain, &fits.fitted);
    let mm = |[a, b]: [f64; 2]| format!("{:.1} mm (plain BDEF4: {:.1})", 1000.0 * a, 1000.0 * b);
    format!(
        "{} vertices of three and more bones are written as the nearest SDEF ({}) or BDEF4; in 16 random poses they are off by {} rms, {} \
         at most, {} beside vertices that are exact; {} by more than 1 mm (plain BDEF4: {})",
        fits.vertices,
        fits.sdef_vertices,
        mm([fitted.rms_m, plain.rms_m]),
        mm([fitted.largest_m, plain.largest_m]),
        mm([fitted.seam_m, plain.seam_m]),
        fitted.visible_vertices,
        plain.visible_vertices,
    )
}

/// Saves a character as glTF: as the file that it came from with the differences put in, or as a new one. As VRM, with `meta`, where
/// the extension says so.
///
/// # Errors
/// Nothing is written then, and what was there before stays.
#[cfg(feature = "files")]
pub fn save_as_gltf(
    character: &Character,
    source: Option<&GltfDocument>,
    (path, meta): (&Path, &VrmMeta),
    report: &mut Report,
) -> Result<(), SaveError> {
    save_document(&gltf_of(character, source, (path, meta), report)?, path, report)
}

/// Saves a document as the kind of glTF that the extension says.
///
/// # Errors
/// Nothing is written then, and what was there before stays.
#[cfg(feature = "files")]
pub fn save_document(document: &GltfDocument, path: &Path, report: &mut Report) -> Result<(), SaveError> {
    WrittenModel::gltf(document, path, report)?.save(path)
}

/// Writes the posed shape as OBJ, with materials and textures beside it.
///
/// # Errors
/// Nothing is written then, and what was there before stays.
#[cfg(feature = "files")]
pub fn save_obj(posed: &PosedCharacter, path: &Path, report: &mut Report) -> Result<(), SaveError> {
    WrittenModel::obj(posed, path, report)?.save(path)
}

/// How a reader asks for files beside the model.
type FbxResources<'a> = dyn Fn(&str, u64) -> Result<FoundFile, ResourceError> + 'a;

/// The first bytes of a binary FBX.
const FBX_MAGIC: &[u8] = b"Kaydara FBX Binary";

#[cfg(feature = "fbx")]
fn read_fbx(
    bytes: &[u8],
    resources: &FbxResources<'_>,
    limits: &Limits,
    report: &mut Report,
) -> Result<Character, OpenError> {
    Ok(sinew_io::read_fbx(bytes, resources, limits, report)?)
}

#[cfg(not(feature = "fbx"))]
fn read_fbx(_: &[u8], _: &FbxResources<'_>, _: &Limits, _: &mut Report) -> Result<Character, OpenError> {
    Err(OpenError::WithoutFbx)
}

/// VRM's extension for nodes that follow others.
const CONSTRAINT_EXTENSION: &str = "VRMC_node_constraint";

/// Writes constraints into a VRM document.
pub fn add_constraints(document: &mut GltfDocument, constraints: &[RotationConstraint]) {
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

/// A path's extension in lower case; empty without one.
pub fn extension_of(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}
