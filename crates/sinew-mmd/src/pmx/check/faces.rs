//! Checks of faces and their materials.
//!
//! Faces with missing vertices are removed. Counts become the real number of faces; remaining faces go to the last material, or to a
//! new one.

use super::Problems;
use crate::pmx::Pmx;
use crate::pmx::from_character::new_material;
use sinew_rig::Material;

pub(super) fn repair(pmx: &mut Pmx, problems: &mut Problems) {
    let (shares, left_over) = pmx.face_shares();
    let vertex_count = pmx.vertices.len();
    let is_good = |face: &[u32; 3]| face.iter().all(|&vertex| (vertex as usize) < vertex_count);
    for (index, _) in pmx.faces.iter().enumerate().filter(|(_, face)| !is_good(face)) {
        problems.add("faces", index, "it has a vertex that does not exist", "it is removed");
    }
    for (index, (material, share)) in pmx.materials.iter_mut().zip(shares).enumerate() {
        if material.index_count != count_of(share.len()) {
            let what =
                format!("it has {} indices, but only {} are left", material.index_count, 3 * share.len());
            problems.add("materials", index, &what, "its count is reduced");
        }
        material.index_count = count_of(pmx.faces[share].iter().filter(|face| is_good(face)).count());
    }
    let loose = pmx.faces[left_over.clone()].iter().filter(|face| is_good(face)).count();
    if !left_over.is_empty() {
        let what = format!("{} belong to no material", left_over.len());
        if let Some(last) = pmx.materials.last_mut() {
            problems.add_to_all("faces", &what, "they go to the last material");
            last.index_count = last.index_count.saturating_add(count_of(loose));
        } else {
            problems.add_to_all("faces", &what, "they go to a new material");
            let material = Material { name: "default".into(), ..Material::default() };
            pmx.materials.push(new_material(&material, -1, loose));
        }
    }
    pmx.faces.retain(is_good);
}

fn count_of(triangles: usize) -> i32 {
    i32::try_from(3 * triangles).unwrap_or(i32::MAX)
}
