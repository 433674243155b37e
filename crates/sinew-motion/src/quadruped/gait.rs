//! Walk and trot of quadrupeds.
//!
//! The four-beat walk sets down left hind, left front, right hind, right front, a quarter of the cycle apart; the trot sets down diagonal
//! pairs. Paws stand still and roll as soles of humans do ([`crate::sole`]); between they go to the next place through the air.

use super::{PawLeg, Quadruped};
use crate::bake::BakeSettings;
use crate::curve::{Knot, eased_way, through_knots_gently};
use crate::gait::GaitError;
use glam::{DQuat, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use sinew_rig::{Channel, Clip, Track};
use std::f64::consts::TAU;

/// How it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuadrupedGaitKind {
    /// Four beats; two or three paws on the ground.
    #[default]
    Walk,
    /// Two beats; diagonal pairs.
    Trot,
}

/// Settings of a quadruped's gait.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuadrupedSettings {
    /// How it goes. Default: it walks.
    pub kind: QuadrupedGaitKind,
    /// m/s; `None`: 0.35 √(g h) walking and 0.8 √(g h) trotting, with the legs' height h.
    pub speed_m_s: Option<f64>,
    /// Duration, s. Default 4.
    pub seconds: f64,
}

impl Default for QuadrupedSettings {
    fn default() -> Self {
        Self { kind: QuadrupedGaitKind::Walk, speed_m_s: None, seconds: 4.0 }
    }
}

/// A planned gait of one animal.
#[derive(Clone, Debug)]
pub struct QuadrupedGait<'a> {
    animal: &'a Quadruped,
    settings: QuadrupedSettings,
    speed: f64,
    cycle_secs: f64,
    duty: f64,
    /// How much lower than at rest the body is.
    lowered_m: f64,
}

const GRAVITY: f64 = 9.81;
/// Pitch of a paw when it leaves the ground, and behind, in the air, rad.
const OFF_PITCH: f64 = 0.5;
const SWING_PITCH: f64 = 0.9;

impl<'a> QuadrupedGait<'a> {
    /// Plans a gait: strides are shortened and the body is lowered until all legs reach the ground.
    ///
    /// # Errors
    /// If the speed or duration is out of range.
    pub fn new(animal: &'a Quadruped, settings: &QuadrupedSettings) -> Result<Self, GaitError> {
        let height = animal.hip_height_m;
        let pace = (GRAVITY * height).sqrt();
        let (natural, most) = match settings.kind {
            QuadrupedGaitKind::Walk => (0.35 * pace, 0.7 * pace),
            QuadrupedGaitKind::Trot => (0.8 * pace, 1.6 * pace),
        };
        let speed = settings.speed_m_s.unwrap_or(natural);
        if speed.is_nan() || speed < 0.08 * pace {
            return Err(GaitError::TooSlow { speed, least: 0.08 * pace });
        }
        if speed > most {
            return Err(GaitError::TooFast { speed, most });
        }
        GaitError::check_ranges(&[("seconds", settings.seconds, [0.1, 3600.0])])?;
        let duty = match settings.kind {
            QuadrupedGaitKind::Walk => 0.66,
            QuadrupedGaitKind::Trot => 0.48,
        };
        let mut stride = 2.4 * height * (speed / pace).sqrt();
        loop {
            for lowered in [0.0, 0.02, 0.04, 0.06, 0.08] {
                let gait = Self {
                    animal,
                    settings: *settings,
                    speed,
                    cycle_secs: stride / speed,
                    duty,
                    lowered_m: lowered * height,
                };
                if gait.reaches() || stride < 0.3 * height {
                    return Ok(gait);
                }
            }
            stride *= 0.93;
        }
    }

    /// Duration, s.
    pub fn seconds(&self) -> f64 {
        self.settings.seconds
    }

    /// Phase of touch-down of a leg, by its number.
    fn offset(&self, leg: &PawLeg) -> f64 {
        match (self.settings.kind, leg.is_left, leg.is_front) {
            (QuadrupedGaitKind::Walk, true, false) => 0.0,
            (QuadrupedGaitKind::Walk, true, true) => 0.75,
            (QuadrupedGaitKind::Walk, false, false) => 0.5,
            (QuadrupedGaitKind::Walk, false, true) => 0.25,
            (QuadrupedGaitKind::Trot, is_left, is_front) => {
                if is_left == is_front {
                    0.5
                } else {
                    0.0
                }
            }
        }
    }

    /// Where the body is, from rest.
    fn body(&self, t: f64) -> DVec3 {
        let size = self.animal.hip_height_m;
        let bob = match self.settings.kind {
            QuadrupedGaitKind::Walk => 0.008 * (2.0 * TAU * t / self.cycle_secs).sin(),
            QuadrupedGaitKind::Trot => 0.022 * (2.0 * TAU * (t / self.cycle_secs - 0.14)).sin(),
        };
        let bob = if self.settings.kind == QuadrupedGaitKind::Trot { bob - 0.022 } else { bob - 0.008 };
        self.animal.ahead * (self.speed * t) + DVec3::Y * (size * bob - self.lowered_m)
    }

