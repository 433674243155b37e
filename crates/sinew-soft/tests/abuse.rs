//! Bodies must survive anything, and come back.

use glam::{Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_soft::{RegionMaterial, Regions, Rings, SoftBody, StepSettings};

/// Trials of each kind; `SINEW_SLOW` runs all thousand.
fn trial_count() -> usize {
    if std::env::var_os("SINEW_SLOW").is_some() { 1000 } else { 20 }
}

struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        (Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0) * size
    }

    fn turn(&mut self) -> Quat {
        Quat::from_axis_angle((self.vector(1.0) + Vec3::X * 1e-3).normalize(), 6.3 * self.unit())
    }
}

struct Trial {
    mesh: TetMesh,
    body: SoftBody,
}

/// A small bar of random proportions and material, with no gravity to fight against.
fn trial(random: &mut Random) -> Trial {
    let cells = [2 + (3.0 * random.unit()) as usize, 2, 1 + (2.0 * random.unit()) as usize];
    let size = Vec3::new(0.5, 0.25, 0.25) * (0.5 + random.unit());
    let mesh = TetMesh::lattice(cells, size);
    let masses = vec![1.0; mesh.points().len()];
    let material = RegionMaterial {
        square_speed: 200.0 * 10f32.powf(random.unit()),
        bulk: if random.unit() < 0.5 { 0.0 } else { 10.0 * random.unit() },
    };
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
    let body = SoftBody::new(mesh.points(), &masses, vec![(regions, None)]);
    Trial { mesh, body }
}

impl Trial {
    fn settle(&mut self, seconds: f32) {
        let settings = StepSettings { gravity: Vec3::ZERO, damping: 3.0, ..StepSettings::default() };
        for _ in 0..(60.0 * seconds) as usize {
            self.body.step(&settings, &[]);
        }
    }

    /// The largest change of distance between any two particles, as a share of the body's size.
    fn distortion(&self) -> f32 {
        let (points, count) = (self.mesh.points(), self.mesh.points().len());
        let size = points.iter().fold(0.0f32, |most, point| most.max(point.length()));
        let mut worst = 0.0f32;
        for a in 0..count {
            for b in 0..a {
                let now = self.body.position(a).distance(self.body.position(b));
                assert!(now.is_finite(), "particles {a} and {b} are {now} apart");
                worst = worst.max((now - points[a].distance(points[b])).abs() / size);
            }
        }
        worst
    }
}

#[track_caller]
fn check(name: &str, seed: u64, abuse: impl Fn(&mut Trial, &mut Random)) {
    let mut failures = Vec::new();
    for number in 0..trial_count() {
        let mut random = Random(seed + 1000 * number as u64);
        let mut trial = trial(&mut random);
        abuse(&mut trial, &mut random);
        trial.settle(6.0);
        let left = trial.distortion();
        if left > 0.01 {
            failures.push((number, left));
        }
    }
    assert!(failures.is_empty(), "{name}: {} of {}: {failures:?}", failures.len(), trial_count());
}

fn place_all(trial: &mut Trial, mut place: impl FnMut(Vec3) -> Vec3) {
    for (at, point) in trial.mesh.points().iter().enumerate() {
        trial.body.set_position(at, place(*point));
    }
}

#[test]
fn scrambled() {
    check("scrambled", 1, |trial, random| place_all(trial, |_| random.vector(0.5)));
}

#[test]
fn inverted() {
    check("inverted", 2, |trial, random| {
        let turn = random.turn();
        place_all(trial, |point| turn * -point);
    });
}

#[test]
fn collapsed() {
    check("collapsed", 3, |trial, random| {
        let (turn, kind) = (random.turn(), random.unit());
        let flat = if kind < 0.4 {
            Vec3::new(1.0, 0.0, 1.0)
        } else if kind < 0.7 {
            Vec3::X
        } else {
            Vec3::ZERO
        };
        place_all(trial, |point| turn * (flat * (turn.conjugate() * point)));
    });
}

#[test]
fn teleported_handles() {
    check("teleported", 4, |trial, random| {
        let settings = StepSettings::default();
        for _ in 0..10 {
            let place = random.vector(3.0);
            trial.body.hold(0, Some(place));
            trial.body.hold(1, Some(place + random.vector(0.3)));
            trial.body.step(&settings, &[]);
        }
        trial.body.hold(0, None);
        trial.body.hold(1, None);
    });
}

#[test]
fn odd_steps() {
    check("odd steps", 5, |trial, random| {
        for _ in 0..20 {
            let dt_secs = [0.0, 1e-6, 0.5, 1.0 / 60.0][(4.0 * random.unit()) as usize % 4];
            let settings = StepSettings {
                dt_secs,
                iterations: 1 + (30.0 * random.unit()) as u32,
                ..StepSettings::default()
            };
            trial.body.hold(0, Some(random.vector(0.2)));
            trial.body.step(&settings, &[]);
        }
        trial.body.hold(0, None);
    });
}

#[test]
fn heavy() {
    check("heavy", 6, |trial, random| {
        let gravity = random.vector(1.0).normalize_or(Vec3::Y) * 9810.0;
        trial.body.hold(0, Some(Vec3::ZERO));
        for _ in 0..30 {
            trial.body.step(&StepSettings { gravity, ..StepSettings::default() }, &[]);
        }
        trial.body.hold(0, None);
        // It flies off; what counts is its shape.
    });
}

#[test]
fn extreme_stiffness_does_not_explode() {
    for square_speed in [0.0, 1e-6, 1e6, 1e12] {
        let mesh = TetMesh::lattice([4, 2, 2], Vec3::new(0.4, 0.2, 0.2));
        let masses = vec![1.0; mesh.points().len()];
        let material = RegionMaterial { square_speed, bulk: 5.0 };
        let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
        let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions, None)]);
        body.hold(0, Some(Vec3::ZERO));
        for _ in 0..120 {
            body.step(&StepSettings::default(), &[]);
        }
        // Falling freely for two seconds is the farthest that anything gets.
        assert!(body.positions().all(|place| place.length() < 25.0), "{square_speed}");
    }
}
