//! A jump from both feet: crouch, push, flight, landing.
//!
//! The pelvis follows five pieces with continuous position, speed and acceleration: quintics on the ground, and in the air the parabola
//! y = v t − g t²/2 with v = √(2 g h). Feet roll onto the toes before they leave and touch down with them ([`crate::sole`]).

use crate::bake::{BakeSettings, bake};
use crate::curve::{Knot, smoothstep, through_knots};
use crate::gait::{Arm, FootPose, GaitError, UpperBody, placed_foot, set_legs, set_upper_body};
use crate::humanoid::{Foot, Humanoid, HumanoidPose, Side};
use glam::{DQuat, DVec2, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::{Clip, HumanoidBone};

const GRAVITY: f64 = 9.81;

/// Settings of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JumpSettings {
    /// Rise of the body in flight, m, 0.03 to 1.2. Default 0.35; good jumpers reach 0.6.
    pub height_m: f64,
    /// Depth of the crouch before, as a share of the legs' length, 0.05 to 0.45. Default 0.22.
    pub crouch: f64,
    /// Depth of the landing, as a share of the legs' length. Default 0.16.
    pub landing: f64,
    /// Standing time before and after, s, 0 to 60. Default 0.4.
    pub stand_secs: f64,
}

impl Default for JumpSettings {
    fn default() -> Self {
        Self { height_m: 0.35, crouch: 0.22, landing: 0.16, stand_secs: 0.4 }
    }
}

/// A planned jump of one human.
#[derive(Clone, Debug)]
pub struct Jump<'a> {
    humanoid: &'a Humanoid,
    settings: JumpSettings,
    /// Start of crouching, pushing, flight, landing, rising and standing, and the end.
    times: [f64; 7],
    /// Heights of the pelvis: standing, crouched, at take-off, at touch-down, landed.
    heights: [f64; 5],
    /// Speed at take-off.
    speed: f64,
}

/// Pitch of the heels at take-off and at touch-down, rad.
const TAKE_OFF_PITCH: f64 = 0.95;
const TOUCH_DOWN_PITCH: f64 = 0.55;
/// Stretch of the legs at take-off.
const TAKE_OFF_REACH: f64 = 0.975;
/// Mean speed of a push over its last speed.
const PUSH_SPEED_SHARE: f64 = 0.46;
/// Time after take-off in which the feet follow, s.
const LIFT_SECS: f64 = 0.06;

