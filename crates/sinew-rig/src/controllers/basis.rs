//! Functions of the inputs whose weighted sums are what helpers do.

/// The functions. Function 0 is the constant 1.
#[derive(Clone, Debug, PartialEq)]
pub enum ControllerBasis {
    /// Products of inputs: function `i + 1` is the product of the inputs that entry `i` lists, each as often as it is listed.
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
    /// How many functions there are, with the constant.
    #[must_use]
    pub fn function_count(&self, input_count: usize) -> usize {
        match self {
            Self::Monomials(products) => 1 + products.len(),
            Self::Radial { centers, .. } => 1 + input_count + centers.len(),
        }
    }

    /// All functions of the inputs. `values` is overwritten and has room for all.
    pub(crate) fn values_into(&self, inputs: &[f64], values: &mut [f64]) {
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
        assert_eq!(radial.function_count(2), 4);
        radial.values_into(&[3.0, 2.0], &mut values);
        assert_eq!(values[..3], [1.0, 3.0, 2.0]);
        assert!((values[3] - (-1.0f64).exp()).abs() < 1e-15, "{values:?}");
    }
}
