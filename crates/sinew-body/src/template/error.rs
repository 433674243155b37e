//! Errors of templates.

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
    pub(super) fn layout(item: impl Into<String>, problem: impl Into<String>) -> Self {
        TemplateError::Layout { item: item.into(), problem: problem.into() }
    }
}
