//! Vertices and faces.

use crate::pmx::from_character::{
    PmxWriteSettings, VERSION_2_0_UP_TO, WeightWriter, new_material, new_vertex,
};
use crate::pmx::rest_model::{RestVertex, RestWeight};
use crate::pmx::{Pmx, PmxWeight};
use crate::space::{direction, point_from_mmd, point_to_mmd};
use sinew_io::Report;
use sinew_rig::{Material, Spherical};

/// Writes changed and new vertices; returns whether any weight changed.
pub(super) fn update_vertices(
    pmx: &mut Pmx,
    before: &[RestVertex],
    after: &[RestVertex],
    report: &mut Report,
) -> bool {
    let allow_2_1 = pmx.header.version > VERSION_2_0_UP_TO;
    let mut writer = WeightWriter::new(&PmxWriteSettings { allow_2_1, spherical: false });
    let mut have_weights_changed = false;
    for (index, vertex) in after.iter().enumerate() {
        let Some(old) = before.get(index) else {
            have_weights_changed = true;
            pmx.vertices.push(new_vertex(index, vertex, &mut writer));
            continue;
        };
        let raw = &mut pmx.vertices[index];
        if old.position != vertex.position {
            raw.position = point_to_mmd(vertex.position);
        }
        if old.normal != vertex.normal {
            raw.normal = direction(vertex.normal.to_array()).to_array();
        }
        if old.uv != vertex.uv {
            raw.uv = vertex.uv.to_array();
        }
        if old.weight != vertex.weight {
            have_weights_changed = true;
            let mut weight = vertex.weight;
            let kept = kept_points(&raw.weight, &old.weight, &weight);
            if let ([Some(c), Some(r0), Some(r1)], None) = (kept, weight.spherical) {
                let [center, r0, r1] = [c, r0, r1].map(point_from_mmd);
                weight.spherical = Some(Spherical { center, r0, r1 });
            }
            raw.weight = writer.weight(index, &weight);
            if let PmxWeight::Sdef { c, r0, r1, .. } = &mut raw.weight {
                [*c, *r0, *r1] = [kept[0].unwrap_or(*c), kept[1].unwrap_or(*r0), kept[2].unwrap_or(*r1)];
            }
        }
    }
    writer.tell(report);
    have_weights_changed
}

/// The file's c, r0 and r1 that belong to the same two bones and were not edited. For a vertex with one bone only the file has them.
fn kept_points(raw: &PmxWeight, old: &RestWeight, new: &RestWeight) -> [Option<[f32; 3]>; 3] {
    let PmxWeight::Sdef { bones, c, r0, r1, .. } = *raw else { return [None; 3] };
    if new.count != 2 || bones != [new.bones[0] as i32, new.bones[1] as i32] {
        return [None; 3];
    }
    let points = |weight: &RestWeight| match weight.spherical {
        Some(Spherical { center, r0, r1 }) => [center, r0, r1].map(Some),
        None => [None; 3],
    };
    let (old, new) = (points(old), points(new));
    let raw = [c, r0, r1];
    let is_kept = |at: usize| old[at] == new[at] && raw[at].iter().all(|value| value.is_finite());
    std::array::from_fn(|at| is_kept(at).then_some(raw[at]))
}

/// Writes the faces of changed materials. `before` and `after`: triangles by material, those without one last.
pub(super) fn update_faces(pmx: &mut Pmx, before: &[Vec<[u32; 3]>], after: &[Vec<[u32; 3]>]) {
    let (Some((old_loose, old)), Some((loose, new))) = (before.split_last(), after.split_last()) else {
        return;
    };
    if old_loose == loose && new.starts_with(old) && new[old.len()..].iter().all(Vec::is_empty) {
        return;
    }
    let (shares, left_over) = pmx.face_shares();
    let wound_back =
        |triangles: &[[u32; 3]]| -> Vec<[u32; 3]> { triangles.iter().map(|&[a, b, c]| [a, c, b]).collect() };
    let mut faces = Vec::with_capacity(pmx.faces.len());
    for (index, triangles) in new.iter().enumerate() {
        let own = match shares.get(index) {
            Some(share) if old.get(index) == Some(triangles) => pmx.faces[share.clone()].to_vec(),
            _ => wound_back(triangles),
        };
        pmx.materials[index].index_count = i32::try_from(3 * own.len()).unwrap_or(i32::MAX);
        faces.extend(own);
    }
    if old_loose == loose {
        faces.extend_from_slice(&pmx.faces[left_over]);
    } else if !loose.is_empty() {
        let material = Material { name: "default".into(), ..Material::default() };
        pmx.materials.push(new_material(&material, -1, loose.len()));
        faces.extend(wound_back(loose));
    }
    pmx.faces = faces;
}
