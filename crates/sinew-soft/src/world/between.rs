//! How bodies touch each other.

use crate::ContactSettings;
use serde::{Deserialize, Serialize};

/// How the bodies of a [`World`](crate::World) that have a [`Skin`](crate::Skin) touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Between {
    /// Friction and restitution; `margin_m` is kept beside the margins of both skins.
    pub settings: ContactSettings,
    /// Whether bodies also touch themselves. What is near at rest does not count. Default no.
    pub is_self: bool,
    /// How fast bodies that begin inside each other are moved apart, m/s. More throws them, less takes longer. Default 1.
    pub parting_speed: f32,
}

impl Default for Between {
    fn default() -> Self {
        Self { settings: ContactSettings::default(), is_self: false, parting_speed: 1.0 }
    }
}
