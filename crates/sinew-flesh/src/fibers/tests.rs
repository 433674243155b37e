//! Fields whose directions are known by a formula.

use super::*;
use crate::anatomy::{Anatomy, AnatomyInput, AnatomySettings};
use crate::config::{FiberSettings, Stroke};
use glam::Vec3;
use sinew_geometry::{Cover, CoverSettings, CoverSize, TetMesh, TriangleMesh, cover, shapes};
use sinew_rig::{BoundSurface, samples};
use std::f32::consts::FRAC_PI_2;

/// How far directions may be from the formula's: below what is seen on a limb.
const TOLERANCE_DEG: f32 = 2.0;

fn covered(surface: &TriangleMesh, spacing: f32) -> Cover {
    let settings = CoverSettings { size: CoverSize::Spacing(spacing), ..CoverSettings::default() };
    cover(surface, &settings).unwrap()
}

fn angle_deg(a: Vec3, b: Vec3) -> f32 {
    a.cross(b).length().atan2(a.dot(b).abs()).to_degrees()
}

/// A tube with flat ends bent round the z axis by an angle: its middle line is an arc of radius `bend` in the plane z = 0.
fn bent_tube(bend: f32, radius: f32, angle: f32) -> TriangleMesh {
    let mut tube = shapes::cylinder(bend * angle, radius, 24, 40);
    for position in &mut tube.positions {
        // Upright from the origin; the height becomes the angle.
        let (turn, out) = (position.y / bend, bend + position.x);
        *position = Vec3::new(out * turn.cos(), out * turn.sin(), position.z);
    }
    tube
}

fn along_arc(position: Vec3) -> Vec3 {
    Vec3::new(-position.y, position.x, 0.0).normalize()
}

/// Constraints at the skin by a formula.
fn on_skin(surface: &TriangleMesh, cover: &Cover, formula: impl Fn(Vec3) -> Vec3) -> Vec<FiberConstraint> {
    let along: Vec<Vec3> = surface.positions.iter().map(|position| formula(*position)).collect();
    natural::within_skin(surface, cover, &along, &FiberSettings::default())
}

/// Constraints at points near a bone, whose nearest place to a point is given.
fn at_axis(
    cover: &Cover,
    nearest: impl Fn(Vec3) -> Vec3,
    formula: impl Fn(Vec3) -> Vec3,
) -> Vec<FiberConstraint> {
    let points = cover.mesh.points().iter().enumerate();
    let near = points.filter(|(_, at)| at.distance(nearest(**at)) < 0.5 * cover.spacing);
    let weight = natural::USUAL_WEIGHT;
    near.map(|(point, at)| FiberConstraint {
        place: FiberPlace::Point(point as u32),
        direction: formula(*at),
        weight,
    })
    .collect()
}

/// The largest angle between the field and the formula over all tetrahedra whose middle is wanted.
fn worst_deg(cover: &Cover, field: &FiberField, formula: impl Fn(Vec3) -> Option<Vec3>) -> f32 {
    let middle = |tet: &[u32; 4]| tet.iter().map(|&at| cover.mesh.points()[at as usize]).sum::<Vec3>() / 4.0;
    let tets = cover.mesh.tets().iter().zip(&field.tet_directions);
    tets.filter_map(|(tet, found)| Some(angle_deg(*found, formula(middle(tet))?))).fold(0.0, f32::max)
}

#[test]
fn fibers_of_a_limb_run_along_its_axis() {
    let character = samples::limb(24, 40);
    let bound = BoundSurface::of(&character);
    let surface =
        TriangleMesh { positions: bound.rest().positions.clone(), triangles: bound.triangles().to_vec() };
    let cover = covered(&surface, 0.025);
    let (character, bound) = (&character, &bound);
    let input =
        AnatomyInput { character, bound, surface: &surface, cover: &cover, humanoid: None, paints: &[] };
    let anatomy = Anatomy::new(&input, &AnatomySettings::default()).unwrap();
    let known = natural_constraints(&input, &anatomy, &FiberSettings::default());
    let field = FiberSolver::new(&cover.mesh).unwrap().solve(&known).unwrap();
    // At the two poles of the limb the skin runs all ways.
    let at_poles =
        |warning: &FiberWarning| matches!(warning, FiberWarning::Contradiction { points: ..8, .. });
    assert!(field.warnings.iter().all(at_poles), "{:?}", field.warnings);
    // Within a radius of the round ends the skin turns away from the bone, and fibers with it.
    let worst = worst_deg(&cover, &field, |at| (0.06..0.54).contains(&at.y).then_some(Vec3::Y));
    assert!(worst < TOLERANCE_DEG, "{worst}°");
    assert!(worst_deg(&cover, &field, |at| (0.0..0.6).contains(&at.y).then_some(Vec3::Y)) < 10.0);
    assert_eq!(field.tet_directions.len(), cover.mesh.tets().len());
}

