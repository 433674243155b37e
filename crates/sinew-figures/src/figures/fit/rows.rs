//! The numbers of the figures of helper bones.

use super::super::table;
use super::subject::Subject;
use anyhow::Result;
use serde::Serialize;
use sinew_fit::{
    BasisKind, ControllerFit, ControllerSettings, HelperFit, HelperSettings, Penalty, controller_errors,
    fit_controllers, fit_helpers,
};
use sinew_geometry::progress::Progress;
use sinew_helpers::ExampleSet;

/// A fit with so many helpers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HelperRow {
    /// Helpers asked for.
    pub helpers: usize,
    /// With helpers where they should be in every pose.
    pub rmse: f64,
    /// With controllers of degree 2.
    pub rmse_controllers: f64,
    /// With controllers, on poses that were not fitted.
    pub rmse_held_out: f64,
}

/// Controllers of a degree and a penalty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DegreeRow {
    /// Of the polynomials.
    pub degree: usize,
    /// λ for 6,750 poses together, as the source counts it; for other numbers of poses as much a pose.
    pub lambda: f64,
    /// Coefficients that are not 0, of 4 helpers.
    pub coefficients: usize,
    /// By regression alone, as the source does it.
    pub rmse_regression: f64,
    /// After the refit to vertices.
    pub rmse: f64,
    /// On poses that were not fitted.
    pub rmse_held_out: f64,
    /// Coefficients that are not 0 in the function of one output, in the mean.
    pub mean_coefficients: f64,
    /// The source's error on its own leg, where it has one.
    pub source: Option<f64>,
    /// The source's coefficients that are not 0 in the function of one output, in the mean.
    pub source_mean_coefficients: Option<f64>,
}

/// A fit to so many examples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExampleRow {
    /// Random poses.
    pub examples: usize,
    /// On them, with helpers where they should be.
    pub rmse: f64,
    /// On them, with controllers.
    pub rmse_controllers: f64,
    /// On others.
    pub rmse_held_out: f64,
}

/// \[Mukai15\] Tab. 1, by degree and λ.
const SOURCE_RMSE: [[f64; 3]; 3] = [[2.23, 2.24, 2.28], [1.73, 1.73, 1.77], [1.63, 1.67, 1.70]];
const SOURCE_COEFFICIENTS: [[f64; 3]; 3] = [[6.0, 5.3, 5.0], [14.0, 11.0, 9.7], [26.0, 18.8, 15.6]];
/// A helper's shift and log-quaternion.
const OUTPUTS: usize = 6;
const LAMBDAS: [f64; 3] = [0.0, 10.0, 20.0];
/// Poses that the source's λ is for.
const SOURCE_POSES: f64 = 6750.0;

/// Told how far it is; an error stops.
pub(super) type GoOn<'a> = dyn Fn(f32) -> Result<()> + 'a;

/// Both stages on a subject.
pub(super) struct SubjectFit {
    pub(super) helpers: HelperFit,
    pub(super) controllers: ControllerFit,
}

const QUADRATIC: BasisKind = BasisKind::Polynomial { degree: 2, across_drivers: true };

fn settings(subject: &Subject, helper_count: usize) -> HelperSettings {
    HelperSettings { helper_count, start_count: subject.start_count, ..HelperSettings::default() }
}

fn stage_two(
    (subject, set): (&Subject, &ExampleSet),
    helpers: &HelperFit,
    basis: BasisKind,
    penalty: Penalty,
) -> Result<ControllerFit> {
    let controllers = ControllerSettings { basis, penalty, ..ControllerSettings::default() };
    let own = settings(subject, helpers.helper_count);
    Ok(fit_controllers(&set.examples(), &set.driver_changes, helpers, &own, &controllers)?)
}

/// Fits with each number of helpers, in order.
pub(super) fn helper_fits(subject: &Subject, counts: &[usize], go_on: &GoOn<'_>) -> Result<Vec<SubjectFit>> {
    let mut fits = Vec::new();
    for (at, &count) in counts.iter().enumerate() {
        go_on(at as f32 / counts.len() as f32)?;
        let set = &subject.examples;
        let helpers = fit_helpers(&set.examples(), &settings(subject, count), &Progress::none())?;
        let controllers = stage_two((subject, set), &helpers, QUADRATIC, Penalty::PerPose(0.0))?;
        fits.push(SubjectFit { helpers, controllers });
    }
    Ok(fits)
}

impl HelperRow {
    pub(super) fn of(subject: &Subject, helpers: usize, fit: &SubjectFit) -> Self {
        Self {
            helpers,
            rmse: fit.helpers.errors.rms * subject.units,
            rmse_controllers: fit.controllers.errors.rms * subject.units,
            rmse_held_out: held_out_rms(subject, &fit.controllers),
        }
    }
}

