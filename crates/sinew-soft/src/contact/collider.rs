//! Shapes in the world, and how they hold and throw back.

use super::{Crossing, Shape, Touch};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// How surfaces answer to touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContactSettings {
    /// Largest sideways force as a share of the force into the surface. Default 0.5.
    pub friction: f32,
    /// Share of the speed into the surface that is thrown back, from 0 to 1. Default 0.
    pub restitution: f32,
    /// How far particles stay away, meters: half the thickness of what they stand for. Default 0.
    pub margin_m: f32,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, margin_m: 0.0 }
    }
}

/// A shape in the world, at the beginning and at the end of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// The shape.
    pub shape: Shape,
    /// Where it is at the end of the step: world from shape.
    pub place: (Vec3, Quat),
    /// Where it was at the beginning.
    pub before: (Vec3, Quat),
    /// How it answers.
    pub settings: ContactSettings,
}

impl Collider {
    /// A collider that stands still.
    pub fn fixed(shape: Shape, origin: Vec3, turn: Quat, settings: ContactSettings) -> Self {
        Self { shape, place: (origin, turn), before: (origin, turn), settings }
    }

    /// A floor at a height, below which nothing may be.
    pub fn floor(height_m: f32, settings: ContactSettings) -> Self {
        Self::fixed(Shape::HalfSpace, Vec3::new(0.0, height_m, 0.0), Quat::IDENTITY, settings)
    }

    /// How a point lies to the collider at the end of the step, its margin included.
    pub fn touch(&self, point: Vec3) -> Touch {
        self.touch_within(point, f32::INFINITY)
    }

    /// The same, for a point that is known to be no farther from the shape than so much.
    pub(crate) fn touch_within(&self, point: Vec3, most_m: f32) -> Touch {
        let (origin, turn) = self.place;
        let in_shape = turn.conjugate() * (point - origin);
        let touch = match &self.shape {
            Shape::Mesh(mesh) => mesh.touch_within(in_shape, most_m),
            shape => shape.touch(in_shape),
        };
        Touch { distance_m: touch.distance_m - self.margin_m(), normal: turn * touch.normal }
    }

    /// How far particles stay away, meters.
    pub(crate) fn margin_m(&self) -> f32 {
        match &self.shape {
            Shape::Mesh(mesh) => self.settings.margin_m.max(mesh.least_margin_m()),
            _ => self.settings.margin_m,
        }
    }

    /// Where a point that clings to the collider goes in the step.
    pub fn carried(&self, before: Vec3) -> Vec3 {
        let ((origin, turn), (old_origin, old_turn)) = (self.place, self.before);
        turn * (old_turn.conjugate() * (before - old_origin)) + origin
    }

    /// Where a point that would go from `before` to `after`, where it touches like this, ends up; `None` if it is free.
    ///
    /// A fast point is looked at also on its way, so that it neither passes through what is thinner than its step nor is let out on the
    /// other side.
    pub(crate) fn keep_out(&self, before: Vec3, after: Vec3, touch: Touch) -> Option<Vec3> {
        let from = self.carried(before);
        let way = after - from;
        let is_wall = matches!(&self.shape, Shape::Mesh(mesh) if !mesh.is_closed());
        let is_back = touch.normal.dot(way) <= 0.0;
        if touch.distance_m < 0.0 && is_back && !is_wall {
            return Some(self.pushed(before, after, touch));
        }
        // Nobody gets behind a half space.
        if self.shape != Shape::HalfSpace
            && way.length() > touch.distance_m
            && let Some(Crossing { point, normal }) = self.first_touch(from, after)
        {
            let distance_m = normal.dot(after - point);
            return Some(self.pushed(before, after, Touch { distance_m, normal }));
        }
        (touch.distance_m < 0.0).then(|| self.pushed(before, after, touch))
    }

    /// Where the way between two points first comes inside, margin included.
    fn first_touch(&self, from: Vec3, to: Vec3) -> Option<Crossing> {
        let Shape::Mesh(mesh) = &self.shape else { return self.march(from, to) };
        let (origin, turn) = self.place;
        let [from, to] = [from, to].map(|point| turn.conjugate() * (point - origin));
        let met = mesh.crossing(from, to)?;
        let normal = turn * met.normal;
        Some(Crossing { point: turn * met.point + origin + normal * self.margin_m(), normal })
    }

