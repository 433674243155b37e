//! Stage 2 as a whole: from helper transforms to controllers.
//!
//! After \[Mukai15\] Sec. 5. Departures: the penalty is counted a pose, so that it means the same for 500 poses and for 7,000, and may be chosen
//! by the error on poses that were left out; a helper's parent is chosen by the error of vertices; coefficients that survive are
//! then fitted to the vertices, in turn with the weights. The constant is not free: with all drivers at rest a helper is exactly at rest,
//! so that nothing moves in the shape that everybody sees first.

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sinew_rig::{ControllerBasis, DriverChange, HELPER_NUMBERS};

use super::frame::HelperFrame;
use super::inputs::{DriverInput, detect_input, detect_shifts};
use super::lasso::LassoProblem;
use super::model::{Controllers, HelperController, basis_values, input_numbers};
use super::refit::{Refit, RefitPoses};
use crate::error::HelperError;
use crate::examples::Examples;
use crate::helpers::{
    FitErrors, HelperFit, HelperMotion, HelperSettings, MANY_NODES, Relaxation, Solution, View, check,
    measure, row_of, rows_from,
};
use sinew_geometry::Random;

/// Lengths are counted in this fraction of the model's diagonal, beside radians of half angles, so that one penalty does for both.
const LENGTH_UNIT: f64 = 1.0 / 200.0;
/// Penalties a pose that `Penalty::Auto` tries.
const PENALTIES: [f64; 8] = [0.0, 1e-5, 1e-4, 3e-4, 1e-3, 1.5e-3, 3e-3, 1e-2];
/// Where the search of `Penalty::Coefficients` begins and ends, and how finely it looks.
const LEAST_PENALTY: f64 = 1e-7;
const MOST_PENALTY: f64 = 1e4;
const PENALTY_STEP: f64 = 1.02;
/// `Penalty::Auto` takes the largest penalty whose error on poses left out is within this factor of the least.
const AUTO_SLACK: f64 = 1.02;
/// Every so many poses one is left out to choose the penalty.
const LEFT_OUT: usize = 5;
/// Gauss–Newton steps between two solutions of the weights.
const STEPS_A_ROUND: usize = 3;
/// Coefficients below this fraction of the largest of their output are none.
const NO_COEFFICIENT: f64 = 1e-9;

/// Functions that controllers are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BasisKind {
    /// Monomials of the inputs.
    Polynomial {
        /// Largest degree, 1 to 3.
        degree: usize,
        /// Also products of inputs of several drivers.
        across_drivers: bool,
    },
    /// Radial functions round poses that lie far apart.
    Radial {
        /// How many.
        centers: usize,
    },
}

/// How coefficients are kept few.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Penalty {
    /// By the error on poses that are left out.
    Auto,
    /// λ divided by the number of poses; 0 keeps all coefficients. 0.0015 keeps about 60 % of a quadratic on the leg.
    PerPose(f64),
    /// The least penalty that keeps at most so many coefficients, all helpers together.
    Coefficients(usize),
}

/// How controllers are fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ControllerSettings {
    /// Default: degree 2, across drivers.
    pub basis: BasisKind,
    /// Default: auto.
    pub penalty: Penalty,
    /// What drivers tell, one per driver; empty, the default: found by how they turn.
    pub inputs: Vec<DriverInput>,
    /// Drivers whose ways from rest count too, where `inputs` are found. Default: none, because the way of a whole character would be one.
    pub shifting: Vec<usize>,
    /// Drivers that helpers may hang on; empty, the default: any.
    pub parents: Vec<usize>,
    /// Rounds of fitting to vertices; 0 leaves the regression as it is. Default 8.
    pub refit_rounds: usize,
    /// Most poses for that. Default 8000.
    pub refit_poses: usize,
}

impl Default for ControllerSettings {
    fn default() -> Self {
        Self {
            basis: BasisKind::Polynomial { degree: 2, across_drivers: true },
            penalty: Penalty::Auto,
            inputs: Vec::new(),
            shifting: Vec::new(),
            parents: Vec::new(),
            refit_rounds: 8,
            refit_poses: 8000,
        }
    }
}

