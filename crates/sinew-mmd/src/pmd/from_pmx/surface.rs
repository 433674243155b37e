//! Vertices, with at most two bones each, and triangles.

use super::super::types::PmdVertex;
use super::warn_count;
use crate::pmx::{Pmx, PmxWeight};
use sinew_io::Report;

/// A percentage that differs from its weight by more than this counts as rounded.
const WEIGHT_TOLERANCE: f32 = 1e-4;

/// Number of vertices per kind of loss.
#[derive(Default)]
struct Losses {
    sdef: usize,
    qdef: usize,
    bones: usize,
    missing_bones: usize,
    rounded: usize,
    edge_scales: usize,
}

pub(super) fn vertices(pmx: &Pmx, report: &mut Report) -> Vec<PmdVertex> {
    let mut losses = Losses::default();
    let vertices = pmx.vertices.iter().map(|vertex| {
        let (bones, weight) = two_bones(&vertex.weight, &mut losses);
        let weight_percent = (weight * 100.0).round().clamp(0.0, 100.0) as u8;
        let is_rounded = (f32::from(weight_percent) / 100.0 - weight).abs() > WEIGHT_TOLERANCE;
        losses.rounded += usize::from(is_rounded);
        losses.edge_scales += usize::from(vertex.edge_scale != 0.0 && vertex.edge_scale != 1.0);
        PmdVertex {
            position: vertex.position,
            normal: vertex.normal,
            uv: vertex.uv,
            bones,
            weight_percent,
            edge: u8::from(vertex.edge_scale == 0.0),
        }
    });
    let vertices = vertices.collect();
    for (count, what) in [
        (losses.sdef, "use SDEF (spherical); now linear"),
        (losses.qdef, "use QDEF (dual quaternions); now linear"),
        (losses.bones, "have more than two bones; the two heaviest are kept"),
        (losses.missing_bones, "have bones that do not exist; their other bone, or the first, moves them"),
        (losses.rounded, "have weights rounded to percent"),
        (losses.edge_scales, "have their own outline width; now the common one"),
    ] {
        warn_count(report, "vertices", count, what);
    }
    vertices
}

/// Two bones and the weight of the first.
fn two_bones(weight: &PmxWeight, losses: &mut Losses) -> ([u16; 2], f32) {
    match *weight {
        PmxWeight::Bdef1(bone) => heaviest(&[(bone, 1.0)], losses),
        PmxWeight::Bdef2 { bones: [a, b], weight } => heaviest(&[(a, weight), (b, 1.0 - weight)], losses),
        PmxWeight::Sdef { bones: [a, b], weight, .. } => {
            losses.sdef += 1;
            heaviest(&[(a, weight), (b, 1.0 - weight)], losses)
        }
        PmxWeight::Bdef4 { bones, weights } | PmxWeight::Qdef { bones, weights } => {
            losses.qdef += usize::from(matches!(weight, PmxWeight::Qdef { .. }));
            let pairs: [(i32, f32); 4] = std::array::from_fn(|slot| (bones[slot], weights[slot]));
            heaviest(&pairs, losses)
        }
    }
}

/// The two heaviest bones, in the order of the file, and the share of the first.
fn heaviest(pairs: &[(i32, f32)], losses: &mut Losses) -> ([u16; 2], f32) {
    let mut chosen: Vec<(usize, u16, f32)> = Vec::with_capacity(pairs.len());
    let mut is_missing = false;
    for (slot, &(bone, weight)) in pairs.iter().enumerate() {
        let has_weight = weight > 0.0;
        match u16::try_from(bone) {
            Ok(bone) if has_weight => chosen.push((slot, bone, weight)),
            Err(_) if has_weight => is_missing = true,
            _ => {}
        }
    }
    losses.missing_bones += usize::from(is_missing);
    losses.bones += usize::from(chosen.len() > 2);
    chosen.sort_by(|a, b| b.2.total_cmp(&a.2));
    chosen.truncate(2);
    chosen.sort_by_key(|&(slot, ..)| slot);
    match chosen[..] {
        [] => ([0, 0], 1.0),
        [(_, bone, _)] => ([bone, bone], 1.0),
        [(_, a, weight), (_, b, other), ..] => ([a, b], share(weight, other)),
    }
}

fn share(weight: f32, other: f32) -> f32 {
    let sum = weight + other;
    if sum.is_finite() { weight / sum } else { 0.5 }
}

pub(super) fn indices(pmx: &Pmx, report: &mut Report) -> Vec<u16> {
    let mut past_end = 0;
    let mut index = |vertex: u32| {
        u16::try_from(vertex).unwrap_or_else(|_| {
            past_end += 1;
            0
        })
    };
    let indices = pmx.faces.as_flattened().iter().map(|&vertex| index(vertex)).collect();
    warn_count(report, "faces", past_end, "indices are out of range; using the first vertex");
    indices
}
