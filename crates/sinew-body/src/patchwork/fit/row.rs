//! Rows of the linear problem: weights of control points, summed over slots.

use super::super::Patchwork;
use super::Place;
use crate::bernstein;
use crate::patch::{CORNERS, corner_value};

/// A sum of slots.
pub(super) type Row = Vec<(u32, f64)>;

/// Weights of a patch's control points: 25, of which split ones count as `cross_u`, then the four `cross_w`.
pub(super) type Weights = [f64; 29];

/// Weights of the position at a place. For a Bézier patch the last four join their twins.
pub(super) fn position(place: &Place) -> Weights {
    let (along_u, along_w) = (bernstein::quartic(place.u), bernstein::quartic(place.w));
    let mut weights = [0.0; 29];
    for i in 0..5 {
        for j in 0..5 {
            weights[5 * i + j] = along_u[i] * along_w[j];
        }
    }
    for (corner, &(i, j)) in CORNERS.iter().enumerate() {
        let second = corner_value(i, j, place.u, place.w);
        weights[5 * i + j] -= second;
        weights[25 + corner] = second;
    }
    weights
}

/// `Σ factor · weights`.
pub(super) fn combined(terms: &[(f64, Weights)]) -> Weights {
    std::array::from_fn(|place| terms.iter().map(|(factor, weights)| factor * weights[place]).sum())
}

/// Sums weights of control points over slots.
pub(super) struct Summer<'a> {
    net: &'a Patchwork,
    sums: Vec<f64>,
    touched: Vec<u32>,
}

impl<'a> Summer<'a> {
    pub(super) fn new(net: &'a Patchwork) -> Self {
        Summer { net, sums: vec![0.0; net.slot_count()], touched: Vec::new() }
    }

    /// One row from weights in some patches.
    pub(super) fn row(&mut self, parts: &[(usize, Weights)]) -> Row {
        for (patch, weights) in parts {
            let forms = &self.net.forms[*patch].0;
            for (place, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                let own = if place < forms.len() {
                    place
                } else {
                    let (i, j) = CORNERS[place - 25];
                    5 * i + j
                };
                for &(slot, by) in forms[own].terms() {
                    let sum = &mut self.sums[slot as usize];
                    if *sum == 0.0 {
                        self.touched.push(slot);
                    }
                    *sum += weight * by;
                }
            }
        }
        let mut row = Row::with_capacity(self.touched.len());
        for slot in self.touched.drain(..) {
            let sum = std::mem::take(&mut self.sums[slot as usize]);
            // A slot whose sum passed through zero is listed twice; the second time nothing is left.
            if sum.abs() > 1e-14 {
                row.push((slot, sum));
            }
        }
        row
    }
}
