//! Drivers of a body's examples.

use super::text::{BodyText, DriverText, MeasureText};
use crate::scene_text::{TextError, did_you_mean};
use sinew_soft::{Driver, Drivers, Measure, Part, Place, SoftBody};

/// Binds the drivers of a body; `collider_count` counts the ground too, if it is stood upon.
pub(super) fn bound(
    text: &BodyText,
    body: &SoftBody,
    collider_count: usize,
) -> Result<Option<Drivers>, TextError> {
    let list = text.drivers.iter().map(|driver| of(text, driver, collider_count));
    let list = list.collect::<Result<Vec<_>, _>>()?;
    if list.is_empty() {
        return Ok(None);
    }
    Drivers::bind(body, list).map(Some).map_err(|error| text.error(error))
}

fn of(text: &BodyText, driver: &DriverText, collider_count: usize) -> Result<Driver, TextError> {
    let failed = |message: String| {
        let place = format!("body {:?}: driver of {:?}", text.name, driver.example);
        driver.spot.error(place, message)
    };
    let names = || text.examples.list.iter().map(|example| example.name.as_str());
    let example = names().position(|name| name == driver.example).ok_or_else(|| {
        failed(format!("the body has no such example{}", did_you_mean(&driver.example, names())))
    })?;
    let measure = match driver.measure {
        MeasureText::Speed(None) => Measure::Speed(Part::Whole),
        MeasureText::Speed(Some(along)) => Measure::SpeedAlong(Part::Whole, along.as_vec3()),
        MeasureText::Force => Measure::Force(Part::Whole),
        MeasureText::Strain => Measure::Strain(Part::Whole),
        MeasureText::Distance(to) => Measure::Distance(Place::Center, Place::Point(to.as_vec3())),
        MeasureText::Clearance(number) if number <= collider_count => {
            Measure::Clearance(Place::Center, number - 1)
        }
        MeasureText::Clearance(number) => {
            return Err(failed(format!("collider {number} does not exist; there are {collider_count}")));
        }
    };
    Ok(Driver {
        group: driver.group,
        drive: driver.drive,
        rise_secs: driver.rise_secs as f32,
        fall_secs: driver.fall_secs as f32,
        ..Driver::new(example, measure, driver.curve.clone())
    })
}
