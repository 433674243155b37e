//! Examples that are fine, and such as are not.

use super::*;
use glam::Quat;
use std::f32::consts::PI;

const SIZE: Vec3 = Vec3::new(1.2, 0.2, 0.2);

fn bar() -> TetMesh {
    TetMesh::lattice([24, 4, 4], SIZE)
}

fn shape(mesh: &TetMesh, deform: impl Fn(Vec3) -> Vec3) -> Vec<Vec3> {
    mesh.points().iter().map(|point| deform(*point)).collect()
}

/// Bent by so many radians over the whole length, about an axis along z.
fn bent(point: Vec3, radians: f32) -> Vec3 {
    let (turn, radius) = (radians * point.x / SIZE.x, SIZE.x / radians);
    let y = point.y - 0.5 * SIZE.y;
    Vec3::new((radius - y) * turn.sin(), radius - (radius - y) * turn.cos(), point.z)
}

#[test]
fn mild_examples_give_no_warning() {
    let mesh = bar();
    let twist = shape(&mesh, |point| Quat::from_rotation_x(point.x / SIZE.x) * (point - 0.5 * SIZE));
    let shapes = [
        twist,
        shape(&mesh, |point| bent(point, 1.0)),
        shape(&mesh, |point| point * Vec3::new(1.3, 0.9, 0.9)),
    ];
    let warnings = ExampleSet::check(&mesh, &shapes, None, &CheckSettings::default()).unwrap();
    assert_eq!(warnings, []);
}

#[test]
fn a_bar_bent_beyond_a_circle_cuts_through_itself_only_near_the_whole_example() {
    let mesh = bar();
    let shapes = [shape(&mesh, |point| bent(point, 2.4 * PI))];
    let warnings = ExampleSet::check(&mesh, &shapes, None, &CheckSettings::default()).unwrap();
    let crossing: Vec<f32> = warnings
        .iter()
        .filter(|warning| matches!(warning.fault, BlendFault::Crossing { .. }))
        .map(|warning| warning.weights[0].1)
        .collect();
    assert!(crossing.contains(&1.0) && !crossing.contains(&0.5), "{warnings:?}");
    let ends = warnings[0].rest_place.x;
    assert!(!(0.3..=0.9).contains(&ends), "{}", warnings[0]);
    assert!(warnings[0].to_string().contains("of example 0: "), "{}", warnings[0]);
}

#[test]
fn pairs_that_are_fine_apart_and_not_together_are_reported() {
    // More than a circle each, one winding to the left and one to the right: half of both does neither, and its ends meet.
    let mesh = bar();
    let coil = |rise: f32| shape(&mesh, |point| bent(point, 2.4 * PI) + Vec3::Z * (rise * point.x / SIZE.x));
    let shapes = [coil(0.36), coil(-0.36)];
    let warnings = ExampleSet::check(&mesh, &shapes, None, &CheckSettings::default()).unwrap();
    let is_crossing = |warning: &&BlendWarning| matches!(warning.fault, BlendFault::Crossing { .. });
    let crossing: Vec<_> =
        warnings.iter().filter(is_crossing).map(|warning| warning.weights.clone()).collect();
    assert!(crossing.contains(&vec![(0, 0.5), (1, 0.5)]), "{warnings:?}");
    assert!(crossing.iter().all(|weights| weights.len() == 2), "{warnings:?}");
}

#[test]
fn an_inside_out_example_is_reported_with_its_place() {
    let mesh = bar();
    // The last third is pushed back through itself.
    let shapes =
        [shape(&mesh, |point| Vec3::new(point.x - 1.8 * (point.x - 0.8).max(0.0), point.y, point.z))];
    let warnings = ExampleSet::check(&mesh, &shapes, None, &CheckSettings::default()).unwrap();
    let whole = warnings.iter().find(|warning| {
        matches!(warning.fault, BlendFault::Inverted { .. }) && warning.weights == [(0, 1.0)]
    });
    assert!(whole.is_some_and(|warning| warning.rest_place.x > 0.75), "{warnings:?}");
}

#[test]
fn rebuilt_examples_are_the_examples() {
    let mesh = bar();
    let masses = vec![1.0; mesh.points().len()];
    let regions =
        Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| RegionMaterial::default());
    let given = shape(&mesh, |point| bent(point, 2.4 * PI));
    let rebuilt = Rebuilder::new(mesh.points(), &regions, std::slice::from_ref(&given)).shape(&[(0, 1.0)]);
    let middle = |points: &[Vec3]| points.iter().sum::<Vec3>() / points.len() as f32;
    let shift = middle(&given) - middle(&rebuilt);
    // Rotations of the whole: the root's are those of the example.
    let apart = given.iter().zip(&rebuilt).map(|(a, b)| a.distance(*b + shift)).fold(0.0, f32::max);
    // A tenth of a cell, after more than a turn.
    assert!(apart < 0.005, "{apart}");
}
