//! Every measure of the survey, read back from a built body.
//!
//! Tapes are convex hulls of plane cuts, as a tape bridges hollows; calipers are extents; heights are above the lowest point. Bony
//! landmarks that a skin does not show (a rib, the top of the hip bone) are read at joints of the stick figure, in the proportion that the
//! average man of the survey has to the template. Girths that the survey took flexed are read on a posed body: elbow at a right angle,
//! fist clenched. `docs/formats/design.md` lists how each measure is read.

mod arm;
mod head;
mod joints;
mod leg;
mod skin;
mod trunk;

use crate::body::{Body, BodyPatch, BodyRing};
use crate::ring::loop_length;
use crate::survey::Measure;
use crate::template::Flank;
use glam::DVec3;
use serde::Serialize;
use skin::{Plane, Skin};

/// Mass divided by volume of a whole body with air in its lungs, kg/m³. Flesh is heavier, 1,040 to 1,070 kg/m³ after Siri's formula for 10
/// to 30 % of fat; three liters of air reduce it to this.
pub const BODY_DENSITY: f64 = 1010.0;

/// How a measure is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HowRead {
    /// Volume times density.
    Scale,
    /// A tape: the convex hull of a plane cut.
    Tape,
    /// A caliper: the extent of a cut or a part.
    Caliper,
    /// A point's height above the lowest point.
    Height,
    /// Joints of the stick figure, in the average man's proportion.
    Joints,
}

impl std::fmt::Display for HowRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            HowRead::Scale => "scale",
            HowRead::Tape => "tape",
            HowRead::Caliper => "caliper",
            HowRead::Height => "height",
            HowRead::Joints => "joints",
        })
    }
}

/// A measure read from the surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The measure.
    pub measure: Measure,
    /// In the measure's unit.
    pub value: f64,
    /// How it is read.
    pub how: HowRead,
    /// A point of the tape's or caliper's plane, model space, m.
    pub point: Option<DVec3>,
    /// The plane's unit normal.
    pub normal: Option<DVec3>,
    /// Half of the breadth that a trunk's tape is limited to where arms begin, m.
    pub within_m: Option<f64>,
    /// The pose in which it is read, if not at rest.
    pub pose: Option<&'static str>,
}

/// Heights at which tapes are put round trunk and thigh, m: where the body's own form and joints show them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Levels {
    /// Chest: the nipples.
    chest_m: f64,
    /// Waist: the navel.
    waist_m: f64,
    /// Hips: where the buttocks stand out most.
    buttock_m: f64,
    /// Thigh: right under the buttock.
    thigh_m: f64,
}

/// Reads every measure that a body shows: all but age on a human, stature and weight on anything else.
#[must_use]
pub fn read_all(body: &Body) -> Vec<Reading> {
    let mut found = Tailor::new(body, None).read();
    found.push(plain(Measure::Weight, HowRead::Scale, BODY_DENSITY * body.volume()));
    found.sort_by_key(|reading| reading.measure);
    found
}

/// Reads some measures only, exactly as [`read_all`] does, in the time that they need. Weight is left out: solvers have faster rules for it.
pub(crate) fn read_some(body: &Body, asked: &[Measure]) -> Vec<(Measure, f64)> {
    let found = Tailor::new(body, Some(asked)).read();
    found.into_iter().map(|reading| (reading.measure, reading.value)).collect()
}

/// Girths of the rings by name, along the surface, m; one of a pair.
#[must_use]
pub fn ring_girths(body: &Body) -> Vec<(String, f64)> {
    let listed = body.rings.iter().filter(|ring| ring.flank != Flank::Right);
    let girth = |ring: &BodyRing| loop_length(body.tubes[ring.tube].tube.arcs(ring.row));
    listed.map(|ring| (ring.name.clone(), girth(ring))).collect()
}

/// Measures that are read at the levels of trunk and thigh.
const AT_LEVELS: [Measure; 10] = [
    Measure::ChestGirth,
    Measure::ChestBreadth,
    Measure::ChestDepth,
    Measure::WaistGirth,
    Measure::WaistBreadth,
    Measure::WaistDepth,
    Measure::ButtockGirth,
    Measure::ButtockDepth,
    Measure::HipBreadth,
    Measure::ThighGirth,
];

fn plain(measure: Measure, how: HowRead, value: f64) -> Reading {
    Reading { measure, value, how, point: None, normal: None, within_m: None, pose: None }
}

fn at_plane(measure: Measure, how: HowRead, value: f64, plane: &Plane) -> Reading {
    Reading { point: Some(plane.point), normal: Some(plane.normal), ..plain(measure, how, value) }
}

