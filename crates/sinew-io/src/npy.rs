//! NumPy arrays of float32: the `.npy` format, version 1.0.
//!
//! After NumPy's own `numpy.lib.format`: a magic string, a version, the length of the header, the header as a Python dictionary
//! padded so that the values start at a multiple of 64 bytes, then the values, here always little-endian and in C order (last
//! axis fastest).

use crate::float_bytes;
use crate::points::{MOST_AXES, PointsReadError, PointsWriteError};
use glam::Vec3;
use std::io::{self, Read, Write};

/// Of writing.
type Result<T, E = PointsWriteError> = std::result::Result<T, E>;

/// The first bytes of every `.npy` file.
const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// Values start at a multiple of this many bytes.
const ALIGNMENT: usize = 64;

/// Writes one array; the values may come in any number of calls.
///
/// Many small calls are slow on an unbuffered output; a frame at a time is not.
#[derive(Debug)]
pub struct NpyWriter<W> {
    out: W,
    shape: Vec<usize>,
    expected: u64,
    written: u64,
}

impl<W: Write> NpyWriter<W> {
    /// Writes the header for an array of the final `shape`, slowest axis first: frames × vertices × 3.
    ///
    /// # Errors
    /// If the shape cannot be stored, or the output fails.
    pub fn new(mut out: W, shape: &[usize]) -> Result<Self> {
        if shape.len() > MOST_AXES {
            return Err(PointsWriteError::TooManyAxes { axis_count: shape.len() });
        }
        let expected =
            value_count(shape).ok_or_else(|| PointsWriteError::TooLarge { shape: shape.to_vec() })?;
        out.write_all(&header(shape)).map_err(PointsWriteError::Array)?;
        Ok(Self { out, shape: shape.to_vec(), expected, written: 0 })
    }

    /// Writes the next values unchanged, including NaN and infinities.
    ///
    /// # Errors
    /// If there are more than the shape holds (nothing is written then), or the output fails.
    pub fn write_values(&mut self, values: &[f32]) -> Result<()> {
        self.count(values.len() as u64)?;
        float_bytes::write_floats(&mut self.out, values).map_err(PointsWriteError::Array)
    }

    /// Writes x, y and z of the next points, as [`NpyWriter::write_values`] does.
    ///
    /// # Errors
    /// If there are more than the shape holds (nothing is written then), or the output fails.
    pub fn write_points(&mut self, points: &[Vec3]) -> Result<()> {
        self.count(points.len() as u64 * 3)?;
        float_bytes::write_points(&mut self.out, points).map_err(PointsWriteError::Array)
    }

    /// Finishes the array, flushes the output and returns it.
    ///
    /// # Errors
    /// If fewer values were written than the shape holds, or the output fails.
    pub fn finish(mut self) -> Result<W> {
        if self.written != self.expected {
            return Err(self.wrong_count(self.written));
        }
        self.out.flush().map_err(PointsWriteError::Array)?;
        Ok(self.out)
    }

    fn count(&mut self, more: u64) -> Result<()> {
        let found = self.written.saturating_add(more);
        if found > self.expected {
            return Err(self.wrong_count(found));
        }
        self.written = found;
        Ok(())
    }

    fn wrong_count(&self, found: u64) -> PointsWriteError {
        PointsWriteError::WrongCount { shape: self.shape.clone(), expected: self.expected, found }
    }
}

/// The bytes of an array that is completely in memory.
///
/// # Errors
/// If the number of `values` does not match `shape`, or the shape cannot be stored.
pub fn write_npy(shape: &[usize], values: &[f32]) -> Result<Vec<u8>> {
    let mut writer = NpyWriter::new(Vec::new(), shape)?;
    writer.write_values(values)?;
    writer.finish()
}

/// A decoded array.
#[derive(Clone, Debug, PartialEq)]
pub struct NpyArray {
    /// Lengths of the axes, slowest first.
    pub shape: Vec<usize>,
    /// All values, last axis fastest; as many as the product of the shape.
    pub values: Vec<f32>,
}

