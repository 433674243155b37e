//! Small rigs whose bones can be computed by hand.

use super::*;
use crate::{
    Bone, BoneId, BoneLogic, BoneMorph, CharacterParts, Follow, Instance, LocalTransform, Mesh, MeshId,
    MorphTarget, Reach, ReachLink, samples,
};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew_geometry::Trs;
use std::f32::consts::{FRAC_PI_2, PI};

/// Rounding of a few products of matrices in f32, m and radians.
const ROUNDING: f32 = 2e-6;

/// Bones that rest unturned, each with its parent and its place in it, and no logic yet.
fn parts(bones: &[(Option<u32>, Vec3)]) -> CharacterParts {
    let bone = |(index, &(parent, place)): (usize, &(Option<u32>, Vec3))| Bone {
        name: index.to_string(),
        parent: parent.map(BoneId),
        rest: LocalTransform::Trs(Trs::from_translation(place)),
        tip_in_bone: None,
    };
    CharacterParts {
        bones: bones.iter().enumerate().map(bone).collect(),
        bone_logic: vec![BoneLogic::default(); bones.len()],
        ..CharacterParts::default()
    }
}

fn rotation_follow(source: u32, ratio: f32) -> Option<Follow> {
    Some(Follow { source: BoneId(source), ratio, rotates: true, translates: false, is_local: false })
}

fn evaluated(character: &Character, pose: &Pose) -> Vec<Affine3A> {
    let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    Evaluator::new(character).model_from_bone_into(character, pose, &mut model_from_bone);
    model_from_bone
}

fn built(parts: CharacterParts) -> Character {
    Character::new(parts).expect("a rig of the tests")
}

#[track_caller]
fn check_turn(found: &Affine3A, expected: Quat) {
    let rotation = Quat::from_mat3a(&found.matrix3);
    let difference = if rotation.dot(expected) < 0.0 { rotation + expected } else { rotation - expected };
    assert!(difference.length() < ROUNDING, "{rotation} is not {expected}");
}

#[track_caller]
fn check_place(found: &Affine3A, expected: Vec3) {
    let place = Vec3::from(found.translation);
    assert!(place.abs_diff_eq(expected, ROUNDING), "{place} is not {expected}");
}

#[test]
fn without_logic_bones_stand_as_the_pose_says_bit_for_bit() {
    let character = samples::figure();
    let mut pose = Pose::rest(&character);
    for bone in 0..character.skeleton().bone_count() {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.1 * bone as f32, 0.3, -0.2);
        pose.change(
            BoneId::of(bone),
            &Trs { rotation: turn, scale: Vec3::new(1.0, 1.1, 0.9), ..Trs::IDENTITY },
        );
    }
    let mut plain = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    character.skeleton().model_from_bone_into(pose.parent_from_bone(), &mut plain);
    assert_eq!(evaluated(&character, &pose), plain);
}

#[test]
fn a_follower_takes_its_share_of_turn_and_move() {
    let mut parts = parts(&[(None, Vec3::ZERO), (None, Vec3::X)]);
    parts.bone_logic[1].follow =
        Some(Follow { source: BoneId(0), ratio: -0.5, rotates: true, translates: true, is_local: false });
    let character = built(parts);
    let mut pose = Pose::rest(&character);
    let change = Trs {
        translation: Vec3::new(0.0, 0.4, 0.0),
        rotation: Quat::from_rotation_z(1.0),
        scale: Vec3::splat(3.0),
    };
    pose.change(BoneId(0), &change);
    pose.turn(BoneId(1), Quat::from_rotation_x(0.3));
    let found = evaluated(&character, &pose);
    // The follower's own turn is on the left of what it takes over; scale is not taken over.
    check_turn(&found[1], Quat::from_rotation_x(0.3) * Quat::from_rotation_z(-0.5));
    check_place(&found[1], Vec3::new(1.0, -0.2, 0.0));
    assert!((found[1].matrix3.determinant() - 1.0).abs() < ROUNDING);
    assert!((found[0].matrix3.determinant() - 27.0).abs() < 27.0 * ROUNDING);
}

