//! From a sequence of skins in time to filters.

use glam::{DAffine3, DQuat};

use super::filter::{FollowFilter, FollowState};
use crate::controllers::{Controllers, ControllersError, OUTPUTS, controller_errors};
use crate::examples::{Examples, ExamplesError};
use crate::helpers::{
    FitErrors, HelperSettings, SettingsError, Solution, View, check, linear_part, measure, row_of, rows_of,
    sweep,
};

/// Rounds in which the best helper transforms of every frame are found, with weights as they are; each round lowers the error less than the
/// one before.
const ROUNDS: usize = 20;

/// Filters that were fitted.
#[derive(Clone, Debug)]
pub struct DynamicFit {
    /// One per helper; for frames at the rate of the sequence.
    pub filters: Vec<FollowFilter>,
    /// RMS error of the controllers alone.
    pub static_rms: f64,
    /// What controllers and filters leave over.
    pub errors: FitErrors,
}

/// Why filters could not be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DynamicsError {
    /// The examples.
    #[error(transparent)]
    Examples(#[from] ExamplesError),
    /// The settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The controllers.
    #[error(transparent)]
    Controllers(#[from] ControllersError),
    /// Counts that do not match.
    #[error("{found} {what}; {expected} are needed")]
    Count {
        /// Of what.
        what: &'static str,
        /// As given.
        found: usize,
        /// As needed.
        expected: usize,
    },
}

/// Fits a filter to each helper. The examples are frames in the order of time, at a fixed rate, the first at rest; `weights` and
/// `controllers` are those of a fit to poses at rest.
///
/// # Errors
/// If something does not match.
pub fn fit_dynamics(
    examples: &Examples<'_>,
    rotations: &[DQuat],
    weights: &[f64],
    controllers: &Controllers,
    settings: &HelperSettings,
) -> Result<DynamicFit, DynamicsError> {
    examples.check()?;
    check(settings, examples)?;
    controllers.check()?;
    let (driver_count, helper_count) = (examples.driver_count, controllers.helpers.len());
    let counts = [
        ("rotations", rotations.len(), examples.pose_count() * driver_count),
        ("weights", weights.len(), examples.vertex_count() * (driver_count + helper_count)),
        ("driver inputs", controllers.inputs.len(), driver_count),
    ];
    if let Some(&(what, found, expected)) = counts.iter().find(|(_, found, expected)| found != expected) {
        return Err(DynamicsError::Count { what, found, expected });
    }
    let static_rms = controller_errors(examples, rotations, weights, controllers).rms;
    let said = said(examples, rotations, controllers);
    let wanted = wanted(examples, weights, controllers, &said, settings);
    let filters: Vec<FollowFilter> = (0..helper_count)
        .map(|helper| {
            let costs = costs(examples, weights, controllers, helper);
            FollowFilter::fit(&said[helper], &wanted[helper], &costs)
        })
        .collect();
    let followed: Vec<Vec<[f64; OUTPUTS]>> =
        filters.iter().zip(&said).map(|(filter, said)| follow(filter, said)).collect();
    let errors = measure(examples, &solution(examples, weights, controllers, &followed));
    Ok(DynamicFit { filters, static_rms, errors })
}

fn follow(filter: &FollowFilter, said: &[[f64; OUTPUTS]]) -> Vec<[f64; OUTPUTS]> {
    let mut state = FollowState::at_rest(said.first().copied().unwrap_or([0.0; OUTPUTS]));
    said.iter().map(|numbers| filter.step(&mut state, numbers)).collect()
}

/// What the controllers say: by helper, in every frame.
fn said(examples: &Examples<'_>, rotations: &[DQuat], controllers: &Controllers) -> Vec<Vec<[f64; OUTPUTS]>> {
    let values: Vec<Vec<f64>> =
        rotations.chunks(examples.driver_count).map(|rotations| controllers.values(rotations)).collect();
    let of = |helper: &crate::controllers::HelperController| {
        values.iter().map(|values| helper.numbers(values)).collect()
    };
    controllers.helpers.iter().map(of).collect()
}

fn solution(
    examples: &Examples<'_>,
    weights: &[f64],
    controllers: &Controllers,
    numbers: &[Vec<[f64; OUTPUTS]>],
) -> Solution {
    let center = View::untallied(*examples, Vec::new(), Vec::new()).center;
    let mut helper_rows = Vec::new();
    for pose in 0..examples.pose_count() {
        let drivers = examples.drivers(pose);
        let matrices: Vec<DAffine3> = controllers
            .helpers
            .iter()
            .zip(numbers)
            .map(|(helper, numbers)| helper.frame.matrix(&helper.frame.parent_pose(drivers), &numbers[pose]))
            .collect();
        for component in 0..3 {
            helper_rows.extend(matrices.iter().flat_map(|matrix| row_of(matrix, center, component)));
        }
    }
    Solution {
        helper_count: controllers.helpers.len(),
        helper_rows,
        weights: weights.to_vec(),
        pivots: Vec::new(),
        homes: vec![glam::DVec3::ZERO; controllers.helpers.len()],
        pairs: Vec::new(),
    }
}

/// What the helpers should do: the best transforms of every frame, with the weights as they are.
fn wanted(
    examples: &Examples<'_>,
    weights: &[f64],
    controllers: &Controllers,
    said: &[Vec<[f64; OUTPUTS]>],
    settings: &HelperSettings,
) -> Vec<Vec<[f64; OUTPUTS]>> {
    let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
    let view = View::new(*examples, all(examples.pose_count()), all(examples.vertex_count()));
    let mut best = solution(examples, weights, controllers, said);
    sweep(&view, &mut best, settings.motion, ROUNDS);
    let width = best.helper_width();
    let numbers = |helper: usize| {
        let frame = &controllers.helpers[helper].frame;
        let of_frame = |pose: usize| {
            let rows = rows_of(&best.helper_rows[3 * width * pose..], helper, width);
            let linear = linear_part(&rows);
            let moved = glam::DVec3::new(rows[0][3], rows[1][3], rows[2][3]);
            let matrix = DAffine3 { matrix3: linear, translation: moved - linear * view.center };
            frame.numbers(&frame.parent_pose(examples.drivers(pose)), &matrix)
        };
        (0..examples.pose_count()).map(of_frame).collect()
    };
    (0..controllers.helpers.len()).map(numbers).collect()
}

/// What a wrong number costs the vertices, roughly: Σ w² for shifts, and that times squared distances for turns.
fn costs(
    examples: &Examples<'_>,
    weights: &[f64],
    controllers: &Controllers,
    helper: usize,
) -> [f64; OUTPUTS] {
    let driver_count = examples.driver_count;
    let bone_count = driver_count + controllers.helpers.len();
    let center = controllers.helpers[helper].frame.center;
    let (mut shift, mut spread) = (0.0, 0.0);
    for (vertex, place) in examples.rest_positions.iter().enumerate() {
        let square = weights[vertex * bone_count + driver_count + helper].powi(2);
        shift += square;
        spread += square * place.as_dvec3().distance_squared(center);
    }
    // A log-quaternion is half an angle; of three axes two move a point.
    let turn = 4.0 * spread * 2.0 / 3.0;
    [shift, shift, shift, turn, turn, turn, spread]
}
