//! Finds the modes of many fitted lists: principal components by the surface's own distances.

use crate::fit::{FitError, PairedFit};

/// Modes of a set of lists.
#[derive(Clone, Debug)]
pub struct Modes {
    /// The middle of the lists.
    pub mean: Vec<f64>,
    /// Changes of the list, one a mode, largest first; one unit is one standard deviation of the lists.
    pub modes: Vec<Vec<f64>>,
    /// Amounts of each mode in each list.
    pub amounts: Vec<Vec<f64>>,
}

impl Modes {
    /// The modes of lists in one pose.
    ///
    /// # Errors
    /// If a list cannot be built.
    pub fn of(fit: &PairedFit, lists: &[Vec<f64>], count: usize) -> Result<Self, FitError> {
        let share = 1.0 / lists.len() as f64;
        let mean: Vec<f64> =
            (0..lists[0].len()).map(|place| lists.iter().map(|list| share * list[place]).sum()).collect();
        let places = lists.iter().map(|list| surface(fit, list)).collect::<Result<Vec<_>, _>>()?;
        let middle: Vec<f64> =
            (0..places[0].len()).map(|k| places.iter().map(|place| share * place[k]).sum()).collect();
        let away: Vec<Vec<f64>> =
            places.iter().map(|place| place.iter().zip(&middle).map(|(a, b)| a - b).collect()).collect();
        let size = lists.len();
        let mut matrix = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                let sum: f64 = away[i].iter().zip(&away[j]).map(|(a, b)| a * b).sum();
                (matrix[i * size + j], matrix[j * size + i]) = (sum, sum);
            }
        }
        let (_, vectors) = eigen(size, matrix);
        let mut modes = Modes { mean, modes: Vec::new(), amounts: vec![Vec::new(); size] };
        for vector in vectors.iter().take(count.min(size - 1)) {
            // Lists combine to the mode: Σ v_k (x_k − mean) has the length √λ = deviation √n.
            let factor = (size as f64).sqrt().recip();
            let change = |place: usize| -> f64 {
                let parts = lists.iter().enumerate();
                factor * parts.map(|(k, list)| vector[k] * (list[place] - modes.mean[place])).sum::<f64>()
            };
            modes.modes.push((0..lists[0].len()).map(change).collect());
            for (k, amounts) in modes.amounts.iter_mut().enumerate() {
                amounts.push(vector[k] * (size as f64).sqrt());
            }
        }
        Ok(modes)
    }

    /// The amounts of the modes nearest to a list, by distances of the surface.
    ///
    /// # Errors
    /// If a list cannot be built.
    pub fn project(&self, fit: &PairedFit, list: &[f64], count: usize) -> Result<Vec<f64>, FitError> {
        let away = |list: &[f64]| -> Result<Vec<f64>, FitError> {
            let base = surface(fit, &self.mean)?;
            Ok(surface(fit, list)?.iter().zip(base).map(|(a, b)| a - b).collect())
        };
        let target = away(list)?;
        let columns = self.modes[..count]
            .iter()
            .map(|mode| away(&self.mean.iter().zip(mode).map(|(a, b)| a + b).collect::<Vec<_>>()))
            .collect::<Result<Vec<_>, _>>()?;
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let factor = sinew_geometry::Cholesky::factor(count, |i, j| {
            dot(&columns[i], &columns[j]) * if i == j { 1.0 + 1e-9 } else { 1.0 }
        });
        let mut amounts: Vec<f64> = columns.iter().map(|column| dot(column, &target)).collect();
        factor.iter().for_each(|factor| factor.solve(&mut amounts));
        Ok(amounts)
    }

    /// The list with some amounts.
    #[must_use]
    pub fn list(&self, amounts: &[f64]) -> Vec<f64> {
        let mut list = self.mean.clone();
        for (mode, amount) in self.modes.iter().zip(amounts) {
            list.iter_mut().zip(mode).for_each(|(value, by)| *value += amount * by);
        }
        list
    }
}

/// All places with the root of their weights, in one list.
fn surface(fit: &PairedFit, list: &[f64]) -> Result<Vec<f64>, FitError> {
    let places = fit.places(list)?;
    Ok(places.iter().flat_map(|(weight, at)| (weight.sqrt() * *at).to_array()).collect())
}

/// Eigenvalues, largest first, and unit eigenvectors of a symmetric matrix, by Jacobi's rotations.
pub(crate) fn eigen(size: usize, mut a: Vec<f64>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut v: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    // Twelve sweeps reach rounding for a hundred rows.
    for _ in 0..12 {
        for p in 0..size {
            for q in p + 1..size {
                let off = a[p * size + q];
                if off.abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q * size + q] - a[p * size + p]) / (2.0 * off);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..size {
                    let (x, y) = (a[k * size + p], a[k * size + q]);
                    (a[k * size + p], a[k * size + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..size {
                    let (x, y) = (a[p * size + k], a[q * size + k]);
                    (a[p * size + k], a[q * size + k]) = (c * x - s * y, s * x + c * y);
                }
                for row in &mut v {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| a[j * size + j].total_cmp(&a[i * size + i]));
    let values = order.iter().map(|&k| a[k * size + k]).collect();
    let vectors = order.iter().map(|&k| v.iter().map(|row| row[k]).collect()).collect();
    (values, vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_stretched_by_their_values() {
        let matrix = vec![4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 1.0];
        let (values, vectors) = eigen(3, matrix.clone());
        assert!(values[0] > values[1] && values[1] > values[2]);
        for (value, vector) in values.iter().zip(&vectors) {
            for i in 0..3 {
                let found: f64 = (0..3).map(|j| matrix[3 * i + j] * vector[j]).sum();
                assert!((found - value * vector[i]).abs() < 1e-12);
            }
        }
    }
}
