//! Measures between bony landmarks that a skin does not show: read at joints.
//!
//! Each factor is the survey's mean of men divided by the same length of the average man's figure, as shapes make him.

use super::{HowRead, Reading, Tailor, plain};
use crate::survey::Measure::{self, *};

/// Heights in proportion to a joint's, by the factor to use.
const HEIGHTS: [(Measure, &str, f64); 5] = [
    (SuprasternaleHeight, "clavicle", 1.4386 / 1.4348),
    (TrochanterionHeight, "hip", 0.9009 / 0.9291),
    (KneecapHeight, "knee", 0.4884 / 0.5136),
    (KneeHeight, "knee", 0.4917 / 0.5136),
    (MalleolusHeight, "ankle", 0.0729 / 0.0726),
];
/// Heights between two joints', by the share of the way.
const BETWEEN: [(Measure, [&str; 2], f64); 4] = [
    (WaistHeight, ["waist", "chest"], 0.0),
    (IliocristaleHeight, ["waist", "chest"], 0.0286),
    (TenthRibHeight, ["waist", "chest"], 0.3597),
    (CervicaleHeight, ["neck", "skull"], 0.5256),
];
/// Lengths along chains of joints, by the factor to use.
const CHAINS: [(Measure, &[&str], f64); 4] = [
    (UpperArmLength, &["shoulder", "elbow"], 0.3352 / 0.2560),
    (ForearmLength, &["elbow", "wrist"], 0.2679 / 0.2715),
    (HandLength, &["wrist", "middle_1", "middle_2", "middle_3", "middle_tip"], 0.1933 / 0.2121),
    (PalmLength, &["wrist", "middle_1"], 0.1165 / 0.1142),
];
/// Breadth between the tips of the shoulders over that between the shoulder joints.
const SHOULDERS: f64 = 0.4157 / 0.3818;
/// Span over the sum of its joints' distances from the middle plane with arms stretched out.
const SPAN: f64 = 1.8142 / (2.0 * 0.9305);
/// Crown above the seat over crown above the crotch.
const SEAT: f64 = 0.9183 / 0.9316;

impl Tailor<'_> {
    pub(super) fn joint_measures(&self, found: &mut Vec<Reading>) {
        let mut add = |measure, value: Option<f64>| {
            found.extend(value.map(|value| plain(measure, HowRead::Joints, value)));
        };
        let height = |name: &str| Some(self.joint(name)?.y - self.ground);
        for (measure, joint, factor) in HEIGHTS {
            add(measure, height(joint).map(|height| factor * height));
        }
        for (measure, [from, to], share) in BETWEEN {
            let ends = height(from).zip(height(to));
            add(measure, ends.map(|(from, to)| from + share * (to - from)));
        }
        for (measure, chain, factor) in CHAINS {
            add(measure, self.chain(chain).map(|long| factor * long));
        }
        let out = self.joint("shoulder").map(|shoulder| shoulder.x);
        add(BiacromialBreadth, out.map(|out| 2.0 * SHOULDERS * out));
        let arm = self.chain(CHAINS[0].1).zip(self.chain(CHAINS[1].1)).zip(self.chain(CHAINS[2].1));
        add(Span, out.zip(arm).map(|(out, ((upper, fore), hand))| 2.0 * SPAN * (out + upper + fore + hand)));
        let crown = self.skin.body.stature();
        add(SittingHeight, self.crotch().map(|crotch| SEAT * (crown - crotch)));
        if !self.wants(&[AcromialHeight]) {
            return;
        }
        let above = self.joint("shoulder").and_then(|shoulder| self.skin.above(shoulder));
        found.extend(above.map(|skin| plain(AcromialHeight, HowRead::Height, skin - self.ground)));
    }

    /// Length of a chain of joints, m.
    fn chain(&self, names: &[&str]) -> Option<f64> {
        let places = names.iter().map(|name| self.joint(name)).collect::<Option<Vec<_>>>()?;
        Some(places.windows(2).map(|pair| pair[0].distance(pair[1])).sum())
    }
}
