//! The solid angle of one triangle.

use glam::DVec3;

/// Half the signed solid angle that a triangle covers as seen from `point`: positive where its back is seen, so that a closed surface
/// adds up to 2π inside.
///
/// After \[VanOosterom83\] Eq. 8.
///
/// # Degenerate input
/// Zero as seen from a corner; ± π from within the triangle itself.
pub(super) fn half_solid_angle(triangle: &[DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = triangle.map(|corner| corner - point);
    let (length_a, length_b, length_c) = (a.length(), b.length(), c.length());
    let numerator = a.dot(b.cross(c));
    let denominator =
        length_a * length_b * length_c + a.dot(b) * length_c + b.dot(c) * length_a + c.dot(a) * length_b;
    // Small angles, which most are, need no library call.
    let ratio = numerator / denominator;
    if denominator > 0.0 && ratio.abs() < SMALL_TANGENT {
        let squared = ratio * ratio;
        return ratio * (1.0 - squared * (1.0 / 3.0 - squared * (1.0 / 5.0 - squared / 7.0)));
    }
    numerator.atan2(denominator)
}

/// Below this the series of the arc tangent up to the seventh power is right to 1e-12.
const SMALL_TANGENT: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Of an angle in f64.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn an_octant_covers_an_eighth_of_all_directions() {
        let octant = [DVec3::X, DVec3::Y, DVec3::Z];
        assert!((half_solid_angle(&octant, DVec3::ZERO) - PI / 4.0).abs() < ROUNDING);
        let turned = [DVec3::X, DVec3::Z, DVec3::Y];
        assert!((half_solid_angle(&turned, DVec3::ZERO) + PI / 4.0).abs() < ROUNDING);
    }

    #[test]
    fn the_series_meets_the_library_where_they_change_over() {
        let triangle = |size: f64| [DVec3::Z, DVec3::new(size, 0.0, 1.0), DVec3::new(0.0, size, 1.0)];
        for size in [0.05, 0.2, 0.3, 0.42, 0.45, 0.5] {
            let [a, b, c] = triangle(size);
            let denominator = a.length() * b.length() * c.length()
                + a.dot(b) * c.length()
                + b.dot(c) * a.length()
                + c.dot(a) * b.length();
            let expected = a.dot(b.cross(c)).atan2(denominator);
            assert!((half_solid_angle(&triangle(size), DVec3::ZERO) - expected).abs() < ROUNDING, "{size}");
        }
    }

    #[test]
    fn corners_and_planes_are_finite() {
        let triangle = [DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(half_solid_angle(&triangle, DVec3::X), 0.0);
        let within = half_solid_angle(&triangle, DVec3::splat(1.0 / 3.0));
        assert!((within.abs() - PI).abs() < 1e-6 || within.abs() < 1e-6, "{within}");
    }
}
