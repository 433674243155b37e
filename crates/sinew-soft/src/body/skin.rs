//! A body's skin, and how easily contact moves its particles.

use super::SoftBody;
use crate::contact::{ContactError, Skin};
use crate::level::Level;
use sinew_geometry::simd::BLOCK_LANES;
use std::sync::Arc;

impl SoftBody {
    /// Gives the body a skin, by which other bodies of a [`World`](crate::World) touch it, or takes it away.
    ///
    /// # Errors
    /// If the skin names a particle that the body does not have.
    pub fn set_skin(&mut self, skin: Option<Arc<Skin>>) -> Result<(), ContactError> {
        if let Some(skin) = &skin {
            skin.check(self.particle_count())?;
        }
        self.skin = skin;
        Ok(())
    }

    /// The body with a skin, by which other bodies of a [`World`](crate::World) touch it.
    ///
    /// # Errors
    /// If the skin names a particle that the body does not have.
    pub fn with_skin(mut self, skin: impl Into<Arc<Skin>>) -> Result<Self, ContactError> {
        self.set_skin(Some(skin.into()))?;
        Ok(self)
    }

    /// The body's skin, if it has one.
    pub fn skin(&self) -> Option<&Arc<Skin>> {
        self.skin.as_ref()
    }

    /// How far an iteration moves each particle for a force of one newton, by the square of the step: 1 / m (1 + h² k), without what
    /// hastens it; 0 where it is held. With drags, whose share `w` of the square is the prediction's fourth, it is w / m (1 + w h² k).
    pub(crate) fn write_mobility(&self, square_secs: f32, mobility: &mut Vec<f32>) {
        mobility.clear();
        mobility.extend((0..self.particle_count()).map(|particle| {
            let free = self.predicted[particle].w;
            let stiffness = self.particle_stiffness[particle];
            free / (self.masses[particle].max(1e-12) * (1.0 + free * square_secs * stiffness))
        }));
    }
}

/// The stiffness of each particle's goals together, 1/s².
pub(super) fn particle_stiffness(levels: &[Level], particle_count: usize) -> Vec<f32> {
    let of_level = |level: &Level, particle: usize| {
        let (regions, share) = level.tables.regions_of(particle);
        let stiffness = |&region: &u32| {
            let region = region as usize;
            level.tables.stiffness[region / BLOCK_LANES].0[region % BLOCK_LANES]
        };
        share * regions.iter().map(stiffness).sum::<f32>()
    };
    (0..particle_count).map(|particle| levels.iter().map(|level| of_level(level, particle)).sum()).collect()
}
