//! Plays a scene step by step.

use super::scene::{ElasticScene, Handle};
use crate::SceneError;
use glam::Vec3;
use sinew_soft::{Collider, Drag, Drivers, SoftBody, StepSettings, World};
use std::sync::Arc;

/// A scene at a time.
pub struct Player {
    scene: Arc<ElasticScene>,
    world: World,
    pub(super) settings: StepSettings,
    step: usize,
    /// Of each handle, where its particles were when it took them.
    taken: Vec<Option<Vec<Vec3>>>,
    /// Of each body, what drives its examples.
    drivers: Vec<Option<Drivers>>,
}

impl Player {
    /// At the beginning.
    pub fn new(scene: &Arc<ElasticScene>) -> Self {
        let bodies = scene.casts.iter().map(|cast| cast.body.clone()).collect();
        let world = World::with_settings(bodies, scene.between());
        let taken = vec![None; scene.handles.len()];
        let drivers = scene.casts.iter().map(|cast| cast.drivers.clone()).collect();
        let settings = scene.step_settings();
        Self { scene: scene.clone(), world, settings, step: 0, taken, drivers }
    }

    /// All bodies as they are.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Seconds since the beginning.
    pub fn time_secs(&self) -> f64 {
        self.step as f64 / self.scene.file.rate
    }

    /// Goes on by one step.
    ///
    /// # Errors
    /// A body is nowhere then.
    pub fn step(&mut self) -> Result<(), SceneError> {
        let colliders = self.colliders();
        self.lead();
        for (body, drivers) in self.world.bodies_mut().iter_mut().zip(&mut self.drivers) {
            if let Some(drivers) = drivers {
                body.drive(drivers, &self.settings, &colliders);
            }
        }
        self.world.step(&self.settings, &colliders);
        self.step += 1;
        self.check()
    }

    /// The colliders of the next step.
    pub(super) fn colliders(&self) -> Vec<Collider> {
        let (start, end) = (self.time_secs(), (self.step + 1) as f64 / self.scene.file.rate);
        self.scene.obstacles.iter().map(|obstacle| obstacle.between(start, end)).collect()
    }

    /// Where each handle's middle is now, of those that hold something.
    pub(super) fn grips(&self) -> Vec<Option<Vec3>> {
        let time_secs = self.time_secs();
        let handles = self.scene.handles.iter().zip(&self.taken);
        handles
            .map(|(handle, taken)| {
                taken.as_ref()?;
                let by = handle.text.motion.as_ref().map_or(Vec3::ZERO, |keys| keys.at(time_secs).0);
                Some(handle.text.grip.middle().as_vec3() + by)
            })
            .collect()
    }

    /// Holds what handles hold at the end of the next step, and lets go of what they let go.
    fn lead(&mut self) {
        let (start, end) = (self.time_secs(), (self.step + 1) as f64 / self.scene.file.rate);
        for (handle, taken) in self.scene.handles.iter().zip(&mut self.taken) {
            let body = &mut self.world.bodies_mut()[handle.cast];
            let is_over = handle.text.until_secs.is_some_and(|until| start >= until);
            if is_over || start < handle.text.from_secs {
                if taken.take().is_some() {
                    handle.particles.iter().for_each(|&particle| lead(body, handle, particle, None));
                }
                continue;
            }
            let starts = taken.get_or_insert_with(|| {
                handle.particles.iter().map(|&particle| body.position(particle)).collect()
            });
            let pivot = handle.text.grip.middle().as_vec3();
            let (by, turn) = handle.text.motion.as_ref().map_or_else(Default::default, |keys| keys.at(end));
            for (&particle, start) in handle.particles.iter().zip(starts) {
                lead(body, handle, particle, Some(pivot + turn * (*start - pivot) + by));
            }
        }
    }

    fn check(&self) -> Result<(), SceneError> {
        for (cast, body) in self.scene.casts.iter().zip(self.world.bodies()) {
            if !body.positions().all(|place| place.is_finite()) {
                return Err(SceneError::NotFinite { body: cast.name.clone(), time_secs: self.time_secs() });
            }
        }
        Ok(())
    }
}

/// Holds or draws a particle, or lets it go.
fn lead(body: &mut SoftBody, handle: &Handle, particle: usize, place: Option<Vec3>) {
    match handle.text.stiffness {
        None => body.hold(particle, place),
        Some(stiffness) => {
            body.drag(particle, place.map(|place| Drag { place, square_rate: stiffness as f32 }));
        }
    }
}
