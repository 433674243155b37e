//! What is painted on the skin.

use super::AnatomyError;
use super::weights::Inwards;

/// What painted numbers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaintTarget {
    /// Softness, 0 to 1, in place of the bones'; thin flesh stays what it is.
    Softness,
    /// Thickness of a layer as a share of the way from bone to skin, 0 to 1.
    Thickness(usize),
    /// Factor on stiffness, above 0.
    Stiffness,
    /// Influence of fibers, 0 to 1, in place of the layers'.
    Beta,
}

/// Numbers painted on the skin, which hold for all flesh under it.
#[derive(Clone, Debug, PartialEq)]
pub struct Paint {
    /// What they say.
    pub target: PaintTarget,
    /// One per vertex of the surface; NaN where nothing is painted.
    pub values: Vec<f32>,
}

/// A paint carried inwards: one per point, the value and how much it covers what is there, 0 to 1.
pub(super) struct Coat {
    pub(super) target: PaintTarget,
    pub(super) values: Vec<f32>,
    pub(super) cover: Vec<f32>,
}

impl Coat {
    /// What is there, with the paint over it.
    pub(super) fn over(&self, point: usize, before: f32) -> f32 {
        before + (self.values[point] - before) * self.cover[point]
    }
}

/// Less cover than this is rounding.
const LEAST_COVER: f64 = 1e-4;

/// Checks a paint and carries it inwards: cover and cover times value are harmonic, so that the border between painted and unpainted
/// skin goes on inside as a soft border.
pub(super) fn carry(
    inwards: &Inwards<'_>,
    paint: &Paint,
    vertex_count: usize,
    layer_count: usize,
) -> Result<Coat, AnatomyError> {
    let (what, least, most) = match paint.target {
        PaintTarget::Softness => ("softness", 0.0, 1.0),
        PaintTarget::Thickness(_) => ("thickness", 0.0, 1.0),
        PaintTarget::Stiffness => ("stiffness", 1e-6, 1e6),
        PaintTarget::Beta => ("beta", 0.0, 1.0),
    };
    if let PaintTarget::Thickness(layer) = paint.target
        && layer >= layer_count
    {
        return Err(AnatomyError::NoPaintedLayer { layer, layer_count });
    }
    if paint.values.len() != vertex_count {
        let what = format!("painted {what}");
        return Err(AnatomyError::Length { what, expected: vertex_count, found: paint.values.len() });
    }
    let points = inwards.unreached.len();
    let mut fields = vec![0.0; 2 * points];
    for (vertex, &found) in paint.values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        if !(least..=most).contains(&found) {
            return Err(AnatomyError::Painted { what, vertex, found, least, most });
        }
        let (cover, value) = fields.split_at_mut(points);
        inwards.tell(vertex, 1.0, cover);
        inwards.tell(vertex, f64::from(found), value);
    }
    inwards.solve(&mut fields)?;
    let (cover, value) = fields.split_at(points);
    let values = value.iter().zip(cover);
    Ok(Coat {
        target: paint.target,
        values: values
            .map(|(value, cover)| ((value / cover.max(LEAST_COVER)) as f32).clamp(least, most))
            .collect(),
        cover: cover
            .iter()
            .map(|&cover| if cover < LEAST_COVER { 0.0 } else { cover.min(1.0) as f32 })
            .collect(),
    })
}
