//! Filling an n-sided hole with n Gregory patches.
//!
//! \[Komatsu88\] section 2, steps A to F, for n = 3 … 8 sides. Each side is halved; patch k lies between the halves round corner k and the
//! spokes from the sides' middles to the center. Departures: the spokes at the center are projected on an affine image of the
//! regular star, without which eq. 4 leaves creases of 3° to 24°; and its asymmetric form is replaced by the symmetric one, because n
//! patches round a center have no first one.
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

/// The most sides a hole may have.
pub const MAX_SIDES: usize = 8;

/// The free parameters of a fill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FillShape {
    /// How many half legs the center lies inside the middles of the sides, on the mean; 2.2 to 3 look natural, default 2.6.
    pub center_factor: f64,
    /// Push of the center along the outward normal of the star, in metres, the source's H; default 0.
    pub height_m: f64,
    /// Shift of the center in model space, in metres; default zero.
    pub center_offset: DVec3,
    /// Factor on the spokes at the center, the source's S: below one the center is pointed, above one flat; default 1.
    pub spoke_scale: f64,
}

impl Default for FillShape {
    fn default() -> Self {
        FillShape { center_factor: 2.6, height_m: 0.0, center_offset: DVec3::ZERO, spoke_scale: 1.0 }
    }
}

/// What is free along the spoke from a side's middle to the center: every value gives a smooth fill.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpokeOffsets {
    /// What the spoke's middle control point is moved by, metres.
    pub bulge: DVec3,
    /// What the spoke's last leg is changed by, before the star is made regular, metres.
    pub star: DVec3,
    /// What the legs across the spoke are changed by, at its control points between the ends, metres; they lead counter-clockwise.
    pub across: [DVec3; 3],
}

/// Fills a hole: one patch a side. `sides` run counter-clockwise seen from outside, each beginning where the one before ends.
///
/// # Errors
/// If there are fewer than 3 or more than [`MAX_SIDES`] sides, if they do not close, or if given legs break the corner rule.
pub fn fill_hole(sides: &[HoleSide], shape: &FillShape) -> Result<Vec<Patch>, FillError> {
    let mut patches = vec![Patch::bezier([[DVec3::ZERO; 5]; 5]); sides.len()];
    fill_into(sides, shape, &mut patches)?;
    Ok(patches)
}

/// The same into the caller's patches, one a side, without allocating; returns what lies at the center.
///
/// # Errors
/// As [`fill_hole`].
///
/// # Panics
/// If `patches` has another length than `sides`.
pub fn fill_into(
    sides: &[HoleSide],
    shape: &FillShape,
    patches: &mut [Patch],
) -> Result<FillCenter, FillError> {
    fill_with_offsets_into(sides, shape, &[], patches)
}

/// The same with offsets of the spokes, one a side; those beyond the list's end are zero.
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
    assert_eq!(sides.len(), patches.len(), "a fill has one patch a side");
    let halves = hole::halved(sides)?;
    let halves = &halves[..sides.len()];
    let center = star::center_of(halves, shape, offsets);
    assemble::assemble(halves, &center, (h_at_center(sides.len()), offsets), patches);
    Ok(center)
}

#[cfg(test)]
mod tests;
