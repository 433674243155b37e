//! Measures of arms, hands and shoulders, those of flexed muscles on a posed body.

use super::skin::{Plane, Skin, extent};
use super::{HowRead, Reading, Tailor, at_plane, is_left, plain, planes_along};
use crate::Flank;
use crate::body::{Body, BodyPatch};
use crate::pose::{BodyPose, JointPose, PosedBody};
use crate::survey::Measure::*;
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// Where the thickest place is sought: shares of the bone, and the number of tapes tried.
const BICEPS_SHARES: [f64; 2] = [0.45, 0.75];
const FOREARM_SHARES: [f64; 2] = [0.12, 0.5];
const TAPES: usize = 15;
/// Where the wrist is thinnest.
const WRIST_SHARES: [f64; 2] = [0.8, 1.0];
const WRIST_TAPES: usize = 5;
/// The knuckles' plane, as a share of the way from the wrist to the root of the middle finger.
const KNUCKLES_SHARE: f64 = 0.92;
/// Parts this far beyond the index finger's knuckle belong to the thumb, m.
const BESIDE_INDEX_M: f64 = 0.018;
/// Bends of a clenched fist: first, middle and last joint of each finger, °.
const FIST_DEG: [(&str, f64); 3] = [("proximal", 80.0), ("middle", 95.0), ("distal", 60.0)];
const FINGERS: [&str; 4] = ["index", "middle", "ring", "little"];

impl Tailor<'_> {
    pub(super) fn arm(&self, found: &mut Vec<Reading>) {
        if self.wants(&[HandBreadth, HandGirth]) {
            self.hand(found);
        }
        if let [Some(shoulder), Some(elbow), Some(wrist)] =
            ["shoulder", "elbow", "wrist"].map(|name| self.joint(name))
        {
            let is_arm = |patch: &BodyPatch| is_left(patch, "arm") || is_left(patch, "hand");
            let planes = planes_along(elbow, wrist, WRIST_SHARES, WRIST_TAPES);
            found.extend(self.thinnest(WristGirth, planes, is_arm));
            if self.wants(&[BicepsGirth, ForearmGirth]) {
                self.flexed([shoulder, elbow, wrist], found);
            }
            if self.wants(&[BideltoidBreadth]) {
                self.hanging(shoulder, elbow, found);
            }
        }
    }

    /// Breadth and girth of the knuckles, without the thumb.
    fn hand(&self, found: &mut Vec<Reading>) {
        let joints = ["wrist", "middle_1", "index_1", "little_1"].map(|name| self.joint(name));
        let [Some(wrist), Some(middle), Some(index), Some(little)] = joints else { return };
        let plane = Plane::across(wrist.lerp(middle, KNUCKLES_SHARE), middle - wrist);
        let across = (index - little).reject_from_normalized(plane.normal).normalize_or_zero();
        let mut cut = self.skin.cut(&plane, |patch| is_left(patch, "hand"));
        cut.retain(|place| (*place - index).dot(across) < BESIDE_INDEX_M);
        let breadth = extent(cut.iter().copied(), across);
        found.extend(breadth.map(|wide| at_plane(HandBreadth, HowRead::Caliper, wide, &plane)));
        let girth = super::skin::tape_round(&cut, plane.normal);
        found.extend(girth.map(|girth| at_plane(HandGirth, HowRead::Tape, girth, &plane)));
    }

    /// Upper arm and forearm with the elbow at a right angle and a clenched fist.
    fn flexed(&self, [shoulder, elbow, wrist]: [DVec3; 3], found: &mut Vec<Reading>) {
        let straight = (elbow - shoulder).angle_between(wrist - elbow);
        let mut bends = vec![("forearm".to_owned(), FRAC_PI_2 - straight)];
        for finger in FINGERS {
            bends.extend(FIST_DEG.map(|(bone, bend)| (format!("{finger}_{bone}"), bend.to_radians())));
        }
        let posed = posed(self.skin.body, |body, pose| {
            for (name, bend) in &bends {
                let bone = body.figure().find(name, Flank::Left);
                let joint = JointPose { bend_rad: *bend, ..JointPose::default() };
                bone.into_iter().for_each(|bone| pose.set_joint(body.figure(), bone, &joint));
            }
        });
        let body = posed.body();
        let moved = |bone: &str| {
            let bone = posed.figure().find(bone, Flank::Left);
            bone.map_or_else(Default::default, |bone| posed.moves()[bone].rotation)
        };
        let turned = elbow + moved("forearm") * (wrist - elbow);
        let tailor = Tailor { skin: Skin::of(body), ground: self.ground, asked: self.asked };
        let is_arm = |patch: &BodyPatch| is_left(patch, "arm");
        let upper = planes_along(shoulder, elbow, BICEPS_SHARES, TAPES);
        let fore = planes_along(elbow, turned, FOREARM_SHARES, TAPES);
        let is_bay = |bays: [&'static str; 2]| {
            move |patch: &BodyPatch| is_arm(patch) && bays.iter().any(|bay| patch.name.starts_with(bay))
        };
        let tapes = [
            tailor.thickest(BicepsGirth, upper, is_bay(["arm/shoulder", "arm/upper_arm"])),
            tailor.thickest(ForearmGirth, fore, is_bay(["arm/elbow", "arm/forearm"])),
        ];
        let pose = Some("elbow at 90°, fist clenched");
        found.extend(tapes.into_iter().flatten().map(|reading| Reading { pose, ..reading }));
    }

    /// Breadth across the shoulders with hanging arms.
    fn hanging(&self, shoulder: DVec3, elbow: DVec3, found: &mut Vec<Reading>) {
        let posed = posed(self.skin.body, |body, pose| {
            for flank in [Flank::Left, Flank::Right] {
                let way = flank.place(elbow - shoulder).normalize_or(DVec3::NEG_Y);
                let bone = body.figure().find("upper_arm", flank);
                let turn = DQuat::from_rotation_arc(way, DVec3::NEG_Y);
                bone.into_iter().for_each(|bone| pose.turns[bone] = turn);
            }
        });
        let lowest = shoulder.y - 0.5 * shoulder.distance(elbow);
        let is_shoulder = |patch: &BodyPatch| {
            patch.group == "torso"
                || patch.name.starts_with("arm/shoulder")
                || patch.name.starts_with("arm/upper_arm")
        };
        let skin = Skin::of(posed.body());
        let breadth = extent(skin.points(is_shoulder).filter(|place| place.y > lowest), DVec3::X);
        let reading = breadth.map(|wide| plain(BideltoidBreadth, HowRead::Caliper, wide));
        found.extend(reading.map(|reading| Reading { pose: Some("arms hanging"), ..reading }));
    }
}

fn posed(body: &Body, set: impl Fn(&PosedBody, &mut BodyPose)) -> PosedBody {
    let mut posed = PosedBody::new(body.clone());
    let mut pose = BodyPose::rest(posed.figure());
    set(&posed, &mut pose);
    posed.set(&pose);
    posed
}
