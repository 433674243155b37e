//! Checks controllers.

use super::{ControllerBasis, HelperControllers};
use crate::{BoneId, CharacterParts, Problem};
use glam::DVec3;

/// Reports everything that is wrong with the controllers.
pub(crate) fn check(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    let controllers = &parts.controllers;
    let mut report = |what: String| problems.push(Problem::Controllers { what });
    check_drivers(parts, controllers, &mut report);
    check_basis(controllers, &mut report);
    check_helpers(parts, controllers, &mut report);
    check_morphs(parts, controllers, &mut report);
}

fn check_drivers(parts: &CharacterParts, controllers: &HelperControllers, report: &mut dyn FnMut(String)) {
    let is_helper = |bone: BoneId| controllers.helpers.iter().any(|helper| helper.bone == bone);
    for (index, driver) in controllers.drivers.iter().enumerate() {
        let bone = driver.bone;
        if bone.index() >= parts.bones.len() {
            report(format!("driver {index} is bone {bone}, which does not exist"));
            continue;
        }
        let is_axis = |axis: &DVec3| axis.is_finite() && *axis != DVec3::ZERO;
        let is_list = |list: &[DVec3]| list.len() <= 3 && list.iter().all(is_axis);
        if driver.input_count() == 0 || !is_list(&driver.axes) || !is_list(&driver.shifts) {
            report(format!(
                "driver {index} (bone {bone}) needs one to three axes or shifts, finite and not zero"
            ));
        }
        // Cyclic skeletons are rejected elsewhere: at most as many steps as bones.
        let mut above = Some(bone);
        for _ in 0..=parts.bones.len() {
            let Some(at) = above.filter(|at| at.index() < parts.bones.len()) else { break };
            if is_helper(at) {
                report(format!(
                    "driver {index} (bone {bone}) is helper {at} or below it; helpers cannot be drivers"
                ));
                break;
            }
            above = parts.bones[at.index()].parent;
        }
    }
}

fn check_basis(controllers: &HelperControllers, report: &mut dyn FnMut(String)) {
    let inputs = controllers.input_count();
    if controllers.function_count() > usize::from(u16::MAX) {
        report(format!("{} functions exceed the maximum of {}", controllers.function_count(), u16::MAX));
    }
    match &controllers.basis {
        ControllerBasis::Monomials(products) => {
            for (at, product) in products.iter().enumerate() {
                if let Some(input) = product.iter().find(|input| usize::from(**input) >= inputs) {
                    report(format!("monomial {at} uses input {input}, but the drivers have {inputs}"));
                }
            }
        }
        ControllerBasis::Radial { scales, centers } => {
            let is_good = |list: &[f64]| list.len() == inputs && list.iter().all(|number| number.is_finite());
            if !is_good(scales) {
                report(format!("radial scales must be {inputs} finite numbers, one per input"));
            }
            if let Some(at) = centers.iter().position(|center| !is_good(center)) {
                report(format!("radial center {at} must be {inputs} finite numbers, one per input"));
            }
        }
    }
}

fn check_helpers(parts: &CharacterParts, controllers: &HelperControllers, report: &mut dyn FnMut(String)) {
    let functions = controllers.function_count();
    for (index, helper) in controllers.helpers.iter().enumerate() {
        let place = format!("helper {index} (bone {})", helper.bone);
        if helper.bone.index() >= parts.bones.len() {
            report(format!("{place}: its bone does not exist"));
        }
        if controllers.helpers[..index].iter().any(|other| other.bone == helper.bone) {
            report(format!("{place}: another helper has the same bone"));
        }
        for (at, (function, row)) in helper.terms.iter().enumerate() {
            if usize::from(*function) >= functions {
                report(format!("{place}: term {at} uses function {function}, but there are {functions}"));
            }
            if row.iter().any(|coefficient| !coefficient.is_finite()) {
                report(format!("{place}: term {at} has a coefficient that is not finite"));
            }
        }
        if helper.swing.is_some_and(|swing| !swing.is_valid()) {
            report(format!(
                "{place}: its swing is invalid; frequency, damping and limit must be above 0, gains finite"
            ));
        }
    }
}

fn check_morphs(parts: &CharacterParts, controllers: &HelperControllers, report: &mut dyn FnMut(String)) {
    let functions = controllers.function_count();
    for (index, morph) in controllers.morphs.iter().enumerate() {
        let morphs = parts.meshes.get(morph.mesh.index()).map_or(0, |mesh| mesh.morphs.len());
        if morph.morph as usize >= morphs {
            report(format!("corrective {index}: mesh {} has no morph {}", morph.mesh, morph.morph));
        }
        for (at, (function, factor)) in morph.terms.iter().enumerate() {
            if usize::from(*function) >= functions {
                report(format!(
                    "corrective {index}: term {at} uses function {function}, but there are {functions}"
                ));
            }
            if !factor.is_finite() {
                report(format!("corrective {index}: term {at} has a factor that is not finite"));
            }
        }
    }
}
