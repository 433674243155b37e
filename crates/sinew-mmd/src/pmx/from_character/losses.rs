//! Data that a PMX file cannot store.

use sinew_io::Report;
use sinew_rig::{Character, Mesh};

/// Reports what a PMX file cannot store, one warning per kind.
pub(in crate::pmx) fn tell_losses(character: &Character, report: &mut Report) {
    let count = |is_lost: fn(&Mesh) -> bool| character.meshes().iter().filter(|mesh| is_lost(mesh)).count();
    let lost_of_meshes = [
        (count(|mesh| !mesh.colors.is_empty()), "vertex colors"),
        (count(|mesh| !mesh.tangents.is_empty()), "tangents"),
        (count(|mesh| mesh.uv_sets.len() > 1), "texture coordinates that no material uses"),
        (count(|mesh| mesh.morphs.iter().any(|morph| !morph.normal_deltas.is_empty())), "normals of morphs"),
    ];
    for (count, what) in lost_of_meshes.iter().filter(|(count, _)| *count > 0) {
        report.warn("meshes", format!("{what} of {count} meshes are left out; PMX cannot store them"));
    }
    let shown = character.instances().iter().flat_map(|instance| &instance.morph_weights);
    match shown.filter(|weight| **weight != 0.0).count() {
        0 => {}
        count => report.warn("morphs", format!("{count} are active in the rest pose; PMX cannot store that")),
    }
    if !character.clips().is_empty() {
        let count = character.clips().len();
        report.warn("clips", format!("{count} are left out; write them as VMD files"));
    }
    let skin = character.skin();
    if !skin.joints.is_empty() || !skin.ranges.is_empty() || skin.s.is_some() || skin.rotation.is_some() {
        let what = "rules for joints, soft ranges and blends are left out; PMX has one method per vertex";
        report.warn("skinning", what);
    }
    let is_lost = |material: &&sinew_rig::Material| material.metallic > 0.0 || material.is_unlit;
    match character.materials().iter().filter(is_lost).count() {
        0 => {}
        count => {
            report.warn("materials", format!("{count} are metallic or unlit; PMX does not support that"))
        }
    }
}
