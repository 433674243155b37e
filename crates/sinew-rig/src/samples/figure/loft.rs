//! A body part as a row of cross-sections along an axis.

use glam::{Mat3, Vec2, Vec3};
use sinew_geometry::segment_distance;

/// A cross-section: an ellipse or superellipse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// Place along the axis, m.
    pub(super) at: f32,
    /// Half the width along the side and front axes, m.
    pub(super) half: Vec2,
    /// Center, along the side and front axes, m.
    pub(super) center: Vec2,
}

/// Shorthand for tables: `at`, half widths along side and front, center along side and front; m.
pub(super) fn section(at: f32, half_side: f32, half_front: f32, side: f32, front: f32) -> Section {
    Section { at, half: Vec2::new(half_side, half_front), center: Vec2::new(side, front) }
}

/// Sections joined by a smooth curve, closed by half ellipsoids at both ends.
#[derive(Clone, Debug)]
pub(super) struct Loft {
    origin: Vec3,
    /// Columns: side, along, front; a right-handed frame.
    model_from_loft: Mat3,
    sections: Vec<Section>,
    /// Change of half widths and center per meter, one per section.
    slopes: Vec<(Vec2, Vec2)>,
    /// Bulge of the ends beyond the first and last section, m.
    caps: Vec2,
    /// 2 for ellipses; more for fuller corners.
    exponent: f32,
    /// Radius around the axis that holds everything, m.
    reach: f32,
}

impl Loft {
    /// `along` and `front` need not be unit nor square to each other; `front` gives way.
    pub(super) fn new(
        origin: Vec3,
        along: Vec3,
        front: Vec3,
        sections: Vec<Section>,
        caps: [f32; 2],
    ) -> Self {
        let along = along.normalize();
        let side = along.cross(front).normalize();
        // Level at both ends, where the caps begin.
        let mut slopes = vec![(Vec2::ZERO, Vec2::ZERO); sections.len()];
        for (slope, around) in slopes[1..].iter_mut().zip(sections.windows(3)) {
            let span = around[2].at - around[0].at;
            *slope = ((around[2].half - around[0].half) / span, (around[2].center - around[0].center) / span);
        }
        let reach = sections
            .iter()
            .map(|section| section.half.max_element() + section.center.length())
            .fold(caps[0].max(caps[1]), f32::max);
        Self {
            origin,
            model_from_loft: Mat3::from_cols(side, along, side.cross(along)),
            sections,
            slopes,
            caps: Vec2::from(caps),
            exponent: 2.0,
            // Fuller corners stick out by less than the square root of two.
            reach: 1.3 * reach,
        }
    }

    pub(super) fn with_exponent(self, exponent: f32) -> Self {
        Self { exponent, ..self }
    }

    /// No more than the distance, and cheap.
    pub(super) fn lower_bound(&self, point: Vec3) -> f32 {
        let along = self.model_from_loft.y_axis;
        let [first, last] = [0, self.sections.len() - 1].map(|index| self.sections[index].at);
        segment_distance(point, self.origin + along * first, self.origin + along * last) - self.reach
    }

    /// Signed distance, to first order.
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        let local = self.model_from_loft.transpose() * (point - self.origin);
        let first = self.sections[0].at;
        let last = self.sections[self.sections.len() - 1].at;
        let at = local.y.clamp(first, last);
        let (half, center) = self.section_at(at);
        let beyond = local.y - at;
        let cap = if beyond > 0.0 { self.caps.y } else { self.caps.x };
        let semi_axes = Vec3::new(half.x, cap, half.y);
        let scaled = Vec3::new(local.x - center.x, beyond, local.z - center.y) / semi_axes;
        let steepness = (scaled / semi_axes).length();
        let level = self.level(scaled);
        if steepness > 0.0 { scaled.length() * (level - 1.0) / steepness } else { -half.min_element() }
    }

    /// 1 on the surface, 0 on the axis.
    fn level(&self, scaled: Vec3) -> f32 {
        if self.exponent == 2.0 {
            return scaled.length();
        }
        let flat = (scaled.x.abs().powf(self.exponent) + scaled.z.abs().powf(self.exponent))
            .powf(1.0 / self.exponent);
        flat.hypot(scaled.y)
    }

    /// Half widths and center, by cubic Hermite splines.
    fn section_at(&self, at: f32) -> (Vec2, Vec2) {
        let next =
            self.sections.partition_point(|section| section.at <= at).clamp(1, self.sections.len() - 1);
        let (a, b) = (&self.sections[next - 1], &self.sections[next]);
        let (slope_a, slope_b) = (self.slopes[next - 1], self.slopes[next]);
        let span = b.at - a.at;
        let t = (at - a.at) / span;
        let (t2, t3) = (t * t, t * t * t);
        let end = 3.0 * t2 - 2.0 * t3;
        let (rise_a, rise_b) = (span * (t3 - 2.0 * t2 + t), span * (t3 - t2));
        let spline = |a: Vec2, b: Vec2, slope_a: Vec2, slope_b: Vec2| {
            a * (1.0 - end) + b * end + slope_a * rise_a + slope_b * rise_b
        };
        (spline(a.half, b.half, slope_a.0, slope_b.0), spline(a.center, b.center, slope_a.1, slope_b.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loft_of_equal_circles_is_a_capsule() {
        let sections = vec![section(0.0, 0.5, 0.5, 0.0, 0.0), section(2.0, 0.5, 0.5, 0.0, 0.0)];
        let loft = Loft::new(Vec3::X, Vec3::Y, Vec3::Z, sections, [0.5, 0.5]);
        for point in [Vec3::new(2.0, 1.0, 0.0), Vec3::new(1.0, 3.0, 0.3), Vec3::new(1.1, 0.2, 0.0)] {
            let capsule = segment_distance(point, Vec3::X, Vec3::new(1.0, 2.0, 0.0)) - 0.5;
            assert!((loft.distance(point) - capsule).abs() < 1e-5, "{point}");
            assert!(loft.lower_bound(point) <= capsule, "{point}");
        }
    }
}
