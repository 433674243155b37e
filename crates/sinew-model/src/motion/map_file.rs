//! `map.toml`: which bone is which, for a user to edit.

use crate::TextError;
use sinew_rig::{Character, HumanoidBone, HumanoidMap};
use std::fmt::Write;

/// A map as text: every bone of a human, those that are not there as comments.
pub fn map_to_toml(character: &Character, map: &HumanoidMap) -> String {
    let mut text = String::from(
        "# Which bone of the model is which bone of a human, in the words of VRM.\n# A name, or \"#\" and an index.\n[bones]\n",
    );
    for &bone in HumanoidBone::ALL {
        let line = match map.get(bone) {
            Some(id) => {
                let name = &character.skeleton().bone(id).name;
                // A name that several bones have is told by index.
                let is_clear = character.skeleton().find(name) == Ok(id);
                let name = if is_clear { name.clone() } else { format!("#{id}") };
                writeln!(text, "{} = {}", bone.name(), toml_text(&name))
            }
            None => {
                let why = if bone.is_required() { "  # needed" } else { "" };
                writeln!(text, "# {} = \"\"{why}", bone.name())
            }
        };
        line.expect("writing to a string cannot fail");
    }
    text
}

/// A text in quotes, as TOML has it: JSON's form, which leaves only DEL unescaped.
pub(super) fn toml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    bones: toml::Table,
}

/// Reads a map for a character.
///
/// # Errors
/// The text is no TOML, or names bones that are not there.
pub fn map_from_toml(text: &str, character: &Character) -> Result<HumanoidMap, TextError> {
    let file: MapFile = toml::from_str(text).map_err(TextError::syntax)?;
    let mut names = Vec::new();
    for (bone, name) in &file.bones {
        let name =
            name.as_str().ok_or_else(|| TextError::syntax(format_args!("{bone}: use a name in quotes")))?;
        names.push((bone.as_str(), name));
    }
    HumanoidMap::from_names(character, names).map_err(TextError::Map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{guess_humanoid, samples};

    #[test]
    fn a_written_map_reads_back() {
        let character = samples::figure();
        let map = guess_humanoid(&character);
        let text = map_to_toml(&character, &map);
        assert!(text.contains("leftUpperArm = \"LeftUpperArm\""), "{text}");
        assert_eq!(map_from_toml(&text, &character), Ok(map));
    }

    #[test]
    fn mistakes_are_told() {
        let character = samples::figure();
        let told = |text: &str| map_from_toml(text, &character).expect_err("a mistake").to_string();
        assert!(told("[bones]\nhips = \"Hipps\"").contains("did you mean \"Hips\""));
        assert!(told("[bones]\nhipz = \"Hips\"").contains("hips"));
        assert!(told("[bones]\nhips = 3").contains("in quotes"));
        assert!(told("[bone]\n").contains("bone"));
    }
}