impl<'a> Jump<'a> {
    /// Plans a jump.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn new(humanoid: &'a Humanoid, settings: &JumpSettings) -> Result<Self, GaitError> {
        GaitError::check_ranges(&[
            ("height_m", settings.height_m, [0.03, 1.2]),
            ("crouch", settings.crouch, [0.05, 0.45]),
            ("landing", settings.landing, [0.05, 0.45]),
            ("stand_secs", settings.stand_secs, [0.0, 60.0]),
        ])?;
        let leg = humanoid.leg(Side::Left);
        let length = leg.length_m();
        let height_on = |pitch: f64| {
            let ankle = leg.foot.ankle(-pitch, leg.foot.planted_toes(-pitch));
            // The ankle goes ahead as the heel rises.
            let up = (TAKE_OFF_REACH * length).powi(2) - ankle.x * ankle.x;
            ankle.y + up.max(0.0).sqrt() - leg.hip_from_pelvis.y
        };
        let stand = humanoid.hip_height_m() * 0.994;
        let (off, down) = (height_on(TAKE_OFF_PITCH), height_on(TOUCH_DOWN_PITCH));
        let (crouched, landed) = (stand - settings.crouch * length, stand - settings.landing * length);
        let speed = (2.0 * GRAVITY * settings.height_m).sqrt();
        let flight = (speed + (speed * speed + 2.0 * GRAVITY * (off - down)).sqrt()) / GRAVITY;
        let fall_speed = GRAVITY * flight - speed;
        let spans = [
            settings.stand_secs,
            0.35 + 1.2 * settings.crouch,
            (off - crouched) / (PUSH_SPEED_SHARE * speed),
            flight,
            (down - landed) / (PUSH_SPEED_SHARE * fall_speed),
            0.45 + settings.landing,
            settings.stand_secs,
        ];
        let mut times = [0.0; 7];
        let mut time = 0.0;
        for (at, span) in spans.into_iter().enumerate() {
            time += span;
            times[at] = time;
        }
        // Standing at the end fills the last frame of 1/30 s, so keys fall on frames.
        times[6] = (30.0 * times[6]).ceil() / 30.0;
        Ok(Self {
            humanoid,
            settings: *settings,
            times,
            heights: [stand, crouched, off, down, landed],
            speed,
        })
    }

    /// Duration, s.
    pub fn seconds(&self) -> f64 {
        self.times[6]
    }

    /// Times when the feet leave the ground and return.
    pub fn flight_secs(&self) -> [f64; 2] {
        [self.times[2], self.times[3]]
    }

    /// The jump as a clip.
    pub fn to_clip(&self, settings: &BakeSettings) -> Clip {
        bake(self.humanoid, "jump", self.seconds(), settings, |t| self.pose(t))
    }

    /// The pose at a time.
    pub fn pose(&self, t: f64) -> HumanoidPose {
        let lean = self.lean(t);
        let bend = (self.heights[0] - self.pelvis_height(t)).max(0.0);
        // Bent legs move the hips behind the feet, as far as the trunk leans in front of them.
        let back = -0.30 * bend * smoothstep(bend / 0.05);
        let mut pose = HumanoidPose::neutral(DVec3::new(0.0, self.pelvis_height(t), back));
        let hips = DQuat::from_rotation_x(0.55 * lean);
        pose.set(HumanoidBone::Hips, hips);
        let feet = Side::BOTH.map(|side| self.foot(side, t));
        set_legs(self.humanoid, &mut pose, &feet, 0.0);
        let [flexion, elbow, abduction] = self.arm(t);
        let upper = UpperBody {
            hips,
            chest: DQuat::from_rotation_x(lean),
            head: DQuat::from_rotation_x(0.25 * lean),
            arms: [Arm { flexion, abduction, elbow }; 2],
            stoop_rad: 0.0,
        };
        set_upper_body(self.humanoid, &mut pose, &upper);
        pose
    }

    fn pelvis_height(&self, t: f64) -> f64 {
        let [start, push, off, down, landed, stand, _] = self.times;
        let [standing, crouched, off_height, down_height, landed_height] = self.heights;
        let fall_speed = GRAVITY * (down - off) - self.speed;
        let from = |t: f64, value: f64, slope: f64, bend: f64| Ends { t, value, slope, bend };
        match t {
            t if t < start => standing,
            t if t < push => standing + (crouched - standing) * smoothstep((t - start) / (push - start)),
            t if t < off => {
                quintic(&from(push, crouched, 0.0, 0.0), &from(off, off_height, self.speed, -GRAVITY), t)
            }
            t if t < down => {
                let s = t - off;
                off_height + self.speed * s - 0.5 * GRAVITY * s * s
            }
            t if t < landed => quintic(
                &from(down, down_height, -fall_speed, -GRAVITY),
                &from(landed, landed_height, 0.0, 0.0),
                t,
            ),
            t => landed_height + (standing - landed_height) * smoothstep((t - landed) / (stand - landed)),
        }
    }

    fn foot(&self, side: Side, t: f64) -> FootPose {
        let foot = &self.humanoid.leg(side).foot;
        let [_, push, off, down, landed, ..] = self.times;
        let (rise, settle) = (push + 0.45 * (off - push), down + 0.5 * (landed - down));
        let pitch = match t {
            t if t < rise => 0.0,
            t if t < off => -TAKE_OFF_PITCH * ((t - rise) / (off - rise)).powi(2),
            t if t < down => {
                let rate = -2.0 * TAKE_OFF_PITCH / (off - rise);
                let peak = -(TAKE_OFF_PITCH - 0.4 * rate * 0.2 * (down - off)).min(1.25);
                let down_rate = 2.0 * TOUCH_DOWN_PITCH / (settle - down);
                let knots = [
                    Knot::new(off, -TAKE_OFF_PITCH, rate),
                    Knot::level(off + 0.2 * (down - off), peak),
                    Knot::level(off + 0.8 * (down - off), -TOUCH_DOWN_PITCH - 0.1),
                    Knot::new(down, -TOUCH_DOWN_PITCH, down_rate),
                ];
                through_knots(&knots, t)
            }
            t if t < settle => -TOUCH_DOWN_PITCH * (1.0 - (t - down) / (settle - down)).powi(2),
            _ => 0.0,
        };
        let is_planted = !(off..down).contains(&t);
        let toes = foot.planted_toes(pitch);
        let toes = if is_planted { toes } else { toes + (pitch - toes) * in_the_middle(t, off, down) };
        let rolled = foot.ankle(pitch, toes);
        let ankle = rolled + DVec2::new(0.0, self.lift(foot, rolled.y, t));
        let aside = self.humanoid.leg(side).hip_from_pelvis.x.abs();
        let place = DVec3::new(side.sign() * aside, 0.0, 0.0);
        placed_foot(place, side.sign() * 0.12, ankle, [pitch, toes], is_planted)
    }

    /// Height of the lowest point of a foot whose ankle would be `rolled_m` high on the ground: the ankle follows the body, raised a little,
    /// with soft transitions at both ends. Pointed feet reach down; they do not bend the legs.
    fn lift(&self, foot: &Foot, rolled_m: f64, t: f64) -> f64 {
        let [_, _, off, down, ..] = self.times;
        if !(off..down).contains(&t) {
            return 0.0;
        }
        let span = down - off;
        let w = (t - off) / span;
        let fall_speed = GRAVITY * span - self.speed;
        let lag = |since: f64, speed: f64| {
            let u = (since / LIFT_SECS.min(0.4 * span)).min(1.0);
            speed * since * (1.0 - u) * (1.0 - u)
        };
        let lerp = |from: f64, to: f64| from + (to - from) * w;
        let on_ground = |pitch: f64| foot.ankle(-pitch, foot.planted_toes(-pitch)).y;
        let risen = self.pelvis_height(t) - lerp(self.heights[2], self.heights[3]);
        let pointed = rolled_m - lerp(on_ground(TAKE_OFF_PITCH), on_ground(TOUCH_DOWN_PITCH));
        let drawn_up = (0.05 * self.settings.height_m).min(0.05) * (4.0 * w * (1.0 - w)).powi(2);
        let pointed = 0.8 * pointed.max(0.0) * in_the_middle(t, off, down);
        let lift = risen + drawn_up - pointed - lag(t - off, self.speed) - lag(down - t, fall_speed);
        lift.max(0.0)
    }

    fn knots(&self, values: [f64; 7]) -> [Knot; 7] {
        let [start, push, off, down, landed, stand, _] = self.times;
        let at = [start, push, off, 0.5 * (off + down), down, landed, stand];
        let mut knots = at.map(|at| Knot::level(at, 0.0));
        for (place, value) in values.into_iter().enumerate() {
            knots[place].value = value;
            // Curves are level at extrema and follow the line between their neighbors elsewhere.
            if place > 0 && place < 6 {
                let (before, after) = (value - values[place - 1], values[place + 1] - value);
                knots[place].slope = if before * after > 0.0 {
                    (values[place + 1] - values[place - 1]) / (at[place + 1] - at[place - 1])
                } else {
                    0.0
                };
            }
        }
        knots
    }

    fn lean(&self, t: f64) -> f64 {
        let (crouch, land) = (2.4 * self.settings.crouch, 2.6 * self.settings.landing);
        through_knots(&self.knots([0.0, crouch, 0.06, 0.05, 0.15, land, 0.0]), t)
    }

    /// Flexion, elbow and abduction.
    fn arm(&self, t: f64) -> [f64; 3] {
        let high = (1.4 + self.settings.height_m).min(2.4);
        [
            through_knots(&self.knots([0.02, -0.75, 0.85 * high, high, 0.7, 0.35, 0.02]), t),
            through_knots(&self.knots([0.25, 0.35, 0.75, 0.6, 0.5, 0.6, 0.25]), t),
            through_knots(&self.knots([0.13, 0.20, 0.20, 0.35, 0.30, 0.25, 0.13]), t),
        ]
    }
}

/// 0 at both ends of a span, 1 in its middle.
fn in_the_middle(t: f64, from: f64, to: f64) -> f64 {
    let w = (t - from) / (to - from);
    smoothstep(4.0 * w) * smoothstep(4.0 * (1.0 - w))
}

/// An end of a quintic: time, value, first and second derivative.
struct Ends {
    t: f64,
    value: f64,
    slope: f64,
    bend: f64,
}

/// Hermite's quintic.
fn quintic(from: &Ends, to: &Ends, t: f64) -> f64 {
    let span = to.t - from.t;
    let s = (t - from.t) / span;
    let (d0, d1) = (from.slope * span, to.slope * span);
    let (c0, c1) = (from.bend * span * span, to.bend * span * span);
    let rise = to.value - from.value;
    let a = 10.0 * rise - 6.0 * d0 - 4.0 * d1 - 1.5 * c0 + 0.5 * c1;
    let b = -15.0 * rise + 8.0 * d0 + 7.0 * d1 + 1.5 * c0 - c1;
    let c = 6.0 * rise - 3.0 * (d0 + d1) - 0.5 * (c0 - c1);
    from.value + s * (d0 + s * (0.5 * c0 + s * (a + s * (b + s * c))))
}
