//! Measures of legs and feet.

use super::skin::{Plane, extent, range};
use super::{HowRead, Levels, Reading, Tailor, at_plane, is_left, plain};
use crate::Flank;
use crate::body::BodyPatch;
use crate::survey::Measure::*;
use glam::DVec3;

/// Right above the kneecap, as a share of the way from knee to hip.
const ABOVE_KNEE_SHARE: f64 = 0.09;
/// Where the calf is thickest, as shares of the way from knee to ankle, and the number of tapes tried.
const CALF_SHARES: [f64; 2] = [0.2, 0.5];
const CALF_TAPES: usize = 16;
/// Where it is thinnest, above the ankle.
const ANKLE_SHARES: [f64; 2] = [0.7, 1.0];
const ANKLE_TAPES: usize = 5;
/// The heel's breadth is taken in this part of the foot, from its back, as a share of its length, below this share of the ankle's height.
const HEEL_SHARE: f64 = 0.22;
const HEEL_HEIGHT_SHARE: f64 = 0.6;

/// From the heel to the bone of the ball over the way to its joint: the survey's mean over that of the average man and woman.
const BALL: f64 = 1.10;

impl Tailor<'_> {
    pub(super) fn leg(&self, levels: &Levels, found: &mut Vec<Reading>) {
        let joints = ["hip", "knee", "ankle"].map(|name| self.joint(name));
        let [Some(hip), Some(knee), Some(ankle)] = joints else { return };
        let is_leg = |patch: &BodyPatch| is_left(patch, "leg");
        let is_thigh = |patch: &BodyPatch| {
            patch.flank == Flank::Left && (patch.group == "leg" || patch.group == "torso")
        };
        let level = |place: DVec3| Plane { point: place, normal: DVec3::Y };
        let thigh = level(DVec3::new(0.5 * (hip.x + knee.x), levels.thigh_m, hip.z));
        found.extend(self.tape(ThighGirth, thigh, is_thigh));
        found.extend(self.tape(LowerThighGirth, level(knee.lerp(hip, ABOVE_KNEE_SHARE)), is_leg));
        let share = |k: usize| {
            CALF_SHARES[0] + (CALF_SHARES[1] - CALF_SHARES[0]) * k as f64 / (CALF_TAPES - 1) as f64
        };
        let calf = (0..CALF_TAPES).map(|k| level(knee.lerp(ankle, share(k))));
        found.extend(self.thickest(CalfGirth, calf, is_leg));
        let level_at = |share: f64| level(knee.lerp(ankle, share));
        let thin = (0..ANKLE_TAPES).map(|k| {
            level_at(
                ANKLE_SHARES[0] + (ANKLE_SHARES[1] - ANKLE_SHARES[0]) * k as f64 / (ANKLE_TAPES - 1) as f64,
            )
        });
        found.extend(self.thinnest(AnkleGirth, thin, is_leg));
        if self.wants(&[FootLength, BallLength, FootBreadth, HeelBreadth, BallGirth, HeelAnkleGirth]) {
            self.foot(ankle, found);
        }
    }

    fn foot(&self, ankle: DVec3, found: &mut Vec<Reading>) {
        let Some(ball) = self.joint("ball") else { return };
        let bays = ["leg/ankle", "leg/instep", "leg/toes"];
        let is_foot =
            |patch: &BodyPatch| is_left(patch, "leg") && bays.iter().any(|bay| patch.name.starts_with(bay));
        let points: Vec<DVec3> = self.skin.points(is_foot).collect();
        let along = (ball - ankle).with_y(0.0).normalize_or(DVec3::Z);
        let across = along.cross(DVec3::Y);
        let Some([heel, tip]) = range(points.iter().copied(), along) else { return };
        let long = tip - heel;
        found.push(plain(FootLength, HowRead::Caliper, long));
        found.push(plain(BallLength, HowRead::Joints, BALL * (ball.dot(along) - heel)));
        let breadth = extent(points.iter().copied(), across);
        found.extend(breadth.map(|wide| plain(FootBreadth, HowRead::Caliper, wide)));
        let most = ankle.y * HEEL_HEIGHT_SHARE;
        let is_heel = |place: &DVec3| place.dot(along) - heel < HEEL_SHARE * long && place.y < most;
        let breadth = extent(points.iter().copied().filter(is_heel), across);
        found.extend(breadth.map(|wide| plain(HeelBreadth, HowRead::Caliper, wide)));
        found.extend(self.ring("ball").and_then(|plane| self.tape(BallGirth, plane, is_foot)));
        if self.wants(&[HeelAnkleGirth]) {
            found.extend(self.instep(&points, along, across));
        }
    }

    /// The tape from the heel's lower corner over the bend between shank and foot.
    fn instep(&self, points: &[DVec3], along: DVec3, across: DVec3) -> Option<Reading> {
        let back = |place: &DVec3| -place.dot(along) - place.y;
        let heel = points.iter().max_by(|a, b| back(a).total_cmp(&back(b)))?;
        let front = |place: &DVec3| place.dot(along);
        let bend = self.ring_points("ankle")?.iter().max_by(|a, b| front(a).total_cmp(&front(b)))?;
        let plane = Plane::across(heel.midpoint(*bend), across.cross(*bend - *heel));
        let girth = self.skin.cut(&plane, |patch| is_left(patch, "leg"));
        let girth = super::skin::tape_round(&girth, plane.normal)?;
        Some(at_plane(HeelAnkleGirth, HowRead::Tape, girth, &plane))
    }
}
