//! What bodies must do, whatever the kernels.

use crate::{
    ExampleSet, ExampleSettings, Grouping, Integration, RegionMaterial, Regions, Rings, SoftBody,
    StepSettings,
};
use glam::Vec3;
use sinew_geometry::TetMesh;
use sinew_geometry::simd::Backend;

const SIZE: Vec3 = Vec3::new(0.8, 0.4, 0.4);

struct Bar {
    mesh: TetMesh,
    masses: Vec<f32>,
    regions: Regions,
}

fn bar(cells: [usize; 3], square_speed: f32) -> Bar {
    let mesh = TetMesh::lattice(cells, SIZE);
    let mut masses = vec![0.0; mesh.points().len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        corners.iter().for_each(|&corner| masses[corner as usize] += 250.0 * mesh.tet_volume(tet) as f32);
    }
    let material = RegionMaterial { square_speed, ..RegionMaterial::default() };
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
    Bar { mesh, masses, regions }
}

impl Bar {
    fn body(&self, examples: Option<ExampleSet>) -> SoftBody {
        SoftBody::new(self.mesh.points(), &self.masses, vec![(self.regions.clone(), examples)])
    }

    fn held(&self) -> SoftBody {
        let mut body = self.body(None);
        for (particle, point) in self.mesh.points().iter().enumerate().filter(|(_, point)| point.x == 0.0) {
            body.hold(particle, Some(*point));
        }
        body
    }

    fn sag(&self, body: &SoftBody) -> f32 {
        let tip: Vec<usize> = (0..self.masses.len()).filter(|&at| self.mesh.points()[at].x > 0.799).collect();
        let sum: f32 = tip.iter().map(|&at| self.mesh.points()[at].y - body.position(at).y).sum();
        sum / tip.len() as f32
    }

    /// The largest change of an edge's length, as a share of it.
    fn strain(&self, body: &SoftBody) -> f32 {
        let points = self.mesh.points();
        let edges = self.mesh.tets().iter().map(|tet| (tet[0] as usize, tet[1] as usize));
        edges
            .map(|(a, b)| body.position(a).distance(body.position(b)) / points[a].distance(points[b]) - 1.0)
            .fold(0.0, |most, strain| f32::max(most, strain.abs()))
    }
}

fn settle(body: &mut SoftBody, seconds: f32, settings: &StepSettings) {
    for _ in 0..(seconds / settings.dt_secs).round() as usize {
        body.step(settings, &[]);
    }
}

/// Sag of the bar's end by Timoshenko's theory, with E/ρ, G = E/2 and shear factor 5/6: w L⁴ / 8 E I + w L² / 2 κ A G.
fn timoshenko_sag(square_speed: f32) -> f32 {
    let (length, side, g) = (SIZE.x, SIZE.y, 9.81);
    let bend = 1.5 * g / square_speed * length.powi(4) / side.powi(2);
    let shear = g * length.powi(2) / (2.0 * (5.0 / 6.0) * 0.5 * square_speed);
    bend + shear
}

#[test]
fn a_bar_sags_as_the_theory_of_beams_says_at_any_resolution() {
    let settings = StepSettings { dt_secs: 1.0 / 120.0, damping: 4.0, ..StepSettings::default() };
    // Stiff, so that sags are small, as the theory asks.
    let square_speed = 2000.0;
    let expected = timoshenko_sag(square_speed);
    for cells in [[8, 4, 4], [16, 8, 8], [24, 8, 8]] {
        let bar = bar(cells, square_speed);
        let mut body = bar.held();
        settle(&mut body, 3.0, &settings);
        let sag = bar.sag(&body);
        assert!((sag / expected - 1.0).abs() < 0.05, "{cells:?}: {sag} instead of {expected}");
    }
}

#[test]
fn sag_depends_neither_on_the_step_nor_on_the_iterations() {
    let bar = bar([8, 4, 4], 500.0);
    let sags: Vec<f32> = [(60.0, 20), (120.0, 10), (240.0, 5), (480.0, 5), (60.0, 5)]
        .into_iter()
        .map(|(rate, iterations)| {
            let settings =
                StepSettings { dt_secs: 1.0 / rate, iterations, damping: 4.0, ..StepSettings::default() };
            let mut body = bar.held();
            settle(&mut body, 5.0, &settings);
            bar.sag(&body)
        })
        .collect();
    assert!(sags.iter().all(|sag| (sag / sags[0] - 1.0).abs() < 0.01), "{sags:?}");
}