/// Controllers that were fitted.
#[derive(Clone, Debug)]
pub struct ControllerFit {
    /// The controllers.
    pub controllers: Controllers,
    /// Weights that go with them, as in [`HelperFit::weights`].
    pub weights: Vec<f64>,
    /// What is left over on the examples.
    pub errors: FitErrors,
    /// RMS error on the examples after regression, before vertices were looked at.
    pub regression_rms: f64,
    /// Penalty a pose that was used.
    pub penalty: f64,
}

/// Ways below this fraction of the model's diagonal are none.
const STILL_SHARE: f64 = 1e-6;
/// Most functions of a basis.
const MAX_FUNCTIONS: usize = 2000;

/// Fits controllers to helpers. `changes`: pose by pose, of each driver what it does in its parent relative to bind. `helpers`: a fit to the same
/// examples with `helper_settings`, whose rules the weights keep to.
///
/// # Errors
/// If something does not match.
pub fn fit_controllers(
    examples: &Examples<'_>,
    changes: &[DriverChange],
    helpers: &HelperFit,
    helper_settings: &HelperSettings,
    settings: &ControllerSettings,
) -> Result<ControllerFit, HelperError> {
    examples.check()?;
    check(helper_settings, examples)?;
    check_controllers(examples, changes, helpers, settings)?;
    let driver_count = examples.driver_count;
    let inputs = if settings.inputs.is_empty() {
        let of = |driver: usize| changes.iter().skip(driver).step_by(driver_count);
        let still = STILL_SHARE * View::untallied(*examples, Vec::new(), Vec::new()).extent;
        let input = |driver: usize| {
            let turns = detect_input(of(driver).map(|change| change.rotation));
            match settings.shifting.contains(&driver) {
                true => turns.with_shifts(&detect_shifts(of(driver).map(|change| change.shift), still)),
                false => turns,
            }
        };
        (0..driver_count).map(input).collect()
    } else {
        settings.inputs.clone()
    };
    let basis = basis(settings.basis, &inputs, changes, driver_count)?;
    let mut regression = Regression::new(examples, changes, helpers, (inputs, basis), helper_settings.motion);
    if !settings.parents.is_empty() {
        let is_allowed = |frame: &HelperFrame| settings.parents.contains(&frame.parent);
        // A helper of fixed length hangs where its pivot is.
        let free = regression.frames.iter_mut().filter(|frames| frames.len() > 1);
        free.for_each(|frames| frames.retain(is_allowed));
    }
    let penalty = match settings.penalty {
        Penalty::PerPose(penalty) => penalty,
        Penalty::Auto => regression.auto_penalty(),
        Penalty::Coefficients(most) => regression.penalty_for(most),
    };
    let mut controllers = regression.controllers(penalty);
    let mut weights = helpers.weights.clone();
    let regression_rms = controller_errors(examples, changes, &weights, &controllers).rms;
    if settings.refit_rounds > 0 && helpers.helper_count > 0 {
        refit(examples, changes, (helpers, helper_settings), settings, &mut controllers, &mut weights);
    }
    let errors = controller_errors(examples, changes, &weights, &controllers);
    Ok(ControllerFit { controllers, weights, errors, regression_rms, penalty })
}

/// What controllers leave over on any examples of the same skin, for instance on poses that were not fitted.
///
/// # Panics
/// If counts of weights, changes of drivers or drivers do not match the examples.
pub fn controller_errors(
    examples: &Examples<'_>,
    changes: &[DriverChange],
    weights: &[f64],
    controllers: &Controllers,
) -> FitErrors {
    let (driver_count, helper_count) = (examples.driver_count, controllers.helpers.len());
    assert_eq!(
        weights.len(),
        examples.vertex_count() * (driver_count + helper_count),
        "a weight a vertex and bone"
    );
    assert_eq!(changes.len(), examples.pose_count() * driver_count, "a change a pose and driver");
    let center = View::untallied(*examples, Vec::new(), Vec::new()).center;
    let rows_of_pose = |pose: usize| -> Vec<f64> {
        let changes = &changes[pose * driver_count..][..driver_count];
        let matrices = controllers.posed_from_rest(changes, examples.drivers(pose));
        rows_from(&matrices, center).collect()
    };
    let rows = (0..examples.pose_count()).into_par_iter().flat_map_iter(rows_of_pose).collect();
    measure(examples, &Solution::bare(helper_count, rows, weights.to_vec()))
}

