//! From a VPD file to a pose of a character.

use super::Vpd;
use crate::names::{MissingNames, NameKey, NamedParts};
use crate::rest_axes::RestAxes;
use crate::space::{point_from_mmd, unit_turn};
use sinew_geometry::Trs;
use sinew_io::Report;
use sinew_rig::{BoneId, Character, MeshId, Pose};
use std::collections::{BTreeMap, HashSet};

/// By whole names, and by their first bytes.
type Parts<'a> = (&'a NamedParts<&'a str>, &'a NamedParts<NameKey>);

impl Vpd {
    /// Applies this pose to `pose`: translations and rotations relative to the current ones (usually the rest pose), along the model's
    /// axes as in MMD, and morph weights. Names are compared in full, then by their first 15 bytes, as in MMD. Unknown names are reported.
    ///
    /// # Panics
    /// If the pose does not belong to this character.
    pub fn apply(&self, character: &Character, pose: &mut Pose, report: &mut Report) {
        let parts = (&NamedParts::of(character, |name| name), &NamedParts::of(character, NameKey::of_text));
        for (bone, change) in self.changes(character, parts, report) {
            pose.change(bone, &change);
        }
        for ((mesh, morph), weight) in self.weights(parts, report) {
            pose.set_morph(character, mesh, morph, weight);
        }
    }

    /// One change per bone: the last.
    fn changes(
        &self,
        character: &Character,
        (whole, cut): Parts<'_>,
        report: &mut Report,
    ) -> BTreeMap<BoneId, Trs> {
        let axes = RestAxes::of(character);
        let mut missing = MissingNames::new("bones");
        let mut seen = HashSet::new();
        let mut changes = BTreeMap::new();
        for bone in &self.bones {
            match whole.bone(&bone.name).or_else(|| cut.bone(NameKey::of_text(&bone.name))) {
                Some(id) => {
                    let (shift, turn) = (point_from_mmd(bone.shift), unit_turn(bone.rotation));
                    changes.insert(id, axes[id.index()].change(shift, turn));
                }
                None if seen.insert(&bone.name) => missing.add(|| bone.name.clone()),
                None => {}
            }
        }
        missing.report(report);
        changes
    }

    /// One weight per morph: the last.
    fn weights(&self, (whole, cut): Parts<'_>, report: &mut Report) -> BTreeMap<(MeshId, usize), f32> {
        let mut missing = MissingNames::new("morphs");
        let mut seen = HashSet::new();
        let mut weights = BTreeMap::new();
        for morph in &self.morphs {
            let found = match whole.morphs(&morph.name) {
                [] => cut.morphs(NameKey::of_text(&morph.name)),
                found => found,
            };
            if found.is_empty() && seen.insert(&morph.name) {
                missing.add(|| morph.name.clone());
            }
            weights.extend(found.iter().map(|&place| (place, morph.weight)));
        }
        missing.report(report);
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{LONG_NAME, character};
    use crate::vpd::{VpdBone, VpdMorph};
    use glam::{Affine3A, Quat, Vec3};
    use sinew_rig::InstanceId;

    /// Rounding of single precision at lengths of about 1.
    const ROUNDING: f32 = 1e-6;

    fn bone(name: &str, shift: [f32; 3], rotation: [f32; 4]) -> VpdBone {
        VpdBone { name: name.into(), shift, rotation }
    }

    #[test]
    fn bones_are_shifted_and_turned_from_rest_and_the_last_wins() {
        let cut = "左足捩補助骨先";
        let vpd = Vpd::new(
            "",
            vec![
                bone("左足", [9.0; 3], [1.0, 0.0, 0.0, 0.0]),
                bone("首", [0.0; 3], [0.0; 4]),
                bone("首", [0.0; 3], [0.0; 4]),
                bone("左足", [0.0, 1.0, 2.0], [0.0, 0.6, 0.0, 0.8]),
                bone(LONG_NAME, [1.0, 0.0, 0.0], [0.0; 4]),
                bone(cut, [5.0; 3], [0.0; 4]),
            ],
            ["あ", "い", "まばたき"].map(|name| VpdMorph { name: name.into(), weight: 0.5 }).into(),
        );
        let (character, mut report) = (character(), Report::default());
        let mut pose = Pose::rest(&character);
        vpd.apply(&character, &mut pose, &mut report);
        let turned = Quat::from_xyzw(0.0, -0.6, 0.0, 0.8);
        let leg = Affine3A::from_rotation_translation(turned, Vec3::new(0.08, 0.08, -0.16));
        assert!(pose.parent_from_bone()[1].abs_diff_eq(leg, ROUNDING), "{:?}", pose.parent_from_bone()[1]);
        let tip = Affine3A::from_translation(Vec3::new(0.08, -0.3, 0.0));
        assert!(pose.parent_from_bone()[3].abs_diff_eq(tip, ROUNDING), "{:?}", pose.parent_from_bone()[3]);
        assert_eq!(pose.morph_weights(InstanceId(0)), [0.5, 0.5, 0.0]);
        let told: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "2 bones do not exist in the character and are left out: 首, 左足捩補助骨先",
                "1 morphs do not exist in the character and are left out: い",
            ]
        );
    }
}
