//! What is recorded of a file, by its kind.

use super::array::Array;
use super::{gltf, json, mask, picture, text};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// The lines of a record that stand for a file.
pub(super) fn lines(path: &Path, binary: &Path) -> Result<Vec<String>> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let bytes = std::fs::read(path)?;
    match extension.as_str() {
        "npy" => Ok(npy(&bytes)?.lines("array")),
        "pc2" => pc2(&bytes),
        "vmd" => vmd(&bytes),
        "glb" | "gltf" | "vrm" => gltf::lines(path),
        "png" => picture::png_lines(&bytes),
        "gif" => picture::gif_lines(&bytes),
        "pmx" | "pmd" => model(path, bytes.len(), binary),
        "json" => Ok(json::lines(&serde_json::from_slice(&bytes)?)),
        "bin" => Ok(vec![format!("{} bytes", bytes.len())]),
        _ => Ok(text::lines(&mask::text(&String::from_utf8_lossy(&bytes), path))),
    }
}

fn npy(bytes: &[u8]) -> Result<Array> {
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header =
        String::from_utf8_lossy(bytes.get(10..10 + length).context("a header that ends early")?).into_owned();
    if !header.contains("<f4") {
        bail!("numbers of another kind: {header}");
    }
    let shape =
        header.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(shape, _)| shape);
    let shape = shape.split(',').filter_map(|side| side.trim().parse().ok()).collect();
    Ok(Array { shape, values: floats(&bytes[10 + length..]), is_integer: false })
}

fn floats(bytes: &[u8]) -> Vec<f64> {
    bytes
        .chunks_exact(4)
        .map(|four| f64::from(f32::from_le_bytes([four[0], four[1], four[2], four[3]])))
        .collect()
}

fn pc2(bytes: &[u8]) -> Result<Vec<String>> {
    let header = bytes.get(..32).context("a header that ends early")?;
    let count =
        |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize;
    let times = floats(&header[20..28]);
    let mut lines = vec![format!("version {}, start {:?}, step {:?}", count(12), times[0], times[1])];
    let array =
        Array { shape: vec![count(28), count(16), 3], values: floats(&bytes[32..]), is_integer: false };
    lines.extend(array.lines("array"));
    Ok(lines)
}

/// A motion of MMD: names by digest, frames, and numbers of the bones' keys.
fn vmd(bytes: &[u8]) -> Result<Vec<String>> {
    const HEAD: usize = 50;
    const KEY: usize = 111;
    let four = bytes.get(HEAD..HEAD + 4).context("a header that ends early")?;
    let count = u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize;
    let keys: Vec<&[u8]> = bytes[HEAD + 4..].chunks_exact(KEY).take(count).collect();
    let frames =
        keys.iter().map(|key| f64::from(u32::from_le_bytes([key[15], key[16], key[17], key[18]]))).collect();
    let values = keys.iter().flat_map(|key| floats(&key[19..47])).collect();
    let mut names: Vec<String> = keys.iter().map(|key| format!("{:02x?}", &key[..15])).collect();
    names.dedup();
    let mut lines = vec![format!("{} bytes, names {}", bytes.len(), super::number::digest(&names.concat()))];
    lines.extend(Array { shape: vec![count], values: frames, is_integer: true }.lines("frames"));
    lines.extend(Array { shape: vec![count, 7], values, is_integer: false }.lines("keys"));
    Ok(lines)
}

/// A model of MMD, as the binary itself reads it.
fn model(path: &Path, length: usize, binary: &Path) -> Result<Vec<String>> {
    let aside = path.with_extension("as.glb");
    let mut inspect = Command::new(binary);
    let inspected = inspect.args(["inspect", "--json"]).arg(path).output()?;
    let mut lines = vec![format!("{length} bytes")];
    let mut summary: serde_json::Value = serde_json::from_slice(&inspected.stdout)?;
    if let Some(summary) = summary.as_object_mut() {
        summary.remove("file");
    }
    lines.extend(json::lines(&summary));
    let mut convert = Command::new(binary);
    let status = convert.args(["convert", "-q"]).arg(path).arg(&aside).status()?;
    if !status.success() {
        bail!("{} cannot be converted", path.display());
    }
    lines.extend(gltf::lines(&aside)?);
    std::fs::remove_file(&aside)?;
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_numpy_gives_shape_and_values() {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend((0u8..6).flat_map(|value| f32::from(value).to_le_bytes()));
        let array = npy(&bytes).expect("an array");
        assert_eq!((array.shape, array.values), (vec![2, 3], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    }
}
