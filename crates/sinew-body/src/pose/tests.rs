//! Laws of posed bodies.

use super::tube_bind::TubePlan;
use super::*;
use crate::body::{BodyMotion, Wire};
use crate::design::Design;
use crate::limb::{TwistMode, VolumeMode};
use crate::quadrature::PatchRule;
use crate::shapes::{ShapeMaker, random_person};
use crate::template::{Flank, Template};
use crate::testing::{GAP_M, JUMP_DEG as REST_JUMP_DEG, MAKER, Random, human};
use crate::{Body, build};
use glam::{DQuat, DVec3, Vec3};

/// What the project promises of normals up to the fold, degrees.
const JUMP_DEG: f64 = 0.01;
/// Rounding of positions and lengths, m.
const ROUNDING_M: f64 = 1e-9;

/// Every joint somewhere in its range, the whole turned and moved.
fn random_pose(posed: &PosedBody, random: &mut Random) -> BodyPose {
    let figure = posed.figure();
    let mut pose = BodyPose::rest(figure);
    for (bone, motion) in posed.rest().motions.iter().enumerate() {
        let mut within =
            |range: &crate::body::AngleRange| random.between(range.least_rad, range.greatest_rad);
        let joint = JointPose {
            bend_rad: within(&motion.bend),
            twist_rad: within(&motion.twist),
            aside_rad: within(&motion.aside),
        };
        pose.set_joint(figure, bone, &joint);
    }
    pose.shift = random.vector();
    pose
}

/// Whether an edge is part of a folded ring, which is a crease.
fn is_fold(posed: &PosedBody, wire: &Wire) -> bool {
    let place = |patch: usize| {
        posed.rest().tubes.iter().enumerate().find_map(|(index, tube)| {
            let count = tube.tube.patch_count();
            let own = tube.first_patch..tube.first_patch + count * tube.tube.bay_count();
            own.contains(&patch).then(|| (index, (patch - tube.first_patch) / count))
        })
    };
    let [Some((tube, first)), Some((other, second))] = [place(wire.uses[0].patch), place(wire.uses[1].patch)]
    else {
        return false;
    };
    let plan = &posed.plans()[tube];
    tube == other
        && plan.runs.iter().skip(1).zip(posed.reports(tube)).any(|(run, report)| {
            let around = run.bays.start - 1..run.bays.start + 1;
            report.folded_points > 0 && first != second && around.contains(&first) && around.contains(&second)
        })
}

/// Gap and normal jump on the wires of one class, each in one place.
#[track_caller]
fn assert_smooth(posed: &PosedBody, class: usize, classes: usize, t: f64, what: &str) {
    let body = posed.body();
    for wire in body.topology.wires.iter().skip(class).step_by(classes) {
        let mut sides = wire.uses_at(t).filter_map(|side| {
            let (u, w) = side.side.parameters(side.parameter_at(t)?);
            let patch = &body.patches[side.patch].patch;
            Some((side.patch, patch.position(u, w), patch.normal(u, w)))
        });
        let (Some(first), Some(second)) = (sides.next(), sides.next()) else { panic!("{what}: open") };
        let jump = first.2.cross(second.2).length().atan2(first.2.dot(second.2)).to_degrees();
        let names = (&body.patches[first.0].name, &body.patches[second.0].name);
        assert!(first.1.distance(second.1) < GAP_M, "{what}: {names:?}");
        assert!(jump < JUMP_DEG || is_fold(posed, wire), "{what}: {jump} {names:?}");
    }
}

