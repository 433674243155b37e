//! Bodies that follow a moving shape, and fibres.

use glam::{Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_geometry::simd::Backend;
use sinew_soft::{FibreAnswer, RegionMaterial, Regions, Rings, SoftBody, StepSettings};

const SIZE: Vec3 = Vec3::new(0.8, 0.2, 0.2);

fn bar(bulk: f32) -> (TetMesh, SoftBody) {
    let mesh = TetMesh::lattice([12, 3, 3], SIZE);
    let masses = vec![0.2; mesh.points().len()];
    let material = RegionMaterial { square_speed: 20.0, bulk };
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
    let body = SoftBody::new(mesh.points(), &masses, vec![(regions, None)]);
    (mesh, body)
}

/// Bent along its length by an angle, as a rig would do it: with a stretched and a squeezed side.
fn bent(points: &[Vec3], angle: f32) -> Vec<Vec3> {
    let bend = |point: &Vec3| {
        let share = ((point.x / SIZE.x - 0.3) / 0.4).clamp(0.0, 1.0);
        let hinge = Vec3::new(0.5 * SIZE.x, 0.5 * SIZE.y, 0.0);
        Quat::from_rotation_z(angle * share) * (*point - hinge) + hinge
    };
    points.iter().map(bend).collect()
}

fn farthest(body: &SoftBody, shape: &[Vec3]) -> f32 {
    body.positions().zip(shape).map(|(position, place)| position.distance(*place)).fold(0.0, f32::max)
}

fn step(body: &mut SoftBody, shape: &[Vec3], settings: &StepSettings) {
    body.follow(shape, settings.backend);
    for (particle, place) in shape.iter().enumerate().filter(|(at, _)| at % 13 < 2) {
        body.hold(particle, Some(*place));
    }
    body.step(settings, &[]);
}

#[test]
fn a_slow_shape_is_kept_a_fast_one_is_lagged_behind_and_settled_in() {
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 3.0, ..StepSettings::default() };
    for bulk in [0.0, 5.0] {
        let (mesh, mut body) = bar(bulk);
        let rest = mesh.points();
        step(&mut body, rest, &settings);
        let mut most = 0.0f32;
        for frame in 0..1200 {
            let shape = bent(rest, 1.2 * frame as f32 / 1200.0);
            step(&mut body, &shape, &settings);
            most = most.max(farthest(&body, &shape));
        }
        // Without volume the shape is the answer; with it, what the bend has squeezed is pushed out again.
        let allowed = if bulk == 0.0 { 0.002 } else { 0.03 };
        assert!(most < allowed, "bulk {bulk}: {most}");

        let (_, mut body) = bar(bulk);
        step(&mut body, rest, &settings);
        let shape = bent(rest, 1.2);
        let mut lag = 0.0f32;
        for frame in 0..240 {
            let now = bent(rest, 1.2 * (frame as f32 / 6.0).min(1.0));
            step(&mut body, &now, &settings);
            lag = lag.max(farthest(&body, &now));
        }
        assert!(lag > 0.02, "bulk {bulk}: {lag}");
        let left = farthest(&body, &shape);
        assert!(left < allowed, "bulk {bulk}: {left}");
        let before: Vec<Vec3> = body.positions().collect();
        (0..60).for_each(|_| step(&mut body, &shape, &settings));
        assert!(body.positions().eq(before), "it is still");
    }
}

#[test]
fn a_jump_is_survived_and_limited() {
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 3.0, ..StepSettings::default() };
    let (mesh, mut body) = bar(2.0);
    let rest = mesh.points();
    step(&mut body, rest, &settings);
    body.set_follow_reaches(vec![0.05; rest.len()]);
    let far: Vec<Vec3> =
        rest.iter().map(|point| Quat::from_rotation_y(2.0) * *point + Vec3::X * 40.0).collect();
    for _ in 0..240 {
        step(&mut body, &far, &settings);
        let away = farthest(&body, &far);
        assert!(away <= 0.0501, "{away}");
    }
    assert!(farthest(&body, &far) < 0.005, "{}", farthest(&body, &far));
    // Carried along it does not even notice.
    let back: Vec<Vec3> = far.iter().map(|point| *point - Vec3::X * 40.0).collect();
    let before = farthest(&body, &far);
    body.carry(&back);
    step(&mut body, &back, &settings);
    assert!(farthest(&body, &back) < before + 1e-3, "{}", farthest(&body, &back));
}

