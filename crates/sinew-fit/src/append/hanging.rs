//! The best chain of one helper, with all weights and other bones fixed.
//!
//! With Rₖ the product of the first k turns, c the center of the helper's vertices and c + dₖ the pivots, a chain takes `c + y` to
//! `S (c + Rₙ y + Σₖ (Rₖ₋₁ − Rₖ) dₖ)`, S being the parent's matrix: for given drivers and shares the best pivots solve a linear system. In the
//! parent's frame the squared error of a pose is, but for a constant, `m |D d|² + 2 h·D d − 2 tr(Rₙᵀ E)`, where m, h and E are sums over vertices.

use faer::Mat;
use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::chain::{AppendChain, AppendLink, Turns, share};
use crate::helpers::{Rows, linear_part, outer};
use crate::numeric::solve_spd;

/// Shares that are tried; `refined` goes on between them.
const RATIOS: [f64; 12] = [-1.0, -0.75, -0.5, -0.25, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0, 1.25, 1.5];
/// Shares stay within this; beyond it, chains turn far in poses that nobody fitted.
const MOST_RATIO: f64 = 2.0;
/// The first and last step of the search between those shares.
const STEPS: (f64, f64) = (0.1, 0.002);
/// One pose in so many is looked at while chains are chosen; shares and pivots then look at all.
const STRIDE: usize = 3;
/// Fewer poses are looked at all.
const FEW_POSES: usize = 50;
/// Chains of each length that are made longer.
const BEAM: usize = 3;
/// How firmly pivots hold to the middle of the vertices, as a squared turn in rad²: without it they are free wherever joints
/// hardly turn, and along the axis of a hinge. Not tuned; small beside turns of half a radian.
const HOLD: f64 = 1e-3;
/// The same across the plane of symmetry, for helpers that stay on it.
const HOLD_PLANE: f64 = 1e6;

/// Sums over the vertices of a helper: Σ w² (x, 1)(x, 1)ᵀ, and for each pose Σ w r (x, 1)ᵀ, r being what other bones leave over.
pub(super) struct Pulls<'a> {
    pub(super) spread: [[f64; 4]; 4],
    pub(super) by_pose: Vec<Rows>,
    /// Rows of a driver in a pose.
    pub(super) driver: &'a (dyn Fn(usize, usize) -> Rows + Sync),
    pub(super) turns: &'a Turns<'a>,
    /// Whether it may turn about points of the plane x = 0 alone, given by their distance from where rest positions are counted.
    pub(super) plane: Option<f64>,
}

/// The vertices of a helper as seen from a parent.
struct Hanging<'a> {
    pulls: &'a Pulls<'a>,
    parent: usize,
    weight: f64,
    center: DVec3,
    /// The pose, h and E; each stands for `stride` poses.
    poses: Vec<(usize, DVec3, DMat3)>,
    stride: f64,
}

/// A chain without pivots: drivers and shares.
type Shares = Vec<(usize, f64)>;

/// A chain, and its squared error but for a constant that depends on the helper alone.
pub(super) type Valued = (f64, AppendChain);

impl Pulls<'_> {
    /// The best chain of at most `most_links`. Each link must lower the squared error by `least_gain`. `parents`, `drivers`: those to choose from.
    pub(super) fn best(
        &self,
        (parents, drivers): (&[usize], &[usize]),
        most_links: usize,
        least_gain: f64,
    ) -> Option<Valued> {
        let of = |&parent: &usize| {
            let some = Hanging::new(self, parent, STRIDE.min(self.by_pose.len().div_ceil(FEW_POSES)));
            self.refined(&some.best(drivers, most_links, least_gain))
        };
        let found: Vec<Valued> = parents.par_iter().map(of).collect();
        found.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The chain with better shares and pivots.
    pub(super) fn refined(&self, chain: &AppendChain) -> Valued {
        let hanging = Hanging::new(self, chain.parent, 1);
        let shares = chain.links.iter().map(|link| (link.driver, link.ratio)).collect();
        let (value, shares) = hanging.refined(shares);
        (hanging.constant() + value, hanging.chain(&shares))
    }
}

impl<'a> Hanging<'a> {
    /// `stride`: one pose in so many.
    fn new(pulls: &'a Pulls<'a>, parent: usize, stride: usize) -> Self {
        let spread = &pulls.spread;
        let weight = spread[3][3].max(f64::MIN_POSITIVE);
        let sum = DVec3::new(spread[0][3], spread[1][3], spread[2][3]);
        let mut center = sum / weight;
        if let Some(x) = pulls.plane {
            center.x = x;
        }
        let of_pose = |(pose, rows): (usize, &Rows)| {
            let stands = (pulls.driver)(parent, pose);
            let back = linear_part(&stands).inverse();
            let (shift, pull) = (column(&stands), column(rows));
            // Σ w r and Σ w r xᵀ in the parent's frame, then about the center.
            let pull = back * (pull - shift * weight);
            let wanted = back * (linear_part(rows) - outer(shift, sum));
            (pose, center * weight - pull, wanted - outer(pull, center))
        };
        let poses = pulls.by_pose.iter().enumerate().step_by(stride).map(of_pose).collect();
        Self { pulls, parent, weight, center, poses, stride: stride as f64 }
    }

