//! Controllers of a fit as those of a character.

use glam::DVec3;
use sinew_fit::Controllers;
use sinew_geometry::Spring;
use sinew_rig::{
    BoneId, ControllerBasis, ControllerDriver, HELPER_NUMBERS, HelperController, HelperControllers, Swing,
};

/// Significant digits of a coefficient: as many as 32 bits hold. More would only make files larger.
const DIGITS: usize = 7;

/// A driver's inputs, or functions of them, that nobody uses are left out.
pub(super) fn convert(
    controllers: &Controllers,
    drivers: &[BoneId],
    helpers: &[BoneId],
) -> HelperControllers {
    let rows = |helper: &sinew_fit::HelperController| -> Vec<[f64; HELPER_NUMBERS]> {
        let chunks = helper.coefficients.chunks_exact(HELPER_NUMBERS);
        chunks.map(|row| std::array::from_fn(|at| rounded(row[at]))).collect()
    };
    let tables: Vec<_> = controllers.helpers.iter().map(rows).collect();
    let is_used: Vec<bool> = (0..controllers.basis.function_count())
        .map(|function| tables.iter().any(|table| is_row(&table[function])))
        .collect();
    let (basis, new_index) = basis_of(&controllers.basis, &is_used);
    let told = controllers.inputs.iter().zip(drivers).filter(|(input, _)| input.count() > 0);
    let terms = |table: &Vec<[f64; HELPER_NUMBERS]>| {
        let used = table.iter().enumerate().filter(|(_, row)| is_row(row));
        used.map(|(function, row)| (new_index[function], *row)).collect()
    };
    HelperControllers {
        drivers: told
            .map(|(input, &bone)| ControllerDriver {
                bone,
                axes: rounded_axes(input.axes()),
                shifts: rounded_axes(input.shifts()),
            })
            .collect(),
        basis,
        helpers: tables
            .iter()
            .zip(helpers)
            .map(|(table, &bone)| HelperController { bone, terms: terms(table), swing: None })
            .collect(),
        morphs: Vec::new(),
    }
}

/// The swing of a fit as that of a character: a helper's axes at rest are those of the rest space.
pub(super) fn convert_swing(swing: &Swing) -> Swing {
    let Spring { frequency_hz, damping, limit } = swing.spring;
    Swing {
        spring: Spring { frequency_hz, damping, limit: rounded(limit) },
        gains: swing.gains.map(|row| std::array::from_fn(|at| rounded(row[at]))),
    }
}

/// The nearest number of few digits.
pub(super) fn rounded(number: f64) -> f64 {
    format!("{number:.*e}", DIGITS - 1).parse().unwrap_or(number)
}

fn is_row(row: &[f64; HELPER_NUMBERS]) -> bool {
    row.iter().any(|number| *number != 0.0)
}

fn rounded_axes(axes: Vec<DVec3>) -> Vec<DVec3> {
    axes.iter().map(|axis| DVec3::from_array(axis.to_array().map(rounded))).collect()
}

/// The basis with the functions that are used, and the new index of each function. Inputs and bells of a radial basis all stay.
fn basis_of(basis: &ControllerBasis, is_used: &[bool]) -> (ControllerBasis, Vec<u16>) {
    match basis {
        ControllerBasis::Monomials(products) => {
            let mut new_index = vec![0];
            let mut kept = Vec::new();
            for (product, is_used) in products.iter().zip(&is_used[1..]) {
                new_index.push(kept.len() as u16 + 1);
                if *is_used {
                    kept.push(product.clone());
                }
            }
            (ControllerBasis::Monomials(kept), new_index)
        }
        ControllerBasis::Radial { scales, centers } => {
            let short = |numbers: &Vec<f64>| numbers.iter().copied().map(rounded).collect();
            let basis = ControllerBasis::Radial {
                scales: short(scales),
                centers: centers.iter().map(short).collect(),
            };
            (basis, (0..is_used.len() as u16).collect())
        }
    }
}
