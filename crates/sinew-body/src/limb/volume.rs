//! Keeps the volume of a limb constant.
//!
//! The appendix of \[Komatsu88\] solves for the middle point Q22. The volume is affine in any one control point, so that needs no
//! iteration. But Q22 alone makes a section of four lobes; scaling the middle rows of bays about their means keeps it round. The volume is
//! then a cubic in the scale, known exactly from four values. A bend gains volume at its outside, which is the best place to remove it:
//! the outside's distance from the joint is solved first.

use super::bend::{BendReport, BendSettings, Joint, bend};
use crate::quadrature::{BodyRules, PatchRule, PointVersion, fan_center, volume_gradient};
use crate::{Patch, Tube};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

/// Minimum factor on a middle row: a limb is not squeezed to a line; the volume then stays wrong.
const LEAST_SCALE: f64 = 0.2;
/// Maximum factor.
const GREATEST_SCALE: f64 = 3.0;

/// Scales the middle rows of some bays about their means to give the bays with their lids a volume, in m³. Returns the factor. Rings and
/// legs stay, so all joins hold. `rule`: [`PatchRule::tensor`] with six points.
///
/// # Accuracy
/// To rounding, if a factor within 0.2 … 3 is enough; else the nearest bound is used.
pub fn hold_volume(tube: &mut Tube, bays: Range<usize>, volume: f64, rule: &PatchRule) -> f64 {
    let mut current = 1.0;
    hold_by_factor(|factor| {
        scale_middle_rows(tube, &bays, factor / current);
        current = factor;
        tube.bay_volume(rule, bays.clone()) - volume
    })
}

/// Finds the factor on some points' distances at which no volume is missing. `missing_at` applies a factor, counted from the start, and returns
/// what is then missing, a cubic in the factor.
pub(crate) fn hold_by_factor(mut missing_at: impl FnMut(f64) -> f64) -> f64 {
    // Four factors determine the cubic; farther apart or closer together would lose digits.
    let factors = [0.8, 1.0, 1.2, 1.4];
    let missing = factors.map(&mut missing_at);
    let factor = cubic_root(&factors, &missing).clamp(LEAST_SCALE, GREATEST_SCALE);
    missing_at(factor);
    factor
}

/// Workspace of a bend that keeps volume: a rule, a copy, and limits of the outside.
#[derive(Clone, Debug)]
pub struct VolumeWorkspace {
    /// Exact for tubes.
    pub rule: PatchRule,
    /// Minimum and maximum factor on the outside's distance from the joint; default 0.8 … 1.15. A wider range pulls the elbow to a point or
    /// pushes it out like a knob before the middles give way.
    pub outside_scales: (f64, f64),
    before: Tube,
}

impl VolumeWorkspace {
    /// For tubes with the layout of this one.
    pub fn new(tube: &Tube) -> Self {
        VolumeWorkspace { rule: PatchRule::tensor(6), outside_scales: (0.8, 1.15), before: tube.clone() }
    }
}

/// Steps of the secant method: the volume is nearly linear in the outside's scale; three steps leave 1e-9 of it.
const SECANT_STEPS: usize = 3;

/// [`bend`] with the outside's scale chosen to keep the volume of the two bays at the joint; ignores `settings.outside_scale`. Returns the
/// scale and the bend's report. [`hold_volume`] corrects what the bounds of the scale leave.
pub fn bend_holding_volume(
    workspace: &mut VolumeWorkspace,
    tube: &mut Tube,
    (bay, joint): (usize, &Joint),
    angle_rad: f64,
    settings: &BendSettings,
) -> (f64, BendReport) {
    if angle_rad == 0.0 {
        return (1.0, BendReport::default());
    }
    let VolumeWorkspace { rule, outside_scales: (least, greatest), before } = workspace;
    before.copy_from(tube);
    let bays = bay - 1..bay + 1;
    let volume = before.bay_volume(rule, bays.clone());
    // The setting is the scale at 90°; here it is the scale at this angle.
    let share = (angle_rad.abs() / FRAC_PI_2).min(1.0);
    let mut try_scale = |scale: f64| {
        tube.copy_from(before);
        let outside_scale = 1.0 + (scale - 1.0) / share;
        let report = bend(tube, bay, joint, angle_rad, &BendSettings { outside_scale, ..*settings });
        (tube.bay_volume(rule, bays.clone()) - volume, report)
    };
    let (mut last, mut scale) = (1.0, 0.97f64.clamp(*least, *greatest));
    let (mut missing, mut report) = try_scale(last);
    for _ in 0..SECANT_STEPS {
        let found;
        (found, report) = try_scale(scale);
        let slope = (found - missing) / (scale - last);
        if slope == 0.0 || !slope.is_finite() {
            break;
        }
        let next = (scale - found / slope).clamp(*least, *greatest);
        (last, missing, scale) = (scale, found, next);
    }
    if scale != last {
        report = try_scale(scale).1;
    }
    (scale, report)
}

/// Moves the middle points of patches along given directions, all by one length, to increase their volume by `growth`, in m³. Returns
/// the length; zero if no direction changes the volume.
pub fn hold_volume_by_centers(
    patches: &mut [Patch],
    directions: &[DVec3],
    growth: f64,
    rules: &BodyRules,
) -> f64 {
    let answers = patches.iter().zip(directions).map(|(patch, &direction)| {
        volume_gradient(rules.rule_for(patch), patch, PointVersion::CENTER).dot(direction)
    });
    let answer: f64 = answers.sum();
    let length = if answer == 0.0 { 0.0 } else { growth / answer };
    for (patch, &direction) in patches.iter_mut().zip(directions) {
        patch.net[2][2] += length * direction;
    }
    length
}

fn scale_middle_rows(tube: &mut Tube, bays: &Range<usize>, factor: f64) {
    for bay in bays.clone() {
        let center = fan_center(tube.arcs(4 * bay + 2));
        for point in tube.row_mut(4 * bay + 2) {
            *point = center + factor * (*point - center);
        }
    }
}

/// The root nearest to one of the cubic through four points, by Newton's method.
fn cubic_root(places: &[f64; 4], values: &[f64; 4]) -> f64 {
    // Divided differences of Newton's form.
    let mut difference = *values;
    for level in 1..4 {
        for k in (level..4).rev() {
            difference[k] = (difference[k] - difference[k - 1]) / (places[k] - places[k - level]);
        }
    }
    let mut x = 1.0;
    // Quadratic convergence from near the root; a body's corrections are a few percent.
    for _ in 0..30 {
        let (mut value, mut slope) = (difference[3], 0.0);
        for k in (0..3).rev() {
            slope = slope * (x - places[k]) + value;
            value = value * (x - places[k]) + difference[k];
        }
        if slope == 0.0 {
            break;
        }
        x = (x - value / slope).clamp(LEAST_SCALE, GREATEST_SCALE);
    }
    x
}
