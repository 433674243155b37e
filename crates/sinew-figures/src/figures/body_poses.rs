//! Figures of the body in motion: bends, twists before and after treatment, muscles, and a whole pose.

use super::Size;
use anyhow::Result;
use glam::{Vec3, Vec4};
use sinew_body::character::CharacterSettings;
use sinew_body::limb::{TwistMode, VolumeMode};
use sinew_body::pose::{BodyPose, JointPose, PosedBody};
use sinew_body::quadrature::BodyRules;
use sinew_body::{Body, Flank, Patch};
use sinew_geometry::{TriangleMesh, Trs};
use sinew_picture::CameraChoice;
use sinew_render::{Image, View, contact_sheet};
use sinew_rig::{
    Bone, BoneId, Character, CharacterParts, Instance, LocalTransform, Material, MaterialId, Mesh, MeshId,
};
use sinew_scene::body::view_from;
use std::fmt::Write;

/// Bends of the elbow, degrees.
const BENDS_DEG: [f64; 5] = [0.0, 35.0, 70.0, 105.0, 140.0];
/// Twists of the wrist, degrees.
const TWISTS_DEG: [f64; 5] = [0.0, 45.0, 90.0, 135.0, 180.0];

/// A joint of a whole pose: bone, side, and angles in degrees (bend, twist, aside).
const WALKING: [(&str, Flank, [f64; 3]); 12] = [
    ("thigh", Flank::Left, [35.0, 0.0, 0.0]),
    ("shank", Flank::Left, [25.0, 0.0, 0.0]),
    ("thigh", Flank::Right, [-15.0, 0.0, 0.0]),
    ("shank", Flank::Right, [35.0, 0.0, 0.0]),
    ("upper_arm", Flank::Left, [-20.0, 0.0, -25.0]),
    ("forearm", Flank::Left, [30.0, 0.0, 0.0]),
    ("upper_arm", Flank::Right, [30.0, 0.0, -25.0]),
    ("forearm", Flank::Right, [60.0, 0.0, 0.0]),
    ("abdomen", Flank::Middle, [6.0, 10.0, 0.0]),
    ("head", Flank::Middle, [8.0, 20.0, 0.0]),
    ("hand", Flank::Left, [20.0, 40.0, 0.0]),
    ("foot", Flank::Right, [20.0, 0.0, 0.0]),
];

/// The elbow bent, counted from straight; volume of the body over rest and the largest angle between normals under each, free and held.
pub(super) fn bends(body: &Body, size: Size, table: &mut String) -> Result<Image> {
    let camera = close_up(body, "elbow");
    let rest_m3 = body.volume();
    let mut cells = Vec::new();
    for mode in [VolumeMode::Free, VolumeMode::Held] {
        for bend in BENDS_DEG {
            let joint = JointPose::bent(bend.to_radians() - rest_bend(body, "upper_arm", "forearm"));
            let posed = posed(body, &[("forearm", Flank::Left, joint)], mode);
            let name = if mode == VolumeMode::Held { "volume held" } else { "volume free" };
            let what = numbers(posed.body(), rest_m3);
            // Writing to a string cannot fail.
            let _ = writeln!(table, "| elbow {bend:.0}°, {name} | {what} |");
            cells.push((picture(posed.body(), camera, size)?, format!("{bend:.0}°, {name}: {what}")));
        }
    }
    Ok(contact_sheet(&cells, BENDS_DEG.len(), None)?)
}

/// The wrist twisted: the source's patches before they are cut, the source's treatment, and ours.
pub(super) fn twists(body: &Body, size: Size, table: &mut String) -> Result<Image> {
    let camera = close_up(body, "wrist");
    let rest_m3 = body.volume();
    let mut cells = Vec::new();
    for (mode, name) in [
        (TwistMode::SourceUntreated, "untreated"),
        (TwistMode::Source, "the source's"),
        (TwistMode::Spread, "spread"),
    ] {
        for twist in TWISTS_DEG {
            let joint = JointPose::twisted(twist.to_radians());
            let posed = posed_in(body, &[("hand", Flank::Left, joint)], VolumeMode::Free, mode);
            let (image, what) = if mode == TwistMode::Source {
                let patches = posed.patches();
                let what = format!("{:+.2} %", 100.0 * (volume_of(&patches) / rest_m3 - 1.0));
                (view_from(&loose_patches(&patches), None, camera, size, &[])?, what)
            } else {
                (picture(posed.body(), camera, size)?, numbers(posed.body(), rest_m3))
            };
            let _ = writeln!(table, "| wrist twisted {twist:.0}°, {name} | {what} |");
            cells.push((image, format!("{twist:.0}°, {name}: {what}")));
        }
    }
    Ok(contact_sheet(&cells, TWISTS_DEG.len(), None)?)
}

