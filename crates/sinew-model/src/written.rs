//! A model as the bytes of its files.

use crate::{SaveError, VrmMeta, baked_where_missing, extension_of, for_gltf, vrm_document};
use sinew_io::{GltfDocument, Loss, ObjMaterials, ObjPart, Report};
use sinew_mmd::pmx::PmxDocument;
use sinew_rig::{BoneLogic, Character, Clip, MorphEffect};
use sinew_skin::PosedCharacter;
use std::borrow::Cow;
use std::path::Path;

/// A model's file, and those that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenModel {
    /// The file itself.
    pub main: Vec<u8>,
    /// Buffers, pictures and materials, to be put beside it.
    pub beside: Vec<SideFile>,
}

/// A file that a model names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideFile {
    /// Relative to the model.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Whether it is named after the model, and so may replace what has its name.
    pub is_own: bool,
}

impl WrittenModel {
    /// A file that names no others.
    pub fn alone(main: Vec<u8>) -> Self {
        Self { main, beside: Vec::new() }
    }

    /// A document as the kind of glTF that the name's extension says.
    ///
    /// # Errors
    /// More than a `.glb` holds, or a `.vrm` without an avatar in it.
    pub fn gltf(document: &GltfDocument, name: &Path, report: &mut Report) -> Result<Self, SaveError> {
        if extension_of(name) == "vrm" && document.json().pointer("/extensions/VRMC_vrm").is_none() {
            return Err(SaveError::NoAvatar);
        }
        if extension_of(name) != "gltf" {
            return Ok(Self::alone(document.to_glb()?));
        }
        if document.other_chunk_count() > 0 {
            let count = document.other_chunk_count();
            report.warn("", format!(".gltf cannot store {count} unknown chunks of the .glb; left out"));
        }
        let stem = stem_of(name).unwrap_or_else(|| "model".into());
        let files = document.to_gltf(&stem);
        let beside = files.beside.into_iter().map(|(name, bytes)| {
            let is_own = name.starts_with(&stem) && extension_of(Path::new(&name)) == "bin";
            SideFile { name, bytes, is_own }
        });
        Ok(Self { main: files.main, beside: beside.collect() })
    }

    /// A PMX or PMD file with the pictures of its document.
    pub(crate) fn mmd(main: Vec<u8>, document: &PmxDocument) -> Self {
        let side = |(name, bytes): (_, &[u8])| SideFile { name, bytes: bytes.to_vec(), is_own: false };
        Self { main, beside: document.beside().into_iter().map(side).collect() }
    }

    /// A posed shape as OBJ, with materials and textures.
    ///
    /// # Errors
    /// The posed shape left the range of numbers.
    pub fn obj(posed: &PosedCharacter, name: &Path, report: &mut Report) -> Result<Self, SaveError> {
        report_obj_losses(posed.character(), report);
        let frozen = posed.frozen()?;
        let stem = stem_of(name).unwrap_or_default();
        let mtl_name = format!("{stem}.mtl");
        let materials = ObjMaterials { mtl_name: &mtl_name, materials: frozen.materials() };
        let parts: Vec<ObjPart<'_>> = frozen.meshes().iter().map(ObjPart::of_mesh).collect();
        let has_materials = !frozen.materials().is_empty();
        let mut written = Self::alone(Vec::new());
        sinew_io::write_obj(&mut written.main, &parts, has_materials.then_some(&materials))?;
        if has_materials {
            let names = image_names(&frozen, &stem);
            let mut mtl = Vec::new();
            sinew_io::write_mtl(&mut mtl, frozen.materials(), &names, report)
                .expect("writing to a list cannot fail");
            let images = frozen.images().iter().zip(names).filter(|(image, _)| !image.bytes.is_empty());
            let images = images.map(|(image, name)| (name, image.bytes.clone()));
            let sides = images.chain([(mtl_name.clone(), mtl)]);
            written.beside = sides.map(|(name, bytes)| SideFile { name, bytes, is_own: true }).collect();
        }
        Ok(written)
    }
}

/// A name without folder and extension.
pub(crate) fn stem_of(name: &Path) -> Option<String> {
    Some(name.file_stem()?.to_string_lossy().into_owned())
}

/// A character as glTF: the file that it came from with the differences put in, or a new one. As VRM where the name's extension says so.
pub(crate) fn gltf_of(
    character: &Character,
    source: Option<&GltfDocument>,
    (name, meta): (&Path, &VrmMeta),
    report: &mut Report,
) -> Result<GltfDocument, SaveError> {
    if extension_of(name) == "vrm" {
        let stem = stem_of(name).unwrap_or_default();
        return vrm_document(character, source, meta, &stem, report);
    }
    gltf_with(&plain_for_gltf(character, source.is_some(), report), source, report)
}

