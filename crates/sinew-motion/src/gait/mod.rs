//! Walking and running.
//!
//! A gait is planned once, then evaluated at any time. The plan: distance and phase over time (`travel.rs`), footprints where the pelvis
//! passes over them (`footprints.rs`), and the pelvis height within reach of the legs (`tuning.rs`). A pose has the pelvis from the formulas,
//! feet from the footprints, legs by closed-form inverse kinematics, trunk and arms by the formulas (`upper_body.rs`).

mod error;
mod footprints;
mod path;
mod pelvis;
mod settings;
mod style;
mod travel;
mod tuning;
mod upper_body;

pub use error::GaitError;
pub use path::GroundPath;
pub use settings::{GaitKind, GaitSettings, Personality, SpeedKey};

pub(crate) use footprints::{FootPose, placed_foot};
pub(crate) use upper_body::{Arm, UpperBody, set_upper_body};

use crate::bake::{BakeSettings, bake};
use crate::humanoid::{Ground, Humanoid, HumanoidPose, Side};
use crate::leg_reach::reach;
use footprints::{FootTrack, Footprint};
use glam::{DQuat, DVec3};
use sinew_geometry::Random;
use sinew_rig::Clip;
use sinew_rig::HumanoidBone::{Hips, LeftFoot, LeftLowerLeg, LeftToes, LeftUpperLeg};
use style::{SpeedLimits, Style};
use travel::Travel;
use tuning::Tunings;

pub(crate) use pelvis::PelvisFrame;
pub(crate) use tuning::{UNSTEADY_SOFTNESS, reachable_height};

/// A planned gait of one human.
#[derive(Clone, Debug)]
pub struct Gait<'a> {
    humanoid: &'a Humanoid,
    settings: GaitSettings,
    path: GroundPath,
    travel: Travel,
    tunings: Tunings,
    tracks: [FootTrack; 2],
    /// For a constant speed.
    style: Option<Style>,
}

/// Maximum duration: an hour.
const MOST_SECONDS: f64 = 3600.0;

/// Makes a clip of a gait with root motion, 60 keys per second, or 120 if it runs.
///
/// # Errors
/// If the gait is impossible: see [`GaitError`].
pub fn gait_clip(humanoid: &Humanoid, settings: &GaitSettings) -> Result<Clip, GaitError> {
    let gait = Gait::new(humanoid, settings)?;
    let fps = gait.natural_fps();
    Ok(gait.to_clip(&BakeSettings { fps, ..BakeSettings::default() }))
}

impl<'a> Gait<'a> {
    /// Plans a gait.
    ///
    /// # Errors
    /// If the gait is impossible: see [`GaitError`].
    pub fn new(humanoid: &'a Humanoid, settings: &GaitSettings) -> Result<Self, GaitError> {
        check(humanoid, settings)?;
        let path = match &settings.path[..] {
            [] => GroundPath::straight(),
            points => GroundPath::through(points)?,
        };
        let style_at = |speed: f64| Style::new(humanoid, settings.kind, speed, &settings.personality);
        let travel = Travel::new(settings, |speed| {
            Style::cycle_secs_of(humanoid, settings.kind, speed, &settings.personality)
        });
        let tunings = Tunings::new(humanoid, settings);
        let tracks = Side::BOTH.map(|side| track(humanoid, settings, &path, &travel, &tunings, side));
        let style = settings.speeds.is_empty().then(|| style_at(settings.speed_m_s));
        Ok(Self { humanoid, settings: settings.clone(), path, travel, tunings, tracks, style })
    }

    /// Keys per second at which splines keep feet on the ground: 60, or 120 if it runs.
    pub fn natural_fps(&self) -> f64 {
        let fastest = self.settings.speeds.iter().map(|key| key.speed).fold(0.0, f64::max);
        let fastest = if self.settings.speeds.is_empty() { self.settings.speed_m_s } else { fastest };
        let style = Style::new(self.humanoid, self.settings.kind, fastest, &self.settings.personality);
        if style.run_share > 0.0 { 120.0 } else { 60.0 }
    }

    /// Duration, s.
    pub fn seconds(&self) -> f64 {
        self.settings.seconds
    }

    /// The position on the path at a time, on the ground.
    pub fn root(&self, t: f64) -> DVec3 {
        self.path.at(self.travel.at(t).way_m).0
    }

