//! From a shape that a body follows to what its regions compare themselves with.
//!
//! A region's map F is that from its rest shape. Where the body follows another shape, with map A from rest, what counts is the map from
//! there: F A⁻¹. It is the unit matrix, and nothing pulls, where particles are in the shape's places; whatever the shape is.
//!
//! Where A is nearly flat, or inside out, as skinning makes it in an armpit, its inverse would blow up every small step. There A' = R takes
//! its place, and (F + A' − A) A'⁻¹ the map's: still the unit matrix in the shape's places. Such a region would push where it should pull,
//! so that it only holds its particles in their places, each on its own.

use super::polar::rows_times_symmetric;
use super::region_pass::{load_all, load_columns, region_sums, rotation_of, store_all};
use crate::regions::{FollowTables, RegionTables};
use glam::Vec4;
use sinew_geometry::simd::lane_math::{Rows, cross, dot, transform};
use sinew_geometry::simd::{BLOCK_LANES, Kernel, Lanes, Simd};

/// Less of its volume than this, and a region of the shape is nearly flat: steps would count for more than twice as much.
const LEAST_VOLUME: f32 = 0.5;

/// Some consecutive blocks of regions.
pub(crate) struct FollowPass<'a> {
    pub(crate) tables: &'a RegionTables,
    /// The first block.
    pub(crate) first: usize,
    /// The shape.
    pub(crate) positions: &'a [Vec4],
    /// Rotations by rows, of the last time and then of this.
    pub(crate) rotations: &'a mut [[Lanes; 9]],
    pub(crate) follow: &'a mut [FollowTables],
}

impl Kernel for FollowPass<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for at in 0..self.follow.len() {
            let mut sums = region_sums(simd, self.tables, self.positions, self.first + at);
            simd.transpose(&mut sums);
            for part in 0..BLOCK_LANES / S::WIDTH {
                self.part(simd, at, part, &sums);
            }
        }
    }
}

impl FollowPass<'_> {
    #[inline(always)]
    fn part<S: Simd>(&mut self, simd: S, at: usize, part: usize, sums: &[Lanes; BLOCK_LANES]) {
        let block = self.first + at;
        let map = load_columns(simd, sums, part);
        let rotation = rotation_of(simd, &mut self.rotations[at], part, &map);
        // Across a flat region the shape is taken as turned.
        let map = match self.tables.flats.get(block) {
            Some(flat) => {
                let flat = load_all(simd, flat, part);
                let across = rows_times_symmetric(simd, &rotation, &flat);
                let mut map = map;
                for (entry, across) in map.as_flattened_mut().iter_mut().zip(across.as_flattened()) {
                    *entry = simd.add(*entry, *across);
                }
                map
            }
            None => map,
        };
        let Inverted { inverse, missing, is_whole } = inverse_or_turned_back(simd, &map, &rotation);
        let follow = &mut self.follow[at];
        store_all(simd, &mut follow.inverses, part, inverse.as_flattened());
        store_all(simd, &mut follow.missing, part, missing.as_flattened());
        simd.store(&mut follow.is_whole, part, is_whole);
        for axis in 0..3 {
            let center = simd.load(&sums[12 + axis], part);
            simd.store(&mut follow.centers[axis], part, center);
        }
        let even = carried_even(simd, &inverse, &load_all(simd, &self.tables.evens[block], part));
        store_all(simd, &mut follow.evens, part, &even);
        if let Some(rest) = self.tables.fibers.get(block) {
            let direction = transform(simd, &rotation, load_all(simd, rest, part));
            store_all(simd, &mut follow.fibers, part, &direction);
        }
    }
}

/// A'⁻¹, A' − A, and 1 where A' is A or else 0.
struct Inverted<V> {
    inverse: Rows<V>,
    missing: Rows<V>,
    is_whole: V,
}

/// Of A, or of R where A has hardly any volume left or is turned inside out.
#[inline(always)]
fn inverse_or_turned_back<S: Simd>(simd: S, map: &Rows<S::V>, rotation: &Rows<S::V>) -> Inverted<S::V> {
    let cofactor = [cross(simd, map[1], map[2]), cross(simd, map[2], map[0]), cross(simd, map[0], map[1])];
    let volume = dot(simd, map[0], cofactor[0]);
    let (least, zero) = (simd.splat(LEAST_VOLUME), simd.splat(0.0));
    let scale = simd.reciprocal(simd.max(volume, least));
    let (mut inverse, mut missing) = (*map, *map);
    for row in 0..3 {
        for column in 0..3 {
            // The inverse is the transposed cofactor matrix over the determinant.
            let entry = simd.mul(cofactor[column][row], scale);
            inverse[row][column] = simd.select_less(volume, least, rotation[column][row], entry);
            let turned = simd.sub(rotation[row][column], map[row][column]);
            missing[row][column] = simd.select_less(volume, least, turned, zero);
        }
    }
    Inverted { inverse, missing, is_whole: simd.select_less(volume, least, zero, simd.splat(1.0)) }
}

/// A'⁻ᵀ E A'⁻¹, no larger than E by its trace.
///
/// What a region wants is pulled for by the slope of its energy: with f = F A'⁻¹ and places A' q of the shape, that of ½ ‖f − R‖² is
/// (f − R) A'⁻ᵀ E q = (f − R) (A'⁻ᵀ E A'⁻¹) A' q. Any other matrix there makes forces that belong to no energy: regions of squeezed shapes
/// would feed each other and tremble for ever. Its size is limited because iterations count on the stiffness at rest.
#[inline(always)]
fn carried_even<S: Simd>(simd: S, inverse: &Rows<S::V>, even: &[S::V; 6]) -> [S::V; 6] {
    let mut transposed = *inverse;
    for row in 0..3 {
        for column in 0..3 {
            transposed[row][column] = inverse[column][row];
        }
    }
    let mut carried = turned_symmetric(simd, &transposed, even);
    let trace = |m: &[S::V; 6]| simd.add(m[0], simd.add(m[1], m[2]));
    let (rest, now) = (trace(even), trace(&carried));
    let scale = simd.mul(rest, simd.reciprocal(simd.max(simd.max(now, rest), simd.splat(1e-12))));
    for entry in &mut carried {
        *entry = simd.mul(*entry, scale);
    }
    carried
}

/// R M Rᵀ of a symmetric M by xx, yy, zz, xy, xz, yz.
#[inline(always)]
fn turned_symmetric<S: Simd>(simd: S, rotation: &Rows<S::V>, m: &[S::V; 6]) -> [S::V; 6] {
    let half = rows_times_symmetric(simd, rotation, m);
    [
        dot(simd, half[0], rotation[0]),
        dot(simd, half[1], rotation[1]),
        dot(simd, half[2], rotation[2]),
        dot(simd, half[0], rotation[1]),
        dot(simd, half[0], rotation[2]),
        dot(simd, half[1], rotation[2]),
    ]
}
