//! A scene that was played: where everything was in every frame, and how long it took.

use super::player::Player;
use super::scene::ElasticScene;
use super::timing::{StepTimes, Stopwatch};
use crate::SceneError;
use glam::{Quat, Vec3};
use sinew_geometry::Bounds;
use sinew_geometry::progress::Progress;
use std::sync::Arc;

/// A scene that was played.
pub struct Playback {
    /// One a frame.
    pub frames: Vec<PlayedFrame>,
    /// Of all steps.
    pub times: StepTimes,
}

/// Everything at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedFrame {
    /// Seconds since the beginning.
    pub time_secs: f64,
    /// One a body.
    pub bodies: Vec<PlayedBody>,
    /// Where colliders are.
    pub(super) obstacles: Vec<(Vec3, Quat)>,
    /// Where handles are, of those that hold something.
    pub(super) grips: Vec<Option<Vec3>>,
}

/// A body at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedBody {
    /// One per particle, scene space, metres.
    pub positions: Vec<Vec3>,
    /// Of each group, of each example, before β; where every region has its own, the mean of all as one group.
    pub weights: Vec<Vec<f32>>,
    /// Of the fastest particle, m/s.
    pub most_speed: f32,
    /// ½ Σ m v², joules.
    pub kinetic_energy: f64,
}

impl Playback {
    /// Plays a scene from its beginning to its end, on the threads of the current pool.
    ///
    /// # Errors
    /// A body is nowhere at some time, or the caller stops.
    pub fn of(scene: &Arc<ElasticScene>, progress: &Progress<'_>) -> Result<Arc<Self>, SceneError> {
        // On a thread of the pool, which then does all the work if it is the only one.
        rayon::scope(|_| Self::played(scene, progress)).map(Arc::new)
    }

    fn played(scene: &Arc<ElasticScene>, progress: &Progress<'_>) -> Result<Self, SceneError> {
        let mut player = Player::new(scene);
        let mut stopwatch = Stopwatch::new(scene);
        let mut frames = Vec::with_capacity(scene.frame_count());
        for frame in 0..scene.frame_count() {
            progress.step(frame, scene.frame_count())?;
            if frame > 0 {
                for _ in 0..scene.steps_in_frame() {
                    stopwatch.step(&mut player)?;
                }
            }
            frames.push(PlayedFrame::of(scene, &player));
        }
        Ok(Self { frames, times: stopwatch.times() })
    }

    /// The frame nearest to a time.
    pub fn frame_at(&self, scene: &ElasticScene, time_secs: f64) -> usize {
        ((time_secs * scene.fps()).round().max(0.0) as usize).min(self.frames.len() - 1)
    }

    /// The box of all bodies at all times.
    pub fn bounds(&self) -> Bounds {
        let frames = self.frames.iter().map(PlayedFrame::bounds).filter(|bounds| !bounds.is_empty());
        Bounds::of(&frames.flat_map(|bounds| [bounds.min(), bounds.max()]).collect::<Vec<_>>())
    }
}

impl PlayedFrame {
    fn of(scene: &ElasticScene, player: &Player) -> Self {
        let casts = scene.casts.iter().zip(player.world().bodies());
        let bodies = casts.map(|(cast, body)| {
            let velocities = (0..body.particle_count()).map(|particle| body.velocity(particle));
            let squares: Vec<f32> = velocities.map(Vec3::length_squared).collect();
            let energies = squares.iter().zip(&cast.masses).map(|(v, m)| f64::from(v * m));
            PlayedBody {
                positions: body.positions().collect(),
                weights: cast.weights(body),
                most_speed: squares.iter().copied().fold(0.0, f32::max).sqrt(),
                kinetic_energy: 0.5 * energies.sum::<f64>(),
            }
        });
        let time_secs = player.time_secs();
        Self {
            time_secs,
            bodies: bodies.collect(),
            obstacles: scene.obstacles.iter().map(|obstacle| obstacle.place_at(time_secs)).collect(),
            grips: player.grips(),
        }
    }

    /// Vertices of all bodies and of the colliders that are drawn, end to end, scene space.
    pub(super) fn vertices(&self, scene: &ElasticScene) -> Vec<Vec3> {
        let mut vertices = Vec::new();
        for (cast, body) in scene.casts.iter().zip(&self.bodies) {
            let start = vertices.len();
            vertices.resize(start + cast.model.skin.vertex_count(), Vec3::ZERO);
            cast.model.skin.positions_into(&body.positions, &mut vertices[start..]);
        }
        for (obstacle, (origin, turn)) in scene.obstacles.iter().zip(&self.obstacles) {
            let Some((mesh, _)) = &obstacle.drawn else { continue };
            vertices.extend(mesh.positions.iter().map(|corner| *origin + *turn * *corner));
        }
        vertices
    }

    /// The box of all bodies.
    pub fn bounds(&self) -> Bounds {
        let places = self.bodies.iter().flat_map(|body| body.positions.iter().copied());
        Bounds::of(&places.collect::<Vec<_>>())
    }
}
