//! Posed shapes to files: one pose, or a clip frame by frame.

use crate::PointCache;
use glam::Mat4;
use sinew_io::{GltfDocument, NpyWriter, OutputError, PendingFile, Report, UsdaPart, UsdaStage};
use sinew_model::{Frames, Model, SaveError, extension_of, save_obj};
use sinew_rig::{Pose, Surface};
use sinew_skin::PosedCharacter;
use std::path::Path;

use crate::CacheError;

/// Why a posed shape cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// An extension that cannot hold what is asked for.
    #[error("cannot write {what} as {extension:?}; known are {known}")]
    UnknownKind {
        /// "one pose" or "a whole clip".
        what: &'static str,
        /// The extension asked for.
        extension: String,
        /// Those that can.
        known: &'static str,
    },
    /// Normals asked for where the format has its own place for them, or none.
    #[error("--normals writes a second .npy file and goes with .npy only; {extension:?} {has}")]
    NormalsElsewhere {
        /// The extension asked for.
        extension: String,
        /// "has its own normals" or "holds no normals".
        has: &'static str,
    },
    /// Bones asked for beside another format.
    #[error("--bones writes a second .npy file and goes with .npy only, not with {extension:?}")]
    BonesElsewhere {
        /// The extension asked for.
        extension: String,
    },
    /// A vertex that left the range of numbers.
    #[error("frame {frame}: vertex {vertex} is not finite; the pose is too large")]
    NotFinite {
        /// The frame.
        frame: usize,
        /// The vertex.
        vertex: usize,
    },
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
    /// A model format.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A cache of frames cannot be written.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// Called before each frame with its number; `false` stops.
pub type OnFrame<'a> = dyn FnMut(usize) -> bool + 'a;

const ONE_POSE: &str = ".npy, .obj, .glb and .gltf";
const WHOLE_CLIP: &str = ".npy, .pc2 and .usda";

/// Writes the posed vertices of `frames` to `path`, in the format of its extension; for NumPy the normals too, to `normals`.
///
/// Nothing is left half-written, whatever goes wrong.
///
/// # Errors
/// The format cannot hold what is asked for, the file cannot be written, or `on_frame` stops.
pub fn export(
    model: &Model,
    posed: &mut PosedCharacter,
    frames: &Frames,
    targets: &Targets<'_>,
    on_frame: &mut OnFrame<'_>,
) -> Result<Report, ExportError> {
    let extension = extension_of(targets.path);
    let mut report = Report::default();
    if targets.bones.is_some() && extension != "npy" {
        return Err(ExportError::BonesElsewhere { extension: format!(".{extension}") });
    }
    if targets.normals.is_some() && extension != "npy" {
        let has = if extension == "pc2" { "holds no normals" } else { "has its own normals" };
        return Err(ExportError::NormalsElsewhere { extension: format!(".{extension}"), has });
    }
    match (frames.fps(), extension.as_str()) {
        (_, "npy") => export_npy(posed, frames, targets, on_frame)?,
        (Some(_), "pc2") => export_pc2(posed, frames, targets.path, on_frame)?,
        (Some(fps), "usda") => export_usda(posed, frames, targets.path, fps, on_frame)?,
        (None, "obj" | "glb" | "gltf") => {
            set_frame(posed, frames, 0, &mut Pose::rest(posed.character()), on_frame)?;
            match extension.as_str() {
                "obj" => save_obj(posed, targets.path, &mut report)?,
                _ => save_frozen(model, posed, targets.path, &mut report)?,
            }
        }
        (fps, _) => {
            let (what, known) =
                if fps.is_some() { ("a whole clip", WHOLE_CLIP) } else { ("one pose", ONE_POSE) };
            return Err(ExportError::UnknownKind { what, extension: format!(".{extension}"), known });
        }
    }
    Ok(report)
}

/// Where to write.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    /// The file.
    pub path: &'a Path,
    /// A NumPy file for the normals.
    pub normals: Option<&'a Path>,
    /// A NumPy file for the bones: a 4×4 matrix each, model from bone, for columns.
    pub bones: Option<&'a Path>,
}

/// Poses frame `frame`, checked to be finite.
fn set_frame(
    posed: &mut PosedCharacter,
    frames: &Frames,
    frame: usize,
    pose: &mut Pose,
    on_frame: &mut OnFrame<'_>,
) -> Result<(), ExportError> {
    if !on_frame(frame) {
        return Err(ExportError::Interrupted);
    }
    frames.pose_into(frame, pose);
    posed.set(pose);
    match posed.surface().positions.iter().position(|position| !position.is_finite()) {
        Some(vertex) => Err(ExportError::NotFinite { frame, vertex }),
        None => Ok(()),
    }
}

