//! What is painted on the skin.

use super::FleshJobError;
use sinew_flesh::FleshSettings;
use sinew_flesh::anatomy::{Paint, PaintTarget};
use sinew_io::{Limits, read_npy_f32};
use sinew_rig::{BoundSurface, Character};
use std::path::Path;

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
    let values = match ["r", "g", "b", "a"].iter().position(|channel| *channel == from) {
        Some(channel) => from_colors(character, channel)?,
        None => from_file(Path::new(from), BoundSurface::of(character).vertex_count(), limits)
            .map_err(FleshJobError::at(Path::new(from)))?,
    };
    Ok(Paint { target, values })
}

/// A channel of the vertex colors; vertices without colors are not painted.
fn from_colors(character: &Character, channel: usize) -> Result<Vec<f32>, FleshJobError> {
    let bound = BoundSurface::of(character);
    let mut values = vec![f32::NAN; bound.vertex_count()];
    for placed in bound.instances() {
        let colors = &character.mesh_of(placed.instance).colors;
        let painted = values[placed.vertices.clone()].iter_mut().zip(colors);
        painted.for_each(|(value, color)| *value = color[channel]);
    }
    if values.iter().any(|value| value.is_finite()) { Ok(values) } else { Err(FleshJobError::NoColors) }
}

fn from_file(path: &Path, expected: usize, limits: &Limits) -> Result<Vec<f32>, FleshJobError> {
    if sinew_model::extension_of(path) != "npy" {
        return Err(FleshJobError::PaintFile);
    }
    let array = read_npy_f32(&sinew_model::read_limited(path, limits.max_memory)?)?;
    let found = array.values.len();
    if found == expected { Ok(array.values) } else { Err(FleshJobError::PaintCount { found, expected }) }
}
