//! What a comparison shows: a method, or what the file says.

use super::title_of;
use sinew_rig::Character;
use sinew_skin::{Method, MethodError, SkinSettings};
use std::fmt;
use std::str::FromStr;

/// What moves the skin in one picture of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ComparedSkin {
    /// One method for the whole model, with the file's own weights, c, r0, r1 and soft ranges.
    Method(Method),
    /// All that the file says: its method, rules for joints and methods of single vertices.
    File,
}

impl ComparedSkin {
    /// The settings of a character.
    pub fn settings(self, character: &Character) -> SkinSettings {
        let authored = SkinSettings::authored(character).0;
        match self {
            Self::File => authored,
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
        }
    }
}

impl fmt::Display for ComparedSkin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Method(method) => method.fmt(formatter),
            Self::File => formatter.write_str("file"),
        }
    }
}

impl FromStr for ComparedSkin {
    type Err = MethodError;

    /// A method, or `file`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "file" { Ok(Self::File) } else { text.parse().map(Self::Method) }
    }
}
