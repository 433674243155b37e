//! Motions and characters that nobody should make: no NaN, nothing explodes, what was settled is told.

use super::*;
use sinew::flesh::{FleshMotionError, FleshRigError};
use sinew::geometry::progress::Progress;
use sinew::geometry::{Trs, shapes};
use sinew::rig::{Bone, BoneId, InfluencesBuilder, Instance, LocalTransform, Mesh, MeshId, samples};
use std::sync::Arc;

/// Plays, and checks that all is finite and nothing leaves its reach.
#[track_caller]
fn survives(rig: &Arc<FleshRig>, motion: &FleshMotion) -> Arc<FleshFrames> {
    let frames = play(rig, motion);
    let most = natural().simulation.max_distance_m as f32;
    for (frame, deviations) in frames.deviations.iter().enumerate() {
        assert!(deviations.iter().all(|away| away.is_finite()), "frame {frame}");
        let farthest = deviations.iter().map(|away| away.length()).fold(0.0, f32::max);
        // Between steps cubic curves may overshoot a little.
        assert!(farthest <= 1.25 * most, "frame {frame}: {farthest} m");
    }
    assert!(frames.states.iter().all(|state| state.energy.is_finite() && state.volume > 0.0), "states");
    frames
}

/// A track of where the root is.
fn root_track(character: &Character, times_secs: Vec<f64>, places: Vec<Vec3>) -> Clip {
    let root = character.skeleton().find("Root").expect("a root");
    let channel = Channel::Translation(root, places);
    Clip {
        name: "root".into(),
        tracks: vec![Track { times_secs, interpolation: Interpolation::Step, channel }],
    }
}

#[test]
fn wild_motions_are_survived() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 1200);
    for clip in character.clips() {
        for speed in [10.0, 100.0] {
            survives(&rig, &FleshMotion { speed, ..once(clip, 60.0) });
        }
    }
    // The root is elsewhere twice, from one key to the next.
    let far = Vec3::new(40.0, 3.0, -20.0);
    let clip =
        root_track(&character, vec![0.0, 0.5, 1.0, 1.5], vec![Vec3::ZERO, far, Vec3::ZERO, Vec3::ZERO]);
    let frames = survives(&rig, &once(&clip, 60.0));
    assert_eq!(frames.states.iter().filter(|state| state.has_jumped).count(), 2, "jumps are told");
    let last = frames.deviations.last().expect("frames");
    assert!(farthest_m(&rig, last) < 5e-3, "carried along, not thrown");
    // From rest to a pose within one frame.
    let turns = [
        ("LeftUpperArm", Quat::from_rotation_z(-1.0)),
        ("RightUpperArm", Quat::from_rotation_z(1.0)),
        ("LeftUpperLeg", Quat::from_rotation_x(-1.6)),
        ("Spine", Quat::from_rotation_x(0.8)),
    ];
    let clip = turned(&character, &turns, [0.5, 0.501, 1.5]);
    survives(&rig, &once(&clip, 60.0));
    // As one round of many, which jumps back at its end.
    survives(&rig, &FleshMotion { is_loop: true, ..once(&clip, 60.0) });
}

#[test]
fn clips_with_missing_keys_are_held_and_those_with_wrong_ones_refused() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 800);
    let empty = Clip { name: "empty".into(), tracks: Vec::new() };
    assert_eq!(survives(&rig, &once(&empty, 30.0)).deviations.len(), 1);
    let one = root_track(&character, vec![0.4], vec![Vec3::Y]);
    let frames = survives(&rig, &once(&one, 30.0));
    assert!(frames.deviations.len() == 13 && farthest_m(&rig, &frames.deviations[12]) < 5e-3, "it stands");
    let run = FleshRun::new(&rig, Method::Lbs);
    let refused = |motion: &FleshMotion| match run.play(motion, &Progress::none()) {
        Err(FleshRigError::Motion(error)) => error,
        other => panic!("{:?} frames", other.map(|frames| frames.states.len())),
    };
    let broken = root_track(&character, vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::NAN]);
    assert!(matches!(refused(&once(&broken, 30.0)), FleshMotionError::Key { track: 0, .. }));
    let mut foreign = root_track(&character, vec![0.0, 1.0], vec![Vec3::ZERO; 2]);
    foreign.tracks[0].channel = Channel::Translation(BoneId(900), vec![Vec3::ZERO; 2]);
    assert!(matches!(refused(&once(&foreign, 30.0)), FleshMotionError::Bone { bone: 900, .. }));
    for (fps, speed) in [(0.0, 1.0), (f64::NAN, 1.0), (30.0, -1.0)] {
        let told = refused(&FleshMotion { speed, ..once(&one, fps) }).to_string();
        assert!(told.contains("above 0"), "{told}");
    }
}

