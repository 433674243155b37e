//! Tubes around bones: rows of control rings, five per bay, with one shared by neighboring bays.
//!
//! \[Komatsu88\] section 4, figure 15: rows 0 and 4 of a bay are the joints' rings (A), row 2 the middle (B), rows 1 and 3 the legs beside the
//! joints (C). Departure: the middle ring is interpolated exactly; the source sets the control row itself.

mod build;
mod join;
mod measure;

pub use build::{BayShape, MiddleRing, Pole, Station};

use crate::ring::arc_of;
use crate::{Patch, Quartic};
use glam::DVec3;

/// Control points of a tube.
///
/// Invariant: `4 · bay_count + 1` rows of `4 · patch_count` points each. Row `4 b` is the ring where bay b starts. u runs around the tube, w
/// along it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tube {
    patch_count: usize,
    points: Vec<DVec3>,
}

impl Tube {
    /// A tube with all control points at the origin, to be filled row by row.
    ///
    /// # Panics
    /// If there are fewer than two patches around or no bay.
    pub fn new(patch_count: usize, bay_count: usize) -> Self {
        assert!(patch_count >= 2, "a tube has at least two patches around");
        assert!(bay_count >= 1, "a tube has a bay");
        Tube { patch_count, points: vec![DVec3::ZERO; (4 * bay_count + 1) * 4 * patch_count] }
    }

    /// Patches around the tube.
    pub fn patch_count(&self) -> usize {
        self.patch_count
    }

    /// Bays along the tube.
    pub fn bay_count(&self) -> usize {
        (self.row_count() - 1) / 4
    }

    /// Rows of control points along the tube.
    pub fn row_count(&self) -> usize {
        self.points.len() / self.row_len()
    }

    /// Control points in a row.
    pub fn row_len(&self) -> usize {
        4 * self.patch_count
    }

    /// One row, closed: corner k is point `4 k`.
    pub fn row(&self, row: usize) -> &[DVec3] {
        let len = self.row_len();
        &self.points[row * len..(row + 1) * len]
    }

    /// One row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [DVec3] {
        let len = self.row_len();
        &mut self.points[row * len..(row + 1) * len]
    }

    /// All control points, row after row.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// All control points from a row on, to be changed.
    pub fn points_from_row_mut(&mut self, row: usize) -> &mut [DVec3] {
        let len = self.row_len();
        &mut self.points[row * len..]
    }

    /// Copies another tube's points without allocating.
    ///
    /// # Panics
    /// If the tubes differ in patches or bays.
    pub fn copy_from(&mut self, other: &Tube) {
        assert_eq!(self.patch_count, other.patch_count, "tubes of one layout");
        self.points.copy_from_slice(&other.points);
    }

    /// The patch of bay `bay` between the seams `patch` and `patch + 1`.
    pub fn patch(&self, bay: usize, patch: usize) -> Patch {
        let len = self.row_len();
        let net =
            std::array::from_fn(|i| std::array::from_fn(|j| self.row(4 * bay + j)[(4 * patch + i) % len]));
        Patch::bezier(net)
    }

    /// All patches, bay by bay.
    pub fn patches(&self) -> impl Iterator<Item = Patch> + '_ {
        (0..self.bay_count()).flat_map(move |bay| (0..self.patch_count).map(move |k| self.patch(bay, k)))
    }

    /// The arcs of a row.
    pub fn arcs(&self, row: usize) -> impl Iterator<Item = Quartic> + '_ {
        (0..self.patch_count).map(move |k| arc_of(self.row(row), k))
    }

    /// The same surface with every patch split in two around the tube, exactly: twice the patches, with seams that meet the halved sides of
    /// fills.
    pub fn split_round(&self) -> Tube {
        let mut split = Tube::new(2 * self.patch_count, self.bay_count());
        for row in 0..self.row_count() {
            for (k, arc) in self.arcs(row).enumerate() {
                let (low, high) = arc.split(0.5);
                split.row_mut(row)[8 * k..8 * k + 4].copy_from_slice(&low.0[..4]);
                split.row_mut(row)[8 * k + 4..8 * k + 8].copy_from_slice(&high.0[..4]);
            }
        }
        split
    }

    /// The same surface with one bay split in two at `w`, exactly.
    pub fn split_bay(&self, bay: usize, w: f64) -> Tube {
        let mut split = Tube::new(self.patch_count, self.bay_count() + 1);
        let len = self.row_len();
        let (before, after) = (4 * bay * len, (4 * bay + 5) * len);
        split.points[..before].copy_from_slice(&self.points[..before]);
        split.points[after + 4 * len..].copy_from_slice(&self.points[after..]);
        for column in 0..len {
            let curve = Quartic(std::array::from_fn(|j| self.row(4 * bay + j)[column]));
            let (low, high) = curve.split(w);
            split.set_column(bay, column, low.0);
            split.set_column(bay + 1, column, high.0);
        }
        split
    }
}

#[cfg(test)]
mod tests;
