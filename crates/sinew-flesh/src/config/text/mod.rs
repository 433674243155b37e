//! Settings as TOML.
//!
//! `fields.rs` lists every key once, with its range and its explanation; reading, writing and checking walk that list, so that they cannot
//! differ in what they know.

mod check;
mod fields;
mod read;
#[cfg(test)]
mod tests;
mod visit;
mod write;

pub use read::read;
pub use write::write;

/// A mistake in a file of settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{message}", if *.line == 0 { String::new() } else { format!("line {}: ", .line) }, if .place.is_empty() { String::new() } else { format!("{}: ", .place) })]
pub struct FleshTextError {
    /// Where, from 1; 0 for settings that come from no file.
    pub line: usize,
    /// Which key, such as `layer "fat".young_pa`; may be empty.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// All mistakes of a file, one a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct FleshTextErrors(pub Vec<FleshTextError>);
