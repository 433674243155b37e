//! Momentum that a body without holds and touches keeps.
//!
//! Inner forces cannot change it, but an implicit step of finite length, ended before it has converged, does a little: a spinning body
//! slows down. What is lost is put back as a motion of the whole body.

use glam::{DMat3, DVec3, Vec4};

/// Mass, center, momentum and moment of a set of particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// Kilograms.
    pub mass: f64,
    /// Center of mass, meters.
    pub center: DVec3,
    /// Σ m v, kg m/s.
    pub linear: DVec3,
    /// Σ m r × v about the center, kg m²/s.
    pub angular: DVec3,
}

impl Momentum {
    /// Of particles with masses, at places, with velocities.
    pub(crate) fn of(masses: &[f32], positions: &[Vec4], velocities: &[Vec4]) -> Self {
        let (mut mass, mut first, mut linear, mut about_origin) =
            (0.0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for ((&own, position), velocity) in masses.iter().zip(positions).zip(velocities) {
            let own = f64::from(own);
            let (position, impulse) = (position.truncate().as_dvec3(), velocity.truncate().as_dvec3() * own);
            mass += own;
            first += position * own;
            linear += impulse;
            about_origin += position.cross(impulse);
        }
        let center = if mass > 0.0 { first / mass } else { DVec3::ZERO };
        Self { mass, center, linear, angular: about_origin - center.cross(linear) }
    }
}

/// Of several sets together.
pub(crate) fn joined(parts: &[Momentum]) -> Momentum {
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    let first: DVec3 = parts.iter().map(|part| part.center * part.mass).sum();
    let center = if mass > 0.0 { first / mass } else { DVec3::ZERO };
    let linear = parts.iter().map(|part| part.linear).sum();
    let angular = parts.iter().map(|part| part.angular + (part.center - center).cross(part.linear)).sum();
    Momentum { mass, center, linear, angular }
}

/// Σ m (r² − r rᵀ), with r from the center.
pub(crate) fn inertia(masses: &[f32], positions: &[Vec4], center: DVec3) -> DMat3 {
    let mut inertia = DMat3::ZERO;
    for (&mass, position) in masses.iter().zip(positions) {
        let r = position.truncate().as_dvec3() - center;
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        inertia += (DMat3::IDENTITY * r.length_squared() - outer) * f64::from(mass);
    }
    inertia
}

/// The inverse of an inertia; without effect on axes round which there is no mass.
pub(crate) fn inverted(inertia: &DMat3) -> DMat3 {
    let (axes, sizes) = sinew_geometry::symmetric_eigen(inertia);
    let largest = sizes.max_element();
    let invert = |size: f64| if size > 1e-6 * largest && largest > 0.0 { 1.0 / size } else { 0.0 };
    let inverses = DVec3::new(invert(sizes.x), invert(sizes.y), invert(sizes.z));
    axes * DMat3::from_diagonal(inverses) * axes.transpose()
}

/// Adds a velocity and a turning about a center to particles, and what the velocity did to their places in a step.
pub(crate) fn add_motion(
    positions: &mut [Vec4],
    velocities: &mut [Vec4],
    center: DVec3,
    [push, spin]: [DVec3; 2],
    dt_secs: f32,
) {
    let shift = (push * f64::from(dt_secs)).as_vec3().extend(0.0);
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        let arm = position.truncate().as_dvec3() - center;
        *velocity += (push + spin.cross(arm)).as_vec3().extend(0.0);
        *position += shift;
    }
}
