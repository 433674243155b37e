//! How much larger than in the base each part is.

use super::knobs::Knobs;
use crate::survey::Completed;
use crate::survey::Measure::{self, *};
use glam::{DVec2, DVec3};

/// A person beside the one that the base shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes<'a> {
    pub(super) person: &'a Completed,
    pub(super) base: &'a Completed,
    pub(super) knobs: Knobs,
}

/// Rings that were measured: their girth is the measure's, whatever the rest does. The larynx, where the neck is measured, lies just
/// under the ring of the throat.
pub(super) const MEASURED_RINGS: [(&str, Measure); 6] = [
    ("neck_base", NeckBaseGirth),
    ("throat", NeckGirth),
    ("head", HeadGirth),
    ("waist", WaistGirth),
    ("wrist", WristGirth),
    ("ankle", AnkleGirth),
];

/// Joints where bone lies under the skin: they are half as soft.
const BONY_RINGS: [&str; 2] = ["elbow", "knee"];

impl Sizes<'_> {
    /// The person's measure over the base's.
    pub(super) fn ratio(&self, measure: Measure) -> f64 {
        self.person.value(measure) / self.base.value(measure)
    }

    fn pair(&self, breadth: Measure, depth: Measure) -> DVec2 {
        DVec2::new(self.ratio(breadth), self.ratio(depth))
    }

    fn soft_unless_asked(&self, measure: Measure) -> f64 {
        if self.person.estimate(measure).is_given { 1.0 } else { 1.0 + self.knobs.soft }
    }

    /// The girth to build a measured ring with, by its place in [`MEASURED_RINGS`], metres.
    pub(super) fn measured_girth(&self, place: usize) -> f64 {
        self.person.value(MEASURED_RINGS[place].1) * (1.0 + self.knobs.rings[place])
    }

    /// Factors on breadth and depth of what follows a bone, at a height of the base, metres.
    pub(super) fn of_bone(&self, bone: &str, height_m: f64) -> DVec2 {
        let round = |measure| DVec2::splat(self.ratio(measure) * self.soft_unless_asked(measure));
        match bone {
            "head" => self.pair(HeadBreadth, HeadLength),
            "neck" => DVec2::splat(self.ratio(NeckGirth)),
            "pelvis" | "abdomen" | "chest" | "clavicle" => self.trunk_at(height_m),
            "upper_arm" => round(BicepsGirth),
            "forearm" => round(ForearmGirth),
            "thigh" => round(ThighGirth) * (1.0 + self.knobs.thigh),
            "shank" => round(CalfGirth) * (1.0 + self.knobs.calf),
            "foot" | "toes" => self.pair(FootBreadth, BallGirth),
            // The hand and its fingers.
            _ => DVec2::splat(self.ratio(HandGirth)),
        }
    }

    /// Factors on a ring.
    pub(super) fn of_ring(&self, ring: &str, bone: &str, height_m: f64) -> DVec2 {
        let whole = self.of_bone(bone, height_m);
        if ring == "thigh_root" {
            // Where the leg leaves the trunk it is the hips' size that counts.
            return whole * (1.0 + self.knobs.hips);
        }
        if BONY_RINGS.contains(&ring) {
            return whole / (1.0 + self.knobs.soft).sqrt();
        }
        whole
    }

    /// The trunk at a height of the base: as measured at chest, waist and hips, in proportion between, and softer between than there.
    fn trunk_at(&self, height_m: f64) -> DVec2 {
        let levels = [
            (ButtockHeight, self.pair(HipBreadth, ButtockDepth) * (1.0 + self.knobs.hips)),
            (WaistHeight, self.pair(WaistBreadth, WaistDepth)),
            (ChestHeight, self.pair(ChestBreadth, ChestDepth) * (1.0 + self.knobs.chest)),
        ];
        let height = |level: usize| self.base.value(levels[level].0);
        if height_m <= height(0) {
            return levels[0].1;
        }
        if height_m >= height(2) {
            return levels[2].1;
        }
        let below = usize::from(height_m > height(1));
        let way = (height_m - height(below)) / (height(below + 1) - height(below));
        let softness = 1.0 + self.knobs.soft * 4.0 * way * (1.0 - way);
        levels[below].1.lerp(levels[below + 1].1, way) * softness
    }

    /// The hand's own map of a vector from the wrist: along it, out of its back, and across.
    pub(super) fn in_hand(&self, from_wrist: DVec3) -> DVec3 {
        let model_from_hand = crate::survey::body_measures::Hand::model_from_hand();
        let factors = DVec3::new(self.ratio(HandLength), self.ratio(HandGirth), self.ratio(HandBreadth));
        model_from_hand * (factors * (model_from_hand.transpose() * from_wrist))
    }
}
