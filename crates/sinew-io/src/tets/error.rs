//! Errors of reading tetrahedra.

use crate::MemoryLimitError;
use sinew_geometry::TetMeshError;

/// Of reading.
pub(super) type Result<T, E = TetReadError> = std::result::Result<T, E>;

/// Error of reading tetrahedra. Lines count from 1; `file` is `.node `, `.ele ` or nothing, where there is but one file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TetReadError {
    #[error("{file}line {line}: expected {expected}, found {found:?}")]
    Unexpected { file: &'static str, line: usize, expected: String, found: String },
    #[error("{file}line {line}: expected {expected}, found the end of the file")]
    End { file: &'static str, line: usize, expected: String },
    #[error("{file}line {line}: the file declares {count} {what}, but only {bytes_left} bytes follow")]
    Short { file: &'static str, line: usize, what: &'static str, count: u64, bytes_left: usize },
    #[error("line {line}: {what}")]
    Unsupported { line: usize, what: String },
    #[error("{file}line {line}: expected three finite single-precision numbers for a point")]
    NotFinite { file: &'static str, line: usize },
    #[error("the file has no valid tetrahedron ({point_count} points)")]
    NoTets { point_count: usize },
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    /// A gap in this reader.
    #[error(transparent)]
    Mesh(#[from] TetMeshError),
}
