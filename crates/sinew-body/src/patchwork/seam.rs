//! Edges of faces: their curves, and the legs on both sides, which make one tangent plane.

use super::form::Form;
use super::layout::{Dart, LayoutError};
use super::node::Node;
use super::slots::{SlotKind, Slots};
use super::whole::Whole;
use crate::Quartic;
use glam::DVec3;

/// An edge with its legs into the faces on both sides, in its own direction.
#[derive(Clone, Debug)]
pub(super) struct Seam {
    curve: [Form; 5],
    left: [Form; 5],
    right: [Form; 5],
    /// The slot of the curve's middle.
    pub(super) bulge: u32,
    /// The slot of the middle leg, if the ratio is constant.
    pub(super) cross: Option<u32>,
}

/// The middle of five control points whose curve is cubic: `(4 (x₁ + x₃) − x₀ − x₄) / 6`.
fn cubic_middle(ends: [&Form; 2], inner: [&Form; 2]) -> Form {
    let by = |factor: f64, forms: [&Form; 2]| Form::sum([(factor, forms[0]), (factor, forms[1])]);
    &by(4.0 / 6.0, inner) + &by(-1.0 / 6.0, ends)
}

/// The same of vectors.
pub(super) fn cubic_middle_of(Quartic(points): &Quartic) -> DVec3 {
    (4.0 * (points[1] + points[3]) - points[0] - points[4]) / 6.0
}

impl Seam {
    pub(super) fn new(
        whole: &Whole,
        nodes: &[Node],
        edge: usize,
        slots: &mut Slots,
    ) -> Result<Seam, LayoutError> {
        let is_middle = whole.is_middle_edge(edge);
        let dart = Dart { edge, is_forward: true };
        // Both ends are listed nodes: edges of the left half do not leave it.
        let (from, to) = (&nodes[whole.start(dart)], &nodes[whole.start(dart.reversed())]);
        let places = [Form::slot(from.place), Form::slot(to.place)];
        let inner = [&places[0] + &from.leg(dart), &places[1] + &to.leg(dart.reversed())];
        let bulge = slots.add(SlotKind::Bulge, is_middle, 1.0);
        let middle = &cubic_middle([&places[0], &places[1]], [&inner[0], &inner[1]]) + &Form::slot(bulge);
        let [start, end] = places;
        let [second, fourth] = inner;
        let curve = [start, second, middle, fourth, end];

        let [start, end] = whole.ratios[edge];
        let is_even = (start / end - 1.0).abs() < 1e-12;
        let on_both = [dart, dart.reversed()].map(|side| whole.is_bezier_left_of(side));
        let is_bordered = [dart, dart.reversed()].map(|side| whole.face_left_of(side).is_some());
        if !is_even && on_both == [true; 2] {
            return Err(LayoutError::LinearRatio { edge });
        }
        // A Bézier patch has the primary legs: it has no second version of its corner points that could follow.
        let left_leads = on_both[0] || (is_bordered[0] && !on_both[1]);
        let [first, second] = from.across(dart, left_leads);
        let [last, before] = to.across(dart.reversed(), !left_leads);
        let mut middle = cubic_middle([&first, &last], [&second, &before]);
        let cross = is_even.then(|| slots.add(SlotKind::Cross, is_middle, -1.0));
        if let Some(cross) = cross {
            middle = &middle + &Form::slot(cross);
        }
        let primary = [first, second, middle, before, last];
        let ratios = if left_leads { [start, end] } else { [1.0 / start, 1.0 / end] };
        let secondary = beyond(&primary, ratios);
        let (left, right) = if left_leads { (primary, secondary) } else { (secondary, primary) };
        Ok(Seam { curve, left, right, bulge, cross })
    }

    /// Curve and legs into the face on the left of a dart, in the dart's direction.
    pub(super) fn seen_along(&self, is_forward: bool) -> ([Form; 5], [Form; 5]) {
        let (mut curve, mut legs) =
            (self.curve.clone(), if is_forward { self.left.clone() } else { self.right.clone() });
        if !is_forward {
            curve.reverse();
            legs.reverse();
        }
        (curve, legs)
    }
}

/// The legs on the other side, longer by a ratio that is linear from start to end: `−k(t) a(t)`. If it is not constant, `a` is cubic.
fn beyond(legs: &[Form; 5], [start, end]: [f64; 2]) -> [Form; 5] {
    let step = 0.25 * (end - start);
    // The inner control points of the cubic, from those of the quartic it was raised to.
    let inner = |near: usize, far: usize| Form::sum([(4.0 / 3.0, &legs[near]), (-1.0 / 3.0, &legs[far])]);
    let middle = if step == 0.0 {
        legs[2].times(-start)
    } else {
        Form::sum([(-0.5 * end, &inner(1, 0)), (-0.5 * start, &inner(3, 4))])
    };
    [
        legs[0].times(-start),
        Form::sum([(-start, &legs[1]), (-step, &legs[0])]),
        middle,
        Form::sum([(-end, &legs[3]), (step, &legs[4])]),
        legs[4].times(-end),
    ]
}
