//! Shared by tests: tolerances, bodies, and random control nets and people that are the same on every platform.

use crate::shapes::{ShapeMaker, Wanted};
use crate::survey::Sex;
use crate::{Body, Design, GregoryCorners, Patch, Template, build};
use glam::DVec3;
use std::sync::LazyLock;

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

/// Makes people from the shapes that ship.
pub(crate) static MAKER: LazyLock<ShapeMaker> = LazyLock::new(ShapeMaker::human);

/// The design of the average man.
pub(crate) fn man() -> Design {
    static MAN: LazyLock<Design> = LazyLock::new(|| average(Sex::Male));
    MAN.clone()
}

/// The design of the average woman.
pub(crate) fn woman() -> Design {
    static WOMAN: LazyLock<Design> = LazyLock::new(|| average(Sex::Female));
    WOMAN.clone()
}

fn average(sex: Sex) -> Design {
    MAKER.make(&Wanted::average(sex)).unwrap().design
}

#[track_caller]
pub(crate) fn assert_smooth_and_closed(body: &Body, samples: usize) {
    let found = body.check(samples);
    let worst = found.worst_pair.map(|(a, b)| (&body.patches[a].name, &body.patches[b].name));
    assert!(found.gap_m < GAP_M && found.jump_deg < JUMP_DEG, "{found:?} {worst:?}");
    assert_eq!((found.open_wire_count, found.euler_characteristic), (0, 2));
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
