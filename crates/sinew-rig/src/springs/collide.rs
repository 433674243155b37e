//! How deep a tail is inside a collider, and the way out.

use super::ColliderShape;
use glam::{DAffine3, DVec3};

/// A tail inside a collider.
pub(super) struct Hit {
    /// How far it has to go, m.
    pub(super) depth_m: f64,
    /// Where to, unit.
    pub(super) way_out: DVec3,
}

impl ColliderShape {
    /// `None` for a ball around `place` that does not touch. A ball whose center is where a shape has no way out is left where it is.
    pub(super) fn hit(&self, model_from_bone: &DAffine3, place: DVec3, hit_radius_m: f64) -> Option<Hit> {
        let in_model = |point: glam::Vec3| model_from_bone.transform_point3(point.as_dvec3());
        match *self {
            Self::Sphere { offset, radius, is_inside } => {
                round(place - in_model(offset), f64::from(radius), hit_radius_m, is_inside)
            }
            Self::Capsule { offset, tail, radius, is_inside } => {
                let (from, to) = (in_model(offset), in_model(tail));
                round(place - nearest(from, to, place), f64::from(radius), hit_radius_m, is_inside)
            }
            Self::Plane { offset, normal } => {
                // Normals go by the inverse transpose.
                let normals = model_from_bone.matrix3.inverse().transpose();
                let way_out = (normals * normal.as_dvec3()).try_normalize()?;
                let distance = (place - in_model(offset)).dot(way_out) - hit_radius_m;
                (distance < 0.0).then_some(Hit { depth_m: -distance, way_out })
            }
        }
    }
}

fn round(from_center: DVec3, radius_m: f64, hit_radius_m: f64, is_inside: bool) -> Option<Hit> {
    let length = from_center.length();
    let outward = from_center.try_normalize()?;
    let (distance, way_out) = match is_inside {
        true => (radius_m - hit_radius_m - length, -outward),
        false => (length - hit_radius_m - radius_m, outward),
    };
    (distance < 0.0).then_some(Hit { depth_m: -distance, way_out })
}

/// The point of a segment next to `place`.
fn nearest(from: DVec3, to: DVec3, place: DVec3) -> DVec3 {
    let along = to - from;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return from;
    }
    from + along * ((place - from).dot(along) / length_squared).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Exact in these numbers but for rounding.
    const ROUNDING: f64 = 1e-6;

    #[track_caller]
    fn check(shape: ColliderShape, place: DVec3, expected: Option<(f64, DVec3)>) {
        let lifted = DAffine3::from_translation(DVec3::Y);
        let found = shape.hit(&lifted, place, 0.1).map(|hit| (hit.depth_m, hit.way_out));
        match (found, expected) {
            (None, None) => {}
            (Some((depth, way)), Some((expected_depth, expected_way))) => {
                assert!((depth - expected_depth).abs() < ROUNDING, "{depth} {expected_depth}");
                assert!(way.abs_diff_eq(expected_way, ROUNDING), "{way} {expected_way}");
            }
            (found, expected) => panic!("{found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn balls_are_pushed_out_of_shapes_and_into_hollow_ones() {
        let sphere = |is_inside| ColliderShape::Sphere { offset: Vec3::X, radius: 0.5, is_inside };
        check(sphere(false), DVec3::new(1.4, 1.0, 0.0), Some((0.2, DVec3::X)));
        check(sphere(false), DVec3::new(1.7, 1.0, 0.0), None);
        check(sphere(true), DVec3::new(1.7, 1.0, 0.0), Some((0.3, DVec3::NEG_X)));
        let capsule =
            ColliderShape::Capsule { offset: Vec3::ZERO, tail: Vec3::X, radius: 0.5, is_inside: false };
        check(capsule, DVec3::new(0.5, 1.4, 0.0), Some((0.2, DVec3::Y)));
        check(capsule, DVec3::new(1.4, 1.0, 0.0), Some((0.2, DVec3::X)));
        check(capsule, DVec3::new(-0.7, 1.0, 0.0), None);
        let plane = ColliderShape::Plane { offset: Vec3::ZERO, normal: Vec3::Y };
        check(plane, DVec3::new(5.0, 1.05, 0.0), Some((0.05, DVec3::Y)));
        check(plane, DVec3::new(5.0, 1.15, 0.0), None);
    }

    #[test]
    fn the_middle_of_a_ball_has_no_way_out() {
        check(ColliderShape::Sphere { offset: Vec3::ZERO, radius: 0.5, is_inside: false }, DVec3::Y, None);
    }
}
