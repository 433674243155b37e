//! Shapes of colliders.

use super::MeshShape;
use glam::{Vec3, Vec3Swizzles};
use std::sync::Arc;

/// A shape in its own space.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum Shape {
    /// Everything below y = 0.
    HalfSpace,
    /// A ball round the origin. `radius_m`: meters.
    Sphere { radius_m: f32 },
    /// A box round the origin. `half_m`: from the middle to each side, meters.
    Box { half_m: Vec3 },
    /// All points near a part of the y axis. `half_height_m`: from the origin to each end of the part, meters. `radius_m`: meters.
    Capsule { half_height_m: f32, radius_m: f32 },
    /// A disc of some thickness round the y axis. `half_height_m`: from the origin to top and bottom, meters. `radius_m`: meters.
    Cylinder { half_height_m: f32, radius_m: f32 },
    /// Triangles: a solid if they are closed, also a convex hull, or a wall.
    Mesh(Arc<MeshShape>),
}

/// Where a way first meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    pub(crate) point: Vec3,
    /// Towards where it comes from, unit.
    pub(crate) normal: Vec3,
}

/// How a point lies to a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// From the surface, negative inside, meters.
    pub distance_m: f32,
    /// The way out, unit.
    pub normal: Vec3,
}

impl Shape {
    /// How a point lies to the shape.
    ///
    /// # Degenerate input
    /// Where several ways out are equally near, as at a ball's center, one of them; upwards if it is among them.
    pub fn touch(&self, point: Vec3) -> Touch {
        match *self {
            Self::Mesh(ref mesh) => mesh.touch(point),
            Self::HalfSpace => Touch { distance_m: point.y, normal: Vec3::Y },
            Self::Sphere { radius_m } => round(point, radius_m),
            Self::Box { half_m } => of_box(point, half_m),
            Self::Capsule { half_height_m, radius_m } => {
                let nearest = Vec3::new(0.0, point.y.clamp(-half_height_m, half_height_m), 0.0);
                round(point - nearest, radius_m)
            }
            Self::Cylinder { half_height_m, radius_m } => of_cylinder(point, half_height_m, radius_m),
        }
    }
}

fn round(from_center: Vec3, radius_m: f32) -> Touch {
    let length = from_center.length();
    let normal = if length > 1e-12 { from_center / length } else { Vec3::Y };
    Touch { distance_m: length - radius_m, normal }
}

fn of_box(point: Vec3, half_m: Vec3) -> Touch {
    let over = point.abs() - half_m;
    let sign = Vec3::select(point.cmplt(Vec3::ZERO), Vec3::NEG_ONE, Vec3::ONE);
    if over.max_element() > 0.0 {
        let out = over.max(Vec3::ZERO);
        let distance_m = out.length();
        return Touch { distance_m, normal: out * sign / distance_m };
    }
    // Inside: the nearest side.
    let axis = if over.y >= over.x && over.y >= over.z {
        Vec3::Y
    } else if over.x >= over.z {
        Vec3::X
    } else {
        Vec3::Z
    };
    Touch { distance_m: over.max_element(), normal: axis * sign }
}

fn of_cylinder(point: Vec3, half_height_m: f32, radius_m: f32) -> Touch {
    let flat = point.xz();
    let length = flat.length();
    let aside = if length > 1e-12 { Vec3::new(flat.x / length, 0.0, flat.y / length) } else { Vec3::X };
    let up = if point.y < 0.0 { Vec3::NEG_Y } else { Vec3::Y };
    let (over_side, over_top) = (length - radius_m, point.y.abs() - half_height_m);
    if over_side > 0.0 && over_top > 0.0 {
        let out = aside * over_side + up * over_top;
        let distance_m = out.length();
        return Touch { distance_m, normal: out / distance_m };
    }
    if over_top >= over_side {
        Touch { distance_m: over_top, normal: up }
    } else {
        Touch { distance_m: over_side, normal: aside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPES: [Shape; 5] = [
        Shape::HalfSpace,
        Shape::Sphere { radius_m: 0.7 },
        Shape::Box { half_m: Vec3::new(0.5, 0.3, 0.8) },
        Shape::Capsule { half_height_m: 0.6, radius_m: 0.3 },
        Shape::Cylinder { half_height_m: 0.4, radius_m: 0.6 },
    ];

    proptest! {
        /// The nearest point of the surface lies at the distance along the normal.
        #[test]
        fn going_back_by_the_distance_reaches_the_surface(x in -2.0f32..2.0, y in -2.0f32..2.0, z in -2.0f32..2.0) {
            for shape in SHAPES {
                let point = Vec3::new(x, y, z);
                let touch = shape.touch(point);
                prop_assert!(touch.normal.is_normalized());
                let surface = shape.touch(point - touch.normal * touch.distance_m);
                prop_assert!(surface.distance_m.abs() < 1e-5, "{shape:?} {point}: {touch:?} {surface:?}");
            }
        }
    }

    #[test]
    fn centers_have_a_way_out() {
        for shape in SHAPES {
            let touch = shape.touch(Vec3::ZERO);
            assert!(touch.normal.is_normalized() && touch.distance_m <= 0.0, "{shape:?}");
        }
    }
}
