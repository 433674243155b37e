//! Maximum height of the pelvis, and the foot placement that maximizes it.

use super::footprints::{FootTrack, Footprint};
use super::pelvis::PelvisFrame;
use super::settings::GaitSettings;
use super::style::Style;
use super::travel::Progress;
use crate::curve::smooth_min;
use crate::humanoid::{Humanoid, Side};
use glam::DVec3;

/// Results of reach at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tuning {
    /// Phase after touch-down in which the pelvis is over the ankle.
    pub(super) over_phase: f64,
    /// Height of the pelvis in the mean of its waves.
    pub(super) height_m: f64,
}

/// Tunings over the speeds of a gait.
#[derive(Clone, Debug)]
pub(super) struct Tunings {
    slowest: f64,
    fastest: f64,
    /// Evenly spaced; one for one speed.
    rows: Vec<Tuning>,
}

/// Number of tuned speeds if the speed changes; interpolated between them.
const ROWS: usize = 13;

/// Height of the pelvis in standing, as a share of what straight legs give.
pub(super) const STANDING: f64 = 0.996;
/// Share of a leg's length used in standing.
pub(super) const STANDING_REACH: f64 = 0.9985;

/// Range over which the limit of reach sets in if speeds change, m for hips 1 m high. Smaller if all steps are equal and the pelvis is planned
/// to reach them.
pub(crate) const UNSTEADY_SOFTNESS: f64 = 0.045;

impl Tunings {
    pub(super) fn new(humanoid: &Humanoid, settings: &GaitSettings) -> Self {
        let all = || settings.speeds.iter().map(|key| key.speed);
        let (slowest, fastest) = match settings.speeds.is_empty() {
            true => (settings.speed_m_s, settings.speed_m_s),
            false => (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max)),
        };
        let count = if fastest > slowest { ROWS } else { 1 };
        let speed = |row: usize| slowest + (fastest - slowest) * row as f64 / (count.max(2) - 1) as f64;
        let style = |row: usize| Style::new(humanoid, settings.kind, speed(row), &settings.personality);
        let rows = (0..count).map(|row| tune(humanoid, &style(row), speed(row))).collect();
        Self { slowest, fastest, rows }
    }

    pub(super) fn at(&self, speed: f64) -> Tuning {
        let Some(last) = self.rows.len().checked_sub(2) else { return self.rows[0] };
        let place = (speed - self.slowest) / (self.fastest - self.slowest) * (self.rows.len() - 1) as f64;
        let place = place.clamp(0.0, (self.rows.len() - 1) as f64);
        let row = (place as usize).min(last);
        let (from, to, share) = (&self.rows[row], &self.rows[row + 1], place - row as f64);
        Tuning {
            over_phase: from.over_phase + (to.over_phase - from.over_phase) * share,
            height_m: from.height_m + (to.height_m - from.height_m) * share,
        }
    }
}

/// The highest pelvis from which both legs reach their feet, or `wished` if that is lower.
pub(crate) fn reachable_height(
    humanoid: &Humanoid,
    frame: &PelvisFrame,
    ankles: &[DVec3; 2],
    wished: f64,
) -> f64 {
    let softness = frame.softness * humanoid.hip_height_m();
    Side::BOTH.into_iter().zip(ankles).fold(wished, |height, (side, &ankle)| {
        smooth_min(height, highest(humanoid, frame, side, ankle), softness)
    })
}

/// Maximum pelvis height for one leg.
fn highest(humanoid: &Humanoid, frame: &PelvisFrame, side: Side, ankle: DVec3) -> f64 {
    let leg = humanoid.leg(side);
    let hip = frame.place + frame.turn * leg.hip_from_pelvis;
    let reach = frame.reach_share * leg.length_m();
    let aside = (ankle - hip).with_y(0.0).length_squared();
    // Beyond half its reach to the side a leg cannot support a body; the root stays above 0.
    let up = (reach * reach - aside).max(0.2 * reach * reach).sqrt();
    ankle.y + up - (hip.y - frame.place.y)
}

/// Searches the foot placement: evenly spaced, then closer around the best.
fn tune(humanoid: &Humanoid, style: &Style, speed: f64) -> Tuning {
    let at = |share: f64| {
        let over_phase = style.duty * share;
        Tuning { over_phase, height_m: steady_height(humanoid, style, speed, over_phase) }
    };
    let (mut middle, mut step) = (0.40, 0.05);
    let mut best = at(middle);
    for round in 0..4 {
        let half = if round == 0 { 4 } else { 2 };
        let from = middle;
        for place in (-half..=half).filter(|&place| place != 0) {
            let share = from + step * f64::from(place);
            let tried = at(share);
            if tried.height_m > best.height_m {
                (best, middle) = (tried, share);
            }
        }
        step *= 0.4;
    }
    let over_phase = best.over_phase + style.over_shift;
    Tuning { over_phase, height_m: steady_height(humanoid, style, speed, over_phase) }
}

/// The mean pelvis height of a steady gait that reaches all feet.
fn steady_height(humanoid: &Humanoid, style: &Style, speed: f64, over_phase: f64) -> f64 {
    let tracks = Side::BOTH.map(|side| steady_track(style, speed, over_phase, side));
    const SAMPLES: usize = 50;
    // Both halves of a cycle are mirror images.
    let heights = (0..SAMPLES).map(|sample| {
        let phase = 0.5 * sample as f64 / SAMPLES as f64;
        let t = phase * style.cycle_secs;
        let progress = Progress { phase, way_m: speed * t, speed, activity: 1.0 };
        let frame = PelvisFrame::new(style, &progress, DVec3::Z * progress.way_m, 0.0);
        let limits = Side::BOTH.map(|side| {
            let foot = tracks[side as usize].pose(&humanoid.leg(side).foot, t);
            highest(humanoid, &frame, side, foot.ankle)
        });
        limits[0].min(limits[1]) - style.vertical_m(phase)
    });
    heights.fold(f64::INFINITY, f64::min)
}

fn steady_track(style: &Style, speed: f64, over_phase: f64, side: Side) -> FootTrack {
    let shift = if side == Side::Left { 0.5 } else { 0.0 };
    let prints = (-2..=2).map(|number| {
        let strike_phase = f64::from(number) + shift;
        let strike = strike_phase * style.cycle_secs;
        let way = speed * (strike + over_phase * style.cycle_secs);
        Footprint {
            strike,
            off: strike + style.duty * style.cycle_secs,
            place: DVec3::new(side.sign() * style.foot.half_width_m, 0.0, way),
            yaw: side.sign() * style.foot.toe_out_rad,
            style: style.foot,
        }
    });
    FootTrack::new(prints.collect(), 1e-6)
}
