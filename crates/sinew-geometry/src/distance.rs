//! Signed distance functions: negative inside, positive outside, zero on the surface; and how to blend them.

use crate::triangle::segment_share;
use glam::Vec3;

/// The smaller of `a` and `b`, with the corner where they meet filled: twice continuously differentiable, equal to the
/// minimum where they differ by `blend` or more, and at most `blend / 6` below it.
///
/// Of two distances this is their union with a soft seam. Swapping `a` and `b` changes no bit.
///
/// # Degenerate input
/// If `blend` is not positive, the plain minimum.
pub fn smooth_min(a: f32, b: f32, blend: f32) -> f32 {
    let overlap = blend - (a - b).abs();
    if !(overlap > 0.0 && blend > 0.0) {
        return a.min(b);
    }
    let share = overlap / blend;
    a.min(b) - share * share * share * blend / 6.0
}

/// The larger of `a` and `b` with the corner rounded off: [`smooth_min`] turned over. Of two distances, their intersection.
pub fn smooth_max(a: f32, b: f32, blend: f32) -> f32 {
    -smooth_min(-a, -b, blend)
}

/// Distance to the segment from `start` to `end`.
///
/// # Degenerate input
/// If the ends coincide, the distance to that point.
pub fn segment_distance(point: Vec3, start: Vec3, end: Vec3) -> f32 {
    point.distance(start + (end - start) * segment_share(point, start, end))
}

/// A ball that rolls from one place to another and changes its size evenly: a capsule with two radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundCone {
    /// Center of the first ball, m.
    pub start: Vec3,
    /// Center of the last ball, m.
    pub end: Vec3,
    /// Radius of the first ball, m, ≥ 0.
    pub start_radius: f32,
    /// Radius of the last ball, m, ≥ 0.
    pub end_radius: f32,
}

impl RoundCone {
    /// The exact signed distance.
    ///
    /// # Degenerate input
    /// If one ball contains the other, the distance to the larger.
    pub fn distance(&self, point: Vec3) -> f32 {
        let axis = self.end - self.start;
        let (length, shrink) = (axis.length(), self.start_radius - self.end_radius);
        if length <= shrink.abs() {
            let (center, radius) =
                if shrink > 0.0 { (self.start, self.start_radius) } else { (self.end, self.end_radius) };
            return point.distance(center) - radius;
        }
        let direction = axis / length;
        let offset = point - self.start;
        let along = offset.dot(direction);
        let away = (offset - direction * along).length();
        // The mantle leans by an angle whose sine is shrink / length; the nearest ball is where the mantle's normal from the
        // point meets the axis.
        let slope = shrink / length;
        let center = along - away * slope / (1.0 - slope * slope).sqrt();
        let share = (center / length).clamp(0.0, 1.0);
        let radius = self.start_radius - share * shrink;
        point.distance(self.start + axis * share) - radius
    }
}

/// Distance to the ellipsoid around the origin with these semi-axes along x, y and z.
///
/// # Accuracy
/// The zero set is exact; elsewhere the value is right to first order in the distance, and the sign is right everywhere.
pub fn ellipsoid_distance(point: Vec3, semi_axes: Vec3) -> f32 {
    let scaled = point / semi_axes;
    let (level, steepness) = (scaled.length(), (scaled / semi_axes).length());
    if steepness > 0.0 { level * (level - 1.0) / steepness } else { -semi_axes.min_element() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDING: f32 = 1e-6;

    #[test]
    fn smooth_min_is_the_minimum_far_apart_and_a_sixth_of_the_blend_below_where_equal() {
        assert_eq!(smooth_min(1.0, 3.0, 0.5), 1.0);
        assert_eq!(smooth_min(1.0, 3.0, 0.0), 1.0);
        assert!((smooth_min(2.0, 2.0, 0.6) - 1.9).abs() < ROUNDING);
        assert!((smooth_max(2.0, 2.0, 0.6) - 2.1).abs() < ROUNDING);
        assert_eq!(smooth_min(0.3, 0.4, 0.5).to_bits(), smooth_min(0.4, 0.3, 0.5).to_bits());
    }

    #[test]
    fn round_cone_is_exact_at_balls_and_mantle() {
        let cone = RoundCone { start: Vec3::ZERO, end: Vec3::Y * 5.0, start_radius: 4.0, end_radius: 1.0 };
        // The mantle's normal leans by asin(3/5): from a ball's center it goes out by (4/5, 3/5).
        let normal = Vec3::new(0.8, 0.6, 0.0);
        let cases = [
            (Vec3::Y * 8.0, 2.0),
            (Vec3::Y * -5.0, 1.0),
            (normal * 6.0, 2.0),
            (Vec3::Y * 2.5 + normal * 4.0, 1.5),
            (Vec3::Y * 2.5 + normal * 2.0, -0.5),
        ];
        for (point, expected) in cases {
            assert!((cone.distance(point) - expected).abs() < ROUNDING, "{point}");
        }
        let swallowed = RoundCone { end: Vec3::Y * 2.0, ..cone };
        assert_eq!(swallowed.distance(Vec3::X * 6.0), 2.0);
    }

    #[test]
    fn ellipsoid_is_zero_on_its_surface_and_of_unit_slope_there() {
        let semi_axes = Vec3::new(1.0, 2.0, 3.0);
        for direction in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, -0.8), Vec3::splat(0.57735)] {
            let surface = direction * semi_axes;
            assert!(ellipsoid_distance(surface, semi_axes).abs() < 1e-4, "{direction}");
            let normal = (surface / (semi_axes * semi_axes)).normalize();
            let outside = ellipsoid_distance(surface + normal * 1e-2, semi_axes);
            // First order: the error is of the square of the distance over the least radius of curvature.
            assert!((outside - 1e-2).abs() < 1e-3, "{direction}: {outside}");
        }
        assert_eq!(ellipsoid_distance(Vec3::ZERO, semi_axes), -1.0);
    }

    #[test]
    fn segment_distance_holds_at_the_ends() {
        let distance = |point| segment_distance(point, Vec3::ZERO, Vec3::X * 2.0);
        assert_eq!(distance(Vec3::new(1.0, 3.0, 0.0)), 3.0);
        assert_eq!(distance(Vec3::new(-3.0, 4.0, 0.0)), 5.0);
        assert_eq!(segment_distance(Vec3::Y, Vec3::ZERO, Vec3::ZERO), 1.0);
    }
}
