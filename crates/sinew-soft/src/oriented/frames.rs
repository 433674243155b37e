//! How particles are turned, and how fast they turn.

use super::element::rotation_vector;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3, Vec4};

/// Rotations of all particles against rest, with inertia.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    /// Rest frames, only for those who draw.
    rest: Vec<Quat>,
    /// Moments of inertia, the same about all axes, kg m².
    pub(crate) moments: Vec<f64>,
    pub(crate) turns: Vec<DQuat>,
    /// Rad/s, world space.
    pub(crate) spins: Vec<DVec3>,
    pub(crate) holds: Vec<Option<DQuat>>,
    /// Moments of force of the next step, N m.
    torques: Vec<DVec3>,
    before: Vec<DQuat>,
    /// Where frames would turn by themselves.
    pub(crate) predicted: Vec<DQuat>,
    still: Vec<DQuat>,
}

/// Turns that count as none, radians.
const STILL_RAD: f64 = 2e-5;

/// Frames are not begun with farther ahead of where they were, radians.
const MOST_AHEAD: f64 = 0.7;

impl Frames {
    pub(crate) fn new(rest: Vec<Quat>, moments: Vec<f64>) -> Self {
        let count = rest.len();
        let upright = vec![DQuat::IDENTITY; count];
        Self {
            rest,
            moments,
            turns: upright.clone(),
            spins: vec![DVec3::ZERO; count],
            holds: vec![None; count],
            torques: vec![DVec3::ZERO; count],
            before: upright.clone(),
            predicted: upright.clone(),
            still: upright,
        }
    }

    pub(crate) fn frame(&self, particle: usize) -> Quat {
        (self.turns[particle].as_quat() * self.rest[particle]).normalize()
    }

    fn turn_of(&self, particle: usize, frame: Quat) -> DQuat {
        let length = frame.length_squared();
        let is_rotation = length.is_finite() && length > 1e-12;
        let frame = if is_rotation { frame.normalize() } else { self.rest[particle] };
        (frame.as_dquat() * self.rest[particle].as_dquat().conjugate()).normalize()
    }

    pub(crate) fn set_frame(&mut self, particle: usize, frame: Quat) {
        self.turns[particle] = self.turn_of(particle, frame);
    }

    pub(crate) fn hold(&mut self, particle: usize, frame: Option<Quat>) {
        self.holds[particle] = frame.map(|frame| self.turn_of(particle, frame));
    }

    pub(crate) fn push(&mut self, particle: usize, torque: Vec3) {
        self.torques[particle] += torque.as_dvec3();
    }

    /// Σ J ω.
    pub(crate) fn spin_momentum(&self) -> DVec3 {
        self.spins.iter().zip(&self.moments).map(|(spin, moment)| *spin * *moment).sum()
    }

    /// What the moments of force of the next step add to that.
    pub(crate) fn pending(&self, dt_secs: f64) -> DVec3 {
        self.torques.iter().sum::<DVec3>() * dt_secs
    }

    /// Predicts, and turns frames as far as they turn by themselves.
    pub(crate) fn begin(&mut self, dt_secs: f64) {
        self.before.copy_from_slice(&self.turns);
        for particle in 0..self.turns.len() {
            let turn = self.turns[particle];
            let ahead = self.spins[particle] * dt_secs;
            // Moments of force are not in it: a frame of little inertia would turn many times round before anything held it.
            self.predicted[particle] = (DQuat::from_scaled_axis(limited(ahead)) * turn).normalize();
            // The search does not begin far away, where there are other answers.
            let near = (DQuat::from_scaled_axis(ahead.clamp_length_max(MOST_AHEAD)) * turn).normalize();
            self.turns[particle] = self.holds[particle].unwrap_or(near);
        }
    }

    /// The moment by which inertia and outer moments of force act on a frame as it is turned now, N m.
    pub(crate) fn pull(&self, particle: usize, turn: DQuat, dt_secs: f64) -> DVec3 {
        let behind = rotation_vector(self.predicted[particle] * turn.conjugate());
        behind * (self.moments[particle] / (dt_secs * dt_secs)) + self.torques[particle]
    }

    /// Finds how fast frames have turned.
    pub(crate) fn end(&mut self, dt_secs: f64) {
        for particle in 0..self.turns.len() {
            let turned = rotation_vector(self.turns[particle] * self.before[particle].conjugate());
            self.spins[particle] = turned / dt_secs;
            self.torques[particle] = DVec3::ZERO;
        }
    }

    pub(crate) fn damp(&mut self, keep: f64) {
        self.spins.iter_mut().for_each(|spin| *spin *= keep);
    }

    /// Whether nothing has turned since the last time this was not so.
    pub(crate) fn is_still(&self) -> bool {
        self.turns.iter().zip(&self.still).all(|(a, b)| {
            let apart = rotation_vector(*a * b.conjugate());
            apart.length_squared() <= STILL_RAD * STILL_RAD
        })
    }

    pub(crate) fn remember(&mut self) {
        self.still.copy_from_slice(&self.turns);
    }

    pub(crate) fn stop(&mut self) {
        self.turns.copy_from_slice(&self.still);
        self.spins.fill(DVec3::ZERO);
    }

    /// Adds a spin of the whole body about its center so that the moment of momentum, that of the frames included, is as wanted.
    pub(crate) fn restore_spin(
        &mut self,
        wanted: DVec3,
        masses: &[f32],
        positions: &[Vec4],
        velocities: &mut [Vec4],
    ) {
        let found = crate::Momentum::of(masses, positions, velocities);
        let mut inertia = DMat3::from_diagonal(DVec3::splat(self.moments.iter().sum()));
        for (&mass, position) in masses.iter().zip(positions) {
            let arm = position.truncate().as_dvec3() - found.center;
            let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            inertia += (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * f64::from(mass);
        }
        let spin = inertia.inverse() * (wanted - found.angular - self.spin_momentum());
        if !spin.is_finite() {
            return;
        }
        for (position, velocity) in positions.iter().zip(velocities) {
            let arm = position.truncate().as_dvec3() - found.center;
            *velocity += spin.cross(arm).as_vec3().extend(0.0);
        }
        self.spins.iter_mut().for_each(|own| *own += spin);
    }
}

/// A turn of no more than half a round.
pub(crate) fn limited(turn: DVec3) -> DVec3 {
    turn.clamp_length_max(std::f64::consts::PI)
}
