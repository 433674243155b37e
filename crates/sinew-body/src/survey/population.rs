//! Means and covariances of the survey.

use super::measure::{Measure, Unit};
use super::normal;
use serde::{Deserialize, Serialize};
use sinew_geometry::Cholesky;
use std::sync::LazyLock;

/// The half of the survey that completes a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sex {
    /// 1,986 women.
    Female,
    /// 4,082 men.
    Male,
}

/// A population as a normal distribution over all measures: men or women of \[Gordon14\], or a blend of both.
///
/// `data/ORIGIN.md` in this crate describes the origin of the numbers.
///
/// Invariant: standard deviations are positive, the correlations positive definite.
#[derive(Clone, Debug)]
pub struct Population {
    /// One per measure, in the measure's unit.
    means: Vec<f64>,
    /// One per measure, in the measure's unit.
    deviations: Vec<f64>,
    /// Full matrix, row by row. Correlations instead of covariances, because lengths and weights differ by powers of ten.
    correlations: Vec<f64>,
}

static FEMALE: LazyLock<Population> = LazyLock::new(|| parse(include_str!("../../data/ansur_female.txt")));
static MALE: LazyLock<Population> = LazyLock::new(|| parse(include_str!("../../data/ansur_male.txt")));

/// Distance of the 1st and the 99th percentile from the mean, standard deviations.
pub(super) const Z_OF_99_PERCENT: f64 = 2.326_348;

/// Ages of the people surveyed, years.
pub const SURVEYED_AGES: [f64; 2] = [17.0, 58.0];

impl Population {
    /// The women or the men of the survey.
    #[must_use]
    pub fn of(sex: Sex) -> &'static Self {
        match sex {
            Sex::Female => &FEMALE,
            Sex::Male => &MALE,
        }
    }

    /// A population between women (0) and men (1): means and covariances are interpolated linearly.
    ///
    /// No such people were measured: the result is a design, not a statistic.
    ///
    /// # Panics
    /// If `share_male` is not from 0 to 1.
    #[must_use]
    pub fn blend(share_male: f64) -> Self {
        assert!((0.0..=1.0).contains(&share_male), "the share of men {share_male} is out of range 0 to 1");
        let mix = |female: f64, male: f64| female + share_male * (male - female);
        let [female, male] = [Self::of(Sex::Female), Self::of(Sex::Male)];
        let means = Measure::all().map(|measure| mix(female.mean(measure), male.mean(measure))).collect();
        let covariance = |i, j| mix(female.covariance(i, j), male.covariance(i, j));
        Self::new(means, covariance)
    }

    /// The mean of a measure, in its unit.
    #[must_use]
    pub fn mean(&self, measure: Measure) -> f64 {
        self.means[measure.index()]
    }

    /// The standard deviation of a measure, in its unit.
    #[must_use]
    pub fn deviation(&self, measure: Measure) -> f64 {
        self.deviations[measure.index()]
    }

    /// How two measures go together, −1 to 1.
    #[must_use]
    pub fn correlation(&self, first: Measure, second: Measure) -> f64 {
        self.correlations[first.index() * Measure::COUNT + second.index()]
    }

    /// The value below which `percent` of the people are, assuming a normal distribution. Age is not normal: most soldiers are young.
    #[must_use]
    pub fn at_percentile(&self, measure: Measure, percent: f64) -> f64 {
        self.mean(measure) + normal::z_of_share(percent / 100.0) * self.deviation(measure)
    }

    /// The range that counts as within the survey: from the 1st to the 99th percentile; for age that of all people.
    #[must_use]
    pub fn surveyed_range(&self, measure: Measure) -> [f64; 2] {
        if measure == Measure::Age {
            return SURVEYED_AGES;
        }
        let reach = Z_OF_99_PERCENT * self.deviation(measure);
        [self.mean(measure) - reach, self.mean(measure) + reach]
    }

    /// A random person of the population: a value for every measure. `normal` returns standard normal numbers, one per measure.
    ///
    /// # Panics
    /// Never: correlations are positive definite.
    #[must_use]
    pub fn draw(&self, mut normal: impl FnMut() -> f64) -> Vec<(Measure, f64)> {
        let all: Vec<Measure> = Measure::all().collect();
        let factor = Cholesky::factor(all.len(), |i, j| self.correlation(all[i], all[j]))
            .expect("correlations are positive definite");
        let mut z: Vec<f64> = all.iter().map(|_| normal()).collect();
        factor.apply_lower(&mut z);
        let value =
            |(measure, z): (Measure, f64)| (measure, self.mean(measure) + z * self.deviation(measure));
        all.into_iter().zip(z).map(value).collect()
    }

    fn new(means: Vec<f64>, covariance: impl Fn(Measure, Measure) -> f64) -> Self {
        let deviations: Vec<f64> =
            Measure::all().map(|measure| covariance(measure, measure).sqrt()).collect();
        let correlations = Measure::all()
            .flat_map(|row| Measure::all().map(move |column| (row, column)))
            .map(|(row, column)| {
                covariance(row, column) / (deviations[row.index()] * deviations[column.index()])
            })
            .collect();
        Self { means, deviations, correlations }
    }

    fn covariance(&self, first: Measure, second: Measure) -> f64 {
        // In parentheses: the order of the two measures does not change a bit.
        self.correlation(first, second) * (self.deviation(first) * self.deviation(second))
    }
}

