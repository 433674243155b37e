//! Completes a few measures to all of them.

use super::condition::{Condition, Expected};
use super::contradiction;
use super::measure::Measure;
use super::population::{Population, Sex};
use super::refusal::{self, MOST_DEVIATIONS, MeasureError, Reason};
use super::report::{self, SurveyReport};
use serde::{Deserialize, Serialize};

/// All measures of one body, with their statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Completed {
    /// One per measure.
    estimates: Vec<Estimate>,
    report: SurveyReport,
}

/// The value of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// In the measure's unit; a given value is kept bitwise.
    pub value: f64,
    /// Standard deviation among people with the given values, in the measure's unit; 0 if given.
    pub deviation: f64,
    /// Whether the value was given.
    pub is_given: bool,
}

/// Body mass indexes outside are rejected, kg/m²: about the lowest and nearly the highest ever observed.
const BODY_MASS_INDEX_LIMITS: [f64; 2] = [10.0, 80.0];

/// Completes the measures of a woman or a man; see [`Population::complete`].
///
/// # Errors
/// All rejected values.
pub fn complete(sex: Sex, given: &[(Measure, f64)]) -> Result<Completed, Vec<MeasureError>> {
    Population::of(sex).complete(given)
}

impl Population {
    /// Completes some measures to all: given ones are kept, the others are the average of people with these measures.
    ///
    /// Values are never changed. Unusual values are in [`Completed::report`]; impossible ones are errors.
    ///
    /// # Errors
    /// All rejected values: not finite, not positive, given twice, too far from the mean or from the expectation of the other values, or in
    /// contradiction to another measure. Each names the key and a range to use.
    ///
    /// ```
    /// use sinew_body::survey::{complete, Measure, Sex};
    ///
    /// let given = [(Measure::Stature, 1.72), (Measure::Weight, 68.0), (Measure::WaistGirth, 0.78)];
    /// let woman = complete(Sex::Female, &given).expect("a body that can be");
    /// assert_eq!(woman.value(Measure::WaistGirth), 0.78);
    /// assert!((1.0..1.02).contains(&woman.value(Measure::ButtockGirth)));
    /// assert!(woman.report().notes.is_empty());
    /// ```
    pub fn complete(&self, given: &[(Measure, f64)]) -> Result<Completed, Vec<MeasureError>> {
        accept(refusal::check_each(self, given))?;
        let condition = Condition::new(self, given);
        let estimates: Vec<Estimate> =
            Measure::all().map(|measure| estimate(&condition, given, measure)).collect();
        let value_of = |measure: Measure| estimates[measure.index()].value;
        accept(contradiction::check(self, given, value_of))?;
        let body_mass_index = mass_index(value_of);
        accept(self.check_together(given, &condition, body_mass_index))?;

        let completed: Vec<_> = Measure::all()
            .filter(|measure| !estimates[measure.index()].is_given)
            .map(|measure| (measure, value_of(measure)))
            .collect();
        let report = SurveyReport::new(self, given, &condition, &completed, body_mass_index);
        Ok(Completed { estimates, report })
    }

    /// All measures of an existing body: readings are kept, whatever the survey expects; the rest is the average of people with the leading
    /// values. Nothing counts as given.
    pub(crate) fn observe(&self, leading: &[(Measure, f64)], others: &[(Measure, f64)]) -> Completed {
        let condition = Condition::new(self, leading);
        let read = |measure: Measure| leading.iter().chain(others).find(|(found, _)| *found == measure);
        let estimates: Vec<Estimate> = Measure::all()
            .map(|measure| match read(measure) {
                Some(&(_, value)) => Estimate { value, deviation: 0.0, is_given: false },
                None => estimate(&condition, &[], measure),
            })
            .collect();
        let body_mass_index = mass_index(|measure| estimates[measure.index()].value);
        let report = SurveyReport::new(self, leading, &condition, &[], body_mass_index);
        Completed { estimates, report }
    }

    /// The value too far from the expectation of the others, or an impossible body mass index.
    fn check_together(
        &self,
        given: &[(Measure, f64)],
        condition: &Condition<'_>,
        body_mass_index: f64,
    ) -> Vec<MeasureError> {
        let refuse = |measure, value, reason| {
            vec![MeasureError { measure, value, reason, range: refusal::range_to_use(self, given, measure) }]
        };
        let values = report::given_values(self, given, condition);
        if let Some(farthest) = report::farthest_from_others(&values)
            && farthest.z_among_others.abs() > MOST_DEVIATIONS
        {
            let deviations = farthest.z_among_others.abs();
            return refuse(farthest.measure, farthest.value, Reason::AtOdds { deviations });
        }
        let can_be = (BODY_MASS_INDEX_LIMITS[0]..=BODY_MASS_INDEX_LIMITS[1]).contains(&body_mass_index);
        let weight = given.iter().find(|(measure, _)| *measure == Measure::Weight).copied();
        match weight.or_else(|| contradiction::farthest(self, given.iter())) {
            Some((measure, value)) if !can_be => {
                refuse(measure, value, Reason::BodyMassIndex { body_mass_index })
            }
            _ => Vec::new(),
        }
    }
}

impl Completed {
    /// The measures of a body that was made from shapes: given ones as asked for, the rest as read, and what no surface shows as usual for
    /// its stature and weight.
    #[must_use]
    pub fn of_body(sex: Sex, readings: &[(Measure, f64)], given: &[(Measure, f64)], years: f64) -> Self {
        let is_leading = |measure: Measure| measure == Measure::Stature || measure == Measure::Weight;
        let leading: Vec<_> = readings.iter().copied().filter(|&(measure, _)| is_leading(measure)).collect();
        let mut others: Vec<_> =
            readings.iter().copied().filter(|&(measure, _)| !is_leading(measure)).collect();
        others.push((Measure::Age, years));
        let mut person = Population::of(sex).observe(&leading, &others);
        for &(measure, value) in given {
            person.estimates[measure.index()] = Estimate { value, deviation: 0.0, is_given: true };
        }
        person
    }

    /// The value of a measure, in its unit.
    #[must_use]
    pub fn value(&self, measure: Measure) -> f64 {
        self.estimate(measure).value
    }

    /// The value of a measure and its deviation.
    #[must_use]
    pub fn estimate(&self, measure: Measure) -> Estimate {
        self.estimates[measure.index()]
    }

    /// Statistics of the given values, and notes for the user.
    #[must_use]
    pub fn report(&self) -> &SurveyReport {
        &self.report
    }

    /// Weight divided by squared stature, kg/m².
    #[must_use]
    pub fn body_mass_index(&self) -> f64 {
        mass_index(|measure| self.value(measure))
    }
}

fn estimate(condition: &Condition<'_>, given: &[(Measure, f64)], measure: Measure) -> Estimate {
    match given.iter().find(|(known, _)| *known == measure) {
        Some(&(_, value)) => Estimate { value, deviation: 0.0, is_given: true },
        None => {
            let Expected { value, deviation } = condition.expected(measure);
            Estimate { value, deviation, is_given: false }
        }
    }
}

fn mass_index(value_of: impl Fn(Measure) -> f64) -> f64 {
    value_of(Measure::Weight) / value_of(Measure::Stature).powi(2)
}

fn accept(errors: Vec<MeasureError>) -> Result<(), Vec<MeasureError>> {
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
