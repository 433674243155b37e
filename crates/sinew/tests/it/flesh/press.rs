//! Parts of a body that press each other.

use super::overlap::BodyPart;
use super::*;
use sinew::flesh::FleshSkin;
use sinew::rig::samples;
use std::sync::Arc;

/// A pose in which two parts of the body are in each other.
struct Pressed {
    name: &'static str,
    turns: Vec<(&'static str, Quat)>,
    parts: [&'static [&'static str]; 2],
    /// How deep skinning has one in the other, millimetres.
    skinned_mm: std::ops::Range<f32>,
}

fn arm_at_the_flank(angle_rad: f32) -> Pressed {
    Pressed {
        name: "arm and flank",
        turns: vec![("LeftUpperArm", Quat::from_rotation_z(-angle_rad))],
        parts: [&["Hips", "Spine", "Chest"], &["LeftUpperArm"]],
        skinned_mm: 25.0..40.0,
    }
}

fn thighs(angle_rad: f32) -> Pressed {
    let turn = Quat::from_rotation_z(angle_rad);
    Pressed {
        name: "thighs",
        turns: vec![("LeftUpperLeg", turn.inverse()), ("RightUpperLeg", turn)],
        parts: [&["RightUpperLeg"], &["LeftUpperLeg"]],
        skinned_mm: 20.0..40.0,
    }
}

fn folded_knee() -> Pressed {
    Pressed {
        name: "calf and thigh",
        turns: vec![("LeftLowerLeg", Quat::from_rotation_x(2.2))],
        parts: [&["LeftUpperLeg"], &["LeftLowerLeg"]],
        skinned_mm: 35.0..50.0,
    }
}

/// What flesh that has settled makes of a pose.
fn settled(character: &Character, rig: &Arc<FleshRig>, pressed: &Pressed) -> [Vec<Vec3>; 2] {
    let clip = turned(character, &pressed.turns, [0.0, 0.0, 0.0]);
    let still = FleshFrames {
        deviations: vec![vec![Vec3::ZERO; rig.anatomy.point_count()]],
        ..FleshFrames::default()
    };
    let (run, motion) = (FleshRun::new(rig, Method::Lbs), once(&clip, 30.0));
    let skin = FleshSkin::new(&run, &motion, &Arc::new(still));
    [skin.posed().surface().positions.clone(), skin.positions().to_vec()]
}

#[test]
fn parts_that_overlap_give_way_to_each_other() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 5000);
    for (pressed, most_left) in [(arm_at_the_flank(0.97), 0.33), (thighs(0.165), 0.33), (folded_knee(), 1.1)]
    {
        let [skinned, flesh] = settled(&character, &rig, &pressed);
        let parts = pressed.parts.map(|names| BodyPart::new(&rig, names));
        let [one, other] = &parts;
        for (one, other) in [(one, other), (other, one)] {
            let (before_m, deepest) = one.deepest(&skinned, other);
            let (after_m, left_at) = one.deepest(&flesh, other);
            // Both sides give way by what the flesh of each allows.
            let give_of = |part: &BodyPart, place: Vec3| {
                let far = |vertex: &usize| skinned[*vertex].distance(place);
                let nearest = part.vertices.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)));
                rig.gives_m()[nearest.expect("a part has vertices")]
            };
            let give_m = rig.gives_m()[deepest] + give_of(one, skinned[deepest]);
            let told = format!(
                "{}: {:.1} mm in each other when skinned, {:.1} mm with flesh (at {left_at}), which gives way by {:.1} mm",
                pressed.name,
                1e3 * before_m,
                1e3 * after_m,
                1e3 * give_m
            );
            assert!(pressed.skinned_mm.contains(&(1e3 * before_m)), "{told}");
            assert!(after_m < most_left * give_m, "{told}");
            let moved = flesh[deepest].distance(skinned[deepest]);
            assert!(moved > 0.15 * before_m && moved < 0.85 * before_m, "{told}: this side goes {moved} m");
        }
    }
}

/// Rounding of bones, metres.
const REST_M: f32 = 1e-6;

