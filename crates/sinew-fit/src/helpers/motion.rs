//! What a helper may do, and its best place in one pose.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::numeric::nearest_rotation;

/// What kind of transform a helper has in each pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HelperMotion {
    /// Turns and moves; what every engine plays.
    #[default]
    Rigid,
    /// Also a uniform scale, between [`MIN_SCALE`] and its inverse.
    Similarity,
    /// Turns about a point that is fixed in a driver bone, so that the length of the bone to the helper stays as it is. Point and driver are
    /// chosen when the helper is put in.
    FixedLength,
}

/// Least uniform scale of a helper.
pub const MIN_SCALE: f64 = 0.2;

/// Where a helper of fixed length hangs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pivot {
    /// Index of the driver.
    pub driver: usize,
    /// Rest space.
    pub point: DVec3,
}

/// Fraction of the spread of a helper's vertices by which it holds on to its last rotation. It decides where vertices do not (one vertex,
/// vertices on a line); larger values slow the fit down without making it worse.
const HOLD: f64 = 1e-8;
/// The same, as a fraction of the squared extent of the model, for helpers without any spread.
const HOLD_EXTENT: f64 = 1e-12;

/// A helper's rows in one pose: `[x, y, z, translation]` for each component.
pub(crate) type Rows = [[f64; 4]; 3];

/// Sums over vertices of what a helper should do in a pose.
pub(crate) struct Pull<'a> {
    /// Σ w r (x, 1)ᵀ, where r is what the other bones leave over.
    pub(crate) correlation: &'a Rows,
    /// Σ w² (x, 1)(x, 1)ᵀ.
    pub(crate) spread: &'a [[f64; 4]; 4],
    pub(crate) extent: f64,
}

impl Pull<'_> {
    /// The best rows, given those before; never worse than those. `hanging`: the pivot and where its driver takes it.
    pub(crate) fn best(&self, before: &Rows, motion: HelperMotion, hanging: Option<(DVec3, DVec3)>) -> Rows {
        let (u, q) = (self.spread, self.correlation);
        let weight = u[3][3];
        if weight < 1e-12 {
            return *before;
        }
        let turned_before = linear_part(before);
        let size = turned_before.determinant().abs().cbrt().max(f64::MIN_POSITIVE);
        let first_moment = DVec3::new(u[0][3], u[1][3], u[2][3]);
        let middle = first_moment / weight;
        let trace = u[0][0] + u[1][1] + u[2][2] - weight * middle.length_squared();
        let hold = turned_before * ((HOLD * trace + HOLD_EXTENT * weight * self.extent * self.extent) / size);
        let wanted = DVec3::new(q[0][3], q[1][3], q[2][3]);
        if let Some((point, posed)) = hanging {
            // Σ w (r − w posed)(x − point)ᵀ.
            let arm = first_moment - point * weight;
            let correlation = linear_part(q) - outer(wanted, point) - outer(posed, arm);
            let rotation = nearest_rotation(correlation + hold);
            return rows(rotation, posed - rotation * point);
        }
        let correlation = linear_part(q) - outer(wanted, middle);
        let mut linear = nearest_rotation(correlation + hold);
        if motion == HelperMotion::Similarity {
            linear *= scale(&linear, &correlation, trace).unwrap_or(size);
        }
        rows(linear, wanted / weight - linear * middle)
    }
}

/// Best uniform scale of a rotation; `None` where vertices have no spread.
fn scale(rotation: &DMat3, correlation: &DMat3, trace: f64) -> Option<f64> {
    let product = rotation.transpose() * *correlation;
    let along = product.x_axis.x + product.y_axis.y + product.z_axis.z;
    let best = along / trace;
    (trace > 0.0 && best.is_finite()).then(|| best.clamp(MIN_SCALE, 1.0 / MIN_SCALE))
}

pub(crate) fn linear_part(rows: &Rows) -> DMat3 {
    let row = |at: usize| DVec3::new(rows[at][0], rows[at][1], rows[at][2]);
    DMat3::from_cols(row(0), row(1), row(2)).transpose()
}

pub(crate) fn rows(linear: DMat3, translation: DVec3) -> Rows {
    [0, 1, 2].map(|at| {
        let row = linear.row(at);
        [row.x, row.y, row.z, translation[at]]
    })
}

/// `a bᵀ`.
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use sinew_geometry::Random;

    fn pull_of(points: &[(DVec3, DVec3)]) -> (Rows, [[f64; 4]; 4]) {
        let (mut q, mut u) = ([[0.0; 4]; 3], [[0.0; 4]; 4]);
        for (rest, posed) in points {
            let x = [rest.x, rest.y, rest.z, 1.0];
            for a in 0..4 {
                (0..3).for_each(|c| q[c][a] += posed[c] * x[a]);
                (0..4).for_each(|b| u[a][b] += x[a] * x[b]);
            }
        }
        (q, u)
    }

    #[test]
    fn a_cloud_that_was_moved_gives_the_motion_back() {
        let mut random = Random::new(8);
        let mut place = || DVec3::new(random.unit(), random.unit(), random.unit());
        let rotation = DMat3::from_quat(DQuat::from_rotation_y(2.5) * DQuat::from_rotation_x(1.0));
        let rest: Vec<DVec3> = (0..9).map(|_| place()).collect();
        let (shift, pivot) = (place(), place());
        for (motion, size) in
            [(HelperMotion::Rigid, 1.0), (HelperMotion::Similarity, 1.7), (HelperMotion::FixedLength, 1.0)]
        {
            let hanging = (motion == HelperMotion::FixedLength).then_some((pivot, rotation * pivot + shift));
            let moved: Vec<_> = rest.iter().map(|&x| (x, rotation * x * size + shift)).collect();
            let (q, u) = pull_of(&moved);
            let pull = Pull { correlation: &q, spread: &u, extent: 1.0 };
            let found = pull.best(&rows(DMat3::IDENTITY, DVec3::ZERO), motion, hanging);
            let expected = rows(rotation * size, shift);
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                // The hold on the identity is HOLD of the pull.
                assert!((found - expected).abs() < 1e-6, "{motion:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn one_vertex_keeps_the_rotation_it_had() {
        let (q, u) = pull_of(&[(DVec3::X, DVec3::Y * 5.0)]);
        let before = DMat3::from_rotation_z(0.7);
        let pull = Pull { correlation: &q, spread: &u, extent: 1.0 };
        let found = pull.best(&rows(before, DVec3::ZERO), HelperMotion::Rigid, None);
        assert!((linear_part(&found).x_axis - before.x_axis).length() < 1e-6, "{found:?}");
        let posed = linear_part(&found) * DVec3::X + DVec3::new(found[0][3], found[1][3], found[2][3]);
        assert!((posed - DVec3::Y * 5.0).length() < 1e-9, "{posed}");
    }
}
