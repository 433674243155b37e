//! Muscles as they are written down: places, sizes and curves, for any human.

use super::MuscleProblem;
use super::joint_angles::Joint;
use super::segment::{Segment, Side};
use serde::{Deserialize, Serialize};
use sinew_geometry::MonotoneCurve;

/// On which sides of the body a muscle is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Sides {
    /// Left and right, mirrored.
    #[default]
    Both,
    /// Left only.
    Left,
    /// Right only.
    Right,
}

impl Sides {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Both, Self::Left, Self::Right];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    pub(super) fn list(self) -> &'static [Side] {
        match self {
            Self::Both => &Side::BOTH,
            Self::Left => &[Side::Left],
            Self::Right => &[Side::Right],
        }
    }
}

/// A place in the flesh, relative to a limb.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The limb.
    pub segment: Segment,
    /// Share of the limb's length from its start; −0.5 to 1.5, because muscles begin beyond joints.
    pub along: f64,
    /// Direction from the limb's axis, degrees: 0 front, 90 outside, 180 back, −90 inside. The front of forearms turns with the palm towards
    /// the wrist.
    pub angle_deg: f64,
    /// Share of the way from the axis to the skin in that direction, 0 to 1.
    pub depth: f64,
}

impl Place {
    /// A place; see the fields.
    pub const fn new(segment: Segment, along: f64, angle_deg: f64, depth: f64) -> Self {
        Self { segment, along, angle_deg, depth }
    }
}

/// A bundle of fibers from an origin to an insertion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Strip {
    /// From the origin over places on the way to the insertion; at least two.
    pub path: Vec<Place>,
    /// Half of the width round the limb, as a share of the distance from the limb's axis to the skin there; above 0, at most 3.
    pub width: f64,
    /// Half of the thickness between bone and skin, as the same share; above 0, at most 1.
    pub thickness: f64,
    /// The part of the path that shortens, from and to, shares of its length; the rest is tendon.
    pub belly: [f64; 2],
}

/// How a joint works on a muscle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Driver {
    /// The joint, of the muscle's own side.
    pub joint: Joint,
    /// Angles in degrees, rising, each with the length of the belly relative to the straight neutral human: c(θ), 0.2 to 3.
    pub curve: Vec<[f64; 2]>,
}

/// A muscle for any human.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MuscleSpec {
    /// What it is called; `.left` or `.right` is added for the sides.
    pub name: String,
    /// Where it is. Places are of the left side and mirrored for the right.
    pub sides: Sides,
    /// Its heads or bundles; one or more.
    pub strips: Vec<Strip>,
    /// Joints that shorten and lengthen it; their curves multiply.
    pub drivers: Vec<Driver>,
    /// x of the stretch across the fiber, c^(−x): 1/2 keeps the volume, 0 is no bulge, 1 is that of the method's source. 0 to 2.
    pub lateral_exponent: f64,
    /// How much shorter the belly is at full tension without any motion, 0 to 0.5: a flexed muscle pulls its tendons long.
    pub tension_shortening: f64,
}

impl Default for MuscleSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            sides: Sides::Both,
            strips: Vec::new(),
            drivers: Vec::new(),
            lateral_exponent: 0.5,
            tension_shortening: 0.08,
        }
    }
}

/// Bellies cannot shorten to less or stretch to more.
const LENGTHS: [f64; 2] = [0.2, 3.0];
/// Widths and thicknesses below this share cannot be told from none.
const THINNEST: f64 = 0.01;

impl MuscleSpec {
    /// Everything that is wrong with it.
    pub fn problems(&self) -> Vec<MuscleProblem> {
        let mut problems = Vec::new();
        if self.name.trim().is_empty() {
            problems.push(MuscleProblem::NoName);
        }
        if self.strips.is_empty() {
            problems.push(MuscleProblem::NoStrip);
        }
        let whole = [
            ("lateral_exponent", self.lateral_exponent, 2.0),
            ("tension_shortening", self.tension_shortening, 0.5),
        ];
        for (what, value, most) in whole {
            if !(0.0..=most).contains(&value) {
                problems.push(MuscleProblem::Value { what, value, least: 0.0, most });
            }
        }
        for (at, strip) in self.strips.iter().enumerate() {
            strip_problems(at, strip, &mut problems);
        }
        for (at, driver) in self.drivers.iter().enumerate() {
            if self.drivers[..at].iter().any(|before| before.joint == driver.joint) {
                problems.push(MuscleProblem::JointTwice { joint: driver.joint });
            }
            driver_problems(driver, &mut problems);
        }
        problems
    }
}

