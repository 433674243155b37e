//! A moving camera: the positions of eye and target.

use super::{CameraError, CameraView, FollowCurve, LensPath, Path};
use glam::DVec3;

/// A point that may move.
#[derive(Clone, Debug, PartialEq)]
pub enum Point {
    /// Constant, m.
    Fixed(DVec3),
    /// Along keys, m.
    Path(Path),
    /// Follows something, at an offset along the scene's axes, m.
    Follow {
        /// Its positions.
        curve: FollowCurve,
        /// From there to the point.
        offset: DVec3,
    },
    /// Orbits something. The path has azimuth (rad about +Y, 0 is +Z, positive toward +X), elevation (rad above the horizon) and distance (m).
    Orbit {
        /// The center.
        center: Box<Point>,
        /// Azimuth, elevation and distance over time.
        path: Path,
    },
}

impl Point {
    /// Position at a time.
    pub fn at(&self, time_secs: f64) -> DVec3 {
        match self {
            Self::Fixed(place) => *place,
            Self::Path(path) => path.at(time_secs).value,
            Self::Follow { curve, offset } => curve.at(time_secs).value + *offset,
            Self::Orbit { center, path } => {
                let polar = path.at(time_secs).value;
                let (rise, run) = polar.y.sin_cos();
                let (sin, cos) = polar.x.sin_cos();
                center.at(time_secs) + DVec3::new(run * sin, rise, run * cos) * polar.z
            }
        }
    }
}

/// A moving camera.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraRig {
    eye: Point,
    target: Point,
    lens: LensPath,
    /// Roll in rad in x; `None` stays level.
    roll: Option<Path>,
}

impl CameraRig {
    /// A camera with a level horizon.
    pub fn new(eye: Point, target: Point, lens: LensPath) -> Self {
        Self { eye, target, lens, roll: None }
    }

    /// The same, rolled about its line of sight by the path's x, radians.
    #[must_use]
    pub fn with_roll(self, roll: Path) -> Self {
        Self { roll: Some(roll), ..self }
    }

    /// The camera at a time.
    ///
    /// # Errors
    /// If the view is undefined at that time.
    pub fn view_at(&self, time_secs: f64) -> Result<CameraView, CameraError> {
        let roll_rad = self.roll.as_ref().map_or(0.0, |roll| roll.at(time_secs).value.x);
        let fov_rad = self.lens.vertical_fov_rad(time_secs);
        CameraView::level(self.eye.at(time_secs), self.target.at(time_secs), roll_rad, fov_rad)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ends, Lens};
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn lens() -> LensPath {
        Lens::fov_deg(30.0).expect("a lens").steady()
    }

    #[test]
    fn an_orbit_keeps_its_distance_and_meets_its_keys() {
        let keys = [(0.0, DVec3::new(0.0, 0.2, 3.0)), (4.0, DVec3::new(PI, 0.2, 3.0))];
        let path = Path::through(&keys, Ends::Rest).expect("a path");
        let center = DVec3::new(1.0, 1.0, 0.0);
        let orbit = Point::Orbit { center: Box::new(Point::Fixed(center)), path };
        for tick in 0..=40 {
            let place = orbit.at(f64::from(tick) * 0.1);
            assert!(((place - center).length() - 3.0).abs() < 1e-12);
            assert!((place.y - center.y - 3.0 * 0.2_f64.sin()).abs() < 1e-12);
        }
        assert!((orbit.at(0.0) - center).z > 2.9, "begins at +Z");
        assert!((orbit.at(2.0) - center).x > 2.9, "goes by way of +X");
    }

    /// Differences of whole views at a fine step: a view that is C² has third differences that vanish with the step.
    #[test]
    fn a_whole_view_is_smooth_in_time() {
        let follow: Vec<DVec3> =
            (0..600).map(|tick| DVec3::new(0.0, 1.0, f64::from(tick / 90) * 0.2)).collect();
        let follow = FollowCurve::new(&follow, FollowCurve::RATE_HZ, 0.5);
        let target = Point::Follow { curve: follow, offset: DVec3::ZERO };
        let keys = [
            (0.0, DVec3::new(0.0, 0.1, 4.0)),
            (1.5, DVec3::new(1.0, 0.4, 3.0)),
            (4.0, DVec3::new(3.0, 0.1, 5.0)),
        ];
        let path = Path::through(&keys, Ends::Rest).expect("a path");
        let eye = Point::Orbit { center: Box::new(target.clone()), path };
        let rig = CameraRig::new(eye, target, lens());
        let acceleration = |time: f64, step: f64| {
            let at = |time: f64| rig.view_at(time).expect("a view").eye;
            (at(time - step) - 2.0 * at(time) + at(time + step)) / (step * step)
        };
        let step = 1e-4;
        for tick in 0..900 {
            let time = 0.05 + f64::from(tick) * 0.005;
            let jump = (acceleration(time + step, step) - acceleration(time, step)).length();
            // A jump of acceleration would stay as the step shrinks; what is left here is jerk times the step.
            assert!(jump < 0.05, "at {time}: {jump}");
        }
    }

    #[test]
    fn roll_is_asked_for() {
        let quarter = Path::through(&[(0.0, DVec3::X * FRAC_PI_2)], Ends::Rest).expect("a path");
        let rig = CameraRig::new(Point::Fixed(DVec3::Z), Point::Fixed(DVec3::ZERO), lens());
        assert_eq!(rig.view_at(0.0).expect("a view").up, DVec3::Y);
        let up = rig.with_roll(quarter).view_at(0.0).expect("a view").up;
        assert!((up - DVec3::X).length() < 1e-12, "{up}");
    }
}
