//! Errors of reading tetrahedra.

use crate::MemoryLimitError;
use sinew_geometry::TetMeshError;

/// Error of reading tetrahedra.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TetReadError {
    #[error("{file}line {line}: expected {expected}, found {found:?}")]
    Unexpected {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
        expected: String,
        found: String,
    },
    #[error("{file}line {line}: expected {expected}, found the end of the file")]
    End {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
        expected: String,
    },
    #[error("{file}line {line}: the file declares {count} {what}, but only {bytes_left} bytes follow")]
    Short {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
        /// What is counted.
        what: &'static str,
        count: u64,
        bytes_left: usize,
    },
    #[error("line {line}: {what}")]
    Unsupported {
        /// From 1.
        line: usize,
        what: String,
    },
    #[error("{file}line {line}: expected three finite single-precision numbers for a point")]
    NotFinite {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
    },
    #[error("the file has no valid tetrahedron ({point_count} points)")]
    NoTets { point_count: usize },
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    /// A gap in this reader.
    #[error(transparent)]
    Mesh(#[from] TetMeshError),
}
