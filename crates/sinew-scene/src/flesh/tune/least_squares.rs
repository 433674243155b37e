//! A search for the least sum of squares that asks for no derivative.
//!
//! After \[Ralston78\] (DUD): n + 1 places with their residuals span a plane through the graph of the residuals; where the sum of squares on that
//! plane is least is the next place, and it takes the place of one of the n + 1. After n + 1 evaluations each further one is a step of
//! Gauss and Newton, where searches that see the sum alone need some ten for as much.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `θᵢ` | `places[i].at` | places of the plane, the best apart |
//! | `Δθ α` | `step` | from the best place to the next |
//! | `α` | `shares` | the same in differences of places |
//!
//! Departures: steps stay within a radius that grows and shrinks with success (Levenberg's term holds them there) in place of the paper's
//! halving of steps; coordinates have bounds; of the places, the one goes whose loss leaves the plane best defined; a plane that has failed
//! twice is laid anew round the best place. A search that has settled begins again beside it, at random by its seed, as long as it may.
//!
//! Limits: residuals must be smooth on the scale of the first radius; only restarts leave a local minimum.

use sinew_geometry::{Lu, Random};

/// How the search goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// Most evaluations.
    pub evaluations: usize,
    /// First step in each coordinate, and how far restarts go.
    pub radius: f64,
    /// Steps shorter than this settle it.
    pub tolerance: f64,
    /// A sum of squares that is good enough.
    pub target: f64,
    /// Times that a settled search begins again.
    pub restarts: usize,
    /// Of the restarts' random numbers.
    pub seed: u64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { evaluations: 200, radius: 0.4, tolerance: 1e-3, target: 0.0, restarts: 1, seed: 1 }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where the sum of squares is least.
    pub place: Vec<f64>,
    /// That sum; infinite if no evaluation had finite residuals.
    pub squares: f64,
    /// Evaluations used.
    pub evaluations: usize,
    /// Whether the caller stopped it.
    pub is_stopped: bool,
}

/// Residuals at a place, always as many; `None` to stop. What is not finite counts as infinitely bad.
pub type Residuals<'a, E> = dyn FnMut(&[f64]) -> Result<Option<Vec<f32>>, E> + 'a;

/// Finds the place within `bounds` (least and most of each coordinate) with the least sum of squared residuals, beginning at `start`.
///
/// The result depends on the arguments alone and is never worse than the start.
///
/// # Errors
/// The first error of `residuals`.
///
/// # Panics
/// If `bounds` are not as many as coordinates.
pub fn least_squares<E>(
    start: &[f64],
    bounds: &[[f64; 2]],
    settings: &SearchSettings,
    residuals: &mut Residuals<'_, E>,
) -> Result<Found, E> {
    assert_eq!(start.len(), bounds.len(), "bounds for each coordinate");
    let mut search = Search { bounds, settings, residuals, used: 0, is_stopped: false };
    let mut random = Random::new(settings.seed);
    let Some(mut best) = search.evaluate(search.clamped(start.to_vec()))? else {
        let (place, is_stopped) = (search.clamped(start.to_vec()), search.is_stopped);
        return Ok(Found { place, squares: f64::INFINITY, evaluations: search.used, is_stopped });
    };
    for round in 0..=settings.restarts {
        if start.is_empty() || search.is_over(&best) {
            break;
        }
        let from = if round == 0 {
            best.clone()
        } else {
            let aside = |at: &f64| at + settings.radius * random.signed();
            match search.evaluate(search.clamped(best.at.iter().map(aside).collect()))? {
                Some(place) => place,
                None => break,
            }
        };
        let found = search.descend(from)?;
        if found.squares < best.squares {
            best = found;
        }
    }
    Ok(Found {
        place: best.at,
        squares: best.squares,
        evaluations: search.used,
        is_stopped: search.is_stopped,
    })
}

#[derive(Clone, Debug)]
struct Place {
    at: Vec<f64>,
    residuals: Vec<f32>,
    squares: f64,
}

struct Search<'a, 'b, E> {
    bounds: &'a [[f64; 2]],
    settings: &'a SearchSettings,
    residuals: &'a mut Residuals<'b, E>,
    used: usize,
    is_stopped: bool,
}