fn check_controllers(
    examples: &Examples<'_>,
    changes: &[DriverChange],
    helpers: &HelperFit,
    settings: &ControllerSettings,
) -> Result<(), HelperError> {
    let (pose_count, driver_count) = (examples.pose_count(), examples.driver_count);
    let expected = pose_count * driver_count;
    if changes.len() != expected {
        return Err(HelperError::Rotations { found: changes.len(), expected });
    }
    let is_bad = |change: &DriverChange| {
        let DriverChange { rotation, shift } = change;
        !rotation.is_finite() || (rotation.length() - 1.0).abs() > 1e-3 || !shift.is_finite()
    };
    if let Some(at) = changes.iter().position(is_bad) {
        return Err(HelperError::Rotation { pose: at / driver_count, driver: at % driver_count });
    }
    let bone_count = driver_count + helpers.helper_count;
    let counts = [
        ("posed_from_rest", helpers.posed_from_rest.len(), pose_count * helpers.helper_count),
        ("weights", helpers.weights.len(), examples.vertex_count() * bone_count),
        ("homes", helpers.homes.len(), helpers.helper_count),
    ];
    if let Some(&(what, found, expected)) = counts.iter().find(|(_, found, expected)| found != expected) {
        return Err(HelperError::Fit { what, found, expected });
    }
    if let Some(&parent) = settings.parents.iter().find(|parent| **parent >= driver_count) {
        return Err(HelperError::ParentDriver { parent, driver_count });
    }
    let (found, expected) = (settings.inputs.len(), driver_count);
    if found != 0 && found != expected {
        return Err(HelperError::Inputs { found, expected });
    }
    match settings.penalty {
        Penalty::PerPose(found) if !(found.is_finite() && found >= 0.0) => {
            Err(HelperError::Penalty { found })
        }
        _ => Ok(()),
    }
}

fn basis(
    kind: BasisKind,
    inputs: &[DriverInput],
    changes: &[DriverChange],
    driver_count: usize,
) -> Result<ControllerBasis, HelperError> {
    let counts: Vec<usize> = inputs.iter().map(DriverInput::count).collect();
    let input_count: usize = counts.iter().sum();
    let too_many = |functions: usize| HelperError::TooMany { functions, inputs: input_count };
    match kind {
        BasisKind::Polynomial { degree: found @ (0 | 4..), .. } => Err(HelperError::Degree { found }),
        BasisKind::Polynomial { degree, across_drivers } => {
            // (n + d)! / (n! d!) functions, counted before they are made.
            let all =
                |count: usize| (1..=degree).fold(1usize, |product, k| product.saturating_mul(count + k) / k);
            let functions = if across_drivers {
                all(input_count)
            } else {
                1 + counts.iter().map(|&count| all(count) - 1).sum::<usize>()
            };
            if functions > MAX_FUNCTIONS {
                return Err(too_many(functions));
            }
            Ok(ControllerBasis::polynomial(&counts, degree, across_drivers))
        }
        BasisKind::Radial { centers } => {
            if centers + input_count + 1 > MAX_FUNCTIONS {
                return Err(too_many(centers + input_count + 1));
            }
            let samples: Vec<f64> =
                changes.chunks(driver_count).flat_map(|pose| input_numbers(inputs, pose)).collect();
            Ok(ControllerBasis::radial(&samples, input_count, centers))
        }
    }
}

