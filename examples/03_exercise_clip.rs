//! Makes the clip of `models/scenes/exercise.glb`: a knee bend with feet that stay, and a reach up with a turn of the trunk.
//!
//! `cargo run --release -p sinew-examples --example 03_exercise_clip -- exercise.glb`
//!
//! Only bones and keys are written, under the names of Sinew's own human, so that any such human can play it.

use glam::{Affine3A, Quat, Vec3};
use sinew::body::character::CharacterSettings;
use sinew::io::Report;
use sinew::model::Model;
use sinew::rig::{BoneId, Channel, Character, CharacterParts, Clip, Interpolation, Pose, Track};
use sinew::scene::body::{BodyRequest, make};
use std::f32::consts::{PI, TAU};
use std::path::Path;

/// Length of the clip; it ends as it begins.
const SECONDS: f32 = 5.0;
/// Keys a second: between them a foot strays by less than a millimetre.
const KEYS_HZ: f32 = 20.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let output = std::env::args().nth(1).unwrap_or_else(|| "exercise.glb".into());
    let body = make(&BodyRequest::default())?.body;
    let human =
        body.to_character(&CharacterSettings { steps: 4, has_uvs: false, ..CharacterSettings::default() });
    let clip = exercise(&human)?;
    let bones = human.skeleton().bones().to_vec();
    let parts =
        CharacterParts { name: "exercise".into(), bones, clips: vec![clip], ..CharacterParts::default() };
    Model::new(Character::new(parts)?).save(Path::new(&output), &mut Report::default())?;
    Ok(())
}

fn exercise(human: &Character) -> Result<Clip, Box<dyn std::error::Error>> {
    let skeleton = human.skeleton();
    let mut rest = vec![Affine3A::IDENTITY; skeleton.bone_count()];
    Pose::rest(human).model_from_bone_into(human, &mut rest);
    let find = |name: &str| skeleton.find(name);
    let (thigh, shank, foot) = (find("thigh.left")?, find("shank.left")?, find("foot.left")?);
    let head = |bone: BoneId| Vec3::from(rest[bone.index()].translation);
    let leg = [head(shank) - head(thigh), head(foot) - head(shank)];
    let count = (SECONDS * KEYS_HZ) as usize;
    let times_secs: Vec<f64> = (0..=count).map(|key| key as f64 / f64::from(KEYS_HZ)).collect();
    let moved: Vec<BoneId> = MOVED.iter().map(|name| find(name)).collect::<Result<_, _>>()?;
    let mut turns = vec![Vec::new(); moved.len()];
    let mut shifts = Vec::new();
    for key in 0..=count {
        let phase = key as f32 / count as f32;
        let (shift, turn_of) = pose_at(phase, leg);
        let whole = |bone: BoneId| whole_turn(human, bone, &turn_of);
        for (list, &bone) in turns.iter_mut().zip(&moved) {
            let upright = |bone: BoneId| Quat::from_mat3a(&rest[bone.index()].matrix3);
            // local = (W_parent R_parent)⁻¹ W R, with W turns along the model's axes and R how bones rest.
            let parent = skeleton.bone(bone).parent;
            let from = parent.map_or(Quat::IDENTITY, |parent| whole(parent) * upright(parent));
            list.push((from.inverse() * whole(bone) * upright(bone)).normalize());
        }
        shifts.push(head(find("pelvis")?) + shift);
    }
    let track =
        |channel| Track { times_secs: times_secs.clone(), interpolation: Interpolation::Linear, channel };
    let mut tracks = vec![track(Channel::Translation(find("pelvis")?, shifts))];
    tracks.extend(moved.into_iter().zip(turns).map(|(bone, turns)| track(Channel::Rotation(bone, turns))));
    Ok(Clip { name: "exercise".into(), tracks })
}

