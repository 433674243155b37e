//! A fitted rig as JSON, for other programs and for editing: `docs/formats/fit.md`.

use crate::FittedRig;
use sinew_fit::{Controllers, DriverInput};
use sinew_rig::ControllerBasis;
use std::collections::HashMap;

/// The rig as JSON. `drivers`: their names.
pub fn result_json(rig: &FittedRig, drivers: &[String]) -> serde_json::Value {
    let bone_count = rig.driver_count + rig.helper_count();
    let row = |row: &[f64]| {
        let above = row.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        above.map(|(bone, weight)| serde_json::json!([bone, weight])).collect::<Vec<_>>()
    };
    serde_json::json!({
        "drivers": drivers,
        "vertices": rig.vertices,
        "weights": rig.weights.chunks(bone_count.max(1)).map(row).collect::<Vec<_>>(),
        "controllers": controllers_json(&rig.controllers, drivers),
    })
}

/// The controllers alone: inputs, functions and, of each helper, the functions that it uses.
fn controllers_json(controllers: &Controllers, drivers: &[String]) -> serde_json::Value {
    let input = |(driver, input): (usize, &DriverInput)| {
        let listed = |list: Vec<glam::DVec3>| list.iter().map(|axis| axis.to_array()).collect::<Vec<_>>();
        let mut told = serde_json::json!({ "driver": drivers.get(driver), "axes": listed(input.axes()) });
        if !input.shifts().is_empty() {
            told["shifts"] = serde_json::json!(listed(input.shifts()));
        }
        (input.count() > 0).then_some(told)
    };
    let basis = match &controllers.basis {
        ControllerBasis::Monomials(products) => serde_json::json!({ "polynomial": chained(products) }),
        ControllerBasis::Radial { scales, centers } => {
            let narrow = |number: &f64| *number as f32;
            let scales: Vec<f32> = scales.iter().map(narrow).collect();
            let centers: Vec<f32> = centers.iter().flatten().map(narrow).collect();
            serde_json::json!({ "radial": { "scales": scales, "centers": centers } })
        }
    };
    let helper = |helper: &sinew_fit::HelperController| {
        let used = helper.coefficients.chunks(7).enumerate().filter(|(_, row)| row.iter().any(|x| *x != 0.0));
        serde_json::json!({
            "parent": drivers.get(helper.frame.parent),
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

/// Each product as an earlier function and the input that it is multiplied with. A fit's functions hold all that lead to them.
fn chained(products: &[Vec<u16>]) -> Vec<[usize; 2]> {
    let mut places: HashMap<&[u16], usize> = HashMap::from([(&[][..], 0)]);
    let mut pairs = Vec::new();
    for (at, product) in products.iter().enumerate() {
        places.insert(product, at + 1);
        let (input, before) = product.split_last().map_or((0, &[][..]), |(last, before)| (*last, before));
        pairs.push([places.get(before).copied().unwrap_or(0), usize::from(input)]);
    }
    pairs
}
