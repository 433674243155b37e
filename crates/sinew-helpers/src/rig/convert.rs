//! Controllers of a fit as those of a character.

use glam::DVec3;
use sinew_fit::{Basis, Controllers, DriverInput};
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
    let is_used: Vec<bool> = (0..controllers.basis.len())
        .map(|function| function == 0 || tables.iter().any(|table| is_row(&table[function])))
        .collect();
    let (basis, new_index) = basis_of(&controllers.basis, &is_used);
    let told = controllers.inputs.iter().zip(drivers).filter(|(input, _)| input.count() > 0);
    let terms = |table: &Vec<[f64; HELPER_NUMBERS]>| {
        let used = table.iter().enumerate().filter(|(_, row)| is_row(row));
        used.map(|(function, row)| (new_index[function], *row)).collect()
    };
    HelperControllers {
        drivers: told.map(|(input, &bone)| ControllerDriver { bone, axes: axes_of(input) }).collect(),
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
pub(super) fn convert_swing(swing: &sinew_fit::Swing) -> Swing {
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

fn axes_of(input: &DriverInput) -> Vec<DVec3> {
    let axes = match input {
        DriverInput::None => vec![],
        DriverInput::Hinge(axis) => vec![*axis],
        DriverInput::Universal(first, second) => vec![*first, *second],
        DriverInput::Ball => vec![DVec3::X, DVec3::Y, DVec3::Z],
    };
    axes.iter().map(|axis| DVec3::from_array(axis.to_array().map(rounded))).collect()
}

/// The basis with the functions that are used, and the new index of each function. Inputs and bells of a radial basis all stay.
fn basis_of(basis: &Basis, is_used: &[bool]) -> (ControllerBasis, Vec<u16>) {
    match basis {
        Basis::Polynomial { terms } => {
            let mut products: Vec<Vec<u16>> = vec![Vec::new()];
            for term in terms {
                let mut product = products[usize::from(term.of)].clone();
                product.push(term.input);
                products.push(product);
            }
            let mut new_index = Vec::with_capacity(products.len());
            let mut kept = Vec::new();
            for (function, product) in products.into_iter().enumerate() {
                new_index.push(kept.len() as u16 + u16::from(function > 0));
                if function > 0 && is_used[function] {
                    kept.push(product);
                }
            }
            (ControllerBasis::Monomials(kept), new_index)
        }
        Basis::Radial { scales, centers } => {
            let wide = |numbers: &[f32]| numbers.iter().map(|&number| rounded(f64::from(number))).collect();
            let basis = ControllerBasis::Radial {
                scales: wide(scales),
                centers: centers.chunks(scales.len().max(1)).map(wide).collect(),
            };
            (basis, (0..is_used.len()).map(|function| function as u16).collect())
        }
    }
}
