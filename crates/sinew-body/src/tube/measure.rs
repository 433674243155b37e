//! Volume and smoothness of a tube.

use super::Tube;
use crate::Side;
use crate::g1::{EdgeGap, compare_edges};
use crate::quadrature::{PatchRule, area_vector, cone_volume, fan_center};

impl Tube {
    /// The enclosed volume, with open ends closed by lids from their loops to their mean points. `rule`: [`PatchRule::tensor`] with six points,
    /// which is exact.
    pub fn volume(&self, rule: &PatchRule) -> f64 {
        let sides: f64 = self.patches().map(|patch| rule.volume(&patch)).sum();
        let lid = |row: usize| cone_volume(fan_center(self.arcs(row)), area_vector(self.arcs(row)));
        // Rings run counter-clockwise about the bone: seen from beyond its end that is from outside, at the start from inside.
        sides + lid(self.row_count() - 1) - lid(0)
    }

    /// The volume of some bays, closed by lids at both ends.
    pub fn bay_volume(&self, rule: &PatchRule, bays: std::ops::Range<usize>) -> f64 {
        let lid = |row: usize| cone_volume(fan_center(self.arcs(row)), area_vector(self.arcs(row)));
        let closing = lid(4 * bays.end) - lid(4 * bays.start);
        let patches = bays.flat_map(|bay| (0..self.patch_count).map(move |k| self.patch(bay, k)));
        closing + patches.map(|patch| rule.volume(&patch)).sum::<f64>()
    }

    /// The worst gap and normal jump between neighboring bays.
    pub fn worst_ring(&self, samples: usize) -> EdgeGap {
        let mut worst = EdgeGap::default();
        for bay in 1..self.bay_count() {
            for k in 0..self.patch_count {
                let (before, after) = (self.patch(bay - 1, k), self.patch(bay, k));
                worst = worst.worst(compare_edges((&before, Side::W1), (&after, Side::W0), samples));
            }
        }
        worst
    }

    /// The worst gap and normal jump between neighboring patches around the tube.
    pub fn worst_seam(&self, samples: usize) -> EdgeGap {
        let mut worst = EdgeGap::default();
        for bay in 0..self.bay_count() {
            for k in 0..self.patch_count {
                let (patch, next) = (self.patch(bay, k), self.patch(bay, (k + 1) % self.patch_count));
                worst = worst.worst(compare_edges((&patch, Side::U1), (&next, Side::U0), samples));
            }
        }
        worst
    }
}