/// Parses a file of `data`: on each line the survey's column, the mean, and the covariances up to the diagonal.
fn parse(text: &str) -> Population {
    let number = |word: &str| word.parse::<f64>().expect("the embedded file holds numbers; a test reads it");
    let rows: Vec<Vec<f64>> =
        text.lines().map(|line| line.split(' ').skip(1).map(number).collect()).collect();
    let means = Measure::all().map(|measure| rows[measure.index()][0] * ours_from_file(measure)).collect();
    let covariance = |first: Measure, second: Measure| {
        let [row, column] = [first.index().max(second.index()), first.index().min(second.index())];
        rows[row][column + 1] * (ours_from_file(first) * ours_from_file(second))
    };
    Population::new(means, covariance)
}

/// The files are in mm.
fn ours_from_file(measure: Measure) -> f64 {
    match measure.unit() {
        Unit::Metre => 1e-3,
        Unit::Kilogram | Unit::Year => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEXES: [Sex; 2] = [Sex::Female, Sex::Male];

    #[test]
    fn the_files_name_the_measures_in_their_order() {
        for text in [include_str!("../../data/ansur_female.txt"), include_str!("../../data/ansur_male.txt")] {
            let columns: Vec<_> = text.lines().map(|line| line.split(' ').next().expect("a word")).collect();
            assert_eq!(columns, Measure::all().map(Measure::column).collect::<Vec<_>>());
        }
    }

    #[test]
    fn means_are_those_of_the_report() {
        let cases = [
            (Measure::Stature, 1.6285, 1.7562),
            (Measure::Weight, 67.8, 85.5),
            (Measure::Age, 28.9, 30.2),
            (Measure::ChestGirth, 0.9469, 1.0587),
            (Measure::WaistGirth, 0.8609, 0.9406),
            (Measure::ButtockGirth, 1.0212, 1.0195),
            (Measure::CrotchHeight, 0.7823, 0.8459),
            (Measure::Span, 1.6603, 1.8142),
        ];
        for (measure, woman, man) in cases {
            for (sex, expected) in SEXES.into_iter().zip([woman, man]) {
                let mean = Population::of(sex).mean(measure);
                // Half of the last digit that the table shows.
                let rounding = if measure.unit() == Unit::Metre { 5.1e-5 } else { 0.051 };
                assert!((mean - expected).abs() < rounding, "{measure} {mean} {expected}");
            }
        }
    }

    #[test]
    fn correlations_are_symmetric_and_positive_definite_also_in_blends() {
        for population in [Population::blend(0.0), Population::blend(0.5), Population::blend(1.0)] {
            let all: Vec<_> = Measure::all().collect();
            let correlation = |i: usize, j: usize| population.correlation(all[i], all[j]);
            assert!(Cholesky::factor(Measure::COUNT, correlation).is_some(), "not positive definite");
            for (i, j) in [(0, 1), (7, 40), (56, 3)] {
                assert_eq!(correlation(i, j), correlation(j, i));
            }
        }
    }

    #[test]
    fn a_blend_lies_between() {
        let between = Population::blend(0.25);
        let [female, male] = SEXES.map(|sex| Population::of(sex).mean(Measure::Stature));
        assert!((between.mean(Measure::Stature) - (0.75 * female + 0.25 * male)).abs() < 1e-12, "stature");
    }

    #[test]
    fn percentiles_of_stature_are_near_those_counted() {
        // 5th and 95th percentile of the people themselves, m.
        for (sex, [low, high]) in [(Sex::Male, [1.648, 1.870]), (Sex::Female, [1.525, 1.740])] {
            let population = Population::of(sex);
            for (percent, counted) in [(5.0, low), (95.0, high)] {
                let normal = population.at_percentile(Measure::Stature, percent);
                assert!((normal - counted).abs() < 0.006, "{sex:?} {percent}: {normal} {counted}");
            }
        }
    }
}
