//! One step of time, part by part.

use super::SoftBody;
use super::chebyshev::Chebyshev;
use super::momentum::Momentum;
use crate::contact::Collider;
use crate::kernel::goal_pass::{Blend, GoalPass, SourcePass};
use crate::kernel::region_pass::Want;
use crate::level::Level;
use crate::threads::{in_parts, in_pool};
use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};
use sinew_geometry::simd::{Backend, Simd, WithSimd};

/// How positions follow goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Integration {
    /// Backward Euler: where bodies rest depends on their material alone.
    #[default]
    Implicit,
    /// The update of \[Koyama13\], for comparison: once a step every particle goes a share of the way to the plain mean of its goals. How
    /// stiff a body is then depends on the length of the step; materials and iterations are without effect.
    Source {
        /// The share, from 0 to 1.
        alpha: f32,
    },
}

/// How a body is stepped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepSettings {
    /// Length of the step, seconds. Default 1/60.
    pub dt_secs: f32,
    /// Iterations a step. Where a body comes to rest does not depend on them; how fast stiff bodies get there does. Default 20.
    pub iterations: u32,
    /// Acceleration of everything, m/s². Default 9.81 downwards.
    pub gravity: Vec3,
    /// Rate at which all motion dies out, 1/s. Default 0.5.
    pub damping: f32,
    /// No particle is faster, m/s. Guards against handles that jump in a tiny step, and against bodies that fly so far that
    /// rounding shows. Default 300.
    pub most_speed: f32,
    /// How positions follow goals. Default: implicit.
    pub integration: Integration,
    /// Instructions to use; not part of a file. Default: the fastest there are.
    #[serde(skip)]
    pub backend: Backend,
}

impl Default for StepSettings {
    fn default() -> Self {
        Self {
            dt_secs: 1.0 / 60.0,
            iterations: 20,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            damping: 0.5,
            most_speed: 300.0,
            integration: Integration::Implicit,
            backend: Backend::detect(),
        }
    }
}

/// Particles that one thread works on at a time.
const PART_PARTICLES: usize = 512;

/// Speed into a surface below which nothing is thrown back, m/s: about what gravity gives in two steps of 1/60 s. Less is rest.
pub(crate) const LEAST_BOUNCE: f32 = 0.35;

/// Motion as a share of the body's size that counts as none: a few times what rounding does.
const STILL: f32 = 5e-6;

/// The same of bodies that follow a shape, while it stands still: 0.2 mm on a human, which is what a swing of four a second and a tenth of a
/// millimeter does in as many steps. Less, and flesh whose volume and shape do not agree trembles there for ever.
const STILL_IN_SHAPE: f32 = 1e-4;

/// The same of bodies that touch others, in the mean of their particles; those in touch may move by ten times as much, because they
/// lean on several that tremble. In a pile of ten bars of 0.8 m the mean goes down to a few µm a step.
const STILL_IN_TOUCH: f32 = 5e-5;

/// For so many steps.
const STILL_STEPS: u32 = 10;

/// A step that has begun.
pub(crate) struct Progress {
    chebyshev: Chebyshev,
    /// The momentum at the end, if the body is free.
    pub(crate) wanted: Option<Momentum>,
    /// How far the last iteration went, in plain ones.
    pub(crate) haste: f32,
}

/// Whether a step of this length is one.
pub(crate) fn is_time(settings: &StepSettings) -> bool {
    settings.dt_secs > 0.0 && settings.dt_secs.is_finite()
}

/// Does the work on a thread of the pool if it is as much as so many particles ask for. From outside the pool every single piece of
/// work would wait for a thread of it; from inside none does.
pub(crate) fn in_pool_if_large(particle_count: usize, work: impl FnOnce() + Send) {
    if particle_count > 2 * PART_PARTICLES { in_pool(work) } else { work() }
}

