//! The stick figure of a person.

use super::Base;
use super::sizes::Sizes;
use crate::design::Sided;
use crate::survey::BodyMeasures;
use crate::template::{Flank, Template};
use glam::DVec3;
use std::collections::BTreeMap;

/// Positions of all joints, by name, as on the left.
///
/// Those that measures say something about are moved by what they say; the hand's are scaled from the wrist; others stay where the
/// scale puts them.
pub(super) fn joints(
    template: &Template,
    base: &Base,
    measures: &BodyMeasures,
    sizes: &Sizes<'_>,
) -> BTreeMap<String, Sided<DVec3>> {
    let listed =
        |name: &str| base.body.joints.iter().find(|joint| joint.name == name && joint.flank != Flank::Right);
    let wrist = listed("wrist").map_or(DVec3::ZERO, |joint| joint.position);
    let mut placed = BTreeMap::new();
    for text in &template.text().joints {
        let Some(joint) = listed(&text.name) else { continue };
        let position = match (moved(&text.name, &base.measures), moved(&text.name, measures)) {
            (Some(before), Some(after)) => joint.position + after - before,
            _ => {
                measures.joints.wrist - base.measures.joints.wrist
                    + wrist
                    + sizes.in_hand(joint.position - wrist)
            }
        };
        let position =
            if text.name == "crown" { position + sizes.knobs.crown_m * DVec3::Y } else { position };
        placed.insert(text.name.clone(), Sided::Both(position));
    }
    placed
}

/// The joint in a person's measures; none for those of the hand.
fn moved(name: &str, measures: &BodyMeasures) -> Option<DVec3> {
    let joints = &measures.joints;
    Some(match name {
        "pelvis" => joints.pelvis,
        "waist" => joints.waist,
        "chest" => joints.chest,
        "neck" => joints.neck_base,
        "skull" => joints.skull_base,
        "crown" => joints.crown,
        "clavicle" => joints.clavicle,
        "shoulder" => joints.shoulder,
        "elbow" => joints.elbow,
        "wrist" => joints.wrist,
        "hip" => joints.hip,
        "knee" => joints.knee,
        "ankle" => joints.ankle,
        "ball" => joints.ball,
        "toe" => joints.toe_tip,
        _ => return None,
    })
}
