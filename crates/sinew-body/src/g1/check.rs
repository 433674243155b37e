//! Measuring how well two patches meet.

use crate::{Patch, Quartic, Side};
use glam::DVec3;

/// What was found along a shared edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeGap {
    /// Largest distance between both edges, in metres.
    pub gap_m: f64,
    /// Largest angle between both outward normals, in degrees.
    pub jump_deg: f64,
}

impl EdgeGap {
    /// The worse of two findings, each number for itself.
    pub fn worst(self, other: EdgeGap) -> EdgeGap {
        EdgeGap { gap_m: self.gap_m.max(other.gap_m), jump_deg: self.jump_deg.max(other.jump_deg) }
    }
}

/// Compares two edges at `samples` places each, their ends included. The edges run the same way if their ends say so, else one is
/// reversed. Normals of degenerate places are those of [`Patch::normal`].
///
/// # Panics
/// If `samples` is less than two.
pub fn compare_edges(first: (&Patch, Side), second: (&Patch, Side), samples: usize) -> EdgeGap {
    assert!(samples >= 2, "an edge has two ends");
    let (first, second) = (Span::whole(first.0, first.1), Span::whole(second.0, second.1));
    first.compare(&second, samples)
}

/// A part of a patch's edge, between two of its parameters.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    patch: &'a Patch,
    side: Side,
    curve: Quartic,
    from: f64,
    to: f64,
}

impl<'a> Span<'a> {
    pub(super) fn whole(patch: &'a Patch, side: Side) -> Self {
        Span { patch, side, curve: patch.edge(side).curve, from: 0.0, to: 1.0 }
    }

    pub(super) fn halves(&self) -> [Self; 2] {
        let middle = 0.5 * (self.from + self.to);
        let (low, high) = self.curve.split(0.5);
        [Span { curve: low, to: middle, ..*self }, Span { curve: high, from: middle, ..*self }]
    }

    pub(super) fn is_whole(&self) -> bool {
        self.to - self.from == 1.0
    }

    pub(super) fn curve(&self) -> &Quartic {
        &self.curve
    }

    pub(super) fn compare(&self, other: &Span<'_>, samples: usize) -> EdgeGap {
        let is_reversed = runs_against(&self.curve, &other.curve);
        let mut found = EdgeGap::default();
        for sample in 0..samples {
            let t = sample as f64 / (samples - 1) as f64;
            let s = if is_reversed { 1.0 - t } else { t };
            let (normal, across) = (self.normal(t), other.normal(s));
            // atan2 keeps small angles, which acos loses.
            let angle = normal.cross(across).length().atan2(normal.dot(across));
            let gap_m = self.curve.at(t).distance(other.curve.at(s));
            found = found.worst(EdgeGap { gap_m, jump_deg: angle.to_degrees() });
        }
        found
    }

    fn normal(&self, t: f64) -> DVec3 {
        let (u, w) = self.side.parameters(self.from + t * (self.to - self.from));
        self.patch.normal(u, w)
    }
}

/// Whether the ends of two curves fit better if one is reversed.
pub(super) fn runs_against(curve: &Quartic, other: &Quartic) -> bool {
    let same = curve.0[0].distance(other.0[0]) + curve.0[4].distance(other.0[4]);
    let crossed = curve.0[0].distance(other.0[4]) + curve.0[4].distance(other.0[0]);
    crossed < same
}