const MOVED: [&str; 19] = [
    "pelvis",
    "abdomen",
    "chest",
    "neck",
    "head",
    "clavicle.left",
    "clavicle.right",
    "upper_arm.left",
    "upper_arm.right",
    "forearm.left",
    "forearm.right",
    "hand.left",
    "hand.right",
    "thigh.left",
    "thigh.right",
    "shank.left",
    "shank.right",
    "foot.left",
    "foot.right",
];

/// How far the pelvis moves, metres, and how bones turn along the model's axes; those not named turn with their parents.
fn pose_at(phase: f32, leg: [Vec3; 2]) -> (Vec3, Vec<(&'static str, Quat)>) {
    // Two smooth hills: a knee bend in the first half, a reach in the second; the first has a full turn in the second.
    let hill = |share: f32| {
        if (0.0..1.0).contains(&share) { (0.5 - 0.5 * (TAU * share).cos()).powf(1.3) } else { 0.0 }
    };
    let (bend, reach) = (hill(phase / 0.55), hill((phase - 0.42) / 0.58));
    let thigh = Quat::from_rotation_x(-1.45 * bend);
    let shank = Quat::from_rotation_x(0.62 * bend);
    // The pelvis goes where the ankles stay.
    let shift = leg[0] + leg[1] - (thigh * leg[0] + shank * leg[1]);
    let lean = Quat::from_rotation_x(0.75 * bend);
    let trunk = |share: f32| {
        Quat::from_rotation_y(0.5 * share * reach) * lean.slerp(Quat::IDENTITY, 1.0 - share.min(1.0))
    };
    // Arms hang from the A pose, swing forward in the bend; the right one reaches up.
    let arm = |side: f32, bend: f32, up: f32| {
        let rest = Vec3::new(side, -1.0, 0.0).normalize();
        let hanging = Quat::from_rotation_arc(rest, Vec3::new(0.16 * side, -1.0, 0.04).normalize());
        let forward = Quat::from_rotation_arc(rest, Vec3::new(0.12 * side, 0.05, 1.0).normalize());
        let raised = Quat::from_rotation_arc(rest, Vec3::new(0.25 * side, 1.0, 0.25).normalize());
        trunk(1.0) * hanging.slerp(forward, bend).slerp(raised, up)
    };
    let sway = 0.06 * (TAU * phase).sin();
    let hand =
        |side: f32, up: f32| arm(side, bend, up) * Quat::from_rotation_z(-0.25 * side * (PI * phase).sin());
    let turns = vec![
        ("pelvis", Quat::IDENTITY),
        ("abdomen", trunk(0.5)),
        ("chest", trunk(1.0)),
        ("neck", trunk(1.1)),
        ("head", Quat::from_rotation_y(0.6 * reach) * Quat::from_rotation_x(0.25 * bend - 0.25 * reach)),
        ("upper_arm.left", arm(1.0, bend, 0.0)),
        ("upper_arm.right", arm(-1.0, bend, reach)),
        ("forearm.left", arm(1.0, bend, 0.0) * Quat::from_rotation_x(-0.25 - sway)),
        ("forearm.right", arm(-1.0, bend, reach) * Quat::from_rotation_x(-0.25 + sway)),
        ("hand.left", hand(1.0, 0.0)),
        ("hand.right", hand(-1.0, reach)),
        ("thigh.left", thigh),
        ("thigh.right", thigh),
        ("shank.left", shank),
        ("shank.right", shank),
        ("foot.left", Quat::IDENTITY),
        ("foot.right", Quat::IDENTITY),
    ];
    (shift, turns)
}

/// The turn of a bone along the model's axes: its own, or that of the nearest ancestor that has one.
fn whole_turn(human: &Character, bone: BoneId, turns: &[(&str, Quat)]) -> Quat {
    let found = human.skeleton().bone(bone);
    match turns.iter().find(|(name, _)| *name == found.name) {
        Some((_, turn)) => *turn,
        None => found.parent.map_or(Quat::IDENTITY, |parent| whole_turn(human, parent, turns)),
    }
}
