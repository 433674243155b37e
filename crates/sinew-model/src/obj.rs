//! Posed shapes as OBJ.

use crate::{SaveError, add_beside};
use sinew_io::{ObjMaterials, ObjPart, OutputError, OutputSet, Report};
use sinew_rig::Character;
use sinew_skin::PosedCharacter;
use std::path::Path;

/// Writes the posed shape as OBJ, with materials and textures beside it.
pub fn save_obj(posed: &PosedCharacter, path: &Path, report: &mut Report) -> Result<(), SaveError> {
    report_obj_losses(posed.character(), report);
    let frozen = posed.frozen()?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mtl_name = format!("{stem}.mtl");
    let materials = ObjMaterials { mtl_name: &mtl_name, materials: frozen.materials() };
    let parts: Vec<ObjPart<'_>> = frozen.meshes().iter().map(ObjPart::of_mesh).collect();
    let mut output = OutputSet::new(path)?;
    let has_materials = !frozen.materials().is_empty();
    sinew_io::write_obj(output.main(), &parts, has_materials.then_some(&materials))?;
    if has_materials {
        let folder = path.parent().unwrap_or(Path::new("."));
        let image_names = image_names(&frozen, &stem);
        for (image, name) in
            frozen.images().iter().zip(&image_names).filter(|(image, _)| !image.bytes.is_empty())
        {
            add_beside(&mut output, &folder.join(name), &image.bytes, name.starts_with(&stem))?;
        }
        let mtl_path = folder.join(&mtl_name);
        let mut mtl = Vec::new();
        sinew_io::write_mtl(&mut mtl, frozen.materials(), &image_names, report)
            .map_err(|source| OutputError::Io { path: mtl_path.clone(), source })?;
        add_beside(&mut output, &mtl_path, &mtl, true)?;
    }
    Ok(output.commit()?)
}

/// File names for the images of a model, after the model.
fn image_names(character: &Character, stem: &str) -> Vec<String> {
    let extension = |bytes: &[u8]| match sinew_io::image_mime_type(bytes) {
        Some("image/jpeg") => "jpg",
        Some("image/bmp") => "bmp",
        Some("image/x-tga") => "tga",
        _ => "png",
    };
    let images = character.images().iter().enumerate();
    images.map(|(index, image)| format!("{stem}-{index}.{}", extension(&image.bytes))).collect()
}

fn report_obj_losses(character: &Character, report: &mut Report) {
    let morphs: usize = character.meshes().iter().map(|mesh| mesh.morphs.len()).sum();
    let losses = [
        (character.joints().len(), "joints and the weights on them"),
        (morphs, "morphs"),
        (character.clips().len(), "clips"),
        (
            character.meshes().iter().filter(|mesh| mesh.uv_sets.len() > 1).count(),
            "meshes with further texture coordinates",
        ),
        (
            character.meshes().iter().filter(|mesh| !mesh.colors.is_empty()).count(),
            "meshes with vertex colors",
        ),
        (character.meshes().iter().filter(|mesh| !mesh.tangents.is_empty()).count(), "meshes with tangents"),
    ];
    for (count, what) in losses.into_iter().filter(|&(count, _)| count > 0) {
        report.warn("", format!("OBJ cannot hold {count} {what}; left out"));
    }
}
