//! Errors of reading and writing points: NumPy arrays, point caches, USD text, positions of OBJ files.

use std::io;

/// Maximum number of axes that every NumPy version reads.
pub(crate) const MOST_AXES: usize = 32;

/// Error of reading points or numbers from a file. Lines count from 1, samples from 0, bytes of a header from the start of its text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PointsReadError {
    #[error("not a .npy file: it does not start with \"\\x93NUMPY\"")]
    NotNpy,
    #[error("unknown .npy version {major}.{minor}; versions 1.0 to 3.0 are supported")]
    Version { major: u8, minor: u8 },
    #[error("the file ends after {found} bytes, but its header needs {expected}")]
    Truncated { expected: u64, found: u64 },
    #[error("invalid header at byte {offset}: expected {expected}")]
    Header { offset: usize, expected: &'static str },
    #[error("unsupported value type {found:?}; {readable}")]
    ElementType { found: String, readable: &'static str },
    #[error("the values are in Fortran order; convert the array with numpy.ascontiguousarray first")]
    FortranOrder,
    #[error("shape {shape:?} does not match the {found} bytes of values")]
    ArraySize { shape: Vec<usize>, found: usize },
    #[error("not a .pc2 file: it does not start with \"POINTCACHE2\" and version 1")]
    NotPc2,
    /// A count below 0, or a point cache of another length than its header says.
    #[error("{samples} samples of {points} points do not match the {found} bytes of values")]
    CacheSize { points: i32, samples: i32, found: u64 },
    #[error("the {what} could not be read: {message}")]
    Io { what: &'static str, message: String },
    #[error("line {line}: expected three finite numbers after v")]
    Position { line: usize },
    #[error("binary USD is not supported; export as .usda or convert with usdcat")]
    Binary,
    #[error("line 1: expected \"#usda 1.0\"")]
    Magic,
    #[error("line {line}: {problem}")]
    Syntax { line: usize, problem: String },
    #[error("no mesh has points over time (points.timeSamples); export the deforming mesh")]
    NoSamples,
    #[error(
        "mesh {mesh:?} has {found} samples, but {first:?} has {expected}; export all with the same frames"
    )]
    SampleCount { mesh: String, found: usize, first: String, expected: usize },
    #[error("mesh {mesh:?} has {found} points in sample {sample}, but {expected} in the first")]
    PointCount { mesh: String, sample: usize, found: usize, expected: usize },
    #[error("line {line}: prim {prim:?} has a transform; apply it before the export")]
    Transform { line: usize, prim: String },
    #[error("line {line}: invalid upAxis {found:?}; use \"Y\" or \"Z\"")]
    UpAxis { line: usize, found: String },
}

/// Error of writing points. Parts, frames and samples count from 0; vertices count over all parts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PointsWriteError {
    #[error("an array of {axis_count} axes cannot be stored; the maximum is {MOST_AXES}")]
    TooManyAxes { axis_count: usize },
    /// More values than can be counted.
    #[error("an array of shape {shape:?} is too large to store")]
    TooLarge { shape: Vec<usize> },
    #[error("an array of shape {shape:?} holds {expected} values, but {found} were written")]
    WrongCount { shape: Vec<usize>, expected: u64, found: u64 },
    #[error("the array could not be written: {0}")]
    Array(#[source] io::Error),
    #[error("{found} {what} exceed the maximum of a PC2 file, {}", i32::MAX)]
    TooMany { what: &'static str, found: usize },
    #[error(
        "start frame {start_frame} and {frames_per_sample} frames per sample must be finite, the second above 0"
    )]
    Times { start_frame: f32, frames_per_sample: f32 },
    #[error("sample {sample} has {found} points, expected {expected} as in the header")]
    PointCount { sample: usize, expected: usize, found: usize },
    #[error("{found} samples were written, expected {expected} as in the header")]
    SampleCount { expected: usize, found: usize },
    #[error("sample {sample}: the position of point {point} is not finite")]
    NotFinite { sample: usize, point: usize },
    #[error("the point cache could not be written: {0}")]
    Cache(#[source] io::Error),
    #[error("invalid frame rate {found}; use a finite number above 0")]
    FramesPerSecond { found: f64 },
    #[error("part {part} ({name:?}): {problem}")]
    Part { part: usize, name: String, problem: String },
    #[error("frame {frame} has {found} {what}, expected {expected}")]
    Count { frame: usize, what: &'static str, expected: usize, found: usize },
    #[error("frame {frame}: vertex {vertex} (counted over all parts) has {what} that are not finite")]
    VertexNotFinite { frame: usize, vertex: usize, what: &'static str },
    #[error("no frame to write")]
    NoFrames,
    #[error("the USD file could not be written: {0}")]
    Usd(#[source] io::Error),
    #[error("the temporary file for frames failed: {0}")]
    Spool(#[source] io::Error),
}
