//! Measures how well two patches meet.

use crate::{Patch, Side};

/// Gap and normal jump along a shared edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeGap {
    /// Largest distance between both edges, m.
    pub gap_m: f64,
    /// Largest angle between both outward normals, °.
    pub jump_deg: f64,
}

impl EdgeGap {
    /// The maximum of each number.
    pub fn worst(self, other: EdgeGap) -> EdgeGap {
        EdgeGap { gap_m: self.gap_m.max(other.gap_m), jump_deg: self.jump_deg.max(other.jump_deg) }
    }
}

/// Compares two edges at `samples` places each, including their ends. An edge is reversed if that matches the ends better. Normals of
/// degenerate places are those of [`Patch::normal`].
///
/// # Panics
/// If `samples` is less than two.
pub fn compare_edges(first: (&Patch, Side), second: (&Patch, Side), samples: usize) -> EdgeGap {
    assert!(samples >= 2, "an edge has two ends");
    let (curve, other) = (first.0.edge(first.1).curve, second.0.edge(second.1).curve);
    let apart = |k: usize, l: usize| curve.0[k].distance(other.0[l]);
    // Whether the ends match better if one is reversed.
    let is_reversed = apart(0, 4) + apart(4, 0) < apart(0, 0) + apart(4, 4);
    let normal = |(patch, side): (&Patch, Side), t: f64| {
        let (u, w) = side.parameters(t);
        patch.normal(u, w)
    };
    let mut found = EdgeGap::default();
    for sample in 0..samples {
        let t = sample as f64 / (samples - 1) as f64;
        let s = if is_reversed { 1.0 - t } else { t };
        let (normal, across) = (normal(first, t), normal(second, s));
        // atan2 keeps small angles; acos loses them.
        let angle = normal.cross(across).length().atan2(normal.dot(across));
        let gap_m = curve.at(t).distance(other.at(s));
        found = found.worst(EdgeGap { gap_m, jump_deg: angle.to_degrees() });
    }
    found
}
