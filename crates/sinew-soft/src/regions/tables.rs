//! Regions as the passes read them.

use super::Rings;
use sinew_geometry::simd::{BLOCK_LANES, Lanes};

/// Numbers of all regions; per-region ones in blocks of 16.
///
/// Invariant: indices are in range, pairs are as many as members, all numbers are finite.
#[derive(Clone, Debug)]
pub(crate) struct RegionTables {
    pub(super) members: Rings,
    /// Per member: m̃ (Σ m̃ q qᵀ)⁻¹ q, and m̃ / Σ m̃.
    pub(super) pairs: Vec<[f32; 4]>,
    /// Regions of each particle, if they are not the same lists as `members`.
    pub(super) regions_of: Option<Rings>,
    /// Per particle: 1 / number of its regions.
    pub(super) shares: Vec<f32>,
    /// Rest centers.
    pub(crate) centers: Vec<[Lanes; 3]>,
    /// What makes a region answer evenly to strains along all axes, by xx, yy, zz, xy, xz, yz: the inverse of Σ m̃ q qᵀ, scaled to 1
    /// along the axis in which the region is thinnest.
    pub(crate) evens: Vec<[Lanes; 6]>,
    /// 1/s².
    pub(crate) stiffness: Vec<Lanes>,
    /// How much of the stiffness keeps the volume; empty if none does.
    pub(crate) bulk_shares: Vec<Lanes>,
    /// How much of the stiffness holds what is not linear within a region.
    pub(crate) bound_share: f32,
    /// The projection on the directions in which a region is flat, by xx, yy, zz, xy, xz, yz; empty if none is.
    pub(crate) flats: Vec<[Lanes; 6]>,
    /// Unit directions of fibers at rest; empty if there are none.
    pub(crate) fibers: Vec<[Lanes; 3]>,
}

/// What a block of regions compares itself with: a shape that the body follows, with map A from rest.
#[derive(Clone, Debug)]
pub(crate) struct FollowTables {
    /// A'⁻¹, by rows: of A, or of its rotation where A is nearly flat or inside out.
    pub(crate) inverses: [Lanes; 9],
    /// A' − A, by rows.
    pub(crate) missing: [Lanes; 9],
    /// 1 where A' is A, or else 0.
    pub(crate) is_whole: Lanes,
    /// Of the shape.
    pub(crate) centers: [Lanes; 3],
    /// [`RegionTables::evens`], carried along by the shape.
    pub(crate) evens: [Lanes; 6],
    /// [`RegionTables::fibers`], turned with the shape.
    pub(crate) fibers: [Lanes; 3],
}

impl FollowTables {
    pub(crate) const NONE: Self = Self {
        inverses: [Lanes::ZERO; 9],
        missing: [Lanes::ZERO; 9],
        is_whole: Lanes::ZERO,
        centers: [Lanes::ZERO; 3],
        evens: [Lanes::ZERO; 6],
        fibers: [Lanes::ZERO; 3],
    };
}

/// How a block of regions gives way along its fibers.
#[derive(Clone, Debug)]
pub(crate) struct FiberTables {
    /// What share of their own stretch regions keep.
    pub(crate) gives: Lanes,
    /// Wanted stretch along fibers.
    pub(crate) contractions: Lanes,
    /// Wanted stretch across them.
    pub(crate) laterals: Lanes,
}

impl FiberTables {
    pub(crate) const STIFF: Self = Self {
        gives: Lanes::ZERO,
        contractions: Lanes([1.0; BLOCK_LANES]),
        laterals: Lanes([1.0; BLOCK_LANES]),
    };
}

impl RegionTables {
    pub(crate) fn region_count(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn block_count(&self) -> usize {
        self.region_count().div_ceil(BLOCK_LANES)
    }

    /// Members of a region with their pairs, if there is such a region.
    #[inline(always)]
    pub(crate) fn members(&self, region: usize) -> Option<(&[u32], &[[f32; 4]])> {
        let (start, end) = (*self.members.starts.get(region)?, *self.members.starts.get(region + 1)?);
        let range = start as usize..end as usize;
        Some((&self.members.members[range.clone()], &self.pairs[range]))
    }

    /// Of `count` particles from `first` on: where the list of each begins, and where the last ends; the lists that these point into; and
    /// 1 / their lengths.
    #[inline(always)]
    pub(crate) fn lists_of(&self, first: usize, count: usize) -> (&[u32], &[u32], &[f32]) {
        let lists = self.regions_of.as_ref().unwrap_or(&self.members);
        (&lists.starts[first..=first + count], &lists.members, &self.shares[first..first + count])
    }

    /// Regions of a particle and 1 / their number.
    #[inline(always)]
    pub(crate) fn regions_of(&self, particle: usize) -> (&[u32], f32) {
        let lists = self.regions_of.as_ref().unwrap_or(&self.members);
        (lists.list(particle), self.shares[particle])
    }
}
