//! Flesh that is pulled along its fibres.

use glam::Vec3;
use sinew_flesh::motion::{Drive, Flesh, FleshParts, MotionSettings};
use sinew_geometry::TetMesh;

const SIZE: Vec3 = Vec3::new(0.1, 0.4, 0.1);

/// A strip of flesh that hangs from its upper end, with fibres along it.
fn strip(beta: f32) -> FleshParts {
    let mesh = TetMesh::lattice([3, 12, 3], SIZE);
    let count = mesh.points().len();
    let mut masses = vec![0.0; count];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        corners.iter().for_each(|&corner| masses[corner as usize] += 250.0 * mesh.tet_volume(tet) as f32);
    }
    FleshParts {
        is_held: mesh.points().iter().map(|point| point.y > SIZE.y - 1e-3).collect(),
        square_speeds: vec![12.0; count],
        dampings: vec![6.0; count],
        reaches: vec![10.0; count],
        backstops: vec![(Vec3::ZERO, 0.0); count],
        fibres: vec![Vec3::Y; count],
        gives: vec![beta; count],
        muscles: vec![Vec::new(); count],
        muscle_count: 0,
        masses,
        mesh,
    }
}

/// How much longer a strip gets under its own weight, how much narrower its middle, and what becomes of its volume, as shares of rest.
fn pulled(beta: f32) -> [f32; 3] {
    let parts = strip(beta);
    let points = parts.mesh.points().to_vec();
    let settings = MotionSettings { gravity_share: 1.0, iterations: 30, ..MotionSettings::default() };
    let mut flesh = Flesh::new(parts, settings).expect("lists of one length");
    let rest = flesh.volume();
    let drive = Drive { shape: points.clone(), ..Drive::default() };
    (0..600).for_each(|_| {
        flesh.step(&drive);
    });
    let now: Vec<Vec3> = flesh.positions().collect();
    let mean = |is_in: &dyn Fn(Vec3) -> bool, of: &dyn Fn(Vec3) -> f32| {
        let chosen: Vec<f32> = (0..now.len()).filter(|&at| is_in(points[at])).map(|at| of(now[at])).collect();
        chosen.iter().sum::<f32>() / chosen.len() as f32
    };
    let length = SIZE.y - mean(&|point| point.y < 1e-3, &|now| now.y);
    let is_middle = |point: Vec3| (0.2..0.33).contains(&point.y);
    let width = mean(&|point| is_middle(point) && point.x > SIZE.x - 1e-3, &|now| now.x)
        - mean(&|point| is_middle(point) && point.x < 1e-3, &|now| now.x);
    [length / SIZE.y, width / SIZE.x, (flesh.volume() / rest) as f32]
}

#[test]
fn stretch_along_the_fibre_grows_with_beta_and_the_section_answers_by_volume() {
    let found = [0.0, 0.5, 1.0].map(pulled);
    eprintln!("beta 0, 0.5, 1: length, width, volume {found:?}");
    let stretch = found.map(|[length, ..]| length - 1.0);
    assert!(stretch[0] > 0.01, "{stretch:?}");
    // With κ = 0.9, what is left of the stiffness along the fibre is 1, 0.55 and 0.1 of all: volume holds back a part of it.
    assert!(stretch[1] > 1.15 * stretch[0] && stretch[2] > 1.5 * stretch[1], "{stretch:?}");
    assert!(found[0][1] > found[1][1] && found[1][1] > found[2][1], "{found:?}");
    for [_, _, volume] in found {
        assert!((volume - 1.0).abs() < 0.01, "{found:?}");
    }
}
