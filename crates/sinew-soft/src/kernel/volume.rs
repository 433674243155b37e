//! What brings a region's volume back.
//!
//! The nearest map of the wanted determinant J̃, not the first step towards it: distances to a set, however it is curved, are no more
//! than distances to any of its points, so that an iteration that goes to the nearest ones never raises the energy \[Bouaziz14\]
//! (section 3). It is found by steps of Newton's as in their appendix A, on the matrix itself instead of its singular values:
//! D ← cof M (⟨cof M, D⟩ + J̃ − det M) / ‖cof M‖² with M = F + D.
//!
//! Departures: a region that is nearly flat or inverted comes back by its shape alone, because the way to the nearest map of positive
//! volume may lead through a worse shape. So does a whole body that has such a region: among scrambled bodies, 3 in 100 found a balance
//! of volumes against shapes that is not rest; shapes alone have none.

use sinew_geometry::simd::lane_math::{Rows, cross, dot};
use sinew_geometry::simd::{Lanes, Simd};

/// What the pass needs and finds, if a region of the level keeps its volume.
pub(crate) struct VolumeBlocks<'a> {
    /// From 0 to 1: how far the body can be trusted not to be tangled.
    pub(crate) trust: f32,
    /// Per block: J / J̃; empty if no region keeps its volume.
    pub(crate) kept: &'a mut [Lanes],
}

/// Newton's steps to the nearest map. At rest one would do; with two, scrambled bodies of bulk 50 stop at a wrong shape more often.
const NEWTON_STEPS: usize = 3;

/// ‖cof F‖² is 3 at rest; a quarter of that keeps steps short where a region is thin.
const LEAST_SQUARE: f32 = 0.75;

/// The volume counts in full from a third of the wanted one on.
const FULL_FROM: f32 = 1.0 / 3.0;

/// Adds what brings back the volume, which has the given share of the stiffness, to `strain`, of which the rest is left. The wanted map's
/// volume is wanted `regain` times. Tells J / J̃.
#[inline(always)]
pub(super) fn add_volume<S: Simd>(
    simd: S,
    [share, trust, regain]: [S::V; 3],
    f: &Rows<S::V>,
    wanted: &Rows<S::V>,
    strain: &mut Rows<S::V>,
) -> S::V {
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    let goal = simd.mul(regain, dot(simd, wanted[0], cross(simd, wanted[1], wanted[2])));
    let mut map = *f;
    let mut way = [[zero; 3]; 3];
    let mut volume = zero;
    for step in 0..NEWTON_STEPS {
        let slope = [cross(simd, map[1], map[2]), cross(simd, map[2], map[0]), cross(simd, map[0], map[1])];
        let now = dot(simd, map[0], slope[0]);
        if step == 0 {
            volume = now;
        }
        let square = simd.max(rows_dot(simd, &slope, &slope), simd.splat(LEAST_SQUARE));
        let lack = simd.add(rows_dot(simd, &slope, &way), simd.sub(goal, now));
        let length = simd.mul(lack, simd.reciprocal(square));
        for row in 0..3 {
            for column in 0..3 {
                way[row][column] = simd.mul(length, slope[row][column]);
                map[row][column] = simd.add(f[row][column], way[row][column]);
            }
        }
    }
    let kept = simd.mul(volume, simd.reciprocal(simd.max(goal, simd.splat(1e-3))));
    let ramp = simd.max(simd.mul(simd.splat(1.0 / FULL_FROM), kept), zero);
    let trust = simd.mul(trust, simd.select_less(ramp, one, ramp, one));
    let (of_shape, of_volume) = (simd.sub(one, share), simd.mul(share, trust));
    for row in 0..3 {
        for column in 0..3 {
            let shape = simd.mul(of_shape, strain[row][column]);
            strain[row][column] = simd.mul_add(of_volume, way[row][column], shape);
        }
    }
    kept
}

/// Σ aᵢⱼ bᵢⱼ.
#[inline(always)]
fn rows_dot<S: Simd>(simd: S, a: &Rows<S::V>, b: &Rows<S::V>) -> S::V {
    simd.add(simd.add(dot(simd, a[0], b[0]), dot(simd, a[1], b[1])), dot(simd, a[2], b[2]))
}
