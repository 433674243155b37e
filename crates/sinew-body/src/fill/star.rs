//! The center of a fill and its spokes.

use super::hole::HalvedSide;
use super::{FillShape, MAX_SIDES, SpokeOffsets};
use glam::DVec3;
use std::f64::consts::TAU;

/// The center of a fill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FillCenter {
    /// The point where all patches meet.
    pub position: DVec3,
    /// The outward unit normal there; zero if all spokes lie on a line.
    pub normal: DVec3,
    /// From the center to the last control points of the spokes; as many as sides, the rest zero.
    pub spokes: [DVec3; MAX_SIDES],
}

/// Center and spokes of a hole: `C = mean(M_k + c T_k)`; the spokes are the star nearest to a quarter of the vectors to the middles.
pub(super) fn center_of(sides: &[HalvedSide], shape: &FillShape, offsets: &[SpokeOffsets]) -> FillCenter {
    let count = sides.len();
    let middles = sides.iter().map(|side| side.curves[0].0[4] + shape.center_factor * side.legs[0].0[4]);
    let plain = middles.sum::<DVec3>() / count as f64;
    let mut spokes = [DVec3::ZERO; MAX_SIDES];
    for (spoke, side) in spokes.iter_mut().zip(sides) {
        *spoke = 0.25 * shape.spoke_scale * (side.curves[0].0[4] - plain);
    }
    for (spoke, offset) in spokes.iter_mut().zip(offsets) {
        *spoke += offset.star;
    }
    regular_star(&mut spokes[..count]);
    let turning: DVec3 = (0..count).map(|k| spokes[k].cross(spokes[(k + 1) % count])).sum();
    let normal = turning.normalize_or_zero();
    FillCenter { position: plain + shape.height_m * normal + shape.center_offset, normal, spokes }
}

/// Projects spokes on the nearest affine image of the regular star, their first Fourier harmonic, in the least squares sense. They
/// become coplanar, sum to zero and satisfy `e_{k−1} + e_{k+1} = 2 cos(360°/n) e_k`, as eq. 4 of \[Komatsu88\] requires.
pub fn regular_star(spokes: &mut [DVec3]) {
    let count = spokes.len();
    let step = TAU / count as f64;
    // Σ_j cos(step (k−j)) e_j = cos(step k) Σ cos(step j) e_j + sin(step k) Σ sin(step j) e_j.
    let (mut along, mut across) = (DVec3::ZERO, DVec3::ZERO);
    for (j, &spoke) in spokes.iter().enumerate() {
        let (sin, cos) = (step * j as f64).sin_cos();
        along += cos * spoke;
        across += sin * spoke;
    }
    for (k, spoke) in spokes.iter_mut().enumerate() {
        let (sin, cos) = (step * k as f64).sin_cos();
        *spoke = 2.0 / count as f64 * (cos * along + sin * across);
    }
}
