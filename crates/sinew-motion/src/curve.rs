//! Smooth curves of one variable.

use glam::DVec3;
use std::f64::consts::TAU;

/// 0 below 0, 1 above 1, and between them a curve with two continuous derivatives.
pub(crate) fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}

/// `smoothstep` between two places.
pub(crate) fn ramp(t: f64, from: f64, to: f64) -> f64 {
    smoothstep((t - from) / (to - from))
}

/// A value with its first two derivatives at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Knot {
    pub(crate) at: f64,
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

impl Knot {
    pub(crate) fn new(at: f64, value: f64, slope: f64) -> Self {
        Self { at, value, slope }
    }

    /// A knot where the curve is level.
    pub(crate) fn level(at: f64, value: f64) -> Self {
        Self::new(at, value, 0.0)
    }
}

/// The curve through knots of ascending times, constant beyond the ends: quintic between two knots, with the given slopes and zero
/// curvature at knots. Two continuous derivatives.
pub(crate) fn through_knots(knots: &[Knot], at: f64) -> f64 {
    match piece_at(knots, at) {
        Piece::Held(value) => value,
        Piece::Between { t, value, rise, slopes: [d0, d1] } => {
            // Hermite's quintic with both second derivatives zero.
            let (a, b, c) = (
                10.0 * rise - 6.0 * d0 - 4.0 * d1,
                -15.0 * rise + 8.0 * d0 + 7.0 * d1,
                6.0 * rise - 3.0 * (d0 + d1),
            );
            value + t * (d0 + t * t * (a + t * (b + t * c)))
        }
    }
}

/// The same with cubics: one continuous derivative, and lower speeds between knots.
pub(crate) fn through_knots_gently(knots: &[Knot], at: f64) -> f64 {
    match piece_at(knots, at) {
        Piece::Held(value) => value,
        Piece::Between { t, value, rise, slopes: [d0, d1] } => {
            value + t * (d0 + t * (3.0 * rise - 2.0 * d0 - d1 + t * (d0 + d1 - 2.0 * rise)))
        }
    }
}

/// Position of a time among knots.
enum Piece {
    /// Before the first or after the last.
    Held(f64),
    /// Between two: the share of the way, the value at its start, the rise, and slopes at both ends for the whole way.
    Between { t: f64, value: f64, rise: f64, slopes: [f64; 2] },
}

fn piece_at(knots: &[Knot], at: f64) -> Piece {
    let next = knots.partition_point(|knot| knot.at <= at);
    if next == 0 {
        return Piece::Held(knots[0].value);
    }
    let from = &knots[next - 1];
    let Some(to) = knots.get(next) else { return Piece::Held(from.value) };
    let span = to.at - from.at;
    Piece::Between {
        t: (at - from.at) / span,
        value: from.value,
        rise: to.value - from.value,
        slopes: [from.slope * span, to.slope * span],
    }
}

/// Slopes of the natural cubic spline at its knots, one more than spans: no second derivative at the ends, 2 v₀ + v₁ = 3 d₀. `rates`: of the chords.
pub(crate) fn spline_slopes(spans: &[f64], rates: &[DVec3]) -> Vec<DVec3> {
    let end = |rate: Option<&DVec3>| (2.0, 1.0, 3.0 * rate.copied().unwrap_or(DVec3::ZERO));
    slopes_between(spans, rates, [end(rates.first()), end(rates.last())])
}

/// As [`spline_slopes`], for a spline with zero slope at both ends.
pub(crate) fn resting_spline_slopes(spans: &[f64], rates: &[DVec3]) -> Vec<DVec3> {
    slopes_between(spans, rates, [(1.0, 0.0, DVec3::ZERO); 2])
}

