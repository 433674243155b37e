//! The edges and corners where patches meet.

use super::{Body, BodyHead, FillSide, NetVertex};
use crate::Side;

/// A patch side along a wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WireUse {
    /// Index into the body's patches.
    pub patch: usize,
    /// The patch's side along the wire.
    pub side: Side,
    /// The wire's parameter at the start of the side.
    pub start: f64,
    /// The wire's parameter at the end of the side.
    pub end: f64,
}

/// A curve where patches meet: on each side one patch, or two with a half each.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Corners at its ends.
    pub ends: [usize; 2],
    /// The corner at its middle, if a side has two patches.
    pub middle: Option<usize>,
    /// Whether it leads from the middle of a side to the center of a fill.
    pub is_spoke: bool,
    /// The patches along it.
    pub uses: Vec<WireUse>,
}

/// Shared edges and corners of all patches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// Every curve where patches meet.
    pub wires: Vec<Wire>,
    /// Points where wires end or are halved.
    pub corner_count: usize,
    /// For each patch the wires of its sides in the order of [`Side::ALL`], with their parameters at the side's start and end; `None`
    /// for a side collapsed to a point.
    pub patch_sides: Vec<[Option<(usize, f64, f64)>; 4]>,
    /// For each patch its corners at (u, w) = (0,0), (1,0), (0,1), (1,1).
    pub patch_corners: Vec<[usize; 4]>,
}

impl WireUse {
    /// The side's own parameter at the wire's parameter `t`, if the use covers it.
    pub fn parameter_at(&self, t: f64) -> Option<f64> {
        let (low, high) = (self.start.min(self.end), self.start.max(self.end));
        (low..=high).contains(&t).then(|| (t - self.start) / (self.end - self.start))
    }
}

impl Topology {
    /// Corners − edges + patches: two for a closed body without holes.
    pub fn euler_characteristic(&self) -> i64 {
        let edges: usize = self.wires.iter().map(|wire| if wire.middle.is_some() { 2 } else { 1 }).sum();
        self.corner_count as i64 - edges as i64 + self.patch_sides.len() as i64
    }

    /// Wires without a patch on each side along their whole length.
    pub fn open_wire_count(&self) -> usize {
        let is_closed = |wire: &&Wire| [0.25, 0.75].iter().all(|&t| wire.uses_at(t).count() == 2);
        self.wires.len() - self.wires.iter().filter(is_closed).count()
    }
}

impl Wire {
    /// The uses that cover the parameter `t`.
    pub fn uses_at(&self, t: f64) -> impl Iterator<Item = &WireUse> {
        self.uses.iter().filter(move |found| found.parameter_at(t).is_some())
    }
}

/// Wires and corners of one tube: `[ring][corner]`.
struct TubeWires {
    corners: Vec<Vec<usize>>,
    rings: Vec<Vec<(usize, f64, f64)>>,
}

impl Topology {
    /// The topology of a body, from the connections of its parts.
    pub(crate) fn of(body: &Body) -> Self {
        let mut topology = Topology {
            patch_sides: vec![[None; 4]; body.patches.len()],
            patch_corners: vec![[0; 4]; body.patches.len()],
            ..Topology::default()
        };
        let mut tubes: Vec<TubeWires> = Vec::new();
        for tube in 0..body.tubes.len() {
            let wires = topology.add_tube(body, tube, &tubes);
            tubes.push(wires);
        }
        let nodes: Vec<usize> = body.nodes.iter().map(|_| topology.corner()).collect();
        let vertex = |vertex: NetVertex| match vertex {
            NetVertex::Corner { end, corner } => {
                tubes[body.ends[end].tube].corners[ring_at(body, end)][corner]
            }
            NetVertex::Node(node) => nodes[node],
        };
        let edges: Vec<usize> = body
            .edges
            .iter()
            .map(|edge| topology.wire([vertex(edge.from), vertex(edge.to)], false))
            .collect();
        for fill in 0..body.fills.len() {
            topology.add_fill(body, fill, &edges, &tubes, &vertex);
        }
        if let Some(head) = &body.head {
            topology.add_head(head, &tubes[head.tube]);
        }
        topology
    }