/// All control points of the bays beside each fold lie on their side of its bisector plane, as far as they do in rest.
#[track_caller]
fn assert_bays_apart(posed: &PosedBody, what: &str) {
    for (index, plan) in posed.plans().iter().enumerate() {
        for (at, joint) in plan.joints.iter().enumerate().filter(|(_, joint)| joint.is_fold) {
            let (before, beyond) = (&plan.runs[at], &plan.runs[at + 1]);
            let moves = posed.moves();
            let turn = moves[before.bone].rotation.inverse() * moves[beyond.bone].rotation;
            let half = DQuat::IDENTITY.slerp(turn, 0.5);
            let axis = half.xyz().normalize_or_zero();
            let rest_normal =
                (joint.joint.bone_before + joint.joint.bone_beyond).reject_from(axis).normalize();
            let normal = moves[before.bone].rotation * half * rest_normal;
            let center = moves[before.bone].point(joint.joint.center);
            let tube = &posed.body().tubes[index];
            let rest = &posed.rest().tubes[index].tube;
            let ring = 4 * beyond.bays.start;
            let has_tip = tube.tip.is_some() && ring + 4 == tube.tube.row_count() - 1;
            let rows = ring - 4..=if has_tip { ring + 2 } else { ring + 4 };
            for row in rows.filter(|&row| row != ring) {
                let sign = if row < ring { 1.0 } else { -1.0 };
                let rest_most =
                    rest.row(row).iter().map(|&p| sign * (p - joint.joint.center).dot(rest_normal));
                let allowed = rest_most.fold(0.0, f64::max) + ROUNDING_M;
                for &point in tube.tube.row(row) {
                    let beyond = sign * (point - center).dot(normal);
                    assert!(beyond < allowed, "{what}: {} row {row}: {beyond} over {allowed}", tube.name);
                }
            }
        }
    }
}

/// The project's promise, or a share of it: closed, smooth up to folds, finite, bays apart.
fn random_bodies_in_random_poses(bodies: usize, poses: usize, classes: usize) {
    let (mut people, mut random) = (sinew_geometry::Random::new(1988), Random::new(1988));
    for number in 0..bodies {
        let body = MAKER.make(&random_person(&mut people, None, None).1).unwrap().body;
        let check = body.check(3);
        assert!(check.jump_deg < REST_JUMP_DEG && check.gap_m < GAP_M, "body {number}: {check:?}");
        assert_eq!(body.topology.euler_characteristic(), 2);
        assert_eq!(body.topology.open_wire_count(), 0);
        let mut posed = PosedBody::new(body.clone());
        for count in 0..poses {
            let pose = random_pose(&posed, &mut random);
            posed.set(&pose);
            let what = format!("body {number}, pose {count}");
            let is_finite = posed.body().patches.iter().all(|patch| patch.patch.is_finite());
            assert!(is_finite, "{what}");
            assert_smooth(&posed, count % classes, classes, random.between(0.02, 0.98), &what);
            assert_bays_apart(&posed, &what);
        }
    }
}

#[test]
fn random_bodies_stay_smooth_in_random_poses() {
    random_bodies_in_random_poses(30, 50, 10);
}

/// The whole promise; `cargo xtask slow`.
#[cfg(feature = "slow")]
#[test]
fn all_random_bodies_stay_smooth_in_random_poses() {
    random_bodies_in_random_poses(300, 50, 1);
}

#[test]
fn split_and_recomposition_agree_and_are_continuous() {
    let body = human();
    let figure = StickFigure::new(&body);
    let mut random = Random::new(7);
    for bone in figure.bones() {
        for _ in 0..40 {
            let turn =
                DQuat::from_scaled_axis(2.5 * random.vector().normalize_or(DVec3::X) * random.signed());
            let joint = JointPose::from_turn(&bone.frame, turn);
            assert!(joint.turn(&bone.frame).angle_between(turn) < 1e-7, "{}", bone.name);
            let near = (turn * DQuat::from_scaled_axis(1e-6 * random.vector())).normalize();
            let other = JointPose::from_turn(&bone.frame, near);
            let step = (other.bend_rad - joint.bend_rad).abs()
                + (other.twist_rad - joint.twist_rad).abs()
                + (other.aside_rad - joint.aside_rad).abs();
            // Toward a swing of 180° the twist turns ever faster: 1 / cos(swing / 2).
            let swing = joint.bend_rad.hypot(joint.aside_rad);
            assert!(step < 2e-5 / (0.5 * swing).cos(), "{}: {step}", bone.name);
        }
        // Angles given come back.
        let given = JointPose { bend_rad: 0.7, twist_rad: -0.4, aside_rad: 0.3 };
        let found = JointPose::from_turn(&bone.frame, given.turn(&bone.frame));
        let error = (found.bend_rad - given.bend_rad).abs() + (found.twist_rad - given.twist_rad).abs();
        assert!(error + (found.aside_rad - given.aside_rad).abs() < 1e-12, "{}", bone.name);
    }
    let half = DQuat::from_axis_angle(figure.bones()[7].frame.bend_axis, std::f64::consts::PI);
    assert!(JointPose::from_turn(&figure.bones()[7].frame, half).twist_rad.is_finite());
}

