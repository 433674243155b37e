//! A body of flesh.

use crate::muscles::Contraction;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use sinew_geometry::TetMesh;
use sinew_geometry::simd::Backend;
use sinew_soft::{FiberAnswer, RegionMaterial, Regions, Rings, SoftBody, StepSettings};

/// What a body of flesh is made of: lists with an entry a particle, which are the points of the tetrahedra.
#[derive(Clone, Debug, PartialEq)]
pub struct FleshParts {
    /// Tetrahedra at rest, model space, meters.
    pub mesh: TetMesh,
    /// Kilograms.
    pub masses: Vec<f32>,
    /// Young's modulus over density, m²/s².
    pub square_speeds: Vec<f32>,
    /// Rates at which motion against the skinned shape dies out, 1/s.
    pub dampings: Vec<f32>,
    /// How far particles may leave their skinned places, meters.
    pub reaches: Vec<f32>,
    /// Directions at rest towards the bone, unit or zero, and how far particles may go that way, meters.
    pub backstops: Vec<(Vec3, f32)>,
    /// Whether a bone holds the particle.
    pub is_held: Vec<bool>,
    /// Directions of fibers at rest; zero for none.
    pub fibers: Vec<Vec3>,
    /// What share of a stretch along its fiber is given way to, from 0 to 1: β κ of the source.
    pub gives: Vec<f32>,
    /// Muscles that a particle belongs to, with shares that sum to 1 at most.
    pub muscles: Vec<Vec<(u32, f32)>>,
    /// How many muscles there are.
    pub muscle_count: usize,
}

/// How flesh is stepped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MotionSettings {
    /// Length of a step, seconds. Default 1/60: output at any rate is taken from these steps.
    pub dt_secs: f32,
    /// Iterations a step. Default 20.
    pub iterations: u32,
    /// How many times stiffer flesh is against a change of volume than of shape. Default 20.
    pub bulk: f32,
    /// How much of gravity acts beyond what the rest pose has in it already, from 0 to 1. Default 0.
    pub gravity_share: f32,
    /// Instructions to use; not part of a file. Default: the fastest there are.
    #[serde(skip)]
    pub backend: Backend,
}

impl Default for MotionSettings {
    fn default() -> Self {
        Self {
            dt_secs: 1.0 / 60.0,
            iterations: 20,
            bulk: 20.0,
            gravity_share: 0.0,
            backend: Backend::detect(),
        }
    }
}

/// Why parts do not make flesh. Numbers of things count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FleshError {
    /// A list of another length. `what`: what the list holds. `found`: its length. `expected`: particles.
    #[error("{found} {what} for {expected} particles")]
    Count { what: &'static str, found: usize, expected: usize },
    /// A number that is none. `what`: what the number is.
    #[error("{what} of particle {particle} is {value}")]
    Number { what: &'static str, particle: usize, value: f32 },
    /// A muscle that is not there. `count`: muscles.
    #[error("muscle {muscle} of particle {particle} does not exist; there are {count}")]
    Muscle { particle: usize, muscle: u32, count: usize },
}

/// What drives flesh at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Where skinning, muscles and contact put each particle, meters.
    pub shape: Vec<Vec3>,
    /// The stretches at which each muscle is content: 1 at rest.
    pub contractions: Vec<Contraction>,
    /// In how many places the skin touches itself or something else; told again by [`Flesh::state`].
    pub touch_count: usize,
}

/// How flesh is at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FleshState {
    /// The farthest that a particle is from its skinned place, meters.
    pub farthest_m: f32,
    /// Kinetic energy of the motion against the skinned shape, joules.
    pub energy: f64,
    /// Volume of all tetrahedra, cubic meters.
    pub volume: f64,
    /// In how many places the skin touches itself or something else.
    pub touch_count: usize,
    /// Whether the skinned shape jumped farther than anything moves: flesh was carried along instead of being thrown about.
    pub has_jumped: bool,
}

/// A soft body in a rigged character.
#[derive(Clone, Debug)]
pub struct Flesh {
    body: SoftBody,
    mesh: TetMesh,
    masses: Vec<f32>,
    held: Vec<u32>,
    gives: Vec<f32>,
    muscles: Vec<Vec<(u32, f32)>>,
    /// Contractions that the regions have.
    contracted: Vec<Contraction>,
    former_shape: Vec<Vec3>,
    settings: MotionSettings,
    /// Diagonal of the rest shape's bounds, meters.
    size_m: f32,
    has_fibers: bool,
    touch_count: usize,
}

/// A skinned shape that jumps by more than this share of the body's size in one step has been moved, and does not move.
const JUMP: f32 = 0.4;

/// Most steps in which a start is settled.
const WARM_STEPS: usize = 600;

/// What is kept of every speed at each of them.
const WARM_BRAKE: f32 = 0.9;

/// Flesh that is slower than this has settled.
const STILL_M_PER_SEC: f32 = 2e-4;

