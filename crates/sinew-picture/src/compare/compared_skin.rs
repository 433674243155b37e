//! What a comparison shows: a method, or what the file says.

use super::title_of;
use sinew_play::patches::{PatchModes, PatchesError, SkinMethod, SkinMethodError, bind_patches};
use sinew_rig::Character;
use sinew_skin::{Method, PosedCharacter, SkinSettings};
use std::fmt;
use std::str::FromStr;

/// What moves the skin in one picture of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ComparedSkin {
    /// One method for the whole model, with the file's own weights, c, r0, r1 and soft ranges.
    Method(Method),
    /// All that the file says: its method, rules for joints and methods of single vertices.
    File,
    /// The patches of the body that the file carries.
    Patches(PatchModes),
}

impl ComparedSkin {
    /// The character, moved by it.
    ///
    /// # Errors
    /// Patches that the character does not have.
    pub fn bind(self, character: &Character) -> Result<PosedCharacter, PatchesError> {
        Ok(match self {
            Self::Patches(modes) => PosedCharacter::with_deformer(character, bind_patches(character, modes)?),
            _ => PosedCharacter::bind(character, self.settings(character)),
        })
    }

    /// The settings of a character, by which joints are measured; those of the file for patches.
    pub fn settings(self, character: &Character) -> SkinSettings {
        let authored = SkinSettings::authored(character).0;
        match self {
            Self::File | Self::Patches(_) => authored,
            Self::Method(method) => {
                SkinSettings { method, joints: Vec::new(), vertex_methods: None, ..authored }
            }
        }
    }

    /// What a reader calls it.
    pub fn title(self) -> String {
        match self {
            Self::Method(method) => title_of(method),
            Self::File => "as in the file".into(),
            Self::Patches(modes) => modes.to_string(),
        }
    }
}

impl fmt::Display for ComparedSkin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Method(method) => method.fmt(formatter),
            Self::File => formatter.write_str("file"),
            Self::Patches(modes) => modes.fmt(formatter),
        }
    }
}

impl FromStr for ComparedSkin {
    type Err = SkinMethodError;

    /// A method, patches, or `file`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "file" {
            return Ok(Self::File);
        }
        Ok(match text.parse()? {
            SkinMethod::Skinning(method) => Self::Method(method),
            SkinMethod::Patches(modes) => Self::Patches(modes),
        })
    }
}
