//! Prices on what points leave open.

use super::super::Patchwork;
use super::Place;
use super::row::{Row, Summer, Weights, combined, position};
use crate::Patch;

/// Prices of a fit; each is compared with squared distances of points, whatever their unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// On third differences of control points: what a surface of even curvature does not have. Too small: ripples between points; too
    /// large: edges of lids and lips become round. 8e-4 keeps the head's margins within 0.1 mm.
    pub third: f64,
    /// On second differences of control points, a hundredth of `third` by default: keeps parts without points.
    pub second: f64,
    /// On the thin plate's energy by the lengths of the reference: squared bends over [`PLATE_LENGTH`] relative to it, averaged over
    /// each patch and weighted by its area over the mean area.
    pub plate: f64,
    /// On jumps of the second derivative across edges between patches, over the same length.
    pub jump: f64,
}

impl Default for Prices {
    fn default() -> Self {
        Prices { third: 8e-4, second: 8e-6, plate: 0.0, jump: 0.0 }
    }
}

/// The length over which bends are measured, as a share of the root of the reference's mean patch area.
const PLATE_LENGTH: f64 = 1.0;
/// Places along a side where bends are priced.
const PLACES: [f64; 3] = [0.15, 0.5, 0.85];
/// The step of second differences, in parameters.
const STEP: f64 = 0.1;

/// All rows, each times the root of its price.
pub(super) fn rows(net: &Patchwork, prices: &Prices, reference: &[Patch], summer: &mut Summer) -> Vec<Row> {
    let mut rows = Vec::new();
    for patch in 0..net.patch_count() {
        for (factor, weights) in differences(prices) {
            for weights in versions(&weights) {
                let scale = (0.5 * factor).sqrt();
                rows.push(summer.row(&[(patch, weights.map(|weight| scale * weight))]));
            }
        }
    }
    if prices.plate > 0.0 {
        plate(reference, prices.plate, summer, &mut rows);
    }
    rows.retain(|row| !row.is_empty());
    rows
}

/// Weights of differences along u and w, each with its price.
fn differences(prices: &Prices) -> Vec<(f64, Weights)> {
    let third: [[f64; 5]; 2] = [[-1.0, 3.0, -3.0, 1.0, 0.0], [0.0, -1.0, 3.0, -3.0, 1.0]];
    let second: [[f64; 5]; 3] =
        [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]];
    let lists = third.iter().map(|list| (prices.third, list));
    let lists = lists.chain(second.iter().map(|list| (prices.second, list)));
    let mut all = Vec::new();
    for (price, list) in lists.filter(|(price, _)| *price > 0.0) {
        for across in 0..5 {
            let (mut along_u, mut along_w) = ([0.0; 29], [0.0; 29]);
            for (k, &by) in list.iter().enumerate() {
                along_u[5 * k + across] = by;
                along_w[5 * across + k] = by;
            }
            all.extend([(price, along_u), (price, along_w)]);
        }
    }
    all
}

/// Weights with both versions of split points.
fn versions(weights: &Weights) -> [Weights; 2] {
    let mut other = *weights;
    for (corner, &(i, j)) in crate::patch::CORNERS.iter().enumerate() {
        other[25 + corner] = std::mem::take(&mut other[5 * i + j]);
    }
    [*weights, other]
}

/// Second derivatives by lengths on the reference, at nine places of each patch.
fn plate(reference: &[Patch], price: f64, summer: &mut Summer, rows: &mut Vec<Row>) {
    let area = |patch: &Patch| {
        let jet = patch.jet(0.5, 0.5);
        jet.du.cross(jet.dw).length()
    };
    let mean = reference.iter().map(area).sum::<f64>() / reference.len().max(1) as f64;
    let unit = mean * PLATE_LENGTH * PLATE_LENGTH;
    for (index, patch) in reference.iter().enumerate() {
        for (u, w) in PLACES.iter().flat_map(|&u| PLACES.map(|w| (u, w))) {
            let jet = patch.jet(u, w);
            let (long, area) = (jet.du.length(), jet.du.cross(jet.dw).length());
            // A patch that is all but flat on a point has no bends to price.
            if long * long < 1e-4 * unit || area < 1e-4 * unit {
                continue;
            }
            let scale = (price * area / mean / 9.0).sqrt() * unit;
            let at = |du: f64, dw: f64| position(&Place { patch: index, u: u + du * STEP, w: w + dw * STEP });
            let square = 1.0 / (STEP * STEP);
            let second =
                |a: Weights, b: Weights| combined(&[(square, a), (square, b), (-2.0 * square, at(0.0, 0.0))]);
            let (uu, ww) = (second(at(1.0, 0.0), at(-1.0, 0.0)), second(at(0.0, 1.0), at(0.0, -1.0)));
            let quarter = 0.25 * square;
            let uw = combined(&[
                (quarter, at(1.0, 1.0)),
                (quarter, at(-1.0, -1.0)),
                (-quarter, at(1.0, -1.0)),
                (-quarter, at(-1.0, 1.0)),
            ]);
            // Orthonormal directions: x along S_u, y across it. ∂x = ∂u / |S_u|, ∂y = (∂w − k ∂u) / h.
            let (k, h) = (jet.du.dot(jet.dw) / (long * long), area / long);
            let (to_x, to_y) = (1.0 / long, 1.0 / h);
            let xx = combined(&[(scale * to_x * to_x, uu)]);
            let xy = combined(&[(scale * to_x * to_y, uw), (-scale * k * to_x * to_y, uu)]);
            let yy = combined(&[
                (scale * to_y * to_y, ww),
                (-2.0 * scale * k * to_y * to_y, uw),
                (scale * k * k * to_y * to_y, uu),
            ]);
            let both = combined(&[(std::f64::consts::SQRT_2, xy)]);
            rows.extend([xx, both, yy].map(|weights| summer.row(&[(index, weights)])));
        }
    }
}
