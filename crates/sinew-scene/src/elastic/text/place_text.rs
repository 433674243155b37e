//! Where things stand and how they move.

use crate::scene_text::{Table, TextError, Value};
use glam::{DVec3, EulerRot, Quat, Vec3};
use sinew_motion::camera::{Ends, Path};

/// `at` and `turn`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaceText {
    /// Metres.
    pub at: DVec3,
    /// Degrees about x, y and z: first about z, then x, then y.
    pub turn_deg: DVec3,
}

/// `keys`: a motion that is added to where something stands.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveText {
    /// Metres along the scene's axes.
    by: Path,
    /// Degrees, as [`PlaceText::turn_deg`].
    turn_deg: Path,
}

impl PlaceText {
    pub(super) fn read(table: &mut Table<'_>) -> Result<Self, TextError> {
        let at = table.get("at").map_or(Ok(DVec3::ZERO), |value| value.vector())?;
        let turn_deg = table.get("turn").map_or(Ok(DVec3::ZERO), |value| turn(&value))?;
        Ok(Self { at, turn_deg })
    }

    /// As a rotation and a translation.
    pub fn frame(&self) -> (Vec3, Quat) {
        (self.at.as_vec3(), rotation(self.turn_deg))
    }
}

impl MoveText {
    /// Reads `keys`, if they are there.
    pub(super) fn read(table: &mut Table<'_>) -> Result<Option<Self>, TextError> {
        let Some(keys) = table.get("keys") else { return Ok(None) };
        let (mut places, mut turns) = (Vec::new(), Vec::new());
        keys.each(|key| {
            let time_secs = key.need("time")?.number()?;
            places.push((time_secs, key.get("by").map_or(Ok(DVec3::ZERO), |value| value.vector())?));
            turns.push((time_secs, key.get("turn").map_or(Ok(DVec3::ZERO), |value| turn(&value))?));
            Ok(())
        })?;
        let path = |keys: &[(f64, DVec3)], list: &Value<'_>| {
            Path::through(keys, Ends::Rest).map_err(|error| list.error(error))
        };
        Ok(Some(Self { by: path(&places, &keys)?, turn_deg: path(&turns, &keys)? }))
    }

    /// How far it has moved and turned at a time.
    pub fn at(&self, time_secs: f64) -> (Vec3, Quat) {
        (self.by.at(time_secs).value.as_vec3(), rotation(self.turn_deg.at(time_secs).value))
    }
}

/// A number is degrees about y, three are degrees about x, y and z.
pub(super) fn turn(value: &Value<'_>) -> Result<DVec3, TextError> {
    if value.is_number() {
        return Ok(DVec3::new(0.0, value.number_in(-36000.0..=36000.0)?, 0.0));
    }
    value.vector()
}

fn rotation(turn_deg: DVec3) -> Quat {
    let radians = turn_deg.map(f64::to_radians).as_vec3();
    Quat::from_euler(EulerRot::YXZ, radians.y, radians.x, radians.z)
}