/// All that regression needs, for every helper and parent.
struct Regression<'a> {
    examples: &'a Examples<'a>,
    inputs: Vec<DriverInput>,
    basis: ControllerBasis,
    /// A row a pose.
    values: Vec<f64>,
    /// The same with all drivers at rest.
    rest_values: Vec<f64>,
    helpers: &'a HelperFit,
    frames: Vec<Vec<HelperFrame>>,
    motion: HelperMotion,
    length_unit: f64,
    /// Σ w² (x, 1)(x, 1)ᵀ about the center, by helper: what a wrong matrix costs.
    spreads: Vec<[[f64; 4]; 4]>,
}

impl<'a> Regression<'a> {
    fn new(
        examples: &'a Examples<'a>,
        changes: &[DriverChange],
        helpers: &'a HelperFit,
        (inputs, basis): (Vec<DriverInput>, ControllerBasis),
        motion: HelperMotion,
    ) -> Self {
        let driver_count = examples.driver_count;
        let poses = changes.chunks(driver_count);
        let values = poses.flat_map(|pose| basis_values(&inputs, &basis, pose)).collect();
        let rest_values = basis_values(&inputs, &basis, &vec![DriverChange::REST; driver_count]);
        let bone_count = driver_count + helpers.helper_count;
        let weight =
            |vertex: usize, helper: usize| helpers.weights[vertex * bone_count + driver_count + helper];
        let places = || examples.rest_positions.iter().map(|place| place.as_dvec3()).enumerate();
        let frames = (0..helpers.helper_count).map(|helper| match helpers.pivots.get(helper) {
            // The only parent and center that a helper of fixed length has.
            Some(pivot) => vec![HelperFrame { parent: pivot.driver, center: pivot.point }],
            None => {
                let squares = places().map(|(vertex, place)| (place, weight(vertex, helper).powi(2)));
                let (sum, total) =
                    squares.fold((DVec3::ZERO, 0.0), |(sum, total), (x, w)| (sum + x * w, total + w));
                let center = if total > 0.0 { sum / total } else { helpers.homes[helper] };
                (0..driver_count).map(|parent| HelperFrame { parent, center }).collect()
            }
        });
        let frames: Vec<Vec<HelperFrame>> = frames.collect();
        let spread_of = |(helper, frames): (usize, &Vec<HelperFrame>)| {
            let mut spread = [[0.0; 4]; 4];
            for (vertex, place) in places() {
                let square = weight(vertex, helper).powi(2);
                let x = (place - frames[0].center).extend(1.0).to_array();
                (0..4).for_each(|a| (0..4).for_each(|b| spread[a][b] += square * x[a] * x[b]));
            }
            spread
        };
        let spreads = frames.iter().enumerate().map(spread_of).collect();
        let length_unit = View::untallied(*examples, Vec::new(), Vec::new()).extent * LENGTH_UNIT;
        Self { examples, inputs, basis, values, rest_values, helpers, frames, motion, length_unit, spreads }
    }

    fn matrix(&self, pose: usize, helper: usize) -> &DAffine3 {
        &self.helpers.posed_from_rest[pose * self.helpers.helper_count + helper]
    }

    /// Coefficients of a helper in a frame from the poses that `is_used`; lengths in the unit of positions.
    fn coefficients(
        &self,
        helper: usize,
        frame: &HelperFrame,
        penalty: f64,
        is_used: impl Fn(usize) -> bool,
    ) -> Vec<f64> {
        let width = self.basis.function_count();
        let mut columns = Vec::new();
        let mut outputs = Vec::new();
        for pose in (0..self.examples.pose_count()).filter(|&pose| is_used(pose)) {
            columns.extend_from_slice(&self.values[pose * width..][..width]);
            let parent = frame.parent_pose(self.examples.drivers(pose));
            let mut numbers = frame.numbers(&parent, self.matrix(pose, helper));
            numbers[..3].iter_mut().for_each(|number| *number /= self.length_unit);
            outputs.extend(numbers);
        }
        let count = columns.len() / width;
        let problem = LassoProblem::through(&columns, &self.rest_values, &outputs, HELPER_NUMBERS);
        let mut found = problem.solve(penalty * count as f64);
        for channel in 0..HELPER_NUMBERS {
            let is_fixed = match channel {
                0..3 => self.motion == HelperMotion::FixedLength,
                6 => self.motion != HelperMotion::Similarity,
                _ => false,
            };
            let column = |row: usize| row * HELPER_NUMBERS + channel;
            let largest = (0..width).map(|row| found[column(row)].abs()).fold(0.0, f64::max);
            for row in 0..width {
                let value = &mut found[column(row)];
                if is_fixed || value.abs() <= NO_COEFFICIENT * largest {
                    *value = 0.0;
                } else if channel < 3 {
                    *value *= self.length_unit;
                }
            }
        }
        rest_at_zero(&mut found, &self.rest_values);
        found
    }

