//! What is known of fibers.

use glam::Vec3;

/// Where a direction is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FiberPlace {
    /// At a point of the tetrahedra.
    Point(u32),
    /// In a tetrahedron as a whole.
    Tet(u32),
    /// At a place in a tetrahedron, by its barycentric weights; negative ones count as 0.
    Within(u32, [f32; 4]),
}

/// A direction that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiberConstraint {
    /// Where.
    pub place: FiberPlace,
    /// Along the fiber, either way; need not be unit. A zero vector says nothing.
    pub direction: Vec3,
    /// How much it counts against smoothness, ≥ 0: at 1 as much as all neighbors of its points together.
    pub weight: f32,
}

/// What had to be settled without asking. Numbers of things count from 0.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FiberWarning {
    /// Nothing is known of the fibers of these points' parts: they run along the longest axis of their part. `points`: how many points.
    /// `first`: the lowest number of them.
    #[error(
        "{points} points (the first is {first}) have no fiber direction; their part's longest axis is used"
    )]
    Undefined { points: usize, first: u32 },
    /// Directions cross at these points and none prevails: strokes that contradict each other, or the tip of a limb, where the skin runs
    /// all ways. `points`: how many points. `first`: the lowest number of them.
    #[error("fiber directions conflict at {points} points (the first is {first})")]
    Contradiction { points: usize, first: u32 },
    /// Constraints without a direction.
    #[error("{constraints} fiber constraints have no direction")]
    NoDirection { constraints: usize },
    /// Parts of a stroke that are farther from the skin than a spacing of the tetrahedra; they say nothing. `share`: how much of it, 0 to 1.
    #[error("stroke {stroke}: {:.0} % of it is too far from the skin to count", share * 100.0)]
    StrokeOffSkin { stroke: usize, share: f32 },
    /// A stroke of no length.
    #[error("stroke {stroke} has no length")]
    StrokeTooShort { stroke: usize },
}
