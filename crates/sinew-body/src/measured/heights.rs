//! Maps heights of the base to another person.

use super::knobs::Knob;
use super::sizes::Sizes;
use crate::survey::Measure::*;

/// A map of heights, linear between those measured on both. One map for all joints: they keep their order, and close ones move
/// together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heights {
    /// Height in the base and on the person, m, both ascending.
    anchors: Vec<[f64; 2]>,
}

impl Heights {
    /// `skull_m`: height of the joint below the head in the base, m.
    pub(super) fn new(sizes: &Sizes<'_>, skull_m: f64) -> Self {
        let mut anchors = vec![[0.0; 2]];
        let measured = [MalleolusHeight, KneeHeight, CrotchHeight, ChestHeight, AcromialHeight]
            .map(|measure| [sizes.base.value(measure), sizes.person.value(measure)]);
        // The head is scaled as a whole: the neck takes the rest of the stature.
        let stature = [sizes.base.value(Stature), sizes.person.value(Stature) + sizes.knobs[Knob::Crown]];
        let skull = [skull_m, stature[1] - sizes.head() * (stature[0] - skull_m)];
        for next in measured.into_iter().chain([skull, stature]) {
            let [before, after] = anchors[anchors.len() - 1];
            // Skip a level that an unusual design has out of order.
            if next[0] > before && next[1] > after {
                anchors.push(next);
            }
        }
        Self { anchors }
    }

    /// The person's height for a height of the base, m.
    pub(super) fn of(&self, height_m: f64) -> f64 {
        let last = self.anchors.len() - 1;
        let above =
            self.anchors.iter().position(|anchor| anchor[0] >= height_m).unwrap_or(last).max(1).min(last);
        let ([low, person_low], [high, person_high]) = match last {
            0 => ([0.0, 0.0], [1.0, 1.0]),
            _ => (self.anchors[above - 1], self.anchors[above]),
        };
        person_low + (height_m - low) / (high - low) * (person_high - person_low)
    }
}
