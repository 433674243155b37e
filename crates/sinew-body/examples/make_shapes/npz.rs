//! Reads arrays of NumPy's archives: stored or deflated, little endian, in C order.

use std::collections::BTreeMap;
use std::io::Read;

/// An array of numbers or texts.
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    kind: String,
    bytes: Vec<u8>,
}

/// All arrays of an archive by name.
pub(crate) fn read(path: &str) -> Result<BTreeMap<String, Array>, Box<dyn std::error::Error>> {
    let file = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let short = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
    let long = |at: usize| u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]) as usize;
    let end = (0..file.len() - 21).rev().find(|&at| file[at..].starts_with(b"PK\x05\x06"));
    let end = end.ok_or_else(|| format!("{path} is not an archive"))?;
    let (count, mut entry) = (short(end + 10), long(end + 16));
    let mut arrays = BTreeMap::new();
    for _ in 0..count {
        let (method, packed, header) = (short(entry + 10), long(entry + 20), long(entry + 42));
        let name_len = short(entry + 28);
        let name = String::from_utf8_lossy(&file[entry + 46..entry + 46 + name_len]).into_owned();
        let start = header + 30 + short(header + 26) + short(header + 28);
        let data = &file[start..start + packed];
        let mut bytes = Vec::new();
        match method {
            0 => bytes.extend_from_slice(data),
            _ => drop(flate2::read::DeflateDecoder::new(data).read_to_end(&mut bytes)?),
        }
        arrays.insert(name.trim_end_matches(".npy").to_owned(), parse(bytes)?);
        entry += 46 + name_len + short(entry + 30) + short(entry + 32);
    }
    Ok(arrays)
}

fn parse(bytes: Vec<u8>) -> Result<Array, Box<dyn std::error::Error>> {
    let (at, len) = match bytes[6] {
        1 => (10, usize::from(u16::from_le_bytes([bytes[8], bytes[9]]))),
        _ => (12, u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize),
    };
    let header = String::from_utf8_lossy(&bytes[at..at + len]).into_owned();
    let after = |key: &str| header.split(key).nth(1).unwrap_or_default().to_owned();
    let kind = after("'descr': '").split('\'').next().unwrap_or_default().to_owned();
    let shape = after("'shape': (").split(')').next().unwrap_or_default().to_owned();
    let shape = shape.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::parse);
    Ok(Array { shape: shape.collect::<Result<_, _>>()?, kind, bytes: bytes[at + len..].to_vec() })
}

impl Array {
    pub(crate) fn numbers(&self) -> Vec<f64> {
        match self.kind.as_str() {
            "<f4" => {
                let word = |word: &[u8]| f64::from(f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                self.bytes.chunks_exact(4).map(word).collect()
            }
            "<f2" => {
                self.bytes.chunks_exact(2).map(|word| half(u16::from_le_bytes([word[0], word[1]]))).collect()
            }
            "<i4" => {
                let word = |word: &[u8]| f64::from(i32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                self.bytes.chunks_exact(4).map(word).collect()
            }
            _ => self.bytes.iter().map(|&byte| f64::from(byte)).collect(),
        }
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        let len: usize = self.kind.trim_start_matches("<U").parse().unwrap_or(1);
        let letter = |word: &[u8]| char::from_u32(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let text = |text: &[u8]| text.chunks_exact(4).filter_map(letter).filter(|&c| c != '\0').collect();
        self.bytes.chunks_exact(4 * len).map(text).collect()
    }
}

/// A number of 16 bits as NumPy writes it; without infinities.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    if exponent == 0 {
        sign * fraction * 2f64.powi(-14)
    } else {
        sign * (1.0 + fraction) * 2f64.powi(exponent - 15)
    }
}
