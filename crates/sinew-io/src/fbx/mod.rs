//! FBX to a character, by [ufbx](https://github.com/ufbx/ufbx): binary and ASCII, of all versions since 6.
//!
//! ufbx converts axes and units while it loads: everything here is in m, +Y up, right-handed. It also turns geometric transforms, and
//! scales that children do not inherit, into nodes of their own, so that the product of local transforms is what the file means.
//!
//! - `nodes`: nodes to bones; the pose that skins were bound in is the rest pose.
//! - `meshes`: polygons to triangles, by material; `skin` has their weights, `morphs` their blend shapes.
//! - `materials`: base colors, and the pictures that textures name.
//! - `clips`: animation stacks, sampled and thinned.
//! - `unscaled`: scales that exporters write for units are removed from bones.
//! - `rest_space`: rest shapes of skins are moved to where they stand.
//! - `losses`: what is not carried over.

mod clips;
mod convert;
mod error;
mod losses;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod rest_space;
mod skin;
#[cfg(test)]
mod tests;
mod unscaled;

pub use error::ReadFbxError;

use crate::tips::set_tips;
use crate::{Budget, FoundFile, Limits, Report, ResourceError};
use materials::Looks;
use nodes::Nodes;
use sinew_rig::{Character, CharacterParts};
use std::cell::Cell;

/// Returns the bytes of a file that a model names, with at most so many bytes.
pub type FbxResources<'a> = dyn Fn(&str, u64) -> Result<FoundFile, ResourceError> + 'a;

/// Memory that reading may take per byte of the file, on top of [`Limits::max_unstored`]. Arrays are compressed and are f64 in memory:
/// files of Blender take 10 to 20 bytes per byte. Too small, and files of repeated values are refused; too large, and a small file that
/// expands a thousandfold is not.
const MEMORY_PER_BYTE: u64 = 64;

/// Bytes between two reports of progress: errors name their place that exactly.
const PROGRESS_BYTES: u64 = 256;

/// Reads an FBX file. `resources` returns the files that textures name; only names are asked for that lie in the model's folder.
///
/// The result is in m, +Y up. Bones are all nodes of the file, depth first. Everything that a [`Character`] cannot hold is reported.
///
/// # Errors
/// If the bytes are not FBX, damaged beyond repair, or need more memory than `limits`.
pub fn read_fbx(
    bytes: &[u8],
    resources: &FbxResources<'_>,
    limits: &Limits,
    report: &mut Report,
) -> Result<Character, ReadFbxError> {
    let mut budget = Budget::new(limits, bytes.len());
    budget.take(&"the file", bytes.len() as u64, 1)?;
    let allowed = allowed_memory(bytes.len(), limits, &budget);
    let root = load(bytes, allowed)?;
    let scene: &ufbx::Scene = &root;
    budget.take(&"the scene", scene.metadata.result_memory_used as u64, 1)?;
    losses::report(scene, report);
    let mut nodes = Nodes::new(scene, report)?;
    let looks = Looks::read(scene, resources, &mut budget, report)?;
    let surfaces = meshes::read(scene, &nodes, &looks, &mut budget, report)?;
    let clips = clips::read(scene, &nodes, &surfaces, allowed, &mut budget, report)?;
    let mut parts = CharacterParts {
        name: String::new(),
        bones: std::mem::take(&mut nodes.bones),
        binds: surfaces.binds,
        meshes: surfaces.meshes,
        instances: surfaces.instances,
        materials: looks.materials,
        images: looks.images,
        clips,
        ..CharacterParts::default()
    };
    unscaled::remove_scales(&mut parts);
    rest_space::to_model_space(&mut parts);
    set_tips(&mut parts.bones, &parts.binds, &[]);
    Ok(Character::new(parts)?)
}

/// Bytes that ufbx may allocate for one purpose: half of what is left, because results and temporary data are counted apart.
fn allowed_memory(file_bytes: usize, limits: &Limits, budget: &Budget) -> u64 {
    let by_size = limits
        .max_unstored
        .map(|most| most.saturating_add(MEMORY_PER_BYTE.saturating_mul(file_bytes as u64)));
    budget.left().min(by_size.unwrap_or(u64::MAX)) / 2
}

/// The scene in m, +Y up, with every node's transform relative to its parent's, whatever the file's modes of inheritance.
fn load(bytes: &[u8], allowed: u64) -> Result<ufbx::SceneRoot, ReadFbxError> {
    if bytes.is_empty() {
        return Err(ReadFbxError::Empty);
    }
    let reached = Cell::new(0);
    let note_progress = |progress: &ufbx::Progress| {
        reached.set(progress.bytes_read);
        ufbx::ProgressResult::Continue
    };
    let options = ufbx::LoadOpts {
        temp_allocator: allocator(allowed),
        result_allocator: allocator(allowed),
        file_format: ufbx::FileFormat::Fbx,
        clean_skin_weights: true,
        generate_missing_normals: true,
        normalize_normals: true,
        use_blender_pbr_material: true,
        geometry_transform_handling: ufbx::GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        handedness_conversion_axis: ufbx::MirrorAxis::X,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        geometry_transform_helper_name: ufbx::StringOpt::Ref("(geometry)"),
        scale_helper_name: ufbx::StringOpt::Ref("(scale)"),
        progress_cb: ufbx::ProgressCb::Ref(&note_progress),
        progress_interval_hint: PROGRESS_BYTES,
        ..ufbx::LoadOpts::default()
    };
    let loaded = ufbx::load_memory(bytes, options);
    loaded.map_err(|error| ReadFbxError::of_load(&error, reached.get(), bytes.len(), allowed))
}

/// Memory from Rust's allocator, at most `allowed` bytes.
fn allocator(allowed: u64) -> ufbx::AllocatorOpts {
    // Zero means no limit there.
    let memory_limit = usize::try_from(allowed).unwrap_or(usize::MAX).max(1);
    ufbx::AllocatorOpts { memory_limit, ..ufbx::AllocatorOpts::default() }
}
