//! The ring at an open end of a tube, corner by corner.
//!
//! The source gives shoulders and hips an arrangement at 90° by parameters and interpolates by rotation, \[Komatsu88\] section 5.1. Here each
//! corner of the ring has a share of the joint's turn, a factor on its legs and a shift, linear in the angle. Between corners they follow
//! a curve that is level at the corners; seams are then made even again, so every join stays smooth.

use super::{BoneMove, JointPose};
use crate::body::{BodyMotion, TubeEndName};
use crate::quadrature::fan_center;
use crate::template::BentWay;
use crate::tube::Tube;
use glam::{DQuat, DVec3};
use sinew_geometry::smooth_step_f64;

/// Values of one ring for each way, at its columns. Empty lists: the ring moves as a whole.
#[derive(Clone, Debug, Default)]
pub(super) struct RingShape {
    turn: [Vec<f64>; 4],
    leg: [Vec<f64>; 4],
    push_m: [Vec<f64>; 4],
}

impl RingShape {
    /// `columns`: points in a row of the tube, four per corner.
    pub(super) fn new(motion: &BodyMotion, columns: usize) -> Self {
        let mut shape = RingShape::default();
        if motion.rings.is_empty() {
            return shape;
        }
        for way in BentWay::ALL {
            let share = if way.index() < 2 { motion.share } else { motion.aside_share };
            let bent = motion.rings.iter().find(|bent| bent.way == way);
            let list = |values: Option<&Vec<f64>>, default: f64| {
                let fits = values.filter(|values| 4 * values.len() == columns);
                fits.map_or(vec![default; columns], |values| around(values))
            };
            shape.turn[way.index()] = list(bent.map(|bent| &bent.turn), share);
            shape.leg[way.index()] = list(bent.map(|bent| &bent.leg), 1.0);
            shape.push_m[way.index()] = list(bent.map(|bent| &bent.push_m), 0.0);
        }
        shape
    }

    /// Whether corners differ.
    pub(super) fn has_corners(&self) -> bool {
        !self.turn[0].is_empty()
    }

    /// Moves the ring and the row beside it. `bend` and `aside` are the parts of the joint's swing; `back` is applied after each part.
    pub(super) fn apply(
        &self,
        (tube, end): (&mut Tube, TubeEndName),
        center: DVec3,
        (joint, bend, aside): (&JointPose, DVec3, DVec3),
        back: DQuat,
    ) {
        let rows = end.rows(tube);
        let middle = fan_center(tube.arcs(rows[0]));
        let (along, across) = (usize::from(joint.bend_rad < 0.0), 2 + usize::from(joint.aside_rad < 0.0));
        let (a, b) = (BentWay::ALL[along].share(joint), BentWay::ALL[across].share(joint));
        for column in 0..tube.row_len() {
            let mixed = |lists: &[Vec<f64>; 4], rest: f64| {
                rest + a * (lists[along][column] - rest) + b * (lists[across][column] - rest)
            };
            let swing = self.turn[along][column] * bend + self.turn[across][column] * aside;
            let part = BoneMove::about(center, back * DQuat::from_scaled_axis(swing));
            let (on, beside) = (tube.row(rows[0])[column], tube.row(rows[1])[column]);
            let placed = on + mixed(&self.push_m, 0.0) * (on - middle).normalize_or_zero();
            let leg = mixed(&self.leg, 1.0).max(LEAST_LEG) * (beside - on);
            tube.row_mut(rows[0])[column] = part.point(placed);
            tube.row_mut(rows[1])[column] = part.point(placed + leg);
        }
        for row in rows {
            even_seams(tube.row_mut(row));
        }
    }
}

/// Smallest factor on a leg: without legs the join would be a crease.
const LEAST_LEG: f64 = 0.1;

/// One value per corner to one per column.
fn around(corners: &[f64]) -> Vec<f64> {
    let count = corners.len();
    let at = |column: usize| {
        let (corner, t) = (column / 4, smooth_step_f64((column % 4) as f64 / 4.0));
        corners[corner] + t * (corners[(corner + 1) % count] - corners[corner])
    };
    (0..4 * count).map(at).collect()
}

/// Makes the legs on both sides of each seam equal and opposite again.
pub(super) fn even_seams(row: &mut [DVec3]) {
    let count = row.len();
    for corner in (0..count).step_by(4) {
        let (before, after) = ((corner + count - 1) % count, corner + 1);
        let leg = 0.5 * (row[after] - row[before]);
        (row[before], row[after]) = (row[corner] - leg, row[corner] + leg);
    }
}
