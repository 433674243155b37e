//! Shared by tests: tolerances, bodies, and random control nets and people that are the same on every platform.

use crate::measured::{Base, Maker};
use crate::survey::Measure::*;
use crate::survey::{Completed, Measure, Population, Sex, complete};
use crate::{Body, Design, GregoryCorners, Patch, Template, build};
use glam::DVec3;

/// Numbers that differ by the last bit of a sum of lengths below a meter.
pub(crate) const LAST_BIT: f64 = 1e-15;
/// Rounding of a handful of sums of lengths below a meter.
pub(crate) const EXACT: f64 = 1e-14;
/// Rounding of long sums, such as volumes.
pub(crate) const ROUNDING: f64 = 1e-12;
/// Maximum normal jump in rest, °, and maximum gap, m, of the project.
pub(crate) const JUMP_DEG: f64 = 1e-6;
pub(crate) const GAP_M: f64 = 1e-9;

/// The body of the human template itself.
pub(crate) fn human() -> Body {
    build(&Template::human(), &Design::default()).unwrap()
}

/// The maker for the default design of a sex.
pub(crate) fn maker(sex: Sex) -> Maker {
    let template = Template::human();
    let base = Base::of(&template, sex);
    Maker::new(template, base)
}

#[track_caller]
pub(crate) fn assert_smooth_and_closed(body: &Body, samples: usize) {
    let found = body.check(samples);
    let worst = found.worst_pair.map(|(a, b)| (&body.patches[a].name, &body.patches[b].name));
    assert!(found.gap_m < GAP_M && found.jump_deg < JUMP_DEG, "{found:?} {worst:?}");
    assert_eq!((found.open_wire_count, found.euler_characteristic), (0, 2));
}

/// A random person of the survey: sex, and measures drawn together from its distribution, some of them given.
pub(crate) fn random_person(random: &mut Random, number: usize) -> (Sex, Vec<(Measure, f64)>, Completed) {
    let sex = if number.is_multiple_of(2) { Sex::Female } else { Sex::Male };
    let population = Population::of(sex);
    let asked: &[Measure] = match number % 3 {
        0 => &[Stature, Weight, WristGirth, CalfGirth, NeckGirth],
        1 => &[Stature, Weight, WaistGirth],
        _ => &[Stature, Weight],
    };
    loop {
        let person = population.draw(|| random.normal());
        let given: Vec<(Measure, f64)> =
            person.into_iter().filter(|(measure, _)| asked.contains(measure)).collect();
        let is_surveyed = |&(measure, value): &(Measure, f64)| {
            let [low, high] = population.surveyed_range(measure);
            (low..=high).contains(&value)
        };
        if let (true, Ok(completed)) = (given.iter().all(is_surveyed), complete(sex, &given)) {
            return (sex, given, completed);
        }
    }
}

/// A small generator (xorshift); tests need no other crate.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number in −1…1.
    pub(crate) fn signed(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A number between two others.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.signed() + 1.0)
    }

    /// A number of the normal distribution with mean 0 and deviation 1, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.between(1e-12, 1.0).ln()).sqrt();
        radius * self.between(0.0, std::f64::consts::TAU).cos()
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn points<const N: usize>(&mut self) -> [DVec3; N] {
        std::array::from_fn(|_| self.vector())
    }

    pub(crate) fn bezier(&mut self) -> Patch {
        Patch::bezier(std::array::from_fn(|_| self.points()))
    }

    pub(crate) fn gregory(&mut self) -> Patch {
        let corners = GregoryCorners { cross_u: self.points(), cross_w: self.points() };
        Patch::gregory(std::array::from_fn(|_| self.points()), corners)
    }

    /// A gently curved patch of about unit size in the plane, whose normals are everywhere defined.
    pub(crate) fn gentle(&mut self) -> Patch {
        let mut point =
            |i: usize, j: usize| DVec3::new(i as f64 / 4.0, j as f64 / 4.0, 0.0) + 0.04 * self.vector();
        Patch::bezier(std::array::from_fn(|i| std::array::from_fn(|j| point(i, j))))
    }

    /// The same with split corners.
    pub(crate) fn gentle_gregory(&mut self) -> Patch {
        let patch = self.gentle();
        let near =
            |random: &mut Self| crate::patch::CORNERS.map(|(i, j)| patch.net[i][j] + 0.03 * random.vector());
        let corners = GregoryCorners { cross_u: near(self), cross_w: near(self) };
        Patch::gregory(patch.net, corners)
    }
}
