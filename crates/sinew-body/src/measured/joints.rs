//! The stick figure of a person.

use super::Base;
use super::heights::Heights;
use super::sizes::Sizes;
use crate::design::Sided;
use crate::survey::BodyMeasures;
use crate::survey::Measure::*;
use crate::template::Template;
use glam::DVec3;
use std::collections::BTreeMap;

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
) -> BTreeMap<String, Sided<DVec3>> {
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
    let mut placed = BTreeMap::new();
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
