//! Values at the fourth corner of a parallelogram over a neighboring triangle.

use super::wrap::Wrap;
use super::{Shape, restore_differences};
use crate::corners::NONE;
use crate::error::{Result, damaged};
use crate::memory::Memory;
use crate::rans::BitDecoder;
use crate::reader::Reader;

/// Maximum parallelograms of a value.
const MAX_PARALLELOGRAMS: usize = 4;

/// The values at the three corners beyond a corner's edge, if all come before `value`: next, previous, opposite.
fn neighbors(shape: &Shape<'_>, corner: u32, value: usize) -> Option<[usize; 3]> {
    let opposite = shape.corners.opposite(corner);
    if opposite == NONE {
        return None;
    }
    let values = [crate::corners::next(opposite), crate::corners::previous(opposite), opposite]
        .map(|corner| shape.value_of(corner));
    values.iter().all(|&other| other < value).then_some(values)
}

/// `next + previous − opposite`, component by component.
fn predict(values: &[i32], [next, previous, opposite]: [usize; 3], predicted: &mut [i32]) {
    let components = predicted.len();
    for (at, predicted) in predicted.iter_mut().enumerate() {
        let of = |value: usize| values[value * components + at];
        *predicted = of(next).wrapping_add(of(previous)).wrapping_sub(of(opposite));
    }
}

/// One parallelogram; where there is none, the value before.
pub(super) fn restore_single(
    reader: &mut Reader<'_>,
    shape: &Shape<'_>,
    components: usize,
    values: &mut [i32],
) -> Result<()> {
    let wrap = Wrap::read(reader)?;
    let mut predicted = vec![0; components];
    for (at, &corner) in shape.sequence.corners.iter().enumerate() {
        let (before, rest) = values.split_at_mut(at * components);
        match neighbors(shape, corner, at) {
            Some(neighbors) => predict(before, neighbors, &mut predicted),
            None if at > 0 => predicted.copy_from_slice(&before[(at - 1) * components..]),
            None => predicted.fill(0),
        }
        wrap.restore(&predicted, &mut rest[..components]);
    }
    Ok(())
}

/// The mean of up to four parallelograms around a vertex; bits say which of them lie across a crease and do not count.
pub(super) fn restore_multiple(
    reader: &mut Reader<'_>,
    shape: &Shape<'_>,
    components: usize,
    values: &mut [i32],
    memory: &mut Memory,
) -> Result<()> {
    let mut creases = read_creases(reader, shape, memory)?;
    let wrap = Wrap::read(reader)?;
    if shape.sequence.corners.is_empty() {
        restore_differences(values, components, |predicted, value| wrap.restore(predicted, value));
        return Ok(());
    }
    let mut predicted = vec![0; components];
    let mut sum = vec![0i32; components];
    for (at, &corner) in shape.sequence.corners.iter().enumerate() {
        let (before, rest) = values.split_at_mut(at * components);
        let (found, count) = parallelograms_around(shape, corner, at);
        sum.fill(0);
        let mut used = 0;
        for &neighbors in &found[..count] {
            let Some(is_crease) = creases[count - 1].next() else {
                return damaged("prediction", "it has too few creases");
            };
            if !is_crease {
                predict(before, neighbors, &mut predicted);
                sum.iter_mut().zip(&predicted).for_each(|(sum, &part)| *sum = sum.wrapping_add(part));
                used += 1;
            }
        }
        match used {
            0 if at > 0 => sum.copy_from_slice(&before[(at - 1) * components..]),
            0 => {}
            _ => sum.iter_mut().for_each(|sum| *sum /= used),
        }
        wrap.restore(&sum, &mut rest[..components]);
    }
    Ok(())
}

/// Parallelograms of the triangles around a vertex: from `start` to the left, then to the right.
fn parallelograms_around(
    shape: &Shape<'_>,
    start: u32,
    value: usize,
) -> ([[usize; 3]; MAX_PARALLELOGRAMS], usize) {
    let (mut found, mut count) = ([[0; 3]; MAX_PARALLELOGRAMS], 0);
    // The first value is predicted by nothing.
    let mut corner = if value == 0 { NONE } else { start };
    let mut goes_left = true;
    while corner != NONE {
        if let Some(neighbors) = neighbors(shape, corner, value) {
            found[count] = neighbors;
            count += 1;
            if count == MAX_PARALLELOGRAMS {
                break;
            }
        }
        corner = if goes_left { shape.corners.swing_left(corner) } else { shape.corners.swing_right(corner) };
        if corner == start {
            break;
        }
        if corner == NONE && goes_left {
            goes_left = false;
            corner = shape.corners.swing_right(start);
        }
    }
    (found, count)
}

/// The crease bits of values with one, two, three and four parallelograms.
fn read_creases(
    reader: &mut Reader<'_>,
    shape: &Shape<'_>,
    memory: &mut Memory,
) -> Result<[std::vec::IntoIter<bool>; MAX_PARALLELOGRAMS]> {
    let mut creases: [std::vec::IntoIter<bool>; MAX_PARALLELOGRAMS] = Default::default();
    for list in &mut creases {
        let limit = (MAX_PARALLELOGRAMS * shape.sequence.corners.len()) as u64;
        let count = reader.count("number of creases", limit)?;
        if count > 0 {
            let mut bits = BitDecoder::read(reader)?;
            memory.take::<bool>("creases", count)?;
            *list = (0..count).map(|_| bits.next()).collect::<Vec<_>>().into_iter();
        }
    }
    Ok(creases)
}
