//! Measures of head and neck. Levels of the head are from its eyes, in shares of the way from there to its top.

use super::skin::extent;
use super::trunk::{MIDDLE_M, along, edges_of};
use super::{HowRead, Plane, Reading, Tailor, at_plane, plain};
use crate::body::BodyPatch;
use crate::head::HeadBasis;
use crate::patchwork::SlotKind;
use crate::survey::Measure::*;
use glam::DVec3;

/// Places along each edge of the face's profile.
const PROFILE_STEPS: usize = 32;
/// Tapes tried above the brows, the levels of the first and the last, and how far their planes are tilted forward, rad: the survey took the
/// largest girth.
const HEAD_TAPES: usize = 5;
const HEAD_LEVELS: [f64; 2] = [0.2, 0.6];
const HEAD_TILT: f64 = 0.06;
/// Where neck and trunk meet, and the larynx: shares of the way from neck to skull, and how far the tapes' planes are tilted forward, rad.
const COLLAR_SHARE: f64 = 0.45;
const LARYNX_SHARE: f64 = 0.75;
const NECK_TILT: f64 = 0.4;
/// Level of the brow, and of the lowest place that may be the back of the head.
const BROW: f64 = 0.1;
const BACK: f64 = -0.3;
/// Level above which no ear is as wide as the head.
const OVER_EARS: f64 = 0.3;
/// Level of the cheekbones, and how far before the ear's root they lie.
const CHEEKS: f64 = -0.25;
const BEFORE_EAR: f64 = 0.05;
/// The nose's root is sought this far above its tip.
const NOSE: f64 = 0.5;
/// The chin is the lowest place in front, this share of the way from ear to nose, less a share of its depth: behind it the jaw goes on.
const FRONT: f64 = 0.6;
const CHIN_DEPTH: f64 = 0.5;
/// Height of the top over the ear hole, over that over the middle of the ear's root.
const EAR: f64 = 0.1311 / 0.1271;

fn is_head(patch: &BodyPatch) -> bool {
    patch.group == "head"
}

/// Head without ears.
fn is_skull(patch: &BodyPatch) -> bool {
    is_head(patch) && !patch.name.starts_with("head/ear")
}

/// Places that the head's levels are taken from.
struct Marks {
    eye: DVec3,
    /// The middle of the ear's root, and its ends.
    ear: DVec3,
    ear_low: DVec3,
    ear_high: DVec3,
    /// From the eyes to the top, m.
    high_m: f64,
}

impl Marks {
    fn level(&self, share: f64) -> f64 {
        self.eye.y + share * self.high_m
    }
}