/// Reads a little-endian float32 array in C order; rejects everything else.
///
/// # Errors
/// If the bytes are anything else. Sizes are checked against the file before allocation.
pub fn read_npy_f32(bytes: &[u8]) -> Result<NpyArray, PointsReadError> {
    let header = parse_header(&mut &bytes[..], bytes.len() as u64)?;
    let values = &bytes[header.end as usize..];
    if header.element_type != "<f4" {
        return Err(PointsReadError::ElementType {
            found: header.element_type,
            readable: "only '<f4' (float32, little-endian) is supported",
        });
    }
    if header.is_fortran_order {
        return Err(PointsReadError::FortranOrder);
    }
    let expected = value_count(&header.shape).and_then(|count| count.checked_mul(4));
    if expected != Some(values.len() as u64) {
        return Err(PointsReadError::ArraySize { shape: header.shape, found: values.len() });
    }
    Ok(NpyArray { shape: header.shape, values: float_bytes::floats(values).collect() })
}

/// Reads the header from a file of `length` bytes.
pub(crate) fn parse_header(input: &mut impl Read, length: u64) -> Result<Header, PointsReadError> {
    let mut start = [0; 12];
    let known = start.len().min(usize::try_from(length).unwrap_or(usize::MAX));
    let (magic_end, version_end) = (MAGIC.len(), MAGIC.len() + 2);
    input.read_exact(&mut start[..known.min(version_end + 2)]).map_err(array_failed)?;
    if known < magic_end || start[..magic_end] != *MAGIC {
        return Err(PointsReadError::NotNpy);
    }
    let truncated = |expected: u64| Err(PointsReadError::Truncated { expected, found: length });
    let (header_start, header_length) = match [start[6], start[7]] {
        _ if known < 10 => return truncated(12),
        [1, 0] => (10, u64::from(u16::from_le_bytes([start[8], start[9]]))),
        [2 | 3, 0] if known < 12 => return truncated(12),
        [2 | 3, 0] => {
            input.read_exact(&mut start[10..12]).map_err(array_failed)?;
            (12, u64::from(u32::from_le_bytes([start[8], start[9], start[10], start[11]])))
        }
        [major, minor] => return Err(PointsReadError::Version { major, minor }),
    };
    let end = header_start + header_length;
    if end > length {
        return truncated(end);
    }
    let mut text = vec![0; header_length as usize];
    input.read_exact(&mut text).map_err(array_failed)?;
    Ok(Header { end, ..HeaderParser { text: &text, offset: 0 }.parse()? })
}

pub(crate) fn array_failed(error: io::Error) -> PointsReadError {
    PointsReadError::Io { what: "array", message: error.to_string() }
}

/// The product of the axes; `None` if the size in bytes overflows.
fn value_count(shape: &[usize]) -> Option<u64> {
    let count = shape.iter().try_fold(1u64, |product, &axis| product.checked_mul(axis as u64))?;
    count.checked_mul(4).map(|_| count)
}

/// Magic, version and padded dictionary.
fn header(shape: &[usize]) -> Vec<u8> {
    let axes = match shape {
        [] => String::new(),
        [axis] => format!("{axis},"),
        axes => axes.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    };
    let mut text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({axes}), }}");
    let before_text = MAGIC.len() + 4;
    let padded_length = (before_text + text.len() + 1).next_multiple_of(ALIGNMENT) - before_text;
    text.extend(std::iter::repeat_n(' ', padded_length - 1 - text.len()));
    text.push('\n');
    let length = u16::try_from(text.len()).expect("32 axes of at most 20 digits fit into 64 KiB");
    [MAGIC, &[1, 0][..], &length.to_le_bytes(), text.as_bytes()].concat()
}

/// Everything before the values.
pub(crate) struct Header {
    pub(crate) element_type: String,
    pub(crate) is_fortran_order: bool,
    pub(crate) shape: Vec<usize>,
    /// Bytes up to the first value.
    pub(crate) end: u64,
}

/// Parses the restricted Python dictionary of a header.
struct HeaderParser<'a> {
    text: &'a [u8],
    offset: usize,
}

