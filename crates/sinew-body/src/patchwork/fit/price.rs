//! Prices on what points leave open.
//!
//! Second derivatives are taken by lengths and without their part along the surface. With orthonormal directions x, y on the reference,
//! a bend is `S_xx − α S_x − β S_y`, where α and β make it normal to the reference. Such a row is linear, alike in x, y and z, zero for
//! every affine image of a surface without the bend, and it does not hinder control points from sliding along the surface.

use super::super::{Patchwork, SlotKind};
use super::local::{Local, Second};
use super::row::{Row, Summer, Weights, combined};
use crate::Patch;
use crate::body::Wire;
use glam::{DVec2, DVec3};

/// Prices of a fit; each is compared with squared distances of points, whatever their unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// On third differences of control points: what a surface of even curvature does not have. Too small: ripples between points; too
    /// large: edges of lids and lips become round.
    pub third: f64,
    /// On second differences of control points: keeps parts without points.
    pub second: f64,
    /// On bends: the squared deviation from a plane over a patch's own size, at nine places of each.
    pub plate: f64,
    /// On jumps of the bend across edges: the squared deviation over the size of the patches beside, at four places of each edge. Too
    /// small: lines show along edges; too large: wrinkles of lids and ears are lost.
    pub jump: f64,
    /// On squared offsets of stars and spokes of fills. Too small: narrow fills, as in the ear's hollow, fold about their centers; too
    /// large: their centers are flat.
    pub fill: f64,
    /// Factor of `third` and `second` for each patch; missing ones are 1.
    pub difference_factors: Vec<f64>,
    /// Factor of `plate` and `jump` for each patch; missing ones are 1. A jump has the smaller one of its two patches.
    pub factors: Vec<f64>,
}

impl Default for Prices {
    fn default() -> Self {
        Prices {
            third: 8e-4,
            second: 8e-6,
            plate: 0.3,
            jump: 0.3,
            fill: 0.05,
            difference_factors: Vec::new(),
            factors: Vec::new(),
        }
    }
}

impl Prices {
    fn factor(&self, patch: usize) -> f64 {
        self.factors.get(patch).copied().unwrap_or(1.0)
    }
}

/// Places along a side where bends are priced.
const PLACES: [f64; 3] = [0.15, 0.5, 0.85];
/// Places along a patch's edge where jumps are priced. At corners of Gregory patches second derivatives depend on the direction.
const EDGE_PLACES: [f64; 4] = [0.12, 0.37, 0.63, 0.88];

/// All rows, each times the root of its price.
pub(super) fn rows(net: &Patchwork, prices: &Prices, reference: &[Patch], summer: &mut Summer) -> Vec<Row> {
    let mut rows = Vec::new();
    let differences = differences(prices);
    for patch in 0..net.patch_count() {
        let own = prices.difference_factors.get(patch).copied().unwrap_or(1.0);
        for (factor, weights) in &differences {
            for weights in versions(weights) {
                let scale = (0.5 * own * factor).sqrt();
                rows.push(summer.row(&[(patch, weights.map(|weight| scale * weight))]));
            }
        }
    }
    for patch in 0..reference.len() {
        let price = prices.plate * prices.factor(patch);
        if price > 0.0 {
            plate(reference, patch, price, summer, &mut rows);
        }
    }
    for (slot, kind) in net.slot_kinds().iter().enumerate() {
        if prices.fill > 0.0 && matches!(kind, SlotKind::Star | SlotKind::SpokeBulge | SlotKind::SpokeCross) {
            rows.push(vec![(slot as u32, prices.fill.sqrt())]);
        }
    }
    if prices.jump > 0.0 && !reference.is_empty() {
        net.topology().wires.iter().for_each(|wire| jumps(reference, wire, prices, summer, &mut rows));
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

/// A second derivative without its part along the surface of the reference.
fn bend(second: Weights, value: DVec3, tangents: [(DVec3, Weights); 2]) -> Weights {
    let [(x, by_x), (y, by_y)] = tangents;
    combined(&[(1.0, second), (-value.dot(x), by_x), (-value.dot(y), by_y)])
}

/// Bends in three directions at nine places of a patch.
fn plate(reference: &[Patch], patch: usize, price: f64, summer: &mut Summer, rows: &mut Vec<Row>) {
    let middle = reference[patch].jet(0.5, 0.5);
    let area = middle.du.cross(middle.dw).length();
    // The deviation of a plate of size s with second derivative b is b s² / 8.
    let scale = (price / 9.0).sqrt() * area / 8.0;
    for (u, w) in PLACES.iter().flat_map(|&u| PLACES.map(|w| (u, w))) {
        let Some(local) = Local::new(reference, patch, (u, w)) else { continue };
        let tangents = local.tangents();
        for (along, across, factor) in [
            (DVec2::X, DVec2::X, 1.0),
            (DVec2::X, DVec2::Y, std::f64::consts::SQRT_2),
            (DVec2::Y, DVec2::Y, 1.0),
        ] {
            let Second { weights, value } = local.second(along, across);
            let row = bend(weights, value, tangents);
            rows.push(summer.row(&[(patch, row.map(|weight| factor * scale * weight))]));
        }
    }
}

/// Jumps of the bend across a wire.
fn jumps(reference: &[Patch], wire: &Wire, prices: &Prices, summer: &mut Summer, rows: &mut Vec<Row>) {
    // Where one side has two patches, each half has its places.
    let halves: &[(f64, f64)] = if wire.middle.is_some() { &[(0.0, 0.5), (0.5, 0.5)] } else { &[(0.0, 1.0)] };
    for (start, len) in halves {
        for t in EDGE_PLACES.map(|t| start + len * t) {
            let found: Vec<(usize, Local, DVec2)> = wire
                .uses_at(t)
                .filter_map(|found| {
                    let (u, w) = found.side.parameters(found.parameter_at(t)?);
                    let local = Local::new(reference, found.patch, (u, w))?;
                    // Outward across the edge, in the patch's orthonormal directions.
                    let along = local.direction(if found.side.fixes_u() { DVec2::Y } else { DVec2::X });
                    Some((found.patch, local, along.perp().normalize_or_zero()))
                })
                .collect();
            let [(first, a, across_a), (second, b, across_b)] = found.as_slice() else { continue };
            let (bend_a, bend_b) = (a.second(*across_a, *across_a), b.second(*across_b, *across_b));
            // Both measure in their own directions, so that each loses its own part along the surface.
            let (row_a, row_b) = (
                bend(bend_a.weights, bend_a.value, a.tangents()),
                bend(bend_b.weights, bend_b.value, b.tangents()),
            );
            let size = 0.5 * (a.width(*across_a) + b.width(*across_b));
            let price = prices.jump * prices.factor(*first).min(prices.factor(*second));
            let scale = (price * len / EDGE_PLACES.len() as f64).sqrt() * size * size / 8.0;
            let parts = [
                (*first, row_a.map(|weight| scale * weight)),
                (*second, row_b.map(|weight| -scale * weight)),
            ];
            rows.push(summer.row(&parts));
        }
    }
}
