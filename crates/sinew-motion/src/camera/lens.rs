//! Lenses: field of view in degrees, or from a focal length and a film size.

use super::{CameraError, Ends, Path};
use glam::DVec3;

/// A lens, as a vertical field of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    vertical_fov_rad: f64,
}

/// A lens that may zoom.
#[derive(Clone, Debug, PartialEq)]
pub struct LensPath {
    /// The logarithm of 1 / tan(fov / 2): a zoom at constant speed enlarges the picture at constant speed, and an overshoot never gives an
    /// invalid angle.
    log_enlargement: Path,
}

impl Lens {
    /// The smallest angle, degrees.
    pub const LEAST_DEG: f64 = 1.0;
    /// The largest angle, degrees.
    pub const MOST_DEG: f64 = 170.0;

    /// A lens by its vertical field of view.
    ///
    /// # Errors
    /// If the angle is outside 1° to 170°.
    pub fn fov_deg(vertical_fov_deg: f64) -> Result<Self, CameraError> {
        if !(Self::LEAST_DEG..=Self::MOST_DEG).contains(&vertical_fov_deg) {
            return Err(CameraError::Angle { found_deg: vertical_fov_deg });
        }
        Ok(Self { vertical_fov_rad: vertical_fov_deg.to_radians() })
    }

    /// A lens by its focal length and the film height, both in mm: fov = 2 atan(h / 2 f). A frame of 35 mm film is 24 mm high.
    ///
    /// # Errors
    /// If a length is not above 0, or the angle is outside 1° to 170°.
    pub fn focal_mm(focal_mm: f64, film_back_mm: f64) -> Result<Self, CameraError> {
        let is_length = |length: f64| length > 0.0 && length.is_finite();
        if !(is_length(focal_mm) && is_length(film_back_mm)) {
            return Err(CameraError::Length { focal_mm, film_back_mm });
        }
        Self::fov_deg((2.0 * (0.5 * film_back_mm / focal_mm).atan()).to_degrees())
    }

    /// Vertical field of view, rad.
    pub fn vertical_fov_rad(&self) -> f64 {
        self.vertical_fov_rad
    }

    /// This lens, without a zoom.
    pub fn steady(self) -> LensPath {
        let log_enlargement = Path::through(&[(0.0, self.log_enlargement())], Ends::Rest)
            .expect("one key with the logarithm of a tangent of 0.5° to 85°");
        LensPath { log_enlargement }
    }

    fn log_enlargement(self) -> DVec3 {
        DVec3::X * -(0.5 * self.vertical_fov_rad).tan().ln()
    }
}

impl LensPath {
    /// A zoom through keys of time (seconds) and lens.
    ///
    /// # Errors
    /// As [`Path::through`].
    pub fn through(keys: &[(f64, Lens)]) -> Result<Self, CameraError> {
        let keys: Vec<_> = keys.iter().map(|(time, lens)| (*time, lens.log_enlargement())).collect();
        Ok(Self { log_enlargement: Path::through(&keys, Ends::Rest)? })
    }

    /// Vertical field of view at a time, rad: above 0, below π.
    pub fn vertical_fov_rad(&self, time_secs: f64) -> f64 {
        2.0 * (-self.log_enlargement.at(time_secs).value.x).exp().atan()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_lens_has_its_angle() {
        // 50 mm before 24 mm of film: 2 atan(0.24).
        let lens = Lens::focal_mm(50.0, 24.0).expect("a lens");
        assert!((lens.vertical_fov_rad() - 2.0 * 0.24_f64.atan()).abs() < 1e-12);
        assert!((lens.steady().vertical_fov_rad(3.0) - lens.vertical_fov_rad()).abs() < 1e-12);
    }

    #[test]
    fn a_zoom_goes_through_its_lenses_and_halfway_by_the_geometric_mean() {
        let lens = |mm: f64| Lens::focal_mm(mm, 24.0).expect("a lens");
        let zoom = LensPath::through(&[(0.0, lens(24.0)), (2.0, lens(96.0))]).expect("a zoom");
        assert!((zoom.vertical_fov_rad(2.0) - lens(96.0).vertical_fov_rad()).abs() < 1e-12);
        assert!((zoom.vertical_fov_rad(1.0) - lens(48.0).vertical_fov_rad()).abs() < 1e-12);
    }

    #[test]
    fn lenses_that_are_none_are_refused() {
        for degrees in [0.0, -30.0, 180.0, f64::NAN] {
            assert!(Lens::fov_deg(degrees).is_err(), "{degrees}");
        }
        let said = Lens::fov_deg(0.0).expect_err("none").to_string();
        assert_eq!(said, "field of view 0° is out of range; use 1° to 170°");
        assert!(matches!(Lens::focal_mm(0.0, 24.0), Err(CameraError::Length { .. })));
        assert!(matches!(Lens::focal_mm(0.1, 24.0), Err(CameraError::Angle { .. })));
    }
}
