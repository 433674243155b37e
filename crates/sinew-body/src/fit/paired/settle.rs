//! Settles a body: fits it anew with a thin-plate price of its own.
//!
//! The first fit leaves control points along the surface where chance put them: legs beside a ring may go 1 % of the way to the next one, and
//! the surface shows a line there. The price of bends as vectors spreads them evenly, and jumps of curvature across edges cost too. Bends
//! across the surface, which are the body's shape, cost less. The head stays: its layout is finer than what a thin plate keeps.

use super::linear::Linear;
use super::{PairedFit, Prices, Scaled, weighed};
use crate::build::build_patches;
use crate::fit::FitError;

/// Price of distances along the surface of the average, little: control points must be free to spread.
pub(super) const ALONG: f64 = 0.03;
/// Share of bends across the surface.
const NORMAL: f64 = 0.6;
/// Steps with one factor.
const STEPS: usize = 2;

impl PairedFit {
    /// A list after one round about it, with a weight of distances along the surface and a share of the prices, and the root of the mean
    /// squared distance across the surface before it, m.
    pub(super) fn settled(
        &self,
        body: &Scaled,
        start: &[f64],
        (along, share): (f64, f64),
    ) -> Result<(Vec<f64>, f64), FitError> {
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
        let mut first = None;
        let joint_len = self.slots.joint_len;
        for _ in 0..STEPS {
            let patches = build_patches(&self.template, &self.design(&values, 1.0))?;
            let change: Vec<f64> =
                values[joint_len..].iter().zip(&start[joint_len..]).map(|(now, start)| now - start).collect();
            let mut sum = 0.0;
            let mut missed = Vec::with_capacity(self.pairs.len());
            for (pair, root) in self.pairs.iter().zip(&self.roots) {
                let patch = &patches[pair.patch];
                let away = body.vertices[pair.vertex] / body.stature - patch.position(pair.u, pair.w);
                let normal = patch.normal(pair.u, pair.w);
                sum += root * root * away.dot(normal).powi(2);
                missed.push(root * root * weighed(away, normal, along));
            }
            let weight: f64 = self.roots.iter().map(|root| root * root).sum();
            first.get_or_insert(body.stature * (sum / weight).sqrt());
            let step = linear.step(&change, 1.0, missed.into_iter())?;
            values[joint_len..].iter_mut().zip(step).for_each(|(value, by)| *value += by);
        }
        Ok((values, first.unwrap_or_default()))
    }
}
