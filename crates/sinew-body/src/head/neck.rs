//! Joins a head to the tube of a neck.

use crate::patchwork::Patchwork;
use crate::{Edge, Patch, Quartic, Side, Tube};
use glam::DVec3;

/// The least distance along the neck from the cut to the head's own lines, as a share of the neck's length. Too small: the collar turns
/// the neck's direction into the head's within a few mm; too large: the neck keeps less than its base.
const COLLAR: f64 = 0.3;
/// Legs of the collar over its mean height: those of a straight patch with even speed.
const LEGS: f64 = 0.25;
/// Where the neck is cut at least and at most, and steps of the search.
const CUTS: [f64; 2] = [0.15, 0.95];
const STEPS: usize = 16;

impl Patchwork {
    /// Sets the open border to the place where the last bay of a tube with half as many patches around is cut: its patches then go on
    /// smoothly. `kept`: the share of the bay before the cut; `turn`: the half arc of the tube that meets the border's first edge. Does not
    /// allocate.
    pub(crate) fn join_tube(&self, (tube, kept): (&Tube, f64), turn: usize, slots: &mut [DVec3]) {
        let count = self.border().len();
        let edge = |k: usize| half_arc((tube, kept), (k + turn) % count);
        let (mut height, mut leg) = (0.0, 0.0);
        for (k, line) in self.lines(slots).enumerate() {
            height += edge(k).curve.at(0.5).distance(line);
            leg += edge(k).legs.at(0.5).length();
        }
        let scale = if leg > 0.0 { LEGS * height / leg } else { 0.0 };
        let scaled = |edge: Edge| Edge { legs: edge.legs.map(|found| scale * found), ..edge };
        self.join(|k| scaled(edge(k)), slots);
    }

    /// Where to cut the only bay of a tube for the border: the highest place far enough below the net's own lines.
    pub(crate) fn cut_of(&self, tube: &Tube, turn: usize, slots: &[DVec3]) -> f64 {
        let lines: Vec<DVec3> = self.lines(slots).collect();
        let point = |k: usize, w: f64| {
            let place = (k + turn) % lines.len();
            tube.patch(0, place / 2).position(0.25 + 0.5 * (place % 2) as f64, w)
        };
        let center = |w: f64| (0..lines.len()).map(|k| point(k, w)).sum::<DVec3>() / lines.len() as f64;
        let along = center(1.0) - center(0.0);
        let gap = |w: f64| {
            let gaps = lines.iter().enumerate().map(|(k, line)| (*line - point(k, w)).dot(along));
            gaps.fold(f64::MAX, f64::min) / along.length_squared()
        };
        let [least, most] = CUTS;
        let mut above: Option<[f64; 2]> = None;
        for step in 0..STEPS {
            let w = most - (most - least) * step as f64 / (STEPS - 1) as f64;
            let found = gap(w);
            if found >= COLLAR {
                // Straight between two steps: a design that changes a little is cut a little elsewhere.
                return above.map_or(w, |[at, gap]| w + (at - w) * (found - COLLAR) / (found - gap));
            }
            above = Some([w, found]);
        }
        least
    }

    /// Middles of the net's own lines next to the border.
    fn lines(&self, slots: &[DVec3]) -> impl Iterator<Item = DVec3> {
        self.border().iter().map(|&(patch, side)| across(&self.patch(patch, slots), side))
    }
}

/// The middle of the side across from a side. That of a patch along the border does not depend on the border.
fn across(patch: &Patch, side: Side) -> DVec3 {
    let (u, w) = side.parameters(0.5);
    if side.fixes_u() { patch.position(1.0 - u, w) } else { patch.position(u, 1.0 - w) }
}

/// Half an arc of the cut through a tube's last bay, with the legs of what is left, continued.
fn half_arc((tube, kept): (&Tube, f64), place: usize) -> Edge {
    let columns = tube.patch(tube.bay_count() - 1, place / 2).net.map(|column| Quartic(column).split(kept).0);
    let ring = Quartic(columns.map(|Quartic(column)| column[4]));
    let legs = Quartic(columns.map(|Quartic(column)| column[4] - column[3]));
    let (curves, legs) = (ring.split(0.5), legs.split(0.5));
    match place % 2 {
        0 => Edge { curve: curves.0, legs: legs.0 },
        _ => Edge { curve: curves.1, legs: legs.1 },
    }
}
