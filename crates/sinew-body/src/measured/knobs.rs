//! The scalars that are adjusted until tapes read the requested values.

use super::sizes::RING_COUNT;
use crate::survey::{Completed, Measure};

/// Relative changes of parts, one per [`Knob`]; zero is the survey's value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Knobs {
    /// Of the measured rings: compensates in advance for the girth lost to relief and joins. In the order of
    /// [`super::sizes::MEASURED_RINGS`].
    pub(super) rings: [f64; RING_COUNT],
    values: [f64; KNOB_COUNT],
}

/// A scalar and its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knob {
    /// Height of the crown, m.
    Crown,
    /// Size of the trunk at the chest's tape.
    Chest,
    /// Size of the trunk at the waist's tape.
    Waist,
    /// Size of the trunk at the hips' tape.
    Hips,
    /// Thickness of the thigh, if its girth is given.
    Thigh,
    /// Thickness of the shank, if the calf's girth is given.
    Calf,
    /// Thickness of soft parts without given measures.
    Soft,
}

/// Number of knobs.
pub(super) const KNOB_COUNT: usize = 7;

impl Knob {
    /// All of them.
    pub(super) const ALL: [Knob; KNOB_COUNT] =
        [Knob::Crown, Knob::Chest, Knob::Waist, Knob::Hips, Knob::Thigh, Knob::Calf, Knob::Soft];

    /// Those that a person's measures need. Thighs and calves are soft parts unless given.
    pub(super) fn needed(person: &Completed) -> Vec<Knob> {
        let mut knobs = vec![Knob::Crown, Knob::Chest, Knob::Waist, Knob::Hips];
        if person.estimate(Measure::ThighGirth).is_given {
            knobs.push(Knob::Thigh);
        }
        if person.estimate(Measure::CalfGirth).is_given {
            knobs.push(Knob::Calf);
        }
        knobs.push(Knob::Soft);
        knobs
    }

    /// The measure that the knob is adjusted for.
    pub(super) fn measure(self) -> Measure {
        match self {
            Knob::Crown => Measure::Stature,
            Knob::Chest => Measure::ChestGirth,
            Knob::Waist => Measure::WaistGirth,
            Knob::Hips => Measure::ButtockGirth,
            Knob::Thigh => Measure::ThighGirth,
            Knob::Calf => Measure::CalfGirth,
            Knob::Soft => Measure::Weight,
        }
    }

    /// Maximum change either way. Beyond, bodies no longer look human: soft parts a fifth thicker or thinner than the survey's, trunks a
    /// third.
    pub(super) fn reach(self) -> f64 {
        match self {
            Knob::Crown => 0.05,
            Knob::Soft => 0.2,
            Knob::Chest | Knob::Waist | Knob::Hips | Knob::Thigh | Knob::Calf => 0.35,
        }
    }

    /// Maximum relative error, well below the promised 2 mm of a girth, 1 mm of the stature, 1 % of the mass.
    pub(super) fn tolerance(self) -> f64 {
        match self {
            Knob::Crown => 5e-5,
            Knob::Soft => 1e-3,
            _ => 4e-4,
        }
    }
}

impl std::ops::Index<Knob> for Knobs {
    type Output = f64;

    fn index(&self, knob: Knob) -> &f64 {
        &self.values[knob as usize]
    }
}

impl std::ops::IndexMut<Knob> for Knobs {
    fn index_mut(&mut self, knob: Knob) -> &mut f64 {
        &mut self.values[knob as usize]
    }
}