/// Reads one body.
struct Tailor<'a> {
    skin: Skin<'a>,
    /// Height of the lowest point, m.
    ground: f64,
    /// What is read; everything if `None`.
    asked: Option<&'a [Measure]>,
}

impl<'a> Tailor<'a> {
    fn new(body: &'a Body, asked: Option<&'a [Measure]>) -> Self {
        let skin = Skin::of(body);
        let ground = skin.lowest().unwrap_or(0.0);
        Tailor { skin, ground, asked }
    }

    /// Whether any of these is asked for.
    fn wants(&self, measures: &[Measure]) -> bool {
        self.asked.is_none_or(|asked| measures.iter().any(|measure| asked.contains(measure)))
    }

    /// Everything that is asked for but the weight.
    fn read(&self) -> Vec<Reading> {
        let levels = if self.wants(&AT_LEVELS) { self.levels() } else { None }.unwrap_or_default();
        let mut found = vec![plain(Measure::Stature, HowRead::Height, self.skin.body.stature())];
        self.trunk(&levels, &mut found);
        self.arm(&mut found);
        self.leg(&levels, &mut found);
        self.head(&mut found);
        self.joint_measures(&mut found);
        found.retain(|reading| reading.value.is_finite() && reading.value > 0.0);
        found.retain(|reading| self.wants(&[reading.measure]));
        found.sort_by_key(|reading| reading.measure);
        found
    }

    /// A joint on the left or in the middle.
    fn joint(&self, name: &str) -> Option<DVec3> {
        let joints = &self.skin.body.joints;
        let found = joints.iter().find(|joint| joint.name == name && joint.flank != Flank::Right)?;
        Some(found.position)
    }

    /// The plane of a ring on the left or in the middle.
    fn ring(&self, name: &str) -> Option<Plane> {
        let rings = &self.skin.body.rings;
        let found = rings.iter().find(|ring| ring.name == name && ring.flank != Flank::Right)?;
        Some(Plane { point: found.ring.frame.center, normal: found.ring.frame.normal })
    }

    /// Control points of a ring on the left or in the middle.
    fn ring_points(&self, name: &str) -> Option<&[DVec3]> {
        let body = self.skin.body;
        let found = body.rings.iter().find(|ring| ring.name == name && ring.flank != Flank::Right)?;
        Some(body.tubes[found.tube].tube.row(found.row))
    }

    /// A tape round the patches that count.
    fn tape(&self, measure: Measure, plane: Plane, counts: impl Fn(&BodyPatch) -> bool) -> Option<Reading> {
        if !self.wants(&[measure]) {
            return None;
        }
        let girth = skin::tape_round(&self.skin.cut(&plane, counts), plane.normal)?;
        Some(at_plane(measure, HowRead::Tape, girth, &plane))
    }

    /// The longest of several tapes.
    fn thickest(
        &self,
        measure: Measure,
        planes: impl Iterator<Item = Plane>,
        counts: impl Fn(&BodyPatch) -> bool,
    ) -> Option<Reading> {
        let tapes = planes.filter_map(|plane| self.tape(measure, plane, &counts));
        tapes.max_by(|a, b| a.value.total_cmp(&b.value))
    }

    /// The shortest of several tapes, each round the nearest loop only.
    fn thinnest(
        &self,
        measure: Measure,
        planes: impl Iterator<Item = Plane>,
        counts: impl Fn(&BodyPatch) -> bool,
    ) -> Option<Reading> {
        if !self.wants(&[measure]) {
            return None;
        }
        let tape = |plane: Plane| {
            let girth = skin::tape_round(&self.skin.nearest_loop(&plane, &counts), plane.normal)?;
            Some(at_plane(measure, HowRead::Tape, girth, &plane))
        };
        planes.filter_map(tape).min_by(|a, b| a.value.total_cmp(&b.value))
    }
}

/// Whether a patch is of a group on the left or in the middle.
fn is_left(patch: &BodyPatch, group: &str) -> bool {
    patch.group == group && patch.flank != Flank::Right
}

/// Planes across a bone, at shares of its length.
fn planes_along(from: DVec3, to: DVec3, shares: [f64; 2], count: usize) -> impl Iterator<Item = Plane> {
    let share = move |k: usize| shares[0] + (shares[1] - shares[0]) * k as f64 / (count - 1) as f64;
    (0..count).map(move |k| Plane::across(from.lerp(to, share(k)), to - from))
}

#[cfg(test)]
mod tests;
