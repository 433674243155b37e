//! Why points cannot be read or written: arrays of NumPy, point caches, USD text, positions of OBJ files.

use std::io;

/// The most axes that every NumPy version reads.
pub(crate) const MOST_AXES: usize = 32;

/// Why a file gives no points or numbers.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PointsReadError {
    /// No NumPy array.
    #[error("this is no .npy file: it does not start with \"\\x93NUMPY\"")]
    NotNpy,
    /// A version of NumPy's format that does not exist yet.
    #[error(".npy version {major}.{minor} is not known; versions 1.0 to 3.0 are")]
    Version {
        /// First number.
        major: u8,
        /// Second number.
        minor: u8,
    },
    /// The file ends inside the header.
    #[error("the file ends after {found} bytes, its header needs {expected}")]
    Truncated {
        /// Bytes up to the end of the header.
        expected: u64,
        /// Bytes in the file.
        found: u64,
    },
    /// A header that cannot be understood.
    #[error("the header cannot be understood at its byte {offset}: expected {expected}")]
    Header {
        /// From the start of the header's text.
        offset: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// Values of a type that is not read.
    #[error("the values are of type {found:?}; {readable}")]
    ElementType {
        /// As the header says it.
        found: String,
        /// Which types are read.
        readable: &'static str,
    },
    /// First axis fastest.
    #[error("the values are in Fortran order; store the array with numpy.ascontiguousarray first")]
    FortranOrder,
    /// More or fewer values than the shape says.
    #[error("shape {shape:?} does not match the {found} bytes of values")]
    ArraySize {
        /// As the header says.
        shape: Vec<usize>,
        /// Bytes after the header.
        found: usize,
    },
    /// No point cache.
    #[error("this is no .pc2 file: it does not start with \"POINTCACHE2\" and version 1")]
    NotPc2,
    /// A count below 0, or a point cache of another length than its header says.
    #[error("{samples} samples of {points} points do not match the {found} bytes of values")]
    CacheSize {
        /// As the header says.
        points: i32,
        /// As the header says.
        samples: i32,
        /// Bytes after the header.
        found: u64,
    },
    /// The file cannot be read.
    #[error("the {what} could not be read: {message}")]
    Io {
        /// "array" or "point cache".
        what: &'static str,
        /// What the system says.
        message: String,
    },
    /// A line of an OBJ file that should be a position.
    #[error("line {line}: a position is three finite numbers after v")]
    Position {
        /// From 1.
        line: usize,
    },
    /// Binary USD.
    #[error("this is binary USD; only text is read, so export as .usda, or convert it with usdcat")]
    Binary,
    /// No USD text.
    #[error("line 1 is not \"#usda 1.0\"")]
    Magic,
    /// Text that ends early or is out of order.
    #[error("line {line}: {problem}")]
    Syntax {
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// No mesh with points.
    #[error("no mesh in it has points over time (points.timeSamples)")]
    NoSamples,
    /// Meshes that do not move together.
    #[error("mesh {mesh:?} has {found} samples, {first:?} has {expected}; export all with the same frames")]
    SampleCount {
        /// The one that differs.
        mesh: String,
        /// Samples of it.
        found: usize,
        /// The mesh before.
        first: String,
        /// Samples of that.
        expected: usize,
    },
    /// A mesh whose points change in number.
    #[error("mesh {mesh:?} has {found} points in sample {sample}, {expected} in the first")]
    PointCount {
        /// The one that differs.
        mesh: String,
        /// From 0.
        sample: usize,
        /// There.
        found: usize,
        /// In the first sample.
        expected: usize,
    },
    /// A prim that is moved as a whole.
    #[error(
        "line {line}: prim {prim:?} has a transform, so that its points are not where they show; apply it before the export"
    )]
    Transform {
        /// From 1.
        line: usize,
        /// Its name.
        prim: String,
    },
    /// An axis that is none.
    #[error("line {line}: upAxis {found:?} is neither \"Y\" nor \"Z\"")]
    UpAxis {
        /// From 1.
        line: usize,
        /// As written.
        found: String,
    },
}

/// Why points cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PointsWriteError {
    /// More axes than NumPy reads.
    #[error("an array of {axis_count} axes cannot be stored, the most is {MOST_AXES}")]
    TooManyAxes {
        /// Axes of the shape.
        axis_count: usize,
    },
    /// More values than can be counted.
    #[error("an array of shape {shape:?} is too large to store")]
    TooLarge {
        /// As given.
        shape: Vec<usize>,
    },
    /// Other than the shape says.
    #[error("an array of shape {shape:?} holds {expected} values, but {found} were written")]
    WrongCount {
        /// As given.
        shape: Vec<usize>,
        /// Values that the shape holds.
        expected: u64,
        /// Values written, with those of the call that failed.
        found: u64,
    },
    /// NumPy's output did not take the bytes.
    #[error("the array could not be written: {0}")]
    Array(#[source] io::Error),
    /// More than the header can say.
    #[error("{found} {what} do not fit into a PC2 file, the most is {}", i32::MAX)]
    TooMany {
        /// "points" or "samples".
        what: &'static str,
        /// How many there are.
        found: usize,
    },
    /// A start or a step that is no number.
    #[error(
        "start frame {start_frame} and {frames_per_sample} frames a sample: both must be finite, the second above 0"
    )]
    Times {
        /// As given.
        start_frame: f32,
        /// As given.
        frames_per_sample: f32,
    },
    /// A sample with another number of points.
    #[error("sample {sample} has {found} points, the header says {expected}")]
    PointCount {
        /// Which sample.
        sample: usize,
        /// Points in the header.
        expected: usize,
        /// Points in the sample.
        found: usize,
    },
    /// Another number of samples.
    #[error("{found} samples were written, the header says {expected}")]
    SampleCount {
        /// Samples in the header.
        expected: usize,
        /// Samples written, with the one that failed.
        found: usize,
    },
    /// NaN or infinity.
    #[error("sample {sample}: the position of point {point} is not finite")]
    NotFinite {
        /// Which sample.
        sample: usize,
        /// The first such point.
        point: usize,
    },
    /// A point cache's output did not take the bytes.
    #[error("the point cache could not be written: {0}")]
    Cache(#[source] io::Error),
    /// A rate that is no rate.
    #[error("{found} frames per second: it must be finite and above 0")]
    FramesPerSecond {
        /// As given.
        found: f64,
    },
    /// A part whose lists do not match.
    #[error("part {part} ({name:?}): {problem}")]
    Part {
        /// Which part.
        part: usize,
        /// As given with the part.
        name: String,
        /// What does not match.
        problem: String,
    },
    /// A frame with another number of vertices or normals.
    #[error("frame {frame} has {found} {what}, expected {expected}")]
    Count {
        /// Which frame.
        frame: usize,
        /// "positions" or "normals".
        what: &'static str,
        /// Of all parts, or none where the first frame had no normals.
        expected: usize,
        /// In this frame.
        found: usize,
    },
    /// NaN or infinity.
    #[error("frame {frame}: vertex {vertex} of all has {what} that are not finite")]
    VertexNotFinite {
        /// Which frame.
        frame: usize,
        /// Counted over all parts.
        vertex: usize,
        /// "positions" or "normals".
        what: &'static str,
    },
    /// Nothing to write.
    #[error("there is no frame to write")]
    NoFrames,
    /// The output did not take the text.
    #[error("the USD file could not be written: {0}")]
    Usd(#[source] io::Error),
    /// The spool did not take the frames or give them back.
    #[error("the temporary file for frames failed: {0}")]
    Spool(#[source] io::Error),
}