/// The body's muscles on the upper arm and the calf: in rest, bent without them, with them, and with the volume held.
pub(super) fn muscles(body: &Body, size: Size, table: &mut String) -> Result<Image> {
    let rest_m3 = body.volume();
    let mut cells = Vec::new();
    let elbow_deg = 90.0 - rest_bend(body, "upper_arm", "forearm").to_degrees();
    let mut slack = body.clone();
    for motion in &mut slack.motions {
        motion.muscles.clear();
        motion.fill_muscles.clear();
    }
    for (name, camera, bone, bend) in [
        ("biceps", close_up(body, "elbow"), "forearm", elbow_deg),
        ("calf", from_behind(body, "knee"), "foot", 40.0),
    ] {
        let turned = |body: &Body, bend: f64, mode| {
            posed(body, &[(bone, Flank::Left, JointPose::bent(bend.to_radians()))], mode)
        };
        for (what, posed) in [
            ("rest", turned(&slack, 0.0, VolumeMode::Free)),
            ("no muscle", turned(&slack, bend, VolumeMode::Free)),
            ("muscle", turned(body, bend, VolumeMode::Free)),
            ("volume held", turned(body, bend, VolumeMode::Held)),
        ] {
            let found = numbers(posed.body(), rest_m3);
            let _ = writeln!(table, "| {name}, {what} | {found} |");
            cells.push((picture(posed.body(), camera, size)?, format!("{name}, {what}: {found}")));
        }
    }
    Ok(contact_sheet(&cells, 4, None)?)
}

/// By how much a joint is bent in rest, radians: the angle between its bones.
fn rest_bend(body: &Body, before: &str, beyond: &str) -> f64 {
    let direction = |name: &str| {
        let bone = &body.bones[bone_index(body, name)?];
        Some(body.joints[bone.to].position - body.joints[bone.from].position)
    };
    match (direction(before), direction(beyond)) {
        (Some(before), Some(beyond)) => before.angle_between(beyond),
        _ => 0.0,
    }
}

fn bone_index(body: &Body, name: &str) -> Option<usize> {
    body.bones.iter().position(|bone| bone.name == name && bone.flank == Flank::Left)
}

/// Change of volume and smoothness, for captions. Past about 90° the inside folds, which is a crease.
pub(super) fn numbers(posed: &Body, rest_m3: f64) -> String {
    let (change, jump) = (100.0 * (posed.volume() / rest_m3 - 1.0), posed.check(9).jump_deg);
    let smooth = if jump < SMOOTH_DEG { format!("G1 {jump:.0e}°") } else { "folded".to_owned() };
    format!("{change:+.2} %, {smooth}")
}

/// What counts as smooth, degrees.
const SMOOTH_DEG: f64 = 0.01;

fn volume_of(patches: &[Patch]) -> f64 {
    let rules = BodyRules::for_reports();
    patches.iter().map(|patch| rules.volume(patch)).sum()
}