    /// What vertices miss by the controller instead of the fitted matrices.
    fn miss(&self, helper: usize, controller: &HelperController, is_counted: impl Fn(usize) -> bool) -> f64 {
        let width = self.basis.function_count();
        let frame = &controller.frame;
        let mut total = 0.0;
        for pose in (0..self.examples.pose_count()).filter(|&pose| is_counted(pose)) {
            let parent = frame.parent_pose(self.examples.drivers(pose));
            let numbers = controller.numbers(&self.values[pose * width..][..width]);
            let (found, wanted) = (frame.matrix(&parent, &numbers), self.matrix(pose, helper));
            for component in 0..3 {
                let (a, b) =
                    (row_of(&found, frame.center, component), row_of(wanted, frame.center, component));
                let difference = [0, 1, 2, 3].map(|at| a[at] - b[at]);
                for (left, row) in difference.iter().zip(&self.spreads[helper]) {
                    total += left * difference.iter().zip(row).map(|(d, s)| d * s).sum::<f64>();
                }
            }
        }
        total
    }

    /// The best frame of a helper, with its coefficients.
    fn best(&self, helper: usize, penalty: f64, is_used: impl Fn(usize) -> bool + Sync) -> HelperController {
        let tried: Vec<(f64, HelperController)> = self.frames[helper]
            .par_iter()
            .map(|frame| {
                let coefficients = self.coefficients(helper, frame, penalty, &is_used);
                let controller = HelperController { frame: *frame, coefficients };
                (self.miss(helper, &controller, &is_used), controller)
            })
            .collect();
        let best = tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        best.expect("a helper has at least one frame, because there is at least one driver").1
    }

    fn controllers(&self, penalty: f64) -> Controllers {
        let helpers =
            (0..self.helpers.helper_count).map(|helper| self.best(helper, penalty, |_| true)).collect();
        Controllers { inputs: self.inputs.clone(), basis: self.basis.clone(), helpers }
    }

    /// The least penalty, to a factor of `PENALTY_STEP`, that leaves at most `most` coefficients.
    fn penalty_for(&self, most: usize) -> f64 {
        let count = |penalty: f64| self.controllers(penalty).coefficient_count();
        if count(0.0) <= most {
            return 0.0;
        }
        let (mut less, mut more) = (LEAST_PENALTY, LEAST_PENALTY);
        while count(more) > most && more < MOST_PENALTY {
            (less, more) = (more, more * 8.0);
        }
        while more > less * PENALTY_STEP {
            let middle = (less * more).sqrt();
            if count(middle) > most { less = middle } else { more = middle }
        }
        more
    }

