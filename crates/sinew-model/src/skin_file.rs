//! `skin.toml`: how a character is skinned, as a person writes it.

use crate::{Entries, TextError};
use glam::Vec3;
use serde::Deserialize;
use sinew_skin::{JointRange, JointRule, Method, SoftRange};

/// The table `[skin]` of a TOML file:
///
/// ```toml
/// [skin]
/// method = "sdef:s=0.3"
/// joints = { "LeftForeArm" = "bezier", "Spine*" = "dlb" }
/// ranges = { "LeftForeArm" = { r0 = [0.3, 1.4, 0.0], r1 = [0.4, 1.4, 0.0] } }
/// ```
///
/// Where several patterns fit a bone, the last counts. Ranges are in the rest space of the mesh, in metres. Other tables may stand
/// beside it.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SkinFile {
    /// The method of the model.
    pub method: Option<Method>,
    /// Rules for joints.
    pub joints: Vec<JointRule>,
    /// Soft ranges.
    pub ranges: Vec<JointRange>,
}

#[derive(Deserialize)]
struct Document {
    skin: Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    method: Option<String>,
    #[serde(default)]
    joints: Entries<String>,
    #[serde(default)]
    ranges: Entries<Range>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    r0: [f32; 3],
    r1: [f32; 3],
}

impl SkinFile {
    /// Parses the text of a skin file.
    ///
    /// # Errors
    /// The text is not TOML, has no table `skin`, or a method or number in it means nothing.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let document: Document =
            toml::from_str(text).map_err(|error| TextError::syntax(error.to_string().trim_end()))?;
        let Table { method, joints, ranges } = document.skin;
        let mut file = Self { method: method.map(|text| text.parse()).transpose()?, ..Self::default() };
        for (pattern, text) in joints.0 {
            let rule = text.parse().and_then(|method| JointRule::new(&pattern, method));
            file.joints.push(rule.map_err(|error| TextError::Joint { pattern, error })?);
        }
        for (pattern, range) in ranges.0 {
            let range = SoftRange { begin: Vec3::from(range.r0), end: Vec3::from(range.r1) };
            if !(range.begin.is_finite() && range.end.is_finite()) {
                return Err(TextError::Range { pattern });
            }
            file.ranges.push(JointRange { pattern, range });
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_keep_their_order() {
        let file = SkinFile::parse(
            "[skin]\nmethod = \"sdef:s=0.25\"\njoints = { \"Z*\" = \"dlb\", \"A\" = \"bezier\" }\n[skin.ranges.A]\nr0 = [0, 1, 0]\nr1 = [0, 2.5, 0]\n[other]\nx = 1",
        )
        .expect("right");
        assert_eq!(file.method.map(|method| method.to_string()), Some("sdef:s=0.25".into()));
        let patterns: Vec<&str> = file.joints.iter().map(|rule| rule.pattern.as_str()).collect();
        assert_eq!(patterns, ["Z*", "A"]);
        assert_eq!(file.ranges[0].range, SoftRange { begin: Vec3::Y, end: Vec3::Y * 2.5 });
    }

    #[test]
    fn mistakes_are_explained() {
        for (text, said) in [
            ("", "missing field `skin`"),
            ("[skin]\nmethods = 1", "unknown field `methods`"),
            ("[skin]\nmethod = \"magic\"", "skin.method: unknown method \"magic\""),
            (
                "[skin]\njoints = { A = \"delta_mush\" }",
                "skin.joints.\"A\": delta_mush smooths the whole model",
            ),
            (
                "[skin]\nranges = { A = { r0 = [nan, 0, 0], r1 = [0, 0, 0] } }",
                "skin.ranges.\"A\": the numbers must be finite",
            ),
            ("[skin]\nranges = { A = { r0 = [0, 0], r1 = [0, 0, 0] } }", "invalid length 2"),
        ] {
            let error = SkinFile::parse(text).expect_err("wrong").to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
