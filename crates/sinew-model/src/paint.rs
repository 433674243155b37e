//! Numbers painted on a skin, one per vertex.

use crate::{OpenError, extension_of, read_limited};
use sinew_io::{Limits, PointsReadError, read_npy_f32};
use sinew_rig::{BoundSurface, Character};
use std::path::Path;

/// Why nothing was painted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PaintError {
    /// Vertex colors that are not there.
    #[error("the model has no vertex colors")]
    NoColors,
    /// Another kind of file.
    #[error("use r, g, b or a for vertex colors, or a .npy file")]
    Kind,
    /// A file that cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A damaged array.
    #[error(transparent)]
    Array(#[from] PointsReadError),
    /// Paint of another skin.
    #[error("expected {expected} numbers, one per vertex, found {found}")]
    Count { found: usize, expected: usize },
}

/// Reads paint: `r`, `g`, `b` or `a` of the vertex colors, or a `.npy` file with a number per vertex of the surface. NaN: not painted.
///
/// # Errors
/// There are no colors, or the file is not of this skin.
pub fn read_paint(from: &str, character: &Character, limits: &Limits) -> Result<Vec<f32>, PaintError> {
    match ["r", "g", "b", "a"].iter().position(|channel| *channel == from) {
        Some(channel) => from_colors(character, channel),
        None => from_file(Path::new(from), BoundSurface::of(character).vertex_count(), limits),
    }
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
    if extension_of(path) != "npy" {
        return Err(PaintError::Kind);
    }
    let array = read_npy_f32(&read_limited(path, limits.max_memory)?)?;
    let found = array.values.len();
    if found == expected { Ok(array.values) } else { Err(PaintError::Count { found, expected }) }
}
