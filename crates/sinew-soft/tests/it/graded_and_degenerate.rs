//! Meshes of uneven cells, and input that is hardly a body.

use glam::Vec3;
use sinew_geometry::TetMesh;
use sinew_soft::{
    Chain, ChainMaterial, ExampleSet, ExampleSettings, Grouping, RegionMaterial, Regions, Rings, Sheet,
    SheetMaterial, SoftBody, StepSettings, Strand, StructureError,
};

const SIZE: Vec3 = Vec3::new(0.8, 0.4, 0.4);

/// A bar whose half far from the hold, or near it, has cells four times as short.
fn graded(coarse: usize, is_fine_at_root: bool) -> TetMesh {
    let even = TetMesh::lattice([5 * coarse / 2, coarse, coarse], SIZE);
    let cells = 5 * coarse / 2;
    // One cell in five is coarse, of half the length together.
    let coarse_cells = cells / 5;
    let place = |x: f32| {
        let at = x / SIZE.x * cells as f32;
        let fine_cells = (cells - coarse_cells) as f32;
        let half = 0.5 * SIZE.x;
        if at <= fine_cells {
            at / fine_cells * half
        } else {
            half + (at - fine_cells) / coarse_cells as f32 * half
        }
    };
    let bend = |point: &Vec3| {
        let x = place(point.x);
        Vec3::new(if is_fine_at_root { x } else { SIZE.x - x }, point.y, point.z)
    };
    TetMesh::new(even.points().iter().map(bend).collect(), even.tets().to_vec())
        .expect("tetrahedra that are right")
}

fn masses_of(mesh: &TetMesh) -> Vec<f32> {
    let mut masses = vec![0.0; mesh.points().len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        corners.iter().for_each(|&corner| masses[corner as usize] += 250.0 * mesh.tet_volume(tet) as f32);
    }
    masses
}

fn sag(mesh: &TetMesh, square_speed: f32) -> f32 {
    let masses = masses_of(mesh);
    let material = RegionMaterial { square_speed, ..RegionMaterial::default() };
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(mesh), |_| material);
    let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions, None)]);
    for (particle, point) in mesh.points().iter().enumerate().filter(|(_, point)| point.x.abs() < 1e-6) {
        body.hold(particle, Some(*point));
    }
    let settings = StepSettings { dt_secs: 1.0 / 120.0, damping: 4.0, ..StepSettings::default() };
    for _ in 0..360 {
        body.step(&settings, &[]);
    }
    let tip: Vec<usize> = (0..masses.len()).filter(|&at| mesh.points()[at].x > SIZE.x - 1e-4).collect();
    tip.iter().map(|&at| mesh.points()[at].y - body.position(at).y).sum::<f32>() / tip.len() as f32
}

#[test]
fn a_graded_bar_sags_as_an_even_one_does() {
    let even = sag(&TetMesh::lattice([16, 8, 8], SIZE), 2000.0);
    for is_fine_at_root in [true, false] {
        let uneven = sag(&graded(8, is_fine_at_root), 2000.0);
        assert!(
            (uneven / even - 1.0).abs() < 0.05,
            "fine at root {is_fine_at_root}: {uneven} instead of {even}"
        );
    }
}

#[test]
fn examples_weigh_graded_bars_by_mass_and_not_by_count() {
    // From none of an example at one end to all of it at the other: the weight is a half, wherever the small cells are. By the count of
    // regions it would be a third or two.
    for is_fine_at_root in [true, false] {
        let mesh = graded(8, is_fine_at_root);
        let masses = masses_of(&mesh);
        let regions =
            Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| RegionMaterial::default());
        let example = mesh.points().iter().map(|point| *point * Vec3::new(1.0, 1.2, 1.0)).collect();
        let set = ExampleSet::bind(&regions, &[example], &ExampleSettings::default()).unwrap();
        let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions, Some(set))]);
        for (at, point) in mesh.points().iter().enumerate() {
            body.set_position(at, *point * Vec3::new(1.0, 1.0 + 0.2 * point.x / SIZE.x, 1.0));
        }
        let still =
            StepSettings { dt_secs: 1e-6, iterations: 1, gravity: Vec3::ZERO, ..StepSettings::default() };
        body.step(&still, &[]);
        let weight = body.examples(0).unwrap().weights(0)[0];
        assert!((weight - 0.5).abs() < 0.03, "fine at root {is_fine_at_root}: {weight}");
    }
}

fn survives(points: &[Vec3], tets: Vec<[u32; 4]>) -> SoftBody {
    let mesh = TetMesh::new(points.to_vec(), tets).expect("tetrahedra that are right");
    let masses = vec![1.0; points.len()];
    let material = RegionMaterial { bulk: 5.0, ..RegionMaterial::default() };
    let regions = Regions::bind(points, &masses, &Rings::of_tets(&mesh), |_| material);
    let mut body = SoftBody::new(points, &masses, vec![(regions, None)]);
    for _ in 0..60 {
        body.step(&StepSettings { damping: 0.0, ..StepSettings::default() }, &[]);
    }
    assert!(body.positions().all(Vec3::is_finite), "a particle is nowhere");
    body
}

/// What a second of falling in 60 steps is.
const FALL_M: f32 = 9.81 / 3600.0 * 60.0 * 61.0 / 2.0;

