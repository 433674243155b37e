//! The leading eigenvectors of large symmetric matrices.

use rayon::prelude::*;

/// A symmetric matrix, row by row.
pub(super) struct Symmetric {
    pub(super) order: usize,
    pub(super) entries: Vec<f64>,
}

/// Rounds of multiplication. Motions have few strong components, so that subspaces settle fast; what is weak and settles slowly
/// matters as little as it is weak.
const ROUNDS: usize = 24;

/// Vectors beside those asked for, so that the last of those settle too.
const SPARE: usize = 6;

/// Sweeps of Jacobi's rotations at most; ten are enough for any matrix of this size.
const SWEEPS: usize = 40;

impl Symmetric {
    /// Up to `count` unit eigenvectors of the largest eigenvalues, largest first, of a matrix without negative ones.
    pub(super) fn leading(&self, count: usize) -> Vec<Vec<f64>> {
        let wanted = count.min(self.order);
        let size = (count + SPARE).min(self.order);
        let mut vectors: Vec<Vec<f64>> = (0..size).map(|at| self.start(at)).collect();
        if size < self.order {
            for _ in 0..ROUNDS {
                orthonormalise(&mut vectors);
                vectors = self.times(&vectors);
            }
        }
        orthonormalise(&mut vectors);
        let images = self.times(&vectors);
        let small = Self {
            order: size,
            entries: (0..size * size).map(|at| dot(&vectors[at / size], &images[at % size])).collect(),
        };
        let (values, turns) = small.jacobi();
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        order.truncate(wanted);
        let mix = |column: &usize| {
            (0..self.order)
                .map(|row| (0..size).map(|at| vectors[at][row] * turns[at * size + column]).sum())
                .collect()
        };
        order.iter().map(mix).collect()
    }

    /// Noise, which is hardly perpendicular to anything; the same on every machine.
    fn start(&self, at: usize) -> Vec<f64> {
        let noise = |row: usize| {
            let mut bits = ((at as u64) << 32) + row as u64 + 1;
            for factor in [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0x9E37_79B9_7F4A_7C15u64] {
                bits = (bits ^ (bits >> 29)).wrapping_mul(factor);
            }
            (bits >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        (0..self.order).map(noise).collect()
    }

    fn times(&self, vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let row_of =
            |vector: &[f64], row: usize| dot(&self.entries[row * self.order..][..self.order], vector);
        vectors.par_iter().map(|vector| (0..self.order).map(|row| row_of(vector, row)).collect()).collect()
    }

    /// All eigenvalues, and eigenvectors as columns, by Jacobi's rotations.
    fn jacobi(mut self) -> (Vec<f64>, Vec<f64>) {
        let n = self.order;
        let mut turns = vec![0.0; n * n];
        (0..n).for_each(|at| turns[at * n + at] = 1.0);
        let size: f64 = self.entries.iter().map(|entry| entry * entry).sum();
        for _ in 0..SWEEPS {
            let off: f64 =
                (0..n * n).filter(|at| at / n != at % n).map(|at| self.entries[at] * self.entries[at]).sum();
            if off <= 1e-28 * size {
                break;
            }
            for p in 0..n {
                for q in p + 1..n {
                    rotate(&mut self.entries, &mut turns, n, p, q);
                }
            }
        }
        ((0..n).map(|at| self.entries[at * n + at]).collect(), turns)
    }
}

/// Turns rows and columns p and q so that their common entry vanishes.
fn rotate(a: &mut [f64], turns: &mut [f64], n: usize, p: usize, q: usize) {
    let common = a[p * n + q];
    if common == 0.0 {
        return;
    }
    let theta = 0.5 * (a[q * n + q] - a[p * n + p]) / common;
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for k in 0..n {
        let (kp, kq) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (cosine * kp - sine * kq, sine * kp + cosine * kq);
    }
    for k in 0..n {
        let (pk, qk) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (cosine * pk - sine * qk, sine * pk + cosine * qk);
        let (kp, kq) = (turns[k * n + p], turns[k * n + q]);
        (turns[k * n + p], turns[k * n + q]) = (cosine * kp - sine * kq, sine * kp + cosine * kq);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Gram and Schmidt, twice, because once is not enough where vectors are nearly the same; what depends on others becomes zero.
fn orthonormalise(vectors: &mut [Vec<f64>]) {
    for at in 0..vectors.len() {
        let (before, after) = vectors.split_at_mut(at);
        let vector = &mut after[0];
        let length = dot(vector, vector).sqrt();
        for _ in 0..2 {
            for other in before.iter() {
                let share = dot(other, vector);
                vector.iter_mut().zip(other).for_each(|(entry, other)| *entry -= share * other);
            }
        }
        let left = dot(vector, vector).sqrt();
        let scale = if left > 1e-12 * length && left > 0.0 { 1.0 / left } else { 0.0 };
        vector.iter_mut().for_each(|entry| *entry *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V diag(values) Vᵀ with V from noise.
    fn with_values(values: &[f64]) -> (Symmetric, Vec<Vec<f64>>) {
        let order = values.len();
        let source = Symmetric { order, entries: Vec::new() };
        let mut axes: Vec<Vec<f64>> = (0..order).map(|at| source.start(at + 77)).collect();
        orthonormalise(&mut axes);
        let entry =
            |at: usize| (0..order).map(|k| values[k] * axes[k][at / order] * axes[k][at % order]).sum();
        (Symmetric { order, entries: (0..order * order).map(entry).collect() }, axes)
    }

    #[test]
    fn leading_vectors_are_found_in_order() {
        for order in [1, 3, 8, 40] {
            let values: Vec<f64> = (0..order).map(|at| 0.5f64.powi(at)).collect();
            let (matrix, axes) = with_values(&values);
            let found = matrix.leading(6);
            assert_eq!(found.len(), 6.min(order as usize));
            for (found, axis) in found.iter().zip(&axes) {
                assert!((dot(found, axis).abs() - 1.0).abs() < 1e-6, "{order}: {}", dot(found, axis));
            }
        }
    }

    #[test]
    fn nothing_has_no_directions() {
        let none = Symmetric { order: 3, entries: vec![0.0; 9] };
        assert!(none.leading(2).iter().flatten().all(|entry| entry.is_finite()));
        assert!(Symmetric { order: 0, entries: Vec::new() }.leading(4).is_empty());
    }
}
