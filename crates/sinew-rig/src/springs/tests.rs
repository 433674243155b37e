use super::*;
use crate::{Bone, Channel, Character, CharacterParts, Clip, LocalTransform, Track, with_follow_through};
use glam::{Affine3A, Quat};
use sinew_geometry::Trs;

/// Rounding in 64 bits of numbers that came as 32 bits.
const ROUNDING: f32 = 1e-6;

fn bone(name: &str, parent: Option<u32>, translation: Vec3) -> Bone {
    let rest = LocalTransform::Trs(Trs::from_translation(translation));
    Bone { name: name.into(), parent: parent.map(BoneId), rest, tip_in_bone: None }
}

/// A head with a plait of three joints that hangs down.
fn plait(change: impl FnOnce(&mut CharacterParts)) -> Result<Character, crate::InvalidCharacter> {
    let joint = |bone| SpringJoint {
        stiffness: 0.6,
        drag: 0.3,
        hit_radius_m: 0.01,
        ..SpringJoint::new(BoneId(bone))
    };
    let mut parts = CharacterParts {
        bones: vec![
            bone("head", None, Vec3::Y),
            bone("plait", Some(0), Vec3::new(0.0, 0.1, -0.1)),
            bone("plait 2", Some(1), Vec3::new(0.0, -0.2, 0.0)),
            bone("end", Some(2), Vec3::new(0.0, -0.2, 0.0)),
        ],
        springs: Springs {
            chains: vec![SpringChain { joints: [1, 2, 3].map(joint).into(), ..SpringChain::default() }],
            ..Springs::default()
        },
        ..CharacterParts::default()
    };
    change(&mut parts);
    Character::new(parts)
}

fn clip(seconds: f64, turns: &[f32]) -> Clip {
    let times = (0..turns.len()).map(|key| seconds * key as f64 / (turns.len() - 1) as f64).collect();
    let turns = turns.iter().map(|turn| Quat::from_rotation_z(*turn)).collect();
    Clip { name: "shake".into(), tracks: vec![Track::linear(times, Channel::Rotation(BoneId(0), turns))] }
}