    /// The net's own wires and corners, but those of its border: these are halves of the tube's last arcs.
    fn add_head(&mut self, head: &BodyHead, tube: &TubeWires) {
        let net = head.net.topology();
        let Some(ring) = tube.rings.last() else { return };
        let mut corners: Vec<Option<usize>> = vec![None; net.corner_count];
        let mut wires: Vec<Option<(usize, f64, f64)>> = vec![None; net.wires.len()];
        let count = head.net.border().len();
        for (k, (wire, is_forward)) in head.net.border_wires().enumerate() {
            let place = (k + head.turn) % count;
            let start = 0.5 * (place % 2) as f64;
            let ends = if is_forward { [start, start + 0.5] } else { [start + 0.5, start] };
            let on = ring[place / 2].0;
            wires[wire] = Some((on, ends[0], ends[1]));
            for (corner, t) in net.wires[wire].ends.into_iter().zip(ends) {
                corners[corner] = Some(self.corner_on(on, t));
            }
        }
        let corners: Vec<usize> =
            corners.into_iter().map(|found| found.unwrap_or_else(|| self.corner())).collect();
        for (wire, found) in net.wires.iter().zip(&mut wires).filter(|(_, found)| found.is_none()) {
            let own = self.wire(wire.ends.map(|corner| corners[corner]), wire.is_spoke);
            self.wires[own].middle = wire.middle.map(|corner| corners[corner]);
            *found = Some((own, 0.0, 1.0));
        }
        for (patch, sides) in net.patch_sides.iter().enumerate() {
            for (side, found) in Side::ALL.into_iter().zip(sides) {
                let Some((wire, start, end)) = *found else { continue };
                let Some((own, from, to)) = wires[wire] else { continue };
                let along = |t: f64| from + t * (to - from);
                self.connect(head.first_patch + patch, side, (own, along(start), along(end)));
            }
        }
    }

    fn corner(&mut self) -> usize {
        self.corner_count += 1;
        self.corner_count - 1
    }

    fn wire(&mut self, ends: [usize; 2], is_spoke: bool) -> usize {
        self.wires.push(Wire { ends, middle: None, is_spoke, uses: Vec::new() });
        self.wires.len() - 1
    }

    fn corner_on(&mut self, wire: usize, t: f64) -> usize {
        let Wire { ends, middle, .. } = self.wires[wire];
        match (t, middle) {
            (0.0, _) => ends[0],
            (1.0, _) => ends[1],
            (_, Some(middle)) => middle,
            (_, None) => {
                let middle = self.corner();
                self.wires[wire].middle = Some(middle);
                middle
            }
        }
    }

    fn connect(&mut self, patch: usize, side: Side, (wire, start, end): (usize, f64, f64)) {
        self.wires[wire].uses.push(WireUse { patch, side, start, end });
        self.patch_sides[patch][side as usize] = Some((wire, start, end));
        let ends = [self.corner_on(wire, start), self.corner_on(wire, end)];
        for (corner, found) in side.corners().into_iter().zip(ends) {
            self.patch_corners[patch][corner] = found;
        }
    }