#[test]
fn the_rest_pose_is_the_rest_shape_and_one_motion_moves_all() {
    let body = human();
    let mut posed = PosedBody::new(body.clone());
    let mut pose = BodyPose::rest(posed.figure());
    posed.set(&pose);
    let at = |body: &Body, patch: usize| body.patches[patch].patch.position(0.3, 0.6);
    for patch in 0..body.patches.len() {
        assert!(at(posed.body(), patch).distance(at(&body, patch)) < ROUNDING_M, "{patch}");
    }
    let root = posed.figure().bones().iter().position(|bone| bone.parent.is_none()).unwrap();
    pose.turns[root] = DQuat::from_scaled_axis(DVec3::new(0.4, -1.0, 0.8));
    pose.shift = DVec3::new(1.0, 2.0, 3.0);
    posed.set(&pose);
    for patch in 0..body.patches.len() {
        let moved = posed.moves()[root].point(at(&body, patch));
        assert!(at(posed.body(), patch).distance(moved) < ROUNDING_M, "{}", body.patches[patch].name);
    }
}

#[test]
fn the_same_angles_on_both_sides_are_mirror_images() {
    let body = human();
    let mut posed = PosedBody::new(body.clone());
    let mut pose = BodyPose::rest(posed.figure());
    let joint = JointPose { bend_rad: 0.5, twist_rad: 0.3, aside_rad: 0.2 };
    for name in ["upper_arm", "forearm", "hand", "thigh", "shank", "clavicle"] {
        for flank in [Flank::Left, Flank::Right] {
            let bone = posed.figure().find(name, flank).unwrap();
            pose.set_joint(posed.figure(), bone, &joint);
        }
    }
    posed.set(&pose);
    let arm = |flank: Flank| posed.body().tubes.iter().find(|t| t.name == "arm" && t.flank == flank).unwrap();
    let (left, right) = (&arm(Flank::Left).tube, &arm(Flank::Right).tube);
    for row in 0..left.row_count() {
        for column in 0..left.row_len() {
            let image = Flank::Right.place(right.row(row)[(left.row_len() - column) % left.row_len()]);
            assert!(image.distance(left.row(row)[column]) < ROUNDING_M, "row {row}");
        }
    }
}

/// Bends to 130° and twists to 120° of one joint, as far as the joint is one that bends so far.
fn single_joint_poses(posed: &PosedBody) -> Vec<(String, BodyPose)> {
    let mut poses = Vec::new();
    for (bone, motion) in posed.rest().motions.iter().enumerate() {
        let BodyMotion { bend, twist, .. } = motion;
        let name = &posed.figure().bones()[bone].name;
        let bends = [0.33, 0.66, 1.0].map(|share| share * bend.greatest_rad.min(130f64.to_radians()));
        for bend_rad in bends {
            poses.push((format!("{name} bent {bend_rad:.2}"), JointPose::bent(bend_rad), bone));
        }
        if twist.greatest_rad > 0.0 {
            let twist_rad = 120f64.to_radians();
            poses.push((format!("{name} twisted"), JointPose::twisted(twist_rad), bone));
        }
    }
    let pose_of = |(what, joint, bone): (String, JointPose, usize)| {
        let mut pose = BodyPose::rest(posed.figure());
        pose.set_joint(posed.figure(), bone, &joint);
        (what, pose)
    };
    poses.into_iter().map(pose_of).collect()
}

fn shipped() -> [Body; 2] {
    [crate::testing::man(), crate::testing::woman()].map(|design| build(&Template::human(), &design).unwrap())
}

#[test]
fn held_volume_changes_by_less_than_a_thousandth() {
    shipped().iter().for_each(check_held_volume);
}

