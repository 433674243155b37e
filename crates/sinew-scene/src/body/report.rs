//! What a body has, as numbers for people and programs.

use super::MadeBody;
use super::making::is_missed;
use serde::Serialize;
use sinew_body::measured::Readings;
use sinew_body::survey::Measure;
use sinew_body::tapes::{HowRead, Reading};

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

/// One measure: asked for or completed, and what the body has.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureLine {
    /// Its name.
    pub name: &'static str,
    /// `m`, `kg` or `years`.
    pub unit: String,
    /// Asked for or completed.
    pub value: f64,
    /// Whether it was asked for.
    pub is_given: bool,
    /// Standard deviation among people who have what was given; 0 if given.
    pub deviation: f64,
    /// What the surface shows; all but age on a human.
    pub measured: Option<f64>,
    /// The surface's value minus the person's, in the unit; for a body made from measures.
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
        let readings = Readings::of(&self.body, &self.person);
        let tapes = self.readings();
        let check = self.body.check(CHECK_SAMPLES);
        let gregory = self.body.patches.iter().filter(|patch| patch.patch.is_gregory()).count();
        BodyReport {
            measures: Measure::all()
                .map(|measure| self.line(measure, tapes.iter().find(|tape| tape.measure == measure)))
                .collect(),
            ring_girths_m: readings.ring_girths,
            volume_m3: readings.volume_m3,
            mass_kg: readings.mass_kg,
            area_m2: readings.area_m2,
            bezier_patches: self.body.patches.len() - gregory,
            gregory_patches: gregory,
            gap_m: check.gap_m,
            jump_deg: check.jump_deg,
            euler_characteristic: check.euler_characteristic,
            notes: self.notes.clone(),
        }
    }

    fn line(&self, measure: Measure, tape: Option<&Reading>) -> MeasureLine {
        let estimate = self.person.estimate(measure);
        let is_asked = self.has_person || estimate.is_given;
        let error = tape.filter(|_| is_asked).map(|tape| tape.value - estimate.value);
        let is_missed =
            tape.is_some_and(|tape| estimate.is_given && is_missed(measure, estimate.value, tape.value));
        MeasureLine {
            name: measure.name(),
            unit: measure.unit().to_string(),
            value: estimate.value,
            is_given: estimate.is_given,
            deviation: estimate.deviation,
            measured: tape.map(|tape| tape.value),
            error,
            is_missed,
            how: tape.map(|tape| tape.how),
            point: tape.and_then(|tape| Some(tape.point?.to_array())),
            normal: tape.and_then(|tape| Some(tape.normal?.to_array())),
            within_m: tape.and_then(|tape| tape.within_m),
            pose: tape.and_then(|tape| tape.pose),
        }
    }
}
