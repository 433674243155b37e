//! The parameters of a design that a fit changes.

use crate::design::{ByName, Design, Sided};
use glam::{DVec2, DVec3};

/// Kind of parameter. Amounts are added to the design's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knob {
    /// A joint; only for ends that are not joints of the target.
    Joint,
    /// A ring's whole thickness along its axis.
    RingFront,
    /// A ring's whole thickness across its axis.
    RingSide,
    RingShift,
    RingFlare,
    MiddleFront,
    MiddleSide,
    MiddleShift,
    FillCenter,
    FillSpread,
    FillShift,
    EdgeBulge,
    Node,
    Offset,
    /// Factors on the head's breadth, height and depth.
    HeadSize,
    /// The amount of a mode of the head that goes with bodies.
    HeadShape(usize),
    /// The amount of a mode of faces.
    HeadFace(usize),
}

/// A parameter of a part with its usual amount.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameter {
    pub(super) knob: Knob,
    /// The part's name or the offset's key.
    pub(super) name: String,
    /// Direction of a knob that moves something; zero for a scalar.
    pub(super) way: DVec3,
    /// The amount for one unit of the unknown: its usual variation.
    pub(super) usual: f64,
}

/// Minimum thickness of rings in a fit, m, well inside the buildable range.
const LEAST_M: f64 = 0.006;
/// Bounds of flares, and of fills' factors.
const FLARE: DVec2 = DVec2::splat(2.0);
const CENTER: (f64, f64) = (0.5, 5.0);
const SPREAD: (f64, f64) = (0.3, 2.5);
/// Bounds of a head's factors and amounts.
const SIZE: [DVec3; 2] = [DVec3::splat(0.6), DVec3::splat(1.6)];
const AMOUNT: f64 = 6.0;

impl Parameter {
    /// A scalar of a part.
    pub(super) fn number(knob: Knob, name: &str, usual: f64) -> Self {
        Self::along(knob, name, DVec3::ZERO, usual)
    }

    /// A move of a part along a direction.
    pub(super) fn along(knob: Knob, name: &str, way: DVec3, usual: f64) -> Self {
        Parameter { knob, name: name.to_owned(), way, usual }
    }

    /// Changes the value by `units` of the usual amount. A missing value counts as zero.
    pub(super) fn turn(&self, design: &mut Design, units: f64) {
        let (by, name) = (units * self.usual, self.name.as_str());
        let moved = by * self.way;
        match self.knob {
            Knob::Joint => *both(&mut design.joints, name) += moved,
            Knob::Node => *both(&mut design.nodes, name) += moved,
            Knob::Offset => *both(&mut design.offsets, name) += moved,
            Knob::RingFront => thicken(&mut both(&mut design.rings, name).front, by),
            Knob::RingSide => thicken(&mut both(&mut design.rings, name).side, by),
            Knob::RingShift => add(&mut both(&mut design.rings, name).shift, moved),
            Knob::RingFlare => {
                let flare = both(&mut design.rings, name).flare.get_or_insert_default();
                *flare = (*flare + moved.truncate()).clamp(-FLARE, FLARE);
            }
            Knob::MiddleFront => thicken(&mut both(&mut design.middles, name).front, by),
            Knob::MiddleSide => thicken(&mut both(&mut design.middles, name).side, by),
            Knob::MiddleShift => add(&mut both(&mut design.middles, name).shift, moved),
            Knob::FillCenter => bounded(&mut both(&mut design.fills, name).center, by, CENTER),
            Knob::FillSpread => bounded(&mut both(&mut design.fills, name).spread, by, SPREAD),
            Knob::FillShift => add(&mut both(&mut design.fills, name).shift, moved),
            Knob::HeadSize => {
                let size = design.head.size.get_or_insert(DVec3::ONE);
                *size = (*size + moved).clamp(SIZE[0], SIZE[1]);
            }
            Knob::HeadShape(mode) => amount(&mut design.head.shape, mode, by),
            Knob::HeadFace(mode) => amount(&mut design.head.face, mode, by),
            Knob::EdgeBulge => add(&mut both(&mut design.edges, name).bulge, moved),
        }
    }
}

fn amount(list: &mut Vec<f64>, mode: usize, by: f64) {
    if list.len() <= mode {
        list.resize(mode + 1, 0.0);
    }
    list[mode] = (list[mode] + by).clamp(-AMOUNT, AMOUNT);
}

fn add(value: &mut Option<DVec3>, by: DVec3) {
    *value.get_or_insert_default() += by;
}

fn thicken(value: &mut Option<f64>, by: f64) {
    bounded(value, by, (LEAST_M, f64::INFINITY));
}

fn bounded(value: &mut Option<f64>, by: f64, (low, high): (f64, f64)) {
    *value = Some((value.unwrap_or_default() + by).clamp(low, high));
}

/// The common value of both sides, created if missing. Separate values are replaced by the left one's.
fn both<'a, T: Copy + Default>(values: &'a mut ByName<T>, name: &str) -> &'a mut T {
    let sided = values.entry(name.to_owned()).or_insert_with(|| Sided::Both(T::default()));
    if let Sided::Each { left, .. } = sided {
        *sided = Sided::Both(left.unwrap_or_default());
    }
    match sided {
        Sided::Both(value) => value,
        Sided::Each { .. } => unreachable!("it was just joined"),
    }
}
