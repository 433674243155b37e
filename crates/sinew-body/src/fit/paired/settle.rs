//! Settles a body: fits it anew with a thin-plate price of its own.
//!
//! The first fit leaves control points along the surface where chance put them: legs beside a ring may go 1 % of the way to the next one, and
//! the surface shows a line there. The price of bends as vectors spreads them evenly, and jumps of curvature across edges cost too. Bends
//! across the surface, which are the body's shape, cost less.

use super::linear::Linear;
use super::{PairedFit, Prices, Scaled, weighed};
use crate::Patch;
use crate::build::build_patches;
use crate::fit::FitError;
use glam::DVec3;

/// Price of distances along the surface of the average, little: control points must be free to spread.
pub(super) const ALONG: f64 = 0.03;
/// Share of bends across the surface.
const NORMAL: f64 = 0.6;
/// Steps with one factor, and shares of a step that are tried: where effects bend, as in a narrow fill, a whole step may go too far.
const STEPS: usize = 3;
const SHARES: [f64; 4] = [1.0, 0.5, 0.2, 0.05];

/// What a round brings.
pub(super) struct Settled {
    pub(super) values: Vec<f64>,
    /// Root of the mean squared distance across the surface before it, m.
    pub(super) before_m: f64,
    /// Share by which the cost fell.
    pub(super) gain: f64,
}

/// A surface with what is missed on it.
struct Met {
    patches: Vec<Patch>,
    /// Weighted squares of the distances, and the prices.
    cost: f64,
}

impl PairedFit {
    /// A list after one round about it, with a weight of distances along the surface and a share of the prices. What distances and prices
    /// amount to never rises.
    pub(super) fn settled(
        &self,
        body: &Scaled,
        start: &[f64],
        (along, share): (f64, f64),
    ) -> Result<Settled, FitError> {
        let prices = Prices {
            bend: share * self.settings.own_bend,
            jump: share * self.settings.own_jump,
            along,
            normal: NORMAL,
            is_own: true,
            is_average: along == ALONG,
        };
        let linear = Linear::new(self, start, &prices)?;
        let mut values = start.to_vec();
        let mut met = self.met(&linear, body, &values, along)?;
        let weight: f64 = self.roots.iter().map(|root| root * root).sum();
        let across =
            self.missed(&met.patches, body).map(|(root, away, normal)| (root * away.dot(normal)).powi(2));
        let cost_before = met.cost;
        let before_m = body.stature * (across.sum::<f64>() / weight).sqrt();
        let joint_len = self.slots.joint_len;
        'steps: for _ in 0..STEPS {
            let change: Vec<f64> =
                values[joint_len..].iter().zip(&start[joint_len..]).map(|(now, start)| now - start).collect();
            let missed = self
                .missed(&met.patches, body)
                .map(|(root, away, normal)| root * root * weighed(away, normal, along));
            let step = linear.step(&change, 1.0, missed)?;
            for share in SHARES {
                let mut tried = values.clone();
                tried[joint_len..].iter_mut().zip(&step).for_each(|(value, by)| *value += share * by);
                let next = self.met(&linear, body, &tried, along)?;
                if next.cost < met.cost {
                    (values, met) = (tried, next);
                    continue 'steps;
                }
            }
            break;
        }
        Ok(Settled { values, before_m, gain: 1.0 - met.cost / cost_before })
    }

    fn met(&self, linear: &Linear, body: &Scaled, values: &[f64], along: f64) -> Result<Met, FitError> {
        let patches = build_patches(&self.template, &self.design(values, 1.0))?;
        let missed = self.missed(&patches, body);
        let distances: f64 =
            missed.map(|(root, away, normal)| (root * weighed(away, normal, along)).length_squared()).sum();
        Ok(Met { cost: distances + linear.price_of(&patches), patches })
    }

    /// For each pair the root of its weight, the way to the vertex over the stature, and the normal.
    fn missed<'a>(
        &'a self,
        patches: &'a [Patch],
        body: &'a Scaled,
    ) -> impl Iterator<Item = (f64, DVec3, DVec3)> + 'a {
        self.pairs.iter().zip(&self.roots).map(|(pair, &root)| {
            let patch = &patches[pair.patch];
            let away = body.vertices[pair.vertex] / body.stature - patch.position(pair.u, pair.w);
            (root, away, patch.normal(pair.u, pair.w))
        })
    }
}
