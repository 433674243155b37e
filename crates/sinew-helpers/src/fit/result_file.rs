//! A fitted rig as JSON, for other programs and for editing: `docs/formats/fit.md`.

use super::FittedRig;
use sinew_fit::{Basis, Controllers, DriverInput};

/// What a result file holds beside the rig.
#[derive(Clone, Copy, Debug)]
pub struct ResultNames<'a> {
    /// One per driver.
    pub drivers: &'a [String],
}

/// The rig as JSON.
#[must_use]
pub fn result_json(rig: &FittedRig, names: &ResultNames<'_>) -> serde_json::Value {
    let bone_count = rig.driver_count + rig.helper_count();
    let row = |row: &[f64]| {
        let above = row.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        above.map(|(bone, weight)| serde_json::json!([bone, weight])).collect::<Vec<_>>()
    };
    serde_json::json!({
        "drivers": names.drivers,
        "vertices": rig.vertices,
        "weights": rig.weights.chunks(bone_count.max(1)).map(row).collect::<Vec<_>>(),
        "controllers": controllers_json(&rig.controllers, names),
    })
}

/// The controllers alone: inputs, functions and, of each helper, the functions that it uses.
#[must_use]
pub fn controllers_json(controllers: &Controllers, names: &ResultNames<'_>) -> serde_json::Value {
    let input = |(driver, input): (usize, &DriverInput)| {
        let axes = match input {
            DriverInput::None => return None,
            DriverInput::Hinge(axis) => vec![axis.to_array()],
            DriverInput::Universal(first, second) => vec![first.to_array(), second.to_array()],
            DriverInput::Ball => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        };
        Some(serde_json::json!({ "driver": names.drivers.get(driver), "axes": axes }))
    };
    let basis = match &controllers.basis {
        Basis::Polynomial { terms } => {
            let terms: Vec<[u16; 2]> = terms.iter().map(|term| [term.of, term.input]).collect();
            serde_json::json!({ "polynomial": terms })
        }
        Basis::Radial { scales, centers } => {
            serde_json::json!({ "radial": { "scales": scales, "centers": centers } })
        }
    };
    let helper = |helper: &sinew_fit::HelperController| {
        let used = helper.coefficients.chunks(7).enumerate().filter(|(_, row)| row.iter().any(|x| *x != 0.0));
        serde_json::json!({
            "parent": names.drivers.get(helper.frame.parent),
            "center": helper.frame.center.to_array(),
            "terms": used.map(|(function, row)| serde_json::json!([function, row])).collect::<Vec<_>>(),
        })
    };
    serde_json::json!({
        "inputs": controllers.inputs.iter().enumerate().filter_map(input).collect::<Vec<_>>(),
        "basis": basis,
        "helpers": controllers.helpers.iter().map(helper).collect::<Vec<_>>(),
    })
}
