//! Rods along curved lines.

use glam::{Vec2, Vec3};

/// Steps of the sums along a line.
const STEPS: usize = 200;

/// A line in the plane x, y that begins straight up and then leans by `lean(s)` radians toward +x at s from 0 to 1, of the given length.
#[derive(Clone, Debug)]
pub(super) struct Line {
    length: f32,
    /// Places and leans at even steps.
    samples: Vec<(Vec2, f32)>,
}

impl Line {
    pub(super) fn new(length: f32, lean: impl Fn(f32) -> f32) -> Self {
        let step = length / STEPS as f32;
        let mut place = Vec2::ZERO;
        let mut samples = vec![(place, lean(0.0))];
        for at in 0..STEPS {
            // The midpoint's direction, so that a circle closes to second order.
            let (sin, cos) = lean((at as f32 + 0.5) / STEPS as f32).sin_cos();
            place += Vec2::new(sin, cos) * step;
            samples.push((place, lean((at + 1) as f32 / STEPS as f32)));
        }
        // About its middle, as the straight rod.
        let middle = samples[STEPS / 2].0;
        samples.iter_mut().for_each(|sample| sample.0 -= middle);
        Self { length, samples }
    }

    /// Where a point of the straight rod, whose middle is the origin, lies on the curved one: as far aside of it as before.
    pub(super) fn carry(&self, point: Vec3) -> Vec3 {
        let s = (point.y / self.length + 0.5).clamp(0.0, 1.0) * STEPS as f32;
        let at = (s as usize).min(STEPS - 1);
        let share = s - at as f32;
        let ((from, lean_from), (to, lean_to)) = (self.samples[at], self.samples[at + 1]);
        let (place, lean) = (from.lerp(to, share), lean_from + (lean_to - lean_from) * share);
        let beyond = point.y - point.y.clamp(-0.5 * self.length, 0.5 * self.length);
        let (sin, cos) = lean.sin_cos();
        let in_plane = place + Vec2::new(cos, -sin) * point.x + Vec2::new(sin, cos) * beyond;
        Vec3::new(in_plane.x, in_plane.y, point.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_circle_ends_where_it_should() {
        let quarter = std::f32::consts::FRAC_PI_2;
        let line = Line::new(1.0, |s| quarter * s);
        let way = line.carry(Vec3::Y * 0.5) - line.carry(Vec3::Y * -0.5);
        let radius = 1.0 / quarter;
        assert!(way.distance(Vec3::new(radius, radius, 0.0)) < 1e-3, "{way}");
        // Aside of it.
        let aside = line.carry(Vec3::new(0.1, 0.5, 0.0)) - line.carry(Vec3::Y * 0.5);
        assert!(aside.distance(Vec3::NEG_Y * 0.1) < 1e-4, "{aside}");
    }
}