/// Mean length, and mean width of the middle, as shares of those at rest.
fn proportions(mesh: &TetMesh, body: &SoftBody) -> (f32, f32) {
    let points = mesh.points();
    let mean = |is_in: &dyn Fn(Vec3) -> bool, of: &dyn Fn(Vec3) -> f32| {
        let chosen: Vec<f32> =
            (0..points.len()).filter(|&at| is_in(points[at])).map(|at| of(body.position(at))).collect();
        chosen.iter().sum::<f32>() / chosen.len() as f32
    };
    let length = mean(&|point| point.x > 0.79, &|now| now.x) - mean(&|point| point.x < 0.01, &|now| now.x);
    let is_middle = |point: Vec3| (0.25..0.55).contains(&point.x);
    let width = mean(&|point| is_middle(point) && point.y > 0.19, &|now| now.y)
        - mean(&|point| is_middle(point) && point.y < 0.01, &|now| now.y);
    (length / SIZE.x, width / SIZE.y)
}

#[test]
fn the_more_fibres_give_the_longer_they_get_and_the_narrower_their_section() {
    let settings =
        StepSettings { gravity: Vec3::ZERO, damping: 4.0, iterations: 40, ..StepSettings::default() };
    let pulled = |give: f32| {
        let (mesh, mut body) = bar(20.0);
        let count = mesh.points().len();
        body.set_fibres(0, &vec![Vec3::X; count]);
        let answer = FibreAnswer { give, ..FibreAnswer::default() };
        (0..count).for_each(|region| body.set_fibre_answer(0, region, answer));
        for (at, point) in mesh.points().iter().enumerate().filter(|(_, point)| point.x < 0.01) {
            body.hold(at, Some(*point));
        }
        for _ in 0..360 {
            for (at, _) in mesh.points().iter().enumerate().filter(|(_, point)| point.x > 0.79) {
                body.push(at, Vec3::X * 1.2);
            }
            body.step(&settings, &[]);
        }
        proportions(&mesh, &body)
    };
    let found: Vec<(f32, f32)> = [0.0, 0.45, 0.9].map(pulled).to_vec();
    assert!(found[0].0 < found[1].0 - 0.01 && found[1].0 < found[2].0 - 0.03, "lengths {found:?}");
    assert!(found[0].1 > found[1].1 && found[1].1 > found[2].1, "widths {found:?}");
    for (length, width) in found {
        // The middle keeps its volume; the held end does not let its own section shrink.
        assert!((length * width * width - 1.0).abs() < 0.06, "{length} {width}");
    }
}

#[test]
fn a_contracted_bar_is_shorter_and_thicker_by_the_amount_asked_for() {
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 4.0, ..StepSettings::default() };
    for (backend, contraction) in [(Backend::detect(), 0.8), (Backend::Scalar, 1.2)] {
        let (mesh, mut body) = bar(0.0);
        let count = mesh.points().len();
        body.set_fibres(0, &vec![Vec3::X * 3.0; count]);
        let answer = FibreAnswer { give: 0.3, contraction, lateral: contraction.powf(-0.5) };
        (0..count).for_each(|region| body.set_fibre_answer(0, region, answer));
        (0..300).for_each(|_| body.step(&StepSettings { backend, ..settings }, &[]));
        let (length, width) = proportions(&mesh, &body);
        assert!((length - contraction).abs() < 0.01, "{length} instead of {contraction}");
        assert!((width - contraction.powf(-0.5)).abs() < 0.01, "{width}");
    }
}
