//! Rows of a linear model: places on the surface, bends of it and jumps of curvature, each as a sum of slots.

use super::Prices;
use crate::Patch;
use crate::body::Body;
use crate::fit::evenness::Crossing;
use crate::fit::surface::{Combination, PatchChange};
use glam::DVec3;

/// For each patch the slots that move it.
pub(super) type ByPatch = Vec<Vec<(usize, PatchChange)>>;

/// What of a row's value counts.
#[derive(Clone, Copy)]
enum Part {
    /// All, of the part along a normal only a share.
    Less { normal: DVec3, share: f64 },
    /// The part along a normal.
    Along(DVec3),
}

impl Part {
    fn of(self, value: DVec3) -> DVec3 {
        match self {
            Part::Less { normal, share } => value - (1.0 - share) * value.dot(normal) * normal,
            Part::Along(normal) => DVec3::new(value.dot(normal), 0.0, 0.0),
        }
    }
}

/// Sums of slots with vector factors, one a row.
#[derive(Default)]
pub(super) struct Rows {
    starts: Vec<usize>,
    slots: Vec<u32>,
    factors: Vec<DVec3>,
    /// What each row is on the surface it was made for.
    values: Vec<DVec3>,
    /// The sums of control points that prices are on.
    priced: Vec<(Vec<Combination>, Part)>,
    /// The patches of each row, first and last.
    patches: Vec<[u32; 2]>,
}

impl Rows {
    pub(super) fn new() -> Self {
        Rows { starts: vec![0], ..Rows::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Adds a price on a part of a sum of control points.
    fn add_price(&mut self, by_patch: &ByPatch, patches: &[Patch], sums: Vec<Combination>, part: Part) {
        self.add(by_patch, &sums.iter().collect::<Vec<_>>(), |value| part.of(value));
        if let Some(last) = self.values.last_mut() {
            *last = priced_value(&(sums.clone(), part), patches);
        }
        self.priced.push((sums, part));
    }

    /// What all prices amount to on a surface.
    pub(super) fn price_of(&self, patches: &[Patch]) -> f64 {
        self.priced.iter().map(|price| priced_value(price, patches).length_squared()).sum()
    }

    /// What a row is on the surface it was made for, if it is a price.
    pub(super) fn present(&self, row: usize) -> DVec3 {
        self.values[row]
    }

    /// Adds the effect of all slots on a sum of control points; `shape` maps the effect.
    pub(super) fn add(&mut self, by_patch: &ByPatch, sums: &[&Combination], shape: impl Fn(DVec3) -> DVec3) {
        let first = self.slots.len();
        for sum in sums {
            for (slot, change) in &by_patch[sum.patch] {
                let factor = shape(sum.change(change));
                if factor.length_squared() > 1e-24 {
                    // Slots of a second patch that the first has too are joined.
                    match self.slots[first..]
                        .iter()
                        .position(|&found| sums.len() > 1 && found == *slot as u32)
                    {
                        Some(place) => self.factors[first + place] += factor,
                        None => {
                            self.slots.push(*slot as u32);
                            self.factors.push(factor);
                        }
                    }
                }
            }
        }
        self.starts.push(self.slots.len());
        self.values.push(DVec3::ZERO);
        let patch = |sum: Option<&&Combination>| sum.map_or(0, |sum| sum.patch as u32);
        self.patches.push([patch(sums.first()), patch(sums.last())]);
    }

    /// The patches that a row lies on: rows of the same have mostly the same slots.
    pub(super) fn patches(&self, row: usize) -> [u32; 2] {
        self.patches[row]
    }

    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, DVec3)> + Clone {
        let range = self.starts[row]..self.starts[row + 1];
        self.slots[range.clone()].iter().map(|&slot| slot as usize).zip(self.factors[range].iter().copied())
    }

    /// The value of a row.
    pub(super) fn value(&self, row: usize, slots: &[f64]) -> DVec3 {
        self.row(row).map(|(slot, factor)| slots[slot] * factor).sum()
    }

    /// Adds the transpose of a row times a vector.
    pub(super) fn add_back(&self, row: usize, by: DVec3, slots: &mut [f64]) {
        self.row(row).for_each(|(slot, factor)| slots[slot] += factor.dot(by));
    }
}

fn priced_value((sums, part): &(Vec<Combination>, Part), patches: &[Patch]) -> DVec3 {
    part.of(sums.iter().map(|sum| sum.value(patches)).sum())
}

/// Places along a side of a patch where bends are priced.
const PLACES: [f64; 4] = [0.1, 0.37, 0.63, 0.9];
/// The step of second differences, in parameters.
const STEP: f64 = 0.1;
/// Bends are measured as the deviation over this length, in statures: 2 cm of a grown man.
pub(super) const LENGTH: f64 = 0.0115;
/// The bones of a foot and of tips of digits.
pub(super) const ENDS: [&str; 7] =
    ["foot", "toes", "index_distal", "middle_distal", "ring_distal", "little_distal", "thumb_distal"];
/// Patches narrower than this, in statures, are the points of tips.
const LEAST_SPEED: f64 = 0.004;

/// The bends of a body in three directions at sixteen places of each patch that is priced, weighted by area.
pub(super) fn bends(
    body: &Body,
    by_patch: &ByPatch,
    patches: &[Patch],
    (prices, is_priced): (&Prices, &[bool]),
    rows: &mut Rows,
) {
    let weight = prices.bend;
    let total: f64 = body.area();
    for (index, patch) in body.patches.iter().enumerate().filter(|&(index, _)| is_priced[index]) {
        for (u, w) in PLACES.iter().flat_map(|&u| PLACES.map(|w| (u, w))) {
            let jet = patch.patch.jet(u, w);
            let normal = jet.du.cross(jet.dw).normalize_or_zero();
            let (along, across) = (jet.du.length().max(LEAST_SPEED), jet.dw.length().max(LEAST_SPEED));
            let share = jet.du.cross(jet.dw).length() / (16.0 * total);
            let factor = (weight * share).sqrt();
            let at = |du: f64, dw: f64| Combination::position(patches, index, u + du * STEP, w + dw * STEP);
            let here = at(0.0, 0.0).times(-2.0);
            let second = |a: Combination, b: Combination, speed: f64| {
                let scale = factor * 0.5 * (LENGTH / (speed * STEP)).powi(2);
                here.clone().plus(1.0, &a).plus(1.0, &b).times(scale)
            };
            let mixed = at(1.0, 1.0).plus(-1.0, &at(1.0, -1.0)).plus(-1.0, &at(-1.0, 1.0));
            let mixed = mixed.plus(1.0, &at(-1.0, -1.0));
            let scale = factor * 0.5 * LENGTH * LENGTH / (4.0 * STEP * STEP * along * across);
            for sum in [
                second(at(1.0, 0.0), at(-1.0, 0.0), along),
                second(at(0.0, 1.0), at(0.0, -1.0), across),
                mixed.times(std::f64::consts::SQRT_2 * scale),
            ] {
                let part = Part::Less { normal, share: prices.normal };
                rows.add_price(by_patch, patches, vec![sum], part);
            }
        }
    }
}

/// The jumps of curvature across edges.
pub(super) fn jumps(
    crossings: &[Crossing],
    by_patch: &ByPatch,
    patches: &[Patch],
    weight: f64,
    rows: &mut Rows,
) {
    for crossing in crossings {
        if let Some((first, second, normal, share)) = crossing.sums(patches, LENGTH) {
            let factor = (weight * share).sqrt();
            let sums = vec![first.times(factor), second.times(-factor)];
            rows.add_price(by_patch, patches, sums, Part::Along(normal));
        }
    }
}
