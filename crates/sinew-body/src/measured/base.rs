//! Designs to grow from.

use crate::body::Body;
use crate::build::{BuildError, build};
use crate::design::Design;
use crate::survey::{BodyMeasures, Completed, Sex, complete};
use crate::template::Template;

/// A design, and the measures of the person it shows.
#[derive(Clone, Debug)]
pub struct Base {
    pub(super) design: Design,
    pub(super) person: Completed,
    pub(super) measures: BodyMeasures,
    pub(super) body: Body,
}

impl Base {
    /// A base from a design and the person it shows.
    ///
    /// # Errors
    /// The design cannot be built on the template.
    pub fn new(template: &Template, design: Design, person: Completed) -> Result<Self, BuildError> {
        let body = build(template, &design)?;
        Ok(Self { design, measures: BodyMeasures::new(&person), person, body })
    }

    /// The human template itself, which shows the average man of the survey.
    ///
    /// # Panics
    /// Never: a test builds it.
    pub fn average_man(template: &Template) -> Self {
        let person = complete(Sex::Male, &[]).expect("the mean is sound");
        Self::new(template, Design::default(), person).expect("the template can be built")
    }
}
