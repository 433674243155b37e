//! Chains of bones that follow others.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A bone that turns by a share of a driver's turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppendLink {
    /// The driver that it follows.
    pub driver: usize,
    /// Share of that driver's turn from rest; may be negative or above 1.
    pub ratio: f64,
    /// What it turns about, rest space.
    pub pivot: DVec3,
}

/// A helper as a chain of links; the last one moves the skin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppendChain {
    /// The driver that the first link hangs on.
    pub parent: usize,
    /// From the parent outwards; without any, the helper stays with its parent.
    pub links: Vec<AppendLink>,
}

/// What chains see of poses.
#[derive(Clone, Copy, Debug)]
pub struct Turns<'a> {
    /// Rotation vectors of drivers in their parents, from rest, along the axes that the model has at rest; pose by pose, in each pose one per driver.
    pub vectors: &'a [DVec3],
    /// One per driver: how its skinning matrix turns vertices in the skeleton's rest pose; identity where meshes are bound in that pose.
    pub at_rest: &'a [DQuat],
    /// One per driver: whether chains may follow it.
    pub is_followed: &'a [bool],
}

impl Turns<'_> {
    /// The turn of a driver in a pose, along the axes that what hangs on `parent` was bound in.
    pub(super) fn seen_from(&self, parent: usize, driver: usize, pose: usize) -> DVec3 {
        self.at_rest[parent].inverse() * self.vectors[pose * self.at_rest.len() + driver]
    }
}

impl AppendChain {
    /// The skinning matrix of the helper in a pose. `drivers`: those of all drivers.
    pub fn posed_from_rest(&self, turns: &Turns<'_>, pose: usize, drivers: &[DAffine3]) -> DAffine3 {
        self.matrix_of(self.links.len(), turns, pose, drivers)
    }

    /// The skinning matrix of the first `count` links.
    pub fn matrix_of(&self, count: usize, turns: &Turns<'_>, pose: usize, drivers: &[DAffine3]) -> DAffine3 {
        let mut matrix = drivers[self.parent];
        for link in &self.links[..count] {
            let turn = share(turns.seen_from(self.parent, link.driver, pose), link.ratio);
            matrix *= DAffine3 { matrix3: turn, translation: link.pivot - turn * link.pivot };
        }
        matrix
    }

    /// The mirror image across x = 0. `partner`: that of a driver.
    #[must_use]
    pub fn mirrored(&self, partner: impl Fn(usize) -> usize) -> Self {
        let link = |link: &AppendLink| AppendLink {
            driver: partner(link.driver),
            ratio: link.ratio,
            pivot: link.pivot * DVec3::new(-1.0, 1.0, 1.0),
        };
        Self { parent: partner(self.parent), links: self.links.iter().map(link).collect() }
    }

    /// The same with other numbers for drivers.
    #[must_use]
    pub fn renumbered(&self, driver: impl Fn(usize) -> usize) -> Self {
        let link = |link: &AppendLink| AppendLink { driver: driver(link.driver), ..*link };
        Self { parent: driver(self.parent), links: self.links.iter().map(link).collect() }
    }
}

/// A share of a turn.
pub(super) fn share(turn: DVec3, ratio: f64) -> DMat3 {
    DMat3::from_quat(DQuat::from_scaled_axis(turn * ratio))
}
