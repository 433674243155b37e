//! Settings of skinning.

use crate::{Method, MethodError, MorphCenters, RotationBlend, SoftRange};
use sinew_rig::{Character, FindError};
use std::str::FromStr;

/// Settings of a character's skinning.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SkinSettings {
    /// The method of every joint without a rule. Default: LBS.
    pub method: Method,
    /// Rules for joints; the last match wins.
    pub joints: Vec<JointRule>,
    /// Soft ranges set by hand; the last match wins. They override r0 and r1 of single vertices.
    pub ranges: Vec<JointRange>,
    /// Whether the meshes' methods of single vertices are used, and their parameters. They override `method`, but not `joints`. Default: not
    /// used.
    pub vertex_methods: Option<VertexMethods>,
    /// Centers of vertices that morphs move. Default: they follow.
    pub morph_centers: MorphCenters,
}

/// Parameters of the meshes' methods of single vertices, which have only codes.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexMethods {
    /// The share of linear blending in SBS+, 0 to 1.
    pub s: f32,
    /// Blend of rotations.
    pub rotation: RotationBlend,
}

/// The method of the joints whose child bone matches a name.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRule {
    /// A bone's name; `*` matches any text.
    pub pattern: String,
    /// For one joint, so not delta mush.
    pub method: Method,
}

impl FromStr for JointRule {
    type Err = MethodError;

    /// `Spine*=dlb`, `mixamorig:LeftArm=sdef:s=0.3`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Names and parameters may contain `=`: split at the first one that a method follows.
        let mut first_error = MethodError::NoMethod;
        for (index, (at, _)) in text.match_indices('=').enumerate() {
            match text[at + 1..].parse::<Method>() {
                Ok(method) => return Self::new(&text[..at], method),
                Err(error) if index == 0 => first_error = error,
                Err(_) => {}
            }
        }
        Err(first_error)
    }
}

impl JointRule {
    /// A rule, unless the method is for the whole model.
    ///
    /// # Errors
    /// If the method is delta mush.
    pub fn new(pattern: &str, method: Method) -> Result<Self, MethodError> {
        match method {
            Method::DeltaMush { .. } => Err(MethodError::WholeModel { method: method.name() }),
            _ => Ok(Self { pattern: pattern.into(), method }),
        }
    }
}

/// The soft range of a joint, set by hand.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRange {
    /// The child bone's name; `*` matches any text.
    pub pattern: String,
    /// Its ends, rest space, m.
    pub range: SoftRange,
}

impl From<Method> for SkinSettings {
    fn from(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

impl From<&SkinSettings> for SkinSettings {
    fn from(settings: &SkinSettings) -> Self {
        settings.clone()
    }
}

impl SkinSettings {
    /// The method of the joint of a child bone.
    pub fn method_of_joint(&self, bone: &str) -> Method {
        self.rule_of_joint(bone).unwrap_or(self.method)
    }

    /// The method that a rule gives to the joint of a child bone.
    pub fn rule_of_joint(&self, bone: &str) -> Option<Method> {
        self.joints.iter().rev().find(|rule| matches(&rule.pattern, bone)).map(|rule| rule.method)
    }

    /// Every pattern of a rule or range that matches no bone, with the nearest names.
    pub fn unknown_bones(&self, character: &Character) -> Vec<FindError> {
        let unknown = self.patterns().filter(|pattern| !self.names_a_bone(character, pattern));
        unknown.filter_map(|pattern| character.skeleton().find(pattern).err()).collect()
    }

    /// The patterns of all rules and ranges.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &str> {
        let of_ranges = self.ranges.iter().map(|range| range.pattern.as_str());
        self.joints.iter().map(|rule| rule.pattern.as_str()).chain(of_ranges)
    }

    pub(crate) fn names_a_bone(&self, character: &Character, pattern: &str) -> bool {
        character.skeleton().bones().iter().any(|bone| matches(pattern, &bone.name))
    }

    /// The soft range set for a child bone.
    pub fn range_of_joint(&self, bone: &str) -> Option<SoftRange> {
        self.ranges.iter().rev().find(|range| matches(&range.pattern, bone)).map(|range| range.range)
    }
}

/// Whether a name matches a pattern with `*` for any text.
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, name, expected) in [
            ("Spine*", "Spine2", true),
            ("Spine*", "LeftSpine", false),
            ("*Arm", "LeftForeArm", true),
            ("Left*Arm", "LeftForeArm", true),
            ("Left*Arm", "LeftArm", true),
            ("Left*Arm", "LeftLeg", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("Hips", "Hips", true),
            ("Hips", "Hips2", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn rules_are_read_with_odd_names() {
        let rule = |pattern: &str, method| Ok(JointRule { pattern: pattern.into(), method });
        assert_eq!("Spine*=dlb".parse(), rule("Spine*", Method::Dlb));
        let softer = Method::Sdef { s: 0.25, rotation: RotationBlend::Slerp };
        assert_eq!("mixamorig:Arm=sdef:s=0.25".parse(), rule("mixamorig:Arm", softer));
        assert_eq!("a=b=bezier".parse(), rule("a=b", Method::BEZIER));
        for (wrong, said) in
            [("Arm", "PATTERN=METHOD"), ("Arm=magic", "magic"), ("Arm=delta_mush", "whole model")]
        {
            let error = wrong.parse::<JointRule>().expect_err("wrong").to_string();
            assert!(error.contains(said), "{wrong}: {error}");
        }
    }

    #[test]
    fn the_last_rule_that_fits_counts() {
        let rule = |pattern: &str, method| JointRule { pattern: pattern.into(), method };
        let settings = SkinSettings {
            method: Method::Lbs,
            joints: vec![rule("*Arm", Method::Dlb), rule("Left*", Method::SDEF)],
            ..SkinSettings::default()
        };
        assert_eq!(settings.method_of_joint("LeftArm"), Method::SDEF);
        assert_eq!(settings.method_of_joint("RightArm"), Method::Dlb);
        assert_eq!(settings.method_of_joint("Hips"), Method::Lbs);
    }

    #[test]
    fn settings_come_back_as_they_were_written() {
        let settings = SkinSettings {
            method: "sdef:s=0.3".parse().unwrap(),
            joints: vec!["Spine*=dlb".parse().unwrap()],
            vertex_methods: Some(VertexMethods { s: 0.25, rotation: RotationBlend::Nlerp }),
            morph_centers: MorphCenters::Fixed,
            ..SkinSettings::default()
        };
        let text = serde_json::to_string(&settings).unwrap();
        assert!(text.contains(r#""method":"sdef:s=0.3""#), "{text}");
        assert_eq!(serde_json::from_str::<SkinSettings>(&text).unwrap(), settings);
        assert_eq!(serde_json::from_str::<SkinSettings>("{}").unwrap(), SkinSettings::default());
        assert!(serde_json::from_str::<SkinSettings>(r#"{"methods": "lbs"}"#).is_err());
        assert!(serde_json::from_str::<SkinSettings>(r#"{"method": "lbz"}"#).is_err());
    }
}
