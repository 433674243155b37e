//! Figures of the body in motion: bends, twists beside linear blending, and a whole pose.

use super::FiguresError;
use crate::body::view_from;
use crate::picture::CameraChoice;
use glam::{Quat, Vec3};
use sinew_body::character::CharacterSettings;
use sinew_body::limb::VolumeMode;
use sinew_body::pose::{BodyPose, JointPose, PosedBody};
use sinew_body::{Body, Flank};
use sinew_render::{Image, View, contact_sheet};
use sinew_rig::Pose;
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

/// The elbow bent; volume of the body over rest and the largest angle between normals under each, free and held.
pub(super) fn bends(body: &Body, size: (u32, u32), table: &mut String) -> Result<Image, FiguresError> {
    let camera = close_up(body, "elbow");
    let rest_m3 = body.volume();
    let mut cells = Vec::new();
    for mode in [VolumeMode::Free, VolumeMode::Held] {
        for bend in BENDS_DEG {
            let joint = JointPose { bend_rad: bend.to_radians(), ..JointPose::default() };
            let posed = posed(body, &[("forearm", Flank::Left, joint)], mode);
            let name = if mode == VolumeMode::Held { "volume held" } else { "volume free" };
            let change = posed.volume() / rest_m3 - 1.0;
            let jump = posed.check(9).jump_deg;
            // Writing to a string cannot fail.
            let _ = writeln!(table, "| elbow {bend:.0}°, {name} | {:+.4} | {jump:.0e} |", 100.0 * change);
            cells.push((picture(&posed, camera, size)?, format!("{bend:.0}°, {name}")));
        }
    }
    Ok(contact_sheet(&cells, BENDS_DEG.len(), None)?)
}

/// The wrist twisted: linear blending above, the patches below.
pub(super) fn twists(body: &Body, size: (u32, u32), table: &mut String) -> Result<Image, FiguresError> {
    let camera = close_up(body, "wrist");
    let character = body.to_character(&CharacterSettings::default());
    let hand = character.skeleton().find("hand.left").map_err(crate::picture::PictureError::from)?;
    let mut cells = Vec::new();
    for twist in TWISTS_DEG {
        let mut pose = Pose::rest(&character);
        pose.turn(hand, Quat::from_rotation_y(twist.to_radians() as f32));
        let image = view_from(&character, Some(&pose), camera, size, &[])?;
        cells.push((image, format!("{twist:.0}°, linear blending")));
    }
    let rest_m3 = body.volume();
    for twist in TWISTS_DEG {
        let joint = JointPose { twist_rad: twist.to_radians(), ..JointPose::default() };
        let posed = posed(body, &[("hand", Flank::Left, joint)], VolumeMode::Free);
        let (change, jump) = (posed.volume() / rest_m3 - 1.0, posed.check(9).jump_deg);
        let _ = writeln!(table, "| wrist twisted {twist:.0}° | {:+.4} | {jump:.0e} |", 100.0 * change);
        cells.push((picture(&posed, camera, size)?, format!("{twist:.0}°, patches")));
    }
    Ok(contact_sheet(&cells, TWISTS_DEG.len(), None)?)
}

/// A whole pose from two sides.
pub(super) fn whole_pose(body: &Body, size: (u32, u32), table: &mut String) -> Result<Image, FiguresError> {
    let joints = WALKING.map(|(bone, flank, [bend, twist, aside])| {
        let [bend_rad, twist_rad, aside_rad] = [bend, twist, aside].map(f64::to_radians);
        (bone, flank, JointPose { bend_rad, twist_rad, aside_rad })
    });
    let posed = posed(body, &joints, VolumeMode::Free);
    let (change, jump) = (posed.volume() / body.volume() - 1.0, posed.check(9).jump_deg);
    let _ = writeln!(table, "| a whole pose | {:+.4} | {jump:.0e} |", 100.0 * change);
    let mut cells = Vec::new();
    for (view, caption) in [(View::ThreeQuarter, "three-quarter"), (View::Side, "side")] {
        cells.push((picture(&posed, CameraChoice::View(view), size)?, caption.to_owned()));
    }
    Ok(contact_sheet(&cells, 2, None)?)
}

fn posed(body: &Body, joints: &[(&str, Flank, JointPose)], mode: VolumeMode) -> Body {
    let mut posed = PosedBody::new(body);
    posed.volume = mode;
    let mut pose = BodyPose::rest(posed.figure());
    for (bone, flank, joint) in joints {
        if let Some(bone) = posed.figure().find(bone, *flank) {
            pose.set_joint(posed.figure(), bone, joint);
        }
    }
    posed.set(&pose);
    posed.body().clone()
}

/// The surface as it is, bound to nothing that moves.
fn picture(posed: &Body, camera: CameraChoice, size: (u32, u32)) -> Result<Image, FiguresError> {
    let character = posed.to_character(&CharacterSettings::default());
    Ok(view_from(&character, None, camera, size, &[])?)
}

/// From the front, half a metre round a joint of the left side.
fn close_up(body: &Body, joint: &str) -> CameraChoice {
    let found = body.joints.iter().find(|found| found.name == joint && found.flank == Flank::Left);
    let target = found.map_or(Vec3::Y, |found| found.position.as_vec3());
    CameraChoice::At { eye: target + Vec3::new(0.15, 0.25, 0.75), target, vertical_fov_rad: 0.65 }
}
