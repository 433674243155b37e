//! Controllers of helper bones: the extension `SINEW_helper_controllers`.

use super::{Writer, set_or_remove};
use crate::gltf::controller_keys::{CONTROLLER_EXTENSION, MEMBERS};
use glam::DVec3;
use serde_json::{Map, Value, json};
use sinew_rig::{
    ControllerBasis, ControllerDriver, HELPER_NUMBERS, HelperController, HelperControllers, MorphController,
    Swing,
};

impl Writer {
    /// Writes the extension if it changed; keeps unknown members.
    pub(super) fn update_controllers(&mut self, before: &HelperControllers, controllers: &HelperControllers) {
        if before == controllers {
            return;
        }
        let mut entry = self.document_extension(CONTROLLER_EXTENSION);
        MEMBERS.iter().for_each(|member| set_or_remove(&mut entry, member, None));
        if !controllers.is_empty() {
            fill(&mut entry, controllers);
        }
        let is_empty = entry.as_object().is_some_and(Map::is_empty);
        self.set_document_extension(CONTROLLER_EXTENSION, (!is_empty).then_some(entry));
    }
}

fn fill(entry: &mut Value, controllers: &HelperControllers) {
    entry["drivers"] = controllers.drivers.iter().map(driver).collect();
    match &controllers.basis {
        ControllerBasis::Monomials(products) => entry["monomials"] = json!(products),
        ControllerBasis::Radial { scales, centers } => {
            let centers: Vec<Vec<Value>> = centers.iter().map(|center| short(center)).collect();
            entry["radial"] = json!({ "scales": short(scales), "centers": centers });
        }
    }
    entry["helpers"] = controllers.helpers.iter().map(helper).collect();
    if !controllers.morphs.is_empty() {
        entry["correctives"] = controllers.morphs.iter().map(corrective).collect();
    }
}

fn driver(driver: &ControllerDriver) -> Value {
    let mut entry = json!({ "node": driver.bone.index() });
    let vectors = |list: &[DVec3]| -> Value {
        list.iter().map(|vector| Value::from(short(&vector.to_array()))).collect()
    };
    if driver.axes != DVec3::AXES {
        entry["axes"] = vectors(&driver.axes);
    }
    if !driver.shifts.is_empty() {
        entry["shifts"] = vectors(&driver.shifts);
    }
    entry
}

fn helper(helper: &HelperController) -> Value {
    let last = HELPER_NUMBERS - 1;
    let width = last + usize::from(helper.terms.iter().any(|(_, row)| row[last] != 0.0));
    let functions: Vec<u16> = helper.terms.iter().map(|(function, _)| *function).collect();
    let rows: Vec<Vec<Value>> = helper.terms.iter().map(|(_, row)| short(&row[..width])).collect();
    let mut entry = json!({ "node": helper.bone.index(), "functions": functions, "coefficients": rows });
    if let Some(Swing { spring, gains }) = &helper.swing {
        let width = last + usize::from(gains.iter().any(|row| row[last] != 0.0));
        entry["swing"] = json!({
            "frequency": spring.frequency_hz,
            "damping": spring.damping,
            "limit": spring.limit,
            "gains": gains.each_ref().map(|row| short(&row[..width])),
        });
    }
    entry
}

fn corrective(morph: &MorphController) -> Value {
    let (functions, factors): (Vec<u16>, Vec<f64>) = morph.terms.iter().copied().unzip();
    json!({
        "mesh": morph.mesh.index(),
        "morph": morph.morph,
        "functions": functions,
        "coefficients": short(&factors),
    })
}

/// Numbers in short form: whole numbers, mostly 0, without a decimal point.
fn short(numbers: &[f64]) -> Vec<Value> {
    let is_whole = |number: f64| number.fract() == 0.0 && number.abs() < MOST_WHOLE;
    numbers
        .iter()
        .map(|&number| if is_whole(number) { json!(number as i64) } else { json!(number) })
        .collect()
}

/// Larger numbers are written with a point.
const MOST_WHOLE: f64 = 1e6;
