//! Notes about possible but unusual values.

use super::condition::{Condition, Expected, deviations_from_mean};
use super::measure::Measure;
use super::normal;
use super::population::{Population, SURVEYED_AGES};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Statistics of the given values, alone and together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyReport {
    /// One per given value, in the given order.
    pub given: Vec<GivenValue>,
    /// The Mahalanobis distance of all given values from the mean: standard deviations, with correlated measures counted once.
    pub distance: f64,
    /// The share of people closer to the mean in these measures, 0 to 1.
    pub share_nearer: f64,
    /// The given value farthest from the expectation of the others; `None` if fewer than two are given.
    pub most_at_odds: Option<Measure>,
    /// Notes for the user; empty for a body well within the survey.
    pub notes: Vec<Note>,
}

/// Statistics of one given value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenValue {
    /// The given measure.
    pub measure: Measure,
    /// The value given, in the measure's unit.
    pub value: f64,
    /// Distance from the mean, standard deviations.
    pub z: f64,
    /// Percentage of people below, 0 to 100, of a normal distribution.
    pub percentile: f64,
    /// Expectation from the other given values; the mean if there are none.
    pub from_others: Expected,
    /// Distance from the expectation of the others, standard deviations.
    pub z_among_others: f64,
    /// Percentage below, 0 to 100, among people with the other values.
    pub percentile_among_others: f64,
}

/// A note for the user. It changed nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Note {
    /// A given value outside the 1st to the 99th percentile; an age outside that of all people.
    Outside {
        /// The given measure.
        measure: Measure,
        /// In the measure's unit.
        value: f64,
        /// From the 1st to the 99th percentile; for age that of all people.
        range: [f64; 2],
    },
    /// Completed values outside the survey's range, because given ones are or because of their combination.
    CompletedOutside {
        /// In order.
        measures: Vec<Measure>,
    },
    /// The body mass index is outside that of 98 in 100 people.
    BodyMassIndex {
        /// Weight divided by squared stature, kg/m².
        body_mass_index: f64,
    },
    /// A given value far from the expectation of the others.
    AtOdds {
        /// The given measure.
        measure: Measure,
        /// In the measure's unit.
        value: f64,
        /// Expectation of the others.
        from_others: Expected,
    },
    /// Values that are possible alone but rare together.
    Unusual {
        /// The share of people closer to the mean.
        share_nearer: f64,
    },
}

/// Body mass index of 98 in 100 people of the survey, kg/m².
pub const SURVEYED_BODY_MASS_INDEX: [f64; 2] = [19.0, 38.0];

/// A value farther than this from the expectation of the others is reported, standard deviations: 1 in 370 people. Smaller warns about every
/// real person with many measures.
const NOTED_DEVIATIONS: f64 = 3.0;

/// Sets of values are reported if fewer than 1 in 1,000 people are farther from the mean.
const NOTED_SHARE_NEARER: f64 = 0.999;

impl Note {
    /// Whether the survey has hardly anybody like this, so that its numbers are extrapolated.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        matches!(self, Self::Outside { .. } | Self::CompletedOutside { .. } | Self::BodyMassIndex { .. })
    }
}

impl SurveyReport {
    /// `given` is checked; `completed` has the values of all other measures.
    pub(super) fn new(
        population: &Population,
        given: &[(Measure, f64)],
        condition: &Condition<'_>,
        completed: &[(Measure, f64)],
        body_mass_index: f64,
    ) -> Self {
        let values = given_values(population, given, condition);
        let squared = condition.squared_distance();
        let share_nearer = normal::share_nearer(squared, given.len());
        let most = farthest_from_others(&values);
        let notes = notes(population, &values, completed, body_mass_index, share_nearer);
        Self {
            distance: squared.sqrt(),
            share_nearer,
            most_at_odds: most.map(|value| value.measure),
            notes,
            given: values,
        }
    }
}

