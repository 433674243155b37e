//! Wires of a net: who shares which edge.

use super::layout::Dart;
use super::whole::Whole;
use crate::body::{Topology, Wire, WireUse};
use crate::g1::EdgeGap;
use crate::{Patch, Side};

/// The topology of a net whose face `k` has its patches from `first_patches[k]` on.
pub(super) fn of(whole: &Whole, first_patches: &[usize], patch_count: usize) -> Topology {
    let mut topology = Topology {
        patch_sides: vec![[None; 4]; patch_count],
        patch_corners: vec![[0; 4]; patch_count],
        corner_count: whole.node_count,
        ..Topology::default()
    };
    let wire = |ends: [usize; 2]| Wire { ends, middle: None, is_spoke: false, uses: Vec::new() };
    topology.wires = whole.ends.iter().map(|&ends| wire(ends)).collect();
    for (face, sides) in whole.faces.iter().enumerate() {
        match sides.len() {
            4 => add_bezier(&mut topology, sides, first_patches[face]),
            _ => add_fill(&mut topology, sides, first_patches[face]),
        }
    }
    topology
}

fn add_bezier(topology: &mut Topology, sides: &[Dart], patch: usize) {
    // Sides 2 and 3 run against u and w.
    let places = [(Side::W0, false), (Side::U1, false), (Side::W1, true), (Side::U0, true)];
    for (dart, (side, is_against)) in sides.iter().zip(places) {
        let (start, end) = if dart.is_forward == is_against { (1.0, 0.0) } else { (0.0, 1.0) };
        connect(topology, (patch, side), (dart.edge, start, end));
    }
}

fn add_fill(topology: &mut Topology, sides: &[Dart], first: usize) {
    let count = sides.len();
    let center = topology.corner_count;
    topology.corner_count += 1;
    for dart in sides {
        let wire = &mut topology.wires[dart.edge];
        wire.middle = wire.middle.or_else(|| {
            topology.corner_count += 1;
            Some(topology.corner_count - 1)
        });
    }
    for (k, dart) in sides.iter().enumerate() {
        let at = |t: f64| if dart.is_forward { t } else { 1.0 - t };
        let (patch, next) = (first + k, first + (k + 1) % count);
        connect(topology, (patch, Side::W0), (dart.edge, at(0.0), at(0.5)));
        connect(topology, (next, Side::U0), (dart.edge, at(1.0), at(0.5)));
        let middle = topology.wires[dart.edge].middle.unwrap_or(center);
        let spoke = topology.wires.len();
        topology.wires.push(Wire { ends: [middle, center], middle: None, is_spoke: true, uses: Vec::new() });
        connect(topology, (patch, Side::U1), (spoke, 0.0, 1.0));
        connect(topology, (next, Side::W1), (spoke, 0.0, 1.0));
    }
}

fn connect(topology: &mut Topology, (patch, side): (usize, Side), (wire, start, end): (usize, f64, f64)) {
    topology.wires[wire].uses.push(WireUse { patch, side, start, end });
    topology.patch_sides[patch][side as usize] = Some((wire, start, end));
    let Wire { ends, middle, .. } = topology.wires[wire];
    let ends = [start, end].map(|t| match (t, middle) {
        (0.0, _) => ends[0],
        (1.0, _) => ends[1],
        (_, middle) => middle.unwrap_or(ends[0]),
    });
    for (corner, found) in side.corners().into_iter().zip(ends) {
        topology.patch_corners[patch][corner] = found;
    }
}

/// Gaps and jumps of normals between the patches along all wires.
pub(super) fn compare(topology: &Topology, patches: &[Patch], samples: usize) -> EdgeGap {
    assert!(samples >= 2, "an edge has two ends");
    let mut found = EdgeGap::default();
    for wire in &topology.wires {
        for sample in 0..samples {
            let t = sample as f64 / (samples - 1) as f64;
            let mut first = None;
            for covering in wire.uses_at(t) {
                let own = covering.parameter_at(t).unwrap_or_default();
                let (u, w) = covering.side.parameters(own);
                let patch = &patches[covering.patch];
                let (position, normal) = (patch.position(u, w), patch.normal(u, w));
                let (first_position, first_normal) = *first.get_or_insert((position, normal));
                // atan2 keeps small angles; acos loses them.
                let sine = normal.cross(first_normal).length();
                let jump_deg = sine.atan2(normal.dot(first_normal)).to_degrees();
                found = found.worst(EdgeGap { gap_m: position.distance(first_position), jump_deg });
            }
        }
    }
    found
}
