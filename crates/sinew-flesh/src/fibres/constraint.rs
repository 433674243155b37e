//! What is known of fibres.

use crate::field::SolveError;
use glam::Vec3;

/// Where a direction is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FibrePlace {
    /// At a point of the tetrahedra.
    Point(u32),
    /// In a tetrahedron as a whole.
    Tet(u32),
    /// At a place in a tetrahedron, by its barycentric weights; negative ones count as 0.
    Within(u32, [f32; 4]),
}

/// A direction that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreConstraint {
    /// Where.
    pub place: FibrePlace,
    /// Along the fibre, either way; need not be unit. A zero vector says nothing.
    pub direction: Vec3,
    /// How much it counts against smoothness, ≥ 0: at 1 as much as all neighbours of its points together.
    pub weight: f32,
}

/// Why there is no field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FibreError {
    /// A constraint at a place that is not there.
    #[error("fibre constraint {constraint} is at {what} {index}, but there are {count}")]
    Place {
        /// The constraint.
        constraint: usize,
        /// `point` or `tetrahedron`.
        what: &'static str,
        /// Which.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// A constraint with numbers that mean nothing.
    #[error("fibre constraint {constraint}: {what} is not finite or is negative")]
    Number {
        /// The constraint.
        constraint: usize,
        /// `direction`, `weight` or `barycentric weight`.
        what: &'static str,
    },
    /// The equations have no solution.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What had to be settled without asking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FibreWarning {
    /// Nothing is known of the fibres of these points' parts: they run along the longest axis of their part.
    Undefined {
        /// How many points.
        points: usize,
        /// The first.
        first: u32,
    },
    /// Directions cross at these points and none prevails: strokes that contradict each other, or the tip of a limb, where the skin runs
    /// all ways.
    Contradiction {
        /// How many points.
        points: usize,
        /// The first.
        first: u32,
    },
    /// Constraints without a direction.
    NoDirection {
        /// How many.
        constraints: usize,
    },
    /// Parts of a stroke that are farther from the skin than a spacing of the tetrahedra; they say nothing.
    StrokeOffSkin {
        /// The stroke.
        stroke: usize,
        /// How much of it, 0 to 1.
        share: f32,
    },
    /// A stroke of no length.
    StrokeTooShort {
        /// The stroke.
        stroke: usize,
    },
}

impl std::fmt::Display for FibreWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Undefined { points, first } => write!(
                f,
                "nothing is known of the fibres at {points} points (the first is {first}); they run along their part's longest axis"
            ),
            Self::Contradiction { points, first } => {
                write!(
                    f,
                    "fibre directions cross at {points} points (the first is {first}) and none prevails"
                )
            }
            Self::NoDirection { constraints } => {
                write!(f, "{constraints} fibre constraints have no direction")
            }
            Self::StrokeOffSkin { stroke, share } => {
                write!(f, "stroke {stroke}: {:.0} % of it is too far from the skin to count", share * 100.0)
            }
            Self::StrokeTooShort { stroke } => write!(f, "stroke {stroke} has no length"),
        }
    }
}
