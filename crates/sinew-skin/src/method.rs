//! Choosing a method by name.

use crate::Lbs;
use sinew_rig::{BoundSurface, Deformer};
use std::str::FromStr;

/// A skinning method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Linear blend skinning.
    #[default]
    Lbs,
}

/// A name that is no method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no method is named {name:?}; there is lbs")]
pub struct UnknownMethod {
    /// What was asked for.
    pub name: String,
}

impl Method {
    /// Binds the method to a surface.
    pub fn bind(self, bound: &BoundSurface) -> Box<dyn Deformer> {
        match self {
            Self::Lbs => Box::new(Lbs::bind(bound)),
        }
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "lbs" => Ok(Self::Lbs),
            _ => Err(UnknownMethod { name: name.to_owned() }),
        }
    }
}
