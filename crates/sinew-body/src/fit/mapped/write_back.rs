//! Converts fitted control points to a design: rings around them, and offsets from those.

use super::chain::{Chain, mirrored};
use crate::body::Body;
use crate::build::{Figure, tube_before_repair};
use crate::design::{Design, RingChange, Sided};
use crate::template::Template;
use glam::DVec3;

/// Writes rings and offsets for the control points `points`, tube by tube.
pub(super) fn write(
    template: &Template,
    body: &Body,
    chain: &Chain,
    points: &[Vec<DVec3>],
    design: &mut Design,
) {
    let figure = Figure::new(template, design);
    for (link, points) in chain.links.iter().zip(points) {
        let tube = &body.tubes[link.tube];
        let row_len = 4 * link.patch_count;
        let start = format!("{}/", tube.name);
        design.offsets.retain(|key, _| !key.starts_with(&start));
        for (place, &ring) in tube.rings.iter().enumerate().skip(1) {
            let row = &points[4 * place * row_len..(4 * place + 1) * row_len];
            let found = &body.rings[ring];
            let text = &template.text().rings[template.layout.rings[ring].text];
            let bone = &figure.bones[found.bone];
            let center = (row.iter().sum::<DVec3>() / row_len as f64).with_x(0.0);
            let extent =
                |axis: DVec3| row.iter().map(|&at| (at - center).dot(axis).abs()).fold(0.0, f64::max) * 2.0;
            let change = RingChange {
                front: Some(extent(found.ring.frame.e1)),
                side: Some(extent(found.ring.frame.e2)),
                shift: Some(bone.listed_from(center - bone.point(text.at))),
                ..RingChange::default()
            };
            design.rings.insert(found.name.clone(), Sided::Both(change));
        }
    }
    for (link, points) in chain.links.iter().zip(points) {
        let tube = &body.tubes[link.tube];
        let row_len = 4 * link.patch_count;
        let plain = tube_before_repair(template, design, link.tube);
        let tip_rows = usize::from(tube.tip.is_some());
        for row in 2..tube.tube.row_count() - tip_rows {
            let bay = (row / 4).min(tube.bays.len() - 1);
            let bone = &figure.bones[tube.row_bone(body, row)];
            for column in 0..row_len {
                if mirrored(link.patch_count, column) < column {
                    continue;
                }
                let offset = bone.listed_from(points[row * row_len + column] - plain[row * row_len + column]);
                let key = format!("{}/{}/{}/{column}", tube.name, tube.bays[bay], row - 4 * bay);
                design.offsets.insert(key, Sided::Both(offset));
            }
        }
    }
}