/// The longest step, in first radii.
const LONGEST: f64 = 4.0;

/// A step that gains less than this share of what its plane promised was too long.
const POOR: f64 = 0.25;

/// A step that gains more than this share was too short.
const GOOD: f64 = 0.7;

/// Bad steps after which a plane is laid anew.
const MOST_FAILURES: usize = 2;

impl<E> Search<'_, '_, E> {
    /// `None` if there are no evaluations left or the caller stops.
    fn evaluate(&mut self, at: Vec<f64>) -> Result<Option<Place>, E> {
        if self.used >= self.settings.evaluations || self.is_stopped {
            return Ok(None);
        }
        let Some(residuals) = (self.residuals)(&at)? else {
            self.is_stopped = true;
            return Ok(None);
        };
        self.used += 1;
        let sum: f64 = residuals.iter().map(|value| f64::from(*value).powi(2)).sum();
        let squares = if sum.is_finite() { sum } else { f64::INFINITY };
        Ok(Some(Place { at, residuals, squares }))
    }

    fn is_over(&self, best: &Place) -> bool {
        self.is_stopped || self.used >= self.settings.evaluations || best.squares <= self.settings.target
    }

    fn clamped(&self, mut at: Vec<f64>) -> Vec<f64> {
        at.iter_mut().zip(self.bounds).for_each(|(at, [least, most])| *at = at.clamp(*least, *most));
        at
    }

    /// Goes down from a place until steps are short.
    fn descend(&mut self, start: Place) -> Result<Place, E> {
        let (mut best, mut radius) = (start, self.settings.radius);
        while !self.is_over(&best) && radius >= self.settings.tolerance {
            let Some(mut plane) = self.lay_plane(&mut best, radius)? else { break };
            let mut failures = 0;
            while failures < MOST_FAILURES && radius >= self.settings.tolerance && !self.is_over(&best) {
                let step = plane.step(&best, radius);
                let length = longest(&step);
                let at = self.clamped(best.at.iter().zip(&step).map(|(at, step)| at + step).collect());
                if at == best.at {
                    radius *= 0.5;
                    failures += 1;
                    continue;
                }
                let promised = best.squares - plane.squares_at(&best, &at);
                let Some(next) = self.evaluate(at)? else { return Ok(best) };
                let gain = best.squares - next.squares;
                if gain < POOR * promised {
                    failures += 1;
                    radius = 0.5 * radius.min(length);
                } else if gain > GOOD * promised {
                    radius = (2.0 * length).clamp(radius, LONGEST * self.settings.radius);
                }
                plane.take(&mut best, next);
            }
        }
        Ok(best)
    }

    /// Places beside the best, one along each coordinate; the best of all becomes `best`. `None` if it ends before.
    fn lay_plane(&mut self, best: &mut Place, radius: f64) -> Result<Option<Plane>, E> {
        let mut places = Vec::new();
        for coordinate in 0..best.at.len() {
            let [least, most] = self.bounds[coordinate];
            let mut at = best.at.clone();
            // Away from the nearer bound.
            let is_up = most - at[coordinate] >= at[coordinate] - least;
            at[coordinate] += if is_up { radius } else { -radius };
            let Some(place) = self.evaluate(self.clamped(at))? else { return Ok(None) };
            places.push(place);
        }
        let better = places.iter().enumerate().min_by(|a, b| a.1.squares.total_cmp(&b.1.squares));
        if let Some((at, _)) = better.filter(|(_, place)| place.squares < best.squares) {
            std::mem::swap(best, &mut places[at]);
        }
        // What cannot be evaluated says nothing.
        let base = best.clone();
        places.iter_mut().filter(|place| !place.squares.is_finite()).for_each(|place| {
            place.residuals.clone_from(&base.residuals);
            place.squares = base.squares;
        });
        Ok(Some(Plane { places }))
    }
}

/// Places that span a plane with the best one.
struct Plane {
    places: Vec<Place>,
}

/// Levenberg's term is never less than this share of the rest: it keeps coordinates that nothing depends on where they are.
const LEAST_LEVENBERG: f64 = 1e-6;

