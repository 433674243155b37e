//! Flesh against things.

use super::*;
use sinew::flesh::FleshSkin;
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
    let run = FleshRun::new(&rig, Method::Lbs).with_colliders(vec![wall]);
    let frames = run.play(&motion, &mut |_| true).expect("a motion").expect("nobody stops it");
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    skin.set(skin.frame_count() - 1);
    let is_before = |place: &&Vec3| place.x.abs() < 0.12 && (place.y - 1.05).abs() < 0.12;
    let depth =
        |places: &[Vec3]| places.iter().filter(is_before).map(|place| place.z - wall_z).fold(0.0, f32::max);
    let (skinned, pressed) = (depth(&skin.posed().surface().positions), depth(skin.positions()));
    eprintln!("wall: {:.1} mm inside when skinned, {:.1} mm with flesh", 1e3 * skinned, 1e3 * pressed);
    assert!(skinned > 0.008 && pressed < 0.3 * skinned, "{skinned} {pressed}");
}