#[test]
fn followers_of_followers_take_what_those_came_to() {
    let mut parts = parts(&[(None, Vec3::ZERO); 4]);
    parts.bone_logic[1].follow = rotation_follow(0, 0.5);
    parts.bone_logic[2].follow = rotation_follow(1, 2.0);
    // Follows one that has its turn later and follows, too: nothing.
    parts.bone_logic[3] = BoneLogic { level: -1, follow: rotation_follow(2, 1.0), ..BoneLogic::default() };
    let character = built(parts);
    let mut pose = Pose::rest(&character);
    pose.turn(BoneId(0), Quat::from_rotation_y(0.8));
    pose.turn(BoneId(1), Quat::from_rotation_y(0.1));
    let found = evaluated(&character, &pose);
    check_turn(&found[1], Quat::from_rotation_y(0.5));
    check_turn(&found[2], Quat::from_rotation_y(1.0));
    check_turn(&found[3], Quat::IDENTITY);
}

#[test]
fn bones_that_follow_each_other_stop() {
    let mut parts = parts(&[(None, Vec3::ZERO); 3]);
    parts.bone_logic[0].follow = rotation_follow(1, 1.0);
    parts.bone_logic[1].follow = rotation_follow(0, 1.0);
    parts.bone_logic[2].follow = rotation_follow(2, 5.0);
    let character = built(parts);
    let mut pose = Pose::rest(&character);
    (0..3).for_each(|bone| pose.turn(BoneId(bone), Quat::from_rotation_z(0.25)));
    let found = evaluated(&character, &pose);
    check_turn(&found[0], Quat::from_rotation_z(0.25));
    check_turn(&found[1], Quat::from_rotation_z(0.5));
    check_turn(&found[2], Quat::from_rotation_z(0.25));
}

#[test]
fn a_local_follower_takes_the_whole_change_in_the_model() {
    let mut parts = parts(&[(None, Vec3::ZERO), (Some(0), Vec3::X), (None, Vec3::ZERO)]);
    parts.bone_logic[2].follow =
        Some(Follow { source: BoneId(1), ratio: 1.0, rotates: true, translates: true, is_local: true });
    let character = built(parts);
    let mut pose = Pose::rest(&character);
    pose.turn(BoneId(0), Quat::from_rotation_z(FRAC_PI_2));
    let found = evaluated(&character, &pose);
    // The source itself did not change, but its parent carried it from (1, 0, 0) to (0, 1, 0).
    check_turn(&found[2], Quat::from_rotation_z(FRAC_PI_2));
    check_place(&found[2], Vec3::new(-1.0, 1.0, 0.0));
}

#[test]
fn turned_rests_follow_in_their_own_frames() {
    let mut parts = parts(&[(None, Vec3::ZERO), (None, Vec3::X)]);
    let turned = Trs { rotation: Quat::from_rotation_z(FRAC_PI_2), ..Trs::from_translation(Vec3::X) };
    parts.bones[1].rest = LocalTransform::Trs(turned);
    parts.bone_logic[1].follow = rotation_follow(0, 1.0);
    let character = built(parts);
    let mut pose = Pose::rest(&character);
    pose.turn(BoneId(0), Quat::from_rotation_x(0.4));
    let found = evaluated(&character, &pose);
    check_turn(&found[1], Quat::from_rotation_z(FRAC_PI_2) * Quat::from_rotation_x(0.4));
}

#[test]
fn a_bone_before_its_parent_hangs_from_the_parent_as_posed() {
    let mut parts = parts(&[(None, Vec3::ZERO), (Some(0), Vec3::X), (None, Vec3::ZERO)]);
    parts.bone_logic[0] = BoneLogic { level: 1, follow: rotation_follow(2, 1.0), ..BoneLogic::default() };
    let character = built(parts);
    assert_eq!(evaluated(&character, &Pose::rest(&character)), character.skeleton().rest_model_from_bone());
    let mut pose = Pose::rest(&character);
    pose.turn(BoneId(0), Quat::from_rotation_z(FRAC_PI_2));
    pose.turn(BoneId(2), Quat::from_rotation_z(FRAC_PI_2));
    let found = evaluated(&character, &pose);
    check_place(&found[1], Vec3::Y);
    check_turn(&found[0], Quat::from_rotation_z(PI));
}

/// Hip at 1 m, knee halfway and slightly ahead, ankle at the ground; the goal is bone 3, at the ankle; bone 4 follows the hip.
fn leg(limits: Option<[Vec3; 2]>) -> Character {
    let mut parts = parts(&[
        (None, Vec3::new(0.0, 1.0, 0.0)),
        (Some(0), Vec3::new(0.0, -0.5, 0.01)),
        (Some(1), Vec3::new(0.0, -0.5, -0.01)),
        (None, Vec3::ZERO),
        (None, Vec3::ZERO),
    ]);
    let link = |bone, limits| ReachLink { bone: BoneId(bone), limits };
    let links = vec![link(1, limits), link(0, None)];
    parts.bone_logic[3].reach = Some(Reach { effector: BoneId(2), iterations: 40, step_rad: 2.0, links });
    parts.bone_logic[4].follow = rotation_follow(0, 1.0);
    built(parts)
}