#[test]
fn sag_by_the_sources_update_grows_with_the_step() {
    let bar = bar([8, 4, 4], 500.0);
    let sag = |rate: f32, iterations: u32| {
        let integration = Integration::Source { alpha: 1.0 };
        let dt_secs = 1.0 / rate;
        let settings =
            StepSettings { dt_secs, iterations, damping: 4.0, integration, ..StepSettings::default() };
        let mut body = bar.held();
        settle(&mut body, 3.0, &settings);
        bar.sag(&body)
    };
    let sags = [60.0, 120.0, 240.0, 480.0].map(|rate| sag(rate, 20));
    // A goal is reached at once, so that stiffness is m / h²: a quarter of the step, a sixteenth of the sag, where sags are small.
    assert!((3.0..5.0).contains(&(sags[2] / sags[3])), "{sags:?}");
    assert!(sags[0] > 1.5 * sags[1] && sags[1] > 2.0 * sags[2], "{sags:?}");
    assert_eq!(sag(240.0, 1), sags[2], "it has no iterations");
}

#[test]
fn scrambled_inverted_and_collapsed_bodies_recover() {
    let bar = bar([8, 4, 4], 500.0);
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 2.0, ..StepSettings::default() };
    let points = bar.mesh.points();
    let noise = |at: usize| {
        let wave = |k: f32| (at as f32 * k).sin();
        Vec3::new(wave(12.9), wave(78.2), wave(37.7)) * 0.4
    };
    type Abuse<'a> = (&'a str, Box<dyn Fn(usize) -> Vec3 + 'a>);
    let abuses: [Abuse<'_>; 4] = [
        ("scrambled", Box::new(noise)),
        ("inverted", Box::new(|at| -points[at])),
        ("flat", Box::new(|at| points[at] * Vec3::new(1.0, 0.0, 1.0))),
        ("a point", Box::new(|_| Vec3::ZERO)),
    ];
    for (name, place) in abuses {
        let mut body = bar.body(None);
        (0..points.len()).for_each(|at| body.set_position(at, place(at)));
        settle(&mut body, 10.0, &settings);
        let stretch = bar.strain(&body);
        assert!(stretch < 0.01, "{name}: {stretch}");
    }
}

fn twisted(points: &[Vec3], turns: f32) -> Vec<Vec3> {
    let middle = Vec3::new(0.0, 0.5 * SIZE.y, 0.5 * SIZE.z);
    let twist =
        |point: &Vec3| glam::Quat::from_rotation_x(turns * point.x / SIZE.x) * (*point - middle) + middle;
    points.iter().map(twist).collect()
}

#[test]
fn an_example_is_followed_without_effort_and_left_by_beta() {
    let bar = bar([8, 4, 4], 500.0);
    let shapes = vec![twisted(bar.mesh.points(), 1.0)];
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 1.0, ..StepSettings::default() };
    let begin = |examples: Option<ExampleSet>| {
        let mut body = bar.body(examples);
        shapes[0].iter().enumerate().for_each(|(at, place)| body.set_position(at, *place));
        body
    };
    let farthest =
        |body: &SoftBody| (0..225).map(|at| body.position(at).distance(shapes[0][at])).fold(0.0, f32::max);
    let mut plain = begin(None);
    plain.step(&settings, &[]);
    for grouping in [Grouping::Whole, Grouping::Groups((0..225).map(|at| at / 113).collect()), Grouping::Each]
    {
        let bind = |beta: f32| {
            let settings = ExampleSettings { grouping: grouping.clone(), beta, ..ExampleSettings::default() };
            Some(ExampleSet::bind(&bar.regions, &shapes, &settings).unwrap())
        };
        // A region in the middle of a side, if each has its own: those at the ends and on the axis are hardly twisted.
        let group = if grouping == Grouping::Each { 102 } else { 0 };
        // Only what is not linear within a region is still pulled straight.
        let mut follows = begin(bind(1.0));
        follows.step(&settings, &[]);
        assert!(follows.examples(0).unwrap().weights(group)[0] > 0.9, "{grouping:?}");
        let (with, without) = (farthest(&follows), farthest(&plain));
        assert!(with < 0.15 * without, "{grouping:?}: {with} instead of {without}");
        let mut returns = begin(bind(0.9));
        settle(&mut returns, 6.0, &settings);
        let left = bar.strain(&returns);
        assert!(left < 0.01, "{grouping:?}: {left}");
        assert!(returns.examples(0).unwrap().weights(group)[0] < 0.02, "{grouping:?}");
    }
}

#[test]
fn threads_change_nothing_and_backends_little() {
    let bar = bar([12, 6, 6], 500.0);
    let shapes = vec![twisted(bar.mesh.points(), 1.0), twisted(bar.mesh.points(), -0.5)];
    let run = |threads: usize, backend: Backend| {
        let examples = ExampleSet::bind(&bar.regions, &shapes, &ExampleSettings::default()).unwrap();
        let mut body = bar.body(Some(examples));
        for at in 0..7 {
            body.hold(at, Some(bar.mesh.points()[at]));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settings = StepSettings { backend, ..StepSettings::default() };
        pool.install(|| (0..100).for_each(|_| body.step(&settings, &[])));
        (0..body.particle_count()).map(|at| body.position(at)).collect::<Vec<_>>()
    };
    let first = run(1, Backend::detect());
    assert_eq!(first, run(2, Backend::detect()));
    assert_eq!(first, run(5, Backend::detect()));
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let other = run(1, backend);
        let apart = first.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart < 1e-4, "{backend:?}: {apart}");
    }
}

