//! Reads a person's measures from a body.
//!
//! Tapes and scale are read on the surface. Lengths of limbs are in proportion to those of the plain template, which is the survey's
//! average man by construction. Breadths and depths are not read, because the survey took them between bones and on pressed flesh: they
//! are those of people with these girths.

use super::base::joint_of;
use super::readings::{BODY_DENSITY, calf_height, limb_tape, ring_girth, trunk_tape};
use super::sizes::MEASURED_RINGS;
use crate::body::Body;
use crate::survey::Measure::{self, *};
use crate::survey::{Completed, Population, Sex};
use crate::template::Flank;
use glam::DVec3;

/// Search range of a level of the trunk around its usual height, as a share of the stature: 7 cm.
const LEVEL_REACH: f64 = 0.04;

/// Reads a body. `listed`: the body of the template without a design.
pub(super) fn shown_person(body: &Body, listed: &Body, sex: Sex) -> Completed {
    let population = Population::of(sex);
    let (stature, mass) = (body.stature(), BODY_DENSITY * body.volume());
    let first = [(Stature, stature), (Weight, mass)];
    let usual = population.observe(&first, &[]);
    let reader = Reader { body, listed, usual: &usual, average_man: Population::of(Sex::Male), stature };
    let levels = reader.levels();
    let leading: Vec<(Measure, f64)> = first.into_iter().chain(reader.trunk(&levels)).collect();
    let mut others = levels.to_vec();
    reader.add_limbs(&mut others);
    population.observe(&leading, &others)
}

struct Reader<'a> {
    body: &'a Body,
    listed: &'a Body,
    /// Measures of people of this stature and weight.
    usual: &'a Completed,
    average_man: &'static Population,
    stature: f64,
}

impl Reader<'_> {
    /// Heights of the tapes around the trunk: where chest and buttocks protrude most, and the usual height of the navel, which no design has.
    fn levels(&self) -> [(Measure, f64); 3] {
        [
            (ChestHeight, self.level(ChestHeight, DVec3::Z)),
            (WaistHeight, self.usual.value(WaistHeight)),
            (ButtockHeight, self.level(ButtockHeight, DVec3::NEG_Z)),
        ]
    }

    /// The height near a measure's usual height where the trunk reaches farthest in a direction.
    fn level(&self, measure: Measure, way: DVec3) -> f64 {
        let usual = self.usual.value(measure);
        let trunk = self.body.patches.iter().filter(|patch| patch.group == "torso");
        let places = trunk.flat_map(|patch| {
            (0..49).map(|k| patch.patch.position(f64::from(k % 7) / 6.0, f64::from(k / 7) / 6.0))
        });
        let near = places.filter(|place| (place.y - usual).abs() < LEVEL_REACH * self.stature);
        near.max_by(|a, b| a.dot(way).total_cmp(&b.dot(way))).map_or(usual, |place| place.y)
    }

    /// Girths of trunk, neck and head, at the levels found.
    fn trunk(&self, levels: &[(Measure, f64); 3]) -> Vec<(Measure, f64)> {
        let tapes = [ChestGirth, WaistGirth, ButtockGirth].into_iter().zip(levels);
        let mut found: Vec<(Measure, f64)> =
            tapes.map(|(girth, &(_, height))| (girth, trunk_tape(self.body, girth, height))).collect();
        found.extend(ring_girth(self.body, "head").map(|girth| (HeadGirth, girth)));
        found.extend(self.like(HandLength, |body| span(body, "wrist", "middle_tip")));
        found
    }

    fn add_limbs(&self, found: &mut Vec<(Measure, f64)>) {
        let rings = MEASURED_RINGS.iter().filter(|(_, measure)| *measure != HeadGirth);
        found.extend(rings.filter_map(|&(ring, measure)| Some((measure, ring_girth(self.body, ring)?))));
        for (measure, ring) in [
            (BicepsGirth, "upper_arm"),
            (ForearmGirth, "forearm"),
            (LowerThighGirth, "knee"),
            (BallGirth, "ball"),
            (FootBreadth, "ball"),
            (HandGirth, "index_root"),
        ] {
            found.extend(self.like(measure, |body| ring_girth(body, ring)));
        }
        for (measure, from, to) in [
            (UpperArmLength, "shoulder", "elbow"),
            (ForearmLength, "elbow", "wrist"),
            (PalmLength, "wrist", "middle_1"),
            (HandBreadth, "index_1", "little_1"),
            (FootLength, "ankle", "toe"),
        ] {
            found.extend(self.like(measure, |body| span(body, from, to)));
        }
        for (measure, joint) in [
            (KneeHeight, "knee"),
            (MalleolusHeight, "ankle"),
            (AcromialHeight, "shoulder"),
            (TrochanterionHeight, "hip"),
        ] {
            found.extend(self.like(measure, |body| Some(joint_of(body, joint)?.y)));
        }
        found.extend(self.like(BiacromialBreadth, |body| Some(joint_of(body, "shoulder")?.x)));
        found.extend(self.like(CrotchHeight, |body| {
            Some(body.nodes.iter().find(|node| node.name == "crotch")?.position.y)
        }));
        self.add_leg_tapes(found);
    }

    fn add_leg_tapes(&self, found: &mut Vec<(Measure, f64)>) {
        let crotch = found.iter().find(|(measure, _)| *measure == CrotchHeight).map(|&(_, height)| height);
        let thigh = crotch.map(crate::survey::body_measures::thigh_tape_height);
        for (measure, height) in [(ThighGirth, thigh), (CalfGirth, Some(calf_height(self.body)))] {
            let girth = height.map(|height| limb_tape(self.body, height, Flank::Left));
            found.extend(girth.filter(|&girth| girth > 0.0).map(|girth| (measure, girth)));
        }
    }

    /// A length on the body divided by the same on the average man's, times his measure.
    fn like(&self, measure: Measure, length: impl Fn(&Body) -> Option<f64>) -> Option<(Measure, f64)> {
        let (found, listed) = (length(self.body)?, length(self.listed)?);
        Some((measure, self.average_man.mean(measure) * found / listed))
    }
}

fn span(body: &Body, from: &str, to: &str) -> Option<f64> {
    Some(joint_of(body, from)?.distance(joint_of(body, to)?))
}