impl Plane {
    /// The step from the best place to where the plane has the least sum of squares, no longer than `radius` in any coordinate.
    fn step(&self, best: &Place, radius: f64) -> Vec<f64> {
        let count = self.places.len();
        // With the matrices R of differences of residuals and X of differences of places, step X α:
        // minimise |r + R α|² + μ |X α|², so that (Rᵀ R + μ Xᵀ X) α = −Rᵀ r.
        let moves: Vec<Vec<f64>> = self.places.iter().map(|place| difference(&place.at, &best.at)).collect();
        let mut normal = vec![0.0; count * count];
        let mut spread = vec![0.0; count * count];
        for row in 0..count {
            for column in 0..=row {
                let of_residuals = self.product(best, row, column);
                let of_places: f64 = moves[row].iter().zip(&moves[column]).map(|(a, b)| a * b).sum();
                for at in [row * count + column, column * count + row] {
                    (normal[at], spread[at]) = (of_residuals, of_places);
                }
            }
        }
        let right: Vec<f64> = (0..count).map(|row| -self.against(best, row)).collect();
        let trace = |matrix: &[f64]| (0..count).map(|at| matrix[at * count + at]).sum::<f64>();
        let mut levenberg = LEAST_LEVENBERG * trace(&normal) / trace(&spread).max(f64::MIN_POSITIVE);
        levenberg = levenberg.max(f64::MIN_POSITIVE);
        for _ in 0..60 {
            let matrix: Vec<f64> = normal.iter().zip(&spread).map(|(a, b)| a + levenberg * b).collect();
            if let Some(shares) = solve(matrix, right.clone()) {
                let mut step = vec![0.0; best.at.len()];
                for (share, moved) in shares.iter().zip(&moves) {
                    step.iter_mut().zip(moved).for_each(|(step, moved)| *step += share * moved);
                }
                if longest(&step) <= radius {
                    return step;
                }
            }
            levenberg *= 4.0;
        }
        vec![0.0; best.at.len()]
    }

    /// Shares of the places that lead from the best place to another, if they are not all in a line.
    fn shares(&self, best: &Place, at: &[f64]) -> Option<Vec<f64>> {
        let count = self.places.len();
        let moves: Vec<Vec<f64>> = self.places.iter().map(|place| difference(&place.at, &best.at)).collect();
        let matrix = (0..count).flat_map(|row| moves.iter().map(move |moved| moved[row])).collect();
        solve(matrix, difference(at, &best.at))
    }

    /// The sum of squares that the plane has at a place.
    fn squares_at(&self, best: &Place, at: &[f64]) -> f64 {
        let Some(shares) = self.shares(best, at) else { return best.squares };
        let mut squares = best.squares;
        for (row, share) in shares.iter().enumerate() {
            squares += 2.0 * share * self.against(best, row);
            for (column, other) in shares.iter().enumerate() {
                squares += share * other * self.product(best, row, column);
            }
        }
        squares
    }

    /// Takes a place up; the best moves to it if it is better.
    fn take(&mut self, best: &mut Place, mut next: Place) {
        if !next.squares.is_finite() {
            return;
        }
        let Some(shares) = self.shares(best, &next.at) else { return };
        // The volume that places span is multiplied by the share of the one that goes; far ones go first.
        let worth = |(row, share): (usize, &f64)| {
            let away = longest(&difference(&self.places[row].at, &next.at));
            share.abs() * away * away
        };
        let goes =
            (0..shares.len()).max_by(|a, b| worth((*a, &shares[*a])).total_cmp(&worth((*b, &shares[*b]))));
        if next.squares < best.squares {
            std::mem::swap(best, &mut next);
        }
        if let Some(goes) = goes.filter(|goes| shares[*goes].abs() > 1e-6) {
            self.places[goes] = next;
        }
    }

    fn product(&self, best: &Place, row: usize, column: usize) -> f64 {
        let (a, b) = (&self.places[row].residuals, &self.places[column].residuals);
        let both = a.iter().zip(b).zip(&best.residuals);
        both.map(|((a, b), base)| f64::from(a - base) * f64::from(b - base)).sum()
    }

    fn against(&self, best: &Place, row: usize) -> f64 {
        let both = self.places[row].residuals.iter().zip(&best.residuals);
        both.map(|(value, base)| f64::from(value - base) * f64::from(*base)).sum()
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn longest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |most, part| most.max(part.abs()))
}