/// The parts of a step, so that several bodies can go through it together.
impl SoftBody {
    pub(crate) fn begin_step(&mut self, settings: &StepSettings) -> Progress {
        let wanted = self.free_momentum(settings);
        self.before.copy_from_slice(&self.positions);
        self.touched.fill(None);
        self.levels.iter_mut().for_each(Level::trust_volumes);
        // Examples are weighed by the shape that the body has before the step, so that it is not pulled out of one first.
        let (levels, places) = (&mut self.levels[..], &self.before[..]);
        settings.backend.dispatch(LevelPass { levels, places, is_shape: false });
        self.predict(settings);
        match settings.integration {
            Integration::Implicit => self.guess(settings),
            Integration::Source { alpha } => settings.backend.dispatch(SourceStep { body: self, alpha }),
        }
        if let Some(oriented) = &mut self.oriented {
            oriented.begin(f64::from(settings.dt_secs), &self.positions);
        }
        let square_secs = settings.dt_secs * settings.dt_secs;
        let chebyshev = Chebyshev::new(square_secs * self.most_stiffness, settings.iterations);
        Progress { chebyshev, wanted, haste: 1.0 }
    }

    /// Brings particles nearer to where they go.
    pub(crate) fn iterate(&mut self, settings: &StepSettings, progress: &mut Progress) {
        if settings.integration != Integration::Implicit {
            // All was done at the beginning of the step; colliders may still move particles.
            return;
        }
        let square_secs = settings.dt_secs * settings.dt_secs;
        let Chebyshev { reach, .. } = progress.chebyshev;
        let (omega, most_extra_m) = (progress.chebyshev.next(), self.most_extra_m);
        let blend = Blend { square_secs, reach, omega, most_extra_m };
        progress.haste = reach * omega;
        settings.backend.dispatch(Iteration { body: self, blend });
        std::mem::swap(&mut self.positions, &mut self.former);
    }

    /// Looks round for colliders, in a step that has begun.
    pub(crate) fn look_round(&mut self, colliders: &[Collider]) {
        if colliders.is_empty() {
            return;
        }
        let Self { positions, before, near, asked, .. } = self;
        let is_same = asked.is_same(colliders);
        let (positions, before) = (&*positions, &*before);
        in_parts(&mut near[..], PART_PARTICLES, |first, near| {
            for (near, particle) in near.iter_mut().zip(first..) {
                near.begin(colliders, is_same, before[particle].truncate(), positions[particle].truncate());
            }
        });
    }

    /// Moves particles out of colliders.
    pub(crate) fn keep_out(&mut self, colliders: &[Collider]) {
        if colliders.is_empty() {
            return;
        }
        let Self { positions, before, holds, touched, near, .. } = self;
        let (before, holds) = (&*before, &*holds);
        let lists = ((&mut positions[..], &mut touched[..]), &mut near[..]);
        in_parts(lists, PART_PARTICLES, |first, ((positions, touched), near)| {
            for (at, position) in positions.iter_mut().enumerate() {
                let place = position.truncate();
                if near[at].is_free(place) || holds[first + at].is_some() {
                    continue;
                }
                let start = before[first + at].truncate();
                for (number, collider) in colliders.iter().enumerate() {
                    let place = position.truncate();
                    let touch = near[at].touch(number, collider, place);
                    if let Some(kept) = collider.keep_out(start, place, touch) {
                        *position = kept.extend(0.0);
                        touched[at] = Some(number as u16);
                    }
                }
            }
        });
    }

    /// Damps what moves, and says whether nothing moved by more than rounding in many steps. In many, because slow motions are small in
    /// one.
    pub(crate) fn is_still_after_damping(&mut self, settings: &StepSettings, touches_others: bool) -> bool {
        let (least, shape_moves) = match &mut self.followed {
            Some(followed) => {
                let Self { levels, positions, velocities, .. } = self;
                let moves = followed.finish(settings, levels, positions, velocities);
                (STILL_IN_SHAPE, moves > STILL * self.rest_size_m)
            }
            None => {
                self.damp(settings);
                (STILL, false)
            }
        };
        let Self { positions, stillness, rest_size_m, oriented, .. } = self;
        let ways = positions.iter().zip(&stillness.places).map(|(a, b)| a.distance(*b));
        let (sum, most) = ways.fold((0.0, 0.0f32), |(sum, most), way| (sum + way, most.max(way)));
        let is_still = if touches_others {
            let mean = sum / positions.len().max(1) as f32;
            mean <= STILL_IN_TOUCH * *rest_size_m && most <= 10.0 * STILL_IN_TOUCH * *rest_size_m
        } else {
            most <= least * *rest_size_m
        };
        let is_still =
            is_still && !shape_moves && oriented.as_ref().is_none_or(|oriented| oriented.frames.is_still());
        if !is_still {
            stillness.places.copy_from_slice(positions);
            oriented.iter_mut().for_each(|oriented| oriented.frames.remember());
            stillness.step_count = 0;
            return false;
        }
        stillness.step_count = (stillness.step_count + 1).min(STILL_STEPS + 1);
        stillness.step_count > STILL_STEPS
    }

