//! glTF files as lines of a record: the document without its layout in bytes, and every accessor as an array.

use super::array::Array;
use super::json;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;

/// The lines of a record that stand for a .glb, .vrm or .gltf file.
pub(super) fn lines(path: &Path) -> Result<Vec<String>> {
    let bytes = std::fs::read(path)?;
    let (mut document, body) = match bytes.starts_with(b"glTF") {
        true => chunks(&bytes)?,
        false => (serde_json::from_slice(&bytes)?, Vec::new()),
    };
    let buffers = buffers(path, &document, body)?;
    let accessors = items(&document, "accessors").to_vec();
    let mut lines = Vec::new();
    for (at, accessor) in accessors.iter().enumerate() {
        let array = array(&document, accessor, &buffers).with_context(|| format!("accessor {at}"))?;
        let kind = accessor["type"].as_str().unwrap_or_default();
        lines.extend(array.lines(&format!("accessor {at} {kind} {}", accessor["componentType"])));
    }
    let layout = format!(
        "{} buffer views, {:?} bytes",
        items(&document, "bufferViews").len(),
        buffers.iter().map(Vec::len).collect::<Vec<_>>()
    );
    if let Some(document) = document.as_object_mut() {
        for key in ["accessors", "bufferViews", "buffers"] {
            document.remove(key);
        }
    }
    let mut all = json::lines(&document);
    all.push(layout);
    all.extend(lines);
    Ok(all)
}

/// The document and the bytes of a binary file.
fn chunks(bytes: &[u8]) -> Result<(Value, Vec<u8>)> {
    let length = u32_at(bytes, 12)? as usize;
    let document = serde_json::from_slice(bytes.get(20..20 + length).context("a file that ends early")?)?;
    let body = bytes.get(28 + length..).unwrap_or_default();
    Ok((document, body.to_vec()))
}

fn buffers(path: &Path, document: &Value, body: Vec<u8>) -> Result<Vec<Vec<u8>>> {
    let mut buffers = Vec::new();
    for buffer in items(document, "buffers") {
        let bytes = match buffer["uri"].as_str() {
            None => body.clone(),
            Some(uri) if uri.starts_with("data:") => {
                decoded(uri.split_once(',').map_or("", |(_, data)| data))
            }
            Some(uri) => std::fs::read(path.with_file_name(uri)).with_context(|| format!("reading {uri}"))?,
        };
        let length = buffer["byteLength"].as_u64().unwrap_or(0) as usize;
        buffers.push(bytes.get(..length).context("a buffer that ends early")?.to_vec());
    }
    Ok(buffers)
}

/// Base64, without a check: what is no digit is passed over.
fn decoded(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte)) {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn array(document: &Value, accessor: &Value, buffers: &[Vec<u8>]) -> Result<Array> {
    let columns = match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        Some("VEC2") => 2,
        Some("VEC3") => 3,
        Some("VEC4" | "MAT2") => 4,
        Some("MAT3") => 9,
        Some("MAT4") => 16,
        other => bail!("an accessor of type {other:?}"),
    };
    let count = number(accessor, "count");
    let component = number(accessor, "componentType");
    let mut values = match accessor["bufferView"].as_u64() {
        Some(_) => read(document, accessor, buffers, component, count, columns)?,
        None => vec![0.0; count * columns],
    };
    if let Some(sparse) = accessor.get("sparse") {
        let changed = number(sparse, "count");
        let indices = &sparse["indices"];
        let places = read(document, indices, buffers, number(indices, "componentType"), changed, 1)?;
        let rows = read(document, &sparse["values"], buffers, component, changed, columns)?;
        for (place, row) in places.iter().zip(rows.chunks(columns)) {
            let start = *place as usize * columns;
            values
                .get_mut(start..start + columns)
                .context("a sparse index out of range")?
                .copy_from_slice(row);
        }
    }
    Ok(Array { shape: vec![count, columns], values, is_integer: component != FLOAT })
}

const FLOAT: usize = 5126;

/// Rows of a buffer view, from the holder's own offset on.
fn read(
    document: &Value,
    holder: &Value,
    buffers: &[Vec<u8>],
    component: usize,
    rows: usize,
    columns: usize,
) -> Result<Vec<f64>> {
    let view =
        items(document, "bufferViews").get(number(holder, "bufferView")).context("no such buffer view")?;
    let buffer = buffers.get(number(view, "buffer")).context("no such buffer")?;
    let width = match component {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    };
    let stride = view["byteStride"].as_u64().map_or(width * columns, |stride| stride as usize);
    let start = number(view, "byteOffset") + number(holder, "byteOffset");
    let mut values = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let at = start + row * stride + column * width;
            let bytes = buffer.get(at..at + width).context("an accessor past its buffer")?;
            values.push(component_value(component, bytes));
        }
    }
    Ok(values)
}

fn component_value(component: usize, bytes: &[u8]) -> f64 {
    let four = [0, 1, 2, 3].map(|at| bytes.get(at).copied().unwrap_or(0));
    match component {
        5120 => f64::from(four[0] as i8),
        5121 => f64::from(four[0]),
        5122 => f64::from(i16::from_le_bytes([four[0], four[1]])),
        5123 => f64::from(u16::from_le_bytes([four[0], four[1]])),
        5125 => f64::from(u32::from_le_bytes(four)),
        _ => f64::from(f32::from_le_bytes(four)),
    }
}

fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().unwrap_or(0) as usize
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32> {
    let four = bytes.get(at..at + 4).context("a file that ends early")?;
    Ok(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sparse_values_replace_those_of_the_view() {
        let floats = [1.0f32, 2.0, 3.0, 9.0].map(f32::to_le_bytes).concat();
        let buffer = [&floats[..], &[2, 0]].concat();
        let document = json!({ "bufferViews": [
            { "buffer": 0, "byteLength": 12 },
            { "buffer": 0, "byteOffset": 12, "byteLength": 4 },
            { "buffer": 0, "byteOffset": 16, "byteLength": 2 },
        ] });
        let accessor = json!({ "bufferView": 0, "type": "SCALAR", "componentType": 5126, "count": 3,
            "sparse": { "count": 1, "indices": { "bufferView": 2, "componentType": 5123 }, "values": { "bufferView": 1 } } });
        assert_eq!(array(&document, &accessor, &[buffer]).expect("an array").values, [1.0, 2.0, 9.0]);
    }

    #[test]
    fn base64_is_decoded() {
        assert_eq!(decoded("U2luZXc="), b"Sinew");
    }
}
