//! What a body has, as numbers for people and programs.

use super::MadeBody;
use super::making::is_missed;
use serde::Serialize;
use sinew_body::survey::Measure;
use sinew_body::tapes::{BODY_DENSITY, HowRead, Reading, ring_girths};

/// All that can be said about a body.
#[derive(Clone, Debug, Serialize)]
pub struct BodyReport {
    /// Every measure of the survey.
    pub measures: Vec<MeasureLine>,
    /// Girths of the rings along the surface, metres.
    pub ring_girths_m: Vec<(String, f64)>,
    /// Enclosed volume, m³.
    pub volume_m3: f64,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Area of the surface, m².
    pub area_m2: f64,
    /// Bézier patches.
    pub bezier_patches: usize,
    /// Gregory patches.
    pub gregory_patches: usize,
    /// Largest gap between patches that meet, metres.
    pub gap_m: f64,
    /// Largest angle between their normals, degrees.
    pub jump_deg: f64,
    /// Corners − edges + patches; two if closed.
    pub euler_characteristic: i64,
    /// What a user should be told.
    pub notes: Vec<String>,
}

/// One measure: asked for or expected, and what the body has.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureLine {
    /// Its name.
    pub name: &'static str,
    /// `m`, `kg` or `years`.
    pub unit: String,
    /// Asked for, or what the survey expects beside that.
    pub value: Option<f64>,
    /// Whether it was asked for.
    pub is_given: bool,
    /// Standard deviation among people who have what was given; 0 if given.
    pub deviation: Option<f64>,
    /// What the surface shows; all but age on a human.
    pub measured: Option<f64>,
    /// The surface's value minus that, in the unit.
    pub error: Option<f64>,
    /// Whether it was asked for and is off by more than 2 mm and 1 %.
    pub is_missed: bool,
    /// How it was read: tape, chain, caliper, height, joints or scale.
    pub how: Option<HowRead>,
    /// A point of the plane in which tape or caliper lie, m.
    pub point: Option<[f64; 3]>,
    /// The plane's unit normal.
    pub normal: Option<[f64; 3]>,
    /// Half of the breadth that a trunk's tape is limited to above the armpits, m.
    pub within_m: Option<f64>,
    /// The pose in which it was read, if not at rest.
    pub pose: Option<&'static str>,
}

/// Places along each edge at which smoothness is checked.
const CHECK_SAMPLES: usize = 9;

impl MadeBody {
    /// Measures, weighs and checks the body.
    #[must_use]
    pub fn report(&self) -> BodyReport {
        let volume_m3 = self.body.volume();
        let tapes = self.readings();
        let check = self.body.check(CHECK_SAMPLES);
        let gregory = self.body.patches.iter().filter(|patch| patch.patch.is_gregory()).count();
        BodyReport {
            measures: Measure::all()
                .map(|measure| self.line(measure, tapes.iter().find(|tape| tape.measure == measure)))
                .collect(),
            ring_girths_m: ring_girths(&self.body),
            volume_m3,
            mass_kg: BODY_DENSITY * volume_m3,
            area_m2: self.body.area(),
            bezier_patches: self.body.patches.len() - gregory,
            gregory_patches: gregory,
            gap_m: check.gap_m,
            jump_deg: check.jump_deg,
            euler_characteristic: check.euler_characteristic,
            notes: self.notes.clone(),
        }
    }

    fn line(&self, measure: Measure, tape: Option<&Reading>) -> MeasureLine {
        let estimate = self.person.as_ref().map(|person| person.estimate(measure));
        let asked = estimate.filter(|estimate| estimate.is_given);
        let is_missed =
            asked.zip(tape).is_some_and(|(asked, tape)| is_missed(measure, asked.value, tape.value));
        // What was read from the body itself has no deviation.
        let expected = estimate.filter(|estimate| estimate.is_given || estimate.deviation > 0.0);
        MeasureLine {
            name: measure.name(),
            unit: measure.unit().to_string(),
            value: expected.map(|expected| expected.value),
            is_given: asked.is_some(),
            deviation: expected.map(|expected| expected.deviation),
            measured: tape.map(|tape| tape.value),
            error: expected.zip(tape).map(|(expected, tape)| tape.value - expected.value),
            is_missed,
            how: tape.map(|tape| tape.how),
            point: tape.and_then(|tape| Some(tape.point?.to_array())),
            normal: tape.and_then(|tape| Some(tape.normal?.to_array())),
            within_m: tape.and_then(|tape| tape.within_m),
            pose: tape.and_then(|tape| tape.pose),
        }
    }
}