fn check_held_volume(body: &Body) {
    let mut posed = PosedBody::new(body.clone());
    posed.volume = VolumeMode::Held;
    let rule = PatchRule::tensor(6);
    let rest: Vec<f64> = body.tubes.iter().map(|tube| tube.tube.volume(&rule)).collect();
    for (what, pose) in single_joint_poses(&posed) {
        posed.set(&pose);
        for (index, tube) in posed.body().tubes.iter().enumerate() {
            // What goes on from another tube shares that tube's last ring, which the other holds.
            if tube.continues.is_some() {
                continue;
            }
            // What a turned ring sweeps over belongs to the trunk before and to the limb after, or the other way round: the whole body's
            // volume below counts both.
            let passed: f64 = posed.passed_m3()[index].iter().sum();
            let change = (tube.tube.volume(&rule) - passed) / rest[index] - 1.0;
            assert!(change.abs() < 1e-3, "{what}: {} {change}", tube.name);
        }
        let whole = posed.body().volume() / body.volume() - 1.0;
        // The head, which continues the neck, is not held: a bent head takes 0.13 %.
        assert!(whole.abs() < 2e-3, "{what}: the whole body {whole}");
        assert_smooth(&posed, 0, 1, 0.4, &what);
    }
}

/// Joints that the whole body's volume is promised for: bone, bend and sideways turn, degrees.
const WIDE_BENDS: [(&str, f64, f64); 8] = [
    ("forearm", 95.0, 0.0),
    ("shank", 140.0, 0.0),
    ("upper_arm", 90.0, 0.0),
    ("upper_arm", -40.0, 0.0),
    ("upper_arm", 0.0, 130.0),
    ("upper_arm", 0.0, -38.0),
    ("thigh", 120.0, 0.0),
    ("thigh", 0.0, 40.0),
];

#[test]
fn the_whole_body_keeps_its_volume_if_held() {
    for body in shipped() {
        let rest_m3 = body.volume();
        let mut posed = PosedBody::new(body);
        posed.volume = VolumeMode::Held;
        for (bone, bend, aside) in WIDE_BENDS {
            let joint =
                JointPose { bend_rad: bend.to_radians(), twist_rad: 0.0, aside_rad: aside.to_radians() };
            let pose = both_sides(&posed, bone, &joint);
            posed.set(&pose);
            let change = posed.body().volume() / rest_m3 - 1.0;
            assert!(change.abs() < 0.01, "{bone} {bend} {aside}: {change}");
        }
    }
}

fn both_sides(posed: &PosedBody, bone: &str, joint: &JointPose) -> BodyPose {
    let mut pose = BodyPose::rest(posed.figure());
    for flank in [Flank::Left, Flank::Right] {
        pose.set_joint(posed.figure(), posed.figure().find(bone, flank).unwrap(), joint);
    }
    pose
}

#[test]
fn elbows_and_knees_bend_to_140_degrees_without_a_flap() {
    for body in shipped() {
        let mut posed = PosedBody::new(body);
        for name in ["forearm", "shank"] {
            assert_bends_without_a_flap(&mut posed, name, "an average body");
        }
    }
}

/// Wide knees over narrow calves, and calves that the fold presses flat: what the average bodies do not have.
#[test]
fn knees_of_random_people_bend_to_140_degrees_without_a_flap() {
    let mut people = sinew_geometry::Random::new(1988);
    for number in 0..30 {
        let body = MAKER.make(&random_person(&mut people, None, None).1).unwrap().body;
        assert_bends_without_a_flap(&mut PosedBody::new(body), "shank", &format!("body {number}"));
    }
}

#[track_caller]
fn assert_bends_without_a_flap(posed: &mut PosedBody, name: &str, what: &str) {
    let straight = posed.figure().straight_bend(posed.figure().find(name, Flank::Left).unwrap());
    for degrees in [100.0, 120.0, 140.0] {
        let joint = JointPose::bent(f64::to_radians(degrees) - straight);
        let pose = both_sides(posed, name, &joint);
        posed.set(&pose);
        let mut folds = posed.body().folds();
        folds.retain(|fold| fold.patch.starts_with("arm/") || fold.patch.starts_with("leg/"));
        assert!(folds.is_empty(), "{what}, {name} {degrees}: {folds:?}");
    }
}