    /// The same by going as far as the distance allows.
    fn march(&self, from: Vec3, to: Vec3) -> Option<Crossing> {
        /// Looks on the way; each goes on by at least a hundredth of it.
        const LOOKS: usize = 100;
        let way = to - from;
        let length = way.length();
        // Beginning inside: it is being pushed out already.
        if self.touch(from).distance_m < 0.0 {
            return None;
        }
        let mut gone = 0.0;
        for _ in 0..LOOKS {
            let point = from + way * gone;
            let Touch { distance_m, normal } = self.touch(point);
            if distance_m <= 0.0 {
                return Some(Crossing { point: point - normal * distance_m, normal });
            }
            gone += (distance_m / length).max(1.0 / LOOKS as f32);
            if gone >= 1.0 {
                return None;
            }
        }
        None
    }

    fn pushed(&self, before: Vec3, inside: Vec3, touch: Touch) -> Vec3 {
        let depth = -touch.distance_m.min(0.0);
        let out = inside + touch.normal * depth;
        // Coulomb: sideways motion against the surface stops, unless that takes more than a share of the push.
        let slide = out - self.carried(before);
        let slide = slide - touch.normal * touch.normal.dot(slide);
        let length = slide.length();
        let most = self.settings.friction * depth;
        let held = if length <= most { slide } else { slide * (most / length) };
        out - held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeshShape;
    use sinew_geometry::shapes;
    use std::sync::Arc;

    fn kept(collider: &Collider, before: Vec3, after: Vec3) -> Option<Vec3> {
        collider.keep_out(before, after, collider.touch(after))
    }

    #[test]
    fn fast_points_do_not_pass_through_thin_walls() {
        let half_m = Vec3::new(0.025, 1.0, 1.0);
        let mesh = MeshShape::new(&shapes::cuboid(half_m * 2.0)).unwrap();
        let sheet = MeshShape::new(&sinew_geometry::TriangleMesh {
            positions: vec![Vec3::new(0.0, -1.0, -1.0), Vec3::new(0.0, 3.0, -1.0), Vec3::new(0.0, -1.0, 3.0)],
            triangles: vec![[0, 1, 2]],
        });
        for shape in
            [Shape::Box { half_m }, Shape::Mesh(Arc::new(mesh)), Shape::Mesh(Arc::new(sheet.unwrap()))]
        {
            let settings = ContactSettings { margin_m: 0.01, ..ContactSettings::default() };
            let collider = Collider::fixed(shape, Vec3::ZERO, Quat::IDENTITY, settings);
            let front = collider.touch(Vec3::new(-1.0, 0.1, 0.0)).distance_m - 1.0;
            // Through, into the far half, and into the near half.
            for end in [2.0, 0.02, -0.02] {
                let kept = kept(&collider, Vec3::new(-1.0, 0.1, 0.0), Vec3::new(end, 0.1, 0.0));
                assert_eq!(kept.is_some(), end > front, "{:?} {end}", collider.shape);
                assert!(
                    kept.is_none_or(|kept| (kept.x - front).abs() < 1e-3),
                    "{end}: {kept:?}, not {front}"
                );
            }
            assert!(self::kept(&collider, Vec3::new(-1.0, 0.1, 0.0), Vec3::new(-0.5, 0.1, 0.0)).is_none());
        }
    }

    #[test]
    fn friction_holds_what_is_pressed_and_lets_slide_what_is_not() {
        let floor = Collider::floor(0.0, ContactSettings { friction: 0.5, ..ContactSettings::default() });
        assert_eq!(kept(&floor, Vec3::ZERO, Vec3::new(0.01, -0.1, 0.0)).unwrap(), Vec3::ZERO);
        let slid = kept(&floor, Vec3::ZERO, Vec3::new(0.3, -0.1, 0.0)).unwrap();
        assert!((slid.x - 0.25).abs() < 1e-6);
    }

    #[test]
    fn a_moving_floor_carries() {
        let mut floor = Collider::floor(0.0, ContactSettings::default());
        floor.place.0.x = 0.2;
        let carried = kept(&floor, Vec3::ZERO, Vec3::new(0.0, -1.0, 0.0)).unwrap();
        assert!((carried.x - 0.2).abs() < 1e-6);
    }
}
