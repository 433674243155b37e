//! Joints of a target, by the template's names or MakeHuman's.

use super::FitError;
use super::positions::read_positions;
use crate::design::{ByName, Sided, given};
use crate::template::{Flank, Template};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Positions of a target's joints, by the template's names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetJoints {
    /// Positions in the target's rest pose, model space, m. The value of a pair is the left one's.
    pub joints: ByName<DVec3>,
}

/// A key that distinguishes MakeHuman's joints from the template's.
const MAKEHUMAN_KEY: &str = "l-upper-leg";

/// Each joint of the human as a share of the way from one MakeHuman joint to another. Its spine has more and different joints, so the
/// trunk's joints lie between them at the shares of the template's own figure.
#[rustfmt::skip]
const FROM_MAKEHUMAN: [(&str, &str, &str, f64); 36] = [
    ("pelvis", "l-upper-leg", "spine-4", 0.45), ("waist", "spine-4", "spine-3", 0.5), ("chest", "spine-2", "spine-1", 0.55),
    ("neck", "neck", "spine-1", 0.13), ("skull", "neck", "head", 0.5), ("crown", "head-2", "head-2", 0.0),
    ("clavicle", "l-clavicle", "l-clavicle", 0.0), ("shoulder", "l-shoulder", "l-shoulder", 0.0),
    ("elbow", "l-elbow", "l-elbow", 0.0), ("wrist", "l-hand", "l-hand", 0.0),
    ("knuckle", "l-finger-3-1", "l-finger-4-1", 0.5),
    ("thumb_1", "l-finger-1-1", "l-finger-1-1", 0.0), ("thumb_2", "l-finger-1-2", "l-finger-1-2", 0.0),
    ("thumb_3", "l-finger-1-3", "l-finger-1-3", 0.0), ("thumb_tip", "l-finger-1-4", "l-finger-1-4", 0.0),
    ("index_1", "l-finger-2-1", "l-finger-2-1", 0.0), ("index_2", "l-finger-2-2", "l-finger-2-2", 0.0),
    ("index_3", "l-finger-2-3", "l-finger-2-3", 0.0), ("index_tip", "l-finger-2-4", "l-finger-2-4", 0.0),
    ("middle_1", "l-finger-3-1", "l-finger-3-1", 0.0), ("middle_2", "l-finger-3-2", "l-finger-3-2", 0.0),
    ("middle_3", "l-finger-3-3", "l-finger-3-3", 0.0), ("middle_tip", "l-finger-3-4", "l-finger-3-4", 0.0),
    ("ring_1", "l-finger-4-1", "l-finger-4-1", 0.0), ("ring_2", "l-finger-4-2", "l-finger-4-2", 0.0),
    ("ring_3", "l-finger-4-3", "l-finger-4-3", 0.0), ("ring_tip", "l-finger-4-4", "l-finger-4-4", 0.0),
    ("little_1", "l-finger-5-1", "l-finger-5-1", 0.0), ("little_2", "l-finger-5-2", "l-finger-5-2", 0.0),
    ("little_3", "l-finger-5-3", "l-finger-5-3", 0.0), ("little_tip", "l-finger-5-4", "l-finger-5-4", 0.0),
    ("hip", "l-upper-leg", "l-upper-leg", 0.0), ("knee", "l-knee", "l-knee", 0.0), ("ankle", "l-ankle", "l-ankle", 0.0),
    ("ball", "l-foot-1", "l-foot-1", 0.0), ("toe", "l-foot-2", "l-foot-2", 0.0),
];

impl TargetJoints {
    /// Reads a JSON object of positions `[x, y, z]` by name. Names are the template's (for pairs the left one's, or `name.left` and
    /// `name.right`), or all MakeHuman's.
    ///
    /// # Errors
    /// If the text is not such an object or MakeHuman's joints are incomplete; the error names the key.
    pub fn from_json(text: &str) -> Result<Self, FitError> {
        let found = read_positions(text)?;
        if found.contains_key(MAKEHUMAN_KEY) { from_makehuman(&found) } else { Ok(by_own_names(&found)) }
    }

    /// Checks that every joint of the template is given.
    ///
    /// # Errors
    /// Names the first joint that is missing or not finite.
    pub(super) fn check(&self, template: &Template) -> Result<(), FitError> {
        let layout = &template.layout;
        for joint in &layout.joints {
            let name = &template.text().joints[joint.text].name;
            if !given(&self.joints, name, joint.flank).is_some_and(|at| at.is_finite()) {
                return Err(FitError::MissingJoint { joint: format!("{name}{}", joint.flank.suffix()) });
            }
        }
        Ok(())
    }
}

fn by_own_names(found: &BTreeMap<String, DVec3>) -> TargetJoints {
    let mut joints = ByName::new();
    for (key, &at) in found {
        if let Some(name) = key.strip_suffix(".left").or(key.strip_suffix(".right")) {
            let side = |flank: Flank| {
                let at = found.get(&format!("{name}{}", flank.suffix()))?;
                Some(flank.place(*at))
            };
            joints
                .insert(name.to_owned(), Sided::Each { left: side(Flank::Left), right: side(Flank::Right) });
        } else {
            joints.insert(key.clone(), Sided::Both(at));
        }
    }
    TargetJoints { joints }
}

fn from_makehuman(found: &BTreeMap<String, DVec3>) -> Result<TargetJoints, FitError> {
    let at = |key: &str| found.get(key).copied().ok_or_else(|| FitError::JointKey { key: key.to_owned() });
    let mut joints = ByName::new();
    for (name, from, to, share) in FROM_MAKEHUMAN {
        let place = at(from)?.lerp(at(to)?, share);
        let is_in_middle = ["pelvis", "waist", "chest", "neck", "skull", "crown"].contains(&name);
        joints.insert(name.to_owned(), Sided::Both(if is_in_middle { place.with_x(0.0) } else { place }));
    }
    Ok(TargetJoints { joints })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_key() {
        let read = TargetJoints::from_json;
        assert!(matches!(read("[1, 2]"), Err(FitError::JointsText { .. })));
        let Err(FitError::JointValue { key, .. }) = read("{\"elbow\": [1, 2]}") else { panic!("was taken") };
        assert_eq!(key, "elbow");
        let Err(FitError::JointKey { key }) = read("{\"l-upper-leg\": [0.1, 0.9, 0]}") else {
            panic!("was taken")
        };
        assert_eq!(key, "spine-4");
    }

    #[test]
    fn own_names_may_have_sides() {
        let joints = TargetJoints::from_json(
            "{\"knee.left\": [0.1, 0.5, 0], \"knee.right\": [-0.2, 0.5, 0], \"neck\": [0, 1.5, 0]}",
        )
        .unwrap();
        assert_eq!(joints.joints["knee"].on(Flank::Right), Some(&DVec3::new(0.2, 0.5, 0.0)));
        assert_eq!(
            joints.check(&Template::human()),
            Err(FitError::MissingJoint { joint: "pelvis".to_owned() })
        );
    }
}
