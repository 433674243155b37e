//! T-pose as rest pose: true to the axes, and nothing looks different.

use crate::support::stick;
use glam::{Affine3A, Quat, Vec3};
use sinew_motion::Humanoid;
use sinew_rig::{Channel, Character, Clip, LocalTransform, Pose, Track, guess_humanoid, samples};

/// Rounding of chains of rotations in 32 bits.
const ROUNDING: f32 = 2e-5;

fn t_posed(character: &Character) -> Character {
    let humanoid = Humanoid::new(character, &guess_humanoid(character)).expect("a human");
    humanoid.rested_in_t_pose(character).0
}

fn place(character: &Character, bone: &str) -> Vec3 {
    let bone = character.skeleton().find(bone).expect("a bone");
    character.skeleton().rest_model_from_bone()[bone.index()].translation.into()
}

/// The stick figure with lowered arms and bent knees, turned and lifted, and a clip that moves some bones.
fn slouched() -> Character {
    let mut parts = stick(1.7, 0.37).into_parts();
    let bend = |parts: &mut sinew_rig::CharacterParts, name: &str, turn: Quat| {
        let bone = parts.bones.iter_mut().find(|bone| bone.name == name).expect("a bone");
        let LocalTransform::Trs(trs) = &mut bone.rest else { panic!("no shear") };
        trs.rotation *= turn;
    };
    for (bone, turn) in [
        ("leftUpperArm", Quat::from_rotation_z(0.5)),
        ("rightUpperArm", Quat::from_rotation_y(0.4)),
        ("rightLowerArm", Quat::from_rotation_x(0.7)),
        ("leftLowerLeg", Quat::from_rotation_x(0.3)),
    ] {
        bend(&mut parts, bone, turn);
    }
    for bone in parts.bones.iter_mut().filter(|bone| bone.parent.is_none()) {
        let moved =
            Affine3A::from_rotation_translation(Quat::from_rotation_y(2.5), Vec3::new(0.3, -0.9, 0.1));
        bone.rest = LocalTransform::Trs(sinew_geometry::Trs::nearest(&(moved * bone.rest.to_affine())));
    }
    let hand =
        sinew_rig::BoneId::of(parts.bones.iter().position(|bone| bone.name == "leftHand").expect("a hand"));
    let root =
        sinew_rig::BoneId::of(parts.bones.iter().position(|bone| bone.parent.is_none()).expect("a root"));
    let turns = vec![Quat::IDENTITY, Quat::from_rotation_x(1.0)];
    let track = |channel| Track::linear(vec![0.0, 1.0], channel);
    let tracks = vec![
        track(Channel::Rotation(hand, turns.clone())),
        track(Channel::Rotation(root, turns)),
        track(Channel::Translation(root, vec![Vec3::X, Vec3::Z])),
    ];
    parts.clips = vec![Clip { name: "some".into(), tracks }];
    Character::new(parts).expect("sound")
}

#[test]
fn limbs_point_along_the_axes_and_soles_are_on_the_ground() {
    for character in [slouched(), samples::figure(), stick(1.5, 0.2)] {
        let name = |bone: &str| {
            let is_figure = character.skeleton().find("LeftHand").is_ok();
            if is_figure { format!("{}{}", bone[..1].to_uppercase(), &bone[1..]) } else { bone.to_owned() }
        };
        let rested = t_posed(&character);
        let way =
            |from: &str, to: &str| (place(&rested, &name(to)) - place(&rested, &name(from))).normalize();
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let limbs = [
                ("UpperArm", "LowerArm", Vec3::X * sign),
                ("LowerArm", "Hand", Vec3::X * sign),
                ("UpperLeg", "LowerLeg", Vec3::NEG_Y),
                ("LowerLeg", "Foot", Vec3::NEG_Y),
            ];
            for (from, to, expected) in limbs {
                let found = way(&format!("{side}{from}"), &format!("{side}{to}"));
                assert!(found.abs_diff_eq(expected, 1e-3), "{side}{from}: {found}");
            }
        }
        let humanoid = Humanoid::new(&rested, &guess_humanoid(&rested)).expect("a human");
        assert!(humanoid.arms_off_t_pose() < 1e-3);
        let hips = place(&rested, &name("leftUpperLeg")).y;
        assert!((f64::from(hips) - humanoid.hip_height_m()).abs() < 1e-3, "{hips}");
    }
}

#[test]
fn it_is_the_same_a_second_time() {
    let once = t_posed(&slouched());
    let twice = t_posed(&once);
    for (a, b) in once.skeleton().bones().iter().zip(twice.skeleton().bones()) {
        assert!(a.rest.to_affine().abs_diff_eq(b.rest.to_affine(), 2e-4), "{}", a.name);
    }
}

#[test]
fn clips_put_every_bone_where_it_was_but_for_the_turn_of_the_whole() {
    let character = slouched();
    let rested = t_posed(&character);
    let stands = |character: &Character, secs: f64| {
        let mut stands = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        Pose::at(character, &character.clips()[0], secs).model_from_bone_into(character, &mut stands);
        stands
    };
    let moved = stands(&rested, 0.0)[0] * stands(&character, 0.0)[0].inverse();
    assert!(moved.matrix3.y_axis.abs_diff_eq(glam::Vec3A::Y, ROUNDING), "about the vertical: {moved}");
    for secs in [0.0, 0.3, 1.0] {
        for (bone, (old, new)) in stands(&character, secs).iter().zip(stands(&rested, secs)).enumerate() {
            assert!((moved * *old).abs_diff_eq(new, ROUNDING), "bone {bone} at {secs}");
        }
    }
    assert_eq!(rested.binds(), character.binds());
    assert_eq!(rested.meshes(), character.meshes());
}
