//! Momentum that a body without holds and touches keeps.
//!
//! Inner forces cannot change it, but an implicit step of finite length, ended before it has converged, does a little: a spinning body
//! slows down. What is lost is put back as a motion of the whole body.

use glam::{DMat3, DVec3, Vec4};

/// Mass, centre, momentum and moment of a set of particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// Kilograms.
    pub mass: f64,
    /// Centre of mass, metres.
    pub center: DVec3,
    /// Σ m v, kg m/s.
    pub linear: DVec3,
    /// Σ m r × v about the centre, kg m²/s.
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

/// Moves and turns a body as a whole, so that it has the wanted momentum.
pub(super) fn restore(
    masses: &[f32],
    positions: &mut [Vec4],
    velocities: &mut [Vec4],
    wanted: &Momentum,
    dt_secs: f32,
) {
    let found = Momentum::of(masses, positions, velocities);
    if found.mass <= 0.0 {
        return;
    }
    let push = (wanted.linear - found.linear) / found.mass;
    let spin = inverse_inertia(masses, positions, found.center) * (wanted.angular - found.angular);
    if !push.is_finite() || !spin.is_finite() {
        return;
    }
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        let arm = position.truncate().as_dvec3() - found.center;
        *velocity += (push + spin.cross(arm)).as_vec3().extend(0.0);
        *position += (push * f64::from(dt_secs)).as_vec3().extend(0.0);
    }
}

/// The inverse of Σ m (r² − r rᵀ); without effect on axes round which there is no mass.
fn inverse_inertia(masses: &[f32], positions: &[Vec4], center: DVec3) -> DMat3 {
    let mut inertia = DMat3::ZERO;
    for (&mass, position) in masses.iter().zip(positions) {
        let r = position.truncate().as_dvec3() - center;
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        inertia += (DMat3::IDENTITY * r.length_squared() - outer) * f64::from(mass);
    }
    let (axes, sizes) = sinew_geometry::symmetric_eigen(&inertia);
    let largest = sizes.max_element();
    let invert = |size: f64| if size > 1e-6 * largest && largest > 0.0 { 1.0 / size } else { 0.0 };
    let inverses = DVec3::new(invert(sizes.x), invert(sizes.y), invert(sizes.z));
    axes * DMat3::from_diagonal(inverses) * axes.transpose()
}
