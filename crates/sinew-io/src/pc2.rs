//! PC2 point caches: positions of one list of vertices over time. Blender's Mesh Cache modifier, 3ds Max and Houdini read them.
//!
//! A header of 32 bytes (magic, version, number of points, first frame, frames per sample, number of samples), then x, y and z
//! of every point of every sample, all little-endian. The format has no axes and no units: positions are stored as they are,
//! +Y up and in m.

use crate::float_bytes;
use crate::points::{PointsReadError, PointsWriteError};
use glam::Vec3;
use std::io::{self, Read, Write};

/// Of writing.
type Result<T, E = PointsWriteError> = std::result::Result<T, E>;

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const VERSION: i32 = 1;

/// Header of a point cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pc2Header {
    /// Points in every sample.
    pub point_count: usize,
    /// Samples in the file.
    pub sample_count: usize,
    /// The frame of the first sample; usually 0.
    pub start_frame: f32,
    /// Frames from one sample to the next; usually 1.
    pub frames_per_sample: f32,
}

/// Reads a point cache: its header and the points of all samples in order. `length`: bytes of the whole file; counts are checked
/// against it before allocation.
///
/// # Errors
/// If it is not a point cache, or its length does not match its header.
pub fn read_pc2(mut input: impl Read, length: u64) -> Result<(Pc2Header, Vec<Vec3>), PointsReadError> {
    let mut header = [0; 32];
    if length < header.len() as u64 {
        return Err(PointsReadError::NotPc2);
    }
    let failed = |error: io::Error| PointsReadError::Io { what: "point cache", message: error.to_string() };
    input.read_exact(&mut header).map_err(failed)?;
    let word = |at: usize| [header[at], header[at + 1], header[at + 2], header[at + 3]];
    if header[..12] != *MAGIC || i32::from_le_bytes(word(12)) != VERSION {
        return Err(PointsReadError::NotPc2);
    }
    let (points, samples) = (i32::from_le_bytes(word(16)), i32::from_le_bytes(word(28)));
    let found = length - header.len() as u64;
    let (Ok(point_count), Ok(sample_count)) = (usize::try_from(points), usize::try_from(samples)) else {
        return Err(PointsReadError::CacheSize { points, samples, found });
    };
    let count = point_count as u64 * sample_count as u64;
    // Samples without points take no bytes, so any number of them would match.
    if count.checked_mul(12) != Some(found) || (point_count == 0 && sample_count > 0) {
        return Err(PointsReadError::CacheSize { points, samples, found });
    }
    let mut positions = Vec::with_capacity(count as usize);
    let points = |bytes: &[u8]| positions.extend(float_bytes::points(bytes));
    float_bytes::read_pieces(&mut input, found as usize, points).map_err(failed)?;
    let (start_frame, frames_per_sample) = (f32::from_le_bytes(word(20)), f32::from_le_bytes(word(24)));
    Ok((Pc2Header { point_count, sample_count, start_frame, frames_per_sample }, positions))
}

/// Writes a point cache sample by sample.
#[derive(Debug)]
pub struct Pc2Writer<W> {
    out: W,
    header: Pc2Header,
    written: usize,
}

