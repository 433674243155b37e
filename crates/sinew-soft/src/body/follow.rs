//! A body that follows a moving shape: its skeleton's skin, say.
//!
//! The shape of the moment takes the place of the rest shape. Where it stands still, and nothing else acts, the body comes to rest in it
//! exactly; where it moves, the body's inertia makes it lag, swing and settle.

use super::step::LevelPass;
use super::{SoftBody, StepSettings};
use crate::level::{FiberAnswer, Level};
use glam::{Vec3, Vec4};
use sinew_geometry::simd::Backend;

/// The shape that a body follows.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    /// Where it goes in the next step, with 1 as fourth.
    pub(super) places: Vec<Vec4>,
    /// Where it was, with 1 as fourth.
    pub(super) former: Vec<Vec4>,
    /// How fast it was in the last step, m/s.
    pub(super) velocities: Vec<Vec4>,
    /// Rate at which a particle's motion against the shape dies out, 1/s; empty: as the step's settings say.
    pub(super) dampings: Vec<f32>,
    /// How far a particle may leave its place, meters; empty: any distance.
    pub(super) reaches: Vec<f32>,
    /// Per particle: a direction in the rest shape, and how far it may go that way; empty: as far as any other.
    pub(super) backstops: Vec<(Vec3, f32)>,
}

impl SoftBody {
    /// Follows a shape from now on, which at the end of the next step is at these places; called again before each step while the
    /// shape moves. The first time the body is put there at once.
    ///
    /// Damping is then that of the motion against the shape.
    ///
    /// # Panics
    /// If there is not one place a particle.
    pub fn follow(&mut self, shape: &[Vec3], backend: Backend) {
        assert_eq!(shape.len(), self.particle_count(), "one place a particle");
        for (rest, place) in self.rest.iter_mut().zip(shape) {
            *rest = place.extend(1.0);
        }
        match &mut self.followed {
            None => {
                self.followed = Some(Followed {
                    places: self.rest.clone(),
                    former: self.rest.clone(),
                    velocities: vec![Vec4::ZERO; shape.len()],
                    dampings: Vec::new(),
                    reaches: Vec::new(),
                    backstops: Vec::new(),
                });
                self.put_in_shape();
            }
            Some(followed) => followed.places.copy_from_slice(&self.rest),
        }
        backend.dispatch(LevelPass { levels: &mut self.levels, places: &self.rest, is_shape: true });
    }

    /// Puts the body where the shape that it follows is, moving with it.
    pub fn put_in_shape(&mut self) {
        let Some(followed) = &mut self.followed else { return };
        for (position, place) in self.positions.iter_mut().zip(&followed.places) {
            *position = place.truncate().extend(0.0);
        }
        followed.former.copy_from_slice(&followed.places);
        self.go_along();
    }

    /// Every particle moves as its place in the shape does.
    fn go_along(&mut self) {
        let Some(followed) = &self.followed else { return };
        for velocities in [&mut self.velocities].into_iter().chain(&mut self.former_velocities) {
            velocities.copy_from_slice(&followed.velocities);
        }
    }

    /// Says how fast the shape that is followed moves already, and lets the body move with it: a start in the midst of a motion.
    ///
    /// # Panics
    /// If there is not one velocity a particle.
    pub fn set_follow_velocities(&mut self, velocities: &[Vec3]) {
        assert_eq!(velocities.len(), self.particle_count(), "one velocity a particle");
        let Some(followed) = &mut self.followed else { return };
        for (velocity, given) in followed.velocities.iter_mut().zip(velocities) {
            *velocity = given.extend(0.0);
        }
        self.go_along();
    }

    /// Takes a shape that has jumped: as if it, and the body with it, had been there before, with the velocities that both have.
    pub fn carry(&mut self, shape: &[Vec3]) {
        let Some(followed) = &mut self.followed else { return };
        for ((former, position), place) in followed.former.iter_mut().zip(&mut self.positions).zip(shape) {
            let jump = place.extend(1.0) - *former;
            *former += jump;
            *position += jump;
        }
    }

    /// Rate at which each particle's motion against the followed shape dies out, 1/s.
    ///
    /// # Panics
    /// If the list is neither empty, for the rate of the step's settings, nor one a particle.
    pub fn set_follow_dampings(&mut self, dampings: Vec<f32>) {
        assert!(dampings.is_empty() || dampings.len() == self.particle_count(), "one rate a particle");
        let Some(followed) = &mut self.followed else { return };
        followed.dampings = dampings;
    }

    /// How far each particle may leave its place in the followed shape, meters. Half of it is free; beyond, it is the harder the
    /// farther.
    ///
    /// # Panics
    /// If the list is neither empty, for any distance, nor one a particle.
    pub fn set_follow_reaches(&mut self, reaches: Vec<f32>) {
        assert!(reaches.is_empty() || reaches.len() == self.particle_count(), "one reach a particle");
        let Some(followed) = &mut self.followed else { return };
        followed.reaches = reaches;
    }

