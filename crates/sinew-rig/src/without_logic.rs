//! Removes the logic of bones and morphs.

use crate::{Channel, Character, Evaluator, MorphEffect, MorphTarget, Pose};
use glam::Vec3;
use std::collections::BTreeMap;

impl Character {
    /// The same character for engines without logic.
    ///
    /// Bones no longer follow or reach, morphs no longer move bones, and clips no longer switch IK: [`crate::bake_clip`] makes clips that
    /// replace all that, [`crate::bake`] bakes everything at once. Group morphs of vertex morphs become vertex morphs of the same name; others
    /// keep their name without effect. Rest weights are the resolved ones.
    pub fn without_logic(self) -> Self {
        let effective = Evaluator::new(&self).morph_weights(&self, &Pose::rest(&self)).to_vec();
        let mut parts = self.into_parts();
        parts.bone_logic.clear();
        for (instance, weights) in parts.instances.iter_mut().zip(effective) {
            instance.morph_weights = weights;
        }
        for mesh in &mut parts.meshes {
            let groups: Vec<_> =
                mesh.morphs.iter().map(|morph| group_as_vertices(morph, &mesh.morphs)).collect();
            for (morph, group) in mesh.morphs.iter_mut().zip(groups) {
                *morph = group
                    .unwrap_or_else(|| MorphTarget { effect: MorphEffect::None, ..std::mem::take(morph) });
            }
        }
        for clip in &mut parts.clips {
            clip.tracks.retain(|track| !matches!(track.channel, Channel::Reach(..)));
        }
        Self::new(parts).expect("what is left was right before, and nothing names what was left out")
    }
}

/// A group of vertex morphs as one; `None` if it is not a group, has its own vertices, or has other effects.
fn group_as_vertices(morph: &MorphTarget, morphs: &[MorphTarget]) -> Option<MorphTarget> {
    let MorphEffect::Group(members) = &morph.effect else { return None };
    // Groups within groups do nothing.
    let is_plain = |effect: &MorphEffect| matches!(effect, MorphEffect::None | MorphEffect::Group(_));
    if !morph.vertices.is_empty()
        || !members.iter().all(|&(member, _)| is_plain(&morphs[member as usize].effect))
    {
        return None;
    }
    let mut sums: BTreeMap<u32, [Vec3; 3]> = BTreeMap::new();
    let mut has_deltas = [false; 3];
    for &(member, ratio) in members {
        let member = &morphs[member as usize];
        if member.effect != MorphEffect::None {
            continue;
        }
        let lists = [&member.position_deltas, &member.normal_deltas, &member.tangent_deltas];
        for (kind, deltas) in lists.into_iter().enumerate() {
            has_deltas[kind] |= !deltas.is_empty();
            for (&vertex, &delta) in member.vertices.iter().zip(deltas) {
                sums.entry(vertex).or_default()[kind] += delta * ratio;
            }
        }
    }
    let list = |kind: usize| match has_deltas[kind] {
        true => sums.values().map(|sum| sum[kind]).collect(),
        false => Vec::new(),
    };
    Some(MorphTarget {
        name: morph.name.clone(),
        vertices: sums.keys().copied().collect(),
        position_deltas: list(0),
        normal_deltas: list(1),
        tangent_deltas: list(2),
        effect: MorphEffect::None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoneId, BoneMorph, BoundSurface, MeshId, samples};
    use glam::Quat;

    fn vertex_morph(name: &str, vertex: u32, delta: Vec3) -> MorphTarget {
        let (vertices, position_deltas) = (vec![vertex, vertex + 1], vec![delta, 2.0 * delta]);
        MorphTarget { name: name.into(), vertices, position_deltas, ..MorphTarget::default() }
    }

    fn with_effect(name: &str, effect: MorphEffect) -> MorphTarget {
        MorphTarget { name: name.into(), effect, ..MorphTarget::default() }
    }

    fn grouped() -> Character {
        let mut parts = samples::limb(8, 4).into_parts();
        let turn = BoneMorph { bone: BoneId(0), translation: Vec3::X, rotation: Quat::IDENTITY };
        parts.meshes[0].morphs = vec![
            vertex_morph("a", 3, Vec3::X),
            vertex_morph("b", 4, Vec3::Y),
            with_effect("both", MorphEffect::Group(vec![(0, 1.0), (1, -0.5), (2, 9.0)])),
            with_effect("bone", MorphEffect::Bones(vec![turn])),
            with_effect("mixed", MorphEffect::Group(vec![(0, 1.0), (3, 1.0)])),
        ];
        parts.meshes[0].default_morph_weights = vec![0.0; 5];
        parts.instances[0].morph_weights = vec![0.0, 0.0, 0.5, 0.0, 0.0];
        Character::new(parts).expect("a limb with groups")
    }

    #[test]
    fn groups_of_vertex_morphs_keep_their_name_and_shape() {
        let plain = grouped().without_logic();
        let morphs = &plain.meshes()[0].morphs;
        assert_eq!(morphs[2].name, "both");
        assert_eq!(morphs[2].vertices, [3, 4, 5]);
        let deltas = [Vec3::X, Vec3::new(2.0, -0.5, 0.0), Vec3::new(0.0, -1.0, 0.0)];
        assert_eq!(morphs[2].position_deltas, deltas);
        assert!(
            morphs[4].vertices.is_empty() && morphs.iter().all(|morph| morph.effect == MorphEffect::None)
        );
        assert_eq!(plain.instances()[0].morph_weights, [0.5, -0.25, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_group_shows_the_same_with_and_without_logic() {
        let character = grouped();
        let plain = character.clone().without_logic();
        let shape = |character: &Character| {
            let (bound, mut pose) = (BoundSurface::of(character), Pose::rest(character));
            (0..2).for_each(|morph| pose.set_morph(character, MeshId(0), morph, 0.0));
            pose.set_morph(character, MeshId(0), 2, 0.75);
            let mut morphed = bound.rest().clone();
            bound.morphed_rest_into(character, &mut Evaluator::new(character), &pose, &mut morphed);
            morphed
        };
        for (found, expected) in shape(&plain).positions.iter().zip(&shape(&character).positions) {
            assert!(found.abs_diff_eq(*expected, 1e-6), "{found} {expected}");
        }
    }
}
