//! Distances from a surface to a curve.

use glam::{DVec3, Vec3};

/// The minimum and maximum radius relative to rest: 1 is neither collapsed nor swollen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadiusRange {
    /// Below 1: somewhere the limb is thinner than in rest.
    pub least: f64,
    /// Above 1: somewhere it is thicker.
    pub greatest: f64,
}

/// Vertices closer to the axis than this share of the maximum radius are ignored.
const LEAST_RADIUS_SHARE: f64 = 0.05;

/// The range of `distance(posed vertex, posed curve) / distance(rest vertex, rest axis)` over vertices.
///
/// `vertices`: rest and posed position of each. Distances are to the nearest point of the polyline: inside a bend sharper than the limb's
/// thickness, where the surface folds over itself, they are small with every method. Vertices on the axis are left out; `None` if none is
/// left.
pub fn radius_range(
    vertices: impl IntoIterator<Item = (Vec3, Vec3)>,
    rest_axis: &[DVec3],
    posed_curve: &[DVec3],
) -> Option<RadiusRange> {
    let radii: Vec<(f64, f64)> = vertices
        .into_iter()
        .map(|(rest, posed)| (distance(rest.as_dvec3(), rest_axis), distance(posed.as_dvec3(), posed_curve)))
        .collect();
    let thickest = radii.iter().map(|&(rest, _)| rest).fold(0.0, f64::max);
    let ratios = radii
        .iter()
        .filter(|&&(rest, _)| rest > LEAST_RADIUS_SHARE * thickest)
        .map(|&(rest, posed)| posed / rest);
    ratios.fold(None, |range: Option<RadiusRange>, ratio| {
        Some(range.map_or(RadiusRange { least: ratio, greatest: ratio }, |range| RadiusRange {
            least: range.least.min(ratio),
            greatest: range.greatest.max(ratio),
        }))
    })
}

/// The distance of a point to a polyline; infinite without points.
pub(super) fn distance(point: DVec3, polyline: &[DVec3]) -> f64 {
    let to_first = polyline.first().map_or(f64::INFINITY, |first| point.distance(*first));
    polyline.windows(2).fold(to_first, |least, ends| {
        let along = ends[1] - ends[0];
        let length_squared = along.length_squared();
        let share = if length_squared > 0.0 {
            ((point - ends[0]).dot(along) / length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        least.min(point.distance(ends[0] + along * share))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of f64 in numbers of the order of 1.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn a_limb_twice_as_thick_has_radius_two() {
        let axis = [DVec3::ZERO, DVec3::Y];
        let vertices = [
            (Vec3::new(1.0, 0.2, 0.0), Vec3::new(2.0, 0.2, 0.0)),
            (Vec3::new(0.0, 0.5, 1.0), Vec3::new(0.0, 0.5, 0.5)),
            (Vec3::new(0.0, 0.7, 0.0), Vec3::new(9.0, 0.7, 0.0)),
        ];
        let range = radius_range(vertices, &axis, &axis).expect("two vertices off the axis");
        assert_eq!(range, RadiusRange { least: 0.5, greatest: 2.0 });
        assert_eq!(radius_range([], &axis, &axis), None);
    }

    #[test]
    fn distances_are_to_the_nearest_part() {
        let bent = [DVec3::NEG_Y, DVec3::ZERO, DVec3::X];
        assert!((distance(DVec3::new(0.3, -0.4, 0.0), &bent) - 0.3).abs() < ROUNDING);
        assert!((distance(DVec3::new(-3.0, 4.0, 0.0), &bent) - 5.0).abs() < ROUNDING);
        assert_eq!(distance(DVec3::ZERO, &[]), f64::INFINITY);
    }
}
