//! Fills an n-sided hole with n Gregory patches.
//!
//! \[Komatsu88\] section 2, steps A to F, for n = 3 … 8 sides. Each side is halved; patch k lies between the halves at corner k and the
//! spokes from the sides' middles to the center. Departures: the spokes at the center are projected on an affine image of the regular
//! star; without that, eq. 4 leaves creases of 3° to 24°. Its asymmetric form is replaced by the symmetric one, because none of n
//! patches around a center is the first.
//!
//! | here | meaning |
//! |---|---|
//! | `V_k`, `M_k`, `C` | corner before side k, middle of side k, center |
//! | patch k | (0,0) at `V_k`, (1,0) at `M_k`, (0,1) at `M_{k−1}`, (1,1) at `C` |

mod assemble;
mod hole;
mod star;

pub use hole::{FillError, HoleSide};
pub use star::{FillCenter, regular_star};

use crate::Patch;
use crate::g1::h_at_center;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Maximum sides of a hole.
pub const MAX_SIDES: usize = 8;

/// The free parameters of a fill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FillShape {
    /// Mean distance of the center from the middles of the sides, in half legs; 2.2 to 3 look natural, default 2.6.
    pub center_factor: f64,
    /// Push of the center along the outward normal of the star, m, the source's H; default 0.
    pub height_m: f64,
    /// Shift of the center in model space, in m; default zero.
    pub center_offset: DVec3,
    /// Factor on the spokes at the center, the source's S: below one the center is pointed, above one flat; default 1.
    pub spoke_scale: f64,
}

impl Default for FillShape {
    fn default() -> Self {
        FillShape { center_factor: 2.6, height_m: 0.0, center_offset: DVec3::ZERO, spoke_scale: 1.0 }
    }
}

/// Free parameters of the spoke from a side's middle to the center: the fill is smooth for all values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpokeOffsets {
    /// Offset of the spoke's middle control point, m.
    pub bulge: DVec3,
    /// Change of the spoke's last leg, before the star is made regular, m.
    pub star: DVec3,
    /// Changes of the legs across the spoke, at its inner control points, m; they lead counter-clockwise.
    pub across: [DVec3; 3],
}

/// Fills a hole: one patch per side. `sides` run counter-clockwise seen from outside, each starting where the previous one ends.
///
/// # Errors
/// If there are fewer than 3 or more than [`MAX_SIDES`] sides, if they do not close, or if given legs break the corner rule.
pub fn fill_hole(sides: &[HoleSide], shape: &FillShape) -> Result<Vec<Patch>, FillError> {
    let mut patches = vec![Patch::bezier([[DVec3::ZERO; 5]; 5]); sides.len()];
    fill_into(sides, shape, &mut patches)?;
    Ok(patches)
}

/// The same into the caller's patches, one per side, without allocating; returns the center.
///
/// # Errors
/// As [`fill_hole`].
///
/// # Panics
/// If `patches` and `sides` differ in length.
pub fn fill_into(
    sides: &[HoleSide],
    shape: &FillShape,
    patches: &mut [Patch],
) -> Result<FillCenter, FillError> {
    fill_with_offsets_into(sides, shape, &[], patches)
}

/// The same with offsets of the spokes, one per side; missing ones are zero.
///
/// # Errors
/// As [`fill_hole`].
///
/// # Panics
/// As [`fill_into`].
pub fn fill_with_offsets_into(
    sides: &[HoleSide],
    shape: &FillShape,
    offsets: &[SpokeOffsets],
    patches: &mut [Patch],
) -> Result<FillCenter, FillError> {
    assert_eq!(sides.len(), patches.len(), "a fill has one patch per side");
    let halves = hole::halved(sides)?;
    let halves = &halves[..sides.len()];
    let center = star::center_of(halves, shape, offsets);
    assemble::assemble(halves, &center, (h_at_center(sides.len()), offsets), patches);
    Ok(center)
}

#[cfg(test)]
mod tests;
