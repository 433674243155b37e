//! Checks of positions, normals and texture coordinates.
//!
//! A position that is not finite becomes that of the vertex's first bone, or the origin. Texture coordinates that are not finite
//! become 0, the outline width 1. Normals without direction are computed from the faces.

use super::{Problems, is_finite, replace_broken, weights};
use crate::pmx::Pmx;
use crate::space::direction;
use glam::Vec3;

const LIST: &str = "vertices";

pub(super) fn repair(pmx: &mut Pmx, problems: &mut Problems) {
    let bones: Vec<Vec3> = pmx.bones.iter().map(|bone| Vec3::from(bone.position)).collect();
    for (index, vertex) in pmx.vertices.iter_mut().enumerate() {
        let mut add = |what: &str, fix: &str| problems.add(LIST, index, what, fix);
        weights::repair(&mut vertex.weight, bones.len(), &mut add);
        if !is_finite(&vertex.position) {
            add("its position is not finite", "it is placed at its bone");
            let bone = weights::first_bone(&vertex.weight, bones.len());
            vertex.position = bone.map_or([0.0; 3], |bone| bones[bone].to_array());
        }
        if replace_broken(&mut vertex.uv, 0.0) {
            add("its texture coordinates are not finite", "they become 0");
        }
        if replace_broken(std::slice::from_mut(&mut vertex.edge_scale), 1.0) {
            add("its outline width is not finite", "it becomes 1");
        }
    }
    for (index, uv) in pmx.additional_uvs.iter_mut().enumerate() {
        if replace_broken(uv, 0.0) {
            problems.add("additional_uvs", index, "it is not finite", "it becomes 0");
        }
    }
    weights::repair_spheres(pmx, problems);
}

/// After faces, because normals are computed from them.
pub(super) fn repair_normals(pmx: &mut Pmx, problems: &mut Problems) {
    let has_direction = |normal: [f32; 3]| Vec3::from(normal).try_normalize().is_some();
    let broken: Vec<usize> =
        (0..pmx.vertices.len()).filter(|&index| !has_direction(pmx.vertices[index].normal)).collect();
    if broken.is_empty() {
        return;
    }
    // In right-handed axes, where the winding of the file is reversed.
    let positions: Vec<Vec3> = pmx.vertices.iter().map(|vertex| direction(vertex.position)).collect();
    let triangles: Vec<[u32; 3]> = pmx.faces.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let normals = sinew_geometry::smooth_normals(&positions, &triangles);
    for index in broken {
        problems.add(LIST, index, "its normal has no direction", "it is computed from the faces");
        pmx.vertices[index].normal = direction(normals[index].to_array()).to_array();
    }
}
