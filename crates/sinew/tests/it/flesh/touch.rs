//! Flesh against things.

use super::*;
use sinew::flesh::FleshSkin;
use sinew::geometry::progress::Progress;
use sinew::rig::samples;
use sinew::soft::{Collider, ContactSettings, Shape};

#[test]
fn a_wall_presses_the_belly_in() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 3000);
    let clip = turned(&character, &[("Head", Quat::IDENTITY)], [0.0, 0.5, 1.5]);
    let motion = once(&clip, 30.0);
    let belly = rig
        .covered
        .surface
        .positions
        .iter()
        .filter(|place| place.x.abs() < 0.05 && (0.95..1.15).contains(&place.y));
    let front = belly.map(|place| place.z).fold(f32::NEG_INFINITY, f32::max);
    // It reaches 12 mm into the belly, and is larger than the distance between points of the skin.
    let wall_z = front - 0.012;
    let shape = Shape::Box { half_m: Vec3::new(0.12, 0.12, 0.2) };
    let center = Vec3::new(0.0, 1.05, wall_z + 0.2);
    let wall = Collider::fixed(shape, center, Quat::IDENTITY, ContactSettings::default());
    let run = FleshRun::new(&rig, Method::Lbs).with_colliders(vec![wall.clone()]);
    let frames = run.play(&motion, &Progress::none()).expect("a motion");
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    skin.set(skin.frame_count() - 1);
    let inside = |place: &Vec3| -wall.touch(*place).distance_m;
    let depth = |places: &[Vec3]| places.iter().map(inside).fold(0.0, f32::max);
    let (skinned, pressed) = (depth(&skin.posed().surface().positions), depth(skin.positions()));
    assert!(
        skinned > 0.008 && pressed < 0.1 * skinned,
        "{skinned} m inside when skinned, {pressed} m with flesh"
    );
}

#[test]
fn who_lies_on_the_ground_lies_flat() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 3000);
    let root = character.skeleton().find("Root").expect("a root");
    let back = |positions: &[Vec3]| positions.iter().map(|place| place.z).fold(f32::INFINITY, f32::min);
    // On the back, the lowest vertex 12 mm below the ground.
    let height = -back(&rig.covered.surface.positions) - 0.012;
    let lying = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let track = |channel| Track { times_secs: vec![0.0, 0.3], interpolation: Interpolation::Step, channel };
    let clip = Clip {
        name: "lying".into(),
        tracks: vec![
            track(Channel::Rotation(root, vec![lying; 2])),
            track(Channel::Translation(root, vec![Vec3::Y * height; 2])),
        ],
    };
    let (run, motion) = (FleshRun::new(&rig, Method::Lbs), once(&clip, 30.0));
    let frames = run.play(&motion, &Progress::none()).expect("a motion");
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    skin.set(skin.frame_count() - 1);
    // Where flesh gives way by that much.
    let soft: Vec<usize> = (0..rig.gives_m().len()).filter(|&vertex| rig.gives_m()[vertex] > 0.015).collect();
    let lowest = |positions: &[Vec3]| soft.iter().map(|&at| positions[at].y).fold(f32::INFINITY, f32::min);
    let (skinned, pressed) = (lowest(&skin.posed().surface().positions), lowest(skin.positions()));
    assert!(skinned < -0.008 && pressed > -0.001, "{skinned} m when skinned, {pressed} m with flesh");
    assert!(frames.states.iter().all(|state| state.touch_count > 3), "touches are told");
}