    /// The paw's joint and pitch at a time.
    fn paw(&self, leg: &PawLeg, t: f64) -> (DVec3, f64) {
        let cycle = t / self.cycle_secs + self.offset(leg);
        let phase = cycle.rem_euclid(1.0);
        let stride = self.speed * self.cycle_secs;
        // The body passes over the paw in the middle of its stance.
        let way_of = |round: f64| (round + 0.5 * self.duty - self.offset(leg)) * stride;
        let round = cycle.floor();
        let (pitch, way, lift) = if phase < self.duty {
            let late = ((phase / self.duty - 0.55) / 0.45).max(0.0);
            (-OFF_PITCH * late * late, way_of(round), 0.0)
        } else {
            let w = (phase - self.duty) / (1.0 - self.duty);
            let rate = -2.0 * OFF_PITCH / (0.45 * self.duty) * (1.0 - self.duty);
            let knots = [
                Knot::new(0.0, -OFF_PITCH, rate),
                Knot::level(0.35, -SWING_PITCH),
                Knot::level(0.9, 0.0),
                Knot::level(1.0, 0.0),
            ];
            let from = way_of(round);
            let lift = 0.1 * self.animal.hip_height_m * (4.0 * w * (1.0 - w)).powf(1.6);
            (through_knots_gently(&knots, w), from + stride * eased_way(w, 0.25, 0.3), lift)
        };
        let flat = leg.sole.joint_when_rolled(0.0);
        let rolled = leg.sole.joint_when_rolled(pitch);
        let joint = leg.chain.end();
        let place = joint.with_y(self.animal.ground_y) + self.animal.ahead * (way + rolled.x - flat.x);
        (place + DVec3::Y * (rolled.y + lift), pitch)
    }

    /// Whether all legs reach their paws over a cycle.
    fn reaches(&self) -> bool {
        (0..60).all(|sample| {
            let t = self.cycle_secs * f64::from(sample) / 60.0;
            self.animal.legs.iter().all(|leg| {
                let (joint, _) = self.paw(leg, t);
                joint.distance(leg.chain.start() + self.body(t)) < leg.chain.reach_m()
            })
        })
    }

    /// The gait as a clip.
    pub fn to_clip(&self, settings: &BakeSettings) -> Clip {
        let animal = self.animal;
        let whole = (self.seconds() * settings.fps - 1e-6).ceil().max(1.0) as usize;
        let times: Vec<f64> =
            (0..whole).map(|key| key as f64 / settings.fps).chain([self.seconds()]).collect();
        let left = DVec3::Y.cross(animal.ahead);
        let mut places: Vec<Vec3> = Vec::new();
        let mut turns: Vec<Vec<Quat>> = vec![Vec::new(); animal.legs.iter().map(|leg| leg.bones.len()).sum()];
        for &t in &times {
            let body = self.body(t);
            let shown = if settings.is_in_place { body - animal.ahead * (self.speed * t) } else { body };
            places.push(self.root_place(shown).as_vec3());
            let mut place = 0;
            for leg in &animal.legs {
                let (joint, pitch) = self.paw(leg, t);
                let mut all = leg.chain.turns(leg.chain.start() + body, joint);
                all.push(DQuat::from_axis_angle(left, -pitch));
                let mut above = DQuat::IDENTITY;
                for (&bone, &turn) in leg.bones.iter().zip(&all) {
                    let local = animal.local(bone, turn, above).as_quat();
                    let last = turns[place].last().copied().unwrap_or(local);
                    turns[place].push(if last.dot(local) < 0.0 { -local } else { local });
                    above = turn;
                    place += 1;
                }
            }
        }
        let name = if self.settings.kind == QuadrupedGaitKind::Walk { "walk" } else { "trot" };
        let bones = animal.legs.iter().flat_map(|leg| leg.bones.iter().copied());
        let mut tracks = vec![Track::linear(times.clone(), Channel::Translation(animal.root, places))];
        tracks.extend(
            bones
                .zip(turns)
                .map(|(bone, turns)| Track::linear(times.clone(), Channel::Rotation(bone, turns))),
        );
        Clip { name: name.into(), tracks }
    }

    /// The root's translation in its parent when the body is moved from rest.
    fn root_place(&self, moved: DVec3) -> DVec3 {
        let animal = self.animal;
        let at = animal.rest[animal.root.index()].translation + moved;
        let parent = animal.parents[animal.root.index()];
        parent.map_or(at, |parent| animal.rest[parent.index()].inverse().transform_point3(at))
    }
}