    /// The pose at a time.
    pub fn pose(&self, t: f64) -> HumanoidPose {
        let progress = self.travel.at(t);
        let style = self.style_at(progress.speed);
        let (place, heading) = self.path.at(progress.way_m);
        let mut frame = PelvisFrame::new(&style, &progress, place, heading);
        if !self.settings.speeds.is_empty() {
            frame.softness += (UNSTEADY_SOFTNESS - frame.softness) * frame.activity;
        }
        // Standing legs are straighter than walking ones.
        frame.reach_share += (tuning::STANDING_REACH - frame.reach_share) * (1.0 - frame.activity);
        frame.softness *= 0.3 + 0.7 * frame.activity;
        let feet = [Side::Left, Side::Right].map(|side| self.foot(side, t));
        let stand = self.humanoid.hip_height_m() * tuning::STANDING;
        let moving = self.tunings.at(progress.speed).height_m + style.vertical_m(progress.phase);
        let height = stand + (moving - stand) * frame.activity;
        let ankles = feet.map(|foot| foot.ankle);
        let pelvis = frame.place.with_y(reachable_height(self.humanoid, &frame, &ankles, height));
        let mut pose = HumanoidPose::neutral(pelvis);
        pose.ground = Ground { place, heading_rad: heading };
        pose.set(Hips, frame.turn);
        set_legs(self.humanoid, &mut pose, &feet, heading);
        let upper = UpperBody::of_gait(&style, &progress, heading, &self.settings.personality, frame.turn);
        set_upper_body(self.humanoid, &mut pose, &upper);
        pose
    }

    /// Whether the left and right foot touch the ground at a time.
    pub fn is_planted(&self, t: f64) -> [bool; 2] {
        Side::BOTH.map(|side| self.foot(side, t).is_planted)
    }

    /// The gait as a clip.
    pub fn to_clip(&self, settings: &BakeSettings) -> Clip {
        let name = match self.settings.kind {
            GaitKind::Walk => "walk",
            GaitKind::Run => "run",
            GaitKind::Auto => "gait",
        };
        bake(self.humanoid, name, self.seconds(), settings, |t| {
            let mut pose = self.pose(t);
            if settings.is_in_place {
                pose.pelvis -= self.root(t);
                pose.ground = Ground::default();
            }
            pose
        })
    }

    fn style_at(&self, speed: f64) -> Style {
        match &self.style {
            Some(style) => style.clone(),
            None => Style::new(self.humanoid, self.settings.kind, speed, &self.settings.personality),
        }
    }

    fn foot(&self, side: Side, t: f64) -> FootPose {
        self.tracks[side as usize].pose(&self.humanoid.leg(side).foot, t)
    }
}

/// Rotates legs to place the feet.
pub(crate) fn set_legs(humanoid: &Humanoid, pose: &mut HumanoidPose, feet: &[FootPose; 2], heading: f64) {
    let hips_turn = pose.turns[Hips.index()].unwrap_or(DQuat::IDENTITY);
    for (side, foot) in Side::BOTH.into_iter().zip(feet) {
        let leg = humanoid.leg(side);
        let hip = pose.pelvis + hips_turn * leg.hip_from_pelvis;
        // Knees point between the directions of body and foot.
        let yaw = heading + 0.5 * (foot.yaw - heading);
        let ahead = DVec3::new(yaw.sin(), 0.0, yaw.cos());
        let turns = reach(leg, hip, foot.ankle, ahead);
        pose.set(side.of(LeftUpperLeg), turns.thigh);
        pose.set(side.of(LeftLowerLeg), turns.shank);
        pose.set(side.of(LeftFoot), foot.turn);
        if leg.foot.has_toes() {
            pose.set(side.of(LeftToes), foot.toes_turn);
        }
    }
}

