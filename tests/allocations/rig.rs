//! A frame of a rig with logic does not allocate.
//!
//! A test program of its own, because it counts the allocations of the whole process.

use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_rig::{
    Bone, BoneId, BoneLogic, BoneMorph, Character, Evaluator, Follow, MeshId, MorphEffect, MorphTarget, Pose,
    Reach, ReachLink, samples,
};
use sinew_tests::count_allocations;

/// The limb with a goal, a follower, and a group that shows a bone morph.
fn rig() -> Character {
    let mut parts = samples::limb(8, 4).into_parts();
    let goal = Bone { name: "goal".into(), ..parts.bones[0].clone() };
    parts.bones.push(goal);
    parts.bone_logic = vec![BoneLogic::default(); 4];
    parts.bone_logic[2].follow =
        Some(Follow { source: BoneId(1), ratio: -1.0, rotates: true, translates: true, is_local: false });
    let limits = Some([Vec3::new(0.01, 0.0, 0.0), Vec3::new(3.0, 0.0, 0.0)]);
    let links = vec![ReachLink { bone: BoneId(1), limits }, ReachLink { bone: BoneId(0), limits: None }];
    parts.bone_logic[3].reach = Some(Reach { effector: BoneId(2), iterations: 20, step_rad: 1.0, links });
    let moved = BoneMorph { bone: BoneId(0), translation: Vec3::X, rotation: Quat::from_rotation_y(0.5) };
    let morph = |effect| MorphTarget { effect, ..MorphTarget::default() };
    parts.meshes[0].morphs =
        vec![morph(MorphEffect::Bones(vec![moved])), morph(MorphEffect::Group(vec![(0, 0.5)]))];
    parts.meshes[0].default_morph_weights = vec![0.0; 2];
    parts.instances[0].morph_weights = vec![0.0; 2];
    Character::new(parts).expect("a limb with logic")
}

pub(crate) fn frames_do_not_allocate() {
    let character = rig();
    let mut pose = Pose::rest(&character);
    pose.change(BoneId(3), &Trs::from_translation(Vec3::new(0.1, 0.2, 0.2)));
    pose.set_morph(&character, MeshId(0), 1, 0.5);
    let mut model_from_bone = vec![Affine3A::IDENTITY; 4];
    let mut evaluator = Evaluator::new(&character);
    let mut shown = f32::NAN;
    let counted = count_allocations(|| {
        evaluator.model_from_bone_into(&character, &pose, &mut model_from_bone);
        shown = evaluator.morph_weights(&character, &pose)[0][0];
    });
    assert_eq!(counted, 0, "allocations in a frame");
    assert_eq!(shown, 0.25, "half of a half");
}