/// Curled fingers whose bones also turn about themselves: where two folds meet, flesh is pressed in the frame that has turned.
#[test]
fn curled_fingers_that_turn_keep_their_thickness() {
    for body in shipped() {
        let mut posed = PosedBody::new(body);
        for (root_deg, middle_deg) in [(-50.0, -30.0), (-50.0, 30.0), (50.0, -30.0), (50.0, 30.0)] {
            curl_fingers(&mut posed, [root_deg, middle_deg]);
            for tube in 0..posed.plans().len() {
                for row in 0..posed.rest().tubes[tube].tube.row_count() - 1 {
                    let [rest, bent] = [posed.rest(), posed.body()].map(|body| least_radius(body, tube, row));
                    assert!(
                        bent > 0.6 * rest,
                        "{root_deg}, {middle_deg}: tube {tube}, row {row}: {bent} of {rest}"
                    );
                }
            }
        }
    }
}

/// A fist of the left hand with bones twisted by these angles, in degrees.
fn curl_fingers(posed: &mut PosedBody, [root_deg, middle_deg]: [f64; 2]) {
    let mut pose = BodyPose::rest(posed.figure());
    for finger in ["index", "middle", "ring", "little"] {
        let angles = [("proximal", 78.0, root_deg), ("middle", 95.0, middle_deg), ("distal", 1.0, 0.0)];
        for (part, bend, twist) in angles {
            let bone = posed.figure().find(&format!("{finger}_{part}"), Flank::Left).unwrap();
            let [bend_rad, twist_rad] = [bend, twist].map(f64::to_radians);
            pose.set_joint(posed.figure(), bone, &JointPose { bend_rad, twist_rad, ..JointPose::default() });
        }
    }
    posed.set(&pose);
}

/// The least distance of a row's points from their middle, m.
fn least_radius(body: &Body, tube: usize, row: usize) -> f64 {
    let row = body.tubes[tube].tube.row(row);
    let middle = row.iter().sum::<DVec3>() / row.len() as f64;
    row.iter().map(|point| point.distance(middle)).fold(f64::INFINITY, f64::min)
}

/// Girth of the left upper arm and the distances of its front and back from the bone, m.
fn upper_arm(posed: &PosedBody) -> (f64, [f64; 2]) {
    let arm = posed.body().tubes.iter().find(|tube| tube.name == "arm" && tube.flank == Flank::Left).unwrap();
    let patches: Vec<crate::Patch> = (0..4).map(|k| arm.tube.patch(1, k)).collect();
    let at = |t: usize| patches[t / 32 % 4].position((t % 32) as f64 / 32.0, 0.5);
    let girth = (0..128).map(|t| at(t).distance(at(t + 1))).sum();
    let middle = (0..128).map(at).sum::<DVec3>() / 128.0;
    // Corners of the arm's rings: top, front, bottom, back.
    (girth, [at(32).distance(middle), at(96).distance(middle)])
}

#[test]
fn a_bent_elbow_swells_the_biceps_and_a_straight_one_the_triceps() {
    for body in shipped() {
        let mut posed = PosedBody::new(body);
        let forearm = posed.figure().find("forearm", Flank::Left).unwrap();
        let straight = posed.figure().straight_bend(forearm);
        let mut measure = |flexion_deg: f64, has_muscles: bool| {
            posed.has_muscles = has_muscles;
            let joint = JointPose::bent(f64::to_radians(flexion_deg) - straight);
            let pose = both_sides(&posed, "forearm", &joint);
            posed.set(&pose);
            upper_arm(&posed)
        };
        let grown = measure(120.0, true).0 / measure(120.0, false).0 - 1.0;
        assert!((0.06..0.10).contains(&grown), "girth of the flexed arm: {grown}");
        let (slack, tense) = (measure(0.0, false).1, measure(0.0, true).1);
        assert!(tense[1] - slack[1] > 0.001, "triceps {slack:?} {tense:?}");
        assert!(tense[0] < slack[0] + 1e-4, "biceps {slack:?} {tense:?}");
    }
}

