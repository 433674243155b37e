//! From measures to a body that has them.
//!
//! A [`Base`] is a design with the measures of the person it shows. A [`Maker`] grows it to another person's measures part by part,
//! builds it, reads the tapes on the surface, and turns a few scalars until they read what was asked for: the chest's and the hips'
//! size, the thickness of soft parts that nobody asked about, and the crown's height. What cannot be met is refused with a range.

mod base;
mod error;
mod grown;
mod heights;
mod joints;
mod knobs;
mod overlay;
mod part;
mod readings;
mod shown;
mod sizes;
mod solver;
mod start;
#[cfg(test)]
mod tests;

pub use base::Base;
pub use error::{MakeError, MakeNote};
pub use readings::{BODY_DENSITY, Readings};

use crate::body::Body;
use crate::design::Design;
use crate::survey::Completed;
use crate::template::Template;
use solver::Task;
use start::Start;

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
    /// What the maker came to, to be written or changed.
    pub design: Design,
    /// What a user should be told; empty if all is met.
    pub notes: Vec<MakeNote>,
}

impl Maker {
    /// A maker on a template and a base design for it. Finds out how the base answers to the knobs, so that making is quick.
    pub fn new(template: Template, base: Base) -> Self {
        let start = Start::of(&template, &base);
        Self { template, base, start }
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Makes a body with a person's measures. Given ones are met: girths of rings exactly, tapes of chest, waist, hips, thigh and calf
    /// to half a millimetre, stature to a tenth, mass to a thousandth.
    ///
    /// # Errors
    /// A measure that the others leave no room for, with the range there is; or a design that cannot be built.
    pub fn make(&self, person: &Completed) -> Result<MeasuredBody, MakeError> {
        self.make_with(person, &Design::default())
    }

    /// As [`Maker::make`], with values of a design laid over the measured ones: they stay as they are, and the rest is solved round
    /// them.
    ///
    /// # Errors
    /// As [`Maker::make`].
    pub fn make_with(&self, person: &Completed, own: &Design) -> Result<MeasuredBody, MakeError> {
        solver::solve(&Task::new(self, person, own))
    }
}