/// Controllers of all degrees and penalties for helpers that are there.
pub(super) fn degree_rows(subject: &Subject, fit: &SubjectFit, go_on: &GoOn<'_>) -> Result<Vec<DegreeRow>> {
    let cases: Vec<(usize, usize)> = (1..=3).flat_map(|degree| (0..3).map(move |at| (degree, at))).collect();
    let mut rows = Vec::new();
    for &(degree, column) in &cases {
        go_on(rows.len() as f32 / cases.len() as f32)?;
        let lambda = LAMBDAS[column];
        // As in the source, turns of several drivers are not multiplied.
        let basis = BasisKind::Polynomial { degree, across_drivers: false };
        let penalty = Penalty::PerPose(lambda / SOURCE_POSES);
        let found = stage_two((subject, &subject.examples), &fit.helpers, basis, penalty)?;
        let source = |values: [[f64; 3]; 3]| subject.is_source.then_some(values[degree - 1][column]);
        let coefficients = found.controllers.coefficient_count();
        rows.push(DegreeRow {
            degree,
            lambda,
            coefficients,
            mean_coefficients: coefficients as f64 / (OUTPUTS * fit.helpers.helper_count.max(1)) as f64,
            source_mean_coefficients: source(SOURCE_COEFFICIENTS),
            rmse_regression: found.regression_rms * subject.units,
            rmse: found.errors.rms * subject.units,
            rmse_held_out: held_out_rms(subject, &found),
            source: source(SOURCE_RMSE),
        });
    }
    Ok(rows)
}

fn held_out_rms(subject: &Subject, found: &ControllerFit) -> f64 {
    let (examples, changes) = (subject.held_out.examples(), &subject.held_out.driver_changes);
    controller_errors(&examples, changes, &found.weights, &found.controllers).rms * subject.units
}

/// Starts where the number of examples is looked at: controllers err more than a better start gains.
const MOST_STARTS: usize = 12;

/// Four helpers fitted to few poses.
pub(super) fn example_rows(subject: &Subject, go_on: &GoOn<'_>) -> Result<Vec<ExampleRow>> {
    let mut rows = Vec::new();
    for set in &subject.few {
        go_on(rows.len() as f32 / subject.few.len() as f32)?;
        let few_starts =
            HelperSettings { start_count: subject.start_count.min(MOST_STARTS), ..settings(subject, 4) };
        let fit = fit_helpers(&set.examples(), &few_starts, &Progress::none())?;
        let found = stage_two((subject, set), &fit, QUADRATIC, Penalty::Auto)?;
        rows.push(ExampleRow {
            examples: set.pose_count(),
            rmse: fit.errors.rms * subject.units,
            rmse_controllers: found.errors.rms * subject.units,
            rmse_held_out: held_out_rms(subject, &found),
        });
    }
    Ok(rows)
}

pub(super) fn helper_csv(rows: &[HelperRow], unit: &str) -> String {
    errors_csv("helpers", unit, rows, |row| {
        (row.helpers, [row.rmse, row.rmse_controllers, row.rmse_held_out])
    })
}

pub(super) fn example_csv(rows: &[ExampleRow], unit: &str) -> String {
    errors_csv("examples", unit, rows, |row| {
        (row.examples, [row.rmse, row.rmse_controllers, row.rmse_held_out])
    })
}

fn errors_csv<T>(count: &str, unit: &str, rows: &[T], cells: fn(&T) -> (usize, [f64; 3])) -> String {
    let head = format!("{count},rmse_{unit},rmse_controllers_{unit},rmse_held_out_{unit}");
    table(&head, rows, |row| {
        let (count, [rmse, controllers, held_out]) = cells(row);
        format!("{count},{rmse:.4},{controllers:.4},{held_out:.4}")
    })
}

pub(super) fn degree_markdown(rows: &[DegreeRow], unit: &str) -> String {
    let has_source = rows.iter().any(|row| row.source.is_some());
    let [said, name, rule] = if has_source {
        ["; the source's are of its own leg", " source: a function | error |", "---|---|"]
    } else {
        [""; 3]
    };
    let head = format!(
        "RMS errors of 4 helpers in {unit}, without products across drivers{said}. λ for 6,750 poses together. Coefficients that are not 0: all, and in \
         the mean of a function (each helper has {OUTPUTS}); the source counts constants, which the rest pose fixes here.\n\n\
         | degree | λ | coefficients | a function | regression | refitted | held out |{name}\n|---|---|---|---|---|---|---|{rule}"
    );
    table(&head, rows, |row| {
        let source = row.source_mean_coefficients.zip(row.source);
        let source = source.map_or_else(String::new, |(mean, rms)| format!(" {mean:.1} | {rms:.2} |"));
        let DegreeRow { degree, lambda, coefficients, mean_coefficients, .. } = row;
        let errors = [row.rmse_regression, row.rmse, row.rmse_held_out].map(|rms| format!("{rms:.3}"));
        format!(
            "| {degree} | {lambda} | {coefficients} | {mean_coefficients:.1} | {} |{source}",
            errors.join(" | ")
        )
    })
}
