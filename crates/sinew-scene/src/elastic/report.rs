//! What is told of a scene that was played.

use super::cast::Cast;
use super::playback::{Playback, PlayedBody};
use super::scene::ElasticScene;
use super::timing::StepTimes;
use serde::Serialize;

/// What is told of a scene that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ElasticReport {
    /// Frames.
    pub frames: usize,
    /// Frames a second.
    pub fps: f64,
    /// Steps of all frames.
    pub steps: usize,
    /// Length of a step, seconds.
    pub step_secs: f64,
    /// Iterations a step.
    pub iterations: u32,
    /// Threads that steps ran on.
    pub threads: usize,
    /// Particles of all bodies.
    pub particles: usize,
    /// Milliseconds.
    pub times: StepTimes,
    /// Times of the frames, seconds.
    pub time_secs: Vec<f64>,
    /// Every body.
    pub bodies: Vec<BodyReport>,
}

/// What is told of one body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyReport {
    /// Its name.
    pub name: String,
    /// Particles.
    pub particles: usize,
    /// Tetrahedra.
    pub tets: usize,
    /// Vertices of the surface.
    pub vertices: usize,
    /// Kilograms.
    pub mass: f64,
    /// Names of the examples.
    pub examples: Vec<String>,
    /// Groups of weights; as many as regions where each has its own.
    pub groups: usize,
    /// Per frame, group and example, before β; where every region has its own, their mean as one group.
    pub weights: Vec<Vec<Vec<f32>>>,
    /// The greatest of each example in any frame and group.
    pub most_weights: Vec<f32>,
    /// Those of the last frame, the greatest of any group.
    pub last_weights: Vec<f32>,
    /// Of the fastest particle, per frame, m/s.
    pub most_speed: Vec<f32>,
    /// Per frame, joules.
    pub kinetic_energy: Vec<f64>,
}

impl ElasticReport {
    /// Of a scene as it was played.
    pub fn of(scene: &ElasticScene, playback: &Playback) -> Self {
        let bodies: Vec<BodyReport> = scene
            .casts()
            .iter()
            .enumerate()
            .map(|(number, cast)| {
                let frames: Vec<&PlayedBody> =
                    playback.frames.iter().map(|frame| &frame.bodies[number]).collect();
                BodyReport::of(cast, &frames)
            })
            .collect();
        Self {
            frames: playback.frames.len(),
            fps: scene.fps(),
            steps: playback.times.steps_ms.len(),
            step_secs: 1.0 / scene.file.rate,
            iterations: scene.file.iterations,
            threads: rayon::current_num_threads(),
            particles: bodies.iter().map(|body| body.particles).sum(),
            times: playback.times.clone(),
            time_secs: playback.frames.iter().map(|frame| frame.time_secs).collect(),
            bodies,
        }
    }
}

impl BodyReport {
    fn of(cast: &Cast, frames: &[&PlayedBody]) -> Self {
        let most = |bodies: &[&PlayedBody]| {
            let mut weights = vec![0.0f32; cast.example_names.len()];
            for group in bodies.iter().flat_map(|body| &body.weights) {
                weights.iter_mut().zip(group).for_each(|(most, weight)| *most = most.max(*weight));
            }
            weights
        };
        Self {
            name: cast.name.clone(),
            particles: cast.model.mesh.points().len(),
            tets: cast.model.mesh.tets().len(),
            vertices: cast.model.skin.vertex_count(),
            mass: cast.masses.iter().map(|&mass| f64::from(mass)).sum(),
            examples: cast.example_names.clone(),
            groups: cast.group_count,
            weights: frames.iter().map(|body| body.weights.clone()).collect(),
            most_weights: most(frames),
            last_weights: most(&frames[frames.len().saturating_sub(1)..]),
            most_speed: frames.iter().map(|body| body.most_speed).collect(),
            kinetic_energy: frames.iter().map(|body| body.kinetic_energy).collect(),
        }
    }
}
