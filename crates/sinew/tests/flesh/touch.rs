//! Flesh against flesh, ground and things.

use super::*;
use sinew::flesh::FleshSkin;
use sinew::geometry::{TriangleMesh, WindingField};
use sinew::rig::samples;
use sinew::soft::{Collider, ContactSettings, Shape};

/// Vertices count as inside another part if they are deeper than this, metres.
const SUNK_M: f32 = 0.003;

/// How many vertices lie inside another part of the skin: a little below the skin the winding number is 1, and 2 where it is in two parts.
fn sunk_count(positions: &[Vec3], normals: &[Vec3], triangles: &[[u32; 3]]) -> usize {
    let field =
        WindingField::new(&TriangleMesh { positions: positions.to_vec(), triangles: triangles.to_vec() });
    let is_sunk = |(place, normal): (&Vec3, &Vec3)| field.at((*place + *normal * SUNK_M).as_dvec3()) > 0.5;
    positions.iter().zip(normals).filter(|pair| is_sunk(*pair)).count()
}

fn sunk_at_end(character: &Character, clip: &Clip, has_contact: bool, skinned: bool) -> usize {
    let mut flesh = natural();
    flesh.contact.body = has_contact;
    let rig = rig_of(character, &flesh, 5000);
    let motion = once(clip, 30.0);
    let run = FleshRun::new(&rig, Method::Lbs);
    let frames = run.play(&motion, &mut |_| true).expect("a motion").expect("nobody stops it");
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    skin.set(skin.frame_count() - 1);
    let triangles = &rig.covered.surface.triangles;
    let surface = skin.posed().surface();
    if skinned {
        return sunk_count(&surface.positions, &surface.normals, triangles);
    }
    sunk_count(skin.positions(), skin.normals(), triangles)
}

#[test]
fn pressed_parts_do_not_sink_into_each_other() {
    let character = samples::figure();
    let arms = [("LeftUpperArm", Quat::from_rotation_z(-0.9)), ("RightUpperArm", Quat::from_rotation_z(0.9))];
    let legs =
        [("LeftUpperLeg", Quat::from_rotation_z(-0.12)), ("RightUpperLeg", Quat::from_rotation_z(0.12))];
    let knee = [("LeftUpperLeg", Quat::from_rotation_x(-1.6)), ("LeftLowerLeg", Quat::from_rotation_x(2.35))];
    for (name, turns) in [("arms to the flanks", &arms), ("thigh to thigh", &legs), ("calf to thigh", &knee)]
    {
        let clip = turned(&character, turns, [0.0, 0.6, 1.4]);
        let skinned = sunk_at_end(&character, &clip, true, true);
        let apart = sunk_at_end(&character, &clip, true, false);
        let alone = sunk_at_end(&character, &clip, false, false);
        eprintln!(
            "{name}: {skinned} vertices inside when skinned, {alone} with flesh alone, {apart} with contact"
        );
    }
}

#[test]
fn a_ball_dents_the_belly_and_the_ground_the_seat() {
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
    // It reaches 12 mm into the belly.
    let center = Vec3::new(0.0, 1.05, front + 0.1 - 0.012);
    let ball =
        Collider::fixed(Shape::Sphere { radius_m: 0.1 }, center, Quat::IDENTITY, ContactSettings::default());
    let run = FleshRun::new(&rig, Method::Lbs).with_colliders(vec![ball]);
    let frames = run.play(&motion, &mut |_| true).expect("a motion").expect("nobody stops it");
    let skin = FleshSkin::new(&run, &motion, &frames);
    let _ = &skin;
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    skin.set(skin.frame_count() - 1);
    let depth = |places: &[Vec3]| places.iter().map(|place| 0.1 - place.distance(center)).fold(0.0, f32::max);
    let (skinned, pressed) = (depth(&skin.posed().surface().positions), depth(skin.positions()));
    eprintln!("ball: {:.1} mm inside when skinned, {:.1} mm with flesh", 1e3 * skinned, 1e3 * pressed);
    assert!(skinned > 0.008 && pressed < 0.5 * skinned, "{skinned} {pressed}");
}
