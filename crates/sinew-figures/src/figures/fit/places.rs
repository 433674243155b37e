//! Where helpers are: \[Mukai15\] Fig. 5.

use super::super::{Size, drawn, line};
use super::maps::{SubjectPose, upright};
use super::rows::SubjectFit;
use super::subject::Subject;
use anyhow::Result;
use glam::{DAffine3, DMat3, DVec3, Vec2, Vec3, Vec4};
use sinew_fit::HelperFrame;
use sinew_geometry::Bounds;
use sinew_helpers::ExampleSet;
use sinew_render::{
    Alpha, BoneSegment, Camera, Image, LabelAnchor, Material, Object, Overlay, Rgba8, Scene, TextStyle, View,
    contact_sheet,
};

/// Axes of a helper: red, green and blue for x, y and z.
const AXES: [(Vec3, Rgba8); 3] =
    [(Vec3::X, [206, 52, 52, 255]), (Vec3::Y, [40, 150, 60, 255]), (Vec3::Z, [44, 92, 210, 255])];
const INK: Rgba8 = [30, 34, 40, 255];
const PAPER: Rgba8 = [255, 255, 255, 255];

/// Length of a helper's axes over the size of the skin.
const AXIS_SHARE: f32 = 0.055;

/// Bones and helpers where controllers put them, near rest and with each driver turned most. A line leads from where the helper's parent alone
/// would take it.
pub(super) fn place_sheet(subject: &Subject, fit: &SubjectFit, size: Size) -> Result<Image> {
    let set = &subject.examples;
    let examples = set.examples();
    let bones = rest_bones(subject, fit);
    let axis_length = AXIS_SHARE * Bounds::of(&set.rest_positions).size().length();
    let mut cells = Vec::new();
    for (pose, caption) in shown_poses(set) {
        let SubjectPose { skin, helpers } = fit.controlled_pose(subject, pose);
        let drivers = examples.drivers(pose);
        let segment = |&RestBone { driver, head, tip }: &RestBone| BoneSegment {
            head: drivers[driver].transform_point3(head).as_vec3(),
            tip: drivers[driver].transform_point3(tip).as_vec3(),
            link: None,
            highlighted: false,
        };
        let segments = bones.iter().map(segment).collect();
        let mut overlays = vec![Overlay::Bones { segments, size: 0.6 }];
        let mut shown = skin.clone();
        for (number, (matrix, helper)) in helpers.iter().zip(&fit.controllers.controllers.helpers).enumerate()
        {
            let HelperFrame { center, parent } = helper.frame;
            let (at, by_parent) = (matrix.transform_point3(center), drivers[parent].transform_point3(center));
            let (at, by_parent) = (at.as_vec3(), by_parent.as_vec3());
            shown.extend([at, by_parent]);
            overlays.push(line(vec![by_parent, at], false, 1.5, INK));
            for (end, color) in axes(matrix, at, axis_length) {
                shown.push(end);
                overlays.push(line(vec![at, end], false, 3.0, color));
            }
            overlays.push(name(number + 1, at));
        }
        let span = Bounds::of(&skin).size();
        let view = if span.z > span.x { View::Side } else { View::Front };
        let cell_size = upright(&set.rest_positions, size);
        let aspect = cell_size.0 as f32 / cell_size.1 as f32;
        let camera = Camera::frame_from(view.direction(), Vec3::Y, shown, aspect);
        let material = Material {
            base_color: Vec4::new(0.75, 0.68, 0.62, 0.35),
            alpha: Alpha::Blend,
            ..Material::default()
        };
        let objects = vec![Object::new(skin, set.triangles.clone(), material)];
        cells.push((drawn(&Scene { objects, overlays, ..Scene::default() }, &camera, cell_size)?, caption));
    }
    let title = format!(
        "The {} helpers of {}; lines from where their parents take them",
        fit.helpers.helper_count, subject.name
    );
    Ok(contact_sheet(&cells, 4, Some(&title))?)
}

/// Where the axes of a helper end.
fn axes(matrix: &DAffine3, at: Vec3, length: f32) -> [(Vec3, Rgba8); 3] {
    let turn = matrix.matrix3.as_mat3();
    AXES.map(|(axis, color)| (at + (turn * axis).normalize_or_zero() * length, color))
}

fn name(number: usize, point: Vec3) -> Overlay {
    // On both sides in turn: two helpers are often near each other.
    let offset_px = if number % 2 == 1 { Vec2::new(-18.0, 18.0) } else { Vec2::new(8.0, 18.0) };
    let at = LabelAnchor::Scene { point, offset_px };
    let style = TextStyle { size_px: 20.0, color: INK, halo: Some(PAPER), ..TextStyle::default() };
    Overlay::Label { text: number.to_string(), at, style }
}

