//! Position and direction of a camera at one moment.

use super::CameraError;
use glam::{DQuat, DVec3};

/// A camera at one moment, scene space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraView {
    /// Position, m.
    pub eye: DVec3,
    /// Center of the picture, m.
    pub target: DVec3,
    /// Up in the picture, unit, perpendicular to the line of sight.
    pub up: DVec3,
    /// Vertical field of view, rad.
    pub vertical_fov_rad: f64,
}

/// Minimum distance from eye to target for a defined direction, m.
const LEAST_DISTANCE_M: f64 = 1e-6;

/// Minimum sine of the angle to the vertical for a defined horizon: 0.06°.
const LEAST_SINE: f64 = 1e-3;

impl CameraView {
    /// A camera with a level horizon, rolled by an angle: positive turns the camera clockwise, the picture the other way.
    ///
    /// # Errors
    /// If eye and target are the same point, or one is straight above the other.
    pub fn level(
        eye: DVec3,
        target: DVec3,
        roll_rad: f64,
        vertical_fov_rad: f64,
    ) -> Result<Self, CameraError> {
        if !(eye.is_finite() && target.is_finite() && roll_rad.is_finite()) {
            return Err(CameraError::NotFinite);
        }
        let sight = target - eye;
        if sight.length() < LEAST_DISTANCE_M {
            return Err(CameraError::SamePoint { at: eye });
        }
        let forward = sight.normalize();
        let right = forward.cross(DVec3::Y);
        if right.length() < LEAST_SINE {
            return Err(CameraError::Vertical { is_down: forward.y < 0.0 });
        }
        let level_up = right.normalize().cross(forward);
        let up = DQuat::from_axis_angle(forward, roll_rad) * level_up;
        Ok(Self { eye, target, up, vertical_fov_rad })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_horizon_stays_level_and_rolls_when_asked() {
        let view = CameraView::level(DVec3::new(1.0, 3.0, 4.0), DVec3::ZERO, 0.0, 0.6).expect("a view");
        let sight = (view.target - view.eye).normalize();
        let right = sight.cross(view.up);
        assert!(right.y.abs() < 1e-12 && view.up.y > 0.0, "right is level, up is up");
        assert!(view.up.dot(sight).abs() < 1e-12);
        // Clockwise by a quarter: the camera's up points to its former right.
        let quarter = std::f64::consts::FRAC_PI_2;
        let rolled = CameraView::level(view.eye, view.target, quarter, 0.6).expect("a view");
        assert!((rolled.up - right).length() < 1e-12);
    }

    #[test]
    fn views_of_nothing_are_refused() {
        let same = CameraView::level(DVec3::ONE, DVec3::ONE, 0.0, 0.6);
        assert_eq!(same, Err(CameraError::SamePoint { at: DVec3::ONE }));
        let down = CameraView::level(DVec3::Y * 5.0, DVec3::ZERO, 0.0, 0.6);
        assert_eq!(down, Err(CameraError::Vertical { is_down: true }));
        let broken = CameraView::level(DVec3::NAN, DVec3::ZERO, 0.0, 0.6);
        assert_eq!(broken, Err(CameraError::NotFinite));
    }
}
