//! A soft body: particles, regions, and how they move.

use crate::examples::ExampleSet;
use crate::kernel::goal_pass::{Blend, GoalPass};
use crate::level::Level;
use crate::regions::Regions;
use crate::threads::in_parts;
use glam::{Vec3, Vec4};
use sinew_geometry::simd::{Backend, Simd, WithSimd};

/// How a body is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// Length of the step, seconds.
    pub dt_secs: f32,
    /// Iterations a step. More are stiffer, up to the material's own stiffness. Default 20.
    pub iterations: u32,
    /// Acceleration of everything, m/s². Default 9.81 downwards.
    pub gravity: Vec3,
    /// Rate at which all motion dies out, 1/s. Default 0.5.
    pub damping: f32,
    /// Instructions to use. Default: the fastest there are.
    pub backend: Backend,
}

impl Default for StepSettings {
    fn default() -> Self {
        Self {
            dt_secs: 1.0 / 60.0,
            iterations: 20,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            damping: 0.5,
            backend: Backend::detect(),
        }
    }
}

/// Particles that are matched to their rest shape in regions.
#[derive(Clone, Debug)]
pub struct SoftBody {
    levels: Vec<Level>,
    /// Rest places with 1 as fourth.
    rest: Vec<Vec4>,
    positions: Vec<Vec4>,
    /// Positions an iteration ago.
    former: Vec<Vec4>,
    /// Where particles would go by themselves, with 1 as fourth where they are free.
    predicted: Vec<Vec4>,
    velocities: Vec<Vec4>,
    /// Velocities one and two steps ago.
    former_velocities: [Vec<Vec4>; 2],
    /// Where particles are held.
    holds: Vec<Option<Vec3>>,
    most_stiffness: f32,
}

/// Particles that one thread works on at a time.
const PART_PARTICLES: usize = 512;

impl SoftBody {
    /// A body at rest.
    ///
    /// # Panics
    /// If a level was bound for another number of particles.
    pub fn new(rest: &[Vec3], levels: Vec<(Regions, Option<ExampleSet>)>) -> Self {
        let rest: Vec<Vec4> = rest.iter().map(|point| point.extend(1.0)).collect();
        let positions: Vec<Vec4> = rest.iter().map(|point| point.truncate().extend(0.0)).collect();
        Self {
            most_stiffness: levels.iter().map(|(regions, _)| regions.most_stiffness()).fold(0.0, f32::max),
            levels: levels.into_iter().map(|(regions, examples)| Level::new(&regions, examples)).collect(),
            former: positions.clone(),
            predicted: rest.clone(),
            velocities: vec![Vec4::ZERO; rest.len()],
            former_velocities: [vec![Vec4::ZERO; rest.len()], vec![Vec4::ZERO; rest.len()]],
            holds: vec![None; rest.len()],
            rest,
            positions,
        }
    }

    /// How many particles there are.
    pub fn particle_count(&self) -> usize {
        self.rest.len()
    }

    /// Where a particle is.
    pub fn position(&self, particle: usize) -> Vec3 {
        self.positions[particle].truncate()
    }

    /// Moves a particle to a place, as it is; its velocity stays.
    pub fn set_position(&mut self, particle: usize, place: Vec3) {
        self.positions[particle] = place.extend(0.0);
    }

    /// How fast a particle is, m/s.
    pub fn velocity(&self, particle: usize) -> Vec3 {
        self.velocities[particle].truncate()
    }

    /// Gives a particle a velocity, m/s.
    pub fn set_velocity(&mut self, particle: usize, velocity: Vec3) {
        self.velocities[particle] = velocity.extend(0.0);
    }

    /// The examples of a level, if it has any.
    pub fn examples(&self, level: usize) -> Option<&ExampleSet> {
        self.levels.get(level).and_then(Level::examples)
    }

    /// Holds a particle at a place, or lets it go.
    pub fn hold(&mut self, particle: usize, place: Option<Vec3>) {
        self.holds[particle] = place;
    }

    /// Goes on by one step.
    pub fn step(&mut self, settings: &StepSettings) {
        settings.backend.dispatch(Step { body: self, settings });
    }

    fn predict(&mut self, settings: &StepSettings) {
        let h = settings.dt_secs;
        let fall = (settings.gravity * h * h).extend(0.0);
        for (particle, predicted) in self.predicted.iter_mut().enumerate() {
            *predicted = match self.holds[particle] {
                Some(place) => place.extend(0.0),
                None => {
                    (self.positions[particle] + self.velocities[particle] * h + fall).truncate().extend(1.0)
                }
            };
        }
    }