/// Every given value, alone and among the others.
pub(super) fn given_values(
    population: &Population,
    given: &[(Measure, f64)],
    condition: &Condition<'_>,
) -> Vec<GivenValue> {
    let expected = condition.expected_from_others();
    let one = |(&(measure, value), from_others): (&(Measure, f64), Expected)| {
        let z = deviations_from_mean(population, measure, value);
        let z_among_others = from_others.deviations_to(value);
        GivenValue {
            measure,
            value,
            z,
            percentile: 100.0 * normal::share_below(z),
            from_others,
            z_among_others,
            percentile_among_others: 100.0 * normal::share_below(z_among_others),
        }
    };
    given.iter().zip(expected).map(one).collect()
}

/// The value farthest from the expectation of the others; `None` if there are no others.
pub(super) fn farthest_from_others(values: &[GivenValue]) -> Option<&GivenValue> {
    let distance = |value: &GivenValue| value.z_among_others.abs();
    values.iter().filter(|_| values.len() >= 2).max_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn notes(
    population: &Population,
    values: &[GivenValue],
    completed: &[(Measure, f64)],
    body_mass_index: f64,
    share_nearer: f64,
) -> Vec<Note> {
    let is_outside = |measure: Measure, value: f64| {
        let [low, high] = population.surveyed_range(measure);
        !(low..=high).contains(&value)
    };
    let mut notes = Vec::new();
    for &GivenValue { measure, value, .. } in values.iter().filter(|v| is_outside(v.measure, v.value)) {
        notes.push(Note::Outside { measure, value, range: population.surveyed_range(measure) });
    }
    let outside = completed.iter().filter(|&&(measure, value)| is_outside(measure, value));
    let measures: Vec<Measure> = outside.map(|&(measure, _)| measure).collect();
    if !measures.is_empty() {
        notes.push(Note::CompletedOutside { measures });
    }
    if !(SURVEYED_BODY_MASS_INDEX[0]..=SURVEYED_BODY_MASS_INDEX[1]).contains(&body_mass_index) {
        notes.push(Note::BodyMassIndex { body_mass_index });
    }
    let at_odds = farthest_from_others(values).filter(|given| given.z_among_others.abs() > NOTED_DEVIATIONS);
    if let Some(&GivenValue { measure, value, from_others, .. }) = at_odds {
        notes.push(Note::AtOdds { measure, value, from_others });
    } else if values.len() >= 2 && share_nearer > NOTED_SHARE_NEARER {
        notes.push(Note::Unusual { share_nearer });
    }
    notes
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { measure: Measure::Age, value, .. } => {
                let [low, high] = SURVEYED_AGES;
                let shown = Measure::Age.show_range(low, high);
                write!(
                    f,
                    "age {value} is outside the survey's range, {shown}: it has no children or old people"
                )
            }
            Self::Outside { measure, value, range: [low, high] } => {
                let [value, range] = [measure.show(*value), measure.show_range(*low, *high)];
                write!(f, "{measure} {value} is outside the survey's range, {range}")
            }
            Self::CompletedOutside { measures } => {
                let names: Vec<_> = measures.iter().map(|measure| measure.name()).collect();
                write!(f, "completed values outside the survey's range: {}", names.join(", "))
            }
            Self::BodyMassIndex { body_mass_index } => {
                let [low, high] = SURVEYED_BODY_MASS_INDEX;
                write!(
                    f,
                    "body mass index {body_mass_index:.1} is outside the survey's range, {low} to {high}"
                )
            }
            Self::AtOdds { measure, value, from_others } => {
                let [value, expected] = [measure.show(*value), measure.show(from_others.value)];
                let spread = measure.show(from_others.deviation);
                write!(
                    f,
                    "{measure} {value} is unusual with the other values; expected {expected} ± {spread}"
                )
            }
            Self::Unusual { .. } => f.write_str(
                "the given values are rare together: fewer than 1 in 1,000 people are as far from the mean",
            ),
        }
    }
}
