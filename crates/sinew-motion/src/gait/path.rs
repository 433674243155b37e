//! Paths over the ground.

use super::GaitError;
use crate::curve::spline_slopes;
use glam::{DVec2, DVec3};

/// A smooth path over the ground, by arc length. Straight beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundPath {
    /// Dense points (x, z), the length up to each, and its heading there.
    samples: Vec<Sample>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    way_m: f64,
    place: DVec2,
    /// Rad from +Z towards +X, without jumps.
    heading: f64,
}

/// Pieces between two points of a path.
const PIECES: usize = 64;

impl GroundPath {
    /// Straight ahead from the origin.
    pub fn straight() -> Self {
        let at = |way_m: f64| Sample { way_m, place: DVec2::new(0.0, way_m), heading: 0.0 };
        Self { samples: vec![at(0.0), at(1.0)] }
    }

    /// A curve through points (x, z), m: cubic between them, with continuous heading and curvature except at the ends.
    ///
    /// # Errors
    /// If there are too few points, or points too close to each other.
    pub fn through(points: &[[f64; 2]]) -> Result<Self, GaitError> {
        if points.len() < 2 {
            return Err(GaitError::PathTooShort { count: points.len() });
        }
        let points: Vec<DVec2> = points.iter().map(|&point| DVec2::from(point)).collect();
        if let Some(index) = points.iter().position(|point| !point.is_finite() || point.length() > 1e5) {
            return Err(GaitError::PathTooFar { index });
        }
        if let Some(index) = points.windows(2).position(|pair| pair[0].distance(pair[1]) < 0.01) {
            return Err(GaitError::PathTooNear { index });
        }
        let chords: Vec<f64> = points.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        let rates: Vec<DVec3> = points
            .windows(2)
            .zip(&chords)
            .map(|(pair, chord)| ((pair[1] - pair[0]) / *chord).extend(0.0))
            .collect();
        let slopes: Vec<DVec2> = spline_slopes(&chords, &rates).into_iter().map(DVec3::truncate).collect();
        let mut samples: Vec<Sample> = Vec::new();
        for (at, pair) in points.windows(2).enumerate() {
            let span = pair[0].distance(pair[1]);
            let first = usize::from(at > 0);
            for piece in first..=PIECES {
                let t = piece as f64 / PIECES as f64;
                let (d0, d1, rise) = (slopes[at] * span, slopes[at + 1] * span, pair[1] - pair[0]);
                let (a, b) = (3.0 * rise - 2.0 * d0 - d1, d0 + d1 - 2.0 * rise);
                let place = pair[0] + t * (d0 + t * (a + t * b));
                let along = d0 + t * (2.0 * a + t * 3.0 * b);
                push(&mut samples, place, along);
            }
        }
        Ok(Self { samples })
    }

    /// Total length, m.
    pub fn length_m(&self) -> f64 {
        self.samples[self.samples.len() - 1].way_m
    }

    /// Position on the ground and heading (rad from +Z towards +X) after `way_m` meters.
    pub fn at(&self, way_m: f64) -> (DVec3, f64) {
        let last = self.samples.len() - 1;
        let next = self.samples.partition_point(|sample| sample.way_m <= way_m).clamp(1, last);
        let (from, to) = (&self.samples[next - 1], &self.samples[next]);
        let on_ground = |place: DVec2| DVec3::new(place.x, 0.0, place.y);
        for end in [&self.samples[0], &self.samples[last]] {
            let is_beyond = if end.way_m == 0.0 { way_m < 0.0 } else { way_m > end.way_m };
            if is_beyond {
                let place =
                    end.place + DVec2::new(end.heading.sin(), end.heading.cos()) * (way_m - end.way_m);
                return (on_ground(place), end.heading);
            }
        }
        let span = to.way_m - from.way_m;
        let t = (way_m - from.way_m) / span;
        let ahead = |heading: f64| DVec2::new(heading.sin(), heading.cos()) * span;
        let (d0, d1, rise) = (ahead(from.heading), ahead(to.heading), to.place - from.place);
        let place = from.place + t * (d0 + t * (3.0 * rise - 2.0 * d0 - d1 + t * (d0 + d1 - 2.0 * rise)));
        (on_ground(place), from.heading + t * (to.heading - from.heading))
    }
}

fn push(samples: &mut Vec<Sample>, place: DVec2, along: DVec2) {
    let heading = along.x.atan2(along.y);
    let (way_m, heading) = match samples.last() {
        Some(last) => {
            let turn = (heading - last.heading + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
                - std::f64::consts::PI;
            (last.way_m + last.place.distance(place), last.heading + turn)
        }
        None => (0.0, heading),
    };
    samples.push(Sample { way_m, place, heading });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_followed_at_its_length() {
        let points: Vec<[f64; 2]> = (0..=24)
            .map(|at| f64::from(at) * std::f64::consts::TAU / 24.0)
            .map(|angle| [3.0 - 3.0 * angle.cos(), 3.0 * angle.sin()])
            .collect();
        let path = GroundPath::through(&points).expect("a circle");
        // The chords of a spline through 24 points are short by less than a thousandth.
        assert!((path.length_m() / (3.0 * std::f64::consts::TAU) - 1.0).abs() < 1e-3, "{}", path.length_m());
        let (place, heading) = path.at(0.25 * path.length_m());
        assert!(place.distance(DVec3::new(3.0, 0.0, 3.0)) < 0.02, "{place}");
        assert!((heading - std::f64::consts::FRAC_PI_2).abs() < 0.02, "{heading}");
        let (beyond, _) = path.at(path.length_m() + 1.0);
        assert!(beyond.is_finite());
    }

    #[test]
    fn bad_points_are_told() {
        assert_eq!(GroundPath::through(&[[0.0, 0.0]]), Err(GaitError::PathTooShort { count: 1 }));
        assert_eq!(
            GroundPath::through(&[[0.0, 0.0], [0.0, 0.001]]),
            Err(GaitError::PathTooNear { index: 0 })
        );
        assert_eq!(
            GroundPath::through(&[[0.0, 0.0], [f64::NAN, 1.0]]),
            Err(GaitError::PathTooFar { index: 1 })
        );
        let straight = GroundPath::straight().at(7.5);
        assert_eq!(straight, (DVec3::new(0.0, 0.0, 7.5), 0.0));
    }
}
