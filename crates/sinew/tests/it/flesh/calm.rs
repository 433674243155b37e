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
    // Muscles bulge however slow they are; what is asked for is what inertia and volume do.
    let mut flesh = natural();
    flesh.muscles.drive.strength = 0.0;
    let rig = rig_of(&character, &flesh, 2500);
    let turns = [
        ("LeftUpperArm", Quat::from_rotation_z(0.8)),
        ("RightUpperArm", Quat::from_rotation_z(-0.8)),
        ("Spine", Quat::from_rotation_y(0.4)),
    ];
    let clip = turned(&character, &turns, [0.0, 0.3, 0.4]);
    let most = |speed: f64, fps: f64| {
        let frames = &play(&rig, &FleshMotion { speed, ..once(&clip, fps) }).deviations;
        frames.iter().map(|frame| farthest_m(&rig, frame)).fold(0.0, f32::max)
    };
    let (slow, plain) = (most(SLOW, 2.0), most(1.0, 60.0));
    assert!(slow < SLOW_SHARE * size_m(&rig), "{slow} m of {} m", size_m(&rig));
    assert!(plain > 5.0 * slow, "{plain} m, {slow} m");
}

#[test]
fn a_frozen_pose_comes_to_rest_in_two_seconds_and_stays_bit_still() {
    let character = samples::figure();
    // Thrown into a pose in a tenth of a second.
    let turns = [("LeftUpperArm", Quat::from_rotation_z(0.8)), ("LeftUpperLeg", Quat::from_rotation_x(-0.6))];
    let clip = turned(&character, &turns, [0.0, 0.1, 3.1]);
    let rig = rig_of(&character, &natural(), 1200);
    let frames = play(&rig, &once(&clip, 60.0));
    let last = frames.deviations.last().expect("frames");
    let still = frames.deviations.iter().rposition(|frame| frame != last).map_or(0, |frame| frame + 1);
    let swung = frames.deviations.iter().map(|frame| farthest_m(&rig, frame)).fold(0.0, f32::max);
    assert!(swung > 0.005, "{swung} m");
    let still_secs = still as f64 / 60.0 - 0.1;
    assert!(still_secs <= 2.0, "still after {still_secs} s");
}
