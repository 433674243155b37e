//! Characters of bodies are whole.

use super::*;
use crate::{Design, Template, build};
use glam::Vec3;
use std::collections::BTreeMap;

fn human(settings: CharacterSettings) -> Character {
    build(&Template::human(), &Design::default()).unwrap().to_character(&settings)
}

const SHARED: CharacterSettings = CharacterSettings { steps: 4, look: Look::Skin, has_uvs: false };

/// Every edge is used once each way, so that the surface is closed and turned one way.
#[track_caller]
fn assert_watertight(triangles: impl Iterator<Item = [u32; 3]>) {
    let mut edges: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for [a, b, c] in triangles {
        [(a, b), (b, c), (c, a)].into_iter().for_each(|edge| *edges.entry(edge).or_default() += 1);
    }
    for (&(a, b), &count) in &edges {
        assert_eq!(count, 1, "edge {a} {b}");
        assert_eq!(edges.get(&(b, a)), Some(&1), "edge {a} {b} is open");
    }
}

#[test]
fn one_vertex_lies_where_patches_meet() {
    for look in [Look::Skin, Look::Patches] {
        let character = human(CharacterSettings { look, ..SHARED });
        assert_watertight(character.meshes()[0].triangles.iter().copied());
    }
}

#[test]
fn with_texture_coordinates_the_places_still_meet() {
    let character = human(CharacterSettings { has_uvs: true, ..SHARED });
    let mesh = &character.meshes()[0];
    let mut first: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let welded: Vec<u32> = mesh
        .positions
        .iter()
        .enumerate()
        .map(|(vertex, position)| {
            *first.entry(position.to_array().map(f32::to_bits)).or_insert(vertex as u32)
        })
        .collect();
    assert_watertight(mesh.triangles.iter().map(|triangle| triangle.map(|vertex| welded[vertex as usize])));
    assert!(mesh.uv_sets[0].iter().all(|uv| uv.min_element() >= 0.0 && uv.max_element() <= 1.0));
}

/// What a weight may change by over a length: fully over half a finger's thickness, 1/m.
const MOST_CHANGE_PER_M: f32 = 80.0;

#[test]
fn weights_are_whole_and_smooth() {
    let character = human(SHARED);
    let mesh = &character.meshes()[0];
    let of = |vertex: u32| {
        let (joints, weights) = mesh.influences.of(vertex as usize);
        joints.iter().copied().zip(weights.iter().copied()).collect::<BTreeMap<_, _>>()
    };
    for vertex in 0..mesh.vertex_count() as u32 {
        let shares = of(vertex);
        assert!((1..=4).contains(&shares.len()), "vertex {vertex}: {shares:?}");
        assert!((shares.values().sum::<f32>() - 1.0).abs() < 1e-6, "vertex {vertex}: {shares:?}");
    }
    // Neighbors differ by what a quarter of a patch makes, or within a finger's thickness by more, never by a jump from one bone to another.
    for &[a, b, _] in &mesh.triangles {
        let (first, second) = (of(a), of(b));
        let differ = |(joint, weight): (&u16, &f32)| (weight - second.get(joint).unwrap_or(&0.0)).abs();
        let jump = first.iter().map(differ).fold(0.0, f32::max);
        let length_m = mesh.positions[a as usize].distance(mesh.positions[b as usize]);
        assert!(jump < (MOST_CHANGE_PER_M * length_m).max(0.5), "vertices {a} and {b}: {first:?} {second:?}");
    }
}

#[test]
fn fingers_do_not_move_the_edge_of_the_hand() {
    let character = human(SHARED);
    let skeleton = character.skeleton();
    let bone = skeleton.find("little_proximal.left").unwrap();
    let joint = skeleton.rest_model_from_bone()[bone.index()].translation;
    let tip =
        skeleton.rest_model_from_bone()[skeleton.find("little_middle.left").unwrap().index()].translation;
    let mesh = &character.meshes()[0];
    let slot = bone.index() as u16;
    let reach = mesh.positions.iter().enumerate().filter(|&(vertex, position)| {
        let behind = (Vec3::from(joint) - *position).dot(Vec3::from(tip - joint).normalize());
        let (joints, weights) = mesh.influences.of(vertex);
        let share: f32 =
            joints.iter().zip(weights).filter(|(joint, _)| **joint == slot).map(|(_, share)| share).sum();
        behind > 0.03 && share > 0.01
    });
    assert_eq!(reach.count(), 0);
}

#[test]
fn bones_stand_on_their_joints() {
    let body = build(&Template::human(), &Design::default()).unwrap();
    let character = body.to_character(&SHARED);
    let model = character.skeleton().rest_model_from_bone();
    for (bone, placed) in body.bones.iter().zip(&model) {
        let [from, to] = [bone.from, bone.to].map(|joint| body.joints[joint].position.as_vec3());
        let rounding = 2e-6;
        assert!(placed.transform_point3(Vec3::ZERO).distance(from) < rounding, "{}", bone.name);
        let tip = placed.transform_point3(Vec3::Y * from.distance(to));
        assert!(tip.distance(to) < rounding, "{}", bone.name);
    }
    let parent = |name: &str| {
        let bone = character.skeleton().find(name).unwrap();
        let parent = character.skeleton().bone(bone).parent;
        parent.map(|parent| character.skeleton().bone(parent).name.clone())
    };
    assert_eq!(parent("pelvis"), None);
    assert_eq!(parent("thigh.left").as_deref(), Some("pelvis"));
    assert_eq!(parent("upper_arm.right").as_deref(), Some("clavicle.right"));
    assert_eq!(parent("clavicle.left").as_deref(), Some("chest"));
    assert_eq!(parent("thumb_metacarpal.left").as_deref(), Some("hand.left"));
}

#[test]
fn the_map_has_every_bone_of_vrm_that_matters() {
    let character = human(SHARED);
    let map = sinew_rig::guess_humanoid(&character);
    assert_eq!(map.iter().count(), 5 + 2 * 23);
    let elbow = map.get(sinew_rig::HumanoidBone::LeftLowerArm).unwrap();
    assert_eq!(character.skeleton().bone(elbow).name, "forearm.left");
}

#[test]
fn spherical_parameters_lie_on_the_axis_of_the_joint() {
    let body = build(&Template::human(), &Design::default()).unwrap();
    let character = body.to_character(&SHARED);
    let mesh = &character.meshes()[0];
    let given: Vec<_> = mesh.spherical.iter().flatten().collect();
    assert!(given.len() > 200, "{}", given.len());
    let elbow = body.joints.iter().find(|joint| joint.name == "elbow").unwrap().position.as_vec3();
    let near = given.iter().filter(|found| found.center.distance(elbow) < 0.06);
    for found in near {
        let axis = (found.r1 - found.r0).normalize();
        assert!((found.center - elbow).reject_from(axis).length() < 1e-3, "{found:?}");
    }
}