    fn add_tube(&mut self, body: &Body, index: usize, tubes: &[TubeWires]) -> TubeWires {
        let tube = &body.tubes[index];
        let (count, bays) = (tube.tube.patch_count(), tube.tube.bay_count());
        let open_rings = if tube.tip.is_some() { bays } else { bays + 1 };
        let mut wires = TubeWires { corners: Vec::new(), rings: Vec::new() };
        for ring in 0..open_rings {
            let taken = tube.continues.filter(|_| ring == 0);
            let arcs: Vec<(usize, f64, f64)> = match taken.and_then(|before| tubes[before].rings.last()) {
                Some(last) => {
                    let half = |k: usize| 0.5 * (k % 2) as f64;
                    (0..count).map(|k| (last[k / 2].0, half(k), half(k) + 0.5)).collect()
                }
                None => {
                    let corners: Vec<usize> = (0..count).map(|_| self.corner()).collect();
                    (0..count)
                        .map(|k| (self.wire([corners[k], corners[(k + 1) % count]], false), 0.0, 1.0))
                        .collect()
                }
            };
            let corners = arcs.iter().map(|&(wire, start, _)| self.corner_on(wire, start)).collect();
            wires.corners.push(corners);
            wires.rings.push(arcs);
        }
        if tube.tip.is_some() {
            let tip = self.corner();
            wires.corners.push(vec![tip; count]);
        }
        for bay in 0..bays {
            let seams: Vec<usize> = (0..count)
                .map(|k| self.wire([wires.corners[bay][k], wires.corners[bay + 1][k]], false))
                .collect();
            for k in 0..count {
                let patch = tube.first_patch + bay * count + k;
                self.connect(patch, Side::W0, wires.rings[bay][k]);
                self.connect(patch, Side::U0, (seams[k], 0.0, 1.0));
                self.connect(patch, Side::U1, (seams[(k + 1) % count], 0.0, 1.0));
                if let Some(arcs) = wires.rings.get(bay + 1) {
                    self.connect(patch, Side::W1, arcs[k]);
                }
            }
        }
        wires
    }

    fn add_fill(
        &mut self,
        body: &Body,
        index: usize,
        edges: &[usize],
        tubes: &[TubeWires],
        vertex: &impl Fn(NetVertex) -> usize,
    ) {
        let fill = &body.fills[index];
        let count = fill.sides.len();
        let center = self.corner();
        // Both halves of each side in the direction around the hole.
        let halves: Vec<[(usize, f64, f64); 2]> = fill
            .sides
            .iter()
            .map(|side| match *side {
                FillSide::Arc { end, arc, is_forward } => {
                    whole(tubes[body.ends[end].tube].rings[ring_at(body, end)][arc].0, is_forward)
                }
                FillSide::Edge { edge, is_forward } => whole(edges[edge], is_forward),
                FillSide::Double { end, arcs, is_forward } => arcs.map(|arc| {
                    let wire = tubes[body.ends[end].tube].rings[ring_at(body, end)][arc].0;
                    if is_forward { (wire, 0.0, 1.0) } else { (wire, 1.0, 0.0) }
                }),
            })
            .collect();
        let spoke = |&[(wire, _, end), _]: &[(usize, f64, f64); 2]| {
            let middle = self.corner_on(wire, end);
            self.wire([middle, center], true)
        };
        let spokes: Vec<usize> = halves.iter().map(spoke).collect();
        for k in 0..count {
            let (patch, before) = (fill.first_patch + k, (k + count - 1) % count);
            let (wire, start, end) = halves[before][1];
            self.connect(patch, Side::W0, halves[k][0]);
            self.connect(patch, Side::U0, (wire, end, start));
            self.connect(patch, Side::U1, (spokes[k], 0.0, 1.0));
            self.connect(patch, Side::W1, (spokes[before], 0.0, 1.0));
            debug_assert_eq!(self.patch_corners[patch][0], vertex(fill.vertices[k]), "corners agree");
        }
    }
}

fn whole(wire: usize, is_forward: bool) -> [(usize, f64, f64); 2] {
    if is_forward { [(wire, 0.0, 0.5), (wire, 0.5, 1.0)] } else { [(wire, 1.0, 0.5), (wire, 0.5, 0.0)] }
}

/// The ring of a tube's end.
fn ring_at(body: &Body, end: usize) -> usize {
    let end = &body.ends[end];
    end.end.rows(&body.tubes[end.tube].tube)[0] / 4
}