/// The figure with a bone of no length in the left arm and one 3 m beside the body, both moving skin.
fn with_odd_bones() -> Character {
    let mut parts = samples::figure().into_parts();
    let find = |parts: &sinew::rig::CharacterParts, name: &str| {
        BoneId::of(parts.bones.iter().position(|bone| bone.name == name).expect("a bone of the figure"))
    };
    let (arm, hips) = (find(&parts, "LeftUpperArm"), find(&parts, "Hips"));
    let rest = samples::figure().skeleton().rest_model_from_bone();
    let mut joints = Vec::new();
    for (name, parent, away) in [("Twin", arm, Vec3::ZERO), ("Far", hips, Vec3::X * 3.0)] {
        let transform = Trs { translation: away, ..Trs::IDENTITY };
        joints.push(parts.binds[0].joints.len() as u16);
        parts.binds[0].joints.push(BoneId::of(parts.bones.len()));
        parts.binds[0]
            .joint_from_rest
            .push((rest[parent.index()] * Affine3A::from_translation(away)).inverse());
        parts.bones.push(Bone {
            name: name.into(),
            parent: Some(parent),
            rest: LocalTransform::Trs(transform),
            tip_in_bone: Some(Vec3::ZERO),
        });
    }
    let mesh = &mut parts.meshes[0];
    let mut builder = InfluencesBuilder::with_capacity(mesh.positions.len(), 5 * mesh.positions.len());
    for vertex in 0..mesh.positions.len() {
        let (joints_of, weights) = mesh.influences.of(vertex);
        let halved = joints_of.iter().zip(weights).flat_map(|(&joint, &weight)| {
            let bone = parts.binds[0].joints[usize::from(joint)];
            let odd = if bone == arm { Some(joints[0]) } else { (bone == hips).then_some(joints[1]) };
            let own = (joint, if odd.is_some() { 0.5 * weight } else { weight });
            [Some(own), odd.map(|odd| (odd, 0.5 * weight))].into_iter().flatten()
        });
        builder.push(halved.collect::<Vec<_>>());
    }
    mesh.influences = builder.build();
    Character::new(parts).expect("odd, but a character")
}

#[test]
fn odd_bones_are_survived() {
    let character = with_odd_bones();
    let rig = rig_of(&character, &natural(), 1200);
    // The last bone of its chain, and no bone of a human: it has no core, but is told.
    let far = character.skeleton().find("Far").expect("the bone beside the body");
    let is_told = |note: &&String| note.contains(&format!("bone {far} lies outside"));
    assert_eq!(rig.notes.iter().filter(is_told).count(), 1, "{:?}", rig.notes);
    let frames = survives(&rig, &once(&character.clips()[1], 30.0));
    assert!(frames.deviations.iter().any(|frame| farthest_m(&rig, frame) > 1e-3), "it still moves");
}

#[test]
fn two_hundred_loose_parts_are_told_and_survived() {
    let mut parts = samples::figure().into_parts();
    let ball = shapes::sphere(0.008, 6, 4);
    let mut buttons = sinew::geometry::TriangleMesh { positions: Vec::new(), triangles: Vec::new() };
    for at in 0..200 {
        let (row, column) = ((at / 20) as f32, (at % 20) as f32);
        let place = Vec3::new(-0.6 + 0.06 * column, 0.3 + 0.06 * row, 0.35);
        let first = buttons.positions.len() as u32;
        buttons.positions.extend(ball.positions.iter().map(|point| *point + place));
        buttons.triangles.extend(ball.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }
    let bone = parts.instances[0].bone;
    parts.meshes.push(Mesh::from_triangles("buttons", buttons, None));
    parts.instances.push(Instance { bone, mesh: MeshId(1), bind: None, morph_weights: Vec::new() });
    let character = Character::new(parts).expect("a character with buttons");
    let rig = rig_of(&character, &natural(), 3000);
    assert!(rig.notes.iter().any(|note| note.contains("part")), "{:?}", &rig.notes[..rig.notes.len().min(5)]);
    survives(&rig, &once(&character.clips()[0], 30.0));
}
