//! Output of results: in the order of groups, or in the caller's.

use super::simd::Scatter;
use super::skin::GroupedSkin;
use glam::{Vec3, Vec4};
use sinew_geometry::simd::{AlignedFloats, BLOCK_LANES, Lanes, Simd};

/// A posed shape in the order of [`GroupedSkin::order`], padded to whole blocks; the fastest to write.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupedSurface {
    /// x y z of each slot, m.
    pub positions: AlignedFloats,
    /// x y z of each slot, unit.
    pub normals: AlignedFloats,
    /// x y z and the bitangent's sign of each slot; empty if the rest shape has no tangents.
    pub tangents: AlignedFloats,
}

impl GroupedSurface {
    /// Memory for the results of `skin`.
    pub fn new(skin: &GroupedSkin) -> Self {
        let slots = skin.block_count() * BLOCK_LANES;
        let tangent_slots = if skin.rest_tangents.is_empty() { 0 } else { slots };
        Self {
            positions: AlignedFloats::zeros(3 * slots),
            normals: AlignedFloats::zeros(3 * slots),
            tangents: AlignedFloats::zeros(4 * tangent_slots),
        }
    }
}

/// Where positions and normals of a block are written.
pub(super) struct Slot<'a> {
    pub(super) positions: &'a mut [Lanes; 3],
    pub(super) normals: &'a mut [Lanes; 3],
    pub(super) stores: SlotStores,
}

/// Kind of stores of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotStores {
    /// Through the caches to where it stays.
    InPlace,
    /// Past the caches to where it stays.
    Streaming,
    /// To a place in the nearest cache, to be carried on.
    Scratch,
}

/// Consecutive blocks of a result, to be written by one thread.
pub(super) enum Target<'a> {
    /// In the order of groups.
    Grouped {
        positions: &'a mut [[Lanes; 3]],
        normals: &'a mut [[Lanes; 3]],
        /// Empty where there are none.
        tangents: &'a mut [[Lanes; 4]],
        /// Whether stores go past the caches.
        is_streaming: bool,
    },
    /// In the caller's order.
    Scattered {
        positions: Scatter<'a, Vec3>,
        normals: Option<Scatter<'a, Vec3>>,
        tangents: Option<Scatter<'a, Vec4>>,
    },
}

impl<'a> Target<'a> {
    /// All blocks of a grouped result.
    ///
    /// # Panics
    /// If the size differs from the results of `skin`.
    pub(super) fn grouped(skin: &GroupedSkin, surface: &'a mut GroupedSurface, is_streaming: bool) -> Self {
        let (positions, _) = surface.positions.as_lanes_mut().as_chunks_mut();
        let (normals, _) = surface.normals.as_lanes_mut().as_chunks_mut();
        let (tangents, _) = surface.tangents.as_lanes_mut().as_chunks_mut();
        assert_eq!(positions.len(), skin.block_count(), "room for all positions");
        assert_eq!(normals.len(), skin.block_count(), "room for all normals");
        assert_eq!(tangents.len(), skin.rest_tangents.len(), "room for all tangents");
        Self::Grouped { positions, normals, tangents, is_streaming }
    }

    /// The blocks before `block`, and the others.
    #[cfg(feature = "parallel")]
    pub(super) fn split_at(self, block: usize) -> (Self, Self) {
        match self {
            Self::Grouped { positions, normals, tangents, is_streaming } => {
                let tangent_block = if tangents.is_empty() { 0 } else { block };
                let (positions, positions_after) = positions.split_at_mut(block);
                let (normals, normals_after) = normals.split_at_mut(block);
                let (tangents, tangents_after) = tangents.split_at_mut(tangent_block);
                (
                    Self::Grouped { positions, normals, tangents, is_streaming },
                    Self::Grouped {
                        positions: positions_after,
                        normals: normals_after,
                        tangents: tangents_after,
                        is_streaming,
                    },
                )
            }
            Self::Scattered { positions, normals, tangents } => {
                let (positions, positions_after) = positions.split_at(block);
                let (normals, normals_after) = normals.map(|normals| normals.split_at(block)).unzip();
                let (tangents, tangents_after) = tangents.map(|tangents| tangents.split_at(block)).unzip();
                (
                    Self::Scattered { positions, normals, tangents },
                    Self::Scattered {
                        positions: positions_after,
                        normals: normals_after,
                        tangents: tangents_after,
                    },
                )
            }
        }
    }

    /// Where to write positions and normals of a block: in place, or for now in `scratch`.
    #[inline(always)]
    pub(super) fn slot<'s>(&'s mut self, block: usize, scratch: &'s mut [[Lanes; 3]; 2]) -> Slot<'s> {
        match self {
            Self::Grouped { positions, normals, is_streaming, .. } => Slot {
                positions: &mut positions[block],
                normals: &mut normals[block],
                stores: if *is_streaming { SlotStores::Streaming } else { SlotStores::InPlace },
            },
            Self::Scattered { .. } => {
                let [positions, normals] = scratch;
                Slot { positions, normals, stores: SlotStores::Scratch }
            }
        }
    }

    /// Carries consecutive blocks from `scratch` to their vertices' places, if they are not there yet.
    #[inline(always)]
    pub(super) fn finish<S: Simd>(&mut self, simd: S, first_block: usize, scratch: &[[[Lanes; 3]; 2]]) {
        if let Self::Scattered { positions, normals, .. } = self {
            for (at, [posed, _]) in scratch.iter().enumerate() {
                positions.write_points(simd, first_block + at, posed);
            }
            let Some(normals) = normals else { return };
            for (at, [_, posed]) in scratch.iter().enumerate() {
                normals.write_points(simd, first_block + at, posed);
            }
        }
    }

    /// Writes the tangents of a block, if there is room for any.
    pub(super) fn write_tangents(&mut self, block: usize, posed: &[Vec4; BLOCK_LANES]) {
        match self {
            Self::Grouped { tangents, .. } => {
                for (lane, tangent) in posed.iter().enumerate() {
                    tangents[block][lane / 4].0.as_chunks_mut().0[lane % 4] = tangent.to_array();
                }
            }
            Self::Scattered { tangents, .. } => {
                if let Some(tangents) = tangents {
                    tangents.write(block, posed);
                }
            }
        }
    }

    /// Whether there is room for tangents.
    pub(super) fn has_tangents(&self) -> bool {
        match self {
            Self::Grouped { tangents, .. } => !tangents.is_empty(),
            Self::Scattered { tangents, .. } => tangents.is_some(),
        }
    }

    /// Whether stores go past the caches.
    pub(super) fn is_streaming(&self) -> bool {
        matches!(self, Self::Grouped { is_streaming: true, .. })
    }
}
