//! Makes a body from measures.
//!
//! A [`Base`] is a design with the measures of its person. A [`Maker`] scales it to another person's measures part by part, builds it,
//! reads the tapes on the surface, and adjusts a few scalars until they read the requested values: the chest's and the hips' size, the
//! thickness of soft parts without given measures, and the crown's height. Impossible values are rejected with a range.

mod base;
mod grown;
mod joints;
mod knobs;
mod part;
mod readings;
mod shown;
mod sizes;
mod solver;
mod start;
#[cfg(test)]
mod tests;

pub use base::Base;
pub use readings::{BODY_DENSITY, Readings};

use crate::body::Body;
use crate::build::{BuildError, validate::validate};
use crate::design::Design;
use crate::survey::{Completed, Measure};
use crate::template::Template;
use serde::{Deserialize, Serialize};
use solver::Task;
use start::Start;
use std::fmt;

/// Error of making a body with given measures.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MakeError {
    /// The design cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(
        "{measure} {} is not possible with the other values, the nearest is {}; use {}, or change another value",
        measure.show(*asked),
        measure.show(*nearest),
        measure.show_range(range[0], range[1])
    )]
    Unreachable { measure: Measure, asked: f64, nearest: f64, range: [f64; 2] },
}

/// Note for the user: a measure completed from the survey differs on the body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MakeNote {
    /// The measure that differs.
    pub measure: Measure,
    /// Value from the survey, in the measure's unit.
    pub expected: f64,
    /// Value of the body, in the measure's unit.
    pub found: f64,
}

impl fmt::Display for MakeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measure, expected, found } = *self;
        let [expected, found] = [expected, found].map(|value| measure.show(value));
        write!(f, "expected {measure} {expected} from the survey, the body has {found}")
    }
}

/// Makes bodies with given measures, on one template and base.
#[derive(Clone, Debug)]
pub struct Maker {
    template: Template,
    base: Base,
    start: Start,
}

/// A body with its measures.
#[derive(Clone, Debug)]
pub struct MeasuredBody {
    /// Built from `design`.
    pub body: Body,
    /// The resulting design, to write or change.
    pub design: Design,
    /// Notes for the user; empty if all measures are met.
    pub notes: Vec<MakeNote>,
}

impl Maker {
    /// A maker on a template and a base design for it. Computes the base's response to the knobs once, which makes later calls fast.
    pub fn new(template: Template, base: Base) -> Self {
        let start = Start::of(&template, &base);
        Self { template, base, start }
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Makes a body with a person's measures. Accuracy of given ones: girths of rings exact, tapes of chest, waist, hips, thigh and calf
    /// 0.5 mm, stature 0.1 mm, mass 0.001 of it.
    ///
    /// # Errors
    /// A measure that is not possible with the others, with the possible range; or a design that cannot be built.
    pub fn make(&self, person: &Completed) -> Result<MeasuredBody, MakeError> {
        self.make_with(person, &Design::default())
    }

    /// As [`Maker::make`], with values of a design laid over the measured body. They are kept, and given measures are met around them;
    /// measures that were only completed follow the design: a longer thigh makes a taller person.
    ///
    /// # Errors
    /// As [`Maker::make`].
    pub fn make_with(&self, person: &Completed, own: &Design) -> Result<MeasuredBody, MakeError> {
        // Before it is laid over the body: what follows from a mistake would hide it.
        validate(&self.template, own)?;
        solver::solve(&Task::new(&self.template, &self.base, &self.start, person, own))
    }
}
