//! Feet of key frames: where they stand and when. Legs follow by inverse kinematics.

use crate::bake::{BakeSettings, bake};
use crate::curve::smoothstep;
use crate::gait::{PelvisFrame, placed_foot, reachable_height, set_legs};
use crate::humanoid::{Humanoid, HumanoidPose, Side};
use crate::sequence::Reader;
use glam::{DQuat, DVec2, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::{Character, Clip, HumanoidBone};

/// All keys of a foot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootTrack {
    /// Which foot.
    pub side: FootSide,
    /// In order of time.
    pub keys: Vec<FootKey>,
}

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum FootSide {
    Left,
    Right,
}

/// Where a foot is at a time. Between two keys at one place it stands; between two places it steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootKey {
    /// Seconds.
    pub time: f64,
    /// x (left) and z (ahead) of the ankle above the ground, m.
    pub at: [f64; 2],
    /// Turn about +Y, °; 90 points to the left.
    pub turn: f64,
    /// Height above the ground, m.
    pub lift: f64,
    /// Heel raised by this angle, the ball on the ground, °; below 0 the toes are up.
    pub heel: f64,
    /// Height of the step to this key, m. Default 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

const STEP_M: f64 = 0.05;

/// A foot at a time: place, turn (rad), lift, heel (rad), and whether it stands.
struct FootAt {
    place: DVec3,
    yaw: f64,
    lift: f64,
    heel: f64,
    is_planted: bool,
}

impl FootTrack {
    /// What is wrong with a key, if anything: its index, and what.
    pub(crate) fn problem(&self) -> Option<(usize, &'static str)> {
        if self.keys.is_empty() {
            return Some((0, "a foot needs at least one key"));
        }
        for (index, key) in self.keys.iter().enumerate() {
            let numbers =
                [key.time, key.at[0], key.at[1], key.turn, key.lift, key.heel, key.step.unwrap_or(0.0)];
            if numbers.iter().any(|value| !value.is_finite() || value.abs() > 1e6) || key.time < 0.0 {
                return Some((index, "the values must be finite, the time 0 or more"));
            }
            if index > 0 && key.time <= self.keys[index - 1].time {
                return Some((index, "keys must be in order of time"));
            }
            if !(-40.0..=75.0).contains(&key.heel) {
                return Some((index, "heel is out of range; use -40 to 75"));
            }
            if key.lift < 0.0 {
                return Some((index, "lift is below the ground; use 0 or more"));
            }
        }
        None
    }

    fn at(&self, t: f64, scale: f64) -> FootAt {
        let next = self.keys.partition_point(|key| key.time <= t);
        let from = &self.keys[next.saturating_sub(1)];
        let to = self.keys.get(next).filter(|_| next > 0).unwrap_or(from);
        let u =
            if to.time > from.time { ((t - from.time) / (to.time - from.time)).clamp(0.0, 1.0) } else { 0.0 };
        let w = smoothstep(u);
        let lerp = |a: f64, b: f64| a + (b - a) * w;
        let moves = from.at != to.at || from.turn != to.turn;
        let bump = if moves { to.step.unwrap_or(STEP_M) * (4.0 * u * (1.0 - u)).powi(2) } else { 0.0 };
        let place = DVec2::from(from.at).lerp(to.at.into(), steps_over(u));
        let lift = scale * (lerp(from.lift, to.lift) + bump);
        FootAt {
            place: DVec3::new(place.x, 0.0, place.y) * scale,
            yaw: (from.turn + (to.turn - from.turn) * steps_over(u)).to_radians(),
            lift,
            heel: lerp(from.heel, to.heel).to_radians(),
            is_planted: !moves && lift < 1e-6,
        }
    }
}

/// The way of a step over its time: the foot moves when it is off the ground.
fn steps_over(u: f64) -> f64 {
    smoothstep((u - 0.12) / 0.76)
}

/// The clip with legs that reach the feet.
pub(crate) fn with_feet(
    character: &Character,
    humanoid: &Humanoid,
    clip: &Clip,
    feet: &[&FootTrack; 2],
    scale: f64,
) -> Clip {
    let mut reader = Reader::new(character, humanoid);
    let last = feet.iter().filter_map(|track| track.keys.last()).map(|key| key.time).fold(0.0, f64::max);
    let seconds = clip.duration_secs().max(last);
    let settings = BakeSettings { fps: FEET_FPS, is_in_place: false };
    bake(humanoid, &clip.name, seconds, &settings, |t| {
        let mut pose = reader.frame(clip, t.clamp(0.0, seconds)).to_pose(humanoid);
        stand_on(humanoid, &mut pose, feet, t, scale);
        pose
    })
}

/// Keys per second with which splines keep feet on the ground.
const FEET_FPS: f64 = 60.0;
/// Usable share of a leg's length, and the range over which that limit sets in for hips 1 m high.
const REACH_SHARE: f64 = 0.9975;
const SOFTNESS: f64 = 0.03;

fn stand_on(humanoid: &Humanoid, pose: &mut HumanoidPose, feet: &[&FootTrack; 2], t: f64, scale: f64) {
    let placed = [0, 1].map(|side| {
        let at = feet[side].at(t, scale);
        let foot = &humanoid.leg(Side::BOTH[side]).foot;
        let toes = foot.planted_toes(-at.heel);
        let ankle = foot.ankle(-at.heel, toes) + DVec2::new(0.0, at.lift);
        placed_foot(at.place, at.yaw, ankle, [-at.heel, toes], at.is_planted)
    });
    let turn = pose.turns[HumanoidBone::Hips.index()].unwrap_or(DQuat::IDENTITY);
    let frame = PelvisFrame {
        place: pose.pelvis.with_y(0.0),
        turn,
        activity: 1.0,
        reach_share: REACH_SHARE,
        softness: SOFTNESS,
    };
    let ankles = placed.map(|foot| foot.ankle);
    pose.pelvis.y = reachable_height(humanoid, &frame, &ankles, pose.pelvis.y);
    let ahead = turn * DVec3::Z;
    set_legs(humanoid, pose, &placed, ahead.x.atan2(ahead.z));
}