impl HeaderParser<'_> {
    fn parse(mut self) -> Result<Header, PointsReadError> {
        let (mut element_type, mut is_fortran_order, mut shape) = (None, None, None);
        self.require(b'{', "{")?;
        while !self.accept(b'}') {
            let key = self.string()?;
            self.require(b':', ":")?;
            match key.as_str() {
                "descr" => element_type = Some(self.string()?),
                "fortran_order" => is_fortran_order = Some(self.boolean()?),
                "shape" => shape = Some(self.tuple()?),
                _ => return Err(self.expected("one of the keys 'descr', 'fortran_order' or 'shape'")),
            }
            if !self.accept(b',') {
                self.require(b'}', "} or ,")?;
                break;
            }
        }
        self.skip_space();
        if self.offset < self.text.len() {
            return Err(self.expected("the end of the header after }"));
        }
        match (element_type, is_fortran_order, shape) {
            (Some(element_type), Some(is_fortran_order), Some(shape)) => {
                Ok(Header { element_type, is_fortran_order, shape, end: 0 })
            }
            _ => Err(self.expected("the keys 'descr', 'fortran_order' and 'shape'")),
        }
    }

    fn expected(&self, expected: &'static str) -> PointsReadError {
        PointsReadError::Header { offset: self.offset, expected }
    }

    fn skip_space(&mut self) {
        while self.text.get(self.offset).is_some_and(u8::is_ascii_whitespace) {
            self.offset += 1;
        }
    }

    fn accept(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_there = self.text.get(self.offset) == Some(&byte);
        self.offset += usize::from(is_there);
        is_there
    }

    fn require(&mut self, byte: u8, expected: &'static str) -> Result<(), PointsReadError> {
        if self.accept(byte) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn take_while(&mut self, holds: impl Fn(u8) -> bool) -> &str {
        let start = self.offset;
        while self.text.get(self.offset).is_some_and(|&byte| byte.is_ascii() && holds(byte)) {
            self.offset += 1;
        }
        std::str::from_utf8(&self.text[start..self.offset]).expect("only ASCII was taken")
    }

    fn string(&mut self) -> Result<String, PointsReadError> {
        let quote = if self.accept(b'\'') {
            b'\''
        } else {
            self.require(b'"', "a quoted string")?;
            b'"'
        };
        let string = self.take_while(|byte| byte != quote && byte != b'\\').to_owned();
        // Not `require`: it would skip spaces first.
        if self.text.get(self.offset) != Some(&quote) {
            return Err(self.expected("a closing quote"));
        }
        self.offset += 1;
        Ok(string)
    }

    fn boolean(&mut self) -> Result<bool, PointsReadError> {
        self.skip_space();
        match self.take_while(|byte| byte.is_ascii_alphabetic()) {
            "True" => Ok(true),
            "False" => Ok(false),
            _ => Err(self.expected("True or False")),
        }
    }

    fn tuple(&mut self) -> Result<Vec<usize>, PointsReadError> {
        self.require(b'(', "(")?;
        let mut axes = Vec::new();
        while !self.accept(b')') {
            self.skip_space();
            let axis = self.take_while(|byte| byte.is_ascii_digit()).parse();
            axes.push(axis.map_err(|_| self.expected("the length of an axis"))?);
            if axes.len() > MOST_AXES {
                return Err(self.expected("at most 32 axes"));
            }
            if !self.accept(b',') {
                self.require(b')', ") or ,")?;
                break;
            }
        }
        Ok(axes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(header: &str, values: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0][..], &length, header.as_bytes(), values].concat()
    }

    #[test]
    fn header_is_what_numpy_writes() {
        // Copied from `numpy.save` of a float32 array of shape (2, 5, 3).
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 5, 3), }";
        let bytes = write_npy(&[2, 5, 3], &[0.5; 30]).unwrap();
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00v\x00");
        assert_eq!(bytes.len(), 128 + 30 * 4);
        assert_eq!(std::str::from_utf8(&bytes[10..127]).unwrap().trim_end_matches(' '), text);
        assert_eq!(bytes[127], b'\n');
        assert_eq!(&bytes[128..132], 0.5f32.to_le_bytes());
    }

    #[test]
    fn shapes_of_no_and_one_axis_are_tuples() {
        for (shape, values, text) in
            [(&[][..], &[7.0][..], "()"), (&[2], &[1.0, 2.0], "(2,)"), (&[0], &[], "(0,)")]
        {
            let bytes = write_npy(shape, values).unwrap();
            assert!(String::from_utf8_lossy(&bytes).contains(&format!("'shape': {text}, ")), "{shape:?}");
            assert_eq!(
                read_npy_f32(&bytes).unwrap(),
                NpyArray { shape: shape.into(), values: values.into() }
            );
        }
    }

    #[test]
    fn wrong_counts_are_refused() {
        let error = write_npy(&[2, 3], &[0.0; 5]).expect_err("too few");
        assert_eq!(error.to_string(), "an array of shape [2, 3] holds 6 values, but 5 were written");
        let mut writer = NpyWriter::new(Vec::new(), &[1, 3]).unwrap();
        writer.write_points(&[Vec3::X]).unwrap();
        writer.write_points(&[Vec3::Y]).expect_err("too many");
        assert_eq!(writer.finish().unwrap().len(), 128 + 12);
        NpyWriter::new(Vec::new(), &[usize::MAX, 2]).expect_err("overflow");
        NpyWriter::new(Vec::new(), &[1; 33]).expect_err("too many axes");
    }

    #[test]
    fn bad_files_say_what_is_wrong() {
        let good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
        assert_eq!(read_npy_f32(&file(good, &[0; 4])).unwrap().shape, [1]);
        for (bytes, expected) in [
            (b"PK\x03\x04".to_vec(), "not a .npy file"),
            (b"\x93NUMPY".to_vec(), "ends after 6 bytes"),
            (b"\x93NUMPY\x09\x01\0\0\0\0".to_vec(), "version 9.1"),
            (b"\x93NUMPY\x01\0\xff\xff{".to_vec(), "its header needs 65545"),
            (file(good, &[0; 3]), "does not match the 3 bytes"),
            (file(&good.replace("<f4", "<f8"), &[0; 8]), "type \"<f8\""),
            (file(&good.replace("False", "True"), &[0; 4]), "Fortran order"),
            (file(&good.replace("(1,)", "(99999999999, 99999999999)"), &[0; 4]), "does not match"),
            (file(&good.replace("(1,)", "(4611686018427387904, 4)"), &[]), "does not match"),
            (file(&good.replace("(1,)", "(-1,)"), &[]), "length of an axis"),
            (file("{'descr': '<f4', 'shape': (1,)}", &[0; 4]), "expected the keys"),
            (file("{'descr': '<f4", &[]), "closing quote"),
            (file(&good.replace('}', "} x"), &[]), "the end of the header after }"),
        ] {
            let error = read_npy_f32(&bytes).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error:?} should contain {expected:?}");
        }
    }

    proptest! {
        #[test]
        fn arrays_come_back_bit_for_bit(frames in 0usize..5, points in 0usize..50, seed in any::<u32>()) {
            let values: Vec<f32> = (0..frames * points * 3)
                .map(|index| f32::from_bits(seed.wrapping_mul(2_654_435_761).wrapping_add(index as u32 * 77_777)))
                .collect();
            let bytes = write_npy(&[frames, points, 3], &values).unwrap();
            prop_assert_eq!((bytes.len() - values.len() * 4) % ALIGNMENT, 0);
            let array = read_npy_f32(&bytes).unwrap();
            prop_assert_eq!(array.shape, [frames, points, 3]);
            prop_assert!(array.values.iter().zip(&values).all(|(a, b)| a.to_bits() == b.to_bits()));
        }

        #[test]
        fn no_bytes_panic(start in 0usize..12, bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let good = write_npy(&[3], &[1.0, 2.0, 3.0]).unwrap();
            let mut mixed = good[..start].to_vec();
            mixed.extend(&bytes);
            let _ = read_npy_f32(&mixed);
            let mut changed = good.clone();
            for pair in bytes.chunks_exact(2) {
                changed[usize::from(pair[0]) % good.len()] = pair[1];
            }
            let _ = read_npy_f32(&changed);
        }
    }
}