    fn auto_penalty(&self) -> f64 {
        // With so few poses nothing can be left out.
        if self.examples.pose_count() < 2 * LEFT_OUT {
            return PENALTIES[0];
        }
        let is_left_out = |pose: usize| pose.is_multiple_of(LEFT_OUT);
        let parents: Vec<HelperFrame> = (0..self.helpers.helper_count)
            .map(|helper| self.best(helper, PENALTIES[2], |pose| !is_left_out(pose)).frame)
            .collect();
        let miss = |penalty: &f64| -> f64 {
            let of = |(helper, frame): (usize, &HelperFrame)| {
                let coefficients = self.coefficients(helper, frame, *penalty, |pose| !is_left_out(pose));
                self.miss(helper, &HelperController { frame: *frame, coefficients }, is_left_out)
            };
            parents.iter().enumerate().map(of).sum()
        };
        let misses: Vec<f64> = PENALTIES.par_iter().map(miss).collect();
        let least = misses.iter().copied().fold(f64::INFINITY, f64::min);
        let fine =
            PENALTIES.iter().zip(&misses).filter(|(_, miss)| **miss <= least * AUTO_SLACK * AUTO_SLACK);
        fine.map(|(penalty, _)| *penalty).fold(0.0, f64::max)
    }
}

/// Sets the constants so that all numbers are 0 where the basis has these values.
fn rest_at_zero(coefficients: &mut [f64], rest_values: &[f64]) {
    let (constants, others) = coefficients.split_at_mut(HELPER_NUMBERS);
    constants.fill(0.0);
    for (row, value) in others.chunks(HELPER_NUMBERS).zip(&rest_values[1..]) {
        constants.iter_mut().zip(row).for_each(|(constant, coefficient)| *constant -= coefficient * value);
    }
}

fn refit(
    examples: &Examples<'_>,
    changes: &[DriverChange],
    (helpers, helper_settings): (&HelperFit, &HelperSettings),
    settings: &ControllerSettings,
    controllers: &mut Controllers,
    weights: &mut Vec<f64>,
) {
    let poses = Random::new(helper_settings.seed).choose(examples.pose_count(), settings.refit_poses.max(1));
    let vertices = (0..examples.vertex_count() as u32).collect();
    let relaxation = Relaxation::new(helper_settings, View::new(*examples, poses, vertices));
    let driver_count = examples.driver_count;
    let (mut values, mut parents) = (Vec::new(), Vec::new());
    // Counted from rest, where the constant's own value is 0: it follows from the others.
    let rest_values = controllers.values(&vec![DriverChange::REST; driver_count]);
    for &pose in &relaxation.view.poses {
        let posed = controllers.values(&changes[pose as usize * driver_count..][..driver_count]);
        values.extend(posed.iter().zip(&rest_values).map(|(value, rest)| value - rest));
        let drivers = examples.drivers(pose as usize);
        parents.extend(controllers.helpers.iter().map(|helper| helper.frame.parent_pose(drivers)));
    }
    let channels = match helper_settings.motion {
        HelperMotion::Rigid => (0..6).collect(),
        HelperMotion::Similarity => (0..7).collect(),
        HelperMotion::FixedLength => (3..6).collect(),
    };
    let free = controllers.helpers.iter().map(|helper| {
        let is_free = |(at, value): (usize, &f64)| *value != 0.0 && at >= HELPER_NUMBERS;
        helper.coefficients.iter().enumerate().map(is_free).collect()
    });
    let poses = RefitPoses { values, width: controllers.basis.function_count(), parents };
    let refit = Refit { relaxation: &relaxation, poses: &poses, channels, free: free.collect() };
    let mut solution = Solution {
        pairs: helpers.mirror_pairs.clone(),
        homes: helpers.homes.iter().map(|home| *home - relaxation.view.center).collect(),
        ..Solution::bare(helpers.helper_count, refit.rows(&controllers.helpers), weights.clone())
    };
    let mut best = relaxation.weigh(&mut solution, MANY_NODES).objective;
    for _ in 0..settings.refit_rounds {
        refit.run(&mut controllers.helpers, &mut solution, STEPS_A_ROUND);
        let objective = relaxation.weigh(&mut solution, MANY_NODES).objective;
        let has_settled = best - objective <= 1e-5 * best;
        best = objective;
        if has_settled {
            break;
        }
    }
    *weights = solution.weights;
    for helper in &mut controllers.helpers {
        rest_at_zero(&mut helper.coefficients, &rest_values);
    }
}
