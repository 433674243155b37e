//! Files that a model refers to, given as bytes by a folder, an archive or a network.

use std::io;

/// Error of reading an external file.
#[derive(Debug, thiserror::Error)]
#[error("external file {:?}: {problem}", shortened(uri))]
pub struct ResourceError {
    /// The name in the model.
    pub uri: String,
    /// What is wrong with it.
    pub problem: ResourceProblem,
}

/// An external file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundFile {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Its real name, if that differs from the model's.
    pub found_as: Option<String>,
}

/// The problem of an external file or its name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ResourceProblem {
    #[error("the name is empty")]
    Empty,
    /// `http:`, `file:` and the like.
    #[error("addresses with a scheme ({0:?}) are not supported; put the file beside the model")]
    Scheme(String),
    #[error("absolute paths are not supported; put the file beside the model")]
    Absolute,
    #[error("\"..\" is not supported; put the file beside the model")]
    Parent,
    #[error("the name contains {0}")]
    BadName(&'static str),
    #[error("it is outside the model's folder; put the file beside the model")]
    Outside,
    #[error("the file does not exist")]
    NotFound,
    #[error("it is not a regular file")]
    NotAFile,
    #[error("it has {found} bytes or more; the maximum is {limit}")]
    TooLarge { found: u64, limit: u64 },
    #[error("it changed while it was being opened; try again")]
    Changed,
    #[error("it cannot be read: {0}")]
    Io(#[source] io::Error),
}

/// The start of a text that may be as long as the file it came from.
pub(crate) fn shortened(text: &str) -> String {
    let most = 120;
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