fn strip_problems(at: usize, strip: &Strip, problems: &mut Vec<MuscleProblem>) {
    if strip.path.len() < 2 {
        problems.push(MuscleProblem::ShortPath { strip: at, places: strip.path.len() });
    }
    let mut check = |what: &'static str, value: f64, least: f64, most: f64| {
        if !(least..=most).contains(&value) {
            problems.push(MuscleProblem::OutOfRange { strip: at, what, value, least, most });
        }
    };
    check("width", strip.width, THINNEST, 3.0);
    check("thickness", strip.thickness, THINNEST, 1.0);
    for place in &strip.path {
        check("along", place.along, -0.5, 1.5);
        check("angle", place.angle_deg, -360.0, 360.0);
        check("depth", place.depth, 0.0, 1.0);
    }
    let [from, to] = strip.belly;
    if !(0.0 <= from && from < to && to <= 1.0) {
        problems.push(MuscleProblem::Belly { strip: at, from, to });
    }
    for (place, pair) in strip.path.windows(2).enumerate() {
        if pair[0] == pair[1] {
            problems.push(MuscleProblem::SamePlace { strip: at, place });
        }
    }
    if let [first, .., last] = strip.path[..]
        && strip.path.len() > 2
        && first == last
    {
        problems.push(MuscleProblem::SamePlace { strip: at, place: 0 });
    }
}

fn driver_problems(driver: &Driver, problems: &mut Vec<MuscleProblem>) {
    let joint = driver.joint;
    if let Err(source) = MonotoneCurve::new(&driver.curve) {
        problems.push(MuscleProblem::Curve { joint, source });
    }
    let [least, most] = LENGTHS;
    for &[angle_deg, length] in &driver.curve {
        if !(least..=most).contains(&length) {
            problems.push(MuscleProblem::Length { joint, angle_deg, length, least, most });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::muscles::human_muscles;

    #[track_caller]
    fn check(change: impl Fn(&mut MuscleSpec), expected: &str) {
        let mut biceps = human_muscles().into_iter().find(|muscle| muscle.name == "biceps").unwrap();
        change(&mut biceps);
        let reported: Vec<String> = biceps.problems().iter().map(ToString::to_string).collect();
        assert!(reported.iter().any(|problem| problem.contains(expected)), "{expected:?} in {reported:?}");
    }

    #[test]
    fn bad_muscles_are_reported_what_is_wrong() {
        check(|muscle| muscle.name = " ".into(), "no name");
        check(|muscle| muscle.strips.clear(), "no strip");
        check(|muscle| muscle.strips[0].width = 0.0, "width is 0");
        check(|muscle| muscle.strips[0].thickness = f64::NAN, "thickness is NaN");
        check(|muscle| muscle.strips[0].path.truncate(1), "1 place");
        check(|muscle| muscle.strips[0].path[1] = muscle.strips[0].path[0], "are the same");
        check(|muscle| *muscle.strips[0].path.last_mut().unwrap() = muscle.strips[0].path[0], "are the same");
        check(|muscle| muscle.strips[0].path[0].along = f64::INFINITY, "along is inf");
        check(|muscle| muscle.strips[0].belly = [0.5, 0.5], "belly");
        check(|muscle| muscle.drivers[0].curve[0][1] = 0.0, "the length is 0");
        check(|muscle| muscle.drivers[0].curve[0][1] = f64::NAN, "finite");
        check(|muscle| muscle.drivers[0].curve.clear(), "elbow");
        check(|muscle| muscle.drivers.push(muscle.drivers[0].clone()), "twice");
        check(|muscle| muscle.lateral_exponent = -1.0, "lateral_exponent");
    }

    #[test]
    fn the_muscles_of_a_human_are_right() {
        for muscle in human_muscles() {
            assert_eq!(muscle.problems(), [], "{}", muscle.name);
        }
    }
}
