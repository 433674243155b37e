//! What is painted on the skin.

use super::FleshJobError;
use sinew_flesh::FleshSettings;
use sinew_flesh::anatomy::{Paint, PaintTarget};
use sinew_io::Limits;
use sinew_model::read_paint;
use sinew_rig::Character;

/// Reads `WHAT=FROM`.
pub(super) fn paint(
    text: &str,
    character: &Character,
    settings: &FleshSettings,
    limits: &Limits,
) -> Result<Paint, FleshJobError> {
    let (what, from) = text.split_once('=').ok_or(FleshJobError::PaintForm)?;
    let target = match (what, what.strip_prefix("thickness:")) {
        ("softness", _) => PaintTarget::Softness,
        ("stiffness", _) => PaintTarget::Stiffness,
        ("beta", _) => PaintTarget::Beta,
        (_, Some(layer)) => {
            let layers: Vec<String> = settings.layers.iter().map(|layer| layer.name.clone()).collect();
            let found = layers.iter().position(|name| name == layer);
            PaintTarget::Thickness(
                found.ok_or(FleshJobError::PaintLayer { layer: layer.to_owned(), layers })?,
            )
        }
        _ => return Err(FleshJobError::PaintTarget(what.to_owned())),
    };
    let values = read_paint(from, character, limits)?;
    Ok(Paint { target, values })
}
