//! Arrays of NumPy, as benchmarks are stored in.

use std::path::Path;

/// An array in C order, its numbers as 64-bit floats.
pub(crate) struct Array {
    /// Length of each axis.
    pub(crate) shape: Vec<usize>,
    /// The last axis fastest.
    pub(crate) values: Vec<f64>,
}

/// Reads a `.npy` file of float64, float32 or int32.
#[allow(dead_code, reason = "the example `leg` uses it")]
pub(crate) fn read(path: &Path) -> Result<Array, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&bytes).map_err(|reason| format!("{}: {reason}", path.display()))
}

/// Reads the bytes of a `.npy` file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Array, String> {
    let (shape, kind, body) = header(bytes)?;
    let values: Vec<f64> = match kind.as_str() {
        "<f8" => body.as_chunks::<8>().0.iter().map(|&chunk| f64::from_le_bytes(chunk)).collect(),
        "<f4" => body.as_chunks::<4>().0.iter().map(|&chunk| f64::from(f32::from_le_bytes(chunk))).collect(),
        "<i4" => body.as_chunks::<4>().0.iter().map(|&chunk| f64::from(i32::from_le_bytes(chunk))).collect(),
        other => return Err(format!("type {other:?} is not read; store float64, float32 or int32")),
    };
    if values.len() != shape.iter().product::<usize>() {
        return Err(format!("shape {shape:?} does not match {} values", values.len()));
    }
    Ok(Array { shape, values })
}

fn header(bytes: &[u8]) -> Result<(Vec<usize>, String, &[u8]), String> {
    let start = if bytes.get(6) == Some(&1) { 10 } else { 12 };
    let size =
        bytes.get(8..start).ok_or("no .npy file")?.iter().rev().fold(0, |sum, &b| sum << 8 | usize::from(b));
    let text = bytes.get(start..start + size).ok_or("the header is cut")?;
    let text = std::str::from_utf8(text).map_err(|_| "the header is not text")?;
    if !bytes.starts_with(b"\x93NUMPY") || text.contains("'fortran_order': True") {
        return Err(String::from("no .npy file in C order"));
    }
    let after = |key: &str| text.split(key).nth(1).ok_or(format!("no {key} in the header"));
    let kind = after("'descr': '")?.split('\'').next().unwrap_or_default().to_string();
    let shape = after("'shape': (")?.split(')').next().unwrap_or_default();
    let shape = shape.split(',').filter(|part| !part.trim().is_empty());
    let shape: Result<Vec<usize>, _> = shape.map(|part| part.trim().parse()).collect();
    Ok((shape.map_err(|error| error.to_string())?, kind, &bytes[start + size..]))
}
