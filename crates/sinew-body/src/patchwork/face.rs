//! Control points of faces in terms of slots.

use super::form::Form;
use super::layout::Dart;
use super::seam::Seam;
use super::slots::{SlotKind, Slots};
use crate::fill::{FillShape, HoleSide, SpokeOffsets, fill_with_offsets_into};
use crate::patch::CORNERS;
use crate::{Patch, Quartic};
use glam::DVec3;
use std::f64::consts::TAU;

/// The control points of a patch: 25, of which the split ones have their versions `cross_u`, then the four versions `cross_w` of a
/// Gregory patch.
#[derive(Clone, Debug)]
pub(super) struct PatchForms(pub(super) Vec<Form>);

pub(super) fn at(i: usize, j: usize) -> usize {
    5 * i + j
}

impl PatchForms {
    /// The patch of the mirrored face: u and w exchanged.
    pub(super) fn mirrored(&self, pairs: &[(u32, f64)]) -> PatchForms {
        let is_split = self.0.len() > 25;
        let transposed = |i: usize, j: usize| match CORNERS.iter().position(|&corner| corner == (j, i)) {
            Some(corner) if is_split => &self.0[25 + corner],
            _ => &self.0[at(j, i)],
        };
        let net = (0..25).map(|place| transposed(place / 5, place % 5));
        let versions = CORNERS.iter().take(if is_split { 4 } else { 0 }).map(|&(i, j)| &self.0[at(j, i)]);
        PatchForms(net.chain(versions).map(|form| form.mirrored(pairs)).collect())
    }
}

/// Curves and legs along a face's sides, counter-clockwise.
fn border(sides: &[Dart], seams: &[Seam]) -> Vec<([Form; 5], [Form; 5])> {
    sides.iter().map(|side| seams[side.edge].seen_along(side.is_forward)).collect()
}

/// A face with four sides: u runs along the first, w against the last.
pub(super) fn quad((sides, is_split): (&[Dart], bool), seams: &[Seam], slots: &mut Slots) -> PatchForms {
    let border = border(sides, seams);
    let mut net = vec![Form::default(); 29];
    // The corners' inner points are set by two sides: to the same, unless they are split.
    for (side, (curve, legs)) in border.iter().enumerate() {
        for k in 0..5 {
            let (on, inside) = match side {
                0 => ((k, 0), (k, 1)),
                1 => ((4, k), (3, k)),
                2 => ((4 - k, 4), (4 - k, 3)),
                _ => ((0, 4 - k), (1, 4 - k)),
            };
            net[at(on.0, on.1)] = curve[k].clone();
            let corner = CORNERS.iter().position(|&corner| corner == inside);
            // The first and third side cross S_w.
            let place = match corner {
                Some(corner) if side % 2 == 0 => 25 + corner,
                _ => at(inside.0, inside.1),
            };
            if (1..4).contains(&k) {
                net[place] = &curve[k] + &legs[k];
            }
        }
    }
    let half = [(1, 2), (2, 1), (3, 2), (2, 3)].map(|(i, j)| (0.5, net[at(i, j)].clone()));
    let eighths = CORNERS.map(|(i, j)| (-0.125, net[at(i, j)].clone()));
    let others = net[25..].iter().map(|form| (-0.125, form));
    let quiet = Form::sum(half.iter().chain(&eighths).map(|(by, form)| (*by, form)).chain(others));
    net[at(2, 2)] = &quiet + &Form::slot(slots.add_pair(SlotKind::Middle, 1.0));
    if !is_split {
        net.truncate(25);
    }
    PatchForms(net)
}

/// Vectors that a fill is linear in, besides its border: the center's offset, two axes of the star, and four for each spoke.
const OWN: usize = 3;
const PER_SIDE: usize = 3 + 4;

/// A face with any other number of sides: one patch for each corner.
pub(super) fn fill(sides: &[Dart], seams: &[Seam], slots: &mut Slots) -> Vec<PatchForms> {
    let (count, border) = (sides.len(), border(sides, seams));
    let mut inputs: Vec<Form> = Vec::new();
    for (curve, _) in &border {
        inputs.extend_from_slice(&curve[..4]);
    }
    for (_, legs) in &border {
        inputs.extend_from_slice(&legs[1..4]);
    }
    let mut own = |kind| inputs.push(Form::slot(slots.add_pair(kind, 1.0)));
    [SlotKind::Center, SlotKind::Star, SlotKind::Star].into_iter().for_each(&mut own);
    (0..count).for_each(|_| own(SlotKind::SpokeBulge));
    (0..3 * count).for_each(|_| own(SlotKind::SpokeCross));
    let columns: Vec<Vec<Vec<f64>>> = (0..inputs.len()).map(|input| response(count, input)).collect();
    (0..count)
        .map(|patch| {
            let point = |place: usize| {
                Form::sum(columns.iter().zip(&inputs).map(|(column, form)| (column[patch][place], form)))
            };
            let mut forms: Vec<Form> = (0..29).map(point).collect();
            forms[at(2, 2)] = &forms[at(2, 2)] + &Form::slot(slots.add_pair(SlotKind::Middle, 1.0));
            PatchForms(forms)
        })
        .collect()
}

/// What one unit of an input adds to the control points of a fill: it is linear in its border and offsets, alike in x, y and z.
fn response(count: usize, input: usize) -> Vec<Vec<f64>> {
    let value = |index: usize| if index == input { DVec3::X } else { DVec3::ZERO };
    let point = |side: usize, k: usize| value(4 * (side % count) + k);
    let edges: Vec<Quartic> =
        (0..count).map(|side| Quartic(std::array::from_fn(|k| point(side + k / 4, k % 4)))).collect();
    let sides: Vec<HoleSide> = (0..count)
        .map(|side| {
            let (before, after) = (&edges[(side + count - 1) % count].0, &edges[(side + 1) % count].0);
            let inner = |k: usize| value(4 * count + 3 * side + k - 1);
            let legs = Quartic([before[3] - before[4], inner(1), inner(2), inner(3), after[1] - after[0]]);
            HoleSide::Whole { edge: edges[side], legs }
        })
        .collect();
    let first = PER_SIDE * count;
    let offsets: Vec<SpokeOffsets> = (0..count)
        .map(|spoke| {
            let (sin, cos) = (TAU * spoke as f64 / count as f64).sin_cos();
            SpokeOffsets {
                bulge: value(first + OWN + spoke),
                star: cos * value(first + 1) + sin * value(first + 2),
                across: std::array::from_fn(|k| value(first + OWN + count + 3 * spoke + k)),
            }
        })
        .collect();
    let shape = FillShape { center_offset: value(first), ..FillShape::default() };
    let mut patches = vec![Patch::bezier([[DVec3::ZERO; 5]; 5]); count];
    fill_with_offsets_into(&sides, &shape, &offsets, &mut patches)
        .expect("the sides close and their ends obey the corner rule");
    patches.iter().map(control_points).collect()
}

/// x of a Gregory patch's control points, in the order of [`PatchForms`].
fn control_points(patch: &Patch) -> Vec<f64> {
    let corners = patch.corners.unwrap_or_default();
    let net = (0..25).map(|place| {
        let (i, j) = (place / 5, place % 5);
        match CORNERS.iter().position(|&corner| corner == (i, j)) {
            Some(corner) => corners.cross_u[corner].x,
            None => patch.net[i][j].x,
        }
    });
    net.chain(corners.cross_w.iter().map(|point| point.x)).collect()
}
