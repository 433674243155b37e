//! Moves places along the surface to where their targets are nearest.

use super::super::Patchwork;
use super::Place;
use crate::Patch;
use glam::DVec3;

/// Places that may move: those on edges along them, those in faces freely within their face.
#[derive(Clone, Debug)]
pub struct Relaxation {
    /// For each patch of a fill those that follow and precede it; none for Bézier patches.
    neighbors: Vec<Option<[usize; 2]>>,
}

/// Places keep this distance from edges, and edges' places from nodes, in parameters.
const MARGIN: f64 = 1e-3;
/// The longest step, in parameters.
const LIMIT: f64 = 0.1;

impl Relaxation {
    /// For the places of a net.
    #[must_use]
    pub fn new(net: &Patchwork) -> Self {
        let mut neighbors = vec![None; net.patch_count()];
        for face in 0..net.face_count() {
            let patches = net.patches_of(face);
            let count = patches.len();
            if count > 1 {
                for (k, patch) in patches.clone().enumerate() {
                    let at = |k: usize| patches.start + k % count;
                    neighbors[patch] = Some([at(k + 1), at(k + count - 1)]);
                }
            }
        }
        Relaxation { neighbors }
    }

    /// One step of each place toward its target.
    ///
    /// # Panics
    /// If there are fewer targets than places, or fewer patches than in the net.
    pub fn step(&self, patches: &[Patch], targets: &[DVec3], places: &mut [Place]) {
        for (place, target) in places.iter_mut().zip(targets) {
            self.move_one(patches, *target, place);
        }
    }

    fn move_one(&self, patches: &[Patch], target: DVec3, place: &mut Place) {
        let is_border = |x: f64| x == 0.0 || (x == 1.0 && self.neighbors[place.patch].is_none());
        let (holds_u, holds_w) = (is_border(place.u), is_border(place.w));
        let jet = patches[place.patch].jet(place.u, place.w);
        let missed = target - jet.position;
        let (du, dw) = match (holds_u, holds_w) {
            (true, true) => return,
            (true, false) => (0.0, along(missed, jet.dw)),
            (false, true) => (along(missed, jet.du), 0.0),
            (false, false) => both(missed, jet.du, jet.dw),
        };
        let step = |x: f64, by: f64, holds: bool| {
            if holds { x } else { (x + by.clamp(-LIMIT, LIMIT)).clamp(MARGIN, 1.0 - MARGIN) }
        };
        let (u, w) = (step(place.u, du, holds_u), step(place.w, dw, holds_w));
        *place = Place { u, w, ..*place };
        let Some([next, previous]) = self.neighbors[place.patch] else { return };
        // Across a spoke: u = 1 of one patch is w = 1 of the next. Along a side, u = 1 goes on at the next one's u = 0.
        if !holds_u && u + du >= 1.0 && u >= 1.0 - MARGIN {
            *place = Place { patch: next, u: if holds_w { 0.0 } else { w }, w: 1.0 - MARGIN };
        } else if !holds_w && w + dw >= 1.0 && w >= 1.0 - MARGIN {
            *place = Place { patch: previous, u: 1.0 - MARGIN, w: if holds_u { 0.0 } else { u } };
        }
    }
}

fn along(missed: DVec3, direction: DVec3) -> f64 {
    missed.dot(direction) / direction.length_squared().max(f64::MIN_POSITIVE)
}

/// The step in u and w that comes nearest to a vector.
fn both(missed: DVec3, du: DVec3, dw: DVec3) -> (f64, f64) {
    let (a, b, c) = (du.length_squared(), du.dot(dw), dw.length_squared());
    let det = a * c - b * b;
    if det <= 1e-9 * a * c {
        return (0.0, 0.0);
    }
    let (p, q) = (missed.dot(du), missed.dot(dw));
    ((c * p - b * q) / det, (a * q - b * p) / det)
}