#[test]
fn fibers_of_a_bent_tube_run_along_its_arc() {
    let surface = bent_tube(0.3, 0.06, FRAC_PI_2);
    let cover = covered(&surface, 0.02);
    let mut known = on_skin(&surface, &cover, along_arc);
    known.extend(at_axis(&cover, |at| Vec3::new(at.x, at.y, 0.0).normalize() * 0.3, along_arc));
    let field = FiberSolver::new(&cover.mesh).unwrap().solve(&known).unwrap();
    let spacing_rad = cover.spacing / 0.3;
    let is_inner = |at: Vec3| (spacing_rad..FRAC_PI_2 - spacing_rad).contains(&at.y.atan2(at.x));
    let worst = worst_deg(&cover, &field, |at| is_inner(at).then(|| along_arc(at)));
    assert!(worst < TOLERANCE_DEG, "{worst}°");
    // At the skin itself, up to the edges of the flat ends: by the mixture of the corners' directions, as tetrahedra there reach out of the
    // tube by up to a spacing, and what they have in their middle is no flesh.
    let at_skin = |vertex: usize| {
        let shares = cover.embedding.corners()[vertex].into_iter().zip(cover.embedding.weights()[vertex]);
        let expected = along_arc(surface.positions[vertex]);
        let mixed = shares.fold(Vec3::ZERO, |sum, (corner, share)| {
            let direction = field.point_directions[corner as usize];
            sum + direction * (share * direction.dot(expected).signum())
        });
        angle_deg(mixed, expected)
    };
    let worst = (0..surface.positions.len()).map(at_skin).fold(0.0, f32::max);
    eprintln!("at the skin {worst}°");
    assert!(worst < TOLERANCE_DEG, "{worst}°");
}

#[test]
fn fibers_of_a_cylinder_run_along_it_everywhere() {
    let surface = shapes::cylinder(0.6, 0.1, 24, 12);
    let cover = covered(&surface, 0.04);
    let known = on_skin(&surface, &cover, |_| Vec3::Y);
    let field = FiberSolver::new(&cover.mesh).unwrap().solve(&known).unwrap();
    assert!(worst_deg(&cover, &field, |_| Some(Vec3::Y)) < 0.1);
}

#[test]
fn signs_do_not_matter() {
    let mesh = TetMesh::lattice([6, 2, 2], Vec3::new(3.0, 1.0, 1.0));
    let known = |sign: f32| -> Vec<FiberConstraint> {
        let of_point = |(point, _): (usize, &Vec3)| FiberConstraint {
            place: FiberPlace::Point(point as u32),
            direction: Vec3::new(1.0, 0.2, 0.0) * if point % 2 == 0 { sign } else { 1.0 },
            weight: 1.0,
        };
        mesh.points().iter().enumerate().map(of_point).collect()
    };
    let mut solver = FiberSolver::new(&mesh).unwrap();
    let (one, other) = (solver.solve(&known(1.0)).unwrap(), solver.solve(&known(-1.0)).unwrap());
    assert_eq!(one, other);
    assert!(
        one.tet_directions.iter().all(|direction| angle_deg(*direction, Vec3::new(1.0, 0.2, 0.0)) < 0.01)
    );
    // Same places and weights: the factor was kept.
    assert_eq!(solver.factored(), 1);
}

