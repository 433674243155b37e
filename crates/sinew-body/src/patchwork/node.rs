//! Where two lines cross: one point, two legs and one twist set the corners of all four faces.
//!
//! With the legs `d₀ … d₃` counter-clockwise, `d₂ = −d₀ / r₁` and `d₃ = −r₀ d₁` by the ratios of both lines. A face between `dₖ` and
//! `dₖ₊₁` has its inner corner point at `P + dₖ + dₖ₊₁ + cₖ cₖ₊₁ τ`, where `cₖ` is the factor of `dₖ`: rows of both lines keep their
//! ratios with a single τ. A fill takes each of its corner's two versions from the face beyond the edge, so beside fills τ may differ by
//! edge.

use super::form::Form;
use super::layout::{Dart, LayoutError};
use super::slots::{SlotKind, Slots};
use super::whole::Whole;

/// Relative jump of a ratio that is rounding.
const ROUNDING: f64 = 1e-9;

/// The slots at a node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) place: u32,
    /// Counter-clockwise.
    darts: Vec<Dart>,
    /// Of the legs along the darts, times the slot of the first or second.
    factors: [f64; 4],
    legs: [u32; 2],
    /// For each dart the twist of the legs across it.
    twists: [u32; 4],
}

impl Node {
    pub(super) fn new(whole: &Whole, node: usize, slots: &mut Slots) -> Result<Node, LayoutError> {
        let darts = whole.darts_around(node)?;
        let is_middle = whole.is_middle_node(node);
        let place = slots.add(SlotKind::Place, is_middle, 1.0);
        let legs = [0, 1].map(|leg| {
            let sign = if whole.is_middle_edge(darts[leg].edge) { 1.0 } else { -1.0 };
            slots.add(SlotKind::Leg, is_middle, sign)
        });
        let ratio = |dart: usize| whole.ratio_at_start(darts[dart]);
        let factors = match darts.len() {
            4 => [1.0, 1.0, -1.0 / ratio(1), -ratio(0)],
            _ => [1.0, 1.0, -1.0 / ratio(1), 0.0],
        };
        if darts.len() == 4 {
            for (first, opposite) in [(0, 2), (1, 3)] {
                let (before, after) = (ratio(first), 1.0 / ratio(opposite));
                if (before / after - 1.0).abs() > ROUNDING {
                    return Err(LayoutError::Ratio { node, before, after });
                }
            }
        }
        let classes = twist_classes(whole, &darts);
        let mut twists = [u32::MAX; 4];
        for dart in 0..darts.len() {
            if twists[dart] != u32::MAX {
                continue;
            }
            let image = whole.mirrored_dart(darts[dart]);
            let image = darts.iter().position(|&found| found == image).map(|image| classes[image]);
            let is_own = image == Some(classes[dart]);
            // In the plane the mirror image lies in a quadrant where one of the factors has the other sign.
            let sign = if is_middle { -1.0 } else { 1.0 };
            let slot = match is_own {
                true => slots.add_own(SlotKind::Twist, sign),
                false => slots.add_pair(SlotKind::Twist, sign),
            };
            for (other, class) in classes.iter().enumerate().take(darts.len()) {
                if *class == classes[dart] {
                    twists[other] = slot;
                } else if image == Some(*class) {
                    twists[other] = slot + 1;
                }
            }
        }
        Ok(Node { place, darts, factors, legs, twists })
    }

    fn index(&self, dart: Dart) -> usize {
        self.darts.iter().position(|&found| found == dart).expect("a dart leaves the node where it starts")
    }

    fn beside(&self, dart: usize, on_left: bool) -> usize {
        (dart + if on_left { 1 } else { self.darts.len() - 1 }) % self.darts.len()
    }

    /// The leg along a dart.
    pub(super) fn leg(&self, dart: Dart) -> Form {
        self.leg_of(self.index(dart))
    }

    fn leg_of(&self, dart: usize) -> Form {
        Form::slot(self.legs[dart % 2]).times(self.factors[dart])
    }

    /// The first two legs across a dart into the face on its left or right.
    pub(super) fn across(&self, dart: Dart, on_left: bool) -> [Form; 2] {
        let dart = self.index(dart);
        let beside = self.beside(dart, on_left);
        let leg = self.leg_of(beside);
        let twist = Form::slot(self.twists[dart]).times(self.factors[dart] * self.factors[beside]);
        let next = &leg + &twist;
        [leg, next]
    }
}

/// For each dart the first one with the same twist: a Bézier patch joins those of its two edges.
fn twist_classes(whole: &Whole, darts: &[Dart]) -> [usize; 4] {
    let mut classes = [0, 1, 2, 3];
    for (dart, &found) in darts.iter().enumerate() {
        if whole.is_bezier_left_of(found) {
            let (old, new) = (classes[dart], classes[(dart + 1) % darts.len()]);
            let (low, high) = (old.min(new), old.max(new));
            classes.iter_mut().filter(|class| **class == high).for_each(|class| *class = low);
        }
    }
    classes
}
