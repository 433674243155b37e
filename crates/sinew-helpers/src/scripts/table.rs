//! Inputs and outputs of controllers in a few poses, for whoever writes an evaluator of their own.

use super::sheet::SheetTrs;
use glam::{DQuat, DVec3};
use serde::Serialize;
use sinew_geometry::Trs;
use sinew_rig::{Character, ControllerRun, DriverChange, HELPER_NUMBERS, helper_change};

/// Poses of the table, the first at rest.
const POSES: usize = 9;

/// The largest turn about an axis in the table, radians of half the angle.
const LARGEST: f64 = 0.5;

/// What controllers say in a pose, swings aside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReferencePose {
    /// Rotation of each driver relative to rest in its own axes, x y z w.
    pub rotations: Vec<[f64; 4]>,
    /// The way of each driver from rest, in its own frame at rest; left out where no driver is asked for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shifts: Vec<[f64; 3]>,
    /// What drivers tell.
    pub inputs: Vec<f64>,
    /// Seven numbers for each helper.
    pub numbers: Vec<[f64; HELPER_NUMBERS]>,
    /// How each helper stands in its parent.
    pub helpers: Vec<SheetTrs>,
    /// The weight of each corrective.
    pub weights: Vec<f32>,
}

/// Poses that lie all over the range of the drivers, always the same.
pub(super) fn reference(character: &Character) -> Vec<ReferencePose> {
    let controllers = character.controllers();
    let mut run = ControllerRun::new(controllers);
    let pose = |pose: usize| {
        let turn = |driver: usize| {
            let log = DVec3::from_array(std::array::from_fn(|axis| spread(pose, 3 * driver + axis)));
            DQuat::from_scaled_axis(2.0 * LARGEST * log)
        };
        let drivers = controllers.drivers.iter().enumerate();
        let change = |(at, driver): (usize, &sinew_rig::ControllerDriver)| {
            // So far along each direction that its input is at most as large as that of a turn.
            let way = |(axis, direction): (usize, &DVec3)| {
                *direction * (LARGEST * spread(pose, 3 * (at + controllers.drivers.len()) + axis))
                    / direction.length_squared()
            };
            DriverChange { rotation: turn(at), shift: driver.shifts.iter().enumerate().map(way).sum() }
        };
        let changes: Vec<DriverChange> = drivers.map(change).collect();
        let slides = controllers.drivers.iter().any(|driver| !driver.shifts.is_empty());
        let numbers = run.run(controllers, changes.iter().copied()).to_vec();
        let stands = |(helper, numbers): (&sinew_rig::HelperController, &[f64; HELPER_NUMBERS])| {
            let local = character.skeleton().bone(helper.bone).rest.to_affine() * helper_change(numbers);
            Trs::nearest(&local).into()
        };
        ReferencePose {
            rotations: changes.iter().map(|change| change.rotation.to_array()).collect(),
            shifts: changes.iter().filter(|_| slides).map(|change| change.shift.to_array()).collect(),
            inputs: run.inputs().to_vec(),
            helpers: controllers.helpers.iter().zip(&numbers).map(stands).collect(),
            numbers,
            weights: run.morph_weights(controllers).collect(),
        }
    };
    (0..POSES).map(pose).collect()
}

/// The table alone, one line a pose.
pub(super) fn text(reference: &[ReferencePose]) -> String {
    let lines: Vec<String> = reference.iter().map(|pose| serde_json::json!(pose).to_string()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// From −1 to 1, evenly in every dimension: multiples of an irrational share of each. All 0 in the first pose.
fn spread(pose: usize, dimension: usize) -> f64 {
    if pose == 0 {
        return 0.0;
    }
    let step = (2.0 + dimension as f64).sqrt() * 0.618_033_988_749_895;
    2.0 * (0.5 + pose as f64 * step).fract() - 1.0
}