/// Slopes for which second derivatives are continuous. For inner knots, with h the spans and d the rates:
///   v₋ / h₋ + 2 v (1/h₋ + 1/h₊) + v₊ / h₊ = 3 (d₋/h₋ + d₊/h₊).
/// `ends`: the row of each end, as factors of its own slope and of its neighbor's, and the right side.
fn slopes_between(spans: &[f64], rates: &[DVec3], ends: [(f64, f64, DVec3); 2]) -> Vec<DVec3> {
    let last = spans.len();
    if last == 0 {
        return vec![DVec3::ZERO];
    }
    // Rows of (before, middle, after | right side).
    let row = |knot: usize| match knot {
        0 => (0.0, ends[0].0, ends[0].1, ends[0].2),
        knot if knot == last => (ends[1].1, ends[1].0, 0.0, ends[1].2),
        knot => {
            let (before, after) = (1.0 / spans[knot - 1], 1.0 / spans[knot]);
            let right = 3.0 * (rates[knot - 1] * before + rates[knot] * after);
            (before, 2.0 * (before + after), after, right)
        }
    };
    // Thomas' elimination; the matrix is diagonally dominant, so no pivoting is needed.
    let (mut uppers, mut rights) = (Vec::with_capacity(last + 1), Vec::<DVec3>::with_capacity(last + 1));
    let (mut upper, mut earlier) = (0.0, DVec3::ZERO);
    for knot in 0..=last {
        let (before, middle, after, right) = row(knot);
        let pivot = middle - before * upper;
        (upper, earlier) = (after / pivot, (right - before * earlier) / pivot);
        uppers.push(upper);
        rights.push(earlier);
    }
    for knot in (0..last).rev() {
        let later = rights[knot + 1];
        rights[knot] -= uppers[knot] * later;
    }
    rights
}

/// From 0 to 1 over a unit of time with a speed that rises smoothly over the first share, stays, and falls over the last.
pub(crate) fn eased_way(t: f64, rise: f64, fall: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    // The integral of 3x² − 2x³ from 0 to x, of which the whole is 1/2.
    let whole = |x: f64| {
        let x = x.clamp(0.0, 1.0);
        x * x * x * (1.0 - 0.5 * x)
    };
    let speed = 1.0 / (1.0 - 0.5 * (rise + fall));
    let late = (t - (1.0 - fall)).max(0.0) / fall;
    // The way at full speed, less what the slow beginning and the slow end take away.
    let begun = if t < rise { rise * whole(t / rise) } else { t - 0.5 * rise };
    speed * (begun - fall * whole(late))
}

/// A periodic curve of few harmonics: period 1, any number of derivatives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Harmonics {
    mean: f64,
    /// Cosine and sine of each.
    parts: [[f64; 2]; Self::COUNT],
}

impl Harmonics {
    /// Enough for a joint's motion in a cycle.
    const COUNT: usize = 4;

    /// The lowest frequencies of a periodic curve.
    pub(crate) fn of(curve: impl Fn(f64) -> f64) -> Self {
        const SAMPLES: usize = 96;
        let mut harmonics = Self { mean: 0.0, parts: [[0.0; 2]; Self::COUNT] };
        for sample in 0..SAMPLES {
            let t = sample as f64 / SAMPLES as f64;
            let value = curve(t) / SAMPLES as f64;
            harmonics.mean += value;
            for (order, [cosine, sine]) in harmonics.parts.iter_mut().enumerate() {
                let angle = TAU * (order + 1) as f64 * t;
                *cosine += 2.0 * value * angle.cos();
                *sine += 2.0 * value * angle.sin();
            }
        }
        harmonics
    }

    /// A periodic curve through points (time from 0 to 1, value): a monotone cubic, then its lowest frequencies.
    pub(crate) fn through(points: &[(f64, f64)]) -> Self {
        Self::of(|t| periodic_monotone(points, t))
    }

    pub(crate) fn at(&self, t: f64) -> f64 {
        let waves = self.parts.iter().enumerate().map(|(order, [cosine, sine])| {
            let angle = TAU * (order + 1) as f64 * t;
            cosine * angle.cos() + sine * angle.sin()
        });
        self.mean + waves.sum::<f64>()
    }
}