/// Poses every frame in turn and hands it to `take`.
fn each_frame(
    posed: &mut PosedCharacter,
    frames: &Frames,
    on_frame: &mut OnFrame<'_>,
    mut take: impl FnMut(&PosedCharacter) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut pose = Pose::rest(posed.character());
    for frame in 0..frames.count() {
        set_frame(posed, frames, frame, &mut pose, on_frame)?;
        take(posed)?;
    }
    Ok(())
}

fn export_npy(
    posed: &mut PosedCharacter,
    frames: &Frames,
    targets: &Targets<'_>,
    on_frame: &mut OnFrame<'_>,
) -> Result<(), ExportError> {
    let vertices = posed.bound().vertex_count();
    let shape: &[usize] =
        if frames.fps().is_some() { &[frames.count(), vertices, 3] } else { &[vertices, 3] };
    let mut positions = PointCache::npy_shaped(targets.path, shape)?;
    let mut normals = targets.normals.map(|path| PointCache::npy_shaped(path, shape)).transpose()?;
    let bone_count = posed.character().skeleton().bone_count();
    let bone_shape: &[usize] =
        if frames.fps().is_some() { &[frames.count(), bone_count, 4, 4] } else { &[bone_count, 4, 4] };
    let mut bones = match targets.bones {
        Some(path) => Some(NpyWriter::new(PendingFile::create(path)?, bone_shape).map_err(CacheError::from)?),
        None => None,
    };
    each_frame(posed, frames, on_frame, |posed| {
        positions.push(&posed.surface().positions, &[])?;
        if let Some(normals) = &mut normals {
            normals.push(&posed.surface().normals, &[])?;
        }
        if let Some(bones) = &mut bones {
            for model_from_bone in posed.model_from_bone() {
                // Rows one after another: the transposed matrix, column by column.
                let row_major = Mat4::from(*model_from_bone).transpose().to_cols_array();
                bones.write_values(&row_major).map_err(CacheError::from)?;
            }
        }
        Ok(())
    })?;
    if let Some(bones) = bones {
        bones.finish().map_err(CacheError::from)?.commit()?;
    }
    if let Some(normals) = normals {
        normals.finish()?;
    }
    Ok(positions.finish()?)
}

fn export_pc2(
    posed: &mut PosedCharacter,
    frames: &Frames,
    path: &Path,
    on_frame: &mut OnFrame<'_>,
) -> Result<(), ExportError> {
    let cache = PointCache::pc2(path, frames.count(), posed.bound().vertex_count())?;
    fill(cache, posed, frames, on_frame)
}

/// Hands every frame to a cache.
fn fill(
    mut cache: PointCache<'_>,
    posed: &mut PosedCharacter,
    frames: &Frames,
    on_frame: &mut OnFrame<'_>,
) -> Result<(), ExportError> {
    each_frame(posed, frames, on_frame, |posed| {
        let Surface { positions, normals, .. } = posed.surface();
        Ok(cache.push(positions, normals)?)
    })?;
    Ok(cache.finish()?)
}

fn export_usda(
    posed: &mut PosedCharacter,
    frames: &Frames,
    path: &Path,
    frames_per_second: f64,
    on_frame: &mut OnFrame<'_>,
) -> Result<(), ExportError> {
    let character = &posed.character().clone();
    // Of the first frame: a mirrored mesh is turned, so that its outside stays outside.
    set_frame(posed, frames, 0, &mut Pose::rest(character), on_frame)?;
    let triangles = posed.instance_triangles();
    let instances = posed.bound().instances().iter().zip(&triangles);
    let parts: Vec<UsdaPart<'_>> = instances
        .map(|(placed, triangles)| UsdaPart {
            triangles,
            ..UsdaPart::of_mesh(character.mesh_of(placed.instance), character.materials())
        })
        .collect();
    let stage = UsdaStage { name: character.name(), frames_per_second };
    fill(PointCache::usda(path, stage, &parts)?, posed, frames, on_frame)
}

/// The posed shape as a model without bones, with the looks of the file that it came from.
fn save_frozen(
    model: &Model,
    posed: &PosedCharacter,
    path: &Path,
    report: &mut Report,
) -> Result<(), SaveError> {
    let character = posed.frozen()?;
    let document =
        model.gltf().map(|source| GltfDocument::from_character_with_looks_of(&character, source, report));
    report.warn("", "the posed shape is written without bones, morphs and clips");
    match document {
        // The document is the character as it is: nothing differs, nothing is put in.
        Some(document) => sinew_model::save_document(&document, path, report),
        None => Model::new(character).save(path, report),
    }
}
