//! C² curves through keys, also before the first key and after the last.
//!
//! A cubic spline through the keys gives each inner key a velocity and an acceleration (a tridiagonal system, solved directly). Between two
//! keys the curve is the quintic with value, velocity and acceleration of both. If both come from the cubic spline, the quintic is that
//! cubic, because six conditions have one solution; it differs only at the ends:
//!
//! - [`Ends::Rest`]: velocity and acceleration are zero at the first and last key, where the curve then stays. With two keys this is
//!   `10 t³ − 15 t⁴ + 6 t⁵`, the move of minimum jerk.
//! - [`Ends::Drift`]: the natural spline, whose acceleration is zero at the ends, continues straight at its last velocity.

use super::CameraError;
use crate::curve::{resting_spline_slopes, spline_slopes};
use glam::DVec3;

/// Behavior of a curve before its first key and after its last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// Comes to rest and stays.
    #[default]
    Rest,
    /// Continues straight.
    Drift,
}

/// A curve through keys.
///
/// Invariant: at least one key; times finite and ascending; values finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    knots: Vec<Knot>,
}

/// A place on a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Position.
    pub value: DVec3,
    /// Change per second.
    pub velocity: DVec3,
    /// Change of the velocity per second.
    pub acceleration: DVec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    time_secs: f64,
    at: CurvePoint,
}

impl Path {
    /// The curve through keys of time (s) and value. One key is a constant point.
    ///
    /// # Errors
    /// If there are no keys, times do not ascend, or numbers are not finite.
    pub fn through(keys: &[(f64, DVec3)], ends: Ends) -> Result<Self, CameraError> {
        if keys.is_empty() {
            return Err(CameraError::NoKeys);
        }
        for (key, &(time_secs, value)) in keys.iter().enumerate() {
            if !(time_secs.is_finite() && value.is_finite()) {
                return Err(CameraError::KeyNotFinite { key });
            }
            let before_secs = key.checked_sub(1).map_or(f64::NEG_INFINITY, |before| keys[before].0);
            if time_secs <= before_secs {
                return Err(CameraError::KeyOrder { key, time_secs, before_secs });
            }
        }
        let velocities = velocities(keys, ends);
        let last = keys.len() - 1;
        let knots = (0..keys.len())
            .map(|key| {
                let is_end = key == 0 || key == last;
                let acceleration = if is_end { DVec3::ZERO } else { acceleration(keys, &velocities, key) };
                let at = CurvePoint { value: keys[key].1, velocity: velocities[key], acceleration };
                Knot { time_secs: keys[key].0, at }
            })
            .collect();
        Ok(Self { knots })
    }

    /// The curve at a time.
    pub fn at(&self, time_secs: f64) -> CurvePoint {
        let after = self.knots.partition_point(|knot| knot.time_secs <= time_secs);
        let Some(end) = self.knots.get(after) else { return self.knots[after - 1].straight(time_secs) };
        if after == 0 {
            return end.straight(time_secs);
        }
        let start = &self.knots[after - 1];
        let span = end.time_secs - start.time_secs;
        quintic(&start.at, &end.at, span, (time_secs - start.time_secs) / span)
    }

    /// Times of the first and last key.
    pub fn span_secs(&self) -> (f64, f64) {
        (self.knots[0].time_secs, self.knots[self.knots.len() - 1].time_secs)
    }
}

impl Knot {
    /// Continues straight: at rest, or at constant velocity.
    fn straight(&self, time_secs: f64) -> CurvePoint {
        let value = self.at.value + self.at.velocity * (time_secs - self.time_secs);
        CurvePoint { value, velocity: self.at.velocity, acceleration: DVec3::ZERO }
    }
}

/// Velocities of the C² cubic spline: zero at both ends (rest), or with an acceleration of zero there (drift).
fn velocities(keys: &[(f64, DVec3)], ends: Ends) -> Vec<DVec3> {
    let spans: Vec<f64> = keys.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    let rates: Vec<DVec3> =
        keys.windows(2).zip(&spans).map(|(pair, span)| (pair[1].1 - pair[0].1) / *span).collect();
    match ends {
        Ends::Rest => resting_spline_slopes(&spans, &rates),
        Ends::Drift => spline_slopes(&spans, &rates),
    }
}

/// Acceleration of the cubic spline at an inner key, from the piece after it: (6 d − 4 v − 2 v₊) / h.
fn acceleration(keys: &[(f64, DVec3)], velocities: &[DVec3], key: usize) -> DVec3 {
    let span = keys[key + 1].0 - keys[key].0;
    let slope = (keys[key + 1].1 - keys[key].1) / span;
    (6.0 * slope - 4.0 * velocities[key] - 2.0 * velocities[key + 1]) / span
}