/// `None` where the matrix (rows end to end) has no inverse.
fn solve(matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let count = right.len();
    Lu::factor(count, |row, column| matrix[row * count + column])?.solve(&mut right);
    right.iter().all(|value| value.is_finite()).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Far enough that bounds do not matter.
    const FREE: [f64; 2] = [-100.0, 100.0];

    fn find(
        start: &[f64],
        bounds: [f64; 2],
        settings: &SearchSettings,
        formula: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Found {
        let mut residuals = |at: &[f64]| -> Result<_, Infallible> {
            assert!(at.iter().all(|at| (bounds[0]..=bounds[1]).contains(at)), "{at:?}");
            Ok(Some(formula(at).iter().map(|value| *value as f32).collect()))
        };
        let bounds = vec![bounds; start.len()];
        let Ok(found) = least_squares(start, &bounds, settings, &mut residuals);
        found
    }

    fn rosenbrock(at: &[f64]) -> Vec<f64> {
        at.windows(2).flat_map(|pair| [10.0 * (pair[1] - pair[0] * pair[0]), 1.0 - pair[0]]).collect()
    }

    #[test]
    fn the_valley_of_rosenbrock_is_followed_to_its_end() {
        let settings = SearchSettings { tolerance: 1e-5, restarts: 0, ..SearchSettings::default() };
        for start in [&[-1.2, 1.0][..], &[-1.2, 1.0, -0.5, 0.8]] {
            let found = find(start, FREE, &settings, rosenbrock);
            let worst = found.place.iter().map(|at| (at - 1.0).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-3 && found.evaluations <= 200, "{found:?}");
        }
    }

    #[test]
    fn linear_residuals_take_one_step_beyond_the_first_plane() {
        let formula = |at: &[f64]| vec![at[0] + 2.0 * at[1] - 1.0, at[1] - 0.25, 3.0 * at[0] - 1.5];
        let settings =
            SearchSettings { evaluations: 6, radius: 1.0, restarts: 0, ..SearchSettings::default() };
        let found = find(&[0.0, 0.0], FREE, &settings, formula);
        assert!(found.squares < 1e-8 && (found.place[1] - 0.25).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn bounds_hold_and_what_nothing_depends_on_stays() {
        let formula = |at: &[f64]| vec![at[0] - 5.0, 0.5 * at[1]];
        let settings = SearchSettings { restarts: 0, ..SearchSettings::default() };
        let found = find(&[0.0, 0.7, 0.3], [-1.0, 2.0], &settings, |at| formula(&at[..2]));
        assert!((found.place[0] - 2.0).abs() < 1e-3 && found.place[1].abs() < 1e-2, "{found:?}");
        assert!((found.place[2] - 0.3).abs() < 0.5, "{found:?}");
    }

    #[test]
    fn a_restart_leaves_a_local_minimum_and_seeds_repeat() {
        // Two wells, at −1 and at 2; that at −1 is the shallower.
        let formula = |at: &[f64]| vec![((at[0] + 1.0).powi(2) + 0.3).min(0.5 * (at[0] - 2.0).powi(2))];
        let settings =
            SearchSettings { radius: 2.0, restarts: 12, target: 1e-6, ..SearchSettings::default() };
        let found = find(&[-1.0], FREE, &settings, formula);
        assert!((found.place[0] - 2.0).abs() < 0.1, "{found:?}");
        assert_eq!(found, find(&[-1.0], FREE, &settings, formula));
    }

    #[test]
    fn nothing_finite_and_a_stop_are_told() {
        let found = find(&[0.0], FREE, &SearchSettings::default(), |_| vec![f64::NAN]);
        assert!(found.squares.is_infinite() && !found.is_stopped);
        let mut left = 3;
        let mut residuals = |at: &[f64]| -> Result<_, Infallible> {
            left -= 1;
            Ok((left >= 0).then(|| vec![at[0] as f32 - 1.0]))
        };
        let Ok(found) = least_squares(&[0.0], &[FREE], &SearchSettings::default(), &mut residuals);
        assert!(found.is_stopped && found.squares < 1.0, "{found:?}");
    }
}