#[test]
fn the_rest_pose_is_left_as_it_is() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 3000);
    let rest = Pressed { name: "rest", turns: Vec::new(), parts: [&[], &[]], skinned_mm: 0.0..1.0 };
    let [skinned, flesh] = settled(&character, &rig, &rest);
    let moved = (0..skinned.len()).map(|vertex| (skinned[vertex].distance(flesh[vertex]), vertex));
    let (most, vertex) = moved.max_by(|a, b| a.0.total_cmp(&b.0)).expect("vertices");
    let place = skinned[vertex];
    assert!(most < REST_M, "vertex {vertex} at {place} goes {most} m at rest");
}

#[test]
fn what_is_pressed_comes_to_rest_bit_by_bit_in_every_preset() {
    let character = samples::figure();
    let both = [arm_at_the_flank(0.97).turns, thighs(0.165).turns].concat();
    for preset in FleshPreset::ALL {
        let rig = rig_of(&character, &preset.settings(), 2500);
        let clip = turned(&character, &both, [0.0, 0.1, 3.2]);
        let frames = play(&rig, &once(&clip, 60.0));
        let last = frames.deviations.last().expect("frames");
        let touches = frames.states.last().expect("frames").touch_count;
        assert!(touches > 5, "{preset:?}: touches in {touches} places");
        let still = frames.deviations.iter().rposition(|frame| frame != last).map_or(0, |frame| frame + 1);
        let still_secs = still as f64 / 60.0 - 0.1;
        // A cartoon's fat swings for longer than that by itself: its swings fade at 4 a second.
        let most_secs = if preset == FleshPreset::Cartoon { 3.0 } else { 2.0 };
        assert!(still_secs <= most_secs, "{preset:?}: still after {still_secs} s");
    }
}

/// A turn by this much moves no vertex farther than this, metres.
const SMALL_TURN_RAD: f32 = 0.1 * std::f32::consts::PI / 180.0;
const SMALL_WAY_M: f32 = 0.004;

#[test]
fn small_turns_move_the_skin_by_little() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 3000);
    let steps = 120;
    let total = SMALL_TURN_RAD * steps as f32;
    let from_to = |bone: &str, axis: Vec3, from: f32| {
        let clip = turned(&character, &[(bone, Quat::from_axis_angle(axis, from))], [0.0, 0.0, 0.0]);
        let end = turned(&character, &[(bone, Quat::from_axis_angle(axis, from + total))], [0.0, 0.0, 0.0]);
        let last_key = |clip: &Clip| match &clip.tracks[0].channel {
            Channel::Rotation(id, values) => (*id, values[1]),
            other => panic!("{other:?}"),
        };
        let (id, first) = last_key(&clip);
        Clip {
            name: "small turns".into(),
            tracks: vec![Track {
                times_secs: vec![0.0, steps as f64 / 30.0],
                interpolation: Interpolation::Linear,
                channel: Channel::Rotation(id, vec![first, last_key(&end).1]),
            }],
        }
    };
    for (bone, axis, from) in [
        ("LeftUpperArm", Vec3::NEG_Z, 0.8),
        ("LeftUpperLeg", Vec3::NEG_Z, 0.2),
        ("LeftUpperLeg", Vec3::NEG_X, 1.5),
        ("LeftLowerLeg", Vec3::X, 2.1),
    ] {
        let clip = from_to(bone, axis, from);
        let still = vec![Vec3::ZERO; rig.anatomy.point_count()];
        let frames = FleshFrames { deviations: vec![still; steps + 1], ..FleshFrames::default() };
        let (run, motion) = (FleshRun::new(&rig, Method::Lbs), once(&clip, 30.0));
        let mut skin = FleshSkin::new(&run, &motion, &Arc::new(frames));
        let mut worst = (0.0f32, 0, 0);
        let (mut before, mut pressed) = (skin.positions().to_vec(), 0.0f32);
        for step in 1..=steps {
            skin.set_positions(step);
            for (vertex, (now, before)) in skin.positions().iter().zip(&before).enumerate() {
                let way = now.distance(*before);
                if way > worst.0 {
                    worst = (way, vertex, step);
                }
            }
            pressed = skin.deviations().iter().map(|away| away.length()).fold(pressed, f32::max);
            before.copy_from_slice(skin.positions());
        }
        let (way, vertex, step) = worst;
        assert!(way < SMALL_WAY_M, "{bone}, step {step}: vertex {vertex} goes {way} m");
        assert!(pressed > 0.004, "{bone}: nothing is pressed, {pressed} m");
    }
}
