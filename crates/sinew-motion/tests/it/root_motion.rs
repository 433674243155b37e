//! Motions over the ground of characters with a root bone above their hips: the root travels, and everything else stands where it would
//! without one.

use crate::support::{SolePoints, measure, place_of};
use glam::{Quat, Vec3};
use sinew_geometry::Trs;
use sinew_motion::{BakeSettings, Gait, GaitSettings, Humanoid, gait_clip};
use sinew_rig::{BoneId, Channel, Character, Clip, LocalTransform, guess_humanoid, samples};

/// Millimetres of the requirement, for drift and depth.
const MOST_M: f32 = 1e-3;

/// What two ways of computing a place may differ by: splines of two bones in place of one.
const SAME_M: f32 = 1e-3;

/// The figure, whose root is a joint of the skin, with other axes and another place for it.
fn rooted() -> Character {
    let mut parts = samples::figure().into_parts();
    let root = BoneId(0);
    assert!(parts.binds[0].joints[0] == root && parts.bones[0].parent.is_none(), "the figure has a root");
    let rest = Trs {
        translation: Vec3::new(0.1, 0.05, -0.2),
        rotation: Quat::from_rotation_x(-1.2) * Quat::from_rotation_z(0.4),
        ..Trs::IDENTITY
    };
    let new_from_old = rest.to_affine().inverse() * parts.bones[0].rest.to_affine();
    parts.bones[0].rest = LocalTransform::Trs(rest);
    for bone in parts.bones.iter_mut().filter(|bone| bone.parent == Some(root)) {
        bone.rest = LocalTransform::Trs(Trs::nearest(&(new_from_old * bone.rest.to_affine())));
    }
    parts.binds[0].joint_from_rest[0] = new_from_old * parts.binds[0].joint_from_rest[0];
    parts.clips.clear();
    Character::new(parts).expect("only axes changed")
}

/// The figure with hips that nothing carries.
fn rootless() -> Character {
    let mut parts = samples::figure().into_parts();
    let places = samples::figure().skeleton().rest_model_from_bone();
    for (index, bone) in parts.bones.iter_mut().enumerate().filter(|(_, bone)| bone.parent == Some(BoneId(0)))
    {
        bone.parent = None;
        bone.rest = LocalTransform::Trs(Trs::nearest(&places[index]));
    }
    parts.clips.clear();
    Character::new(parts).expect("no bone is gone")
}

fn humanoid(character: &Character) -> Humanoid {
    Humanoid::new(character, &guess_humanoid(character)).expect("a human")
}

fn curved() -> GaitSettings {
    let path = vec![[0.0, 0.0], [0.0, 3.0], [1.5, 5.0], [4.0, 5.5]];
    GaitSettings { speed_m_s: 1.3, seconds: 5.0, path, ..GaitSettings::walk() }
}

fn is_moved(clip: &Clip, bone: BoneId) -> bool {
    clip.tracks.iter().any(|track| track.channel.bone() == Some(bone))
}

#[test]
fn the_root_travels_and_feet_do_not_slide() {
    let character = rooted();
    let humanoid = humanoid(&character);
    let root = BoneId(0);
    let name = character.skeleton().bone(root).name.clone();
    assert_eq!(humanoid.root(), Some(root));
    for settings in [curved(), GaitSettings { seconds: 4.0, ..GaitSettings::run() }] {
        let clip = gait_clip(&humanoid, &settings).expect("a gait");
        let points = SolePoints::of_mesh(&character, &["LeftFoot", "RightFoot", "LeftToes", "RightToes"]);
        let found = measure(&character, &clip, &points);
        assert!(found.drift_m < MOST_M && found.below_m < MOST_M, "{found:?}");
        // The root is where the path is, and the hips stay above it.
        let gait = Gait::new(&humanoid, &settings).expect("a gait");
        let start = place_of(&character, &clip, &name, 0.0);
        for at in 0..=8 {
            let secs = settings.seconds * f64::from(at) / 8.0;
            let root = place_of(&character, &clip, &name, secs);
            assert!((root.y - start.y).abs() < SAME_M, "{root} at {secs}");
            let path = gait.root(secs).as_vec3();
            let hips = place_of(&character, &clip, "Hips", secs);
            let aside = (hips - path).with_y(0.0).length();
            assert!(aside < 0.1, "hips {aside} m beside the path at {secs}");
            let from_root = (root - path).with_y(0.0).length();
            assert!(from_root < 0.3, "root {from_root} m beside the path at {secs}");
        }
        let travel = clip.tracks.iter().find_map(|track| match &track.channel {
            Channel::Translation(bone, values) if *bone == root => Some(values[values.len() - 2]),
            _ => None,
        });
        assert!(travel.expect("a track of the root").length() > 3.0, "{travel:?}");
    }
}

#[test]
fn all_bones_stand_where_they_would_without_a_root() {
    let with = rooted();
    let without = rootless();
    let clips =
        [&with, &without].map(|character| gait_clip(&humanoid(character), &curved()).expect("a gait"));
    for bone in ["Head", "LeftHand", "RightFoot", "LeftToes"] {
        for at in 0..50 {
            let secs = 0.1 * f64::from(at) + 0.003;
            let [a, b] = [(&with, &clips[0]), (&without, &clips[1])]
                .map(|(character, clip)| place_of(character, clip, bone, secs));
            assert!(a.distance(b) < SAME_M, "{bone} at {secs}: {a} {b}");
        }
    }
}

#[test]
fn in_place_the_root_stays() {
    let character = rooted();
    let humanoid = humanoid(&character);
    let gait = Gait::new(&humanoid, &curved()).expect("a gait");
    let clip = gait.to_clip(&BakeSettings { is_in_place: true, ..BakeSettings::default() });
    assert!(!is_moved(&clip, humanoid.root().expect("a root")));
    let hips = place_of(&character, &clip, "Hips", 5.0);
    assert!(hips.with_y(0.0).length() < 0.1, "{hips}");
}

#[test]
fn hips_travel_where_there_is_no_root() {
    let character = rootless();
    let humanoid = humanoid(&character);
    assert_eq!(humanoid.root(), None);
    let clip = gait_clip(&humanoid, &curved()).expect("a gait");
    assert!(!is_moved(&clip, BoneId(0)));
    assert!(place_of(&character, &clip, "Hips", 5.0).with_y(0.0).length() > 3.0);
}
