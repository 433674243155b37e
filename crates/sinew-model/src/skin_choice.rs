//! Which skinning a user asks for: the file's, a skin file's, single options.

use crate::SkinFile;
use sinew_rig::{Character, FindError};
use sinew_skin::{AuthoredProblem, JointRule, Method, MorphCenters, SkinSettings};

/// What a user says about skinning; later members go before earlier ones, and all before what the model's file says.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SkinChoice {
    /// A skin file.
    pub file: Option<SkinFile>,
    /// The method of the model: then the methods of the model's file do not count, neither its rules nor those of its vertices.
    pub method: Option<Method>,
    /// Rules for joints.
    pub joints: Vec<JointRule>,
    /// What becomes of the centers of vertices that morphs move.
    pub morph_centers: MorphCenters,
}

/// Every pattern that names no bone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct SkinChoiceErrors {
    /// At least one.
    pub errors: Vec<FindError>,
}

impl SkinChoice {
    /// The settings for a character, with what could not be followed in its file.
    ///
    /// # Errors
    /// Patterns that name no bone of it.
    pub fn settings(
        &self,
        character: &Character,
    ) -> Result<(SkinSettings, Vec<AuthoredProblem>), SkinChoiceErrors> {
        let (mut settings, problems) = SkinSettings::authored(character);
        let file = self.file.clone().unwrap_or_default();
        if let Some(method) = self.method.or(file.method) {
            settings.method = method;
            settings.joints.clear();
            settings.vertex_methods = None;
        }
        let mut own = SkinSettings { joints: file.joints, ranges: file.ranges, ..SkinSettings::default() };
        own.joints.extend(self.joints.iter().cloned());
        // `#12` means a bone by its index here as elsewhere.
        let patterns = own
            .joints
            .iter_mut()
            .map(|rule| &mut rule.pattern)
            .chain(own.ranges.iter_mut().map(|range| &mut range.pattern));
        for pattern in patterns.filter(|pattern| pattern.starts_with('#')) {
            if let Ok(bone) = character.skeleton().find(pattern) {
                *pattern = character.skeleton().bone(bone).name.clone();
            }
        }
        let errors = own.unknown_bones(character);
        if !errors.is_empty() {
            return Err(SkinChoiceErrors { errors });
        }
        settings.morph_centers = self.morph_centers;
        settings.joints.append(&mut own.joints);
        settings.ranges.append(&mut own.ranges);
        Ok((settings, problems))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{AuthoredJoint, AuthoredSkin, samples};

    #[test]
    fn a_method_replaces_those_of_the_file_and_rules_add_to_them() {
        let mut parts = samples::limb(8, 4).into_parts();
        parts.skin = AuthoredSkin {
            method: Some("dlb".into()),
            joints: vec![AuthoredJoint { pattern: "lower".into(), method: "sbs".into() }],
            ..AuthoredSkin::default()
        };
        let limb = Character::new(parts).expect("right");
        let of = |choice: SkinChoice| choice.settings(&limb).map(|(settings, _)| settings);
        let plain = of(SkinChoice::default()).expect("right");
        assert_eq!((plain.method, plain.method_of_joint("lower")), (Method::Dlb, Method::SBS));
        let method = of(SkinChoice { method: Some(Method::SDEF), ..SkinChoice::default() }).expect("right");
        assert_eq!((method.method_of_joint("lower"), method.vertex_methods), (Method::SDEF, None));
        let rule = |pattern: &str| JointRule { pattern: pattern.into(), method: Method::BEZIER };
        let with_rule = of(SkinChoice { joints: vec![rule("#1")], ..SkinChoice::default() }).expect("right");
        assert_eq!((with_rule.method, with_rule.method_of_joint("lower")), (Method::Dlb, Method::BEZIER));
        let wrong = of(SkinChoice { joints: vec![rule("lover"), rule("x*")], ..SkinChoice::default() });
        let said = wrong.expect_err("no such bones").to_string();
        assert_eq!(
            said,
            "unknown bone \"lover\"; did you mean \"lower\"?; unknown bone \"x*\"; the model has \"upper\", \"lower\", \"end\""
        );
    }
}
