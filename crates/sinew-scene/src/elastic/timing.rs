//! How long steps take, and what they take it for.
//!
//! With one thread times are those of the processor. The solver knows no clock. So at some steps the same step is done on copies from which something is missing: without colliders,
//! and without examples besides. What each copy takes less is what the missing part costs.

use super::clock::ClockKind;
use super::player::Player;
use super::scene::ElasticScene;
use crate::SceneError;
use serde::Serialize;
use sinew_soft::{Collider, SoftBody, World};

/// Milliseconds of a scene's steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepTimes {
    /// Whether time of the processor was measured, or time that went by.
    pub clock: ClockKind,
    /// Of each step.
    #[serde(skip)]
    pub steps_ms: Vec<f64>,
    /// Of one step.
    pub mean_ms: f64,
    /// The middle one.
    pub median_ms: f64,
    /// Nineteen of twenty take less.
    pub p95_ms: f64,
    /// The longest.
    pub most_ms: f64,
    /// Of one step, by copies: matching shapes and going on.
    pub matching_ms: f64,
    /// Of one step, by copies: weighing examples and following them.
    pub projection_ms: f64,
    /// Of one step, by copies: keeping out of colliders and of each other.
    pub contact_ms: f64,
    /// Steps at which copies were taken.
    pub sampled_steps: usize,
    /// Seconds of the scene for each second of stepping.
    pub real_time_factor: f64,
}

/// Steps a player and looks at the clock.
pub(super) struct Stopwatch {
    clock: ClockKind,
    steps_ms: Vec<f64>,
    samples: Vec<[f64; 3]>,
    sample_every: usize,
    plain: Vec<SoftBody>,
    step_secs: f64,
}

/// Steps at which copies are taken, at most.
const SAMPLES: usize = 24;

/// Copies are stepped as often, and the least counts: a machine is only ever slower than it can be.
const TRIES: usize = 3;

impl Stopwatch {
    pub(super) fn new(scene: &ElasticScene) -> Self {
        let step_count = scene.frame_count() * scene.steps_in_frame();
        Self {
            clock: ClockKind::for_pool(),
            steps_ms: Vec::with_capacity(step_count),
            samples: Vec::new(),
            sample_every: step_count.div_ceil(SAMPLES).max(1),
            plain: scene.casts.iter().map(|cast| cast.plain.clone()).collect(),
            step_secs: 1.0 / scene.file.rate,
        }
    }

    pub(super) fn step(&mut self, player: &mut Player) -> Result<(), SceneError> {
        if self.steps_ms.len() % self.sample_every == self.sample_every / 2 {
            self.sample(player);
        }
        let (done, taken_ms) = self.clock.measure(|| player.step());
        self.steps_ms.push(taken_ms);
        done
    }

    fn sample(&mut self, player: &Player) {
        let colliders = player.colliders();
        let least_ms = |world: &World, colliders: &[Collider]| least_ms(self.clock, player, world, colliders);
        let whole = least_ms(player.world(), &colliders);
        let free = World::with_settings(player.world().bodies().to_vec(), None);
        let untouched = least_ms(&free, &[]);
        for (plain, body) in self.plain.iter_mut().zip(player.world().bodies()) {
            for particle in 0..body.particle_count() {
                plain.set_position(particle, body.position(particle));
                plain.set_velocity(particle, body.velocity(particle));
            }
        }
        let matching = least_ms(&World::with_settings(self.plain.clone(), None), &[]);
        self.samples.push([matching, (untouched - matching).max(0.0), (whole - untouched).max(0.0)]);
    }

    pub(super) fn times(self) -> StepTimes {
        let mut sorted = self.steps_ms.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = sorted.len().saturating_sub(1);
            sorted.get((share * last as f64).round() as usize).copied().unwrap_or(0.0)
        };
        let total_ms: f64 = self.steps_ms.iter().sum();
        let count = self.steps_ms.len() as f64;
        let part = |which: usize| {
            let sum: f64 = self.samples.iter().map(|sample| sample[which]).sum();
            if self.samples.is_empty() { 0.0 } else { sum / self.samples.len() as f64 }
        };
        StepTimes {
            clock: self.clock,
            mean_ms: if count > 0.0 { total_ms / count } else { 0.0 },
            median_ms: at(0.5),
            p95_ms: at(0.95),
            most_ms: at(1.0),
            matching_ms: part(0),
            projection_ms: part(1),
            contact_ms: part(2),
            sampled_steps: self.samples.len(),
            real_time_factor: if total_ms > 0.0 { 1e3 * self.step_secs * count / total_ms } else { 0.0 },
            steps_ms: self.steps_ms,
        }
    }
}

/// The least time of one step of copies.
fn least_ms(clock: ClockKind, player: &Player, world: &World, colliders: &[Collider]) -> f64 {
    let once = |_| {
        let mut copy = world.clone();
        clock.measure(|| copy.step(&player.settings, colliders)).1
    };
    (0..TRIES).map(once).fold(f64::INFINITY, f64::min)
}
