//! Functions of the inputs; their weighted sums give the poses of helpers.
//!
//! Polynomials after \[Mukai15\] Eq. 9, whose monomials stay within a driver; monomials across drivers are available too, and are the
//! default. Radial functions are the other kind.

use serde::{Deserialize, Serialize};

/// Distance at which a radial function has fallen to 1/e, in mean gaps between neighboring centers. Smaller leaves holes between centers;
/// larger makes functions so similar that coefficients grow. A usual value; no others were tried.
const RADIAL_REACH: f64 = 2.0;

/// The functions. Function 0 is the constant 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ControllerBasis {
    /// Products of inputs: function `i + 1` is the product of the inputs in entry `i`, which may repeat.
    Monomials(Vec<Vec<u16>>),
    /// The inputs themselves, then `exp(−Σ (sᵢ xᵢ − cᵢ)²)` for each center.
    Radial {
        /// s, one per input.
        scales: Vec<f64>,
        /// c, one list per center, each one per input.
        centers: Vec<Vec<f64>>,
    },
}

impl Default for ControllerBasis {
    fn default() -> Self {
        Self::Monomials(Vec::new())
    }
}

impl ControllerBasis {
    /// All monomials from degree 1 to `degree`. `inputs_by_driver`: number of inputs of each driver.
    pub fn polynomial(inputs_by_driver: &[usize], degree: usize, across_drivers: bool) -> Self {
        let owners: Vec<usize> =
            inputs_by_driver.iter().enumerate().flat_map(|(driver, &count)| vec![driver; count]).collect();
        let mut products: Vec<Vec<u16>> = Vec::new();
        let mut last: Vec<Vec<u16>> = vec![Vec::new()];
        for _ in 0..degree {
            let mut next = Vec::new();
            for product in &last {
                let from = product.last().map_or(0, |&input| usize::from(input));
                for (input, owner) in owners.iter().enumerate().skip(from) {
                    if product.is_empty() || across_drivers || owners[from] == *owner {
                        next.push([&product[..], &[input as u16]].concat());
                    }
                }
            }
            products.extend_from_slice(&next);
            last = next;
        }
        Self::Monomials(products)
    }

    /// Radial functions at `count` distant samples. `inputs`: samples of `width` numbers. Scales and centers are rounded to 32 bits, the
    /// precision of most runtimes.
    pub fn radial(inputs: &[f64], width: usize, count: usize) -> Self {
        if width == 0 || inputs.is_empty() {
            return Self::default();
        }
        let spread = |input: usize| {
            let column = || inputs.chunks(width).map(|sample| sample[input]);
            let (least, most) =
                column().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            if most > least { 1.0 / (most - least) } else { 0.0 }
        };
        let scales: Vec<f64> = (0..width).map(spread).collect();
        let scaled =
            |sample: &[f64]| -> Vec<f64> { sample.iter().zip(&scales).map(|(x, s)| x * s).collect() };
        let samples: Vec<Vec<f64>> = inputs.chunks_exact(width).map(scaled).collect();
        let centers = far_apart(&samples, count);
        // Functions reach about as far as the distance between centers.
        let gaps = centers.iter().map(|center| {
            let others = centers.iter().map(|other| square(center, other)).filter(|&gap| gap > 0.0);
            others.fold(f64::INFINITY, f64::min)
        });
        let gaps: Vec<f64> = gaps.filter(|gap| gap.is_finite()).collect();
        let reach = if gaps.is_empty() { 1.0 } else { (gaps.iter().sum::<f64>() / gaps.len() as f64).sqrt() };
        let factor = 1.0 / (RADIAL_REACH * reach);
        let reached = |numbers: &[f64]| numbers.iter().map(|x| f64::from((x * factor) as f32)).collect();
        Self::Radial {
            scales: reached(&scales),
            centers: centers.iter().map(|center| reached(center)).collect(),
        }
    }

    /// Number of functions, including the constant.
    pub fn function_count(&self) -> usize {
        match self {
            Self::Monomials(products) => 1 + products.len(),
            Self::Radial { scales, centers } => 1 + scales.len() + centers.len(),
        }
    }

    /// All functions of the inputs. Overwrites `values`, which must have room for all.
    pub fn values_into(&self, inputs: &[f64], values: &mut [f64]) {
        values[0] = 1.0;
        match self {
            Self::Monomials(products) => {
                for (value, product) in values[1..].iter_mut().zip(products) {
                    *value = product.iter().map(|&input| inputs[usize::from(input)]).product();
                }
            }
            Self::Radial { scales, centers } => {
                let (own, round) = values[1..].split_at_mut(inputs.len());
                own.copy_from_slice(inputs);
                for (value, center) in round.iter_mut().zip(centers) {
                    let parts = center.iter().zip(scales).zip(inputs);
                    let square: f64 = parts.map(|((c, s), x)| (s * x - c) * (s * x - c)).sum();
                    *value = (-square).exp();
                }
            }
        }
    }
}

fn square(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// Up to `count` of the samples (at least one): the first, then always the one farthest from the previous ones.
fn far_apart(samples: &[Vec<f64>], count: usize) -> Vec<Vec<f64>> {
    let mut centers = vec![samples[0].clone()];
    let mut nearest = vec![f64::INFINITY; samples.len()];
    while centers.len() < count.min(samples.len()) {
        let newest = &centers[centers.len() - 1];
        for (sample, distance) in samples.iter().zip(&mut nearest) {
            *distance = distance.min(square(sample, newest));
        }
        let far = (0..samples.len()).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]).then(b.cmp(&a)));
        match far.filter(|&far| nearest[far] > 0.0) {
            Some(far) => centers.push(samples[far].clone()),
            None => break,
        }
    }
    centers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_products_and_bells() {
        let mut values = [0.0; 4];
        ControllerBasis::Monomials(vec![vec![1], vec![0, 1], vec![1, 1, 1]])
            .values_into(&[3.0, 2.0], &mut values);
        assert_eq!(values, [1.0, 2.0, 6.0, 8.0]);
        let radial = ControllerBasis::Radial { scales: vec![1.0, 0.5], centers: vec![vec![3.0, 0.0]] };
        assert_eq!(radial.function_count(), 4);
        radial.values_into(&[3.0, 2.0], &mut values);
        assert_eq!(values[..3], [1.0, 3.0, 2.0]);
        assert!((values[3] - (-1.0f64).exp()).abs() < 1e-15, "{values:?}");
    }

    #[test]
    fn monomials_are_all_there_are() {
        // Five inputs of three drivers: 21 and 56 with products across drivers; within drivers 1 + 9 + 2 + 2 and 1 + 19 + 3 + 3.
        for (degree, across, expected) in
            [(1, true, 6), (2, true, 21), (3, true, 56), (2, false, 14), (3, false, 26)]
        {
            let basis = ControllerBasis::polynomial(&[3, 1, 1], degree, across);
            assert_eq!(basis.function_count(), expected, "degree {degree}, across {across}");
        }
        let mut values = [0.0; 6];
        ControllerBasis::polynomial(&[2], 2, true).values_into(&[3.0, 5.0], &mut values);
        assert_eq!(values, [1.0, 3.0, 5.0, 9.0, 15.0, 25.0]);
    }
}