impl Flesh {
    /// Flesh at rest.
    ///
    /// # Errors
    /// Lists of other lengths, numbers that are not finite or negative, muscles that are not there.
    pub fn new(parts: FleshParts, settings: MotionSettings) -> Result<Self, FleshError> {
        check(&parts)?;
        let FleshParts {
            mesh,
            masses,
            square_speeds,
            dampings,
            reaches,
            backstops,
            is_held,
            fibers,
            gives,
            ..
        } = parts;
        let material =
            |region: usize| RegionMaterial { square_speed: square_speeds[region], bulk: settings.bulk };
        let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), material);
        let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions, None)]);
        let has_fibers = fibers.iter().any(|fiber| *fiber != Vec3::ZERO);
        if has_fibers {
            body.set_fibers(0, &fibers);
        }
        body.follow(mesh.points(), settings.backend);
        body.set_follow_dampings(dampings);
        body.set_follow_reaches(reaches);
        body.set_follow_backstops(backstops);
        let bounds = sinew_geometry::Bounds::of(mesh.points());
        let mut flesh = Self {
            body,
            former_shape: mesh.points().to_vec(),
            held: (0..masses.len() as u32).filter(|&at| is_held[at as usize]).collect(),
            // Of a stretch that is given way to wholly, nothing would ever come back.
            gives: gives.iter().map(|give| MOST_GIVE * give.clamp(0.0, 1.0)).collect(),
            contracted: vec![Contraction::default(); masses.len()],
            muscles: parts.muscles,
            size_m: if masses.is_empty() { 0.0 } else { bounds.size().length() },
            mesh,
            masses,
            settings,
            has_fibers,
            touch_count: 0,
        };
        (0..flesh.masses.len()).filter(|_| has_fibers).for_each(|particle| flesh.answer(particle));
        Ok(flesh)
    }

    /// How many particles there are.
    pub fn particle_count(&self) -> usize {
        self.masses.len()
    }

    /// The tetrahedra at rest.
    pub fn mesh(&self) -> &TetMesh {
        &self.mesh
    }

    /// How it is stepped.
    pub fn settings(&self) -> &MotionSettings {
        &self.settings
    }

    /// Puts flesh where it would be if everything had stood still for long, moving with the shape if that moves: nothing jolts at the
    /// beginning of a film.
    ///
    /// - `next`: the shape a step later.
    ///
    /// # Panics
    /// If the drive is of other flesh.
    pub fn settle(&mut self, drive: &Drive, next: &[Vec3]) {
        self.place(drive);
        self.body.carry(&drive.shape);
        self.body.follow(&drive.shape, self.settings.backend);
        self.body.put_in_shape();
        for _ in 0..WARM_STEPS {
            self.advance();
            // Fast to where it comes to rest, and still there.
            let mut fastest = 0.0f32;
            for particle in 0..self.masses.len() {
                let velocity = self.body.velocity_against_shape(particle) * WARM_BRAKE;
                fastest = fastest.max(velocity.length());
                self.body.set_velocity(particle, velocity);
            }
            if fastest < STILL_M_PER_SEC {
                break;
            }
        }
        let velocity = |(next, now): (&Vec3, &Vec3)| (*next - *now) / self.settings.dt_secs;
        let velocities: Vec<Vec3> = next.iter().zip(&drive.shape).map(velocity).collect();
        self.body.set_follow_velocities(&velocities);
    }

    /// Goes on by one step, at whose end the drive is as given. Tells whether the shape has jumped; see [`FleshState::has_jumped`].
    ///
    /// # Panics
    /// If the drive is of other flesh.
    pub fn step(&mut self, drive: &Drive) -> bool {
        let has_jumped = self.has_jumped(&drive.shape);
        if has_jumped {
            self.body.carry(&drive.shape);
        }
        self.place(drive);
        self.advance();
        has_jumped
    }

    /// How far each particle is from its skinned place, meters.
    pub fn deviations(&self) -> impl ExactSizeIterator<Item = Vec3> {
        self.body.positions().zip(&self.former_shape).map(|(position, place)| position - *place)
    }

    /// How fast each particle moves against its skinned place, m/s.
    pub fn deviation_speeds(&self) -> impl ExactSizeIterator<Item = Vec3> {
        (0..self.masses.len()).map(|particle| self.body.velocity_against_shape(particle))
    }

    /// Where all particles are, meters.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Vec3> {
        self.body.positions()
    }

    /// Distances, energy and volume as they are.
    pub fn state(&self) -> FleshState {
        let farthest_m = self.deviations().map(|away| away.length()).fold(0.0, f32::max);
        let speeds = self.deviation_speeds().zip(&self.masses);
        let energy =
            speeds.map(|(speed, mass)| 0.5 * f64::from(*mass) * f64::from(speed.length_squared())).sum();
        let touch_count = self.touch_count;
        FleshState { farthest_m, energy, volume: self.volume(), touch_count, has_jumped: false }
    }

    /// Volume of all tetrahedra, cubic meters.
    pub fn volume(&self) -> f64 {
        let place = |corner: u32| self.body.position(corner as usize).as_dvec3();
        let of_tet = |tet: &[u32; 4]| {
            let [a, b, c, d] = tet.map(place);
            (b - a).cross(c - a).dot(d - a) / 6.0
        };
        self.mesh.tets().iter().map(of_tet).sum()
    }

    fn place(&mut self, drive: &Drive) {
        self.body.follow(&drive.shape, self.settings.backend);
        for &particle in &self.held {
            self.body.hold(particle as usize, Some(drive.shape[particle as usize]));
        }
        self.former_shape.copy_from_slice(&drive.shape);
        self.contract(&drive.contractions);
        self.touch_count = drive.touch_count;
    }

    fn advance(&mut self) {
        let MotionSettings { dt_secs, iterations, gravity_share, backend, .. } = self.settings;
        let settings = StepSettings {
            dt_secs,
            iterations,
            gravity: Vec3::new(0.0, -9.81, 0.0) * gravity_share,
            backend,
            ..StepSettings::default()
        };
        // Contact is in the shape that is followed.
        self.body.step(&settings, &[]);
    }

    /// Whether the shape has moved on the whole by more than anything does in a step.
    fn has_jumped(&self, shape: &[Vec3]) -> bool {
        let count = shape.len().max(1) as f32;
        let moved = shape.iter().zip(&self.former_shape).map(|(now, before)| now.distance(*before));
        moved.sum::<f32>() / count > JUMP * self.size_m
    }

    fn contract(&mut self, contractions: &[Contraction]) {
        if !self.has_fibers {
            return;
        }
        for particle in 0..self.muscles.len() {
            let muscles = &self.muscles[particle];
            if muscles.is_empty() {
                continue;
            }
            let mut mixed = Contraction::default();
            for &(muscle, share) in muscles {
                let Contraction { along, across } =
                    contractions.get(muscle as usize).copied().unwrap_or_default();
                mixed.along += share * (along - 1.0);
                mixed.across += share * (across - 1.0);
            }
            if mixed != self.contracted[particle] {
                self.contracted[particle] = mixed;
                self.answer(particle);
            }
        }
    }

    fn answer(&mut self, particle: usize) {
        let Contraction { along, across } = self.contracted[particle];
        let answer = FiberAnswer { give: self.gives[particle], contraction: along, lateral: across };
        self.body.set_fiber_answer(0, particle, answer);
    }
}