/// The quintic with value, velocity and acceleration of both ends, at a share of the span.
fn quintic(start: &CurvePoint, end: &CurvePoint, span: f64, share: f64) -> CurvePoint {
    let (v0, v1) = (start.velocity * span, end.velocity * span);
    let (a0, a1) = (start.acceleration * (span * span), end.acceleration * (span * span));
    // p(s) = p₀ + v₀ s + a₀/2 s² + c₃ s³ + c₄ s⁴ + c₅ s⁵ with p, p′ and p″ given at s = 1.
    let gap = end.value - start.value;
    let c3 = 10.0 * gap - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1;
    let c4 = -15.0 * gap + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1;
    let c5 = 6.0 * gap - 3.0 * (v0 + v1) - 0.5 * (a0 - a1);
    let s = share;
    let value = start.value + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))));
    let velocity = v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)));
    let acceleration = a0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5));
    CurvePoint { value, velocity: velocity / span, acceleration: acceleration / (span * span) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Vec<(f64, DVec3)> {
        // Uneven spans, a turn back and a key that repeats.
        let values = [[0.0, 1.0, 4.0], [2.0, 1.5, 3.0], [2.5, 1.5, -1.0], [2.5, 1.5, -1.0], [-1.0, 3.0, 0.5]];
        [0.5, 1.0, 3.0, 3.25, 6.0].into_iter().zip(values.map(DVec3::from)).collect()
    }

    #[test]
    fn value_velocity_and_acceleration_have_no_jumps() {
        for ends in [Ends::Rest, Ends::Drift] {
            let path = Path::through(&keys(), ends).expect("right");
            for (time, value) in keys() {
                // A quintic changes its acceleration by at most some thousand units a second here.
                let step = 1e-9;
                let (before, after) = (path.at(time - step), path.at(time + step));
                assert!((path.at(time).value - value).length() < 1e-12, "goes through the key at {time}");
                assert!((before.value - after.value).length() < 1e-6, "{ends:?} value at {time}");
                assert!((before.velocity - after.velocity).length() < 1e-5, "{ends:?} velocity at {time}");
                let jump = (before.acceleration - after.acceleration).length();
                assert!(jump < 1e-4, "{ends:?} acceleration at {time} jumps by {jump}");
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_curve() {
        let path = Path::through(&keys(), Ends::Rest).expect("right");
        let step = 1e-4;
        for tick in 0..700 {
            let time = 0.0103 + f64::from(tick) * 0.01;
            let (low, here, high) = (path.at(time - step), path.at(time), path.at(time + step));
            let velocity = (high.value - low.value) / (2.0 * step);
            let acceleration = (high.velocity - low.velocity) / (2.0 * step);
            assert!((velocity - here.velocity).length() < 1e-3, "at {time}");
            assert!((acceleration - here.acceleration).length() < 2e-2, "at {time}");
        }
    }

    #[test]
    fn two_keys_are_the_move_of_least_jerk() {
        let path = Path::through(&[(1.0, DVec3::ZERO), (3.0, DVec3::X)], Ends::Rest).expect("right");
        for tick in 0..=20 {
            let t = f64::from(tick) / 20.0;
            let expected = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t);
            assert!((path.at(1.0 + 2.0 * t).value.x - expected).abs() < 1e-14);
        }
        assert_eq!(path.at(-5.0).value, DVec3::ZERO);
        assert_eq!(path.at(9.0).value, DVec3::X);
    }

    #[test]
    fn keys_on_a_line_give_the_line_everywhere() {
        let line = |time: f64| DVec3::new(2.0, 1.0 - 0.5 * time, 3.0 * time);
        let keys: Vec<_> = [0.0, 0.3, 2.0, 2.1].map(|time| (time, line(time))).into();
        let path = Path::through(&keys, Ends::Drift).expect("right");
        for time in [-4.0, 0.0, 0.1, 1.3, 2.05, 7.0] {
            assert!((path.at(time).value - line(time)).length() < 1e-12, "at {time}");
        }
    }

    #[test]
    fn keys_that_make_no_curve_are_refused() {
        assert_eq!(Path::through(&[], Ends::Rest), Err(CameraError::NoKeys));
        let twice = [(1.0, DVec3::ZERO), (1.0, DVec3::X)];
        let said = Path::through(&twice, Ends::Rest).expect_err("twice").to_string();
        assert_eq!(said, "key 1 at 1 s is not after the previous key at 1 s; sort the keys");
        let broken = [(0.0, DVec3::ZERO), (f64::NAN, DVec3::X)];
        assert_eq!(Path::through(&broken, Ends::Rest), Err(CameraError::KeyNotFinite { key: 1 }));
        let still = Path::through(&[(2.0, DVec3::Y)], Ends::Drift).expect("a point");
        assert_eq!((still.at(-9.0).value, still.at(9.0).value), (DVec3::Y, DVec3::Y));
    }
}