#[test]
fn flat_needle_and_doubled_tetrahedra_fall_as_they_are() {
    let cases: [(&str, Vec<Vec3>); 4] = [
        ("flat", vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(0.3, 0.0, 0.3)]),
        ("needle", vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0]),
        ("sliver", vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(0.3, 1e-7, 0.3)]),
        ("duplicate points", vec![Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::Y]),
    ];
    for (name, points) in cases {
        let body = survives(&points, vec![[0, 1, 2, 3]]);
        for (at, point) in points.iter().enumerate() {
            let fallen = *point - body.position(at);
            assert!((fallen - Vec3::Y * FALL_M).length() < 0.01, "{name}: particle {at} fell by {fallen}");
        }
    }
}

#[test]
fn isolated_vertices_fall_alone_and_the_rest_holds_together() {
    let bar = TetMesh::lattice([2, 1, 1], Vec3::new(0.2, 0.1, 0.1));
    let mut points = bar.points().to_vec();
    points.push(Vec3::new(5.0, 0.0, 0.0));
    let body = survives(&points, bar.tets().to_vec());
    let last = points.len() - 1;
    assert!((body.position(last).y + FALL_M).abs() < 0.01, "{}", body.position(last));
    let span = body.position(0).distance(body.position(last - 1));
    assert!((span / points[0].distance(points[last - 1]) - 1.0).abs() < 1e-3);
}

#[test]
fn bodies_of_nothing_and_of_one_particle_are_bodies() {
    let none = Rings::from_lists([]);
    let regions = Regions::bind(&[], &[], &none, |_| RegionMaterial::default());
    let mut empty = SoftBody::new(&[], &[], vec![(regions, None)]);
    empty.step(&StepSettings::default(), &[]);
    assert_eq!(empty.momentum().mass, 0.0);
    let one = Rings::from_lists([vec![0]]);
    let regions = Regions::bind(&[Vec3::Y], &[2.0], &one, |_| RegionMaterial::default());
    let mut body = SoftBody::new(&[Vec3::Y], &[2.0], vec![(regions, None)]);
    body.step(&StepSettings::default(), &[]);
    assert!((body.position(0).y - (1.0 - 9.81 / 3600.0)).abs() < 1e-5);
    // Regions without members, and groups without regions.
    let lists = Rings::from_lists([vec![0, 1, 2, 3], vec![], vec![2]]);
    let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let regions = Regions::bind(&points, &[1.0; 4], &lists, |_| RegionMaterial::default());
    let settings =
        ExampleSettings { grouping: Grouping::Groups(vec![0, 2, 2]), ..ExampleSettings::default() };
    let shape = points.map(|point| point * 1.5).to_vec();
    let set = ExampleSet::bind(&regions, &[shape], &settings).unwrap();
    let mut body = SoftBody::new(&points, &[1.0; 4], vec![(regions, Some(set))]);
    body.step(&StepSettings::default(), &[]);
    assert!(body.positions().all(Vec3::is_finite));
    assert_eq!(body.examples(0).unwrap().weights(1), vec![0.0]);
}

#[test]
fn chains_and_sheets_refuse_what_they_cannot_be_and_say_where() {
    let strand = |points: Vec<Vec3>, radius_m: f32| {
        Chain { strands: vec![Strand { points, radius_m }], material: ChainMaterial::default() }
            .body()
            .unwrap_err()
    };
    let line = || vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    assert_eq!(strand(vec![Vec3::ZERO], 0.1), StructureError::ShortStrand { strand: 0, found: 1 });
    assert_eq!(
        strand(vec![Vec3::ZERO, Vec3::X, Vec3::X], 0.1),
        StructureError::StrandRepeats { strand: 0, point: 1 }
    );
    assert_eq!(strand(vec![Vec3::ZERO, Vec3::NAN], 0.1), StructureError::StrandPoint { strand: 0, point: 1 });
    assert!(matches!(strand(line(), 0.0), StructureError::NotPositive { .. }));
    let stiff = ChainMaterial { twist_square_speed: 1e9, ..ChainMaterial::default() };
    assert!(matches!(
        Chain { strands: vec![], material: stiff }.body(),
        Err(StructureError::TwistTooStiff { .. })
    ));
    assert_eq!(Chain::default().body().unwrap().particle_count(), 0);

    let sheet = |edit: &dyn Fn(&mut Sheet)| {
        let mut sheet = Sheet::grid([1, 1], Vec3::X, Vec3::Z, SheetMaterial::default());
        edit(&mut sheet);
        sheet.body().unwrap_err()
    };
    assert_eq!(sheet(&|s| s.mesh.positions.push(Vec3::Y)), StructureError::LoosePoint { point: 4 });
    assert_eq!(
        sheet(&|s| s.mesh.triangles.push([0, 1, 9])),
        StructureError::Corner { triangle: 2, corner: 9, point_count: 4 }
    );
    assert_eq!(sheet(&|s| s.mesh.triangles.push([0, 1, 1])), StructureError::FlatTriangle { triangle: 2 });
    assert_eq!(sheet(&|s| s.mesh.positions[2] = Vec3::INFINITY), StructureError::Point { point: 2 });
    assert!(matches!(sheet(&|s| s.material.thickness_m = 0.0), StructureError::NotPositive { .. }));
}