    /// Stops a body that is still, so that it lies bit for bit still until something happens.
    pub(crate) fn stop(&mut self) {
        self.positions.copy_from_slice(&self.stillness.places);
        self.velocities.fill(Vec4::ZERO);
        self.oriented.iter_mut().for_each(|oriented| oriented.frames.stop());
    }
}

/// What levels do with places: they follow them as a shape, or weigh their examples by them.
pub(super) struct LevelPass<'a> {
    pub(super) levels: &'a mut [Level],
    pub(super) places: &'a [Vec4],
    pub(super) is_shape: bool,
}

impl WithSimd for LevelPass<'_> {
    fn with<S: Simd>(self, simd: S) {
        for level in self.levels {
            if self.is_shape {
                level.follow(simd, self.places);
            } else if level.examples.is_some() {
                level.match_shapes(simd, self.places, Want::Pull);
            }
        }
    }
}

struct Iteration<'a> {
    body: &'a mut SoftBody,
    blend: Blend,
}

impl WithSimd for Iteration<'_> {
    fn with<S: Simd>(self, simd: S) {
        let blend = self.blend;
        for level in &mut self.body.levels {
            level.match_shapes(simd, &self.body.positions, Want::Pull);
        }
        if self.body.oriented.is_some() {
            self.body.improve_frames(simd, &blend);
            return;
        }
        let SoftBody { levels, rest, predicted, former, positions, .. } = self.body;
        let (levels, rest, predicted, positions) = (&*levels, &*rest, &*predicted, &*positions);
        in_parts(&mut former[..], PART_PARTICLES, |first, former| {
            simd.run(GoalPass { levels, first, rest, predicted, positions, former, blend });
        });
    }
}

struct SourceStep<'a> {
    body: &'a mut SoftBody,
    alpha: f32,
}

impl WithSimd for SourceStep<'_> {
    fn with<S: Simd>(self, simd: S) {
        let SoftBody { levels, rest, predicted, former, positions, .. } = &mut *self.body;
        for level in &mut *levels {
            level.match_shapes(simd, positions, Want::Goal);
        }
        let alpha = self.alpha.clamp(0.0, 1.0);
        let (levels, rest, predicted, places) = (&*levels, &*rest, &*predicted, &*positions);
        in_parts(&mut former[..], PART_PARTICLES, |first, next| {
            simd.run(SourcePass { levels, first, rest, predicted, positions: places, next, alpha });
        });
        std::mem::swap(positions, former);
    }
}

impl SoftBody {
    /// The momentum at the end, if nothing holds the body.
    fn free_momentum(&self, settings: &StepSettings) -> Option<Momentum> {
        let is_held = self.holds.iter().any(Option::is_some)
            || self.drags.iter().any(Option::is_some)
            || self.oriented.iter().any(|oriented| oriented.frames.holds.iter().any(Option::is_some));
        if is_held || settings.integration != Integration::Implicit {
            return None;
        }
        let h = f64::from(settings.dt_secs);
        let mut wanted = self.momentum();
        wanted.linear += settings.gravity.as_dvec3() * (wanted.mass * h);
        self.oriented.iter().for_each(|oriented| wanted.angular += oriented.frames.pending(h));
        for (force, position) in
            self.forces.iter().zip(&self.positions).filter(|(force, _)| **force != Vec3::ZERO)
        {
            let impulse = force.as_dvec3() * h;
            wanted.linear += impulse;
            wanted.angular += (position.truncate().as_dvec3() - wanted.center).cross(impulse);
        }
        Some(wanted)
    }

