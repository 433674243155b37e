//! What becomes of the center of a vertex that a morph moves.
//!
//! MMD's viewers move the vertex and leave c, r0 and r1 where they are. A morph that makes an arm longer then turns its skin about
//! places that the skin has left. Here the center follows by the part of the move that lies along the soft range, because it is the
//! vertex's foot on the bones' axis; the part across the axis is a change of thickness and turns with the skin. r0 and r1 belong to the
//! joint and stay.

use crate::anchors::Anchors;
use glam::Vec3;
use sinew_rig::BoundSurface;

/// What becomes of the center of a vertex that a morph moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MorphCenters {
    /// It follows by the part of the move along the soft range, r1 − r0; where the range has no length, it stays.
    #[default]
    Follow,
    /// It stays, as in MMD's viewers.
    Fixed,
}

impl std::str::FromStr for MorphCenters {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "follow" => Ok(Self::Follow),
            "fixed" => Ok(Self::Fixed),
            _ => Err(format!("{text:?} is neither follow nor fixed")),
        }
    }
}

/// How far centers have followed.
#[derive(Clone, Debug, Default)]
pub(crate) struct CenterShifts {
    /// Where vertices were when their centers were found; empty where no center follows.
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

    /// How far the center of a vertex goes when a morph has moved the vertex to `position`.
    pub(crate) fn of(&self, vertex: usize, position: Vec3) -> Vec3 {
        match self.axes.get(vertex) {
            Some(&axis) => axis * axis.dot(position - self.rest[vertex]),
            None => Vec3::ZERO,
        }
    }
}