#[test]
fn the_shoulder_rises_with_the_arm_and_the_arm_keeps_its_direction() {
    let mut posed = PosedBody::new(human());
    let [arm, clavicle] =
        ["upper_arm", "clavicle"].map(|name| posed.figure().find(name, Flank::Left).unwrap());
    let raised = JointPose { aside_rad: 2.0, ..JointPose::default() };
    let mut pose = both_sides(&posed, "upper_arm", &raised);
    posed.set(&pose);
    let shoulder = posed.figure().bones()[arm].center;
    let risen = posed.moves()[arm].point(shoulder) - shoulder;
    assert!(risen.y > 0.02, "up: {risen}");
    assert!(posed.moves()[arm].rotation.angle_between(pose.turns[arm]) < 1e-9);
    let (here, there) = (posed.moves()[arm].point(shoulder), posed.moves()[clavicle].point(shoulder));
    assert!(here.distance(there) < ROUNDING_M);
    // A pose that turns the collarbone further itself is left alone.
    let own = JointPose::bent(0.9);
    pose.set_joint(posed.figure(), clavicle, &own);
    posed.set(&pose);
    assert!(posed.moves()[clavicle].rotation.angle_between(pose.turns[clavicle]) < 1e-9);
}

#[test]
fn lengths_do_not_change() {
    shipped().iter().for_each(check_lengths);
}

fn check_lengths(body: &Body) {
    let mut posed = PosedBody::new(body.clone());
    let mut random = Random::new(3);
    for _ in 0..20 {
        let pose = random_pose(&posed, &mut random);
        posed.set(&pose);
        for (bone, found) in posed.figure().bones().iter().enumerate() {
            let Some(parent) = found.parent else { continue };
            // Both bones agree on where their joint is.
            let (here, there) =
                (posed.moves()[bone].point(found.center), posed.moves()[parent].point(found.center));
            assert!(here.distance(there) < ROUNDING_M, "{}", found.name);
        }
        for (tube, plan) in posed.plans().iter().enumerate() {
            check_corners_on_axis(&posed, tube, plan);
        }
    }
}

/// The surface agrees: ends and tips lie where their bones take them.
fn check_corners_on_axis(posed: &PosedBody, tube: usize, plan: &TubePlan) {
    let Some(last) = plan.runs.last() else { return };
    if plan.end.is_some() {
        return;
    }
    let row = posed.rest().tubes[tube].tube.row_count() - 1;
    let rest = posed.rest().tubes[tube].tube.row(row);
    let found = posed.body().tubes[tube].tube.row(row);
    for (rest, found) in rest.iter().zip(found) {
        let moved = posed.moves()[last.bone].point(*rest);
        let error = moved.distance(*found);
        assert!(error < ROUNDING_M, "{}: {error}", posed.rest().tubes[tube].name);
    }
}

