//! Pictures of characters: a scene made once, posed again for every frame.

mod choices;
mod looks;
mod stage;

pub use choices::{BackgroundChoice, CameraChoice, PictureSettings, Show};
pub(crate) use stage::objects;
pub use stage::{PictureError, Stage};
