//! A contact sheet of poses that show how joints hold: arms, sitting, squatting, kneeling, a fist.

use super::Size;
use super::body_hands::put_on_hips;
use super::body_poses::{numbers, picture};
use anyhow::Result;
use glam::{DQuat, DVec3};
use sinew_body::pose::{BodyPose, BoneMove, JointPose, PosedBody, StickFigure};
use sinew_body::{Body, Flank};
use sinew_picture::CameraChoice;
use sinew_render::{Image, View, contact_sheet};
use std::fmt::Write;

/// One bone of a pose, in order from the trunk outward.
enum Step {
    /// Angles in degrees, on both sides: bend, sideways, twist.
    Turn(&'static str, [f64; 3]),
    /// Both sides point this way, in model space of the left side.
    Aim(&'static str, [f64; 3]),
    /// Both hands on the flanks, elbows out, fingers forward.
    HandsOnHips,
}

use Step::{Aim, HandsOnHips, Turn};

const HANGING: [Step; 2] = [Aim("upper_arm", [0.10, -1.0, -0.02]), Turn("forearm", [-30.0, 0.0, 0.0])];
const CURLED: [&str; 4] = ["index", "middle", "ring", "little"];

const POSES: [(&str, &[Step]); 9] = [
    ("arms down", &HANGING),
    ("arms forward", &[Aim("upper_arm", [0.08, 0.0, 1.0]), Turn("forearm", [-38.0, 0.0, 0.0])]),
    ("arms up", &[Aim("upper_arm", [0.25, 1.0, 0.0]), Turn("forearm", [-38.0, 0.0, 0.0])]),
    ("sitting", &[Aim("thigh", [0.12, 0.0, 1.0]), Turn("shank", [86.0, 0.0, 0.0])]),
    (
        "squatting",
        &[
            Turn("abdomen", [25.0, 0.0, 0.0]),
            Turn("chest", [15.0, 0.0, 0.0]),
            Aim("thigh", [0.3, 0.35, 1.0]),
            Turn("shank", [130.0, 0.0, 0.0]),
            Turn("foot", [-25.0, 0.0, 0.0]),
            Aim("upper_arm", [0.15, -0.5, 1.0]),
        ],
    ),
    (
        "kneeling",
        &[Aim("thigh", [0.08, -1.0, 0.05]), Turn("shank", [90.0, 0.0, 0.0]), Turn("foot", [30.0, 0.0, 0.0])],
    ),
    (
        FIST,
        &[
            Turn("thumb_metacarpal", [-10.0, -20.0, 0.0]),
            Turn("thumb_proximal", [45.0, 0.0, 0.0]),
            Turn("thumb_distal", [50.0, 0.0, 0.0]),
        ],
    ),
    (
        "hand on hip",
        &[
            HandsOnHips,
            Turn("index_proximal", [20.0, 0.0, 0.0]),
            Turn("middle_proximal", [20.0, 0.0, 0.0]),
            Turn("ring_proximal", [20.0, 0.0, 0.0]),
            Turn("little_proximal", [20.0, 0.0, 0.0]),
        ],
    ),
    (
        "looking back",
        &[
            Turn("abdomen", [0.0, 0.0, 15.0]),
            Turn("chest", [0.0, 0.0, 25.0]),
            Turn("neck", [0.0, 0.0, 25.0]),
            Turn("head", [0.0, 0.0, 40.0]),
        ],
    ),
];

const FIST: &str = "fist";
/// Bends of a curled finger's three bones, degrees.
const CURL_DEG: [(&str, f64); 3] = [("proximal", 78.0), ("middle", 95.0), ("distal", 52.0)];

/// How many poses there are.
pub(super) const POSE_COUNT: usize = POSES.len();

/// A body in one of the poses, and the name of that.
pub(super) fn in_pose(posed: &mut PosedBody, number: usize) -> &'static str {
    let (name, steps) = POSES[number];
    let pose = pose_of(posed, name, steps);
    posed.set(&pose);
    name
}

/// Every pose from four sides, with its change of volume.
pub(super) fn pose_sheet(body: &Body, who: &str, size: Size, table: &mut String) -> Result<Image> {
    let mut posed = PosedBody::new(body.clone());
    let rest_m3 = body.volume();
    let mut cells = Vec::new();
    for number in 0..POSE_COUNT {
        let name = in_pose(&mut posed, number);
        let what = numbers(posed.body(), rest_m3);
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {who}, {name} | {what} |");
        for view in [View::Front, View::Side, View::Back, View::ThreeQuarter] {
            cells.push((picture(posed.body(), CameraChoice::View(view), size)?, format!("{name}: {what}")));
        }
    }
    Ok(contact_sheet(&cells, 4, None)?)
}

/// Poses that do not say where the arms are have them hanging.
fn pose_of(posed: &PosedBody, name: &str, steps: &[Step]) -> BodyPose {
    let figure = posed.figure();
    let mut pose = BodyPose::rest(figure);
    let moves_arms = steps.iter().any(|step| matches!(step, Aim("upper_arm", _) | HandsOnHips));
    let hanging: &[Step] = if moves_arms { &[] } else { &HANGING };
    for step in steps.iter().chain(hanging) {
        take(posed, &mut pose, step);
    }
    if name == FIST {
        for finger in CURLED {
            for (part, bend) in CURL_DEG {
                turn(figure, &mut pose, &format!("{finger}_{part}"), [bend, 0.0, 0.0]);
            }
        }
    }
    pose
}

fn take(posed: &PosedBody, pose: &mut BodyPose, step: &Step) {
    let figure = posed.figure();
    match *step {
        HandsOnHips => put_on_hips(posed, pose),
        Turn(bone, angles) => turn(figure, pose, bone, angles),
        Aim(bone, way) => {
            for (flank, sign) in [(Flank::Left, 1.0), (Flank::Right, -1.0)] {
                if let Some(bone) = figure.find(bone, flank) {
                    aim(figure, pose, bone, DVec3::new(sign * way[0], way[1], way[2]));
                }
            }
        }
    }
}

fn turn(figure: &StickFigure, pose: &mut BodyPose, bone: &str, angles: [f64; 3]) {
    let [bend_rad, aside_rad, twist_rad] = angles.map(f64::to_radians);
    for flank in [Flank::Left, Flank::Middle, Flank::Right] {
        if let Some(bone) = figure.find(bone, flank) {
            pose.set_joint(figure, bone, &JointPose { bend_rad, twist_rad, aside_rad });
        }
    }
}

/// Turns a bone the shortest way until it points in a direction of model space.
fn aim(figure: &StickFigure, pose: &mut BodyPose, bone: usize, way: DVec3) {
    let mut moves = vec![BoneMove::NONE; figure.bones().len()];
    figure.moves_into(pose, &mut moves);
    let parent = figure.bones()[bone].parent.map_or(DQuat::IDENTITY, |parent| moves[parent].rotation);
    let wanted = parent.inverse() * way.normalize();
    pose.turns[bone] = DQuat::from_rotation_arc(figure.bones()[bone].direction, wanted);
}
