//! `[[body.driver]]`: weights of examples that follow from speed, force, strain or distance.

use super::body_text::whole;
use crate::scene_text::{Spot, Table, TextError, Value};
use glam::DVec3;
use sinew_geometry::MonotoneCurve;
use sinew_soft::Drive;

/// One example's weight from one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverText {
    /// Where it stands in the file.
    pub(crate) spot: Spot,
    /// The example's name.
    pub example: String,
    /// The group, from 0; none is all of them.
    pub group: Option<usize>,
    /// What is looked at.
    pub measure: MeasureText,
    /// The weight from the measure.
    pub curve: MonotoneCurve,
    /// What happens to the weight that is found.
    pub drive: Drive,
    /// Time constant of a weight that rises, seconds. Default 0.1.
    pub rise_secs: f64,
    /// The same for one that falls. Default 0.1.
    pub fall_secs: f64,
}

/// What a driver looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeasureText {
    /// Of the body's centre of mass, m/s; along a direction, or in any.
    Speed(Option<DVec3>),
    /// On the body without gravity, newtons.
    Force,
    /// Of all regions.
    Strain,
    /// From the body's centre of mass to a point, metres.
    Distance(DVec3),
    /// From the body's centre of mass to a collider, by its number in the file, from 1, metres; one more than the last is the ground.
    Clearance(usize),
}

pub(super) fn driver(table: &mut Table<'_>, _: usize) -> Result<DriverText, TextError> {
    let spot = table.spot();
    let example = table.need("example")?.text()?.to_owned();
    let group = table.get("group").map(|value| whole(&value, 0.0..=1e6)).transpose()?;
    let measure =
        match table.need("measure")?.one_of(&["speed", "force", "strain", "distance", "clearance"])? {
            "speed" => MeasureText::Speed(table.get("along").map(|value| value.vector()).transpose()?),
            "force" => MeasureText::Force,
            "strain" => MeasureText::Strain,
            "distance" => MeasureText::Distance(table.need("to")?.vector()?),
            _ => MeasureText::Clearance(whole(&table.need("collider")?, 1.0..=1e4)?),
        };
    let curve = curve(&table.need("curve")?)?;
    let drives = [("replace", Drive::Replace), ("add", Drive::Add)];
    let drive = table.get("drive").map_or(Ok(Drive::Replace), |value| value.word(&drives))?;
    let mut secs = |key| table.get(key).map_or(Ok(0.1), |value| value.number_in(0.0..=1e4));
    let (rise_secs, fall_secs) = (secs("rise")?, secs("fall")?);
    Ok(DriverText { spot, example, group, measure, curve, drive, rise_secs, fall_secs })
}

/// `[[measure, weight], …]`.
fn curve(value: &Value<'_>) -> Result<MonotoneCurve, TextError> {
    let points = value.array()?.iter().map(Value::numbers::<2>).collect::<Result<Vec<_>, _>>()?;
    MonotoneCurve::new(&points).map_err(|error| value.error(error))
}
