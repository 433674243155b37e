//! What a user says beside a scene file.

use sinew_render::Quality;

/// What a user says beside a scene file; it goes before what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SceneChoices {
    /// Width and height in pixels.
    pub size: Option<(u32, u32)>,
    /// Frames a second.
    pub fps: Option<f64>,
    /// How well it is drawn.
    pub quality: Option<Quality>,
}
