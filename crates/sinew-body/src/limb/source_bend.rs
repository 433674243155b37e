//! The source's own bend, as a separate mode.
//!
//! \[Komatsu88\] section 5.1, eq. 7 to 10. Everything beyond the joint turns rigidly about the axis, on which corners of patches lie: the
//! length of the limb does not change. Only the ring and the rows beside it are interpolated, between their places at 0° and at 90°.
//!
//! | source | here | meaning |
//! |---|---|---|
//! | `Q4j` | the ring's points | A; (1) inside of the bend, (2) outside |
//! | `Q3j` | row before the ring | C |
//! | `Q1j` | row beyond the ring | C, by eq. 2 from the other two |
//! | `θ/90` | `share` | held at one beyond 90° |
//! | `p` | `roundness` | sharpness of the outside |
//!
//! At 90° the three rows meet on the inside. Where, the source leaves to its deformation parameters; here it is where the inner lines of
//! two cylinders cross: √2 of the depth. Beyond 90° the arrangement of 90° turns on by (θ − 90)/2, so the limb enters itself.
//!
//! The source has two patches around, with seams on the axis only. With more, eq. 8 moves the outside by what its neighbors at the axis
//! move, linearly in between, which is the source's mean for its one middle point. All seams stay smooth if their legs are equal.

use super::{BendReport, Joint};
use crate::Tube;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2};

/// Algorithm of the bend at folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BendMode {
    /// Ours: rings in the plane of the bisector, [`super::bend`]; bays never cross, and the shape follows up to 150°.
    #[default]
    Bisector,
    /// The source's, [`source_bend`].
    Source,
}

/// Depth below which a point lies on the axis, m: rounding of corners that do.
const ON_AXIS_M: f64 = 1e-9;

/// Bends a tube at the start of bay `bay` like the source. `roundness` is its p: 0 is round, 1 a point.
///
/// # Panics
/// If `bay` is zero or out of range.
pub fn source_bend(tube: &mut Tube, bay: usize, joint: &Joint, angle_rad: f64, roundness: f64) -> BendReport {
    assert!(bay >= 1 && bay < tube.bay_count(), "a joint lies between two bays");
    if angle_rad == 0.0 {
        return BendReport::default();
    }
    let ring = 4 * bay;
    let turn = SourceTurn::new(joint, angle_rad);
    let beyond_over_before = super::bend::leg_ratio(tube, ring);
    // The row beyond follows from the other two in the end. Until then it holds the ring in rest, from the center.
    for column in 0..tube.row_len() {
        tube.row_mut(ring + 1)[column] = tube.row(ring)[column] - joint.center;
    }
    for column in 0..tube.row_len() {
        place_column(tube, ring, column, &turn, roundness);
    }
    for seam in 0..tube.patch_count() {
        join_axis_seam(tube, ring, seam, &turn);
    }
    let folded_points = (0..tube.row_len()).filter(|&column| turn.is_inside(tube, ring, column)).count();
    for column in 0..tube.row_len() {
        let (before, on) = (tube.row(ring - 1)[column], tube.row(ring)[column]);
        tube.row_mut(ring + 1)[column] = on + beyond_over_before * (on - before);
    }
    for row in ring - 1..=ring + 1 {
        for point in tube.row_mut(row) {
            *point = joint.center + turn.further * *point;
        }
    }
    for point in tube.points_from_row_mut(ring + 2) {
        *point = joint.center + turn.whole * (*point - joint.center);
    }
    BendReport { folded_points: if turn.share < 1.0 { 0 } else { folded_points }, far_crossings: 0 }
}

/// A bend and its parts.
struct SourceTurn {
    axis: DVec3,
    /// Toward the inside of the bend, in rest and at 90°.
    rest_inward: DVec3,
    right_inward: DVec3,
    /// θ/90, at most one.
    share: f64,
    /// θ/2, at most 45°.
    half: DQuat,
    /// (θ − 90)/2 beyond 90°.
    further: DQuat,
    whole: DQuat,
}

impl SourceTurn {
    fn new(joint: &Joint, angle_rad: f64) -> Self {
        let axis = if angle_rad < 0.0 { -joint.axis } else { joint.axis };
        let angle = angle_rad.abs();
        let shaping = angle.min(FRAC_PI_2);
        let between = (joint.bone_before + joint.bone_beyond).normalize_or(joint.bone_before);
        let along = between.reject_from_normalized(axis).normalize_or(axis.any_orthonormal_vector());
        let rest_inward = axis.cross(along);
        SourceTurn {
            axis,
            rest_inward,
            right_inward: DQuat::from_axis_angle(axis, FRAC_PI_4) * rest_inward,
            share: shaping / FRAC_PI_2,
            half: DQuat::from_axis_angle(axis, 0.5 * shaping),
            further: DQuat::from_axis_angle(axis, 0.5 * (angle - shaping)),
            whole: DQuat::from_axis_angle(axis, angle),
        }
    }