const KNEE: Option<[Vec3; 2]> = Some([Vec3::new(0.5 * PI / 180.0, 0.0, 0.0), Vec3::new(PI, 0.0, 0.0)]);

#[test]
fn a_leg_with_a_hinge_reaches_its_goal() {
    let character = leg(KNEE);
    for goal in [Vec3::new(0.0, 0.3, 0.1), Vec3::new(0.2, 0.2, 0.3), Vec3::new(-0.3, 0.5, -0.4)] {
        let mut pose = Pose::rest(&character);
        pose.change(BoneId(3), &Trs::from_translation(goal));
        let found = evaluated(&character, &pose);
        let missed = Vec3::from(found[2].translation).distance(goal);
        // A thousandth of the leg's length, 1 m.
        assert!(missed < 1e-3, "{goal}: missed by {missed}");
        let knee = Quat::from_mat3a(&(found[0].inverse() * found[1]).matrix3);
        assert!(
            knee.x > 0.0 && knee.y.abs() < 1e-5 && knee.z.abs() < 1e-5,
            "bends about x, forwards: {knee}"
        );
        // What the chain turned counts for followers.
        check_turn(&found[4], Quat::from_mat3a(&found[0].matrix3));
    }
}

#[test]
fn a_goal_out_of_reach_stretches_the_leg() {
    let character = leg(None);
    let mut pose = Pose::rest(&character);
    pose.change(BoneId(3), &Trs::from_translation(Vec3::new(0.0, 1.0, 3.0)));
    let ankle = evaluated(&character, &pose)[2].translation;
    // Straight from the hip at 1 m; twice the length of a half.
    let expected = Vec3::new(0.0, 1.0, 2.0 * 0.5f32.hypot(0.01));
    assert!(Vec3::from(ankle).abs_diff_eq(expected, 1e-3), "{ankle}");
}

#[test]
fn a_reach_can_be_switched_off() {
    let character = leg(KNEE);
    let mut pose = Pose::rest(&character);
    pose.change(BoneId(3), &Trs::from_translation(Vec3::new(0.0, 0.3, 0.1)));
    pose.set_reaching(BoneId(3), false);
    let found = evaluated(&character, &pose);
    check_place(&found[2], Vec3::ZERO);
    check_turn(&found[4], Quat::IDENTITY);
}

#[test]
fn one_link_turns_by_its_step_and_the_next_by_twice_that() {
    let mut parts = parts(&[(None, Vec3::ZERO), (Some(0), Vec3::X), (Some(1), Vec3::X), (None, Vec3::Y)]);
    let links = [1, 0].map(|bone| ReachLink { bone: BoneId(bone), limits: None }).to_vec();
    parts.bone_logic[3].reach = Some(Reach { effector: BoneId(2), iterations: 1, step_rad: 0.1, links });
    let character = built(parts);
    let found = evaluated(&character, &Pose::rest(&character));
    check_turn(&found[0], Quat::from_rotation_z(0.2));
    check_turn(&found[1], Quat::from_rotation_z(0.3));
}

#[test]
fn bone_morphs_come_after_the_pose_and_after_each_other() {
    let mut parts = parts(&[(None, Vec3::Y)]);
    parts.bone_logic.clear();
    let morph = |translation, rotation| MorphTarget {
        effect: MorphEffect::Bones(vec![BoneMorph { bone: BoneId(0), translation, rotation }]),
        ..MorphTarget::default()
    };
    let group = MorphEffect::Group(vec![(0, 1.0), (1, 2.0)]);
    parts.meshes = vec![Mesh {
        morphs: vec![
            morph(Vec3::X, Quat::from_rotation_x(0.8)),
            morph(Vec3::Z, Quat::from_rotation_y(0.4)),
            MorphTarget { effect: group, ..MorphTarget::default() },
        ],
        default_morph_weights: vec![0.0; 3],
        ..Mesh::default()
    }];
    parts.instances =
        vec![Instance { bone: BoneId(0), mesh: MeshId(0), bind: None, morph_weights: vec![0.0; 3] }];
    let character = built(parts);
    let mut pose = Pose::rest(&character);
    pose.turn(BoneId(0), Quat::from_rotation_z(0.3));
    pose.set_morph(&character, MeshId(0), 2, 0.5);
    let found = evaluated(&character, &pose);
    let expected = Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.4) * Quat::from_rotation_z(0.3);
    check_turn(&found[0], expected);
    check_place(&found[0], Vec3::new(0.5, 1.0, 1.0));
    assert_eq!(Evaluator::new(&character).morph_weights(&character, &pose), [[0.5, 1.0, 0.0]]);
}