impl Tailor<'_> {
    pub(super) fn head(&self, found: &mut Vec<Reading>) {
        let is_neck = |patch: &BodyPatch| patch.group == "head" || patch.group == "neck";
        found.extend(self.across_neck(LARYNX_SHARE).and_then(|plane| self.tape(NeckGirth, plane, is_neck)));
        let collar = self.across_neck(COLLAR_SHARE);
        // At the nape and the sides the neck may begin above the tape.
        let is_collar = |patch: &BodyPatch| is_neck(patch) || patch.group == "torso";
        found.extend(collar.and_then(|plane| self.tape(NeckBaseGirth, plane, is_collar)));
        let Some(marks) = self.marks() else { return };
        if self.wants(&[HeadGirth]) {
            let [low, high] = HEAD_LEVELS;
            let level = |k: usize| marks.level(low + (high - low) * k as f64 / (HEAD_TAPES - 1) as f64);
            let way = DVec3::new(0.0, HEAD_TILT.cos(), HEAD_TILT.sin());
            let planes = (0..HEAD_TAPES).map(|k| Plane::across(marks.ear.with_y(level(k)), way));
            found.extend(self.thickest(HeadGirth, planes, is_skull));
        }
        self.skull(&marks, found);
        if self.wants(&[FaceLength]) {
            found.extend(self.face(&marks).map(|long| plain(FaceLength, HowRead::Caliper, long)));
        }
        let over_ear = EAR * (marks.level(1.0) - marks.ear.y);
        let ear = Plane { point: marks.ear, normal: DVec3::Y };
        found.push(at_plane(TragionToCrown, HowRead::Height, over_ear, &ear));
    }

    fn marks(&self) -> Option<Marks> {
        let head = self.skin.body.head.as_ref()?;
        let heads = HeadBasis::human();
        let places = |slots: &[usize]| slots.iter().map(|&slot| head.slots[slot]).collect::<Vec<_>>();
        let middle = |places: &[DVec3]| places.iter().sum::<DVec3>() / places.len() as f64;
        let (eyes, ear) = (places(heads.eye_slots()), places(heads.ear_slots()));
        let eye = middle(&eyes);
        let nodes = head.slots.iter().zip(head.net.slot_kinds());
        let nodes = nodes.filter(|(_, kind)| **kind == SlotKind::Place);
        let top = nodes.fold(f64::MIN, |top, (slot, _)| top.max(slot.y));
        Some(Marks {
            eye,
            ear: middle(&ear),
            ear_low: ear.iter().copied().fold(DVec3::MAX, DVec3::min),
            ear_high: ear.iter().copied().fold(DVec3::MIN, DVec3::max),
            high_m: top - eye.y,
        })
    }

    /// A plane across the neck, higher at the nape than at the throat.
    fn across_neck(&self, share: f64) -> Option<Plane> {
        let middle = self.joint("neck")?.lerp(self.joint("skull")?, share);
        Some(Plane::across(middle, DVec3::new(0.0, NECK_TILT.cos(), NECK_TILT.sin())))
    }

    /// Length from brow to back and breadth, above the ears; breadth across the cheekbones, before them.
    fn skull(&self, marks: &Marks, found: &mut Vec<Reading>) {
        let above = |height: f64| move |place: DVec3| place.y > height;
        let level = |height: f64| Plane { point: DVec3::new(0.0, height, marks.ear.z), normal: DVec3::Y };
        let mut add = |measure, height: f64, ends: [Option<f64>; 2]| {
            let wide = ends[0].zip(ends[1]).map(|(one, other)| one + other);
            found.extend(wide.map(|wide| at_plane(measure, HowRead::Caliper, wide, &level(height))));
        };
        let far = |way: DVec3, is_in: &dyn Fn(DVec3) -> bool| self.skin.farthest(way, is_skull, is_in);
        let aside = |is_in: &dyn Fn(DVec3) -> bool| [DVec3::X, DVec3::NEG_X].map(|way| far(way, is_in));
        if self.wants(&[HeadLength]) {
            let (brow, back) = (marks.level(BROW), marks.level(BACK));
            let ends = [far(DVec3::Z, &above(brow)), far(DVec3::NEG_Z, &above(back))];
            add(HeadLength, brow, ends);
        }
        if self.wants(&[HeadBreadth]) {
            let height = marks.level(OVER_EARS);
            add(HeadBreadth, height, aside(&above(height)));
        }
        if self.wants(&[FaceBreadth]) {
            let front = marks.ear_high.z + BEFORE_EAR * marks.high_m;
            let plane = Plane { point: DVec3::new(0.0, marks.level(CHEEKS), front), normal: DVec3::Y };
            let cut = self.skin.cut(&plane, is_skull);
            let wide = extent(cut.into_iter().filter(|place| place.z > front), DVec3::X);
            found.extend(wide.map(|wide| at_plane(FaceBreadth, HowRead::Caliper, wide, &plane)));
        }
    }

    /// From the chin to the hollow above the nose, in the middle plane.
    fn face(&self, marks: &Marks) -> Option<f64> {
        let edges = self.skin.body.patches.iter().filter(|patch| is_head(patch)).flat_map(edges_of);
        let middle = edges.filter(|edge| edge.iter().all(|point| point.x.abs() < MIDDLE_M));
        let places = middle
            .flat_map(|edge| (0..=PROFILE_STEPS).map(move |k| along(&edge, k as f64 / PROFILE_STEPS as f64)));
        let profile: Vec<DVec3> = places.filter(|place| place.z > marks.ear_low.z).collect();
        let below_brow = profile.iter().filter(|place| place.y < marks.eye.y);
        let nose = below_brow.max_by(|a, b| a.z.total_cmp(&b.z))?;
        let reach = NOSE * marks.high_m;
        let bridge = profile.iter().filter(|place| (0.0..reach).contains(&(place.y - nose.y)));
        let root = bridge.min_by(|a, b| a.z.total_cmp(&b.z))?;
        let front = marks.ear.z + FRONT * (nose.z - marks.ear.z);
        let below = profile.iter().filter(|place| place.y < nose.y && place.z > front);
        let low = |place: &DVec3| CHIN_DEPTH * place.z - place.y;
        let chin = below.max_by(|a, b| low(a).total_cmp(&low(b)))?;
        Some(root.distance(*chin))
    }
}
