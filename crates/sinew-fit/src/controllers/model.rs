//! Controllers as they are fitted and edited: 64 bits, one table of coefficients a helper.

use glam::DAffine3;
use serde::{Deserialize, Serialize};
use sinew_rig::{ControllerBasis, DriverChange, HELPER_NUMBERS};

use super::frame::HelperFrame;
use super::inputs::DriverInput;

/// How one helper follows the drivers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HelperController {
    /// Where it rests and what it hangs on.
    pub frame: HelperFrame,
    /// For each function of the basis seven numbers: shift of the center along the parent's axes at rest (rest space), log-quaternion
    /// relative to the parent, logarithm of the uniform scale.
    pub coefficients: Vec<f64>,
}

/// The controllers of all helpers. Plain data: may be stored with any serde format, edited and read back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Controllers {
    /// What each driver tells, one per driver.
    pub inputs: Vec<DriverInput>,
    /// The functions that are weighed.
    pub basis: ControllerBasis,
    /// One per helper.
    pub helpers: Vec<HelperController>,
}

/// Why controllers cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ControllersError {
    /// A helper with a table of another length.
    #[error("expected {expected} coefficients for helper {helper}, 7 per function, found {found}")]
    Coefficients { helper: usize, found: usize, expected: usize },
    /// A coefficient that is no number.
    #[error("coefficient {at} of helper {helper} is not finite")]
    NotFinite { helper: usize, at: usize },
    /// A parent that does not exist.
    #[error("driver {parent} of helper {helper} does not exist; there are {driver_count}")]
    Parent { helper: usize, parent: usize, driver_count: usize },
    /// A driver that gives ways, where only rotations are known.
    #[error("driver {driver} gives the way that it moves; only rotations are known here")]
    Shifts { driver: usize },
    /// Inputs that do not exist.
    #[error("function {at} of the basis has an input that does not exist")]
    Term { at: usize },
}

impl Controllers {
    /// Checks what was read or edited.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ControllersError> {
        let input_count: usize = self.inputs.iter().map(DriverInput::count).sum();
        match &self.basis {
            ControllerBasis::Monomials(products) => {
                let is_bad =
                    |product: &Vec<u16>| product.iter().any(|input| usize::from(*input) >= input_count);
                if let Some(at) = products.iter().position(is_bad) {
                    return Err(ControllersError::Term { at: at + 1 });
                }
            }
            ControllerBasis::Radial { scales, centers } => {
                if scales.len() != input_count || centers.iter().any(|center| center.len() != input_count) {
                    return Err(ControllersError::Term { at: 1 + input_count });
                }
            }
        }
        let expected = self.basis.function_count() * HELPER_NUMBERS;
        for (helper, controller) in self.helpers.iter().enumerate() {
            let (found, parent) = (controller.coefficients.len(), controller.frame.parent);
            if found != expected {
                return Err(ControllersError::Coefficients { helper, found, expected });
            }
            if parent >= self.inputs.len() {
                return Err(ControllersError::Parent { helper, parent, driver_count: self.inputs.len() });
            }
            if let Some(at) = controller.coefficients.iter().position(|value| !value.is_finite()) {
                return Err(ControllersError::NotFinite { helper, at });
            }
        }
        Ok(())
    }

    /// Coefficients that are not 0.
    pub fn coefficient_count(&self) -> usize {
        let of = |controller: &HelperController| {
            controller.coefficients.iter().filter(|value| **value != 0.0).count()
        };
        self.helpers.iter().map(of).sum()
    }

    /// Skinning matrices of all helpers in a pose. `changes`: what each driver does in its parent relative to bind. `drivers`: skinning matrices of each.
    pub fn posed_from_rest(&self, changes: &[DriverChange], drivers: &[DAffine3]) -> Vec<DAffine3> {
        let values = self.values(changes);
        let matrix = |controller: &HelperController| {
            let numbers = controller.numbers(&values);
            controller.frame.matrix(&controller.frame.parent_pose(drivers), &numbers)
        };
        self.helpers.iter().map(matrix).collect()
    }

    /// Values of the basis in a pose, the constant first.
    pub fn values(&self, changes: &[DriverChange]) -> Vec<f64> {
        basis_values(&self.inputs, &self.basis, changes)
    }
}

impl HelperController {
    /// The helper's pose for values of the basis.
    pub(crate) fn numbers(&self, values: &[f64]) -> [f64; HELPER_NUMBERS] {
        let mut numbers = [0.0; HELPER_NUMBERS];
        for (value, row) in values.iter().zip(self.coefficients.chunks(HELPER_NUMBERS)) {
            numbers.iter_mut().zip(row).for_each(|(number, coefficient)| *number += value * coefficient);
        }
        numbers
    }
}

/// Values of a basis in a pose, the constant first.
pub(crate) fn basis_values(
    inputs: &[DriverInput],
    basis: &ControllerBasis,
    changes: &[DriverChange],
) -> Vec<f64> {
    let mut values = vec![0.0; basis.function_count()];
    basis.values_into(&input_numbers(inputs, changes), &mut values);
    values
}

/// The numbers that all drivers tell.
pub(crate) fn input_numbers(inputs: &[DriverInput], changes: &[DriverChange]) -> Vec<f64> {
    let mut numbers = Vec::new();
    inputs.iter().zip(changes).for_each(|(input, &change)| input.extend(change, &mut numbers));
    numbers
}