#[test]
fn a_frame_does_not_depend_on_the_one_before() {
    let character = leg(KNEE);
    let mut pose = Pose::rest(&character);
    pose.change(BoneId(3), &Trs::from_translation(Vec3::new(0.1, 0.3, 0.1)));
    let fresh = evaluated(&character, &pose);
    let mut evaluator = Evaluator::new(&character);
    let mut found = fresh.clone();
    let mut other = Pose::rest(&character);
    other.change(BoneId(3), &Trs::from_translation(Vec3::new(-0.4, 0.9, 0.7)));
    evaluator.model_from_bone_into(&character, &other, &mut found);
    evaluator.model_from_bone_into(&character, &pose, &mut found);
    assert_eq!(found, fresh);
}

const BONES: u32 = 7;

fn any_follow() -> impl Strategy<Value = Option<Follow>> {
    let ratio = prop_oneof![-2.0f32..2.0, Just(0.0), Just(1e30)];
    let follow =
        (0..BONES, ratio, any::<[bool; 3]>()).prop_map(|(source, ratio, [rotates, translates, is_local])| {
            Follow { source: BoneId(source), ratio, rotates, translates, is_local }
        });
    prop::option::of(follow)
}

fn any_reach() -> impl Strategy<Value = Option<Reach>> {
    let angle = || prop_oneof![-4.0f32..4.0, Just(0.0), Just(1.57), Just(-1e9)];
    let corner = move || prop::array::uniform3(angle()).prop_map(Vec3::from);
    let limits = prop::option::of((corner(), corner()).prop_map(|(a, b)| [a, b]));
    let link = (0..BONES, limits).prop_map(|(bone, limits)| ReachLink { bone: BoneId(bone), limits });
    let links = prop::collection::vec(link, 0..4);
    let reach = (0..BONES, prop_oneof![0u32..20, Just(u32::MAX)], angle(), links).prop_map(
        |(effector, iterations, step_rad, links)| Reach {
            effector: BoneId(effector),
            iterations,
            step_rad,
            links,
        },
    );
    prop::option::of(reach)
}

fn any_logic() -> impl Strategy<Value = BoneLogic> {
    (-1..3, any::<bool>(), any_follow(), any_reach(), any::<bool>()).prop_map(
        |(level, is_after_physics, follow, reach, has_axis)| {
            let axis = has_axis.then_some(Vec3::new(0.6, 0.0, -0.8));
            BoneLogic { level, is_after_physics, follow, reach, axis }
        },
    )
}

proptest! {
    #[test]
    fn any_logic_gives_finite_bones(
        logic in prop::collection::vec(any_logic(), BONES as usize),
        parents in prop::collection::vec(prop::option::of(0..BONES), BONES as usize),
        places in prop::collection::vec(prop::array::uniform3(prop_oneof![-1.0f32..1.0, Just(0.0)]), BONES as usize),
        turns in prop::collection::vec(prop::array::uniform4(-1.0f32..1.0), BONES as usize),
        scales in prop::collection::vec(prop_oneof![Just(1.0f32), Just(0.0), -2.0f32..2.0], BONES as usize),
    ) {
        // Parents by a shuffled order would be a test of the skeleton: a parent is any bone of a smaller index.
        let bones: Vec<_> = (0..BONES).map(|bone| (parents[bone as usize].filter(|&parent| parent < bone), Vec3::from(places[bone as usize]))).collect();
        let character = built(CharacterParts { bone_logic: logic, ..parts(&bones) });
        let mut pose = Pose::rest(&character);
        for bone in 0..BONES as usize {
            let rotation = Quat::from_array(turns[bone]).normalize();
            prop_assume!(rotation.is_finite());
            pose.change(BoneId::of(bone), &Trs { translation: Vec3::from(places[bone]), rotation, scale: Vec3::new(1.0, scales[bone], 1.0) });
        }
        let found = evaluated(&character, &pose);
        prop_assert!(found.iter().all(Affine3A::is_finite), "{found:?}");
    }
}
