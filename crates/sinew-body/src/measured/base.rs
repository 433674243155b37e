//! Designs to start from.

use super::part::Place;
use super::shown::shown_person;
use crate::body::Body;
use crate::build::{BuildError, Figure, build};
use crate::design::Design;
use crate::survey::{BodyMeasures, Completed, Sex, complete};
use crate::template::{Flank, Template};
use glam::{DMat3, DVec3};

/// A design and the measures of its person.
#[derive(Clone, Debug)]
pub struct Base {
    pub(super) design: Design,
    pub(super) person: Completed,
    pub(super) measures: BodyMeasures,
    pub(super) body: Body,
    pub(super) figure: Figure,
    /// Along the left hand, out of its back, across it towards the thumb.
    pub(super) model_from_hand: DMat3,
    /// Place of each ring of the body, in its order.
    pub(super) ring_places: Vec<Place>,
    /// Place of each of the design's offsets, in its order; `None` for those that the template lacks.
    pub(super) offset_places: Vec<Option<Place>>,
}

impl Base {
    /// A base from a design and its person.
    ///
    /// # Errors
    /// If the design cannot be built on the template.
    pub fn new(template: &Template, design: Design, person: Completed) -> Result<Self, BuildError> {
        let body = build(template, &design)?;
        Ok(Self::of_body(template, design, person, body))
    }

    /// A base from a design alone: measures the body, and completes the rest from the survey of a sex.
    ///
    /// # Errors
    /// If the design cannot be built on the template.
    pub fn measured(template: &Template, design: Design, sex: Sex) -> Result<Self, BuildError> {
        let body = build(template, &design)?;
        let listed = build(template, &Design::default())?;
        let person = shown_person(&body, &listed, sex);
        Ok(Self::of_body(template, design, person, body))
    }

    /// The default design of a sex, measured.
    ///
    /// # Panics
    /// Never: tests build both.
    pub fn of(template: &Template, sex: Sex) -> Self {
        let design = match sex {
            Sex::Female => Design::woman(),
            Sex::Male => Design::man(),
        };
        Self::measured(template, design, sex).expect("the shipped designs can be built")
    }

    /// The human template itself, which is the average man of the survey.
    ///
    /// # Panics
    /// Never: a test builds it.
    pub fn average_man(template: &Template) -> Self {
        let person = complete(Sex::Male, &[]).expect("the mean is sound");
        Self::new(template, Design::default(), person).expect("the template can be built")
    }

    fn of_body(template: &Template, design: Design, person: Completed, body: Body) -> Self {
        let ring_places =
            body.rings.iter().map(|ring| Place::new(&body, ring.bone, ring.ring.frame.center)).collect();
        let offset_places = design.offsets.keys().map(|key| Place::of_key(&body, key)).collect();
        Self {
            figure: Figure::new(template, &design),
            measures: BodyMeasures::new(&person),
            model_from_hand: model_from_hand(&body),
            ring_places,
            offset_places,
            design,
            person,
            body,
        }
    }

    /// The measures of the design's person.
    #[must_use]
    pub fn person(&self) -> &Completed {
        &self.person
    }

    /// A joint on the left or in the middle; the origin if there is none of that name.
    pub(super) fn joint(&self, name: &str) -> DVec3 {
        joint_of(&self.body, name).unwrap_or_default()
    }
}

pub(super) fn joint_of(body: &Body, name: &str) -> Option<DVec3> {
    let found = body.joints.iter().find(|joint| joint.name == name && joint.flank != Flank::Right)?;
    Some(found.position)
}

/// The axes of the left hand, from its joints; those of the model if it has none.
fn model_from_hand(body: &Body) -> DMat3 {
    let joints = ["wrist", "knuckle", "index_1", "little_1"].map(|name| joint_of(body, name));
    let [Some(wrist), Some(knuckle), Some(index), Some(little)] = joints else { return DMat3::IDENTITY };
    let along = (knuckle - wrist).normalize_or(DVec3::X);
    let across = (index - little).reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
    DMat3::from_cols(along, across.cross(along), across)
}
