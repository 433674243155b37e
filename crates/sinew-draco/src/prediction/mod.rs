//! Predictions of values from those before them. A stream stores what is left.

mod normal;
mod octahedron;
mod parallelogram;
mod texture;
mod wrap;

pub(crate) use octahedron::Octahedron;

use crate::corners::{Corners, NONE};
use crate::error::{DracoError, Result};
use crate::memory::Memory;
use crate::reader::Reader;
use crate::sequence::Sequence;
use wrap::Wrap;

/// Numbers of methods.
const NO_PREDICTION: i8 = -2;
const DIFFERENCE: i8 = 0;
const PARALLELOGRAM: i8 = 1;
const CONSTRAINED_MULTI_PARALLELOGRAM: i8 = 4;
const TEXTURE: i8 = 5;
const NORMAL: i8 = 6;

/// Numbers of transforms.
const TRANSFORM_WRAP: i8 = 1;
const TRANSFORM_OCTAHEDRON: i8 = 3;

/// The mesh that predictions use. None has one in a stream of sequential connectivity.
pub(crate) struct Shape<'a> {
    pub(crate) corners: &'a dyn Corners,
    pub(crate) sequence: &'a Sequence,
    pub(crate) positions: Option<&'a Positions<'a>>,
}

/// Whole-number positions that came before.
pub(crate) struct Positions<'a> {
    pub(crate) values: &'a [i32],
    /// The value of each point.
    pub(crate) value_of_point: &'a [u32],
    pub(crate) point_of_corner: &'a [u32],
}

impl Positions<'_> {
    fn of_corner(&self, corner: u32) -> [i64; 3] {
        let point = self.point_of_corner.get(corner as usize).copied().unwrap_or(NONE);
        let value = self.value_of_point.get(point as usize).copied().unwrap_or(NONE) as usize;
        let stored = value.checked_mul(3).and_then(|at| self.values.get(at..at + 3));
        stored.map_or([0; 3], |stored| std::array::from_fn(|axis| stored[axis].into()))
    }
}

impl Shape<'_> {
    /// The value of a corner's vertex.
    fn value_of(&self, corner: u32) -> usize {
        let vertex = self.corners.vertex(corner) as usize;
        self.sequence.value_of_vertex.get(vertex).copied().unwrap_or(NONE) as usize
    }
}

/// A method and its transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scheme {
    method: i8,
    transform: i8,
}

impl Scheme {
    /// Reads the method; streams without a mesh always use differences.
    pub(crate) fn read(reader: &mut Reader<'_>, has_mesh: bool) -> Result<Self> {
        let method = reader.i8("a prediction method")?;
        if method == NO_PREDICTION {
            return Ok(Self { method, transform: 0 });
        }
        let transform = reader.i8("a prediction transform")?;
        if ![TRANSFORM_WRAP, TRANSFORM_OCTAHEDRON].contains(&transform) {
            return Err(DracoError::Unsupported { what: "prediction transform", found: transform.into() });
        }
        let method = if has_mesh { method } else { DIFFERENCE };
        Ok(Self { method, transform })
    }

    /// Whether what is left is stored as it is, not with its sign in the lowest bit.
    pub(crate) fn is_positive(self) -> bool {
        self.method != NO_PREDICTION && self.transform == TRANSFORM_OCTAHEDRON
    }

    /// Turns what is left into values, in place. `components` of each value.
    pub(crate) fn restore(
        self,
        reader: &mut Reader<'_>,
        components: usize,
        shape: Option<&Shape<'_>>,
        values: &mut [i32],
        memory: &mut Memory,
    ) -> Result<()> {
        let unsupported = DracoError::Unsupported { what: "prediction method", found: self.method.into() };
        match (self.method, self.transform, shape) {
            (NO_PREDICTION, ..) => Ok(()),
            (DIFFERENCE, TRANSFORM_WRAP, _) => {
                let wrap = Wrap::read(reader)?;
                restore_differences(values, components, |predicted, value| wrap.restore(predicted, value));
                Ok(())
            }
            (DIFFERENCE, TRANSFORM_OCTAHEDRON, _) if components == 2 => {
                let octahedron = Octahedron::read(reader)?;
                restore_differences(values, 2, |predicted, value| octahedron.restore(predicted, value));
                Ok(())
            }
            (PARALLELOGRAM, TRANSFORM_WRAP, Some(shape)) => {
                parallelogram::restore_single(reader, shape, components, values)
            }
            (CONSTRAINED_MULTI_PARALLELOGRAM, TRANSFORM_WRAP, Some(shape)) => {
                parallelogram::restore_multiple(reader, shape, components, values, memory)
            }
            (TEXTURE, TRANSFORM_WRAP, Some(shape)) if components == 2 => {
                texture::restore(reader, shape, values, memory)
            }
            (NORMAL, TRANSFORM_OCTAHEDRON, Some(shape)) if components == 2 => {
                normal::restore(reader, shape, values)
            }
            _ => Err(unsupported),
        }
    }
}

/// Each value is predicted to be the one before; the first to be zero.
fn restore_differences(values: &mut [i32], components: usize, restore: impl Fn(&[i32], &mut [i32])) {
    let zero = vec![0; components];
    for at in (0..values.len()).step_by(components.max(1)) {
        let (before, rest) = values.split_at_mut(at);
        let predicted = if at == 0 { &zero[..] } else { &before[at - components..] };
        restore(predicted, &mut rest[..components]);
    }
}
