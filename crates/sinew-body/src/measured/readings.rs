//! Readings of a tape and a scale on a body.

use super::sizes::MEASURED_RINGS;
use crate::body::{Body, BodyRing};
use crate::ring::loop_length;
use crate::survey::Measure::{self, *};
use crate::survey::{BodyMeasures, Completed};
use crate::template::Flank;
use serde::{Deserialize, Serialize};

/// Mass divided by volume of a whole body with air in its lungs, kg/m³. Flesh is heavier, 1,040 to 1,070 kg/m³ after Siri's formula for 10
/// to 30 % of fat; three liters of air reduce it to this.
pub const BODY_DENSITY: f64 = 1010.0;

/// All measures that can be read on a body's surface. Breadths and depths of the survey are not included: they were taken between bones
/// and on pressed flesh, and no section matches them together with the girths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Readings {
    /// Measures visible on the surface, in their units.
    pub measures: Vec<(Measure, f64)>,
    /// Girths of the rings by name, along the surface, m; one per pair.
    pub ring_girths: Vec<(String, f64)>,
    /// Enclosed volume, m³.
    pub volume_m3: f64,
    /// Mass at [`BODY_DENSITY`], kg.
    pub mass_kg: f64,
    /// Area of the surface, m².
    pub area_m2: f64,
}

impl Readings {
    /// Reads a body at the heights of a person's tapes.
    pub fn of(body: &Body, person: &Completed) -> Self {
        let measures = BodyMeasures::new(person);
        let volume_m3 = body.volume();
        let mut found = vec![(Stature, body.stature()), (Weight, BODY_DENSITY * volume_m3)];
        let tapes = [ChestGirth, WaistGirth, ButtockGirth, ThighGirth, CalfGirth];
        found.extend(tapes.map(|measure| (measure, tape_girth(body, &measures, measure))));
        let listed = body.rings.iter().filter(|ring| ring.flank != Flank::Right);
        let ring_girths: Vec<_> = listed.map(|ring| (ring.name.clone(), girth_of(body, ring))).collect();
        for (ring, measure) in &MEASURED_RINGS {
            let girth = ring_girths.iter().find(|(name, _)| name == ring);
            found.extend(girth.map(|&(_, girth)| (*measure, girth)));
        }
        found.sort_by_key(|&(measure, _)| measure);
        let (mass_kg, area_m2) = (BODY_DENSITY * volume_m3, body.area());
        Self { measures: found, ring_girths, volume_m3, mass_kg, area_m2 }
    }

    /// The reading of a measure, if the surface shows it.
    pub fn value(&self, measure: Measure) -> Option<f64> {
        self.measures.iter().find(|(found, _)| *found == measure).map(|&(_, value)| value)
    }
}

/// The tape around the trunk or a leg for a measure.
///
/// # Panics
/// If the measure is not such a tape.
pub(super) fn tape_girth(body: &Body, person: &BodyMeasures, measure: Measure) -> f64 {
    let tapes = &person.tapes;
    match measure {
        ChestGirth => trunk_tape(body, measure, tapes.chest.height_m),
        WaistGirth => trunk_tape(body, measure, tapes.waist.height_m),
        ButtockGirth => trunk_tape(body, measure, tapes.buttock.height_m),
        ThighGirth => limb_tape(body, tapes.thigh_height_m, Flank::Left),
        CalfGirth => limb_tape(body, calf_height(body), Flank::Left),
        other => unreachable!("{other} is not a tape"),
    }
}

/// The tape around the trunk at a height, m. Where the legs start it goes around both; where the arms start it passes under them:
/// fills of the chest reach out to the ring of the arm, and their parts beyond the armpit count at the armpit.
pub(super) fn trunk_tape(body: &Body, measure: Measure, height_m: f64) -> f64 {
    let groups: &[&str] = if measure == ButtockGirth { &["torso", "leg"] } else { &["torso"] };
    body.girth_within(height_m, groups, armpit_breadth(body, height_m))
}

/// Half of the trunk's breadth between the armpits, m, at heights with arms; no limit below.
fn armpit_breadth(body: &Body, height_m: f64) -> f64 {
    let roots = body.rings.iter().filter(|ring| ring.name == "arm_root");
    let lowest =
        roots.flat_map(|ring| body.tubes[ring.tube].tube.row(ring.row)).min_by(|a, b| a.y.total_cmp(&b.y));
    match lowest {
        Some(armpit) if armpit.y < height_m => armpit.x.abs(),
        _ => f64::INFINITY,
    }
}

/// The tape around a leg at a height, m; where the leg leaves the trunk, fills of the trunk are included.
pub(super) fn limb_tape(body: &Body, height_m: f64, flank: Flank) -> f64 {
    body.limb_girth_at(height_m, &["leg", "torso"], flank)
}

/// The girth of a ring along the surface, m; `None` if the body has no such ring.
pub(super) fn ring_girth(body: &Body, name: &str) -> Option<f64> {
    body.rings.iter().find(|ring| ring.name == name).map(|ring| girth_of(body, ring))
}

fn girth_of(body: &Body, ring: &BodyRing) -> f64 {
    loop_length(body.tubes[ring.tube].tube.arcs(ring.row))
}

/// The height of the ring around the calf's thickest part.
pub(super) fn calf_height(body: &Body) -> f64 {
    let calf = body.rings.iter().find(|ring| ring.name == "calf");
    calf.map_or(0.0, |ring| ring.ring.frame.center.y)
}
