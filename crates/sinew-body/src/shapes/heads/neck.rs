//! Joins a head to the tube of a neck.

use super::HeadBasis;
use crate::{Edge, Patch, Side, Tube};
use glam::DVec3;

/// The least distance along the neck from the cut to the head's own lines, as a share of the neck's length. Too small: the collar turns
/// the neck's direction into the head's within a few mm; too large: the neck keeps less than its base.
const COLLAR: f64 = 0.3;
/// Legs of the collar over its mean height: those of a straight patch with even speed.
const LEGS: f64 = 0.25;
/// Where the neck is cut at least, and steps of the search.
const LEAST: f64 = 0.15;
const STEPS: usize = 50;

impl HeadBasis {
    /// Cuts a neck of one bay below the head and sets the head's open ring to the cut: its patches then go on smoothly. The neck leads up
    /// and has half as many patches round as the head's open ring has edges. Returns what is left of it, with twice as many patches.
    ///
    /// # Panics
    /// If the numbers of patches do not match, or if the list of slots is too short.
    pub fn join_neck(&self, neck: &Tube, slots: &mut [DVec3]) -> Tube {
        let border = self.net.border();
        assert_eq!(2 * neck.patch_count(), border.len(), "two edges of the head for each patch of the neck");
        let patches = self.net.patches(slots);
        // The side across from the border lies on the head's own line.
        let lines: Vec<DVec3> = border.iter().map(|&(patch, side)| across(&patches[patch], side)).collect();
        let round = neck.split_round();
        let turn = turn(&round, &lines);
        let w = cut(&round, &lines, turn);
        let below = round.split_bay(0, w);
        let mut edges: Vec<Edge> =
            (0..border.len()).map(|k| below.patch(0, (k + turn) % border.len()).edge(Side::W1)).collect();
        let height: f64 =
            edges.iter().zip(&lines).map(|(edge, line)| edge.curve.at(0.5).distance(*line)).sum();
        let leg: f64 = edges.iter().map(|edge| edge.legs.at(0.5).length()).sum();
        for edge in &mut edges {
            edge.legs = edge.legs.map(|found| -LEGS * height / leg * found);
        }
        self.net.join(&edges, slots);
        let mut kept = Tube::new(round.patch_count(), 1);
        (0..5).for_each(|row| kept.row_mut(row).copy_from_slice(below.row(row)));
        kept
    }
}

/// The middle of the side across from a side.
fn across(patch: &Patch, side: Side) -> DVec3 {
    let (u, w) = side.parameters(0.5);
    if side.fixes_u() { patch.position(1.0 - u, w) } else { patch.position(u, 1.0 - w) }
}

/// The middle of an arc of the tube at w.
fn point(tube: &Tube, arc: usize, w: f64) -> DVec3 {
    tube.patch(0, arc % tube.patch_count()).position(0.5, w)
}

/// The arc of the tube that meets the head's first edge.
fn turn(tube: &Tube, lines: &[DVec3]) -> usize {
    let far = |turn: &usize| -> f64 {
        lines.iter().enumerate().map(|(k, line)| line.distance_squared(point(tube, k + turn, 1.0))).sum()
    };
    (0..lines.len()).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or_default()
}

/// The highest w whose ring is far enough below the head's lines.
fn cut(tube: &Tube, lines: &[DVec3], turn: usize) -> f64 {
    let center = |w: f64| (0..lines.len()).map(|k| point(tube, k, w)).sum::<DVec3>() / lines.len() as f64;
    let along = center(1.0) - center(0.0);
    let gap = |w: f64| {
        let gaps = lines.iter().enumerate().map(|(k, line)| (*line - point(tube, k + turn, w)).dot(along));
        gaps.fold(f64::MAX, f64::min) / along.length_squared()
    };
    let places = (0..STEPS).map(|step| 0.95 - (0.95 - LEAST) * step as f64 / (STEPS - 1) as f64);
    places.into_iter().find(|&w| gap(w) >= COLLAR).unwrap_or(LEAST)
}
