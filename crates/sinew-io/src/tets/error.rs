//! Why bytes gave no tetrahedra.

use crate::MemoryLimitError;
use sinew_geometry::TetMeshError;

/// Why bytes gave no tetrahedra.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TetReadError {
    /// Something else than what must stand there.
    #[error("{file}line {line}: expected {expected}, found {found:?}")]
    Unexpected {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
        /// What must stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The file ends too early.
    #[error("{file}line {line}: the file ends where {expected} should be")]
    End {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
        /// What must stand there.
        expected: String,
    },
    /// A count that the file is too short for.
    #[error("{file}line {line}: {count} {what} are promised, but only {bytes_left} bytes follow")]
    Short {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
        /// What is counted.
        what: &'static str,
        /// Promised.
        count: u64,
        /// To the end of the file.
        bytes_left: usize,
    },
    /// A kind of the format that is not read.
    #[error("line {line}: {what}")]
    Unsupported {
        /// From 1.
        line: usize,
        /// What it is and what to do.
        what: String,
    },
    /// A point that is nowhere.
    #[error("{file}line {line}: a point needs three finite numbers that single precision holds")]
    NotFinite {
        /// `.node `, `.ele ` or nothing, where there is but one file.
        file: &'static str,
        /// From 1.
        line: usize,
    },
    /// Nothing to work with.
    #[error("the file has no usable tetrahedron ({point_count} points)")]
    NoTets {
        /// Points that were read.
        point_count: usize,
    },
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    /// A gap in this reader.
    #[error(transparent)]
    Mesh(#[from] TetMeshError),
}