#[test]
fn nothing_known_runs_along_the_longest_axis_and_is_reported() {
    let mesh = TetMesh::lattice([2, 6, 2], Vec3::new(1.0, 3.0, 1.0));
    let field = FiberSolver::new(&mesh).unwrap().solve(&[]).unwrap();
    assert_eq!(field.warnings, [FiberWarning::Undefined { points: mesh.points().len(), first: 0 }]);
    assert!(field.point_directions.iter().all(|direction| direction.abs_diff_eq(Vec3::Y, 1e-3)));
    assert!(field.tet_confidence.iter().all(|&confidence| confidence == 0.0));
}

#[test]
fn isolated_parts_and_flat_tetrahedra_are_reported_and_harm_nothing() {
    let bar = TetMesh::lattice([3, 1, 1], Vec3::new(3.0, 1.0, 1.0));
    let first = bar.points().len() as u32;
    let mut points = bar.points().to_vec();
    // A flat tetrahedron and a point that no tetrahedron has.
    points.extend([
        Vec3::X * 9.0,
        Vec3::X * 10.0,
        Vec3::new(9.0, 1.0, 0.0),
        Vec3::new(10.0, 1.0, 0.0),
        Vec3::ONE * 50.0,
    ]);
    let mut tets = bar.tets().to_vec();
    tets.push([first, first + 1, first + 2, first + 3]);
    let mesh = TetMesh::new(points, tets).unwrap();
    let known = FiberConstraint { place: FiberPlace::Tet(0), direction: Vec3::Z, weight: 1.0 };
    let field = FiberSolver::new(&mesh).unwrap().solve(&[known]).unwrap();
    assert_eq!(field.warnings, [FiberWarning::Undefined { points: 5, first }]);
    assert!(field.point_directions.iter().all(|direction| (direction.length() - 1.0).abs() < 1e-4));
    assert!(field.point_directions[..first as usize].iter().all(|d| d.abs_diff_eq(Vec3::Z, 1e-3)));
}

#[test]
fn directions_that_cross_are_reported() {
    let mesh = TetMesh::lattice([1, 1, 1], Vec3::ONE);
    let known = |direction| FiberConstraint { place: FiberPlace::Tet(4), direction, weight: 1.0 };
    let field = FiberSolver::new(&mesh).unwrap().solve(&[known(Vec3::X), known(Vec3::Y)]).unwrap();
    let is_told = |warning: &FiberWarning| matches!(warning, FiberWarning::Contradiction { points: 8, .. });
    assert!(field.warnings.iter().any(is_told), "{:?}", field.warnings);
    assert!(field.tet_directions.iter().all(|direction| direction.is_finite()));
}

#[test]
fn wrong_constraints_are_named() {
    let mesh = TetMesh::lattice([1, 1, 1], Vec3::ONE);
    let mut solver = FiberSolver::new(&mesh).unwrap();
    let good = FiberConstraint { place: FiberPlace::Point(0), direction: Vec3::X, weight: 1.0 };
    let mut check = |bad: FiberConstraint, reported: &str| {
        let error = solver.solve(&[good, bad]).expect_err(reported).to_string();
        assert!(error.contains("constraint 1") && error.contains(reported), "{error}");
    };
    check(FiberConstraint { place: FiberPlace::Point(8), ..good }, "point 8");
    check(FiberConstraint { place: FiberPlace::Tet(5), ..good }, "tetrahedron 5");
    check(FiberConstraint { direction: Vec3::NAN, ..good }, "direction");
    check(FiberConstraint { weight: -1.0, ..good }, "weight");
    let none = FiberConstraint { direction: Vec3::ZERO, ..good };
    let field = solver.solve(&[good, none]).unwrap();
    assert_eq!(field.warnings, [FiberWarning::NoDirection { constraints: 1 }]);
}