#[test]
fn a_free_body_keeps_its_momentum_and_falls_as_it_should() {
    let bar = bar([8, 4, 4], 500.0);
    let settings = StepSettings { damping: 0.0, gravity: Vec3::ZERO, ..StepSettings::default() };
    let mut body = bar.body(None);
    let spin = Vec3::new(0.3, 2.0, -1.0);
    for (at, point) in bar.mesh.points().iter().enumerate() {
        // Turning, drifting, and ringing.
        body.set_velocity(at, spin.cross(*point - 0.5 * SIZE) + Vec3::X + Vec3::Y * (9.0 * point.x).sin());
    }
    let before = body.momentum();
    settle(&mut body, 10.0, &settings);
    let after = body.momentum();
    assert!((after.linear - before.linear).length() < 1e-5 * before.linear.length());
    assert!((after.angular - before.angular).length() < 1e-3 * before.angular.length());
    let drift = after.center - before.center - before.linear / before.mass * 10.0;
    assert!(drift.length() < 0.01, "{drift}");

    let falling = StepSettings { damping: 0.0, ..StepSettings::default() };
    let mut body = bar.body(None);
    settle(&mut body, 1.0, &falling);
    let fallen = body.momentum().center.y - 0.2;
    // Sixty steps fall by h² g (1 + 2 + … + 60).
    let expected = -9.81 / 3600.0 * 60.0 * 61.0 / 2.0;
    assert!((fallen - expected).abs() < 1e-3, "{fallen} instead of {expected}");
}

#[test]
fn rest_is_rest_to_the_bit() {
    let bar = bar([8, 4, 4], 500.0);
    let weightless = StepSettings { gravity: Vec3::ZERO, ..StepSettings::default() };
    let heavy = StepSettings { damping: 4.0, ..StepSettings::default() };
    for (mut body, settings, seconds) in [(bar.body(None), weightless, 1.0), (bar.held(), heavy, 8.0)] {
        settle(&mut body, seconds, &settings);
        let before: Vec<Vec3> = body.positions().collect();
        settle(&mut body, 1.0, &settings);
        assert!(body.positions().eq(before.iter().copied()));
        if settings.gravity == Vec3::ZERO {
            // Rounding of the tables, at first.
            let moved = before.iter().zip(bar.mesh.points()).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(moved < 2e-5, "{moved}");
        }
    }
}

#[test]
fn a_dropped_bar_lies_on_the_floor_and_does_not_slide() {
    let bar = bar([8, 4, 4], 500.0);
    let settings = StepSettings::default();
    let floor = [crate::Collider::floor(-0.5, crate::ContactSettings::default())];
    let mut body = bar.body(None);
    let centers: Vec<Vec3> = (0..600)
        .map(|_| {
            body.step(&settings, &floor);
            body.momentum().center.as_vec3()
        })
        .collect();
    assert!(body.positions().all(|place| place.y > -0.5001));
    let last = centers[599];
    assert!((last.y + 0.3).abs() < 0.05, "{last}");
    assert!(last.distance(centers[500]) < 1e-3, "{last} {}", centers[500]);
    assert!((last.x - 0.4).abs() < 0.01 && (last.z - 0.2).abs() < 0.01, "{last}");
}

#[test]
fn a_bar_keeps_its_volume_when_pressed_and_twisted() {
    let mesh = TetMesh::lattice([8, 4, 4], SIZE);
    let masses = vec![0.5; mesh.points().len()];
    let bound = |bulk: f32| {
        let material = RegionMaterial { square_speed: 500.0, bulk };
        Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material)
    };
    let settings =
        StepSettings { gravity: Vec3::ZERO, iterations: 40, damping: 2.0, ..StepSettings::default() };
    let press = |point: Vec3| Vec3::new(point.x * 0.8, point.y, point.z);
    let twist = |point: Vec3| twisted(&[point], 1.5)[0];
    let run = |bulk: f32, held_at: &dyn Fn(Vec3) -> Vec3| {
        let mut body = SoftBody::new(mesh.points(), &masses, vec![(bound(bulk), None)]);
        for (at, point) in mesh.points().iter().enumerate() {
            if point.x == 0.0 || point.x > 0.799 {
                body.hold(at, Some(held_at(*point)));
            }
        }
        settle(&mut body, 3.0, &settings);
        let now = TetMesh::new(body.positions().collect(), mesh.tets().to_vec()).unwrap();
        now.volume() / mesh.volume() - 1.0
    };
    assert!(run(0.0, &press) < -0.05);
    for held_at in [&press as &dyn Fn(Vec3) -> Vec3, &twist] {
        let change = run(100.0, held_at);
        assert!(change.abs() < 0.01, "{change}");
    }
}
