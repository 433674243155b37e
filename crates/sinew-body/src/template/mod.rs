//! Templates: the layout of a body and the numbers of a default one, as data.
//!
//! A template is a TOML text: joints and bones of a stick figure, rings around the bones, tubes through the rings, and the parts between
//! tubes: nodes, edges and fills. It lists the left side; the right one is its mirror image. A human and a quadruped are included.

mod bent;
mod data;
mod flank;
pub(crate) mod layout;
mod resolve;

pub use bent::{BentEdgeText, BentNodeText, BentRingText, CarryText};
pub use data::{
    BayText, BentFillText, BentWay, BoneText, BulgeText, BumpText, EdgeText, FillText, HeadText, JointText,
    MotionText, NodeText, RingText, TemplateText, TipText, TubeText,
};
pub use flank::Flank;

use layout::Layout;

/// Error of reading a template.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TemplateError {
    #[error("the template cannot be read: {message}")]
    Syntax { message: String },
    #[error("{item} refers to \"{name}\", which is not a {kind} of the template")]
    Unknown { item: String, name: String, kind: &'static str },
    #[error("{item}: {problem}")]
    Layout { item: String, problem: String },
}

impl TemplateError {
    fn layout(item: impl Into<String>, problem: impl Into<String>) -> Self {
        TemplateError::Layout { item: item.into(), problem: problem.into() }
    }
}

/// A checked template.
///
/// Invariant: all names in it resolve, and tubes, edges and fills fit together.
#[derive(Clone, Debug)]
pub struct Template {
    text: TemplateText,
    pub(crate) layout: Layout,
    pub(crate) relief: crate::build::Relief,
}

impl Template {
    /// Parses and checks a template.
    ///
    /// # Errors
    /// If the text is not TOML, has unknown keys, or its parts do not fit together.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let text: TemplateText = toml::from_str(text)
            .map_err(|error| TemplateError::Syntax { message: error.to_string().trim().to_owned() })?;
        Template::of(text)
    }

    /// The same with an open neck: for fits of all that a head does not change.
    ///
    /// # Panics
    /// Never: a head changes nothing that others refer to.
    #[must_use]
    pub fn without_head(&self) -> Self {
        Template::of(TemplateText { head: None, ..self.text.clone() }).expect("nothing refers to a head")
    }

    fn of(text: TemplateText) -> Result<Self, TemplateError> {
        let layout = resolve::resolve(&text)?;
        let mut template = Template { text, layout, relief: Default::default() };
        template.relief = crate::build::Relief::of(&template)?;
        Ok(template)
    }

    /// The human: an average man after the project's survey data, arms held down at 45°.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn human() -> Self {
        Template::parse(include_str!("../../templates/human.toml")).expect("the human is tested")
    }

    /// A four-legged animal the size of a large dog, to show that a template is data.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn quadruped() -> Self {
        Template::parse(include_str!("../../templates/quadruped.toml")).expect("the quadruped is tested")
    }

    /// Checks the names in a motion.
    pub(crate) fn check_motion(&self, motion: &MotionText) -> Result<(), TemplateError> {
        resolve::check_motion(&self.text, motion)
    }

    /// The parsed text.
    pub fn text(&self) -> &TemplateText {
        &self.text
    }
}

#[cfg(test)]
mod tests;
