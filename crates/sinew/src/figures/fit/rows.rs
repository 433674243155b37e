//! The numbers of the figures of helper bones.

use super::FiguresError;
use crate::fit::solver::{
    BasisKind, ControllerFit, ControllerSettings, HelperFit, HelperSettings, Penalty, Stage,
    controller_errors, fit_controllers, fit_helpers,
};
use crate::fit::{ExampleSet, FitError, LegPoses, benchmark_leg};
use serde::Serialize;
use std::fmt::Write;
use std::ops::ControlFlow;

/// A fit with so many helpers, centimetres.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HelperRow {
    /// Helpers asked for.
    pub helpers: usize,
    /// With helpers where they should be in every pose.
    pub rmse: f64,
    /// With controllers of degree 2.
    pub rmse_controllers: f64,
    /// After each sweep on all poses.
    pub sweeps: Vec<f64>,
}

/// Controllers of a degree and a penalty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DegreeRow {
    /// Of the polynomials.
    pub degree: usize,
    /// λ, for all 6,750 poses together, as the source counts it.
    pub lambda: f64,
    /// Whether turns of several drivers are multiplied.
    pub across_drivers: bool,
    /// Coefficients that are not 0, of 4 helpers.
    pub coefficients: usize,
    /// By regression alone, as the source does it.
    pub rmse_regression: f64,
    /// After the refit to vertices.
    pub rmse: f64,
    /// On 1,000 other poses.
    pub rmse_held_out: f64,
    /// The source's error on its own leg, where it has one.
    pub source: Option<f64>,
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
    /// On 1,000 others.
    pub rmse_held_out: f64,
}

const HELPERS: [usize; 7] = [0, 1, 2, 3, 4, 6, 8];
const LAMBDAS: [f64; 3] = [0.0, 10.0, 20.0];
/// \[Mukai15\] Tab. 1, by degree and λ.
const SOURCE_RMSE: [[f64; 3]; 3] = [[2.23, 2.24, 2.28], [1.73, 1.73, 1.77], [1.63, 1.67, 1.70]];
const EXAMPLES: [usize; 7] = [25, 50, 100, 200, 400, 800, 1600];

/// Told how far it is; an error stops.
pub(super) type GoOn<'a> = dyn Fn(f32) -> Result<(), FiguresError> + 'a;

fn settings(helper_count: usize) -> HelperSettings {
    HelperSettings { helper_count, ..HelperSettings::default() }
}

fn stage_one(set: &ExampleSet, helper_count: usize) -> Result<HelperFit, FitError> {
    Ok(fit_helpers(&set.examples(), &settings(helper_count), &mut |_| ControlFlow::Continue(()))?)
}

fn stage_two(
    set: &ExampleSet,
    helpers: &HelperFit,
    basis: BasisKind,
    penalty: Penalty,
) -> Result<ControllerFit, FitError> {
    let controllers = ControllerSettings { basis, penalty, ..ControllerSettings::default() };
    let own = settings(helpers.helper_count);
    Ok(fit_controllers(&set.examples(), &set.driver_rotations, helpers, &own, &controllers)?)
}

const QUADRATIC: BasisKind = BasisKind::Polynomial { degree: 2, across_drivers: true };

pub(super) fn helper_rows(leg: &ExampleSet, go_on: &GoOn<'_>) -> Result<Vec<HelperRow>, FiguresError> {
    let mut rows = Vec::new();
    for (at, helpers) in HELPERS.into_iter().enumerate() {
        go_on(at as f32 / HELPERS.len() as f32)?;
        let fit = stage_one(leg, helpers)?;
        let found = stage_two(leg, &fit, QUADRATIC, Penalty::PerPose(0.0))?;
        let sweeps = fit.history.iter().filter(|line| line.stage == Stage::Full).map(|line| line.rms_error);
        rows.push(HelperRow {
            helpers,
            rmse: fit.errors.rms,
            rmse_controllers: found.errors.rms,
            sweeps: sweeps.collect(),
        });
    }
    Ok(rows)
}

pub(super) fn degree_rows(
    leg: &ExampleSet,
    held_out: &ExampleSet,
    go_on: &GoOn<'_>,
) -> Result<Vec<DegreeRow>, FiguresError> {
    let fit = stage_one(leg, 4)?;
    let mut rows = Vec::new();
    for across_drivers in [false, true] {
        for degree in 1..=3 {
            for (column, lambda) in LAMBDAS.into_iter().enumerate() {
                go_on(rows.len() as f32 / 18.0)?;
                let basis = BasisKind::Polynomial { degree, across_drivers };
                let penalty = Penalty::PerPose(lambda / leg.pose_count() as f64);
                let found = stage_two(leg, &fit, basis, penalty)?;
                let rmse_held_out = held_out_rms(held_out, &found);
                rows.push(DegreeRow {
                    degree,
                    lambda,
                    across_drivers,
                    coefficients: found.controllers.coefficient_count(),
                    rmse_regression: found.regression_rms,
                    rmse: found.errors.rms,
                    rmse_held_out,
                    source: (!across_drivers).then_some(SOURCE_RMSE[degree - 1][column]),
                });
            }
        }
    }
    Ok(rows)
}

fn held_out_rms(held_out: &ExampleSet, found: &ControllerFit) -> f64 {
    let (examples, rotations) = (held_out.examples(), &held_out.driver_rotations);
    controller_errors(&examples, rotations, &found.weights, &found.controllers).rms
}

pub(super) fn example_rows(held_out: &ExampleSet, go_on: &GoOn<'_>) -> Result<Vec<ExampleRow>, FiguresError> {
    let mut rows = Vec::new();
    for (at, examples) in EXAMPLES.into_iter().enumerate() {
        go_on(at as f32 / EXAMPLES.len() as f32)?;
        let leg = benchmark_leg(39, 17, LegPoses::Random(examples, 1));
        let fit = stage_one(&leg, 4)?;
        let found = stage_two(&leg, &fit, QUADRATIC, Penalty::Auto)?;
        rows.push(ExampleRow {
            examples,
            rmse: fit.errors.rms,
            rmse_controllers: found.errors.rms,
            rmse_held_out: held_out_rms(held_out, &found),
        });
    }
    Ok(rows)
}

pub(super) fn helper_csv(rows: &[HelperRow]) -> String {
    let mut text = String::from("helpers,rmse_cm,rmse_controllers_cm\n");
    for row in rows {
        let _ = writeln!(text, "{},{:.4},{:.4}", row.helpers, row.rmse, row.rmse_controllers);
    }
    text
}

pub(super) fn example_csv(rows: &[ExampleRow]) -> String {
    let mut text = String::from("examples,rmse_cm,rmse_controllers_cm,rmse_held_out_cm\n");
    for row in rows {
        let ExampleRow { examples, rmse, rmse_controllers, rmse_held_out } = row;
        let _ = writeln!(text, "{examples},{rmse:.4},{rmse_controllers:.4},{rmse_held_out:.4}");
    }
    text
}

pub(super) fn degree_markdown(rows: &[DegreeRow]) -> String {
    let mut text = String::from(
        "| degree | λ | products across drivers | coefficients | regression | refitted | held out | source |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let source = row.source.map_or_else(|| "–".to_owned(), |rms| format!("{rms:.2}"));
        let across = if row.across_drivers { "yes" } else { "no" };
        let _ = writeln!(
            text,
            "| {} | {} | {across} | {} | {:.3} | {:.3} | {:.3} | {source} |",
            row.degree, row.lambda, row.coefficients, row.rmse_regression, row.rmse, row.rmse_held_out
        );
    }
    text
}