/// A character that glTF can hold: the file that it came from with the differences put in, or a new one.
pub(crate) fn gltf_with(
    character: &Character,
    source: Option<&GltfDocument>,
    report: &mut Report,
) -> Result<GltfDocument, SaveError> {
    match source {
        Some(document) => Ok(document.updated(character, report)?),
        None => Ok(GltfDocument::from_character(&for_gltf(character.clone(), report), report)),
    }
}

/// The character with all in its clips that glTF has no words for: helpers, and the logic of other formats.
pub(crate) fn plain_for_gltf<'a>(
    character: &'a Character,
    is_from_gltf: bool,
    report: &mut Report,
) -> Cow<'a, Character> {
    let baked = baked_where_missing(character, report);
    if is_from_gltf || !baked.has_logic() {
        return baked;
    }
    report_lost_logic(character, report);
    Cow::Owned(sinew_rig::bake(&without_endless_clips(&baked, report), BAKED_FPS))
}

/// glTF plays clips only: what bones and morphs do by themselves is in the clips, or lost.
fn report_lost_logic(character: &Character, report: &mut Report) {
    let became = match character.clips().is_empty() {
        true => "left out".to_owned(),
        false => format!("baked into the clips at {BAKED_FPS} fps"),
    };
    let bones = |does: fn(&BoneLogic) -> bool| {
        let all = character.skeleton().bones().iter().zip(character.bone_logic());
        all.filter(|(_, logic)| does(logic)).map(|(bone, _)| bone.name.clone()).collect()
    };
    let morphs = character.meshes().iter().flat_map(|mesh| &mesh.morphs);
    let is_lost = |effect: &MorphEffect| matches!(effect, MorphEffect::Bones(_) | MorphEffect::Flip(_));
    let lost = morphs.filter(|morph| is_lost(&morph.effect)).map(|morph| morph.name.clone());
    let losses = [
        Loss::of("IK chains", bones(|logic| logic.reach.is_some())),
        Loss::of("bones that follow others", bones(|logic| logic.follow.is_some())),
        Loss::of("morphs that move bones or switch others", lost.collect()),
    ];
    losses.into_iter().for_each(|loss| report.lose_counted("glTF", loss, &became));
}

/// Frames a second of clips that are baked: those of MMD.
const BAKED_FPS: f64 = 30.0;

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

/// File names for the images of a model, after the model.
fn image_names(character: &Character, stem: &str) -> Vec<String> {
    let extension = |bytes: &[u8]| match sinew_io::image_mime_type(bytes) {
        Some("image/jpeg") => "jpg",
        Some("image/bmp") => "bmp",
        Some("image/x-tga") => "tga",
        Some("image/ktx2") => "ktx2",
        _ => "png",
    };
    let images = character.images().iter().enumerate();
    images.map(|(index, image)| format!("{stem}-{index}.{}", extension(&image.bytes))).collect()
}

/// Names of the bones that move skin.
fn bone_names(character: &Character) -> Vec<String> {
    character.joints().iter().map(|&bone| character.skeleton().bone(bone).name.clone()).collect()
}

fn morph_names(character: &Character) -> Vec<String> {
    let morphs = character.meshes().iter().flat_map(|mesh| &mesh.morphs);
    morphs.map(|morph| morph.name.clone()).collect()
}

/// Reports what a shape without rig loses of a character: bones, morphs and clips.
pub fn report_lost_rig(format: &str, character: &Character, report: &mut Report) {
    report.lose(format, "bones and the weights on them", bone_names(character));
    report.lose(format, "morphs", morph_names(character));
    report.lose(format, "clips", character.clips().iter().map(|clip| clip.name.clone()).collect());
    let design = character.body().map(|body| body.template.lines().next().unwrap_or_default().to_owned());
    report.lose(format, "designs of bodies", design.into_iter().collect());
}

fn report_obj_losses(character: &Character, report: &mut Report) {
    let meshes =
        |has: fn(&sinew_rig::Mesh) -> bool| character.meshes().iter().filter(|mesh| has(mesh)).count();
    report_lost_rig("OBJ", character, report);
    let losses = [
        (meshes(|mesh| mesh.uv_sets.len() > 1), "meshes with further texture coordinates"),
        (meshes(|mesh| !mesh.colors.is_empty()), "meshes with vertex colors"),
        (meshes(|mesh| !mesh.tangents.is_empty()), "meshes with tangents"),
    ];
    for (count, what) in losses.into_iter().filter(|&(count, _)| count > 0) {
        report.warn("", format!("OBJ cannot store {count} {what}; left out"));
    }
}