/// A cubic through periodic points with its extrema at points: slopes are the harmonic mean of those of the neighboring chords, and zero
/// if these differ in sign.
fn periodic_monotone(points: &[(f64, f64)], t: f64) -> f64 {
    let count = points.len();
    let point = |at: isize| {
        let (lap, at) = (at.div_euclid(count as isize), at.rem_euclid(count as isize) as usize);
        (points[at].0 + lap as f64, points[at].1)
    };
    let chord = |at: isize| {
        let (from, to) = (point(at), point(at + 1));
        ((to.1 - from.1) / (to.0 - from.0), to.0 - from.0)
    };
    let slope = |at: isize| {
        let ((before, _), (after, _)) = (chord(at - 1), chord(at));
        if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
    };
    let t = t - (t - points[0].0).floor();
    let at = points.partition_point(|point| point.0 <= t) as isize - 1;
    let ((x0, y0), (_, y1), (_, span)) = (point(at), point(at + 1), chord(at));
    let (s, d0, d1) = ((t - x0) / span, slope(at) * span, slope(at + 1) * span);
    let rise = y1 - y0;
    y0 + s * (d0 + s * (3.0 * rise - 2.0 * d0 - d1 + s * (d0 + d1 - 2.0 * rise)))
}

/// The smaller of two values, rounded off where they are within `width` of each other; never above the smaller. Two continuous
/// derivatives.
pub(crate) fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let near = (1.0 - (a - b).abs() / width).max(0.0);
    a.min(b) - width * near * near * near / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of sums of a few terms.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn knots_are_met_with_their_slopes() {
        let knots = [Knot::new(0.0, 1.0, -2.0), Knot::new(0.5, 0.0, 0.0), Knot::new(2.0, 3.0, 1.0)];
        for knot in &knots {
            assert!((through_knots(&knots, knot.at) - knot.value).abs() < ROUNDING);
        }
        let h = 1e-5;
        let slope = |at: f64| (through_knots(&knots, at + h) - through_knots(&knots, at - h)) / (2.0 * h);
        assert!(slope(0.5).abs() < 1e-4);
        assert!((slope(h) + 2.0).abs() < 1e-3);
        assert!((slope(2.0 - 2.0 * h) - 1.0).abs() < 1e-3);
        assert_eq!(through_knots(&knots, -1.0), 1.0);
        assert_eq!(through_knots(&knots, 5.0), 3.0);
    }

    #[test]
    fn an_eased_way_goes_from_0_to_1_and_is_even_between() {
        assert!(eased_way(0.0, 0.3, 0.4).abs() < ROUNDING);
        assert!((eased_way(1.0, 0.3, 0.4) - 1.0).abs() < ROUNDING);
        let speed = (eased_way(0.5, 0.3, 0.4) - eased_way(0.4, 0.3, 0.4)) / 0.1;
        assert!((speed - 1.0 / 0.65).abs() < 1e-9, "{speed}");
        let mut last = 0.0;
        for step in 1..=100 {
            let way = eased_way(f64::from(step) / 100.0, 0.3, 0.4);
            assert!(way >= last - ROUNDING);
            last = way;
        }
    }

    #[test]
    fn harmonics_keep_slow_curves() {
        let harmonics = Harmonics::of(|t| 3.0 + 2.0 * (TAU * t).cos() - (2.0 * TAU * t).sin());
        for step in 0..10 {
            let t = f64::from(step) / 10.0;
            assert!(
                (harmonics.at(t) - (3.0 + 2.0 * (TAU * t).cos() - (2.0 * TAU * t).sin())).abs() < ROUNDING
            );
        }
        let points = [(0.05, 10.0), (0.5, 40.0), (0.9, 15.0)];
        for (t, value) in points {
            assert!((periodic_monotone(&points, t) - value).abs() < ROUNDING);
        }
        assert!(periodic_monotone(&points, 0.97) < 15.0);
    }

    #[test]
    fn a_smooth_minimum_is_below_both() {
        for (a, b) in [(0.0, 1.0), (0.0, 0.05), (2.0, 2.0), (-1.0, -1.02)] {
            let low = smooth_min(a, b, 0.1);
            assert!(low <= f64::min(a, b) && low >= f64::min(a, b) - 0.1 / 6.0 - ROUNDING);
        }
    }
}
