//! Weights of examples that follow from speed, force, strain or distance.
//!
//! The source finds weights by the shape that a body has and names these as its wish (\[Koyama13\] section 7): a ball that grows long
//! with speed, a face that shies away from a hand. A driver takes one measure of the body, a curve makes a weight of it, and the
//! weight follows with two time constants, so that it neither jumps nor trembles.

use super::ExampleError;
use crate::SoftBody;
use glam::Vec3;
use sinew_geometry::MonotoneCurve;

/// Which particles a measure is taken of.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Part {
    /// All of the body.
    #[default]
    Whole,
    /// These; of regions, those with these numbers.
    Some(Vec<u32>),
}

/// An end of a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A point of the world, meters.
    Point(Vec3),
    /// A particle of the body.
    Particle(u32),
    /// The body's center of mass.
    Center,
}

/// What a driver looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Speed of the part's center of mass, m/s.
    Speed(Part),
    /// Speed of the part's center of mass along a direction, which need not be unit, m/s: negative where it goes against it.
    SpeedAlong(Part, Vec3),
    /// Force on the part in the last step, without gravity, newtons: of floors and walls, of holds, of pushes, and of the rest of the body.
    Force(Part),
    /// Strain of the regions of the driver's level, the root of the mean of |FᵀF − 1|² / 4: 0.1 is a stretch of a tenth along one axis.
    Strain(Part),
    /// Distance between two places, meters.
    Distance(Place, Place),
    /// How far a place is from a collider of the step, by its number there, meters: negative inside, infinite if there is none.
    Clearance(Place, usize),
}

/// What a driven weight does to the one that is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drive {
    /// Takes its place: the example follows its driver alone.
    #[default]
    Replace,
    /// Adds to it.
    Add,
}

/// One example's weight from one measure.
///
/// Driven weights come first: together they are at most 1, and found weights shrink to what is left of 1. β does not touch them, so
/// that a curve's height is the share of the example that is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// The level of regions whose examples are meant. Most bodies have only level 0.
    pub level: usize,
    /// From 0.
    pub example: usize,
    /// The group, or the region where each has weights of its own; `None` for all.
    pub group: Option<usize>,
    /// What is looked at.
    pub measure: Measure,
    /// The weight from the measure. Below 0 it is 0, above 1 it is 1.
    pub curve: MonotoneCurve,
    /// What happens to the weight that is found.
    pub drive: Drive,
    /// Time in which a weight that rises gets to 63 % of what the curve wants, seconds. 0 for at once.
    pub rise_secs: f32,
    /// The same for a weight that falls.
    pub fall_secs: f32,
}

impl Driver {
    /// Of an example of level 0, in all groups, replacing what is found, within a tenth of a second.
    pub fn new(example: usize, measure: Measure, curve: MonotoneCurve) -> Self {
        let drive = Drive::Replace;
        Self { level: 0, example, group: None, measure, curve, drive, rise_secs: 0.1, fall_secs: 0.1 }
    }
}

/// Drivers that fit a body, and what they give at the moment.
#[derive(Clone, Debug)]
pub struct Drivers {
    pub(crate) list: Vec<Driver>,
    pub(crate) weights: Vec<f32>,
    /// Whether there was a step that they drove.
    pub(crate) has_driven: bool,
}

impl Drivers {
    /// Binds drivers to a body; [`SoftBody::drive`] then sets its weights before each step.
    ///
    /// # Errors
    /// The first driver that names what the body does not have.
    pub fn bind(body: &SoftBody, list: Vec<Driver>) -> Result<Self, ExampleError> {
        for (driver, of) in list.iter().enumerate() {
            let level = of.level;
            let examples = body.examples(level).ok_or(ExampleError::DriverLevel { driver, level })?;
            let check = |kind: &'static str, number: usize, count: usize| {
                let missing = ExampleError::DriverTarget { driver, kind, number, count };
                if number < count { Ok(()) } else { Err(missing) }
            };
            check("example", of.example, examples.len())?;
            of.group.map_or(Ok(()), |group| check("group", group, examples.group_count()))?;
            let is_time = |secs: f32| secs >= 0.0 && secs.is_finite();
            let (rise_secs, fall_secs) = (of.rise_secs, of.fall_secs);
            if !is_time(rise_secs) || !is_time(fall_secs) {
                return Err(ExampleError::DriverTime { driver, rise_secs, fall_secs });
            }
            check_numbers(driver, &of.measure, body.particle_count(), body.region_count(level))?;
        }
        Ok(Self { weights: vec![0.0; list.len()], list, has_driven: false })
    }

    /// The weight that each driver gives at the moment, in their order.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }
}

fn check_numbers(
    driver: usize,
    measure: &Measure,
    particle_count: usize,
    region_count: usize,
) -> Result<(), ExampleError> {
    let check = |kind: &'static str, number: u32, count: usize| {
        let missing = ExampleError::DriverMeasure { driver, kind, number, count };
        if (number as usize) < count { Ok(()) } else { Err(missing) }
    };
    let check_part = |kind: &'static str, part: &Part, count: usize| match part {
        Part::Whole => Ok(()),
        Part::Some(numbers) => numbers.iter().try_for_each(|&number| check(kind, number, count)),
    };
    let check_place = |place: &Place| match place {
        Place::Particle(particle) => check("particle", *particle, particle_count),
        Place::Point(_) | Place::Center => Ok(()),
    };
    match measure {
        Measure::Speed(part) | Measure::SpeedAlong(part, _) | Measure::Force(part) => {
            check_part("particle", part, particle_count)
        }
        Measure::Strain(part) => check_part("region", part, region_count),
        Measure::Distance(from, to) => check_place(from).and_then(|()| check_place(to)),
        Measure::Clearance(from, _) => check_place(from),
    }
}
