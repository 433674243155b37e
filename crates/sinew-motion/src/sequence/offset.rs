//! Differences that decay: the value and speed at the change of motions, brought to zero by a quintic.

use glam::{DQuat, DVec3};

/// A difference at the time 0, and its speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Offset {
    value: DVec3,
    speed: DVec3,
}

/// Time over which speeds are measured, s.
pub(super) const SPEED_SECS: f64 = 1e-3;

/// Faster differences are noise of a cut, m/s or rad/s.
const MOST_SPEED: f64 = 12.0;

impl Offset {
    /// Of places, before and at the change; both motions.
    pub(super) fn of_places(from: [DVec3; 2], to: [DVec3; 2]) -> Self {
        let speed = (from[1] - from[0] - (to[1] - to[0])) / SPEED_SECS;
        Self::new(from[1] - to[0], speed)
    }

    /// Of rotations: what to multiply the later motion with, from the left.
    pub(super) fn of_turns(from: [DQuat; 2], to: [DQuat; 2]) -> Self {
        let value = rotation_vector(from[1] * to[0].inverse());
        let rates = [rotation_vector(from[1] * from[0].inverse()), rotation_vector(to[1] * to[0].inverse())];
        // Exact for offsets about the axis of motion; elsewhere the later speed turns with the offset.
        let carried = DQuat::from_scaled_axis(value) * rates[1];
        Self::new(value, (rates[0] - carried) / SPEED_SECS)
    }

    fn new(value: DVec3, speed: DVec3) -> Self {
        Self { value, speed: speed.clamp_length_max(MOST_SPEED) }
    }

    /// What is left at a time after the change.
    pub(super) fn at(&self, secs: f64, blend_secs: f64) -> DVec3 {
        if secs >= blend_secs || blend_secs <= 0.0 {
            return DVec3::ZERO;
        }
        let u = (secs / blend_secs).max(0.0);
        let (u3, u4, u5) = (u * u * u, u * u * u * u, u * u * u * u * u);
        let value = 1.0 - 10.0 * u3 + 15.0 * u4 - 6.0 * u5;
        let speed = u - 6.0 * u3 + 8.0 * u4 - 3.0 * u5;
        self.value * value + self.speed * (speed * blend_secs)
    }

    /// The same as a rotation.
    pub(super) fn turn_at(&self, secs: f64, blend_secs: f64) -> DQuat {
        DQuat::from_scaled_axis(self.at(secs, blend_secs))
    }
}

/// Axis times angle, the shorter way.
pub(super) fn rotation_vector(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let vector = DVec3::new(turn.x, turn.y, turn.z);
    let sine = vector.length();
    if sine < 1e-12 { 2.0 * vector } else { vector * (2.0 * sine.atan2(turn.w) / sine) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_starts_with_its_value_and_speed_and_ends_at_rest() {
        let from = [DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0 + 2e-3, 0.0, 0.0)];
        let offset = Offset::of_places(from, [DVec3::ZERO; 2]);
        assert!((offset.at(0.0, 0.5).x - 1.002).abs() < 1e-12);
        let speed = (offset.at(1e-5, 0.5).x - offset.at(0.0, 0.5).x) / 1e-5;
        assert!((speed - 2.0).abs() < 1e-3, "{speed}");
        let late = (offset.at(0.5, 0.5).x - offset.at(0.5 - 1e-5, 0.5).x) / 1e-5;
        assert!(late.abs() < 1e-3 && offset.at(0.5, 0.5) == DVec3::ZERO, "{late}");
    }

    #[test]
    fn turns_are_met_from_either_sign() {
        let turn = DQuat::from_rotation_y(2.5);
        let offset = Offset::of_turns([turn; 2], [DQuat::IDENTITY; 2]);
        for sign in [1.0, -1.0] {
            assert!(offset.turn_at(0.0, 1.0).dot(turn * sign).abs() > 1.0 - 1e-12);
        }
        assert!((rotation_vector(-turn).y - 2.5).abs() < 1e-12);
    }
}
