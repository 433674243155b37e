//! Twists a tube along a bone.
//!
//! Rotating control rows by their share of the angle pinches the tube and creases it between bays by 3° at 90°. Departure from \[Komatsu88\]
//! section 5.2, which cuts around the limb (kept in `source_twist`): Hermite rows. Rings are rotated exactly; the legs beside them are
//! those of the rotating tube's true derivative, `R (Q1 − Q0 + φ′/4 k × (Q0 − axis))`; the middle row makes the middle of the bay exactly
//! the rotated middle. Smooth between bays for any section, and the volume changes by 1e-4 at 180° over two bays.

use crate::Tube;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew_geometry::smooth_step_f64;
use std::ops::Range;

/// The axis of a twist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistAxis {
    /// A point of the line, model space, m.
    pub origin: DVec3,
    /// Its unit direction.
    pub direction: DVec3,
}

/// Distribution of the angle along the twisted bays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TwistSpread {
    /// Slow at both ends, 3x² − 2x³: joins smoothly to untwisted bays, whatever their section.
    #[default]
    Smooth,
    /// Linear. Smooth at the ends only for circular sections about the axis; pinches least.
    Even,
}

/// Algorithm of the twist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TwistMode {
    /// Ours: spread over all bays of the bone, [`twist`].
    #[default]
    Spread,
    /// The source's patches before they are cut, [`twist_untreated`]: the last bay of the bone pinches.
    SourceUntreated,
    /// The source's: the last bay of the bone is cut around the limb and reassembled, [`super::source_twist`].
    Source,
}

impl TwistSpread {
    /// Share of the angle at the place `x` in 0…1, and its derivative.
    fn share(self, x: f64) -> (f64, f64) {
        match self {
            TwistSpread::Smooth => (smooth_step_f64(x), 6.0 * x * (1.0 - x)),
            TwistSpread::Even => (x, 1.0),
        }
    }
}

/// Twists some bays by an angle, right-handed about the axis: their first ring stays, their last and all beyond turn by the full angle.
///
/// # Panics
/// If the bays are out of range.
pub fn twist(tube: &mut Tube, bays: Range<usize>, axis: &TwistAxis, angle_rad: f64, spread: TwistSpread) {
    assert!(bays.end <= tube.bay_count(), "the tube has {} bays", tube.bay_count());
    if angle_rad == 0.0 || bays.is_empty() {
        return;
    }
    // Each bay counts as much as the previous one times the ratio of the legs at their common ring: then both bays' rates agree there.
    let ratio_at = |tube: &Tube, bay: usize| tube.ring_ratio(bay).unwrap_or(1.0);
    let (mut total, mut length) = (1.0, 1.0);
    for bay in bays.start + 1..bays.end {
        length *= ratio_at(tube, bay);
        total += length;
    }
    let (mut done, mut span) = (0.0, 1.0 / total);
    for bay in bays.clone() {
        let place = |w: f64| {
            let (share, rate) = spread.share(done + w * span);
            (share * angle_rad, rate * span * angle_rad)
        };
        let places = [place(0.0), place(0.5), place(1.0)];
        // Before this bay's rows move, because they are part of the ratio; its first ring turns only after both its bays were read.
        let next_span = if bay + 1 < bays.end { span * ratio_at(tube, bay + 1) } else { 0.0 };
        twist_inner_rows(tube, bay, axis, places);
        turn_about(tube.row_mut(4 * bay), axis, places[0].0);
        done += span;
        span = next_span;
    }
    turn_about(tube.points_from_row_mut(4 * bays.end), axis, angle_rad);
}

/// Twists one bay like the source before it cuts: the rows at the start stay, those at the end turn with all beyond, and the middle row
/// lies halfway. \[Komatsu88\] figure 22. Smooth at both ends, but the bay pinches, at 180° to a point.
///
/// # Panics
/// If the bay is out of range.
pub fn twist_untreated(tube: &mut Tube, bay: usize, axis: &TwistAxis, angle_rad: f64) {
    assert!(bay < tube.bay_count(), "the tube has {} bays", tube.bay_count());
    let turn = DQuat::from_axis_angle(axis.direction, angle_rad);
    for point in tube.row_mut(4 * bay + 2) {
        *point = point.midpoint(axis.origin + turn * (*point - axis.origin));
    }
    turn_about(tube.points_from_row_mut(4 * bay + 3), axis, angle_rad);
}

/// Turns the end of a bay and all beyond; the middle row stays, for [`super::source_twist_of_posed`].
pub(crate) fn turn_end(tube: &mut Tube, bay: usize, axis: &TwistAxis, angle_rad: f64) {
    turn_about(tube.points_from_row_mut(4 * bay + 3), axis, angle_rad);
}

/// Sets rows 1 to 3 of a bay from its previous rows; its rings are rotated later. `places`: angle and rate at w = 0, ½, 1.
fn twist_inner_rows(tube: &mut Tube, bay: usize, axis: &TwistAxis, places: [(f64, f64); 3]) {
    let turns = places.map(|(angle, _)| DQuat::from_axis_angle(axis.direction, angle));
    let swirl = |rate: f64, from_axis: DVec3| 0.25 * rate * axis.direction.cross(from_axis);
    for column in 0..tube.row_len() {
        let q: [DVec3; 5] = std::array::from_fn(|row| tube.row(4 * bay + row)[column] - axis.origin);
        let middle = turns[1] * ((q[0] + 4.0 * q[1] + 6.0 * q[2] + 4.0 * q[3] + q[4]) / 16.0);
        let (first, last) = (turns[0] * q[0], turns[2] * q[4]);
        let second = first + turns[0] * (q[1] - q[0] + swirl(places[0].1, q[0]));
        let fourth = last - turns[2] * (q[4] - q[3] + swirl(places[2].1, q[4]));
        let third = (16.0 * middle - first - 4.0 * second - 4.0 * fourth - last) / 6.0;
        for (row, point) in [(1, second), (2, third), (3, fourth)] {
            tube.row_mut(4 * bay + row)[column] = axis.origin + point;
        }
    }
}

fn turn_about(points: &mut [DVec3], axis: &TwistAxis, angle_rad: f64) {
    let turn = DQuat::from_axis_angle(axis.direction, angle_rad);
    for point in points {
        *point = axis.origin + turn * (*point - axis.origin);
    }
}
