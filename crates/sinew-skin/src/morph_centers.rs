//! Centers of vertices that morphs move.
//!
//! MMD's viewers move the vertex and keep c, r0 and r1. A morph that makes an arm longer then turns its skin about the old places. Here the
//! center follows by the part of the move along the soft range, because it is the vertex's projection onto the bones' axis; the part
//! across the axis is a change of thickness and turns with the skin. r0 and r1 belong to the joint and stay.

use crate::anchors::Anchors;
use glam::Vec3;
use sinew_rig::BoundSurface;

/// Behavior of the center of a vertex that a morph moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MorphCenters {
    /// Follows by the part of the move along the soft range, r1 − r0; stays if the range has no length.
    #[default]
    Follow,
    /// Stays, as in MMD's viewers.
    Fixed,
}

impl std::str::FromStr for MorphCenters {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "follow" => Ok(Self::Follow),
            "fixed" => Ok(Self::Fixed),
            _ => Err(format!("unknown value {text:?}; use follow or fixed")),
        }
    }
}

/// Data for moving centers with morphs.
#[derive(Clone, Debug, Default)]
pub(crate) struct CenterShifts {
    /// Positions of the vertices when their centers were computed; empty if no center follows.
    rest: Vec<Vec3>,
    /// The direction of each vertex's soft range, unit, or zero.
    axes: Vec<Vec3>,
}

impl CenterShifts {
    pub(crate) fn new(anchors: &Anchors, bound: &BoundSurface, rule: MorphCenters) -> Self {
        if rule == MorphCenters::Fixed || anchors.centers.is_empty() {
            return Self::default();
        }
        let axis_of = |vertex: usize| match anchors.of(vertex).1 {
            [first, second, ..] => (*second - *first).try_normalize().unwrap_or(Vec3::ZERO),
            _ => Vec3::ZERO,
        };
        Self { rest: bound.rest().positions.clone(), axes: (0..anchors.centers.len()).map(axis_of).collect() }
    }

    /// Shift of a vertex's center when a morph has moved the vertex to `position`.
    pub(crate) fn of(&self, vertex: usize, position: Vec3) -> Vec3 {
        match self.axes.get(vertex) {
            Some(&axis) => axis * axis.dot(position - self.rest[vertex]),
            None => Vec3::ZERO,
        }
    }
}
