//! Mistakes in files.

/// A mistake in a file of settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{message}", if *.line == 0 { String::new() } else { format!("line {line}, column {column}: ") }, prefix(.place))]
pub struct TextError {
    /// Where, from 1; 0 for settings that come from no file.
    pub line: usize,
    /// Where in the line, in characters from 1; 0 for settings that come from no file.
    pub column: usize,
    /// Which key, such as `layer "fat".young_pa`; may be empty.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl TextError {
    /// A mistake in settings that come from no file.
    pub(crate) fn without_file(place: String, message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, place, message: message.into() }
    }
}

/// All mistakes of a file, one a line, by line number alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(brief).collect::<Vec<_>>().join("\n"))]
pub struct TextErrors(pub Vec<TextError>);

impl TextErrors {
    /// The value, if there is no mistake.
    pub(crate) fn none_or<T>(errors: Vec<TextError>, value: T) -> Result<T, Self> {
        if errors.is_empty() { Ok(value) } else { Err(Self(errors)) }
    }
}

fn brief(error: &TextError) -> String {
    let line = if error.line == 0 { String::new() } else { format!("line {}: ", error.line) };
    format!("{line}{}{}", prefix(&error.place), error.message)
}

fn prefix(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!("{place}: ") }
}
