//! The border of a hole, as given and as a fill needs it.

use super::MAX_SIDES;
use crate::{Edge, Quartic};
use glam::DVec3;

/// One side of a hole, in counter-clockwise direction around the hole seen from outside.
///
/// Legs lead from the side into the hole. If a patch borders the side, they are its legs reflected, times one positive number for the
/// whole side. The corner rule: at a corner they equal the first leg of the neighboring side; twice that, if the neighbor is a double
/// side, because that is not halved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "eight of them at most, on the stack: a box would allocate in every frame"
)]
pub enum HoleSide {
    /// An edge that the fill halves, with its own legs.
    Whole {
        /// From the corner before the side to the one after it.
        edge: Quartic,
        /// Its legs into the hole; the fill uses half their length.
        legs: Quartic,
    },
    /// An edge that the fill halves, with legs linear between the corner rules at both ends, plus changes.
    Free {
        /// From the corner before the side to the one after it.
        edge: Quartic,
        /// Changes of the legs between the ends.
        legs: [DVec3; 3],
    },
    /// Two edges that meet smoothly and with equal speed in a vertex, which becomes the side's middle.
    Double {
        /// Both edges, in order.
        edges: [Quartic; 2],
        /// Their legs into the hole; the fill uses half their length.
        legs: [Quartic; 2],
    },
}

/// Error of filling a hole.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FillError {
    /// Valid: 3 to 8.
    #[error("a hole with {count} sides cannot be filled; use 3 to 8 sides")]
    Sides { count: usize },
    /// Sides are counted from zero, distances are m.
    #[error("side {side} starts {gap_m:.2e} m from the end of the previous side")]
    Open { side: usize, gap_m: f64 },
    #[error("the legs of side {side} differ from its neighbor's first leg at the corner by {gap_m:.2e} m")]
    Corner { side: usize, gap_m: f64 },
    /// The largest difference.
    #[error("the two edges of side {side} differ at their common vertex by {gap_m:.2e} m")]
    Middle { side: usize, gap_m: f64 },
}

/// A side as two halves, with legs of the length used by the patches.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalvedSide {
    pub(super) curves: [Quartic; 2],
    pub(super) legs: [Quartic; 2],
}

/// Differences below this share of the hole's size are rounding errors of the input.
const ROUNDING: f64 = 1e-9;

impl HoleSide {
    /// The side along another patch's edge, in the edge's direction: its legs are the patch's own, reflected, times a positive factor.
    pub fn against(edge: &Edge, factor: f64) -> HoleSide {
        HoleSide::Whole { edge: edge.curve, legs: edge.legs.map(|leg| -factor * leg) }
    }

    fn is_double(&self) -> bool {
        matches!(self, HoleSide::Double { .. })
    }

    /// The first and the last edge, and how often their legs count: twice for a double side.
    fn ends(&self) -> (&Quartic, &Quartic, f64) {
        match self {
            HoleSide::Whole { edge, .. } | HoleSide::Free { edge, .. } => (edge, edge, 1.0),
            HoleSide::Double { edges: [first, last], .. } => (first, last, 2.0),
        }
    }

    fn start(&self) -> DVec3 {
        self.ends().0.0[0]
    }

    /// Both halves; `first_leg` and `last_leg` follow from the corner rule.
    fn halved(&self, first_leg: DVec3, last_leg: DVec3) -> HalvedSide {
        let (curves, legs) = match *self {
            HoleSide::Double { edges, legs } => (edges, legs),
            HoleSide::Whole { edge, legs } => (pair(edge.split(0.5)), pair(legs.split(0.5))),
            HoleSide::Free { edge, legs } => {
                let mut field = Quartic::line(first_leg, last_leg);
                for (leg, by) in field.0[1..4].iter_mut().zip(legs) {
                    *leg += by;
                }
                (pair(edge.split(0.5)), pair(field.split(0.5)))
            }
        };
        HalvedSide { curves, legs: legs.map(|half| half.map(|leg| 0.5 * leg)) }
    }
}

fn pair(halves: (Quartic, Quartic)) -> [Quartic; 2] {
    [halves.0, halves.1]
}

/// Checks the border and halves its sides.
pub(super) fn halved(sides: &[HoleSide]) -> Result<[HalvedSide; MAX_SIDES], FillError> {
    let count = sides.len();
    if !(3..=MAX_SIDES).contains(&count) {
        return Err(FillError::Sides { count });
    }
    let size = sides.iter().map(|side| side.start().distance(sides[0].start())).fold(0.0, f64::max);
    let tolerance = ROUNDING * size;
    let zero = Quartic([DVec3::ZERO; 5]);
    let mut halves = [HalvedSide { curves: [zero; 2], legs: [zero; 2] }; MAX_SIDES];
    for (k, side) in sides.iter().enumerate() {
        let (before, after) = (&sides[(k + count - 1) % count], &sides[(k + 1) % count]);
        let gap_m = side.start().distance(before.ends().1.0[4]);
        if gap_m > tolerance {
            return Err(FillError::Open { side: k, gap_m });
        }
        let ((_, last, by_last), (first, _, by_first)) = (before.ends(), after.ends());
        let first_leg = by_last * (last.0[3] - last.0[4]);
        let last_leg = by_first * (first.0[1] - first.0[0]);
        let half = side.halved(first_leg, last_leg);
        let gap_m =
            f64::max(half.legs[0].0[0].distance(0.5 * first_leg), half.legs[1].0[4].distance(0.5 * last_leg));
        if gap_m > tolerance {
            return Err(FillError::Corner { side: k, gap_m });
        }
        let gap_m = middle_gap(&half);
        if side.is_double() && gap_m > tolerance {
            return Err(FillError::Middle { side: k, gap_m });
        }
        halves[k] = half;
    }
    Ok(halves)
}

fn middle_gap(side: &HalvedSide) -> f64 {
    let [first, second] = &side.curves;
    let speeds = (first.0[4] - first.0[3]).distance(second.0[1] - second.0[0]);
    let legs = side.legs[0].0[4].distance(side.legs[1].0[0]);
    speeds.max(legs).max(first.0[4].distance(second.0[0]))
}