    /// What depends on the parent alone, but for what depends on the helper alone: Σ |S c|² m − 2 S c · Σ w r.
    fn constant(&self) -> f64 {
        let of_pose = |(pose, rows): (usize, &Rows)| {
            let stands = (self.pulls.driver)(self.parent, pose);
            let place = linear_part(&stands) * self.center + column(&stands);
            self.weight * place.length_squared() - 2.0 * place.dot(column(rows))
        };
        self.pulls.by_pose.iter().enumerate().map(of_pose).sum()
    }

    fn best(&self, drivers: &[usize], most_links: usize, least_gain: f64) -> AppendChain {
        let mut beam: Vec<(f64, Shares)> = vec![(self.value(&Vec::new()).0, Vec::new())];
        let mut best = beam[0].clone();
        for _ in 0..most_links {
            let mut longer: Vec<(f64, Shares)> = Vec::new();
            for (_, shares) in &beam {
                for &driver in drivers {
                    // Links of one driver commute but for their pivots: in front or at the end is all that can differ for two.
                    for place in if shares.is_empty() { vec![0] } else { vec![0, shares.len()] } {
                        let with = |&ratio: &f64| {
                            let mut shares = shares.clone();
                            shares.insert(place, (driver, ratio));
                            (self.value(&shares).0, shares)
                        };
                        longer.extend(RATIOS.iter().map(with).min_by(|a, b| a.0.total_cmp(&b.0)));
                    }
                }
            }
            longer.sort_by(|a, b| a.0.total_cmp(&b.0));
            longer.truncate(BEAM);
            beam = longer.into_iter().map(|(_, shares)| self.refined(shares)).collect();
            beam.sort_by(|a, b| a.0.total_cmp(&b.0));
            match beam.first() {
                Some(found) if self.stride * found.0 < self.stride * best.0 - least_gain => {
                    best = found.clone()
                }
                _ => break,
            }
        }
        self.chain(&best.1)
    }

    /// Better shares, by smaller and smaller steps.
    fn refined(&self, mut shares: Shares) -> (f64, Shares) {
        let mut value = self.value(&shares).0;
        let mut step = STEPS.0;
        while step > STEPS.1 && !shares.is_empty() {
            let mut has_changed = false;
            for at in 0..shares.len() {
                for step in [step, -step] {
                    let before = shares[at].1;
                    shares[at].1 = (before + step).clamp(-MOST_RATIO, MOST_RATIO);
                    let new = self.value(&shares).0;
                    if new < value {
                        (value, has_changed) = (new, true);
                        break;
                    }
                    shares[at].1 = before;
                }
            }
            if !has_changed {
                step *= 0.5;
            }
        }
        (value, shares)
    }

    /// The squared error with the best pivots, and those, from the center.
    fn value(&self, shares: &Shares) -> (f64, Vec<DVec3>) {
        let (count, size) = (shares.len(), 3 * shares.len());
        let (mut products, mut slopes) = (vec![DMat3::ZERO; count * count], vec![DVec3::ZERO; count]);
        let mut value = 0.0;
        let mut levers = vec![DMat3::ZERO; count];
        for &(pose, pull, wanted) in &self.poses {
            let mut turned = DMat3::IDENTITY;
            for (lever, &(driver, ratio)) in levers.iter_mut().zip(shares) {
                let next = turned * share(self.pulls.turns.seen_from(self.parent, driver, pose), ratio);
                (*lever, turned) = (turned - next, next);
            }
            value -= 2.0 * dot(&turned, &wanted);
            for (row, lever) in levers.iter().enumerate() {
                let back = lever.transpose();
                slopes[row] -= back * pull;
                for (column, other) in levers[..=row].iter().enumerate() {
                    products[row * count + column] += back * *other;
                }
            }
        }
        if count == 0 {
            return (value, Vec::new());
        }
        // The lower half is all that the solver reads.
        let mut normal = Mat::from_fn(size, size, |row, column| {
            self.weight * products[row / 3 * count + column / 3].col(column % 3)[row % 3]
        });
        let right = Mat::from_fn(size, 1, |row, _| slopes[row / 3][row % 3]);
        let hold = self.weight * self.poses.len() as f64;
        for at in 0..size {
            let is_held = at % 3 == 0 && self.pulls.plane.is_some();
            normal[(at, at)] += hold * if is_held { HOLD_PLANE } else { HOLD };
        }
        let Some(found) = solve_spd(&normal, &right, 0.0) else {
            return (f64::INFINITY, vec![DVec3::ZERO; count]);
        };
        // At the minimum half of the linear term is left: −rᵀ N⁻¹ r.
        value -= (0..size).map(|at| found[(at, 0)] * right[(at, 0)]).sum::<f64>();
        let pivot =
            |at: usize| DVec3::new(found[(3 * at, 0)], found[(3 * at + 1, 0)], found[(3 * at + 2, 0)]);
        (value, (0..count).map(pivot).collect())
    }

    fn chain(&self, shares: &Shares) -> AppendChain {
        let pivots = self.value(shares).1;
        let link = |(&(driver, ratio), pivot): (&(usize, f64), &DVec3)| {
            let mut pivot = self.center + *pivot;
            if let Some(x) = self.pulls.plane {
                pivot.x = x;
            }
            AppendLink { driver, ratio, pivot }
        };
        AppendChain { parent: self.parent, links: shares.iter().zip(&pivots).map(link).collect() }
    }
}

fn column(rows: &Rows) -> DVec3 {
    DVec3::from_array(rows.map(|row| row[3]))
}

/// tr(aᵀ b).
fn dot(a: &DMat3, b: &DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}
