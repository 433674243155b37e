//! Impossible values, and the ranges to use instead.

use super::condition::{Condition, deviations_from_mean};
use super::measure::{Measure, Unit};
use super::population::{Population, Z_OF_99_PERCENT};

/// Error of a rejected value: the measure, the reason, and the range to use.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{measure} {} {reason}; use {}{}", show(*.measure, *.value), .measure.show_range(.range[0], .range[1]), other_unit(.measure, *.value, .range))]
pub struct MeasureError {
    /// The key to change.
    pub measure: Measure,
    /// The value given, in the measure's unit.
    pub value: f64,
    /// What is wrong with it.
    pub reason: Reason,
    /// Values compatible with the others: from the 1st to the 99th percentile of such people.
    pub range: [f64; 2],
}

/// Reason of a rejected value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Reason {
    #[error("is not a finite number")]
    NotFinite,
    #[error("must be above 0")]
    NotPositive,
    /// Given a second time.
    #[error("was already given as {}", show(*.measure, *.first))]
    Repeated { measure: Measure, first: f64 },
    #[error("is out of range: the survey has only adults")]
    AgeNotCovered,
    #[error("is {deviations:.1} standard deviations from the survey's mean")]
    BeyondSurvey { deviations: f64 },
    #[error("is {deviations:.1} standard deviations from the value expected from the others")]
    AtOdds { deviations: f64 },
    #[error("must be less than {}{whole}, {}", part_of(*.times), .whole.show(*.whole_value))]
    TooLarge { whole: Measure, whole_value: f64, times: f64 },
    #[error("must be more than {}{part}, {}", as_often_as(*.times), .part.show(*.part_value))]
    TooSmall { part: Measure, part_value: f64, times: f64 },
    /// Weight divided by squared stature, kg/m².
    #[error("leads to a body mass index of {body_mass_index:.1}, which is out of range")]
    BodyMassIndex { body_mass_index: f64 },
}

/// Values farther than this from the mean, or from the expectation of the others, are rejected, standard deviations. Smaller rejects giants
/// and typos that a body can still be made of; larger accepts cm as m for the smaller measures.
pub(super) const MOST_DEVIATIONS: f64 = 8.0;

/// Range of extrapolated ages, years; beyond it proportions are not an adult's.
pub(super) const AGE_LIMITS: [f64; 2] = [12.0, 100.0];

/// Problems of single values, independent of the others; at most one error per entry.
pub(super) fn check_each(population: &Population, given: &[(Measure, f64)]) -> Vec<MeasureError> {
    let (mut sound, mut refused) = (Vec::new(), Vec::new());
    for (place, &(measure, value)) in given.iter().enumerate() {
        let reason = match given[..place].iter().find(|(before, _)| *before == measure) {
            Some(&(_, first)) => Some(Reason::Repeated { measure, first }),
            None => check_alone(population, measure, value),
        };
        match reason {
            None => sound.push((measure, value)),
            Some(reason) => refused.push((measure, value, reason)),
        }
    }
    let error = |(measure, value, reason)| {
        let range = range_to_use(population, &sound, measure);
        MeasureError { measure, value, reason, range }
    };
    refused.into_iter().map(error).collect()
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

/// The 1st to the 99th percentile of a measure among people with the other values of `sound`; if that is out of the accepted range, among
/// all people. For age the range of all people, because it is not normally distributed.
pub(super) fn range_to_use(population: &Population, sound: &[(Measure, f64)], measure: Measure) -> [f64; 2] {
    let everybody = population.surveyed_range(measure);
    if measure == Measure::Age {
        return everybody;
    }
    let others: Vec<_> = sound.iter().copied().filter(|(other, _)| *other != measure).collect();
    let expected = Condition::new(population, &others).expected(measure);
    let [mean, farthest] = [population.mean(measure), MOST_DEVIATIONS * population.deviation(measure)];
    // Weight has such a large deviation that eight of them go below zero.
    let least = (mean - farthest).max(0.5 * everybody[0]);
    let reach = Z_OF_99_PERCENT * expected.deviation;
    let range = [(expected.value - reach).max(least), (expected.value + reach).min(mean + farthest)];
    if range[0] < range[1] { range } else { everybody }
}

/// What to say of a length that is right in centimeters or millimeters.
fn other_unit(measure: &Measure, value: f64, range: &[f64; 2]) -> String {
    if measure.unit() != Unit::Metre {
        return String::new();
    }
    // Unusual people are no slip: half of the usual to one and a half of it.
    let is_likely = |meant: &f64| (0.5 * range[0]..=1.5 * range[1]).contains(meant);
    let meant = [value / 100.0, value / 1000.0].into_iter().find(is_likely);
    meant.map_or_else(String::new, |meant| format!("; lengths are in m: did you mean {meant}?"))
}

/// A value as typed, with its unit.
fn show(measure: Measure, value: f64) -> String {
    format!("{value} {}", measure.unit())
}

fn part_of(times: f64) -> String {
    if times == 1.0 { String::new() } else { format!("1/{times} of the ") }
}

fn as_often_as(times: f64) -> String {
    if times == 1.0 { String::new() } else { format!("{times} times the ") }
}