/// κ: the largest share of a stretch that is given way to.
const MOST_GIVE: f32 = 0.9;

fn check(parts: &FleshParts) -> Result<(), FleshError> {
    let expected = parts.mesh.points().len();
    let counts = [
        ("masses", parts.masses.len()),
        ("stiffnesses", parts.square_speeds.len()),
        ("damping rates", parts.dampings.len()),
        ("reaches", parts.reaches.len()),
        ("backstops", parts.backstops.len()),
        ("marks of held particles", parts.is_held.len()),
        ("fibres", parts.fibers.len()),
        ("fibre influences", parts.gives.len()),
        ("lists of muscles", parts.muscles.len()),
    ];
    if let Some(&(what, found)) = counts.iter().find(|(_, found)| *found != expected) {
        return Err(FleshError::Count { what, found, expected });
    }
    let lists = [
        ("the mass", &parts.masses),
        ("the stiffness", &parts.square_speeds),
        ("the damping rate", &parts.dampings),
        ("the reach", &parts.reaches),
        ("the fibre influence", &parts.gives),
    ];
    for (what, list) in lists {
        if let Some(particle) = list.iter().position(|value| !(value.is_finite() && *value >= 0.0)) {
            return Err(FleshError::Number { what, particle, value: list[particle] });
        }
    }
    let is_stop = |(direction, most): &(Vec3, f32)| direction.is_finite() && most.is_finite() && *most >= 0.0;
    if let Some(particle) = parts.backstops.iter().position(|stop| !is_stop(stop)) {
        let value = parts.backstops[particle].1;
        return Err(FleshError::Number { what: "the backstop", particle, value });
    }
    if let Some(particle) = parts.fibers.iter().position(|fiber| !fiber.is_finite()) {
        let value = parts.fibers[particle].length();
        return Err(FleshError::Number { what: "the fibre", particle, value });
    }
    for (particle, muscles) in parts.muscles.iter().enumerate() {
        for &(muscle, share) in muscles {
            if muscle as usize >= parts.muscle_count {
                return Err(FleshError::Muscle { particle, muscle, count: parts.muscle_count });
            }
            if !(share.is_finite() && share >= 0.0) {
                return Err(FleshError::Number { what: "a muscle's share", particle, value: share });
            }
        }
    }
    Ok(())
}
