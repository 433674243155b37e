//! Makes a tube smooth again after changes of its control points.

use super::Tube;
use crate::g1::{common_ratio, joined_points};
use crate::ring::arc_of;

impl Tube {
    /// Joins neighboring bays smoothly by the smallest moves of the rows beside each shared ring, \[Komatsu88\] step 4. Returns the number of
    /// rings that are folds and were not joined.
    pub fn join_rings(&mut self) -> usize {
        let mut fold_count = 0;
        for bay in 1..self.bay_count() {
            match self.ring_ratio(bay) {
                Some(h) => self.join_ring(bay, h),
                None => fold_count += 1,
            }
        }
        fold_count
    }

    /// Joins the patches around the tube along each seam with one ratio for its whole length, which keeps rings joined. Returns the number of
    /// seams that are folds.
    pub fn join_seams(&mut self) -> usize {
        let mut fold_count = 0;
        for seam in 0..self.patch_count {
            match self.seam_ratio(seam) {
                Some(h) => {
                    for row in 0..self.row_count() {
                        self.join_seam_point(row, seam, h);
                    }
                }
                None => fold_count += 1,
            }
        }
        fold_count
    }

    /// The ratio of the legs after and before the ring where bay `bay` starts; `None` at a fold.
    pub fn ring_ratio(&self, bay: usize) -> Option<f64> {
        let ring = 4 * bay;
        common_ratio((0..self.row_len()).map(|column| {
            let at = |row: usize| self.row(row)[column];
            (at(ring) - at(ring - 1), at(ring + 1) - at(ring))
        }))
    }

    /// The ratio of the legs after and before a seam, along the whole tube; `None` at a fold.
    pub fn seam_ratio(&self, seam: usize) -> Option<f64> {
        let (before, on, after) = self.seam_columns(seam);
        common_ratio((0..self.row_count()).map(|row| {
            let points = self.row(row);
            (points[on] - points[before], points[after] - points[on])
        }))
    }

    /// Columns of a row: before a seam, on it, after it.
    pub(crate) fn seam_columns(&self, seam: usize) -> (usize, usize, usize) {
        let len = self.row_len();
        ((4 * seam + len - 1) % len, 4 * seam, 4 * seam + 1)
    }

    pub(crate) fn join_ring(&mut self, bay: usize, h: f64) {
        let ring = 4 * bay;
        for column in 0..self.row_len() {
            let at = |row: usize| self.row(row)[column];
            let (before, after) = joined_points(at(ring - 1), at(ring), at(ring + 1), h);
            self.row_mut(ring - 1)[column] = before;
            self.row_mut(ring + 1)[column] = after;
        }
    }

    pub(crate) fn join_seam_point(&mut self, row: usize, seam: usize, h: f64) {
        let (before, on, after) = self.seam_columns(seam);
        let points = self.row_mut(row);
        (points[before], points[after]) = joined_points(points[before], points[on], points[after], h);
    }
    /// Copies the first two rows from a tube that this one continues: its last ring and its legs times a ratio, halved.
    pub(crate) fn take_over(&mut self, before: &Tube, ratio: f64) {
        let last = before.row_count() - 1;
        for arc in 0..before.patch_count {
            let ring = arc_of(before.row(last), arc);
            let inner = arc_of(before.row(last - 1), arc);
            let legs = ring.zip(&inner, |on, inside| ratio * (on - inside));
            let (rings, legs) = (ring.split(0.5), legs.split(0.5));
            for (half, (ring, legs)) in [(rings.0, legs.0), (rings.1, legs.1)].into_iter().enumerate() {
                for i in 0..4 {
                    let column = 4 * (2 * arc + half) + i;
                    self.row_mut(0)[column] = ring.0[i];
                    self.row_mut(1)[column] = ring.0[i] + legs.0[i];
                }
            }
        }
    }
}