    /// Whether a column is on the inside; the row beyond the ring holds the ring in rest.
    fn is_inside(&self, tube: &Tube, ring: usize, column: usize) -> bool {
        tube.row(ring + 1)[column].dot(self.rest_inward) > ON_AXIS_M
    }

    /// Eq. 7: from rest to the point where the inside meets at 90°.
    fn inside(&self, offset: DVec3) -> DVec3 {
        let depth = offset.dot(self.rest_inward);
        let right = offset.dot(self.axis) * self.axis + SQRT_2 * depth * self.right_inward;
        offset.lerp(right, self.share)
    }

    /// How far the outside point beside a seam on the axis moves from its half turn, to be smooth with the inside point: step (C).
    fn shift_beside(&self, tube: &Tube, ring: usize, (inside, on, outside): (usize, usize, usize)) -> DVec3 {
        let rest = tube.row(ring + 1);
        let h = ratio(rest[on] - rest[inside], rest[outside] - rest[on]);
        let smooth = (1.0 + h) * self.placed(rest[on]) - h * self.inside(rest[inside]);
        smooth - self.half * rest[outside]
    }

    /// A ring point by its own side, before eq. 8.
    fn placed(&self, offset: DVec3) -> DVec3 {
        if offset.dot(self.rest_inward) > ON_AXIS_M { self.inside(offset) } else { self.half * offset }
    }

    /// Eq. 8: the mean of what both neighbors at the axis move, by distance from them.
    fn outside_shift(&self, tube: &Tube, ring: usize, column: usize) -> DVec3 {
        let (steps_back, back) = self.end_of_outside(tube, ring, column, tube.row_len() - 1);
        let (steps_on, on) = self.end_of_outside(tube, ring, column, 1);
        let steps = steps_back + steps_on;
        if steps == 0 { back } else { back.lerp(on, steps_back as f64 / steps as f64) }
    }

    /// Walks along the outside by `step` columns to its last one; that one's shift, which is zero where no seam lies between the sides.
    fn end_of_outside(&self, tube: &Tube, ring: usize, from: usize, step: usize) -> (usize, DVec3) {
        let len = tube.row_len();
        let mut column = from;
        for steps in 0..len {
            let (next, after) = ((column + step) % len, (column + 2 * step) % len);
            if next % 4 == 0 && self.is_inside(tube, ring, after) {
                return (steps, self.shift_beside(tube, ring, (after, next, column)));
            }
            if self.is_inside(tube, ring, next) {
                return (steps, DVec3::ZERO);
            }
            column = next;
        }
        (0, DVec3::ZERO)
    }
}

/// The ring and the row before it at one column, from the center: eq. 7 to 10.
fn place_column(tube: &mut Tube, ring: usize, column: usize, turn: &SourceTurn, roundness: f64) {
    let offset = tube.row(ring + 1)[column];
    let leg = tube.row(ring)[column] - tube.row(ring - 1)[column];
    let is_inside = turn.is_inside(tube, ring, column);
    let (on, shrink) = if is_inside {
        (turn.inside(offset), 1.0)
    } else if is_on_axis_seam(tube, ring, column, turn) {
        (turn.placed(offset), roundness)
    } else {
        (turn.half * offset + turn.outside_shift(tube, ring, column), roundness)
    };
    tube.row_mut(ring)[column] = on;
    // Eq. 9 hangs the turned leg on the new ring point, eq. 10 shortens it.
    tube.row_mut(ring - 1)[column] = on - (1.0 - (shrink * turn.share).clamp(0.0, 1.0)) * (turn.half * leg);
}

/// Whether a column is a seam between inside and outside.
fn is_on_axis_seam(tube: &Tube, ring: usize, column: usize, turn: &SourceTurn) -> bool {
    let len = tube.row_len();
    let side = |column: usize| turn.is_inside(tube, ring, column % len);
    column.is_multiple_of(4) && side(column + len - 1) != side(column + 1)
}

/// Step (F) at a seam on the axis: the row before the ring divides its neighbors as the seam does in rest.
fn join_axis_seam(tube: &mut Tube, ring: usize, seam: usize, turn: &SourceTurn) {
    let (before, on, after) = tube.seam_columns(seam);
    if !is_on_axis_seam(tube, ring, on, turn) {
        return;
    }
    let rest = tube.row(ring + 1);
    let h = ratio(rest[on] - rest[before], rest[after] - rest[on]);
    let points = tube.row_mut(ring - 1);
    points[on] = (points[after] + h * points[before]) / (1.0 + h);
}

fn ratio(before: DVec3, after: DVec3) -> f64 {
    let ratio = after.length() / before.length();
    if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
}
