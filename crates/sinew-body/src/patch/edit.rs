//! Splits, flips and transforms patches.

use super::evaluate::corner_index;
use super::{CORNERS, GregoryCorners, Patch};
use crate::Quartic;
use glam::{DAffine3, DVec3};

impl Patch {
    /// Both parts of a Bézier patch split at `u`, exactly; `None` for a Gregory patch, which cannot be split.
    pub fn split_u(&self, u: f64) -> Option<(Patch, Patch)> {
        let (low, high) = self.transposed().split_w(u)?;
        Some((low.transposed(), high.transposed()))
    }

    /// Both parts of a Bézier patch split at `w`, exactly; `None` for a Gregory patch.
    pub fn split_w(&self, w: f64) -> Option<(Patch, Patch)> {
        if self.is_gregory() {
            return None;
        }
        let (mut low, mut high) = (*self, *self);
        for (i, row) in self.net.iter().enumerate() {
            let (first, second) = Quartic(*row).split(w);
            low.net[i] = first.0;
            high.net[i] = second.0;
        }
        Some((low, high))
    }

    /// Swaps u and w. The inside becomes the outside.
    pub fn transposed(&self) -> Patch {
        let mut patch = self.rearranged(|i, j| (j, i));
        if let Some(GregoryCorners { cross_u, cross_w }) = &mut patch.corners {
            std::mem::swap(cross_u, cross_w);
        }
        patch
    }

    /// Reverses u. The inside becomes the outside.
    pub fn reversed_u(&self) -> Patch {
        self.rearranged(|i, j| (4 - i, j))
    }

    /// Reverses w. The inside becomes the outside.
    pub fn reversed_w(&self) -> Patch {
        self.rearranged(|i, j| (i, 4 - j))
    }

    /// The mirror image: x → −x, with u reversed to keep the outside outside.
    pub fn mirrored(&self) -> Patch {
        self.map(|point| DVec3::new(-point.x, point.y, point.z)).reversed_u()
    }

    /// Every control point, and with it every point of the patch, transformed.
    pub fn transformed(&self, target_from_source: &DAffine3) -> Patch {
        self.map(|point| target_from_source.transform_point3(point))
    }

    /// Applies a function to every control point.
    pub fn map(&self, mut change: impl FnMut(DVec3) -> DVec3) -> Patch {
        let net = self.net.map(|row| row.map(&mut change));
        let corners = self.corners.map(|old| GregoryCorners {
            cross_u: old.cross_u.map(&mut change),
            cross_w: old.cross_w.map(&mut change),
        });
        Patch { net, corners }
    }

    /// The patch whose point (i, j) is this one's at `from(i, j)`; u stays u.
    fn rearranged(&self, from: impl Fn(usize, usize) -> (usize, usize)) -> Patch {
        let at = |(i, j): (usize, usize)| self.net[i][j];
        let net = std::array::from_fn(|i| std::array::from_fn(|j| at(from(i, j))));
        let moved = |old: &[DVec3; 4]| {
            CORNERS.map(|(i, j)| {
                let (i, j) = from(i, j);
                old[corner_index(i, j)]
            })
        };
        let corners = self
            .corners
            .map(|old| GregoryCorners { cross_u: moved(&old.cross_u), cross_w: moved(&old.cross_w) });
        Patch { net, corners }
    }
}