/// The footprints of one foot: each where the pelvis passes over it.
fn track(
    humanoid: &Humanoid,
    settings: &GaitSettings,
    path: &GroundPath,
    travel: &Travel,
    tunings: &Tunings,
    side: Side,
) -> FootTrack {
    // The right leg's cycle starts at whole phases.
    let shift = if side == Side::Left { 0.5 } else { 0.0 };
    let [first, last] = travel.phases();
    let mut prints = Vec::new();
    let mut number = (first - shift).ceil();
    while number + shift + 1.0 < last {
        let strike_phase = number + shift;
        let strike = travel.time_of(strike_phase);
        let speed = travel.at(strike).speed;
        let style = Style::new(humanoid, settings.kind, speed, &settings.personality);
        let over = travel.time_of(strike_phase + tunings.at(speed).over_phase);
        let (place, heading) = path.at(travel.at(over).way_m);
        let jitter = settings.personality.variation
            * unevenness(settings.seed, 2 * number as i64 + i64::from(side == Side::Left));
        let aside = side.sign() * style.foot.half_width_m + 0.012 * jitter[0];
        let to_left = DVec3::new(heading.cos(), 0.0, -heading.sin());
        let ahead = DVec3::new(heading.sin(), 0.0, heading.cos());
        prints.push(Footprint {
            strike,
            off: travel.time_of(strike_phase + style.duty),
            place: place + to_left * aside + ahead * (0.015 * jitter[1]),
            yaw: heading + side.sign() * style.foot.toe_out_rad + 0.03 * jitter[2],
            style: style.foot,
        });
        number += 1.0;
    }
    FootTrack::new(prints, 0.035 * humanoid.hip_height_m())
}

/// Three numbers from −1 to 1 for a step, deterministic for a seed.
fn unevenness(seed: u64, step: i64) -> DVec3 {
    Random::new(seed ^ (step as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).signed_vector()
}

fn check(humanoid: &Humanoid, settings: &GaitSettings) -> Result<(), GaitError> {
    let limits = SpeedLimits::of(humanoid);
    let speeds: Vec<f64> = match &settings.speeds[..] {
        [] => vec![settings.speed_m_s],
        keys => keys.iter().map(|key| key.speed).collect(),
    };
    for &speed in &speeds {
        check_speed(settings.kind, speed, &limits)?;
    }
    let is_late = |pair: &&[SpeedKey]| (0.2..=MOST_SECONDS).contains(&(pair[1].time - pair[0].time));
    let times = settings.speeds.windows(2).find(|pair| !is_late(pair));
    if let Some(pair) = times {
        return Err(GaitError::SpeedOrder { time: pair[1].time });
    }
    settings.personality.check()?;
    for &speed in &speeds {
        check_steps(humanoid, settings, speed)?;
    }
    let cycle = |speed: f64| Style::cycle_secs_of(humanoid, settings.kind, speed, &settings.personality);
    let mut least = 0.1;
    for (is_resting, speed) in
        [(settings.is_from_rest, speeds[0]), (settings.is_to_rest, speeds[speeds.len() - 1])]
    {
        least += if is_resting { travel::rest_secs(cycle(speed)) } else { 0.0 };
    }
    let seconds = settings.seconds;
    if !(least..=MOST_SECONDS).contains(&seconds) {
        return Err(GaitError::Duration { seconds, least, most: MOST_SECONDS });
    }
    Ok(())
}

fn check_speed(kind: GaitKind, speed: f64, limits: &SpeedLimits) -> Result<(), GaitError> {
    if speed.is_nan() || speed < limits.slowest {
        return Err(GaitError::TooSlow { speed, least: limits.slowest });
    }
    if speed > limits.fastest {
        return Err(GaitError::TooFast { speed, most: limits.fastest });
    }
    if kind == GaitKind::Walk && speed > limits.fastest_walk {
        return Err(GaitError::WalkTooFast { speed, most: limits.fastest_walk });
    }
    if kind == GaitKind::Run && speed < limits.slowest_run {
        return Err(GaitError::RunTooSlow { speed, least: limits.slowest_run });
    }
    Ok(())
}

fn check_steps(humanoid: &Humanoid, settings: &GaitSettings, speed: f64) -> Result<(), GaitError> {
    let Some(step) = settings.personality.step_length_m else { return Ok(()) };
    let free = Personality { step_length_m: None, ..settings.personality };
    let natural = 0.5 * speed * Style::cycle_secs_of(humanoid, settings.kind, speed, &free);
    let (low, high) = (0.5 * natural, 1.4 * natural);
    if (low..=high).contains(&step) { Ok(()) } else { Err(GaitError::StepLength { step, speed, low, high }) }
}

#[cfg(test)]
mod tests;
