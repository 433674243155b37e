//! Checks the logic of bones and morphs.

use crate::{BoneId, CharacterParts, MeshId, MorphEffect, MorphTarget, Problem};
use glam::Vec3;

/// Reports every bone and morph whose logic refers to missing items or has a number that is not finite.
pub(crate) fn check(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    check_bones(parts, problems);
    for (index, mesh) in parts.meshes.iter().enumerate() {
        let found = mesh.morphs.iter().enumerate().filter_map(|(morph, target)| {
            Some((morph, effect_problem(target, mesh.morphs.len(), parts.bones.len())?))
        });
        problems.extend(found.map(|(morph, what)| {
            let (mesh, name) = (MeshId::of(index), mesh.morphs[morph].name.clone());
            Problem::MorphEffect { mesh, morph, name, what }
        }));
    }
}

fn check_bones(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    let bone_count = parts.bones.len();
    if !parts.bone_logic.is_empty() && parts.bone_logic.len() != bone_count {
        let what = format!("{} entries for {bone_count} bones", parts.bone_logic.len());
        problems.push(Problem::Logic { bone: BoneId::of(0), what });
    }
    let is_bone = |bone: BoneId| bone.index() < bone_count;
    for (index, logic) in parts.bone_logic.iter().enumerate() {
        let mut report =
            |what: &str| problems.push(Problem::Logic { bone: BoneId::of(index), what: what.to_owned() });
        if logic.axis.is_some_and(|axis| !axis.is_normalized()) {
            report("has an axis that is not a unit vector");
        }
        if let Some(follow) = &logic.follow {
            if !is_bone(follow.source) {
                report("follows a bone that does not exist");
            }
            if !follow.ratio.is_finite() {
                report("follows with a ratio that is not finite");
            }
        }
        if let Some(reach) = &logic.reach {
            if !is_bone(reach.effector) || !reach.links.iter().all(|link| is_bone(link.bone)) {
                report("has an IK chain with a bone that does not exist");
            }
            let is_good = |[least, greatest]: [Vec3; 2]| least.is_finite() && greatest.is_finite();
            if !reach.step_rad.is_finite() || !reach.links.iter().all(|link| link.limits.is_none_or(is_good))
            {
                report("has an IK chain with an angle that is not finite");
            }
        }
    }
}

fn effect_problem(morph: &MorphTarget, morph_count: usize, bone_count: usize) -> Option<&'static str> {
    match &morph.effect {
        MorphEffect::None => None,
        MorphEffect::Group(members) | MorphEffect::Flip(members) => {
            if members.iter().any(|&(member, _)| member as usize >= morph_count) {
                return Some("refers to a morph that does not exist");
            }
            let is_broken = members.iter().any(|&(_, weight)| !weight.is_finite());
            is_broken.then_some("has a member with a weight that is not finite")
        }
        MorphEffect::Bones(moved) => {
            if moved.iter().any(|moved| moved.bone.index() >= bone_count) {
                return Some("moves a bone that does not exist");
            }
            let is_turn = |turn: glam::Quat| turn.is_finite() && turn.length_squared() > f32::MIN_POSITIVE;
            let is_broken =
                moved.iter().any(|moved| !moved.translation.is_finite() || !is_turn(moved.rotation));
            is_broken.then_some("moves a bone by a number that is not finite, or rotates it by zero")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoneLogic, BoneMorph, Character, Follow, samples};
    use glam::Quat;

    #[track_caller]
    fn check(change: impl FnOnce(&mut CharacterParts), expected: &str) {
        let mut parts = samples::limb(8, 4).into_parts();
        parts.meshes[0].morphs = vec![MorphTarget { name: "smile".into(), ..MorphTarget::default() }];
        parts.meshes[0].default_morph_weights = vec![0.0];
        parts.instances[0].morph_weights = vec![0.0];
        parts.bone_logic = vec![BoneLogic::default(); 3];
        change(&mut parts);
        let problems = Character::new(parts).expect_err("broken on purpose").problems;
        assert_eq!(problems.iter().map(Problem::to_string).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn broken_logic_is_named() {
        let follow =
            Follow { source: BoneId(3), ratio: 1.0, rotates: true, translates: false, is_local: false };
        check(|parts| parts.bone_logic[1].follow = Some(follow), "bone 1 follows a bone that does not exist");
        let place = "mesh 0: morph 0 (\"smile\")";
        let set = |effect| |parts: &mut CharacterParts| parts.meshes[0].morphs[0].effect = effect;
        check(
            set(MorphEffect::Group(vec![(1, 1.0)])),
            &format!("{place} refers to a morph that does not exist"),
        );
        check(
            set(MorphEffect::Flip(vec![(0, f32::NAN)])),
            &format!("{place} has a member with a weight that is not finite"),
        );
        let moved = BoneMorph { bone: BoneId(3), translation: Vec3::ZERO, rotation: Quat::IDENTITY };
        check(set(MorphEffect::Bones(vec![moved])), &format!("{place} moves a bone that does not exist"));
        let zero = BoneMorph { bone: BoneId(0), rotation: Quat::from_array([0.0; 4]), ..moved };
        check(
            set(MorphEffect::Bones(vec![zero])),
            &format!("{place} moves a bone by a number that is not finite, or rotates it by zero"),
        );
    }
}
