//! The open ring of a net, which takes curve and legs from what it is joined to.

use super::form::Form;
use super::layout::Dart;
use super::node::Node;
use super::seam::{Seam, cubic_middle_of};
use super::whole::Whole;
use crate::Edge;
use glam::DVec3;

/// A slot with the factor it has in a vector.
type Term = (u32, f64);

/// The slots of an edge on the border. The net lies on its left, or on its right if it is run backward.
#[derive(Clone, Debug)]
pub(super) struct BorderEdge {
    dart: Dart,
    places: [Term; 2],
    /// Of the legs along the edge at both ends, away from them.
    along: [Term; 2],
    /// Of the first and last leg into the net.
    inward: [Term; 2],
    twists: [Term; 2],
    bulge: Term,
    cross: Term,
}

/// The edges of the border in order, with the net on the left, from one in the middle plane on.
pub(super) fn of(whole: &Whole, nodes: &[Node], seams: &[Seam], pairs: &[(u32, f64)]) -> Vec<BorderEdge> {
    let is_border = |edge: &usize| {
        [true, false].iter().any(|&is_forward| whole.face_left_of(Dart { edge: *edge, is_forward }).is_none())
    };
    let mut all = Vec::new();
    for edge in (0..whole.listed_edges()).filter(is_border) {
        let dart = Dart { edge, is_forward: true };
        let on_left = whole.face_left_of(dart).is_some();
        let own = listed(whole, nodes, &seams[edge], (dart, on_left));
        // Seen from the mirror image the net lies on the other side.
        let image = Dart { edge: whole.mirrored_dart(dart).edge, is_forward: !on_left };
        all.push(BorderEdge { dart: image, ..own.mirrored(pairs) });
        all.push(BorderEdge { dart: Dart { is_forward: on_left, ..dart }, ..own });
    }
    let mut ordered: Vec<BorderEdge> = Vec::new();
    let first = all.iter().position(|edge| whole.is_middle_node(whole.start(edge.dart)));
    let mut next = first;
    while let Some(place) = next {
        let edge = all.swap_remove(place);
        let end = whole.start(edge.dart.reversed());
        ordered.push(edge);
        next = all.iter().position(|edge| whole.start(edge.dart) == end);
    }
    ordered
}

fn only(form: &Form) -> Term {
    form.terms().first().copied().unwrap_or_default()
}

fn listed(whole: &Whole, nodes: &[Node], seam: &Seam, (dart, on_left): (Dart, bool)) -> BorderEdge {
    let ends = [dart, dart.reversed()];
    let node = ends.map(|end| &nodes[whole.start(end)]);
    let across = [node[0].across(ends[0], on_left), node[1].across(ends[1], !on_left)];
    BorderEdge {
        dart,
        places: node.map(|node| (node.place, 1.0)),
        along: [0, 1].map(|k| only(&node[k].leg(ends[k]))),
        inward: [0, 1].map(|k| only(&across[k][0])),
        twists: [0, 1].map(|k| only(&(&across[k][1] - &across[k][0]))),
        bulge: (seam.bulge, 1.0),
        cross: (seam.cross.unwrap_or(seam.bulge), if seam.cross.is_some() { 1.0 } else { 0.0 }),
    }
}

impl BorderEdge {
    fn mirrored(&self, pairs: &[(u32, f64)]) -> BorderEdge {
        let image = |(slot, by): Term| {
            let (pair, sign) = pairs[slot as usize];
            (pair, sign * by)
        };
        BorderEdge {
            dart: self.dart,
            places: self.places.map(image),
            along: self.along.map(image),
            inward: self.inward.map(image),
            twists: self.twists.map(image),
            bulge: image(self.bulge),
            cross: image(self.cross),
        }
    }

    /// All slots that [`BorderEdge::set`] changes.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        let at_ends = [self.places, self.along, self.inward, self.twists].into_iter().flatten();
        let terms = at_ends.chain([self.bulge, self.cross]);
        terms.filter(|(_, by)| *by != 0.0).map(|(slot, _)| slot)
    }

    /// Whether the wire runs with the net on its left.
    pub(super) fn is_forward(&self) -> bool {
        self.dart.is_forward
    }

    /// Index of the wire in the net's topology.
    pub(super) fn wire(&self) -> usize {
        self.dart.edge
    }

    /// Sets the slots so that the edge and its legs are those given, which run with the net on the left.
    pub(super) fn set(&self, edge: &Edge, slots: &mut [DVec3]) {
        let Edge { curve, legs } = if self.dart.is_forward { *edge } else { edge.reversed() };
        let mut put = |(slot, by): Term, value: DVec3| {
            if by != 0.0 {
                slots[slot as usize] = value / by;
            }
        };
        for (end, at, next) in [(0, 0, 1), (1, 4, 3)] {
            put(self.places[end], curve.0[at]);
            put(self.along[end], curve.0[next] - curve.0[at]);
            put(self.inward[end], legs.0[at]);
            put(self.twists[end], legs.0[next] - legs.0[at]);
        }
        put(self.bulge, curve.0[2] - cubic_middle_of(&curve));
        put(self.cross, legs.0[2] - cubic_middle_of(&legs));
    }
}
