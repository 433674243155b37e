//! The conditional normal distribution of unknown measures.
//!
//! With `z` for deviations from the mean in standard deviations, `R` for correlations, `k` for known and `u` for unknown:
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | `R_kk = L Lᵀ` | `factor` | correlations of the known measures |
//! | `R_kk⁻¹ z_k` | `weights` | weight of each known measure |
//! | `R_uk R_kk⁻¹ z_k` | `expected` | mean of the unknown |
//! | `1 − ‖L⁻¹ R_ku‖²` | `expected` | variance of the unknown, of one measure |

use super::measure::Measure;
use super::population::Population;
use serde::{Deserialize, Serialize};
use sinew_geometry::Cholesky;

/// A population with some measures known.
#[derive(Debug)]
pub(super) struct Condition<'a> {
    population: &'a Population,
    known: Vec<Measure>,
    z: Vec<f64>,
    factor: Cholesky,
    weights: Vec<f64>,
}

/// An uncertain value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// The most likely value, in the measure's unit.
    pub value: f64,
    /// Standard deviation of people around it, in the measure's unit.
    pub deviation: f64,
}

impl<'a> Condition<'a> {
    /// `given` has each measure at most once, and all values are finite.
    pub(super) fn new(population: &'a Population, given: &[(Measure, f64)]) -> Self {
        let known: Vec<Measure> = given.iter().map(|&(measure, _)| measure).collect();
        let z: Vec<f64> =
            given.iter().map(|&(measure, value)| deviations_from_mean(population, measure, value)).collect();
        let factor = Cholesky::factor(known.len(), |i, j| population.correlation(known[i], known[j]))
            .expect("a principal part of a positive definite matrix is positive definite");
        let mut weights = z.clone();
        factor.solve(&mut weights);
        Self { population, known, z, factor, weights }
    }

    /// Expectation of an unknown measure.
    pub(super) fn expected(&self, unknown: Measure) -> Expected {
        let mut correlations: Vec<f64> =
            self.known.iter().map(|&known| self.population.correlation(known, unknown)).collect();
        let z: f64 = correlations.iter().zip(&self.weights).map(|(r, weight)| r * weight).sum();
        self.factor.solve_lower(&mut correlations);
        let explained: f64 = correlations.iter().map(|entry| entry * entry).sum();
        let deviation = self.population.deviation(unknown);
        Expected {
            value: self.population.mean(unknown) + z * deviation,
            // Rounding may give a slightly negative number.
            deviation: (1.0 - explained).max(0.0).sqrt() * deviation,
        }
    }

    /// For each known measure, its expectation from the others alone.
    pub(super) fn expected_from_others(&self) -> Vec<Expected> {
        // The precision matrix P = R_kk⁻¹ holds the conditional distributions: variance 1 / Pᵢᵢ, and zᵢ − (P z)ᵢ / Pᵢᵢ as mean.
        let precision = self.factor.inverse_diagonal();
        let one = |i: usize| {
            let measure = self.known[i];
            let [mean, deviation] = [self.population.mean(measure), self.population.deviation(measure)];
            Expected {
                value: mean + (self.z[i] - self.weights[i] / precision[i]) * deviation,
                deviation: deviation / precision[i].sqrt(),
            }
        };
        (0..self.known.len()).map(one).collect()
    }

    /// The squared Mahalanobis distance of the known values from the mean.
    pub(super) fn squared_distance(&self) -> f64 {
        self.z.iter().zip(&self.weights).map(|(z, weight)| z * weight).sum::<f64>().max(0.0)
    }
}

impl Expected {
    /// Distance of a value from the expected one, in standard deviations.
    #[must_use]
    pub fn deviations_to(self, value: f64) -> f64 {
        (value - self.value) / self.deviation
    }
}

/// Distance of a value from the population's mean, in standard deviations.
pub(super) fn deviations_from_mean(population: &Population, measure: Measure, value: f64) -> f64 {
    (value - population.mean(measure)) / population.deviation(measure)
}

#[cfg(test)]
mod tests {
    use super::super::population::Sex;
    use super::*;

    #[test]
    fn one_known_measure_gives_the_simple_regression() {
        let men = Population::of(Sex::Male);
        let condition = Condition::new(men, &[(Measure::Stature, men.mean(Measure::Stature) + 0.1)]);
        let expected = condition.expected(Measure::Span);
        let r = men.correlation(Measure::Stature, Measure::Span);
        let ratio = men.deviation(Measure::Span) / men.deviation(Measure::Stature);
        let rounding = 1e-12;
        assert!((expected.value - men.mean(Measure::Span) - 0.1 * r * ratio).abs() < rounding, "mean");
        let deviation = (1.0 - r * r).sqrt() * men.deviation(Measure::Span);
        assert!((expected.deviation - deviation).abs() < rounding, "deviation");
    }

    #[test]
    fn expecting_from_others_is_leaving_one_out() {
        let women = Population::of(Sex::Female);
        let given = [
            (Measure::Stature, 1.72),
            (Measure::Weight, 60.0),
            (Measure::WaistGirth, 0.95),
            (Measure::CrotchHeight, 0.80),
        ];
        let all = Condition::new(women, &given).expected_from_others();
        let rounding = 1e-10;
        for (left_out, found) in all.into_iter().enumerate() {
            let mut others = given.to_vec();
            let (measure, _) = others.remove(left_out);
            let expected = Condition::new(women, &others).expected(measure);
            assert!((found.value - expected.value).abs() < rounding, "{measure}");
            assert!((found.deviation - expected.deviation).abs() < rounding, "{measure}");
        }
    }

    /// The survey's own regressions were computed from the people, with residuals over n − 4.
    #[test]
    fn stature_weight_and_age_lead_to_the_regressions_of_the_people() {
        let table = include_str!("../../data/ansur_regress.csv");
        for line in table.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |column: usize| cells[column].parse::<f64>().expect("a number");
            let (population, people) = match cells[0] {
                "MALE" => (Population::of(Sex::Male), 4082.0_f64),
                _ => (Population::of(Sex::Female), 1986.0_f64),
            };
            let measure = Measure::find(cells[1]).expect("a column of the survey");
            let [stature, weight, age] =
                [Measure::Stature, Measure::Weight, Measure::Age].map(|measure| population.mean(measure));
            let millimetres = |metres: f64, kilograms: f64, years: f64| {
                let given = [
                    (Measure::Stature, stature + metres),
                    (Measure::Weight, weight + kilograms),
                    (Measure::Age, age + years),
                ];
                1e3 * Condition::new(population, &given).expected(measure).value
            };
            let mean = millimetres(0.0, 0.0, 0.0);
            // Half of the last digit of the table, and six digits of the covariances.
            let close = |found: f64, expected: f64, rounding: f64| {
                assert!((found - expected).abs() < rounding, "{line}: {found} {expected}");
            };
            close(mean, number(2), 0.0051);
            close(millimetres(1.0, 0.0, 0.0) - mean, number(3), 0.006);
            close(millimetres(0.0, 1.0, 0.0) - mean, number(4), 0.00052);
            close(millimetres(0.0, 0.0, 1.0) - mean, number(5), 0.00052);
            let given = [(Measure::Stature, stature), (Measure::Weight, weight), (Measure::Age, age)];
            let residual = Condition::new(population, &given).expected(measure).deviation;
            close(1e3 * residual * ((people - 1.0) / (people - 4.0)).sqrt(), number(7), 0.006);
            let explained = 1.0 - (residual / population.deviation(measure)).powi(2);
            close(explained, number(6), 0.00052);
        }
    }
}
