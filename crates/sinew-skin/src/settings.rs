//! What a user can choose about skinning.

use crate::{Method, SoftRange};

/// How a character is skinned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinSettings {
    /// The method of every joint without a rule. Default: LBS.
    pub method: Method,
    /// Rules for joints; where several fit, the last counts.
    pub joints: Vec<JointRule>,
    /// Soft ranges set by hand.
    pub ranges: Vec<JointRange>,
}

/// The method of the joints whose child bone has a name like this.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRule {
    /// A bone's name, in which `*` stands for any text.
    pub pattern: String,
    /// The method.
    pub method: Method,
}

/// The soft range of a joint, set by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRange {
    /// The child bone's name, in which `*` stands for any text.
    pub pattern: String,
    /// Its ends, rest space, metres.
    pub range: SoftRange,
}

impl From<Method> for SkinSettings {
    fn from(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

impl SkinSettings {
    /// The method of the joint of a child bone.
    pub fn method_of_joint(&self, bone: &str) -> Method {
        let rule = self.joints.iter().rev().find(|rule| matches(&rule.pattern, bone));
        rule.map_or(self.method, |rule| rule.method)
    }

    /// The soft range set for a child bone.
    pub fn range_of_joint(&self, bone: &str) -> Option<SoftRange> {
        self.ranges.iter().rev().find(|range| matches(&range.pattern, bone)).map(|range| range.range)
    }
}

/// Whether a name fits a pattern with `*` for any text.
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
    fn the_last_rule_that_fits_counts() {
        let rule = |pattern: &str, method| JointRule { pattern: pattern.into(), method };
        let settings = SkinSettings {
            method: Method::Lbs,
            joints: vec![rule("*Arm", Method::Dlb), rule("Left*", Method::SDEF)],
            ranges: Vec::new(),
        };
        assert_eq!(settings.method_of_joint("LeftArm"), Method::SDEF);
        assert_eq!(settings.method_of_joint("RightArm"), Method::Dlb);
        assert_eq!(settings.method_of_joint("Hips"), Method::Lbs);
    }
}