#[test]
fn a_stroke_turns_the_fibers_under_it() {
    let surface = shapes::capsule(0.6, 0.1, 32, 40, 8);
    let cover = covered(&surface, 0.03);
    let canvas = StrokeCanvas::new(&surface, &cover);
    // Slanted by 45° over the front of the limb.
    let at = |t: f32| {
        let turn = (t - 0.5) * 1.2;
        Vec3::new(0.1 * turn.sin(), 0.3 + 0.1 * turn, 0.1 * turn.cos())
    };
    let points: Vec<[f64; 3]> = (0..=12).map(|step| at(step as f32 / 12.0).as_dvec3().to_array()).collect();
    let mut warnings = Vec::new();
    let strokes = [Stroke { points, weight: 1.0 }];
    let drawn = canvas.constraints(&strokes, &mut warnings);
    assert_eq!(warnings, []);
    let mut known = on_skin(&surface, &cover, |_| Vec3::Y);
    let mut solver = FiberSolver::new(&cover.mesh).unwrap();
    let before = solver.solve(&known).unwrap();
    known.extend(drawn.iter().copied());
    let after = solver.solve(&known).unwrap();
    for piece in &drawn {
        let FiberPlace::Within(tet, _) = piece.place else { panic!("strokes are laid within tetrahedra") };
        assert!(angle_deg(before.tet_directions[tet as usize], Vec3::Y) < 5.0);
        assert!(angle_deg(after.tet_directions[tet as usize], piece.direction) < 10.0);
    }
    // Far from it nothing changes.
    let top = |tet: &[u32; 4]| tet.iter().all(|&at| cover.mesh.points()[at as usize].y > 0.52);
    for (tet, _) in cover.mesh.tets().iter().enumerate().filter(|(_, tet)| top(tet)) {
        assert!(angle_deg(before.tet_directions[tet], after.tet_directions[tet]) < 3.0);
    }
}

#[test]
fn strokes_off_the_skin_and_without_length_are_reported() {
    let surface = shapes::capsule(0.6, 0.1, 16, 20, 4);
    let cover = covered(&surface, 0.05);
    let canvas = StrokeCanvas::new(&surface, &cover);
    let stroke = |points: Vec<Vec3>| Stroke {
        points: points.iter().map(|point| point.as_dvec3().to_array()).collect(),
        weight: 0.01,
    };
    let on = Vec3::new(0.0, 0.1, 0.1);
    let strokes = [
        stroke(vec![Vec3::X * 3.0, Vec3::X * 4.0]),
        stroke(vec![on, on]),
        stroke(vec![]),
        stroke(vec![Vec3::NAN, on]),
        stroke(vec![on, on + Vec3::Y * 0.2]),
    ];
    let mut warnings = Vec::new();
    let drawn = canvas.constraints(&strokes, &mut warnings);
    assert_eq!(
        warnings,
        [
            FiberWarning::StrokeOffSkin { stroke: 0, share: 1.0 },
            FiberWarning::StrokeTooShort { stroke: 1 },
            FiberWarning::StrokeTooShort { stroke: 2 },
            FiberWarning::StrokeTooShort { stroke: 3 },
        ]
    );
    // Pieces of half a spacing at most, and rounding.
    assert!((8..=9).contains(&drawn.len()), "{}", drawn.len());
}

#[test]
fn a_turn_winds_fibers_round_the_limb_and_mirrors_left_and_right() {
    let radius = 0.1;
    for place_x in [1.0, -1.0] {
        let mut surface = shapes::cylinder(0.6, radius, 24, 12);
        surface.positions.iter_mut().for_each(|position| position.x += place_x);
        let cover = covered(&surface, 0.05);
        let along = vec![Vec3::Y; surface.positions.len()];
        let turned = FiberSettings { skin_turn_deg: 0.5_f64.to_degrees(), ..FiberSettings::default() };
        let skin = natural::within_skin(&surface, &cover, &along, &turned);
        let straight = natural::within_skin(&surface, &cover, &along, &FiberSettings::default());
        assert_eq!(skin.len(), straight.len());
        for (turned, straight) in skin.iter().zip(&straight) {
            let angle = angle_deg(turned.direction, straight.direction);
            assert!((angle - 0.5f32.to_degrees()).abs() < 0.1, "{angle}°");
        }
        let field = FiberSolver::new(&cover.mesh).unwrap().solve(&skin).unwrap();
        let points = cover.mesh.points().iter().zip(&field.point_directions);
        let front = points
            .filter(|(at, _)| (at.x - place_x).abs() < 0.03 && at.z > 0.08 && (0.15..0.45).contains(&at.y));
        let slopes: Vec<f32> = front.map(|(_, fiber)| fiber.x / fiber.y).collect();
        // Seen from the front, +X is to the right: counter-clockwise from upright leans to −X.
        assert!(!slopes.is_empty() && slopes.iter().all(|slope| slope * place_x < -0.2), "{slopes:?}");
    }
}
