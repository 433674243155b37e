//! What can be wrong with a template.

/// Why a text is not a template.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// The text is not TOML, or has keys or types that templates do not have.
    #[error("the template cannot be read: {message}")]
    Syntax {
        /// What the parser says, with line and key.
        message: String,
    },
    /// Something refers to a name that is not there.
    #[error("{item} names \"{name}\", which is no {kind} of the template")]
    Unknown {
        /// Who refers to it.
        item: String,
        /// As it is written.
        name: String,
        /// What it should be.
        kind: &'static str,
    },
    /// The parts do not fit together.
    #[error("{item}: {problem}")]
    Layout {
        /// The part's name.
        item: String,
        /// What is wrong.
        problem: String,
    },
}

impl TemplateError {
    pub(super) fn layout(item: impl Into<String>, problem: impl Into<String>) -> Self {
        TemplateError::Layout { item: item.into(), problem: problem.into() }
    }
}