    /// Where the search for the new positions begins: where particles would go with the acceleration that they had in the last
    /// step, as far as outer forces can explain it. At rest that is where they are, so that rest is the exact balance of forces
    /// however few iterations there are; in free fall it is the fall.
    fn guess(&mut self, settings: &StepSettings) {
        let h = settings.dt_secs;
        let outer = settings.gravity.extend(0.0);
        let square = outer.length_squared();
        for (particle, position) in self.positions.iter_mut().enumerate() {
            let (velocity, former) = (self.velocities[particle], self.former_velocities[1][particle]);
            let share =
                if square > 0.0 { ((velocity - former) / (2.0 * h)).dot(outer) / square } else { 0.0 };
            *position = match self.holds[particle] {
                Some(place) => place.extend(0.0),
                None => *position + velocity * h + outer * (h * h * share.clamp(0.0, 1.0)),
            };
        }
        self.former.copy_from_slice(&self.positions);
    }

    fn finish(&mut self, settings: &StepSettings, before: &[Vec4]) {
        let keep = (-settings.damping * settings.dt_secs).exp() / settings.dt_secs;
        self.former_velocities.swap(0, 1);
        self.former_velocities[0].copy_from_slice(&self.velocities);
        for ((velocity, position), before) in self.velocities.iter_mut().zip(&self.positions).zip(before) {
            *velocity = (*position - *before) * keep;
        }
    }
}

struct Step<'a> {
    body: &'a mut SoftBody,
    settings: &'a StepSettings,
}

impl WithSimd for Step<'_> {
    fn with<S: Simd>(self, simd: S) {
        let Step { body, settings } = self;
        if settings.dt_secs <= 0.0 {
            return;
        }
        body.predict(settings);
        let before = body.positions.clone();
        // Examples are weighed by the shape that the body has before the step, so that it is not pulled out of one first.
        for level in &mut body.levels {
            level.weigh_examples(simd, &body.positions);
        }
        body.guess(settings);
        let square_secs = settings.dt_secs * settings.dt_secs;
        let mut chebyshev = Chebyshev::new(square_secs * body.most_stiffness, settings.iterations);
        for _ in 0..settings.iterations {
            for level in &mut body.levels {
                level.match_shapes(simd, &body.positions);
            }
            let blend = Blend { square_secs, reach: chebyshev.reach, omega: chebyshev.next() };
            let SoftBody { levels, rest, predicted, former, positions, .. } = &mut *body;
            let (levels, rest, predicted, positions) = (&*levels, &*rest, &*predicted, &*positions);
            in_parts(&mut former[..], PART_PARTICLES, |first, former| {
                simd.run(GoalPass { levels, first, rest, predicted, positions, former, blend });
            });
            std::mem::swap(&mut body.positions, &mut body.former);
        }
        body.finish(settings, &before);
    }
}

/// Weights that hasten an iteration whose errors shrink by factors from 0 to ρ each time.
///
/// Shape matching is a projection in each region, and a mean of projections: its factors are never negative, so that each iteration
/// can go further than the blend, by 2 / (2 − ρ); the factors then lie from −ρ' to ρ' with ρ' = ρ / (2 − ρ), for which Chebyshev's
/// weights are the best there are.
struct Chebyshev {
    reach: f32,
    square: f32,
    weight: f32,
    count: u32,
}

/// Of an error, the iterations together must leave less than 1 / cosh of this with turned sign. A step that leaves more than 1/3
/// of it is unstable, however small the error: x ← −(1/3) (2 x − x₋₁) grows.
const CALM: f32 = 2.5;

impl Chebyshev {
    /// For springs of stiffness `s` = h² k and a number of iterations.
    fn new(s: f32, iterations: u32) -> Self {
        let stiff = s / (1.0 + s);
        let most = 1.0 / (CALM / iterations.max(1) as f32).cosh();
        let rho = (stiff / (2.0 - stiff)).min(most);
        // The ρ whose ρ' this is.
        let reach = 2.0 / (2.0 - 2.0 * rho / (1.0 + rho));
        Self { reach, square: rho * rho, weight: 1.0, count: 0 }
    }

    fn next(&mut self) -> f32 {
        self.weight = match self.count {
            0 => 1.0,
            1 => 2.0 / (2.0 - self.square),
            _ => 4.0 / (4.0 - self.square * self.weight),
        };
        self.count += 1;
        self.weight
    }
}