/// Patches as a mesh each, for those that do not share corners.
fn loose_patches(patches: &[Patch]) -> Character {
    const STEPS: u32 = 10;
    let (mut shape, mut normals) = (TriangleMesh::default(), Vec::new());
    for patch in patches {
        let first = shape.positions.len() as u32;
        for place in 0..(STEPS + 1) * (STEPS + 1) {
            let at = |step: u32| f64::from(step) / f64::from(STEPS);
            let (u, w) = (at(place % (STEPS + 1)), at(place / (STEPS + 1)));
            shape.positions.push(patch.position(u, w).as_vec3());
            normals.push(patch.normal(u, w).as_vec3());
        }
        for square in 0..STEPS * STEPS {
            let corner = first + square / STEPS * (STEPS + 1) + square % STEPS;
            let [a, b, c, d] = [corner, corner + 1, corner + STEPS + 2, corner + STEPS + 1];
            shape.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let mesh = Mesh { normals, ..Mesh::from_triangles("patches", shape, Some(MaterialId(0))) };
    let material = Material { base_color: SKIN, roughness: 0.6, metallic: 0.0, ..Material::default() };
    let rest = LocalTransform::Trs(Trs::IDENTITY);
    let root = Bone { name: "root".into(), parent: None, rest, tip_in_bone: None };
    let instance =
        Instance { bone: BoneId::of(0), mesh: MeshId::of(0), bind: None, morph_weights: Vec::new() };
    let parts = CharacterParts {
        name: "patches".into(),
        bones: vec![root],
        meshes: vec![mesh],
        instances: vec![instance],
        materials: vec![material],
        ..CharacterParts::default()
    };
    Character::new(parts).expect("lists are made one per vertex, and patches are finite")
}

/// Linear color of skin.
const SKIN: Vec4 = Vec4::new(0.60, 0.38, 0.28, 1.0);

/// A whole pose from two sides.
pub(crate) fn whole_pose(body: &Body, size: Size, table: &mut String) -> Result<Image> {
    let joints = WALKING.map(|(bone, flank, [bend, twist, aside])| {
        let [bend_rad, twist_rad, aside_rad] = [bend, twist, aside].map(f64::to_radians);
        (bone, flank, JointPose { bend_rad, twist_rad, aside_rad })
    });
    let posed = posed(body, &joints, VolumeMode::Free);
    let what = numbers(posed.body(), body.volume());
    let _ = writeln!(table, "| a whole pose | {what} |");
    let mut cells = Vec::new();
    for (view, caption) in [(View::ThreeQuarter, "three-quarter"), (View::Side, "side")] {
        cells.push((picture(posed.body(), CameraChoice::View(view), size)?, format!("{caption}: {what}")));
    }
    Ok(contact_sheet(&cells, 2, None)?)
}

/// A bone, its side, and how it is turned.
type Turned<'a> = (&'a str, Flank, JointPose);

fn posed(body: &Body, joints: &[Turned<'_>], volume: VolumeMode) -> PosedBody {
    posed_in(body, joints, volume, TwistMode::Spread)
}

fn posed_in(body: &Body, joints: &[Turned<'_>], volume: VolumeMode, twist: TwistMode) -> PosedBody {
    let mut posed = PosedBody::new(body.clone());
    (posed.volume, posed.twist) = (volume, twist);
    let mut pose = BodyPose::rest(posed.figure());
    for (bone, flank, joint) in joints {
        if let Some(bone) = posed.figure().find(bone, *flank) {
            pose.set_joint(posed.figure(), bone, joint);
        }
    }
    posed.set(&pose);
    posed
}

/// The surface as it is, bound to nothing that moves.
pub(super) fn picture(posed: &Body, camera: CameraChoice, size: Size) -> Result<Image> {
    let character = posed.to_character(&CharacterSettings::default());
    Ok(view_from(&character, None, camera, size, &[])?)
}

/// From behind and outside, the shank under a knee of the left side.
fn from_behind(body: &Body, joint: &str) -> CameraChoice {
    looking(left_joint(body, joint) - 0.15 * Vec3::Y, Vec3::new(0.7, 0.1, -0.45))
}

/// From the front, half a metre round a joint of the left side.
fn close_up(body: &Body, joint: &str) -> CameraChoice {
    looking(left_joint(body, joint), Vec3::new(0.15, 0.25, 0.75))
}

fn looking(target: Vec3, toward_eye: Vec3) -> CameraChoice {
    CameraChoice::At { eye: target + toward_eye, target, vertical_fov_rad: 0.65 }
}

fn left_joint(body: &Body, joint: &str) -> Vec3 {
    let found = body.joints.iter().find(|found| found.name == joint && found.flank == Flank::Left);
    found.map_or(Vec3::Y, |found| found.position.as_vec3())
}
