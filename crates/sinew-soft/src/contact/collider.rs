//! Shapes in the world, and how they hold and throw back.

use super::{Shape, Touch};
use glam::{Quat, Vec3};

/// How surfaces answer to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// Largest sideways force as a share of the force into the surface. Default 0.5.
    pub friction: f32,
    /// Share of the speed into the surface that is thrown back, from 0 to 1. Default 0.
    pub restitution: f32,
    /// How far particles stay away, metres: half the thickness of what they stand for. Default 0.
    pub margin_m: f32,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, margin_m: 0.0 }
    }
}

/// A shape in the world, at the beginning and at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        let (origin, turn) = self.place;
        let touch = self.shape.touch(turn.conjugate() * (point - origin));
        Touch { distance_m: touch.distance_m - self.settings.margin_m, normal: turn * touch.normal }
    }

    /// Where a point that clings to the collider goes in the step.
    pub fn carried(&self, before: Vec3) -> Vec3 {
        let ((origin, turn), (old_origin, old_turn)) = (self.place, self.before);
        turn * (old_turn.conjugate() * (before - old_origin)) + origin
    }

    /// Where a point that would go from `before` to `after` ends up, and how far it was pushed out; `None` if it is free.
    ///
    /// A fast point is looked at also on its way, so that it does not pass through what is thinner than its step.
    pub(crate) fn keep_out(&self, before: Vec3, after: Vec3) -> Option<(Vec3, f32)> {
        let touch = self.touch(after);
        if touch.distance_m < 0.0 {
            return Some(self.pushed(before, after, touch));
        }
        let way = after - before;
        if way.length() <= touch.distance_m {
            return None;
        }
        let entry = self.first_touch(self.carried(before), after)?;
        Some(self.pushed(before, entry, self.touch(entry)))
    }

    /// Where the way between two points first comes inside, by going as far as the distance allows.
    fn first_touch(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
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
            let distance = self.touch(point).distance_m;
            if distance <= 0.0 {
                return Some(point);
            }
            gone += (distance / length).max(1.0 / LOOKS as f32);
            if gone >= 1.0 {
                return None;
            }
        }
        None
    }

    fn pushed(&self, before: Vec3, inside: Vec3, touch: Touch) -> (Vec3, f32) {
        let depth = -touch.distance_m.min(0.0);
        let out = inside + touch.normal * depth;
        // Coulomb: sideways motion against the surface stops, unless that takes more than a share of the push.
        let slide = out - self.carried(before);
        let slide = slide - touch.normal * touch.normal.dot(slide);
        let length = slide.length();
        let most = self.settings.friction * depth;
        let held = if length <= most { slide } else { slide * (most / length) };
        (out - held, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_points_do_not_pass_through_thin_walls() {
        let wall = Shape::Box { half_m: Vec3::new(0.005, 1.0, 1.0) };
        let collider = Collider::fixed(wall, Vec3::ZERO, Quat::IDENTITY, ContactSettings::default());
        let (end, _) = collider.keep_out(Vec3::new(-1.0, 0.1, 0.0), Vec3::new(2.0, 0.1, 0.0)).unwrap();
        assert!((end.x + 0.005).abs() < 1e-3, "{end}");
        assert!(collider.keep_out(Vec3::new(-1.0, 0.1, 0.0), Vec3::new(-0.5, 0.1, 0.0)).is_none());
    }

    #[test]
    fn friction_holds_what_is_pressed_and_lets_slide_what_is_not() {
        let floor = Collider::floor(0.0, ContactSettings { friction: 0.5, ..ContactSettings::default() });
        let (held, depth) = floor.keep_out(Vec3::ZERO, Vec3::new(0.01, -0.1, 0.0)).unwrap();
        assert_eq!((held, depth), (Vec3::ZERO, 0.1));
        let (slid, _) = floor.keep_out(Vec3::ZERO, Vec3::new(0.3, -0.1, 0.0)).unwrap();
        assert!((slid.x - 0.25).abs() < 1e-6);
    }

    #[test]
    fn a_moving_floor_carries() {
        let mut floor = Collider::floor(0.0, ContactSettings::default());
        floor.place.0.x = 0.2;
        let (carried, _) = floor.keep_out(Vec3::ZERO, Vec3::new(0.0, -1.0, 0.0)).unwrap();
        assert!((carried.x - 0.2).abs() < 1e-6);
    }
}
