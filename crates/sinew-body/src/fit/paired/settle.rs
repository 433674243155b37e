//! Settles the average: fits it anew with a thin-plate price of its own.
//!
//! The first fit leaves control points along the surface where chance put them: legs beside a ring may go 1 % of the way to the next one, and
//! the surface shows a line there. The price of bends as vectors spreads them evenly, and jumps of curvature across edges cost too. Bends
//! across the surface, which are the body's shape, cost less. The head stays: its layout is finer than what a thin plate keeps.

use super::average::Average;
use super::{HELD, PairedFit, Prices, weighed};
use crate::build::build_patches;
use crate::fit::FitError;
use glam::DVec3;

/// Price of distances along the surface, little: control points must be free to spread.
const ALONG: f64 = 0.03;
/// Share of bends across the surface.
const NORMAL: f64 = 0.6;
/// Steps with one factor.
const STEPS: usize = 2;

impl PairedFit {
    /// One round about the present mean. Returns the root of the mean squared distance across the surface before it, m.
    pub(super) fn settle(&mut self, average: &Average) -> Result<f64, FitError> {
        let prices = Prices {
            bend: self.settings.own_bend,
            jump: self.settings.own_jump,
            along: ALONG,
            normal: NORMAL,
            is_own: true,
        };
        self.linearize(&prices)?;
        let start = self.mean.clone();
        let mut first = None;
        for _ in 0..STEPS {
            let patches = build_patches(&self.template, &self.design(&self.mean, 1.0))?;
            let across = |row: usize| -> (DVec3, DVec3) {
                let pair = &self.pairs[row];
                let missed = average.vertices[pair.vertex] / average.stature
                    - patches[pair.patch].position(pair.u, pair.w);
                (missed, patches[pair.patch].normal(pair.u, pair.w))
            };
            let mut sum = 0.0;
            let change = self.change_from(&start);
            let held = |slot: usize| if self.is_held[slot] { HELD } else { self.settings.size };
            let mut slope: Vec<f64> =
                change.iter().enumerate().map(|(slot, change)| -held(slot) * change).collect();
            for (row, root) in self.roots.iter().enumerate() {
                let (missed, normal) = across(row);
                sum += root * root * missed.dot(normal).powi(2);
                self.data.add_back(row, root * root * weighed(missed, normal, ALONG), &mut slope);
            }
            for row in 0..self.prices.len() {
                let value = self.prices.present(row) + self.prices.value(row, &change);
                self.prices.add_back(row, -value, &mut slope);
            }
            let weight: f64 = self.roots.iter().map(|root| root * root).sum();
            first.get_or_insert(average.stature * (sum / weight).sqrt());
            self.factor.solve(&mut slope);
            let joint_len = self.slots.joint_len;
            self.mean[joint_len..].iter_mut().zip(slope).for_each(|(value, by)| *value += by);
        }
        self.reference = self.design(&self.mean, 1.0);
        Ok(first.unwrap_or_default())
    }

    /// How far the mean is from another list, without joints.
    fn change_from(&self, start: &[f64]) -> Vec<f64> {
        let joint_len = self.slots.joint_len;
        self.mean[joint_len..].iter().zip(&start[joint_len..]).map(|(now, start)| now - start).collect()
    }
}
