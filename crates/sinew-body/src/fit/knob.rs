//! What a fit may turn in a design.

use crate::design::{Design, Sided};
use glam::{DVec2, DVec3};

/// One number of a design. Amounts are added to what the design has already.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Knob {
    /// A joint along a way; only for ends that are no joints of the target.
    Joint {
        name: String,
        way: DVec3,
    },
    /// A ring's whole thickness along its axis.
    RingFront {
        name: String,
    },
    /// A ring's whole thickness across its axis.
    RingSide {
        name: String,
    },
    RingShift {
        name: String,
        way: DVec3,
    },
    RingFlare {
        name: String,
        way: DVec2,
    },
    MiddleFront {
        name: String,
    },
    MiddleSide {
        name: String,
    },
    MiddleShift {
        name: String,
        way: DVec3,
    },
    FillCenter {
        name: String,
    },
    FillSpread {
        name: String,
    },
    FillShift {
        name: String,
        way: DVec3,
    },
    EdgeBulge {
        name: String,
        way: DVec3,
    },
    Node {
        name: String,
        way: DVec3,
    },
    Offset {
        key: String,
        way: DVec3,
    },
}

/// A knob with the amount that is usual for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameter {
    pub(super) knob: Knob,
    /// The amount for one unit of the unknown: what it usually differs by.
    pub(super) usual: f64,
}

/// Least thickness of rings that a fit may come to, metres, well inside what can be built.
const LEAST_M: f64 = 0.006;
/// Bounds of flares, and of fills' factors.
const FLARE: f64 = 2.0;
const CENTER: (f64, f64) = (0.5, 5.0);
const SPREAD: (f64, f64) = (0.3, 2.5);

impl Parameter {
    /// Turns the knob by `units` of the usual amount. What the design does not give counts as zero.
    pub(super) fn turn(&self, design: &mut Design, units: f64) {
        let by = units * self.usual;
        match &self.knob {
            Knob::Joint { name, way } => add(both(&mut design.joints, name), by * *way),
            Knob::Node { name, way } => add(both(&mut design.nodes, name), by * *way),
            Knob::Offset { key, way } => add(both(&mut design.offsets, key), by * *way),
            Knob::RingFront { name } => thicken(&mut both(&mut design.rings, name).front, by),
            Knob::RingSide { name } => thicken(&mut both(&mut design.rings, name).side, by),
            Knob::RingShift { name, way } => {
                add(both(&mut design.rings, name).shift.get_or_insert_default(), by * *way);
            }
            Knob::RingFlare { name, way } => {
                let flare = both(&mut design.rings, name).flare.get_or_insert_default();
                *flare = (*flare + by * *way).clamp(DVec2::splat(-FLARE), DVec2::splat(FLARE));
            }
            Knob::MiddleFront { name } => thicken(&mut both(&mut design.middles, name).front, by),
            Knob::MiddleSide { name } => thicken(&mut both(&mut design.middles, name).side, by),
            Knob::MiddleShift { name, way } => {
                add(both(&mut design.middles, name).shift.get_or_insert_default(), by * *way);
            }
            Knob::FillCenter { name } => {
                bounded(&mut both(&mut design.fills, name).center, by, CENTER);
            }
            Knob::FillSpread { name } => {
                bounded(&mut both(&mut design.fills, name).spread, by, SPREAD);
            }
            Knob::FillShift { name, way } => {
                add(both(&mut design.fills, name).shift.get_or_insert_default(), by * *way);
            }
            Knob::EdgeBulge { name, way } => {
                add(both(&mut design.edges, name).bulge.get_or_insert_default(), by * *way);
            }
        }
    }
}

fn add(value: &mut DVec3, by: DVec3) {
    *value += by;
}

fn thicken(value: &mut Option<f64>, by: f64) {
    bounded(value, by, (LEAST_M, f64::INFINITY));
}

fn bounded(value: &mut Option<f64>, by: f64, (low, high): (f64, f64)) {
    *value = Some((value.unwrap_or_default() + by).clamp(low, high));
}

/// The common value of both sides, made if there is none. A value for each side is replaced by the left one's.
fn both<'a, T: Copy + Default>(values: &'a mut crate::design::ByName<T>, name: &str) -> &'a mut T {
    if !values.contains_key(name) {
        values.insert(name.to_owned(), Sided::Both(T::default()));
    }
    let sided = values.get_mut(name).expect("it was just made");
    if let Sided::Each { left, .. } = sided {
        *sided = Sided::Both(left.unwrap_or_default());
    }
    match sided {
        Sided::Both(value) => value,
        Sided::Each { .. } => unreachable!("it was just joined"),
    }
}