/// A driver that turns less in all poses is at rest, degrees.
const LEAST_TURN_DEG: f64 = 1.0;

/// How far a driver turns, degrees.
fn turn_deg(set: &ExampleSet, pose: usize, driver: usize) -> f64 {
    2.0 * set.changes(pose)[driver].rotation.w.abs().min(1.0).acos().to_degrees()
}

/// Drivers that turn in some pose.
fn turning_drivers(set: &ExampleSet) -> Vec<usize> {
    let turns =
        |driver: &usize| (0..set.pose_count()).any(|pose| turn_deg(set, pose, *driver) > LEAST_TURN_DEG);
    (0..set.driver_names.len()).filter(turns).collect()
}

/// The pose nearest to rest, and for each driver that in which it turns most while the others turn little.
fn shown_poses(set: &ExampleSet) -> Vec<(usize, String)> {
    let turn = |pose: usize, driver: usize| turn_deg(set, pose, driver);
    let all = |pose: usize| (0..set.driver_names.len()).map(|driver| turn(pose, driver)).sum::<f64>();
    let most = |value: &dyn Fn(usize) -> f64| {
        (0..set.pose_count()).max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(0)
    };
    let mut poses = vec![(most(&|pose| -all(pose)), "near rest".to_owned())];
    for driver in turning_drivers(set) {
        let pose = most(&|pose| 2.0 * turn(pose, driver) - all(pose));
        poses.push((pose, format!("{} turned by {:.0}°", set.driver_names[driver], turn(pose, driver))));
    }
    poses
}

fn weighted_mean(positions: &[Vec3], shares: &[f64]) -> DVec3 {
    let sum: f64 = shares.iter().sum();
    let weighted = positions.iter().zip(shares).map(|(position, share)| position.as_dvec3() * *share);
    if sum > 0.0 { weighted.sum::<DVec3>() / sum } else { DVec3::ZERO }
}

/// Pull of a joint's guess, over that of all poses: it decides where along a hinge the joint is, and nothing else.
const GUESS_SHARE: f64 = 1e-4;

/// A driver's bone at rest.
struct RestBone {
    driver: usize,
    head: DVec3,
    tip: DVec3,
}

/// Bones of the drivers that turn. Examples have matrices only: the head of a driver is the point that it and the driver before, or the room, move
/// alike in all poses. Drivers are a chain from the top; the last ends at its skin that is farthest away.
fn rest_bones(subject: &Subject, fit: &SubjectFit) -> Vec<RestBone> {
    let set = &subject.examples;
    let (driver_count, bone_count) =
        (fit.helpers.driver_count, fit.helpers.driver_count + fit.helpers.helper_count);
    let rows = || fit.helpers.weights.chunks(bone_count);
    let head = |driver: usize| {
        let weight = |row: &[f64]| if driver == 0 { row[0] } else { row[driver] * row[driver - 1] };
        let guess = weighted_mean(&set.rest_positions, &rows().map(weight).collect::<Vec<f64>>());
        let (mut squares, mut sums) = (DMat3::ZERO, DVec3::ZERO);
        for matrices in set.driver_posed_from_rest.chunks(driver_count) {
            let before = if driver == 0 { DAffine3::IDENTITY } else { matrices[driver - 1] };
            let relative = before.inverse() * matrices[driver];
            let turn = relative.matrix3 - DMat3::IDENTITY;
            squares += turn.transpose() * turn;
            sums -= turn.transpose() * relative.translation;
        }
        let trace = squares.x_axis.x + squares.y_axis.y + squares.z_axis.z;
        let pull = GUESS_SHARE * trace.max(f64::MIN_POSITIVE);
        (squares + DMat3::from_diagonal(DVec3::splat(pull))).inverse() * (sums + guess * pull)
    };
    let turning = turning_drivers(set);
    let mut points: Vec<DVec3> = turning.iter().map(|&driver| head(driver)).collect();
    let Some((&last, &from)) = turning.last().zip(points.last()) else { return Vec::new() };
    let own = set.rest_positions.iter().zip(rows());
    let own = own.filter(|(_, row)| row[last..driver_count].iter().sum::<f64>() > 0.5);
    let own = own.map(|(position, _)| position.as_dvec3());
    points.push(own.max_by(|a, b| a.distance(from).total_cmp(&b.distance(from))).unwrap_or(from));
    let bone = |(&driver, ends): (&usize, &[DVec3])| RestBone { driver, head: ends[0], tip: ends[1] };
    turning.iter().zip(points.windows(2)).map(bone).collect()
}
