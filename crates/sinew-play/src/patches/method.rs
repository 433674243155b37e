//! What moves a skin: a skinning method, or the patches of a body.

use super::{PatchModes, PatchModesError};
use sinew_rig::did_you_mean;
use sinew_skin::{Method, MethodError};
use std::fmt;
use std::str::FromStr;

/// A skinning method, or the patches of the body that the file carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SkinMethod {
    /// A skinning method.
    Skinning(Method),
    /// The patches of the body.
    Patches(PatchModes),
}

/// A method that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkinMethodError {
    /// A name that is none.
    #[error(
        "unknown method {name:?}; use lbs, sbs, sdef, bezier, dlb, cor, delta_mush or patches{}",
        nearest_text(.name)
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// A skinning method with other parameters than its own.
    #[error(transparent)]
    Method(MethodError),
    /// Patches with other parameters than their own.
    #[error(transparent)]
    Patches(#[from] PatchModesError),
}

fn nearest_text(name: &str) -> String {
    did_you_mean(name, Method::ALL.iter().map(Method::name).chain(["patches"]))
}

impl SkinMethod {
    /// The skinning method; `None` for patches.
    pub fn skinning(self) -> Option<Method> {
        match self {
            Self::Skinning(method) => Some(method),
            Self::Patches(_) => None,
        }
    }

    /// The rules of patches; `None` for a skinning method.
    pub fn patches(self) -> Option<PatchModes> {
        match self {
            Self::Skinning(_) => None,
            Self::Patches(modes) => Some(modes),
        }
    }
}

impl From<Method> for SkinMethod {
    fn from(method: Method) -> Self {
        Self::Skinning(method)
    }
}

impl FromStr for SkinMethod {
    type Err = SkinMethodError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if PatchModes::are_named(text) {
            return Ok(Self::Patches(text.parse()?));
        }
        match text.parse() {
            Ok(method) => Ok(Self::Skinning(method)),
            Err(MethodError::Unknown { name }) => Err(SkinMethodError::Unknown { name }),
            Err(error) => Err(SkinMethodError::Method(error)),
        }
    }
}

impl fmt::Display for SkinMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skinning(method) => method.fmt(f),
            Self::Patches(modes) => modes.fmt(f),
        }
    }
}
