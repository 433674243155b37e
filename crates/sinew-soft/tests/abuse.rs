//! Bodies must survive anything, and come back.

use glam::{Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_soft::{RegionMaterial, Regions, Rings, SoftBody, StepSettings};

/// Trials of each kind; all thousand with the feature `slow`.
const TRIAL_COUNT: usize = if cfg!(feature = "slow") { 1000 } else { 100 };

/// As much of a body's size may be left of what it suffered.
const MOST_LEFT: f32 = 0.01;

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

/// A small bar of random proportions and material.
fn trial(random: &mut Random) -> Trial {
    trial_of(random, |random| RegionMaterial {
        square_speed: 200.0 * 10f32.powf(random.unit()),
        bulk: if random.unit() < 0.5 { 0.0 } else { 10.0 * random.unit() },
    })
}

fn trial_of(random: &mut Random, material: impl Fn(&mut Random) -> RegionMaterial) -> Trial {
    let cells = [2 + (3.0 * random.unit()) as usize, 2, 1 + (2.0 * random.unit()) as usize];
    let size = Vec3::new(0.5, 0.25, 0.25) * (0.5 + random.unit());
    let mesh = TetMesh::lattice(cells, size);
    let masses = vec![1.0; mesh.points().len()];
    let material = material(random);
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
    let body = SoftBody::new(mesh.points(), &masses, vec![(regions, None)]);
    Trial { mesh, body }
}

impl Trial {
    /// Lets the body come to rest, with no gravity to fight against; ends early if it has.
    fn settle(&mut self, seconds: f32) {
        let settings = StepSettings { gravity: Vec3::ZERO, damping: 3.0, ..StepSettings::default() };
        for step in 1..=(60.0 * seconds) as usize {
            self.body.step(&settings, &[]);
            if step % 30 == 0 && self.is_calm() && self.distortion() < 0.2 * MOST_LEFT {
                return;
            }
        }
    }

    /// Whether particles move as one but for a hundredth of the body's size a second.
    fn is_calm(&self) -> bool {
        let momentum = self.body.momentum();
        let drift = (momentum.linear / momentum.mass).as_vec3();
        (0..self.body.particle_count()).all(|at| self.body.velocity(at).distance(drift) < 0.005)
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
    for number in 0..TRIAL_COUNT {
        let mut random = Random(seed + 1000 * number as u64);
        let mut trial = trial(&mut random);
        abuse(&mut trial, &mut random);
        trial.settle(6.0);
        let left = trial.distortion();
        if left > MOST_LEFT {
            failures.push((number, left));
        }
    }
    assert!(failures.is_empty(), "{name}: {} of {}: {failures:?}", failures.len(), TRIAL_COUNT);
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

/// Nothing that falls freely for two seconds from within the body gets farther, metres.
const FARTHEST_M: f32 = 25.0;

/// Softer than this, E / ρ in m²/s², a body of half a metre takes longer than the six seconds of a trial to come back.
const SOFTEST_THAT_RETURNS: f32 = 100.0;

#[test]
fn extremely_soft_and_stiff() {
    let mut failures = Vec::new();
    for number in 0..TRIAL_COUNT {
        let mut random = Random(7 + 1000 * number as u64);
        let is_nothing = random.unit() < 0.05;
        let square_speed = if is_nothing { 0.0 } else { 10f32.powf(18.0 * random.unit() - 6.0) };
        let mut trial = trial_of(&mut random, |random| {
            let bulk = if random.unit() < 0.5 { 0.0 } else { 10.0 * random.unit() };
            RegionMaterial { square_speed, bulk }
        });
        trial.body.hold(0, Some(Vec3::ZERO));
        for _ in 0..120 {
            trial.body.step(&StepSettings::default(), &[]);
        }
        let farthest = trial.body.positions().map(Vec3::length).fold(0.0, f32::max);
        trial.body.hold(0, None);
        let returns = square_speed > SOFTEST_THAT_RETURNS;
        trial.settle(if returns { 6.0 } else { 1.0 });
        let left = trial.distortion();
        if farthest >= FARTHEST_M || returns && left > MOST_LEFT {
            failures.push((number, square_speed, farthest, left));
        }
    }
    assert!(failures.is_empty(), "{} of {TRIAL_COUNT}: {failures:?}", failures.len());
}
