//! `[[handle]]`: particles that are led.

use super::place_text::MoveText;
use crate::scene_text::{Spot, Table, TextError};
use glam::DVec3;

/// Some particles of a body that are led.
#[derive(Clone, Debug, PartialEq)]
pub struct HandleText {
    /// Where it stands in the file.
    pub(crate) spot: Spot,
    /// Whose.
    pub body: String,
    /// Which.
    pub grip: GripText,
    /// How stiff the spring between each particle and its place is, 1/s²; none holds it there.
    pub stiffness: Option<f64>,
    /// Where they go; none is where they are.
    pub motion: Option<MoveText>,
    /// When they are taken, seconds.
    pub from_secs: f64,
    /// When they are let go, seconds; none is never.
    pub until_secs: Option<f64>,
}

/// Which particles a handle takes, where they are when the scene begins.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum GripText {
    /// Those in a ball. `point`: its middle, scene space, metres. `radius_m`: metres.
    Near { point: DVec3, radius_m: f64 },
    /// Those in a box along the axes. `low`: its least corner, scene space, metres. `high`: its greatest corner.
    Box { low: DVec3, high: DVec3 },
}

impl GripText {
    /// Whether a point is in it.
    pub fn holds(&self, place: DVec3) -> bool {
        match *self {
            Self::Near { point, radius_m } => point.distance(place) <= radius_m,
            Self::Box { low, high } => place.cmpge(low).all() && place.cmple(high).all(),
        }
    }

    /// What turns go round.
    pub fn middle(&self) -> DVec3 {
        match *self {
            Self::Near { point, .. } => point,
            Self::Box { low, high } => 0.5 * (low + high),
        }
    }
}

pub(super) fn handle(table: &mut Table<'_>, index: usize) -> Result<HandleText, TextError> {
    let spot = table.spot();
    table.rename(format!("handle {}", index + 1));
    let body = table.need("body")?.text()?.to_owned();
    let grip = match (table.get("near"), table.get("box")) {
        (Some(near), None) => {
            GripText::Near { point: near.vector()?, radius_m: table.need("radius")?.number_in(0.0..=1e4)? }
        }
        (None, Some(corners)) => {
            let list = corners.array()?;
            let [low, high] = list.as_slice() else {
                return Err(corners.error("expected two corners: [[x, y, z], [x, y, z]]"));
            };
            let (low, high) = (low.vector()?, high.vector()?);
            if !low.cmple(high).all() {
                return Err(corners.error("the first corner must be the smaller on each axis"));
            }
            GripText::Box { low, high }
        }
        (Some(_), Some(corners)) => return Err(corners.error("it has `near` already; remove one of the two")),
        (None, None) => {
            return Err(table.error("choose particles: near = [x, y, z] and radius, or box = [LOW, HIGH]"));
        }
    };
    let stiffness = table.get("stiffness").map(|value| value.number_in(0.0..=1e12)).transpose()?;
    let motion = MoveText::read(table)?;
    let from_secs = table.get("from").map_or(Ok(0.0), |value| value.number_in(0.0..=1e6))?;
    let until = table.get("until");
    let until_secs = until.as_ref().map(|value| value.number_in(0.0..=1e6)).transpose()?;
    if let (Some(value), Some(_)) = (&until, until_secs.filter(|until| *until <= from_secs)) {
        return Err(value.error("it ends before it starts; use a time after `from`"));
    }
    Ok(HandleText { spot, body, grip, stiffness, motion, from_secs, until_secs })
}
