//! How thick a limb is: rays from its axis to the skin.

use glam::{DVec3, Vec3};

/// A surface that can be asked how far away it is.
#[derive(Clone, Debug)]
pub struct SkinProbe<'a> {
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    /// A ball around each triangle; `None` for those that no ray can hit.
    balls: Vec<Option<(Vec3, f32)>>,
}

impl<'a> SkinProbe<'a> {
    /// `positions`: one per vertex of the skin at rest, model space, meters. Triangles with an index past the end or with a corner that is not
    /// finite are never hit.
    pub fn new(positions: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Self {
        let ball = |triangle: &[u32; 3]| {
            let corners = corners(positions, triangle)?;
            let center = (corners[0] + corners[1] + corners[2]) / 3.0;
            let radius = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f32::max);
            (center.is_finite() && radius.is_finite()).then_some((center, radius))
        };
        Self { positions, triangles, balls: triangles.iter().map(ball).collect() }
    }

    /// The triangles that come within `reach` of a point.
    pub(super) fn near(&self, point: DVec3, reach: f64) -> NearSkin {
        let (point, reach) = (point.as_vec3(), reach as f32);
        let is_near = |ball: &Option<(Vec3, f32)>| {
            ball.is_some_and(|(center, radius)| {
                center.distance_squared(point) <= (radius + reach) * (radius + reach)
            })
        };
        let near = self.balls.iter().zip(self.triangles).filter(|(ball, _)| is_near(ball));
        let triangle = |(ball, triangle): (&Option<(Vec3, f32)>, &[u32; 3])| {
            let (center, radius) = (*ball)?;
            Some(NearTriangle { center, radius, corners: corners(self.positions, triangle)? })
        };
        NearSkin { triangles: near.filter_map(triangle).collect() }
    }
}

fn corners(positions: &[Vec3], triangle: &[u32; 3]) -> Option<[Vec3; 3]> {
    let corner = |at: usize| positions.get(triangle[at] as usize).copied();
    Some([corner(0)?, corner(1)?, corner(2)?])
}

struct NearTriangle {
    center: Vec3,
    radius: f32,
    corners: [Vec3; 3],
}

impl NearTriangle {
    /// Whether the ball around it meets a line, with some room for rounding.
    fn is_on(&self, origin: Vec3, direction: Vec3) -> bool {
        let to_center = self.center - origin;
        to_center.reject_from_normalized(direction).length_squared() <= 1.01 * self.radius * self.radius
    }
}

/// The skin round one place.
pub(super) struct NearSkin {
    triangles: Vec<NearTriangle>,
}

impl NearSkin {
    /// How far the skin is along a unit direction, if it is met between `least` and `most`: the first hit, because cloth lies over skin and
    /// the other leg behind it.
    pub(super) fn distance(&self, origin: DVec3, direction: DVec3, [least, most]: [f64; 2]) -> Option<f64> {
        let (near_origin, near_direction) = (origin.as_vec3(), direction.as_vec3());
        let on_line = self.triangles.iter().filter(|triangle| triangle.is_on(near_origin, near_direction));
        let hits = on_line.filter_map(|triangle| hit(origin, direction, &triangle.corners));
        hits.filter(|distance| (least..=most).contains(distance)).min_by(f64::total_cmp)
    }
}

/// Distance along the ray to a triangle, from both sides.
fn hit(origin: DVec3, direction: DVec3, corners: &[Vec3; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let (ab, ac, to_origin) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let volume = ab.dot(across);
    if volume.abs() < f64::MIN_POSITIVE {
        return None;
    }
    let u = to_origin.dot(across) / volume;
    let turned = to_origin.cross(ab);
    let v = direction.dot(turned) / volume;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| ac.dot(turned) / volume)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;

    #[test]
    fn a_ball_is_as_thick_as_it_is() {
        let ball = shapes::sphere(0.5, 48, 24);
        let probe = SkinProbe::new(&ball.positions, &ball.triangles);
        let near = probe.near(DVec3::ZERO, 1.0);
        for direction in [DVec3::X, DVec3::NEG_Y, DVec3::new(1.0, 2.0, -0.4).normalize()] {
            let distance = near.distance(DVec3::ZERO, direction, [0.01, 1.0]).unwrap();
            // Facets of 48 by 24 lie up to 0.5 (1 − cos(π/48) cos(π/48)) inside.
            assert!((0.494..=0.5001).contains(&distance), "{distance}");
        }
        assert_eq!(near.distance(DVec3::ZERO, DVec3::X, [0.01, 0.4]), None);
    }

    #[test]
    fn broken_triangles_are_never_hit() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::splat(f32::NAN)];
        let triangles = [[0, 1, 2], [0, 1, 9], [0, 0, 0]];
        let near = SkinProbe::new(&positions, &triangles).near(DVec3::ZERO, 9.0);
        assert_eq!(near.distance(DVec3::new(0.0, 0.0, -1.0), DVec3::Z, [0.0, 9.0]), None);
    }
}
