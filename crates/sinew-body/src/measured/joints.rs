//! The stick figure of a person.

use super::Base;
use super::knobs::Knob;
use super::sizes::Sizes;
use crate::design::{ByName, Sided};
use crate::survey::BodyMeasures;
use crate::survey::Measure::*;
use crate::template::Template;
use glam::DVec3;

/// Positions of all joints, by name, for the left side.
///
/// Joints of trunk and legs move sideways and forward by the measures, and up by one map of heights. Arms keep the base's directions and
/// get the measured lengths, because the rest pose of a base's arms may differ; the hand's joints scale from the wrist, the foot's from
/// the ankle.
pub(super) fn joints(
    template: &Template,
    base: &Base,
    measures: &BodyMeasures,
    sizes: &Sizes<'_>,
    heights: &Heights,
) -> ByName<DVec3> {
    let shifted = |name: &str| {
        let joint = base.joint(name);
        (joint + moved(name, measures) - moved(name, &base.measures)).with_y(heights.of(joint.y))
    };
    let stretched = |from: &str, to: &str, factor: f64| factor * (base.joint(to) - base.joint(from));
    let elbow = shifted("shoulder") + stretched("shoulder", "elbow", sizes.ratio(UpperArmLength));
    let wrist = elbow + stretched("elbow", "wrist", sizes.ratio(ForearmLength));
    let foot = |name: &str| {
        let along = shifted("ankle") + stretched("ankle", name, sizes.ratio(FootLength));
        along.with_y(shifted(name).y)
    };
    let mut placed = ByName::new();
    for text in &template.text().joints {
        let name = text.name.as_str();
        let position = match name {
            "elbow" => elbow,
            "wrist" => wrist,
            "ball" | "toe" => foot(name),
            "crown" => shifted("skull") + stretched("skull", "crown", sizes.head()),
            "pelvis" | "waist" | "chest" | "neck" | "skull" | "clavicle" | "shoulder" | "hip" | "knee"
            | "ankle" => shifted(name),
            _ => wrist + sizes.in_hand(&base.model_from_hand, base.joint(name) - base.joint("wrist")),
        };
        placed.insert(text.name.clone(), Sided::Both(position));
    }
    placed
}

/// The joint in a person's measures; zero for ball and toe, where only the height counts, and for joints that move otherwise.
fn moved(name: &str, measures: &BodyMeasures) -> DVec3 {
    let joints = &measures.joints;
    match name {
        "pelvis" => joints.pelvis,
        "waist" => joints.waist,
        "chest" => joints.chest,
        "neck" => joints.neck_base,
        "skull" => joints.skull_base,
        "clavicle" => joints.clavicle,
        "shoulder" => joints.shoulder,
        "hip" => joints.hip,
        "knee" => joints.knee,
        "ankle" => joints.ankle,
        _ => DVec3::ZERO,
    }
}

/// A map of heights, linear between those measured on both. One map for all joints: they keep their order, and close ones move
/// together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heights {
    /// Height in the base and on the person, m, both ascending.
    anchors: Vec<[f64; 2]>,
}

impl Heights {
    /// `skull_m`: height of the joint below the head in the base, m.
    pub(super) fn new(sizes: &Sizes<'_>, skull_m: f64) -> Self {
        let mut anchors = vec![[0.0; 2]];
        let measured = [MalleolusHeight, KneeHeight, CrotchHeight, ChestHeight, AcromialHeight]
            .map(|measure| [sizes.base.value(measure), sizes.person.value(measure)]);
        // The head is scaled as a whole: the neck takes the rest of the stature.
        let stature = [sizes.base.value(Stature), sizes.person.value(Stature) + sizes.knobs[Knob::Crown]];
        let skull = [skull_m, stature[1] - sizes.head() * (stature[0] - skull_m)];
        for next in measured.into_iter().chain([skull, stature]) {
            let [before, after] = anchors[anchors.len() - 1];
            // Skip a level that an unusual design has out of order.
            if next[0] > before && next[1] > after {
                anchors.push(next);
            }
        }
        Self { anchors }
    }

    /// The person's height for a height of the base, m.
    pub(super) fn of(&self, height_m: f64) -> f64 {
        let last = self.anchors.len() - 1;
        let above =
            self.anchors.iter().position(|anchor| anchor[0] >= height_m).unwrap_or(last).max(1).min(last);
        let ([low, person_low], [high, person_high]) = match last {
            0 => ([0.0, 0.0], [1.0, 1.0]),
            _ => (self.anchors[above - 1], self.anchors[above]),
        };
        person_low + (height_m - low) / (high - low) * (person_high - person_low)
    }
}
