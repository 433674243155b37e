//! Muscles as they are written down: places, sizes and curves, for any human.

use super::joint_angles::Joint;
use super::segment::{Segment, Side};
use crate::config::fields::choices;
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

choices!(Sides { Both = "both", Left = "left", Right = "right" });

impl Sides {
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

impl MuscleSpec {
    /// Everything that is wrong with it.
    pub fn problems(&self) -> Vec<String> {
        let checked = sinew_settings::check(self);
        checked.err().map_or(Vec::new(), |errors| errors.0.iter().map(ToString::to_string).collect())
    }

    /// What is wrong with it that no single value shows.
    pub(crate) fn whole_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.name.trim().is_empty() {
            problems.push("it has no name; give it one".to_owned());
        }
        if self.strips.is_empty() {
            problems.push("it has no strip; give it one from origin to insertion".to_owned());
        }
        for (at, strip) in self.strips.iter().enumerate() {
            problems.extend(strip.problems().into_iter().map(|problem| format!("strip {at}: {problem}")));
        }
        for (at, driver) in self.drivers.iter().enumerate() {
            let joint = driver.joint.name();
            if self.drivers[..at].iter().any(|before| before.joint == driver.joint) {
                problems.push(format!("{joint} drives it twice; make one curve of both"));
            }
            problems.extend(driver.problems().into_iter().map(|problem| format!("{joint}: {problem}")));
        }
        problems
    }
}

impl Strip {
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.path.len() < 2 {
            problems
                .push(format!("a path needs an origin and an insertion, found {} point(s)", self.path.len()));
        }
        let [from, to] = self.belly;
        if from >= to {
            problems.push(format!(
                "invalid belly from {from} to {to}; use increasing shares of the path, 0 to 1"
            ));
        }
        let is_same = |place: &usize| self.path[*place] == self.path[place + 1];
        let neighbors = (0..self.path.len().saturating_sub(1)).filter(is_same);
        let is_round = self.path.len() > 2 && self.path.first() == self.path.last();
        problems.extend(neighbors.chain(is_round.then_some(0)).map(|place| {
            format!("places {place} and {} are the same; a muscle goes from one place to another", place + 1)
        }));
        problems
    }
}

impl Driver {
    fn problems(&self) -> Vec<String> {
        let [least, most] = LENGTHS;
        let of_curve = MonotoneCurve::new(&self.curve).err().map(|error| error.to_string());
        let outside = self.curve.iter().filter(|[_, length]| !(least..=most).contains(length));
        let of_lengths = outside.map(|[angle_deg, length]| {
            format!(
                "length {length} at {angle_deg}° is out of range; use {least} to {most}, where 1 is the straight limb's"
            )
        });
        of_curve.into_iter().chain(of_lengths).collect()
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
        let reported = biceps.problems();
        assert!(reported.iter().any(|problem| problem.contains(expected)), "{expected:?} in {reported:?}");
    }

    #[test]
    fn bad_muscles_are_reported_what_is_wrong() {
        check(|muscle| muscle.name = " ".into(), "no name");
        check(|muscle| muscle.strips.clear(), "no strip");
        check(|muscle| muscle.strips[0].width = 0.0, "strip[0].width: 0 is out of range");
        check(|muscle| muscle.strips[0].thickness = f64::NAN, "thickness: NaN is out of range");
        check(|muscle| muscle.strips[0].path.truncate(1), "found 1 point");
        check(|muscle| muscle.strips[0].path[1] = muscle.strips[0].path[0], "are the same");
        check(|muscle| *muscle.strips[0].path.last_mut().unwrap() = muscle.strips[0].path[0], "are the same");
        check(|muscle| muscle.strips[0].path[0].along = f64::INFINITY, "along: inf is out of range");
        check(|muscle| muscle.strips[0].belly = [0.5, 0.5], "belly");
        check(|muscle| muscle.drivers[0].curve[0][1] = 0.0, "length 0 at -10°");
        check(|muscle| muscle.drivers[0].curve[0][1] = f64::NAN, "curve: NaN is out of range");
        check(|muscle| muscle.drivers[0].curve.clear(), "elbow");
        check(|muscle| muscle.drivers.push(muscle.drivers[0].clone()), "twice");
        check(|muscle| muscle.lateral_exponent = -1.0, "lateral_exponent");
    }

    #[test]
    fn the_muscles_of_a_human_are_right() {
        for muscle in human_muscles() {
            assert!(muscle.problems().is_empty(), "{}: {:?}", muscle.name, muscle.problems());
        }
    }
}
