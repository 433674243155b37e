//! Footprints, and the motion of feet between them.
//!
//! On the ground a foot rolls: its pitch determines the position of the ankle ([`Foot::ankle`]). In the air it rolls on its own ground, which
//! moves smoothly from one footprint to the next and rises a little between. Contact is therefore exact, the curves have no corners at
//! touch-down and lift-off, and the foot is never below the ground.

use super::style::FootStyle;
use crate::curve::{Knot, eased_way, smoothstep, through_knots, through_knots_gently};
use crate::humanoid::Foot;
use glam::{DQuat, DVec2, DVec3};

/// One stance of a foot. Times in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Footprint {
    pub(super) strike: f64,
    pub(super) off: f64,
    /// Below the ankle when the foot is level.
    pub(super) place: DVec3,
    /// Rad from +Z towards +X.
    pub(super) yaw: f64,
    pub(super) style: FootStyle,
}

/// A foot at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FootPose {
    pub(crate) ankle: DVec3,
    /// Rotation of the foot from neutral.
    pub(crate) turn: DQuat,
    /// Rotation of the toes from neutral.
    pub(crate) toes_turn: DQuat,
    /// Level direction of the foot.
    pub(crate) yaw: f64,
    /// Whether it touches the ground.
    pub(crate) is_planted: bool,
}

/// All footprints of one foot, in order; at least one.
#[derive(Clone, Debug)]
pub(super) struct FootTrack {
    prints: Vec<Footprint>,
}

impl FootTrack {
    /// Joins footprints at one place: the foot stays.
    pub(super) fn new(all: Vec<Footprint>, least_step_m: f64) -> Self {
        let mut prints: Vec<Footprint> = Vec::new();
        for print in all {
            match prints.last_mut() {
                Some(last) if last.place.distance(print.place) < least_step_m => last.off = print.off,
                _ => prints.push(print),
            }
        }
        let mut track = Self { prints };
        track.fit_to_steps();
        track
    }

    /// Short steps, when starting and stopping, tip the foot less.
    fn fit_to_steps(&mut self) {
        let places: Vec<DVec3> = self.prints.iter().map(|print| print.place).collect();
        let longest = places.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f64::max);
        let share = |a: Option<&DVec3>, b: Option<&DVec3>| match a.zip(b) {
            Some((a, b)) if longest > 0.0 => smoothstep(0.15 + 0.85 * a.distance(*b) / longest),
            _ => 1.0,
        };
        for (at, print) in self.prints.iter_mut().enumerate() {
            let before = at.checked_sub(1).and_then(|before| places.get(before));
            let (arrives, leaves) =
                (share(before, places.get(at)), share(places.get(at), places.get(at + 1)));
            print.style.strike_pitch *= arrives;
            print.style.off_pitch *= 0.3 + 0.7 * leaves;
            print.style.swing_pitch *= 0.3 + 0.7 * leaves;
        }
    }

    pub(super) fn pose(&self, foot: &Foot, t: f64) -> FootPose {
        let next = self.prints.partition_point(|print| print.strike <= t);
        let now = &self.prints[next.saturating_sub(1)];
        match self.prints.get(next) {
            Some(to) if t > now.off && next > 0 => swing(foot, now, to, t),
            _ => stance(foot, now, t),
        }
    }
}

fn stance(foot: &Foot, print: &Footprint, t: f64) -> FootPose {
    let pitch = stance_pitch(print, t);
    let toes = foot.planted_toes(pitch);
    placed_foot(print.place, print.yaw, foot.ankle(pitch, toes), [pitch, toes], true)
}

/// Speed of the pitch at touch-down and at lift-off, rad/s.
fn strike_rate(print: &Footprint) -> f64 {
    let flat_secs = print.style.flat_share * (print.off - print.strike).min(LONGEST_SECS);
    -1.15 * print.style.strike_pitch / flat_secs
}

