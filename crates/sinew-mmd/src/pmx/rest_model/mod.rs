//! A character as a PMX file can hold it: one list of vertices in rest pose, bones without rest orientation, one list of morphs.
//!
//! A PMX file knows one pose, in which its bones rest and its vertices are bound. A character may have been bound in another pose than
//! the one that it rests in: its vertices are then moved by the linear blend to where they are seen in rest pose, and all that belongs
//! to them with them.

mod bones;
mod morphs;
mod vertices;

pub(super) use bones::{KeptBones, RestBone};
pub(super) use morphs::RestMorph;
pub(super) use vertices::{RestVertex, RestWeight};

use sinew_io::Report;
use sinew_rig::Character;

/// What a PMX file can hold of a character; metres, our axes and winding.
pub(super) struct RestModel {
    /// Instance by instance, as they are laid out for skinning.
    pub(super) vertices: Vec<RestVertex>,
    /// The triangles of each material of the character, and at last those without one.
    pub(super) triangles: Vec<Vec<[u32; 3]>>,
    /// The bones that are kept, in the order of the file.
    pub(super) bones: Vec<RestBone>,
    /// Those of all meshes; morphs of several meshes that have one name are one.
    pub(super) morphs: Vec<RestMorph>,
}

impl RestModel {
    /// Lays out what `kept` keeps of a character.
    pub(super) fn of(character: &Character, kept: &KeptBones, report: &mut Report) -> Self {
        let model_from_bone = character.skeleton().rest_model_from_bone();
        let layout = vertices::lay_out(character, kept, &model_from_bone, report);
        Self {
            bones: bones::rest_bones(character, kept, &model_from_bone),
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