    /// In which direction of the rest shape each particle may go less far, and how far, meters: towards a bone, say. Directions turn
    /// with the shape as the regions of the first level do.
    ///
    /// # Panics
    /// If the list is neither empty nor one a particle, or the first level has not one region a particle.
    pub fn set_follow_backstops(&mut self, backstops: Vec<(Vec3, f32)>) {
        let count = self.particle_count();
        assert!(backstops.is_empty() || backstops.len() == count, "one backstop a particle");
        let region_count = self.levels.first().map_or(0, |level| level.tables.region_count());
        assert!(backstops.is_empty() || region_count == count, "one region a particle");
        let Some(followed) = &mut self.followed else { return };
        followed.backstops = backstops;
    }

    /// Where the followed shape is, if there is one.
    pub fn followed(&self) -> Option<impl ExactSizeIterator<Item = Vec3>> {
        self.followed.as_ref().map(|followed| followed.places.iter().map(|place| place.truncate()))
    }

    /// How fast a particle moves against the shape that it follows, m/s; its velocity if it follows none.
    pub fn velocity_against_shape(&self, particle: usize) -> Vec3 {
        let of_shape = self.followed.as_ref().map_or(Vec4::ZERO, |followed| followed.velocities[particle]);
        (self.velocities[particle] - of_shape).truncate()
    }

    /// Gives the regions of a level fibers: directions at rest.
    ///
    /// # Panics
    /// If there is no such level, or not one direction a region.
    pub fn set_fibers(&mut self, level: usize, directions: &[Vec3]) {
        self.levels[level].set_fibers(directions);
    }

    /// How a region answers along its fiber from now on; without fibers nothing.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn set_fiber_answer(&mut self, level: usize, region: usize, answer: FiberAnswer) {
        self.levels[level].set_fiber(region, answer);
    }
}

impl Followed {
    /// What a particle moves by if it goes on moving against the shape as it does.
    pub(super) fn carried(&self, particle: usize, velocity: Vec4, dt_secs: f32) -> Vec4 {
        let moved = self.places[particle] - self.former[particle];
        moved + (velocity - self.velocities[particle]) * dt_secs
    }

    /// Ends a step: velocities against the shape die out, and particles are kept within their reach.
    /// Tells how far the shape has moved at most, meters.
    pub(super) fn finish(
        &mut self,
        settings: &StepSettings,
        levels: &[Level],
        positions: &mut [Vec4],
        velocities: &mut [Vec4],
    ) -> f32 {
        let per_second = 1.0 / settings.dt_secs;
        let moved = self.places.iter().zip(&self.former).map(|(now, before)| now.distance_squared(*before));
        let moved_m = moved.fold(0.0, f32::max).sqrt();
        for particle in 0..self.places.len() {
            let place = self.places[particle];
            let shape_velocity = (place - self.former[particle]) * per_second;
            self.velocities[particle] = shape_velocity;
            self.former[particle] = place;
            let place = place.truncate().extend(0.0);
            let rate = self.dampings.get(particle).copied().unwrap_or(settings.damping);
            let keep = (-rate * settings.dt_secs).exp();
            let mut against = (velocities[particle] - shape_velocity) * keep;
            let away = positions[particle] - place;
            let held = self.held(particle, levels, away);
            if held != away {
                positions[particle] = place + held;
                // What would lead farther out is taken away.
                let out = (away - held).normalize_or_zero();
                against -= out * against.dot(out).max(0.0);
            }
            velocities[particle] = (shape_velocity + against).clamp_length_max(settings.most_speed);
        }
        moved_m
    }

    /// A particle's way from its place, as far as it is allowed.
    fn held(&self, particle: usize, levels: &[Level], away: Vec4) -> Vec4 {
        let mut held = away;
        if let Some(&(direction, most)) = self.backstops.get(particle) {
            let direction = levels[0].turned(particle, direction).extend(0.0);
            let depth = held.dot(direction);
            if depth > 0.0 {
                held -= direction * (depth - held_length(depth, most));
            }
        }
        if let Some(&reach) = self.reaches.get(particle) {
            let length = held.length();
            if length > 0.0 {
                held *= held_length(length, reach) / length;
            }
        }
        held
    }
}

/// A distance that is free up to half the reach and never gets beyond it.
fn held_length(length: f32, reach: f32) -> f32 {
    let half = 0.5 * reach;
    if length <= half {
        return length;
    }
    // Continuous with slope 1 at the half, and the reach at infinity.
    let over = length - half;
    half + half * over / (over + half).max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaches_are_never_left_and_small_ways_are_free() {
        assert_eq!(held_length(0.5, 1.1), 0.5);
        for reach in [0.0, 0.01, 0.5, 0.9] {
            let held = held_length(0.5, reach);
            assert!(held <= reach + 1e-6 && held >= 0.5 * reach, "{reach}: {held}");
        }
    }
}