    /// Where particles would go by themselves.
    fn predict(&mut self, settings: &StepSettings) {
        let Self { predicted, holds, drags, positions, velocities, masses, forces, .. } = self;
        let h = settings.dt_secs;
        for (particle, predicted) in predicted.iter_mut().enumerate() {
            *predicted = match holds[particle] {
                Some(place) => place.extend(0.0),
                None => {
                    let outer = settings.gravity + forces[particle] / masses[particle].max(1e-12);
                    let fall = outer.extend(0.0) * (h * h);
                    let free = (positions[particle] + velocities[particle] * h + fall).truncate();
                    drags[particle].map_or(free.extend(1.0), |drag| drag.predicted(free, h * h))
                }
            };
            forces[particle] = Vec3::ZERO;
        }
    }

    /// Where the search for the new positions begins: where particles would go with the acceleration that they had in the last
    /// two steps, as far as gravity can explain it. At rest that is where they are, so that rest is the exact balance of forces
    /// however few iterations there are; in free fall it is the fall. Of two steps, because what trembles from one to the next
    /// would look like a fall every other time.
    fn guess(&mut self, settings: &StepSettings) {
        let Self { positions, former, velocities, former_velocities, holds, oriented, followed, .. } = self;
        let h = settings.dt_secs;
        let gravity = settings.gravity.extend(0.0);
        // What frames resist is so stiff that few iterations lag behind, and an acceleration that lags feeds on itself.
        let square = if oriented.is_some() { 0.0 } else { gravity.length_squared() };
        for (particle, position) in positions.iter_mut().enumerate() {
            let (velocity, former) = (velocities[particle], former_velocities[1][particle]);
            let share =
                if square > 0.0 { (velocity - former).dot(gravity) / (2.0 * h * square) } else { 0.0 };
            *position = match holds[particle] {
                Some(place) => place.extend(0.0),
                None => {
                    let moved = match followed {
                        Some(followed) => followed.carried(particle, velocity, h),
                        None => velocity * h,
                    };
                    *position + moved + gravity * (h * h * share.clamp(0.0, 1.0))
                }
            };
        }
        former.copy_from_slice(positions);
    }

    pub(crate) fn find_velocities(&mut self, settings: &StepSettings, colliders: &[Collider]) {
        let Self { velocities, former_velocities, positions, before, touched, .. } = self;
        former_velocities.swap(0, 1);
        former_velocities[0].copy_from_slice(velocities);
        let per_second = 1.0 / settings.dt_secs;
        for (particle, velocity) in velocities.iter_mut().enumerate() {
            let old = *velocity;
            *velocity = (positions[particle] - before[particle]) * per_second;
            if let Some(collider) = touched[particle].map(|number| &colliders[usize::from(number)]) {
                let way = (before[particle].truncate(), positions[particle].truncate());
                *velocity = bounced(collider, way, old, *velocity, per_second);
            }
        }
    }

    fn damp(&mut self, settings: &StepSettings) {
        let keep = (-settings.damping * settings.dt_secs).exp();
        let most = settings.most_speed;
        for velocity in &mut self.velocities {
            *velocity = (*velocity * keep).clamp_length_max(most);
        }
        self.oriented.iter_mut().for_each(|oriented| oriented.frames.damp(f64::from(keep)));
    }
}

/// The velocity after a touch on the way between two points: what went into the surface comes out again, in part.
fn bounced(collider: &Collider, way: (Vec3, Vec3), old: Vec4, new: Vec4, per_second: f32) -> Vec4 {
    if collider.settings.restitution <= 0.0 {
        return new;
    }
    let (before, after) = way;
    let normal = collider.touch(after).normal.extend(0.0);
    let surface = ((collider.carried(before) - before) * per_second).extend(0.0);
    let speed_in = -(old - surface).dot(normal);
    if speed_in < LEAST_BOUNCE {
        return new;
    }
    let speed_out = (new - surface).dot(normal);
    new + normal * f32::max(0.0, collider.settings.restitution * speed_in - speed_out)
}
