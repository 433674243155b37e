//! A character in PMX form: one list of vertices in rest pose, bones without rest rotation, one list of morphs.
//!
//! A PMX file has one pose for the rest of its bones and the binding of its vertices. A character may be bound in another pose than
//! its rest pose: linear blending then moves its vertices, with all their data, to where they are in rest pose.

mod bones;
mod morphs;
mod vertices;

pub(super) use bones::{KeptBones, RestBone, with_bones};
pub(super) use morphs::RestMorph;
pub(super) use vertices::{RestVertex, RestWeight};

use sinew_io::Report;
use sinew_rig::Character;

/// The part of a character that a PMX file can store; m, our axes and winding.
pub(super) struct RestModel {
    /// Instance by instance, in the layout of skinning.
    pub(super) vertices: Vec<RestVertex>,
    /// The triangles of each material of the character, and last those without one.
    pub(super) triangles: Vec<Vec<[u32; 3]>>,
    /// The kept bones, in the order of the file.
    pub(super) bones: Vec<RestBone>,
    /// Of all meshes; morphs of several meshes with the same name are one.
    pub(super) morphs: Vec<RestMorph>,
}

impl RestModel {
    /// Lays out the part of a character that `kept` keeps.
    pub(super) fn of(character: &Character, kept: &KeptBones, report: &mut Report) -> Self {
        let layout = vertices::lay_out(character, kept, report);
        Self {
            bones: bones::rest_bones(character, kept),
            morphs: morphs::rest_morphs(character, kept, &layout),
            triangles: triangles(character),
            vertices: layout.vertices,
        }
    }
}

fn triangles(character: &Character) -> Vec<Vec<[u32; 3]>> {
    let without = character.materials().len();
    let mut triangles = vec![Vec::new(); without + 1];
    let mut first = 0;
    for instance in character.instances() {
        let mesh = character.mesh(instance.mesh);
        for group in &mesh.groups {
            let own = &mesh.triangles[group.triangles.start as usize..group.triangles.end as usize];
            let list = &mut triangles[group.material.map_or(without, |material| material.index())];
            list.extend(own.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
        }
        first += mesh.vertex_count() as u32;
    }
    triangles
}