fn keys(track: &Track) -> &[Quat] {
    match &track.channel {
        Channel::Rotation(_, keys) => keys,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_stands_still_hangs_as_it_rests() {
    let character = plait(|_| {}).unwrap();
    for track in spring_tracks(&character, &clip(0.5, &[0.0, 0.0])) {
        assert!(keys(&track).iter().all(|key| key.abs_diff_eq(Quat::IDENTITY, ROUNDING)));
    }
}

/// One joint of length 0.2 whose head goes aside by 0.1.
#[track_caller]
fn after_a_step_aside(play: SpringPlay, is_added: bool) -> (SpringRun, Vec<Affine3A>) {
    let character = plait(|parts| {
        let joints = &mut parts.springs.chains[0].joints;
        joints.truncate(2);
        (joints[0].gravity_power, joints[0].gravity_dir) = (0.5, Vec3::Z);
        joints[1].is_added = is_added;
        parts.springs.play = play;
    })
    .unwrap();
    let mut stands = character.skeleton().rest_model_from_bone();
    let mut run = SpringRun::new(&character);
    run.reset(&stands);
    stands.iter_mut().for_each(|bone| bone.translation.x += 0.1);
    run.step(&stands, 0.1);
    (run, stands)
}

#[track_caller]
fn check_direction(run: &SpringRun, expected: Vec3) {
    let (_, turn) = run.rotations().next().expect("a joint");
    let found = (turn * glam::DVec3::NEG_Y).as_vec3();
    assert!(found.abs_diff_eq(expected.normalize(), ROUNDING), "{found} {expected}");
}

/// The tail stays behind, is drawn down by k dt and g dt, and back to its length.
#[test]
fn a_step_is_the_formula() {
    let (run, _) = after_a_step_aside(SpringPlay::Vrm, false);
    check_direction(&run, Vec3::new(-0.1, -0.2 - 0.6 * 0.1, 0.5 * 0.1));
}

/// Lengths that are measured do not tell in the first step, but in the next one: its inertia is that of a tail too far away.
#[test]
fn lengths_are_constant_or_those_to_the_last_step() {
    let second = |play, is_added, length: f32| {
        let (mut run, mut stands) = after_a_step_aside(play, is_added);
        stands.iter_mut().for_each(|bone| bone.translation.x += 0.1);
        run.step(&stands, 0.1);
        let pull = Vec3::new(0.0, -0.06, 0.05);
        let (head, before) = (Vec3::new(0.1, 1.1, -0.1), Vec3::new(0.0, 0.9, -0.1));
        let tail = head + (before + pull - head).normalize() * length;
        check_direction(&run, tail + (tail - before) * 0.7 + pull - (head + Vec3::X * 0.1));
    };
    second(SpringPlay::Vrm, false, 0.2);
    second(SpringPlay::ThreeVrm, true, 0.2);
    second(SpringPlay::ThreeVrm, false, Vec3::new(0.1, 0.2, 0.0).length());
}

#[test]
fn tails_stay_out_of_colliders() {
    let ball = |is_there: bool| {
        plait(|parts| {
            parts.springs.colliders = vec![SpringCollider {
                bone: BoneId(0),
                shape: ColliderShape::Sphere {
                    offset: Vec3::new(0.03, -0.15, -0.1),
                    radius: 0.12,
                    is_inside: false,
                },
            }];
            parts.springs.groups = vec![ColliderGroup { name: "ball".into(), colliders: vec![0] }];
            parts.springs.chains[0].groups = if is_there { vec![0] } else { Vec::new() };
        })
        .unwrap()
    };
    let nearest = |character: &Character| {
        let stands = character.skeleton().rest_model_from_bone();
        let mut run = SpringRun::new(character);
        run.reset(&stands);
        (0..200).for_each(|_| {
            run.step(&stands, 1.0 / SPRING_FPS);
        });
        let turns: Vec<_> = run.rotations().map(|(_, turn)| turn.as_quat()).collect();
        let first = Affine3A::from_rotation_translation(turns[0], Vec3::new(0.0, 1.1, -0.1));
        first.transform_point3(Vec3::new(0.0, -0.2, 0.0)).distance(Vec3::new(0.03, 0.85, -0.1))
    };
    assert!(nearest(&ball(true)) > 0.12 + 0.01 - 1e-3, "{}", nearest(&ball(true)));
    assert!(nearest(&ball(false)) < 0.1);
}

#[test]
fn a_loop_begins_as_it_goes_on() {
    let character = plait(|_| {}).unwrap();
    for track in spring_tracks(&character, &clip(1.0, &[0.0, 0.6, 0.0, -0.6, 0.0])) {
        let keys = keys(&track);
        assert_eq!(keys.len(), 61);
        assert!(keys[0].angle_between(keys[60]) < 0.02, "{} {}", keys[0], keys[60]);
        assert!(keys.iter().any(|key| key.angle_between(Quat::IDENTITY) > 0.05), "it swings");
    }
}

#[test]
fn springs_replace_rotations_of_the_clip_and_end_with_it() {
    let character = plait(|_| {}).unwrap();
    let mut shaken = clip(0.99, &[0.0, 0.6]);
    shaken
        .tracks
        .push(Track::linear(vec![0.0], Channel::Rotation(BoneId(1), vec![Quat::from_rotation_x(1.0)])));
    let played = with_follow_through(&character, &shaken);
    let of_plait: Vec<&Track> =
        played.tracks.iter().filter(|track| track.channel.bone() == Some(BoneId(1))).collect();
    assert_eq!(of_plait.len(), 1);
    assert!((played.duration_secs() - shaken.duration_secs()).abs() < 1e-9);
    let baked = bake_springs(&character, &shaken, 1e-4);
    let count = |clip: &Clip| clip.tracks.iter().map(|track| track.times_secs.len()).sum::<usize>();
    assert!(count(&baked) < count(&played), "keys are left out");
    let still = character.with_spring_play(SpringPlay::Off);
    assert_eq!(*with_follow_through(&still, &shaken), shaken);
    assert_eq!(bake_springs(&still, &shaken, 1e-4), shaken);
}

#[test]
fn nonsense_is_refused() {
    let refused = |change: fn(&mut CharacterParts), what: &str| {
        let told = plait(change).expect_err(what).to_string();
        assert!(told.contains(what), "{told}");
    };
    refused(|parts| parts.springs.chains[0].joints[1].bone = BoneId(9), "does not exist");
    refused(|parts| parts.springs.chains[0].joints.swap(0, 1), "is not below");
    refused(|parts| parts.springs.chains[0].groups = vec![3], "names group 3");
    refused(|parts| parts.springs.chains[0].joints[0].drag = f32::NAN, "not finite");
    refused(|parts| parts.springs.chains.extend_from_within(..), "another chain");
    refused(
        |parts| parts.springs.groups = vec![ColliderGroup { colliders: vec![1], ..ColliderGroup::default() }],
        "collider 1",
    );
}

#[test]
fn flat_bones_and_bones_without_length_stay_finite() {
    let character = plait(|parts| {
        parts.bones[2].rest = LocalTransform::Trs(Trs { scale: Vec3::ZERO, ..Trs::IDENTITY });
    })
    .unwrap();
    for track in spring_tracks(&character, &clip(0.5, &[0.0, 1.0])) {
        assert!(keys(&track).iter().all(|key| key.is_finite()));
    }
}
