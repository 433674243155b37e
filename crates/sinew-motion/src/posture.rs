//! Standing, sitting down and getting up, with planted feet and a chest that breathes.

use crate::bake::{BakeSettings, bake};
use crate::curve::{ramp, smoothstep};
use crate::gait::{Arm, GaitError, UpperBody, placed_foot, set_legs, set_upper_body};
use crate::humanoid::{Humanoid, HumanoidPose, Side};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::{Clip, HumanoidBone};
use std::f64::consts::TAU;

/// What the body does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PostureKind {
    /// Stands and breathes.
    #[default]
    Stand,
    /// Sits down on a seat behind it and stays there.
    Sit,
    /// Gets up from a seat and stands.
    Rise,
}

/// Settings of standing, sitting down or getting up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PostureSettings {
    /// What the body does. Default: it stands.
    pub kind: PostureKind,
    /// Duration, s, 0.5 to 3600. Default 3; it may stand or sit still for a part of it.
    pub seconds: f64,
    /// Time of sitting down or getting up, s, 0.6 to 10. Default 1.6.
    pub move_secs: f64,
    /// Height of the seat, m; `None`: that of the knees less 5 cm for legs of usual length.
    pub seat_m: Option<f64>,
    /// Breaths per minute, 0 to 60. Default 14.
    pub breaths: f64,
}

impl Default for PostureSettings {
    fn default() -> Self {
        Self { kind: PostureKind::Stand, seconds: 3.0, move_secs: 1.6, seat_m: None, breaths: 14.0 }
    }
}

/// A planned posture of one human.
#[derive(Clone, Debug)]
pub struct Posture<'a> {
    humanoid: &'a Humanoid,
    settings: PostureSettings,
    /// The pelvis standing and seated.
    pelvis: [DVec3; 2],
}

/// Pelvis height in standing as a share of what straight legs give; as walks end.
const STANDING: f64 = 0.996;
/// Height of hip joints above a seat, as a share of the hips' height in standing.
const FLESH: f64 = 0.105;
/// Forward lean of shanks in sitting, rad.
const SHANK_LEAN: f64 = -0.06;