#[test]
fn poses_far_beyond_the_limits_stay_finite_and_closed() {
    let body = human();
    let mut posed = PosedBody::new(body.clone());
    let mut random = Random::new(11);
    for volume in [VolumeMode::Free, VolumeMode::Held] {
        posed.volume = volume;
        for round in 0..60 {
            let mut pose = BodyPose::rest(posed.figure());
            for turn in &mut pose.turns {
                let angle = if round % 3 == 0 { std::f64::consts::PI } else { 3.0 * random.signed() };
                *turn = DQuat::from_axis_angle(random.vector().normalize_or(DVec3::X), angle);
            }
            if round == 1 {
                pose.turns.fill(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
            }
            posed.set(&pose);
            assert!(posed.body().patches.iter().all(|patch| patch.patch.is_finite()), "round {round}");
            let check = posed.body().check(1);
            assert!(check.gap_m < GAP_M, "round {round}: {check:?}");
        }
    }
}

#[test]
fn fast_vertices_agree_with_exact_ones() {
    let body = human();
    let mut posed = PosedBody::new(body.clone());
    let pose = random_pose(&posed, &mut Random::new(5));
    posed.set(&pose);
    let mut mesh = body.tessellate(6);
    let evaluator = MeshEvaluator::new(&mesh);
    let (mut positions, mut normals) =
        (vec![Vec3::ZERO; mesh.places.len()], vec![Vec3::ZERO; mesh.places.len()]);
    evaluator.evaluate_into(posed.body(), &mut evaluator.room(), &mut positions, &mut normals);
    posed.body().evaluate_into(&mut mesh);
    for vertex in 0..mesh.places.len() {
        let error = positions[vertex].distance(mesh.positions[vertex].as_vec3());
        assert!(error < 2e-6, "vertex {vertex}: {error}");
        let turn = normals[vertex].dot(mesh.normals[vertex].as_vec3());
        assert!(turn > 0.999, "vertex {vertex}: {turn}");
    }
}

#[test]
fn the_sources_twist_does_not_pinch_a_forearm() {
    let body = human();
    let posed = PosedBody::new(body.clone());
    let forearm = posed.figure().find("forearm", Flank::Left).unwrap();
    let bone = &posed.figure().bones()[forearm];
    let radius = |patches: &[crate::Patch]| {
        let from_axis = |patch: &crate::Patch, k: usize| {
            let point = patch.position((k % 5) as f64 / 4.0, (k / 5) as f64 / 4.0) - bone.center;
            point.reject_from_normalized(bone.direction).length()
        };
        patches
            .iter()
            .flat_map(|patch| (0..25).map(move |k| from_axis(patch, k)))
            .fold(f64::INFINITY, f64::min)
    };
    let rest = radius(&posed.source_twist(forearm, 0.0).unwrap());
    for degrees in [-120.0f64, 50.0, 90.0, 120.0] {
        let patches = posed.source_twist(forearm, degrees.to_radians()).unwrap();
        assert_eq!(patches.len(), 8, "twice the patches round");
        assert!(radius(&patches) > 0.9 * rest, "{degrees}: {} {rest}", radius(&patches));
    }
}

#[test]
fn the_sources_twist_is_a_mode_of_a_pose() {
    let body = human();
    let mut posed = PosedBody::new(body.clone());
    let hand = posed.figure().find("hand", Flank::Left).unwrap();
    let mut pose = BodyPose::rest(posed.figure());
    pose.set_joint(posed.figure(), hand, &JointPose::twisted(100f64.to_radians()));
    let volume = |patches: &[crate::Patch]| {
        let rules = crate::quadrature::BodyRules::for_reports();
        patches.iter().map(|patch| rules.volume(patch)).sum::<f64>()
    };
    let mut found = [0.0; 3];
    for (place, mode) in
        [TwistMode::Spread, TwistMode::Source, TwistMode::SourceUntreated].into_iter().enumerate()
    {
        posed.twist = mode;
        posed.set(&pose);
        let patches = posed.patches();
        let cut = if mode == TwistMode::Source { 4 } else { 0 };
        assert_eq!(patches.len(), body.patches.len() + cut, "{mode:?}");
        found[place] = volume(&patches) - body.volume();
        // Untreated or cut, the surface stays closed: the hand is where it is in every mode.
        assert!(posed.body().check(3).gap_m < GAP_M, "{mode:?}");
    }
    assert!(found[2] < 4.0 * found[1].min(found[0]) && found[2] < -5e-5, "untreated pinches: {found:?}");
}

#[test]
fn the_quadruped_moves_too() {
    let body = build(&Template::quadruped(), &Design::default()).unwrap();
    let mut posed = PosedBody::new(body.clone());
    let mut random = Random::new(2);
    for count in 0..20 {
        let pose = random_pose(&posed, &mut random);
        posed.set(&pose);
        assert_smooth(&posed, 0, 1, random.between(0.05, 0.95), &format!("pose {count}"));
    }
}

#[test]
fn a_thread_can_hold_all_of_it() {
    fn is_free<T: Send + Sync + 'static>() {}
    is_free::<PosedBody>();
    is_free::<MeshEvaluator>();
    is_free::<PatchDeformer>();
    is_free::<ShapeMaker>();
    // Copies share the rest.
    let posed = PosedBody::new(human());
    assert!(std::ptr::eq(posed.rest(), posed.clone().rest()));
}
