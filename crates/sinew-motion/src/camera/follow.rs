//! Follows something that moves: a smooth curve of sampled positions.
//!
//! The positions are sampled at their own rate, not the film's: the curve is the same at every frame rate. Each control point is the mean of
//! the samples around it, weighted by a tent; the curve is the uniform cubic B-spline of the control points, which is always C². The tent is
//! symmetric in time: the camera does not lag.

use super::CurvePoint;
use glam::DVec3;

/// A smooth curve after sampled places.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowCurve {
    control: Vec<DVec3>,
    rate_hz: f64,
}

impl FollowCurve {
    /// Samples per second, fine enough for a moving person: a step is less than 1 % of a running stride.
    pub const RATE_HZ: f64 = 120.0;

    /// The curve of `samples`, taken from time 0 at `rate_hz`; constant before and after. Each position is the mean over `smooth_secs` before
    /// and after; 0 follows closely, 0.3 calms a nodding head, 1 drifts along.
    ///
    /// # Panics
    /// Without samples, or if the rate is not above 0.
    pub fn new(samples: &[DVec3], rate_hz: f64, smooth_secs: f64) -> Self {
        assert!(!samples.is_empty(), "a follow needs samples");
        assert!(rate_hz > 0.0, "a follow needs a rate above 0");
        let reach = (smooth_secs.max(0.0) * rate_hz).ceil().min(samples.len() as f64) as isize;
        let last = samples.len() as isize - 1;
        let weight = |offset: isize| 1.0 - offset.abs() as f64 / (reach as f64 + 1.0);
        let total: f64 = (-reach..=reach).map(weight).sum();
        let mean = |index: isize| -> DVec3 {
            let sample = |offset: isize| samples[(index + offset).clamp(0, last) as usize];
            (-reach..=reach).map(|offset| sample(offset) * weight(offset)).sum::<DVec3>() / total
        };
        Self { control: (0..=last).map(mean).collect(), rate_hz }
    }

    /// The curve at a time; constant beyond the samples.
    pub fn at(&self, time_secs: f64) -> CurvePoint {
        let last = self.control.len() as isize - 1;
        // Two steps past the ends all control points are the last one.
        let place = (time_secs * self.rate_hz).clamp(-2.0, last as f64 + 2.0);
        let first = place.floor();
        let s = place - first;
        let control = |offset: isize| self.control[(first as isize + offset).clamp(0, last) as usize];
        let [p0, p1, p2, p3] = [control(-1), control(0), control(1), control(2)];
        let r = 1.0 - s;
        let value = (p0 * (r * r * r)
            + p1 * (3.0 * s * s * s - 6.0 * s * s + 4.0)
            + p2 * (3.0 * r * r * r - 6.0 * r * r + 4.0)
            + p3 * (s * s * s))
            / 6.0;
        let slope = (-p0 * (r * r) + p1 * (3.0 * s * s - 4.0 * s) - p2 * (3.0 * r * r - 4.0 * r)
            + p3 * (s * s))
            / 2.0;
        let bend = p0 * r + p1 * (3.0 * s - 2.0) + p2 * (3.0 * r - 2.0) + p3 * s;
        let rate = self.rate_hz;
        CurvePoint { value, velocity: slope * rate, acceleration: bend * (rate * rate) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step up at 1 s and a wave: what a careless motion holds.
    fn jumpy() -> Vec<DVec3> {
        let place = |tick: usize| {
            let time = tick as f64 / 120.0;
            DVec3::new(1.4 * time, if time < 1.0 { 0.0 } else { 0.3 }, (9.0 * time).sin() * 0.05)
        };
        (0..360).map(place).collect()
    }

    #[test]
    fn even_a_jump_is_followed_without_jumps_of_acceleration() {
        let curve = FollowCurve::new(&jumpy(), 120.0, 0.4);
        let step = 1e-9;
        for knot in -3..365 {
            let time = f64::from(knot) / 120.0;
            let (before, after) = (curve.at(time - step), curve.at(time + step));
            assert!((before.value - after.value).length() < 1e-8, "at {time}");
            assert!((before.velocity - after.velocity).length() < 1e-6, "at {time}");
            assert!((before.acceleration - after.acceleration).length() < 1e-4, "at {time}");
        }
        // The derivatives are those of the curve.
        let (low, here, high) = (curve.at(0.9), curve.at(0.9001), curve.at(0.9002));
        assert!(((high.value - low.value) / 2e-4 - here.velocity).length() < 1e-5);
        assert!(((high.velocity - low.velocity) / 2e-4 - here.acceleration).length() < 1e-3);
    }

    #[test]
    fn even_motion_is_followed_without_lag_and_ends_are_held() {
        let samples: Vec<DVec3> = (0..240).map(|tick| DVec3::X * (tick as f64 / 120.0)).collect();
        let curve = FollowCurve::new(&samples, 120.0, 0.3);
        assert!((curve.at(1.0).value - DVec3::X).length() < 1e-12);
        let still = FollowCurve::new(&[DVec3::Y], 120.0, 5.0);
        assert_eq!((still.at(-8.0).value, still.at(8.0).value), (DVec3::Y, DVec3::Y));
    }

    #[test]
    fn a_longer_smoothing_shakes_less() {
        let shake = |smooth_secs: f64| {
            let curve = FollowCurve::new(&jumpy(), 120.0, smooth_secs);
            (100..260).map(|tick| curve.at(tick as f64 / 100.0).acceleration.length()).fold(0.0, f64::max)
        };
        assert!(shake(0.8) < 0.5 * shake(0.2), "{} and {}", shake(0.8), shake(0.2));
    }
}
