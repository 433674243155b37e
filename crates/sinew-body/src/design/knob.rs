//! The free values of a net between tubes.

use super::unfold::Sides;
use crate::body::{Body, NetVertex};
use crate::template::Flank;
use glam::DVec3;
use std::f64::consts::TAU;

/// A free value and the way in which it changes: the patches beside it are linear in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knob {
    part: Part,
    way: DVec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Center {
        fill: usize,
    },
    /// The cosine or sine part of a fill's star.
    StarCosine {
        fill: usize,
    },
    StarSine {
        fill: usize,
    },
    Spoke {
        fill: usize,
        spoke: usize,
    },
    Across {
        fill: usize,
        spoke: usize,
        leg: usize,
    },
    Middle {
        fill: usize,
        corner: usize,
    },
    EdgeMiddle {
        edge: usize,
    },
    EdgeLeg {
        edge: usize,
        leg: usize,
    },
    NodePlace {
        node: usize,
    },
    NodeLeg {
        node: usize,
        line: usize,
    },
}

/// All free values of some fills, edges and nodes.
pub(super) fn knobs_of(
    body: &Body,
    sides: Sides,
    fills: &[usize],
    edges: &[usize],
    nodes: &[usize],
) -> Vec<Knob> {
    let mut knobs = Vec::new();
    let mut add = |part: Part, ways: &[DVec3]| knobs.extend(ways.iter().map(|&way| Knob { part, way }));
    for &fill in fills {
        inside(body, fill).into_iter().for_each(|part| add(part, &DVec3::AXES));
    }
    // In the middle of a body whose sides are alike edges stay in the middle plane, and legs lead straight across it.
    let is_mirrored = |flank: Flank| sides == Sides::Alike && flank == Flank::Middle;
    for &edge in edges {
        let [along, across] = match is_mirrored(body.edges[edge].flank) {
            true => [&DVec3::AXES[1..], &DVec3::AXES[..1]],
            false => [&DVec3::AXES[..]; 2],
        };
        add(Part::EdgeMiddle { edge }, along);
        (0..3).for_each(|leg| add(Part::EdgeLeg { edge, leg }, across));
    }
    for &node in nodes.iter().filter(|&&node| sides.has(body.nodes[node].flank)) {
        let found = &body.nodes[node];
        let is_mirrored = is_mirrored(found.flank);
        add(Part::NodePlace { node }, &DVec3::AXES[usize::from(is_mirrored)..]);
        for (line, ends) in found.through.iter().enumerate() {
            let along = body.leg(NetVertex::Node(node), ends[0]).normalize_or_zero();
            let ways = [along, found.normal.cross(along)];
            add(Part::NodeLeg { node, line }, if is_mirrored { &ways[..1] } else { &ways });
        }
    }
    knobs
}

/// The free values inside a fill, along one way.
pub(super) fn inside_knobs(body: &Body, fill: usize, way: DVec3) -> Vec<Knob> {
    inside(body, fill).into_iter().map(|part| Knob { part, way }).collect()
}

fn inside(body: &Body, fill: usize) -> Vec<Part> {
    let mut parts = vec![Part::Center { fill }, Part::StarCosine { fill }, Part::StarSine { fill }];
    for spoke in 0..body.fills[fill].sides.len() {
        parts.push(Part::Spoke { fill, spoke });
        parts.extend((0..3).map(|leg| Part::Across { fill, spoke, leg }));
        parts.push(Part::Middle { fill, corner: spoke });
    }
    parts
}

impl Knob {
    /// Turns it, and recomputes the edges.
    pub(super) fn turn(&self, body: &mut Body, by: f64) {
        self.add(body, by);
        if matches!(self.part, Part::EdgeMiddle { .. } | Part::NodePlace { .. } | Part::NodeLeg { .. }) {
            body.update_edges();
        }
    }

    /// Changes the value alone.
    pub(super) fn add(&self, body: &mut Body, by: f64) {
        let by = by * self.way;
        match self.part {
            Part::Center { fill } => body.fills[fill].shape.center_offset += by,
            Part::StarCosine { fill } => add_star(body, fill, by, f64::cos),
            Part::StarSine { fill } => add_star(body, fill, by, f64::sin),
            Part::Spoke { fill, spoke } => body.fills[fill].spoke_offsets[spoke].bulge += by,
            Part::Across { fill, spoke, leg } => body.fills[fill].spoke_offsets[spoke].across[leg] += by,
            Part::Middle { fill, corner } => body.fills[fill].middle_offsets[corner] += by,
            Part::EdgeMiddle { edge } => body.edges[edge].bulge += by,
            Part::EdgeLeg { edge, leg } => body.edges[edge].legs[leg] += by,
            Part::NodePlace { node } => body.nodes[node].position += by,
            Part::NodeLeg { node, line } => body.nodes[node].leg_offsets[line] += by,
        }
    }
}

/// A change of a star that keeps it regular.
fn add_star(body: &mut Body, fill: usize, by: DVec3, wave: fn(f64) -> f64) {
    let offsets = &mut body.fills[fill].spoke_offsets;
    let step = TAU / offsets.len() as f64;
    offsets.iter_mut().enumerate().for_each(|(k, offset)| offset.star += wave(step * k as f64) * by);
}