fn off_rate(print: &Footprint) -> f64 {
    let rise_secs = (1.0 - print.style.heel_off_share) * (print.off - print.strike).min(LONGEST_SECS);
    -print.style.heel_power * print.style.off_pitch / rise_secs
}

/// Longer contacts roll as fast as one of this length.
const LONGEST_SECS: f64 = 1.2;

fn stance_pitch(print: &Footprint, t: f64) -> f64 {
    let contact = (print.off - print.strike).min(LONGEST_SECS);
    let style = &print.style;
    let rise_secs = (1.0 - style.heel_off_share) * contact;
    let risen = (t - (print.off - rise_secs)) / rise_secs;
    if risen > 0.0 {
        return -style.off_pitch * risen.min(1.0).powf(style.heel_power);
    }
    let knots = [
        Knot::new(print.strike, style.strike_pitch, strike_rate(print)),
        Knot::level(print.strike + style.flat_share * contact, 0.0),
    ];
    through_knots(&knots, t)
}

fn swing(foot: &Foot, from: &Footprint, to: &Footprint, t: f64) -> FootPose {
    let span = to.strike - from.off;
    let w = (t - from.off) / span;
    let (a, b) = (&from.style, &to.style);
    let knots = [
        Knot::new(from.off, -a.off_pitch, off_rate(from)),
        Knot::level(from.off + a.swing_pitch_share * span, -a.swing_pitch),
        Knot::level(from.off + a.toes_up_share * span, 0.9 * b.strike_pitch),
        Knot::new(to.strike, b.strike_pitch, strike_rate(to)),
    ];
    let pitch = through_knots_gently(&knots, t);
    // Toes bent on the ground straighten in the first third.
    let straight = smoothstep(w / 0.35);
    let toes_at = |pitch: f64| {
        let planted = foot.planted_toes(pitch);
        planted + (pitch - planted) * straight
    };
    let bump = (4.0 * w * (1.0 - w)).powf(LIFT_POWER);
    let ankle = softly_rolled(foot, pitch, MOST_SOFTNESS_RAD * (16.0 * (w * (1.0 - w)).powi(2)), &toes_at)
        + DVec2::new(0.0, a.clearance_m * bump);
    let way = eased_way(w, a.rise_share, a.fall_share);
    let ground = from.place.lerp(to.place, way);
    let yaw = from.yaw + (to.yaw - from.yaw) * smoothstep(w);
    placed_foot(ground, yaw, ankle, [pitch, toes_at(pitch)], false)
}

/// Feet rise from the ground and come down by this power of time: below 2, to be up before they move on.
const LIFT_POWER: f64 = 1.6;

/// In the middle of a swing, without contact, the roll is averaged over this much pitch to both sides: the change from heel to toes would be
/// a corner otherwise.
const MOST_SOFTNESS_RAD: f64 = 0.45;

/// The mean of rolled ankles over a range of pitch, weighted by a hill.
fn softly_rolled(foot: &Foot, pitch: f64, softness: f64, toes_at: &impl Fn(f64) -> f64) -> DVec2 {
    const HALF: i32 = 6;
    let mut sum = DVec2::ZERO;
    let mut whole = 0.0;
    for at in -HALF..=HALF {
        let share = f64::from(at) / f64::from(HALF + 1);
        let weight = (1.0 - share * share).powi(2);
        let pitch = pitch + softness * share;
        sum += weight * foot.ankle(pitch, toes_at(pitch));
        whole += weight;
    }
    sum / whole
}

/// Puts a foot that has rolled onto a place of the ground.
pub(crate) fn placed_foot(
    ground: DVec3,
    yaw: f64,
    ankle: DVec2,
    [pitch, toes]: [f64; 2],
    is_planted: bool,
) -> FootPose {
    let heading = DQuat::from_rotation_y(yaw);
    FootPose {
        ankle: ground + heading * DVec3::new(0.0, ankle.y, ankle.x),
        turn: heading * DQuat::from_rotation_x(-pitch),
        toes_turn: heading * DQuat::from_rotation_x(-toes),
        yaw,
        is_planted,
    }
}
