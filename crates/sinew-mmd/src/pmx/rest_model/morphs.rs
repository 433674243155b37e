//! Morphs of all meshes as one list.

use super::KeptBones;
use super::vertices::Layout;
use glam::{Vec3, Vec3A};
use sinew_rig::{BoneId, BoneMorph, Character, MorphEffect};

/// A morph in PMX form.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pmx) struct RestMorph {
    pub(in crate::pmx) name: String,
    /// Vertex and translation, ascending, m.
    pub(in crate::pmx) shifts: Vec<(u32, Vec3)>,
    /// Morphs and bones are indices in the file.
    pub(in crate::pmx) effect: MorphEffect,
}

/// The morphs of all instances. A morph of a later instance joins the one of the same name of an earlier one, if both only move
/// vertices: motions refer to morphs by name and would move all of them together.
pub(super) fn rest_morphs(character: &Character, kept: &KeptBones, layout: &Layout) -> Vec<RestMorph> {
    let mut morphs: Vec<RestMorph> = Vec::new();
    let mut first_vertex = 0;
    for instance in character.instances() {
        let mesh = character.mesh(instance.mesh);
        let earlier = morphs.len();
        let mut file_index = Vec::with_capacity(mesh.morphs.len());
        let mut is_taken = vec![false; earlier];
        for morph in &mesh.morphs {
            let has_name = |known: &RestMorph| !known.name.is_empty() && known.name == morph.name;
            let is_plain = morph.effect == MorphEffect::None;
            let joined = (0..earlier).find(|&at| {
                is_plain && !is_taken[at] && has_name(&morphs[at]) && morphs[at].effect == MorphEffect::None
            });
            let index = joined.unwrap_or_else(|| {
                morphs.push(RestMorph {
                    name: morph.name.clone(),
                    shifts: Vec::new(),
                    effect: MorphEffect::None,
                });
                morphs.len() - 1
            });
            if let Some(taken) = is_taken.get_mut(index) {
                *taken = true;
            }
            file_index.push(index as u32);
            let shifts = morph.vertices.iter().zip(&morph.position_deltas);
            morphs[index].shifts.extend(shifts.map(|(&vertex, &shift)| {
                let vertex = first_vertex + vertex;
                let map = layout.maps.get(vertex as usize).copied().flatten();
                (vertex, map.map_or(shift, |map| (map * Vec3A::from(shift)).into()))
            }));
        }
        for (morph, &index) in mesh.morphs.iter().zip(&file_index) {
            if morph.effect != MorphEffect::None {
                morphs[index as usize].effect = mapped(&morph.effect, &file_index, kept);
            }
        }
        first_vertex += mesh.vertex_count() as u32;
    }
    morphs
}

fn mapped(effect: &MorphEffect, file_index: &[u32], kept: &KeptBones) -> MorphEffect {
    let members = |members: &[(u32, f32)]| {
        let known =
            members.iter().filter_map(|&(member, share)| Some((*file_index.get(member as usize)?, share)));
        known.collect()
    };
    match effect {
        MorphEffect::None => MorphEffect::None,
        MorphEffect::Group(listed) => MorphEffect::Group(members(listed)),
        MorphEffect::Flip(listed) => MorphEffect::Flip(members(listed)),
        MorphEffect::Bones(changes) => {
            let change =
                |change: &BoneMorph| BoneMorph { bone: BoneId(kept.index_of(change.bone)), ..*change };
            MorphEffect::Bones(changes.iter().map(change).collect())
        }
    }
}
