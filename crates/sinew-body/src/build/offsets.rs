//! All offsets of a tube's control points: the template's relief and the design's own.

use super::Plan;
use super::address::Address;
use super::stations::SizedRing;
use crate::design::Sided;
use crate::template::layout::LayoutTube;
use crate::template::{Flank, Template};
use glam::DVec3;

/// One offset a control point of the layout's tube `index`, model space, m.
pub(super) fn tube_offsets(plan: &Plan<'_>, index: usize) -> Vec<DVec3> {
    let Plan { template, design, figure, rings } = plan;
    let layout = &template.layout.tubes[index];
    let row_len = 4 * layout.patch_count;
    let mut offsets: Vec<DVec3> = template.relief.of_tube(index).to_vec();
    for (point, offset) in offsets.iter_mut().enumerate() {
        let (bone, growth) = row_guide(template, rings, layout, point / row_len);
        *offset = growth * figure.bones[bone].direction(*offset);
    }
    let name = &template.text().tubes[layout.text].name;
    for (key, sided) in Address::keys_of(&design.offsets, name) {
        let Some(Address::Tube { row, column }) = Address::parse(template, key) else { continue };
        let (bone, _) = row_guide(template, rings, layout, row);
        for (column, value) in places(rings, layout, column, sided) {
            offsets[row * row_len + column] += figure.bones[bone].direction(value);
        }
    }
    offsets
}

/// The bone of a row, and the tube's thickness there relative to the template.
fn row_guide(template: &Template, rings: &[SizedRing], layout: &LayoutTube, row: usize) -> (usize, f64) {
    let last_ring = layout.rings.len() - 1;
    let growth = |ring: usize| rings[layout.rings[ring.min(last_ring)]].growth;
    let bay = (row / 4).min(layout.bones.len() - 1);
    if row.is_multiple_of(4) && row / 4 <= last_ring {
        return (template.layout.rings[layout.rings[row / 4]].bone, growth(row / 4));
    }
    (layout.bones[bay], 0.5 * (growth(bay) + growth(bay + 1)))
}

/// The column of a listed one in this tube, with its value. On a tube in the middle the left value applies at the listed column and the
/// right one at its mirror image.
fn places(
    rings: &[SizedRing],
    layout: &LayoutTube,
    column: usize,
    sided: &Sided<DVec3>,
) -> Vec<(usize, DVec3)> {
    let row_len = 4 * layout.patch_count;
    if layout.flank != Flank::Middle {
        let column = if layout.flank == Flank::Right { (row_len - column) % row_len } else { column };
        let own = sided.on(layout.flank).map(|&value| (column, layout.flank.place(value)));
        return own.into_iter().collect();
    }
    let axis = rings[layout.rings[0]].station.ring.frame.e1;
    let turn = if axis.x.abs() > 0.5 { row_len / 2 } else { 0 };
    let mirrored = (turn + row_len - column) % row_len;
    let left = sided.on(Flank::Left).map(|&value| (column, value));
    let right = sided.on(Flank::Right).map(|&value| (mirrored, Flank::Right.place(value)));
    // A point on the middle plane is its own image and moves once.
    let is_twice = mirrored == column && matches!(sided, Sided::Both(_));
    left.into_iter().chain(right.filter(|_| !is_twice)).collect()
}
