//! What no body can be, and what to say instead.

use super::condition::{Condition, deviations_from_mean};
use super::measure::Measure;
use super::population::{Population, Z_OF_99_PERCENT};

/// A value that is refused: which one, why, and the range to use instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{measure} is {} {reason}; use {}", show(*.measure, *.value), .measure.show_range(.range[0], .range[1]))]
pub struct MeasureError {
    /// The key to change.
    pub measure: Measure,
    /// The value given, in the measure's unit.
    pub value: f64,
    /// What is wrong with it.
    pub reason: Reason,
    /// Values that go with the rest of what was given: from the 1st to the 99th percentile of such people.
    pub range: [f64; 2],
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// NaN or infinity.
    #[error("and must be a finite number")]
    NotFinite,
    /// Zero or less.
    #[error("and must be more than 0")]
    NotPositive,
    /// The same measure given before, perhaps by another name.
    #[error("but was given before as {}", show(*.measure, *.first))]
    Repeated {
        /// Given a second time.
        measure: Measure,
        /// The value that came first, in the measure's unit.
        first: f64,
    },
    /// A child, or older than anybody.
    #[error("and the survey has adults only")]
    AgeNotCovered,
    /// So far from everybody measured that nothing can be said.
    #[error("and {deviations:.1} standard deviations away from the survey's mean")]
    BeyondSurvey {
        /// Distance from the mean, standard deviations.
        deviations: f64,
    },
    /// So far from what the other values lead to that no such body is known.
    #[error("and {deviations:.1} standard deviations away from what the other values lead to")]
    AtOdds {
        /// Distance from the expected value, standard deviations.
        deviations: f64,
    },
    /// More than something that it is a part of.
    #[error("and must be less than {}{whole}, {}", part_of(*.times), .whole.show(*.whole_value))]
    TooLarge {
        /// The measure that bounds it.
        whole: Measure,
        /// The value of that, given or completed.
        whole_value: f64,
        /// How many times the refused measure must fit.
        times: f64,
    },
    /// Less than a part of itself.
    #[error("and must be more than {}{part}, {}", as_often_as(*.times), .part.show(*.part_value))]
    TooSmall {
        /// The measure that must fit.
        part: Measure,
        /// The value of that, given or completed.
        part_value: f64,
        /// How many times it must fit.
        times: f64,
    },
    /// Two completed measures contradict each other, and this value is the most unusual one that was given.
    #[error("and leads to a {part} that is not less than {}{whole}", part_of(*.times))]
    LeadsAstray {
        /// The measure that must fit.
        part: Measure,
        /// Into what.
        whole: Measure,
        /// How many times.
        times: f64,
    },
    /// A body mass index that nobody lives with.
    #[error("and leads to a body mass index of {body_mass_index:.1}")]
    BodyMassIndex {
        /// Weight over squared stature, kg/m².
        body_mass_index: f64,
    },
}

/// Values farther from the mean, or from what the others lead to, are refused, standard deviations. Smaller refuses giants and slips
/// of the tape that a body can still be made of; larger lets centimetres pass for metres in the smaller measures.
pub(super) const MOST_DEVIATIONS: f64 = 8.0;

/// Ages that are extrapolated to; beyond them proportions are not an adult's, years.
pub(super) const AGE_LIMITS: [f64; 2] = [12.0, 100.0];

/// What is wrong with single values, whatever the others are; at most one error for each entry.
pub(super) fn check_each(population: &Population, given: &[(Measure, f64)]) -> Vec<MeasureError> {
    let reasons: Vec<Option<Reason>> = given
        .iter()
        .enumerate()
        .map(|(place, &(measure, value))| {
            let first = given[..place].iter().find(|(before, _)| *before == measure);
            match first {
                Some(&(_, first)) => Some(Reason::Repeated { measure, first }),
                None => check_alone(population, measure, value),
            }
        })
        .collect();
    let sound: Vec<_> =
        given.iter().zip(&reasons).filter(|(_, reason)| reason.is_none()).map(|(&entry, _)| entry).collect();
    let errors = given.iter().zip(reasons).filter_map(|(&(measure, value), reason)| {
        Some(MeasureError {
            measure,
            value,
            reason: reason?,
            range: range_to_use(population, &sound, measure),
        })
    });
    errors.collect()
}

fn check_alone(population: &Population, measure: Measure, value: f64) -> Option<Reason> {
    if !value.is_finite() {
        return Some(Reason::NotFinite);
    }
    if value <= 0.0 {
        return Some(Reason::NotPositive);
    }
    if measure == Measure::Age {
        let is_covered = (AGE_LIMITS[0]..=AGE_LIMITS[1]).contains(&value);
        return (!is_covered).then_some(Reason::AgeNotCovered);
    }
    let deviations = deviations_from_mean(population, measure, value).abs();
    (deviations > MOST_DEVIATIONS).then_some(Reason::BeyondSurvey { deviations })
}

/// The 1st to the 99th percentile of a measure among people who have the other values of `sound`; if those lead beyond what is taken
/// at all, among everybody. For age that of all people, because it is not normally distributed.
pub(super) fn range_to_use(population: &Population, sound: &[(Measure, f64)], measure: Measure) -> [f64; 2] {
    let everybody = population.surveyed_range(measure);
    if measure == Measure::Age {
        return everybody;
    }
    let others: Vec<_> = sound.iter().copied().filter(|(other, _)| *other != measure).collect();
    let expected = Condition::new(population, &others).expected(measure);
    let [mean, farthest] = [population.mean(measure), MOST_DEVIATIONS * population.deviation(measure)];
    // Weight spreads so much that eight deviations go below nothing.
    let least = (mean - farthest).max(0.5 * everybody[0]);
    let reach = Z_OF_99_PERCENT * expected.deviation;
    let range = [(expected.value - reach).max(least), (expected.value + reach).min(mean + farthest)];
    if range[0] < range[1] { range } else { everybody }
}

/// A value as it was typed, with its unit.
fn show(measure: Measure, value: f64) -> String {
    format!("{value} {}", measure.unit())
}

fn part_of(times: f64) -> String {
    if times == 1.0 { String::new() } else { format!("1/{times} of the ") }
}

fn as_often_as(times: f64) -> String {
    if times == 1.0 { String::new() } else { format!("{times} times the ") }
}
