//! Bodies must survive anything, and come back.

use crate::abused::{MOST_LEFT, Random, Trial};
use glam::Vec3;
use sinew_geometry::TetMesh;
use sinew_soft::{RegionMaterial, Regions, Rings, SoftBody, StepSettings};

/// Trials of each kind; all thousand with the feature `slow`.
const TRIAL_COUNT: usize = if cfg!(feature = "slow") { 1000 } else { 100 };

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
    Trial::new(SoftBody::new(mesh.points(), &masses, vec![(regions, None)]))
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

#[test]
fn scrambled() {
    check("scrambled", 1, |trial, random| trial.place_all(|_| random.vector(0.5)));
}

#[test]
fn inverted() {
    check("inverted", 2, Trial::invert);
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
        trial.place_all(|point| turn * (flat * (turn.conjugate() * point)));
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
    check("odd steps", 5, Trial::step_oddly);
}

#[test]
fn heavy() {
    check("heavy", 6, Trial::weigh_down);
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
