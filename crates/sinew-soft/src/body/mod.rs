//! A soft body: particles, regions, and how they move.

mod chebyshev;
mod drive;
mod follow;
mod frames;
mod handles;
mod momentum;
mod skin;
mod step;

use follow::Followed;
pub use handles::{Drag, Grip};
pub use momentum::Momentum;
pub(crate) use momentum::{add_motion, inertia, inverted, joined};
pub use step::{Integration, StepSettings};
pub(crate) use step::{LEAST_BOUNCE, Progress, in_pool_if_large, is_time};

use crate::contact::{Asked, Collider, Near, Skin};
use crate::examples::ExampleSet;
use crate::level::Level;
use crate::oriented::Oriented;
use crate::regions::Regions;
use crate::world::step_alone;
use glam::{Vec3, Vec4};
use std::sync::Arc;

/// Particles that are matched to their rest shape in regions.
#[derive(Clone, Debug)]
pub struct SoftBody {
    levels: Vec<Level>,
    /// Frames of particles, if they have any.
    oriented: Option<Oriented>,
    pub(crate) masses: Vec<f32>,
    /// Rest places with 1 as fourth.
    rest: Vec<Vec4>,
    pub(crate) positions: Vec<Vec4>,
    pub(crate) velocities: Vec<Vec4>,
    /// Velocities one and two steps ago.
    pub(crate) former_velocities: [Vec<Vec4>; 2],
    /// Where particles are held.
    holds: Vec<Option<Vec3>>,
    /// What drags particles.
    drags: Vec<Option<Drag>>,
    /// Forces of the next step, newtons.
    forces: Vec<Vec3>,
    most_stiffness: f32,
    /// Of each particle's goals together, 1/s².
    particle_stiffness: Vec<f32>,
    skin: Option<Arc<Skin>>,
    /// What Chebyshev's weights may add to an iteration, meters.
    most_extra_m: f32,
    /// Diagonal of the rest shape's bounds, meters.
    rest_size_m: f32,
    stillness: Stillness,
    /// Positions an iteration ago.
    former: Vec<Vec4>,
    /// Positions at the beginning of the step.
    pub(crate) before: Vec<Vec4>,
    /// Where particles would go by themselves, with 1 as fourth where they are free.
    pub(crate) predicted: Vec<Vec4>,
    /// Of each particle, the collider that it last ran into.
    pub(crate) touched: Vec<Option<u16>>,
    /// Of each particle, what it knows of colliders in this step.
    near: Vec<Near>,
    asked: Asked,
    /// The shape that the body follows, if it does not keep its rest shape.
    followed: Option<Followed>,
}

/// Where particles have been for how long.
#[derive(Clone, Debug)]
struct Stillness {
    places: Vec<Vec4>,
    step_count: u32,
}

impl SoftBody {
    /// A body at rest, of particles at `rest`, in meters, with `masses`, in kilograms, and the regions of one or more levels, whose
    /// forces add up, with their examples.
    ///
    /// # Panics
    /// If masses or a level were made for another number of particles.
    pub fn new(rest: &[Vec3], masses: &[f32], levels: Vec<(Regions, Option<ExampleSet>)>) -> Self {
        assert_eq!(rest.len(), masses.len(), "one mass a particle");
        for (regions, _) in &levels {
            assert_eq!(regions.particle_count(), rest.len(), "regions of this body");
        }
        let count = rest.len();
        let (low, high) = rest.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &point| {
            (low.min(point), high.max(point))
        });
        let positions: Vec<Vec4> = rest.iter().map(|point| point.extend(0.0)).collect();
        let most_stiffness = levels.iter().map(|(regions, _)| regions.most_stiffness()).sum();
        let most_extra_m =
            levels.iter().map(|(regions, _)| regions.most_extra_m).fold(f32::INFINITY, f32::min);
        let levels: Vec<Level> =
            levels.into_iter().map(|(regions, examples)| Level::new(&regions, examples)).collect();
        Self {
            most_extra_m,
            most_stiffness,
            particle_stiffness: skin::particle_stiffness(&levels, count),
            skin: None,
            levels,
            oriented: None,
            rest_size_m: if count > 0 { (high - low).length() } else { 0.0 },
            masses: masses.to_vec(),
            rest: rest.iter().map(|point| point.extend(1.0)).collect(),
            velocities: vec![Vec4::ZERO; count],
            former_velocities: [vec![Vec4::ZERO; count], vec![Vec4::ZERO; count]],
            holds: vec![None; count],
            drags: vec![None; count],
            forces: vec![Vec3::ZERO; count],
            stillness: Stillness { places: positions.clone(), step_count: 0 },
            former: positions.clone(),
            before: positions.clone(),
            predicted: positions.clone(),
            touched: vec![None; count],
            near: vec![Near::default(); count],
            asked: Asked::default(),
            followed: None,
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

    /// Where all particles are, model space, meters.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Vec3> {
        self.positions.iter().map(|position| position.truncate())
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

    /// Pushes a particle during the next step, newtons.
    pub fn push(&mut self, particle: usize, force: Vec3) {
        self.forces[particle] += force;
    }

    /// Holds a particle at a place, or lets it go.
    pub fn hold(&mut self, particle: usize, place: Option<Vec3>) {
        self.holds[particle] = place;
    }

    /// The examples of a level, if it has any.
    pub fn examples(&self, level: usize) -> Option<&ExampleSet> {
        self.levels.get(level).and_then(|level| level.examples.as_ref())
    }

    /// How many regions a level has; 0 if there is no such level.
    pub fn region_count(&self, level: usize) -> usize {
        self.levels.get(level).map_or(0, |level| level.tables.region_count())
    }

    /// Mass, center and momentum, that of turning frames included.
    pub fn momentum(&self) -> Momentum {
        let mut momentum = Momentum::of(&self.masses, &self.positions, &self.velocities);
        self.oriented.iter().for_each(|oriented| momentum.angular += oriented.frames.spin_momentum());
        momentum
    }

    /// Goes on by one step, kept out of colliders. A step of no length changes nothing.
    pub fn step(&mut self, settings: &StepSettings, colliders: &[Collider]) {
        step_alone(self, settings, colliders);
    }
}
