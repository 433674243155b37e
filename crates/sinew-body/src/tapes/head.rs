//! Measures of head and neck.

use super::skin::extent;
use super::trunk::{MIDDLE_M, along, edges_of};
use super::{HowRead, Plane, Reading, Tailor, at_plane, plain};
use crate::body::BodyPatch;
use crate::survey::Measure::*;
use glam::DVec3;

/// Places along each edge of the face's profile.
const PROFILE_STEPS: usize = 32;
/// Tapes tried between temples and crown: the survey took the largest girth above the brows.
const HEAD_TAPES: usize = 5;
/// Where neck and trunk meet: a share of the way from neck to skull, and how far the tape's plane is tilted forward, rad.
const COLLAR_SHARE: f64 = 0.36;
const COLLAR_TILT: f64 = 0.4;
/// The nose's root is sought this far above its tip, as a share of the head's height above its joint.
const NOSE_SHARE: f64 = 0.28;

fn is_head(patch: &BodyPatch) -> bool {
    patch.group == "head"
}

impl Tailor<'_> {
    pub(super) fn head(&self, found: &mut Vec<Reading>) {
        let is_neck = |patch: &BodyPatch| patch.group == "head" || patch.group == "neck";
        found.extend(self.ring("throat").and_then(|plane| self.tape(NeckGirth, plane, is_neck)));
        if self.wants(&[HeadGirth])
            && let [Some(temples), Some(head), Some(skull)] =
                ["temples", "head", "skull"].map(|name| self.ring(name))
        {
            let place = |k: usize| temples.point.lerp(skull.point, k as f64 / (HEAD_TAPES - 1) as f64);
            let planes = (0..HEAD_TAPES).map(|k| Plane { point: place(k), normal: head.normal });
            found.extend(self.thickest(HeadGirth, planes, is_head));
        }
        let is_collar = |patch: &BodyPatch| is_neck(patch) || patch.group == "torso";
        found.extend(self.thinnest(NeckBaseGirth, self.collar().into_iter(), is_collar));
        if self.wants(&[HeadLength, HeadBreadth, FaceBreadth]) {
            self.skull(found);
        }
        if self.wants(&[FaceLength]) {
            found.extend(self.face().map(|long| plain(FaceLength, HowRead::Caliper, long)));
        }
    }

    /// The plane where neck and trunk meet, higher at the nape than at the breastbone.
    fn collar(&self) -> Option<Plane> {
        let middle = self.joint("neck")?.lerp(self.joint("skull")?, COLLAR_SHARE);
        Some(Plane::across(middle, DVec3::new(0.0, COLLAR_TILT.cos(), COLLAR_TILT.sin())))
    }

    /// Length from brow to back and breadth, above the ears; breadth across the cheekbones, before them.
    fn skull(&self, found: &mut Vec<Reading>) {
        let rings = ["brow", "temples", "cheeks"].map(|name| self.ring(name));
        let [Some(brow), Some(temples), Some(cheeks)] = rings else { return };
        let above = |height: f64| self.skin.points(is_head).filter(move |place| place.y > height);
        let long = extent(above(brow.point.y), DVec3::Z);
        let level = |point: DVec3| Plane { point, normal: DVec3::Y };
        found.extend(long.map(|long| at_plane(HeadLength, HowRead::Caliper, long, &level(brow.point))));
        let wide = extent(above(temples.point.y), DVec3::X);
        found.extend(wide.map(|wide| at_plane(HeadBreadth, HowRead::Caliper, wide, &level(temples.point))));
        let cut = self.skin.cut(&Plane::level(cheeks.point.y), is_head);
        let before_ears = cut.into_iter().filter(|place| place.z > cheeks.point.z + CHEEK_M);
        let wide = extent(before_ears, DVec3::X);
        found.extend(wide.map(|wide| at_plane(FaceBreadth, HowRead::Caliper, wide, &level(cheeks.point))));
    }

    /// From the chin to the hollow above the nose, in the middle plane.
    fn face(&self) -> Option<f64> {
        let [skull, crown] = [self.joint("skull")?, self.joint("crown")?];
        let edges = self.skin.body.patches.iter().filter(|patch| is_head(patch)).flat_map(edges_of);
        let middle = edges.filter(|edge| edge.iter().all(|point| point.x.abs() < MIDDLE_M));
        let places = middle
            .flat_map(|edge| (0..=PROFILE_STEPS).map(move |k| along(&edge, k as f64 / PROFILE_STEPS as f64)));
        let profile: Vec<DVec3> = places.filter(|place| place.z > skull.z).collect();
        let reach = NOSE_SHARE * (crown.y - skull.y);
        let below_brow = profile.iter().filter(|place| place.y < skull.y + 0.6 * (crown.y - skull.y));
        let nose = below_brow.max_by(|a, b| a.z.total_cmp(&b.z))?;
        let bridge = profile.iter().filter(|place| (0.0..reach).contains(&(place.y - nose.y)));
        let root = bridge.min_by(|a, b| a.z.total_cmp(&b.z))?;
        let below = profile.iter().filter(|place| place.y < nose.y);
        let chin = below.max_by(|a, b| (a.z - a.y).total_cmp(&(b.z - b.y)))?;
        Some(root.distance(*chin))
    }
}

/// Cheekbones lie at least this far before the middle of their ring; ears lie behind, m.
const CHEEK_M: f64 = 0.01;
