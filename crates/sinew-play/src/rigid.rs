//! The rigid motion in a motion.

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use sinew_geometry::nearest_rotation;

/// A turn about the origin and then a shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rigid {
    pub(super) turn: Quat,
    pub(super) shift: Vec3,
}

impl Rigid {
    /// The motion that brings `rest` nearest to `now`, in the sense of least squares.
    pub(super) fn between(rest: &[Vec3], now: &[Vec3]) -> Self {
        let count = rest.len().max(1) as f64;
        let mean = |points: &[Vec3]| points.iter().map(|point| point.as_dvec3()).sum::<DVec3>() / count;
        let (rest_center, now_center) = (mean(rest), mean(now));
        let mut spread = DMat3::ZERO;
        for (rest, now) in rest.iter().zip(now) {
            let (q, p) = (rest.as_dvec3() - rest_center, now.as_dvec3() - now_center);
            spread += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
        }
        let turn = DQuat::from_mat3(&nearest_rotation(&spread)).normalize();
        Self { turn: turn.as_quat(), shift: (now_center - turn * rest_center).as_vec3() }
    }

    /// The same motion with the turn on the side of another: both signs of a quaternion mean the same, but between frames the short
    /// way is meant.
    pub(super) fn beside(self, before: Quat) -> Self {
        Self { turn: if self.turn.dot(before) < 0.0 { -self.turn } else { self.turn }, ..self }
    }

    pub(super) fn undo(&self, point: Vec3) -> Vec3 {
        self.turn.conjugate() * (point - self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rigid_motion_is_found_and_undone() {
        let rest: Vec<Vec3> =
            (0..20).map(|at| Vec3::new(at as f32, (at * at % 7) as f32, (at % 3) as f32)).collect();
        let (turn, shift) =
            (Quat::from_rotation_y(2.0) * Quat::from_rotation_x(-0.7), Vec3::new(3.0, -1.0, 9.0));
        let now: Vec<Vec3> = rest.iter().map(|point| turn * *point + shift).collect();
        let found = Rigid::between(&rest, &now);
        assert!(found.turn.dot(turn).abs() > 1.0 - 1e-6 && found.shift.distance(shift) < 1e-4, "{found:?}");
        assert!(rest.iter().zip(&now).all(|(rest, now)| found.undo(*now).distance(*rest) < 1e-4));
        assert!(found.beside(-found.turn).turn.dot(found.turn) < 0.0);
    }

    #[test]
    fn without_points_nothing_turns() {
        assert!(Rigid::between(&[], &[]).turn.is_normalized());
        let one = Rigid::between(&[Vec3::X], &[Vec3::Y]);
        assert!(one.undo(Vec3::Y).distance(Vec3::X) < 1e-6);
    }
}