impl<'a> Posture<'a> {
    /// Plans a posture.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn new(humanoid: &'a Humanoid, settings: &PostureSettings) -> Result<Self, GaitError> {
        let leg = humanoid.leg(Side::Left);
        let knee = leg.shank_m + leg.foot.ankle_height_m();
        let seat = settings.seat_m.unwrap_or(knee - 0.055 * humanoid.hip_height_m());
        let hips = humanoid.hip_height_m();
        GaitError::check_ranges(&[
            ("seconds", settings.seconds, [0.5, 3600.0]),
            ("move_secs", settings.move_secs, [0.6, 10.0]),
            ("seat_m", seat, [0.2 * hips, 0.75 * hips]),
            ("breaths", settings.breaths, [0.0, 60.0]),
        ])?;
        if settings.kind != PostureKind::Stand && settings.seconds < settings.move_secs {
            let (seconds, least) = (settings.seconds, settings.move_secs);
            return Err(GaitError::Duration { seconds, least, most: 3600.0 });
        }
        let height = seat + FLESH * hips;
        let knee_z = leg.shank_m * SHANK_LEAN.sin();
        let rise = leg.foot.ankle_height_m() + leg.shank_m * SHANK_LEAN.cos() - height;
        let level = (leg.thigh_m * leg.thigh_m - rise * rise).max(0.04 * leg.thigh_m * leg.thigh_m).sqrt();
        let seated = DVec3::new(0.0, height - leg.hip_from_pelvis.y, knee_z - level);
        let standing = DVec3::new(0.0, hips * STANDING, 0.0);
        Ok(Self { humanoid, settings: *settings, pelvis: [standing, seated] })
    }

    /// Duration, s.
    pub fn seconds(&self) -> f64 {
        self.settings.seconds
    }

    /// As a clip.
    pub fn to_clip(&self, settings: &BakeSettings) -> Clip {
        let name = match self.settings.kind {
            PostureKind::Stand => "stand",
            PostureKind::Sit => "sit",
            PostureKind::Rise => "rise",
        };
        bake(self.humanoid, name, self.seconds(), settings, |t| self.pose(t))
    }

    /// How far down it is, 0 standing, 1 seated: time of the way, not its place.
    fn seated(&self, t: f64) -> f64 {
        let PostureSettings { kind, move_secs, .. } = self.settings;
        match kind {
            PostureKind::Stand => 0.0,
            PostureKind::Sit => (t / move_secs).clamp(0.0, 1.0),
            PostureKind::Rise => 1.0 - (t / move_secs).clamp(0.0, 1.0),
        }
    }

    /// The pose at a time.
    pub fn pose(&self, t: f64) -> HumanoidPose {
        let u = self.seated(t);
        let [standing, seated] = self.pelvis;
        // Hips go back first and down after: the trunk leans over the feet meanwhile.
        let (back, down) = (ramp(u, 0.0, 0.92), ramp(u, 0.06, 1.0));
        let sway = (1.0 - down) * 0.004 * self.humanoid.hip_height_m();
        let breath = self.breath(t);
        let pelvis = DVec3::new(
            sway * (TAU * 0.21 * t).sin(),
            standing.y + (seated.y - standing.y) * down + 0.0008 * breath,
            standing.z + (seated.z - standing.z) * back,
        );
        let over = smoothstep(u / 0.62) * smoothstep((1.0 - u) / 0.42);
        let lean = 0.74 * over + 0.03 * down;
        let tilt = 0.50 * over - 0.12 * down;
        let mut pose = HumanoidPose::neutral(pelvis);
        let hips = DQuat::from_rotation_x(tilt);
        pose.set(HumanoidBone::Hips, hips);
        let feet = Side::BOTH.map(|side| {
            let foot = &self.humanoid.leg(side).foot;
            let aside = 0.055 * self.humanoid.hip_height_m();
            let place = DVec3::new(side.sign() * aside, 0.0, 0.0);
            placed_foot(place, side.sign() * 0.12, foot.ankle(0.0, 0.0), [0.0, 0.0], true)
        });
        set_legs(self.humanoid, &mut pose, &feet, 0.0);
        let arm = Arm {
            flexion: 0.02 + 0.34 * down + 0.35 * over,
            abduction: 0.14 + 0.10 * down + 0.05 * over,
            elbow: 0.25 + 0.85 * down + 0.1 * over,
        };
        let upper = UpperBody {
            hips,
            chest: DQuat::from_rotation_x(lean - 0.012 * breath),
            head: DQuat::from_rotation_y(0.05 * (1.0 - over) * (TAU * 0.11 * t).sin())
                * DQuat::from_rotation_x(0.35 * lean),
            arms: [arm; 2],
            stoop_rad: 0.0,
        };
        set_upper_body(self.humanoid, &mut pose, &upper);
        self.raise_shoulders(&mut pose, breath);
        pose
    }

    /// −1 breathed out to 1 breathed in; 0 at the start. Breathing in is quicker.
    fn breath(&self, t: f64) -> f64 {
        let phase = TAU * self.settings.breaths / 60.0 * t;
        (phase - 0.35 * phase.sin()).sin()
    }

    /// Shoulders rise a little with the breath; arms below keep their direction.
    fn raise_shoulders(&self, pose: &mut HumanoidPose, breath: f64) {
        for side in Side::BOTH {
            let bone = side.of(HumanoidBone::LeftShoulder);
            if let Some(turn) = pose.turns[bone.index()].filter(|_| self.humanoid.has(bone)) {
                pose.set(bone, turn * DQuat::from_rotation_z(side.sign() * 0.02 * breath));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{guess_humanoid, samples};

    #[test]
    fn sitting_ends_on_the_seat_and_rising_where_sitting_began() {
        let character = samples::figure();
        let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
        let made = |kind: PostureKind| {
            Posture::new(&humanoid, &PostureSettings { kind, breaths: 0.0, ..PostureSettings::default() })
                .expect("a posture")
        };
        let (sit, rise) = (made(PostureKind::Sit), made(PostureKind::Rise));
        let (low, high) = (sit.pose(3.0).pelvis, sit.pose(0.0).pelvis);
        assert!(low.y < 0.65 * high.y && low.z < -0.2 * high.y, "{low} {high}");
        for t in [0.0, 0.5, 1.6] {
            assert!(sit.pose(t).pelvis.with_x(0.0).distance(rise.pose(1.6 - t).pelvis.with_x(0.0)) < 1e-9);
        }
        let refused = Posture::new(&humanoid, &PostureSettings { seat_m: Some(3.0), ..Default::default() });
        assert!(matches!(refused, Err(GaitError::OutOfRange { name: "seat_m", .. })));
        let short = PostureSettings { kind: PostureKind::Sit, seconds: 1.0, ..Default::default() };
        assert!(matches!(Posture::new(&humanoid, &short), Err(GaitError::Duration { .. })));
    }
}
