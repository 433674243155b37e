//! Slow motions and frozen poses.

use super::*;
use sinew::rig::samples;

/// A clip at this share of its speed is slow.
const SLOW: f64 = 1.0 / 50.0;

/// How far a slow motion may be from the skinned shape, as a share of the model's size.
const SLOW_SHARE: f32 = 0.005;

#[test]
fn a_slow_motion_stays_on_the_rig() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 1200);
    for clip in character.clips() {
        let motion = FleshMotion { speed: SLOW, ..once(clip, 1.0) };
        let slow = play(&rig, &motion).deviations;
        let slow = slow.iter().map(|frame| farthest_m(&rig, frame)).fold(0.0, f32::max);
        let plain = play(&rig, &once(clip, 30.0)).deviations;
        let plain = plain.iter().map(|frame| farthest_m(&rig, frame)).fold(0.0, f32::max);
        eprintln!(
            "{}: slow {:.2} mm, plain {:.2} mm of {:.2} m",
            clip.name,
            1e3 * slow,
            1e3 * plain,
            size_m(&rig)
        );
        assert!(slow < SLOW_SHARE * size_m(&rig), "{}: {slow} m", clip.name);
        assert!(plain > slow, "{}: {plain} m, {slow} m", clip.name);
    }
}

#[test]
fn a_frozen_pose_comes_to_rest_in_two_seconds_and_stays_bit_still() {
    let character = samples::figure();
    // Thrown into a pose in a tenth of a second; the arms end pressed to the trunk.
    let down = |sign: f32| Quat::from_rotation_z(sign * 1.05);
    let turns = [
        ("LeftUpperArm", down(-1.0)),
        ("RightUpperArm", down(1.0)),
        ("LeftUpperLeg", Quat::from_rotation_x(-1.6)),
        ("LeftLowerLeg", Quat::from_rotation_x(2.2)),
    ];
    let clip = turned(&character, &turns, [0.0, 0.1, 3.1]);
    for preset in FleshPreset::ALL {
        let rig = rig_of(&character, &preset.settings(), 1200);
        let frames = play(&rig, &once(&clip, 60.0));
        let touches = frames.states.last().map_or(0, |state| state.touch_count);
        let last = frames.deviations.last().expect("frames");
        let still = frames.deviations.iter().rposition(|frame| frame != last).map_or(0, |frame| frame + 1);
        let swung = frames.deviations.iter().map(|frame| farthest_m(&rig, frame)).fold(0.0, f32::max);
        eprintln!(
            "{}: swung {:.1} mm, touches {touches}, still after {:.2} s",
            preset.name(),
            1e3 * swung,
            still as f64 / 60.0 - 0.1
        );
        assert!(touches > 0 && swung > 0.005, "{}: {touches} {swung}", preset.name());
        assert!(still as f64 / 60.0 - 0.1 <= 2.0, "{}: {still}", preset.name());
    }
}