impl<W: Write> Pc2Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If the header cannot be stored, or the output fails.
    pub fn new(mut out: W, header: Pc2Header) -> Result<Self> {
        let Pc2Header { point_count, sample_count, start_frame, frames_per_sample } = header;
        let fit = |what, found| i32::try_from(found).map_err(|_| PointsWriteError::TooMany { what, found });
        let (points, samples) = (fit("points", point_count)?, fit("samples", sample_count)?);
        if !start_frame.is_finite() || !frames_per_sample.is_finite() || frames_per_sample <= 0.0 {
            return Err(PointsWriteError::Times { start_frame, frames_per_sample });
        }
        let words = [VERSION.to_le_bytes(), points.to_le_bytes(), start_frame.to_le_bytes()];
        let more = [frames_per_sample.to_le_bytes(), samples.to_le_bytes()];
        let bytes = [MAGIC, words.as_flattened(), more.as_flattened()].concat();
        out.write_all(&bytes).map_err(PointsWriteError::Cache)?;
        Ok(Self { out, header, written: 0 })
    }

    /// Writes the next sample: posed positions, one per point, m.
    ///
    /// # Errors
    /// If the number of samples or points differs from the header, a position is not finite (nothing of the sample is written
    /// then), or the output fails.
    pub fn write_sample(&mut self, posed_positions: &[Vec3]) -> Result<()> {
        let sample = self.written;
        let Pc2Header { point_count: expected, sample_count, .. } = self.header;
        if sample >= sample_count {
            return Err(PointsWriteError::SampleCount { expected: sample_count, found: sample + 1 });
        }
        if posed_positions.len() != expected {
            return Err(PointsWriteError::PointCount { sample, expected, found: posed_positions.len() });
        }
        if let Some(point) = posed_positions.iter().position(|position| !position.is_finite()) {
            return Err(PointsWriteError::NotFinite { sample, point });
        }
        float_bytes::write_points(&mut self.out, posed_positions).map_err(PointsWriteError::Cache)?;
        self.written += 1;
        Ok(())
    }

    /// Finishes the file, flushes the output and returns it.
    ///
    /// # Errors
    /// If fewer samples were written than the header says, or the output fails.
    pub fn finish(mut self) -> Result<W> {
        let (expected, found) = (self.header.sample_count, self.written);
        if found != expected {
            return Err(PointsWriteError::SampleCount { expected, found });
        }
        self.out.flush().map_err(PointsWriteError::Cache)?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEADER: Pc2Header =
        Pc2Header { point_count: 2, sample_count: 3, start_frame: 1.0, frames_per_sample: 0.5 };

    #[test]
    fn bytes_are_as_the_format_says() {
        let mut writer = Pc2Writer::new(Vec::new(), HEADER).unwrap();
        for sample in 0..3 {
            writer.write_sample(&[Vec3::X * sample as f32, Vec3::new(1.0, 2.0, 3.0)]).unwrap();
        }
        let bytes = writer.finish().unwrap();
        assert_eq!(bytes.len(), 32 + 3 * 2 * 12);
        assert_eq!(&bytes[..20], b"POINTCACHE2\0\x01\0\0\0\x02\0\0\0");
        assert_eq!(&bytes[20..32], b"\0\0\x80\x3f\0\0\0\x3f\x03\0\0\0");
        assert_eq!(
            float_bytes::points(&bytes[32 + 24..32 + 48]).collect::<Vec<_>>(),
            [Vec3::X, Vec3::new(1.0, 2.0, 3.0)]
        );
        let (header, points) = read_pc2(&bytes[..], bytes.len() as u64).unwrap();
        assert_eq!((header, points.len(), points[2]), (HEADER, 6, Vec3::X));
        for cut in 0..bytes.len() {
            assert!(read_pc2(&bytes[..cut], cut as u64).is_err(), "cut to {cut} bytes");
        }
        let mut negative = bytes.clone();
        negative[31] = 0xff;
        let error = read_pc2(&negative[..], negative.len() as u64).expect_err("samples below 0");
        assert!(error.to_string().contains("do not match the 72 bytes"), "{error}");
    }

    #[test]
    fn what_does_not_match_the_header_is_refused() {
        let mut writer = Pc2Writer::new(Vec::new(), HEADER).unwrap();
        let error = writer.write_sample(&[Vec3::X]).expect_err("one point").to_string();
        assert_eq!(error, "sample 0 has 1 points, expected 2 as in the header");
        let error = writer.write_sample(&[Vec3::X, Vec3::NAN]).expect_err("NaN").to_string();
        assert_eq!(error, "sample 0: the position of point 1 is not finite");
        let error = writer.finish().expect_err("no sample").to_string();
        assert_eq!(error, "0 samples were written, expected 3 as in the header");
        let mut writer = Pc2Writer::new(Vec::new(), Pc2Header { sample_count: 0, ..HEADER }).unwrap();
        writer.write_sample(&[Vec3::X, Vec3::Y]).expect_err("one too many");
        for header in [
            Pc2Header { point_count: 1 << 31, ..HEADER },
            Pc2Header { sample_count: usize::MAX, ..HEADER },
            Pc2Header { frames_per_sample: 0.0, ..HEADER },
            Pc2Header { start_frame: f32::NAN, ..HEADER },
        ] {
            Pc2Writer::new(Vec::new(), header).expect_err("a bad header");
        }
    }

    fn cache() -> Vec<u8> {
        let mut writer = Pc2Writer::new(Vec::new(), HEADER).unwrap();
        (0..3).for_each(|sample| writer.write_sample(&[Vec3::X * sample as f32, Vec3::Y]).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn damaged_caches_are_told() {
        let with = |at: usize, word: [u8; 4]| {
            let mut bytes = cache();
            bytes[at..at + 4].copy_from_slice(&word);
            bytes
        };
        for (bytes, expected) in [
            (b"PK\x03\x04".to_vec(), "not a .pc2 file"),
            (Vec::new(), "not a .pc2 file"),
            (with(12, 2i32.to_le_bytes()), "version 1"),
            (with(16, (-1i32).to_le_bytes()), "-1 points"),
            (with(16, 0i32.to_le_bytes()), "do not match"),
            (with(28, i32::MAX.to_le_bytes()), "do not match the 72 bytes"),
            (cache()[..cache().len() - 1].to_vec(), "do not match the 71 bytes"),
        ] {
            let error = read_pc2(&bytes[..], bytes.len() as u64).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error:?} should contain {expected:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(changes in proptest::collection::vec((0usize..104, any::<u8>()), 0..20)) {
            let mut bytes = cache();
            changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
            let _ = read_pc2(&bytes[..], bytes.len() as u64);
        }
    }
}
