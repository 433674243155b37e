//! NumPy arrays of any common number type, read in pieces: a large array is in memory only once.

use crate::PointsReadError;
use crate::float_bytes::{Number, read_pieces};
use crate::npy::{array_failed, parse_header};
use glam::{DVec3, Vec3};
use std::io::{self, Read};

/// An array that is read on demand.
#[derive(Debug)]
pub struct NpyNumbers<R> {
    input: R,
    shape: Vec<usize>,
    kind: Number,
    left: usize,
}

fn kind_of(name: &str) -> Option<Number> {
    match name {
        "<f4" => Some(Number::F32),
        "<f8" => Some(Number::F64),
        "<i4" => Some(Number::I32),
        "<u4" => Some(Number::U32),
        "<i8" => Some(Number::I64),
        _ => None,
    }
}

impl<R: Read> NpyNumbers<R> {
    /// Reads the header. `length`: bytes of the whole file; sizes are checked against it before allocation.
    ///
    /// # Errors
    /// If the file is not an array of numbers in C order, or the number of values does not match its shape.
    pub fn new(mut input: R, length: u64) -> Result<Self, PointsReadError> {
        let header = parse_header(&mut input, length)?;
        let readable = "supported types: '<f4', '<f8', '<i4', '<i8' and '<u4'";
        let kind = kind_of(&header.element_type)
            .ok_or(PointsReadError::ElementType { found: header.element_type, readable })?;
        if header.is_fortran_order {
            return Err(PointsReadError::FortranOrder);
        }
        let count = header.shape.iter().try_fold(1u64, |product, &axis| product.checked_mul(axis as u64));
        let found = length.saturating_sub(header.end);
        if count.and_then(|count| count.checked_mul(kind.size() as u64)) != Some(found) {
            return Err(PointsReadError::ArraySize { shape: header.shape, found: found as usize });
        }
        let left = (found / kind.size() as u64) as usize;
        Ok(Self { input, shape: header.shape, kind, left })
    }

    /// Lengths of the axes, slowest first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Reads all remaining values as 64-bit floats.
    ///
    /// # Errors
    /// If the file ends early.
    pub fn read_all(mut self) -> Result<Vec<f64>, PointsReadError> {
        let mut numbers = Vec::with_capacity(self.left);
        self.each_piece(self.left, |kind, bytes| {
            numbers.extend(bytes.chunks_exact(kind.size()).map(|bytes| kind.value(bytes)));
        })?;
        Ok(numbers)
    }

    /// Appends the next points, three numbers each.
    ///
    /// # Errors
    /// If the file ends early, or fewer numbers are left.
    pub fn read_points(&mut self, count: usize, points: &mut Vec<Vec3>) -> Result<(), PointsReadError> {
        points.reserve(count);
        self.each_piece(3 * count, |kind, bytes| {
            points.extend(bytes.chunks_exact(3 * kind.size()).map(|bytes| {
                let number = |at: usize| kind.value(&bytes[at * kind.size()..]);
                DVec3::new(number(0), number(1), number(2)).as_vec3()
            }));
        })
    }

    fn each_piece(
        &mut self,
        count: usize,
        mut take: impl FnMut(Number, &[u8]),
    ) -> Result<(), PointsReadError> {
        if count > self.left {
            let kind = io::ErrorKind::UnexpectedEof;
            let text = format!("{count} more numbers requested, only {} left", self.left);
            return Err(array_failed(io::Error::new(kind, text)));
        }
        self.left -= count;
        let size = count * self.kind.size();
        read_pieces(&mut self.input, size, |bytes| take(self.kind, bytes)).map_err(array_failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(descr: &str, shape: &str, values: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = (text.len() as u16).to_le_bytes();
        [&b"\x93NUMPY\x01\x00"[..], &length, text.as_bytes(), values].concat()
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &[f64]) {
        let numbers = NpyNumbers::new(bytes, bytes.len() as u64).unwrap();
        assert_eq!(numbers.read_all().unwrap(), expected);
    }

    #[test]
    fn every_kind_of_number_is_read() {
        let bytes = |numbers: &[f64], of: fn(f64) -> Vec<u8>| -> Vec<u8> {
            numbers.iter().flat_map(|&number| of(number)).collect()
        };
        let values = [1.5, -2.0, 3.0];
        check(&array("<f8", "(3,)", &bytes(&values, |x| x.to_le_bytes().to_vec())), &values);
        check(&array("<f4", "(3,)", &bytes(&values, |x| (x as f32).to_le_bytes().to_vec())), &values);
        let whole = [1.0, -2.0, 70000.0];
        check(&array("<i4", "(3,)", &bytes(&whole, |x| (x as i32).to_le_bytes().to_vec())), &whole);
        check(&array("<i8", "(3,)", &bytes(&whole, |x| (x as i64).to_le_bytes().to_vec())), &whole);
    }

    #[test]
    fn points_longer_than_a_piece_come_in_order() {
        let count = 3000;
        let values: Vec<u8> = (0..3 * count).flat_map(|at| f64::from(at).to_le_bytes()).collect();
        let bytes = array("<f8", "(3000, 3)", &values);
        let mut numbers = NpyNumbers::new(&bytes[..], bytes.len() as u64).unwrap();
        let mut points = Vec::new();
        numbers.read_points(1000, &mut points).unwrap();
        numbers.read_points(2000, &mut points).unwrap();
        assert!(points.iter().enumerate().all(|(at, point)| point.x == 3.0 * at as f32));
        assert!(numbers.read_points(1, &mut points).is_err(), "nothing is left");
    }

    #[test]
    fn damage_is_told_before_memory_is_taken() {
        let refused =
            |bytes: &[u8]| NpyNumbers::new(bytes, bytes.len() as u64).map(|_| ()).unwrap_err().to_string();
        assert!(refused(b"PK\x03\x04 and more than twelve").contains("not a .npy file"));
        assert!(refused(&array("<c8", "(1,)", &[0; 8])).contains("<c8"));
        assert!(refused(&array("<f8", "(999999999999,)", &[0; 8])).contains("does not match"));
        let whole = array("<f8", "(1,)", &[0; 8]);
        for cut in 0..whole.len() {
            assert!(NpyNumbers::new(&whole[..cut], cut as u64).is_err(), "cut to {cut} bytes");
        }
    }
}
