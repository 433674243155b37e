//! What is painted on the skin.

use super::PaintError;
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
) -> Result<Paint, PaintError> {
    let (what, from) = text.split_once('=').ok_or(PaintError::Form)?;
    let target = match (what, what.strip_prefix("thickness:")) {
        ("softness", _) => PaintTarget::Softness,
        ("stiffness", _) => PaintTarget::Stiffness,
        ("beta", _) => PaintTarget::Beta,
        (_, Some(layer)) => {
            let layers: Vec<String> = settings.layers.iter().map(|layer| layer.name.clone()).collect();
            let found = layers.iter().position(|name| name == layer);
            PaintTarget::Thickness(found.ok_or(PaintError::Layer { layer: layer.to_owned(), layers })?)
        }
        _ => return Err(PaintError::What(what.to_owned())),
    };
    let values = match ["r", "g", "b", "a"].iter().position(|channel| *channel == from) {
        Some(channel) => from_colors(character, channel)?,
        None => from_file(Path::new(from), BoundSurface::of(character).vertex_count(), limits)?,
    };
    Ok(Paint { target, values })
}

/// A channel of the vertex colors; vertices without colors are not painted.
fn from_colors(character: &Character, channel: usize) -> Result<Vec<f32>, PaintError> {
    let bound = BoundSurface::of(character);
    let mut values = vec![f32::NAN; bound.vertex_count()];
    for placed in bound.instances() {
        let colors = &character.mesh_of(placed.instance).colors;
        let painted = values[placed.vertices.clone()].iter_mut().zip(colors);
        painted.for_each(|(value, color)| *value = color[channel]);
    }
    if values.iter().any(|value| value.is_finite()) { Ok(values) } else { Err(PaintError::NoColors) }
}

fn from_file(path: &Path, expected: usize, limits: &Limits) -> Result<Vec<f32>, PaintError> {
    if sinew_model::extension_of(path) != "npy" {
        return Err(PaintError::Kind(path.into()));
    }
    let bytes = sinew_model::read_limited(path, limits.max_memory)
        .map_err(|source| PaintError::Open { path: path.into(), source })?;
    let array = read_npy_f32(&bytes).map_err(|source| PaintError::Points { path: path.into(), source })?;
    let found = array.values.len();
    if found == expected {
        Ok(array.values)
    } else {
        Err(PaintError::Count { path: path.into(), found, expected })
    }
}
