//! Motion of the pelvis along the path.

use super::style::Style;
use super::travel::Progress;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// The pelvis at a time, without its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PelvisFrame {
    /// Over the ground; height 0.
    pub(crate) place: DVec3,
    pub(crate) turn: DQuat,
    /// 0 standing, 1 moving.
    pub(crate) activity: f64,
    /// Usable share of a leg's length.
    pub(crate) reach_share: f64,
    /// Height range over which that limit sets in, for hips 1 m high.
    pub(crate) softness: f64,
}

impl PelvisFrame {
    pub(super) fn new(style: &Style, progress: &Progress, place: DVec3, heading: f64) -> Self {
        let (body, phase, activity) = (&style.body, progress.phase, progress.activity);
        // Towards the leg that stands: right, −X, in the first half.
        let lateral = -activity * body.lateral_m * (TAU * (phase - 0.1)).sin();
        let fore = -activity * body.fore_m * (TAU * (2.0 * phase + body.fore_phase)).sin();
        let to_left = DVec3::new(heading.cos(), 0.0, -heading.sin());
        let ahead = DVec3::new(heading.sin(), 0.0, heading.cos());
        let torsion = activity * body.torsion_rad * (TAU * phase).cos();
        let list = activity * body.list.at(phase);
        let wave = body.tilt_rad * (TAU * (2.0 * phase - 0.1)).sin();
        let tilt = activity * (wave + 0.3 * body.lean_rad + body.tilt_mean_rad);
        let turn = DQuat::from_rotation_y(heading + torsion)
            * DQuat::from_rotation_z(list)
            * DQuat::from_rotation_x(tilt);
        Self {
            place: place + to_left * lateral + ahead * fore,
            turn,
            activity,
            reach_share: style.reach_share,
            softness: style.softness,
        }
    }
}
