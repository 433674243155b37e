//! The scalars that are adjusted until tapes read the requested values.

use super::sizes::RING_COUNT;
use crate::survey::Completed;
use crate::survey::Measure::{self, *};

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
        let is_needed = |knob: &Knob| match knob {
            Knob::Thigh | Knob::Calf => person.estimate(knob.measure()).is_given,
            _ => true,
        };
        Knob::ALL.into_iter().filter(is_needed).collect()
    }

    /// The measure that the knob is adjusted for.
    pub(super) fn measure(self) -> Measure {
        [Stature, ChestGirth, WaistGirth, ButtockGirth, ThighGirth, CalfGirth, Weight][self as usize]
    }

    /// Maximum change either way. Beyond, bodies no longer look human: soft parts a fifth thicker or thinner than the survey's, trunks a
    /// third.
    pub(super) fn reach(self) -> f64 {
        [0.05, 0.35, 0.35, 0.35, 0.35, 0.35, 0.2][self as usize]
    }

    /// Maximum relative error, well below the promised 2 mm of a girth, 1 mm of the stature, 1 % of the mass.
    pub(super) fn tolerance(self) -> f64 {
        [5e-5, 4e-4, 4e-4, 4e-4, 4e-4, 4e-4, 1e-3][self as usize]
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
