//! Files that a model names: found by whoever has a folder, an archive or a network, and given as bytes.

use std::io;

/// Why an external file was not read.
#[derive(Debug, thiserror::Error)]
#[error("external file {:?}: {problem}", shortened(uri))]
pub struct ResourceError {
    /// As the model names the file.
    pub uri: String,
    /// What is wrong with it.
    pub problem: ResourceProblem,
}

/// An external file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundFile {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Its real name, where the model has another that means the same.
    pub found_as: Option<String>,
}

/// What is wrong with an external file or its name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResourceProblem {
    /// No name at all.
    #[error("the name is empty")]
    Empty,
    /// `http:`, `file:` and the like.
    #[error("addresses with a scheme ({0:?}) are not followed; only files beside the model are read")]
    Scheme(String),
    /// An absolute path.
    #[error("absolute paths are not followed; only files beside the model are read")]
    Absolute,
    /// A way up.
    #[error("\"..\" is not followed; only files beside the model are read")]
    Parent,
    /// A name that is no text, or has a NUL.
    #[error("the name holds {0}")]
    BadName(&'static str),
    /// A link, or another trick, that leads elsewhere.
    #[error("it leads out of the model's folder")]
    Outside,
    /// Not there.
    #[error("there is no such file")]
    NotFound,
    /// A folder, a pipe, a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// Larger than allowed.
    #[error("it has {found} bytes or more, the most allowed is {limit}")]
    TooLarge {
        /// Bytes seen.
        found: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Swapped while it was opened.
    #[error("it was changed while it was opened")]
    Changed,
    /// What the system says.
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
