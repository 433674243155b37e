//! Looking over a whole surface: which edges meet, and how well.

use super::check::{EdgeGap, Span, runs_against};
use crate::{Patch, Side};

/// What was found on a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Pairs of edges, or of an edge and half an edge, that meet.
    pub pair_count: usize,
    /// Edges that are one point: poles.
    pub collapsed_count: usize,
    /// Edges, by number of their patch, that meet nothing over at least half their length. None on a closed surface.
    pub unpaired: Vec<(usize, Side)>,
    /// The worst of all pairs.
    pub worst: EdgeGap,
}

/// Pairs the edges of patches whose control points agree to `tolerance_m`, whole edges with whole ones, then what is left in halves,
/// because fills halve their sides; measures each pair at `samples` places.
///
/// # Panics
/// If `samples` is less than two.
pub fn survey(patches: &[Patch], samples: usize, tolerance_m: f64) -> Survey {
    assert!(samples >= 2, "an edge has two ends");
    let mut found = Survey::default();
    let all = patches.iter().enumerate().flat_map(|(number, patch)| {
        Side::ALL.map(|side| Piece { number, side, span: Span::whole(patch, side) })
    });
    let (collapsed, whole): (Vec<Piece<'_>>, Vec<Piece<'_>>) =
        all.partition(|piece| piece.is_point(tolerance_m));
    found.collapsed_count = collapsed.len();
    let left = pair_off(whole, samples, tolerance_m, &mut found);
    // A whole edge that is left may meet two halves, and its own halves are what those look for.
    let with_halves = left.iter().flat_map(|piece| {
        let [low, high] = piece.span.halves();
        [*piece, Piece { span: low, ..*piece }, Piece { span: high, ..*piece }]
    });
    let left_halves = pair_off(with_halves.collect(), samples, tolerance_m, &mut found);
    // An edge is paired if its whole is, or both its halves are.
    for piece in left {
        let forms =
            left_halves.iter().filter(|other| other.number == piece.number && other.side == piece.side);
        let (whole_count, half_count) =
            forms.fold((0, 0), |(wholes, halves), form| match form.span.is_whole() {
                true => (wholes + 1, halves),
                false => (wholes, halves + 1),
            });
        if whole_count == 1 && half_count > 0 {
            found.unpaired.push((piece.number, piece.side));
        }
    }
    found
}

#[derive(Clone, Copy)]
struct Piece<'a> {
    number: usize,
    side: Side,
    span: Span<'a>,
}

impl Piece<'_> {
    fn is_point(&self, tolerance: f64) -> bool {
        let points = self.span.curve().0;
        points.iter().all(|point| point.distance(points[0]) <= tolerance)
    }

    fn meets(&self, other: &Piece<'_>, tolerance: f64) -> bool {
        let (curve, mut across) = (self.span.curve(), *other.span.curve());
        if runs_against(curve, &across) {
            across = across.reversed();
        }
        let is_same_edge = self.number == other.number && self.side == other.side;
        !is_same_edge && curve.0.iter().zip(across.0).all(|(a, b)| a.distance(b) <= tolerance)
    }
}

/// Takes out pairs and measures them; returns what is left.
fn pair_off<'a>(
    mut pieces: Vec<Piece<'a>>,
    samples: usize,
    tolerance: f64,
    found: &mut Survey,
) -> Vec<Piece<'a>> {
    let mut left = Vec::new();
    while let Some(piece) = pieces.pop() {
        match pieces.iter().position(|other| piece.meets(other, tolerance)) {
            Some(at) => {
                let other = pieces.swap_remove(at);
                found.worst = found.worst.worst(piece.span.compare(&other.span, samples));
                found.pair_count += 1;
            }
            None => left.push(piece),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tube;
    use crate::fill::{FillShape, HoleSide, fill_hole};
    use crate::ring::{Ring, RingFrame};
    use crate::tube::{Pole, Station};
    use glam::{DVec2, DVec3};

    /// A dome on four sides of a ring, under it a fill of four sides.
    fn dome_and_fill(tilt: f64) -> Vec<Patch> {
        let ring = Ring::new(RingFrame::new(DVec3::ZERO, DVec3::Y, DVec3::X), DVec2::new(0.1, 0.08));
        let pole = Pole { tip: DVec3::Y * 0.1, direction: DVec3::Y, fullness: 1.0 };
        let tube = Tube::pole_only(4, &Station::straight(ring), &pole);
        // Seen from below the ring runs clockwise: the hole's sides run the other way, from last to first.
        let sides: Vec<HoleSide> = (0..4)
            .rev()
            .map(|k| HoleSide::against(&tube.patch(0, k).edge(Side::W0).reversed(), 1.0))
            .collect();
        // A smooth ring has no corners, so the corner rule cannot hold there; legs straight down are cut to free ones instead.
        let mut patches: Vec<Patch> = tube.patches().collect();
        let free: Vec<HoleSide> = sides
            .into_iter()
            .map(|side| match side {
                HoleSide::Whole { edge, .. } => {
                    HoleSide::Free { edge: edge.map(|p| p + tilt * p.x * DVec3::Y), legs: [DVec3::ZERO; 3] }
                }
                other => other,
            })
            .collect();
        patches.extend(fill_hole(&free, &FillShape::default()).expect("a closed ring"));
        patches
    }

    #[test]
    fn halves_meet_wholes_and_poles_are_counted() {
        let found = survey(&dome_and_fill(0.0), 5, 1e-9);
        assert_eq!(found.unpaired, Vec::new());
        assert_eq!(found.collapsed_count, 4);
        // Four seams of the dome, four spokes, four arcs in halves.
        assert_eq!(found.pair_count, 16);
        assert!(found.worst.gap_m < 1e-12 && found.worst.jump_deg > 10.0, "{:?}", found.worst);
    }

    #[test]
    fn an_open_surface_has_unpaired_edges() {
        let found = survey(&dome_and_fill(0.1), 5, 1e-9);
        assert!(!found.unpaired.is_empty());
    }
}
