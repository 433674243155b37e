//! Functions of the inputs whose weighted sums are the controllers.
//!
//! Polynomials after \[Mukai15\] Eq. 9, whose monomials stay within a driver; monomials across drivers are offered too, and are the
//! default. Radial functions are the other kind.

use serde::{Deserialize, Serialize};

/// A product of inputs: an earlier term times an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// Index of the term of one degree less; 0 is the constant.
    pub of: u16,
    /// Index of the input.
    pub input: u16,
}

/// The functions; the first is always the constant 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Basis {
    /// Monomials; `terms[i]` is function `i + 1`.
    Polynomial {
        /// Each by an earlier one.
        terms: Vec<Term>,
    },
    /// The inputs themselves, then `exp(−|x − center|²)` with inputs scaled.
    Radial {
        /// Factor of each input before distances are taken.
        scales: Vec<f32>,
        /// Scaled inputs of each center, one center after the other.
        centers: Vec<f32>,
    },
}

impl Basis {
    /// All monomials from degree 1 to `degree`. `inputs_by_driver`: how many inputs each driver has.
    #[must_use]
    pub fn polynomial(inputs_by_driver: &[usize], degree: usize, across_drivers: bool) -> Self {
        let owners: Vec<usize> =
            inputs_by_driver.iter().enumerate().flat_map(|(driver, &count)| vec![driver; count]).collect();
        let mut terms: Vec<Term> = Vec::new();
        // (term, last input, its driver) of the degree before.
        let mut last: Vec<(u16, usize)> = vec![(0, 0)];
        for level in 0..degree {
            let mut next = Vec::new();
            for &(of, from) in &last {
                for (input, owner) in owners.iter().enumerate().skip(from) {
                    if level == 0 || across_drivers || owners[from] == *owner {
                        terms.push(Term { of, input: input as u16 });
                        next.push((terms.len() as u16, input));
                    }
                }
            }
            last = next;
        }
        Self::Polynomial { terms }
    }

    /// Radial functions round `count` of the samples that lie far apart. `inputs`: samples of `width` numbers.
    #[must_use]
    pub fn radial(inputs: &[f64], width: usize, count: usize) -> Self {
        if width == 0 || inputs.is_empty() {
            return Self::Polynomial { terms: Vec::new() };
        }
        let sample_count = inputs.len() / width;
        let spread = |input: usize| {
            let column = || inputs.chunks(width).map(|sample| sample[input]);
            let (least, most) =
                column().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            if most > least { 1.0 / (most - least) } else { 0.0 }
        };
        let scales: Vec<f64> = (0..width).map(spread).collect();
        let scaled = |sample: usize| -> Vec<f64> {
            inputs[sample * width..][..width].iter().zip(&scales).map(|(x, s)| x * s).collect()
        };
        let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
        let mut centers: Vec<Vec<f64>> = vec![scaled(0)];
        let mut nearest = vec![f64::INFINITY; sample_count];
        while centers.len() < count.min(sample_count) {
            let newest = &centers[centers.len() - 1];
            for (sample, distance) in nearest.iter_mut().enumerate() {
                *distance = distance.min(square(&scaled(sample), newest));
            }
            let far = (0..sample_count).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]).then(b.cmp(&a)));
            let far = far.unwrap_or(0);
            if nearest[far] <= 0.0 {
                break;
            }
            centers.push(scaled(far));
        }
        // Functions reach about as far as centers lie apart.
        let gaps = centers.iter().map(|center| {
            let others = centers.iter().map(|other| square(center, other)).filter(|&gap| gap > 0.0);
            others.fold(f64::INFINITY, f64::min)
        });
        let gaps: Vec<f64> = gaps.filter(|gap| gap.is_finite()).collect();
        let reach = if gaps.is_empty() { 1.0 } else { (gaps.iter().sum::<f64>() / gaps.len() as f64).sqrt() };
        let factor = 1.0 / (RADIAL_REACH * reach);
        Self::Radial {
            scales: scales.iter().map(|scale| (scale * factor) as f32).collect(),
            centers: centers.iter().flatten().map(|x| (x * factor) as f32).collect(),
        }
    }

    /// Number of functions, with the constant.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Polynomial { terms } => 1 + terms.len(),
            Self::Radial { scales, centers } => 1 + scales.len() + centers.len() / scales.len().max(1),
        }
    }

    /// Whether there is only the constant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// Appends the values of all functions.
    pub(crate) fn extend(&self, inputs: &[f64], values: &mut Vec<f64>) {
        let start = values.len();
        values.push(1.0);
        match self {
            Self::Polynomial { terms } => {
                for term in terms {
                    values.push(values[start + usize::from(term.of)] * inputs[usize::from(term.input)]);
                }
            }
            Self::Radial { scales, centers } => {
                values.extend_from_slice(inputs);
                for center in centers.chunks(scales.len().max(1)) {
                    let parts = center.iter().zip(scales).zip(inputs);
                    let square: f64 =
                        parts.map(|((&c, &s), x)| (x * f64::from(s) - f64::from(c)).powi(2)).sum();
                    values.push((-square).exp());
                }
            }
        }
    }

    /// The values in 32 bits, without allocating; `values` has room for `len()`.
    pub(crate) fn write(&self, inputs: &[f32], values: &mut [f32]) {
        values[0] = 1.0;
        match self {
            Self::Polynomial { terms } => {
                for (at, term) in terms.iter().enumerate() {
                    values[at + 1] = values[usize::from(term.of)] * inputs[usize::from(term.input)];
                }
            }
            Self::Radial { scales, centers } => {
                let width = scales.len();
                values[1..=width].copy_from_slice(&inputs[..width]);
                for (value, center) in values[1 + width..].iter_mut().zip(centers.chunks(width.max(1))) {
                    let parts = center.iter().zip(scales).zip(inputs);
                    let square: f32 = parts.map(|((c, s), x)| (x * s - c) * (x * s - c)).sum();
                    *value = (-square).exp();
                }
            }
        }
    }
}

/// Distance at which a radial function has fallen to 1/e, in mean gaps between neighboring centers. Smaller values leave holes between
/// centers, larger ones make functions so alike that coefficients grow. The value is a usual one; no others were tried.
const RADIAL_REACH: f64 = 2.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monomials_are_all_there_are() {
        // Five inputs of three drivers: 21 and 56 with products across drivers; within drivers 1 + 9 + 2 + 2 and 1 + 19 + 3 + 3.
        for (degree, across, expected) in
            [(1, true, 6), (2, true, 21), (3, true, 56), (2, false, 14), (3, false, 26)]
        {
            let basis = Basis::polynomial(&[3, 1, 1], degree, across);
            assert_eq!(basis.len(), expected, "degree {degree}, across {across}");
        }
        let mut values = Vec::new();
        Basis::polynomial(&[2], 2, true).extend(&[3.0, 5.0], &mut values);
        assert_eq!(values, [1.0, 3.0, 5.0, 9.0, 15.0, 25.0]);
    }

    #[test]
    fn both_precisions_agree() {
        let inputs = [0.3, -0.8, 0.1, 0.5, 0.2, -0.4];
        for basis in [Basis::polynomial(&[1, 1], 3, true), Basis::radial(&inputs, 2, 3)] {
            let (mut wide, mut narrow) = (Vec::new(), vec![0.0; basis.len()]);
            basis.extend(&[0.25, -0.5], &mut wide);
            basis.write(&[0.25, -0.5], &mut narrow);
            assert!(
                wide.len() == basis.len()
                    && wide.iter().zip(&narrow).all(|(a, b)| (a - f64::from(*b)).abs() < 1e-6)
            );
        }
    }
}
