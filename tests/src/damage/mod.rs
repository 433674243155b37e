//! Damage: files that are almost right.
//!
//! Every case follows from the file, the kind of damage and the seed, so that a failure can be made again from its name alone.

mod bytes;
mod numbers;
mod structure;

use crate::{ModelFile, Prng};
use serde_json::Value;

/// A damaged file.
#[derive(Clone, Debug)]
pub struct Damaged {
    /// What was done to which file.
    pub what: String,
    /// The result.
    pub file: ModelFile,
}

/// A way to damage a file.
#[derive(Clone, Copy)]
pub struct Kind {
    /// What it does.
    pub name: &'static str,
    apply: fn(&mut Opened, &mut Prng) -> String,
}

/// All ways to damage a file.
pub const KINDS: [Kind; 20] = [
    Kind { name: "cut anywhere", apply: bytes::cut },
    Kind { name: "cut at a boundary", apply: bytes::cut_at_boundary },
    Kind { name: "cut, header adjusted", apply: bytes::cut_adjusted },
    Kind { name: "bits of the headers", apply: bytes::flip_header },
    Kind { name: "bits of the JSON", apply: bytes::flip_json },
    Kind { name: "bits of the data", apply: bytes::flip_data },
    Kind { name: "bytes moved", apply: bytes::splice },
    Kind { name: "any value replaced", apply: structure::replace_any },
    Kind { name: "any member removed", apply: structure::remove_any },
    Kind { name: "two values swapped", apply: structure::swap },
    Kind { name: "an entry repeated", apply: structure::repeat },
    Kind { name: "a node's children", apply: structure::tangle_nodes },
    Kind { name: "deep nesting", apply: structure::nest },
    Kind { name: "a long list", apply: structure::lengthen },
    Kind { name: "several at once", apply: structure::several },
    Kind { name: "a size or index", apply: numbers::replace_size },
    Kind { name: "a giant count", apply: numbers::giant_count },
    Kind { name: "a sparse entry", apply: numbers::sparse },
    Kind { name: "numbers in the buffer", apply: numbers::poison_buffer },
    Kind { name: "indices in the buffer", apply: numbers::scramble_buffer },
];

/// Damages a file in one way.
pub fn damaged(original: &ModelFile, kind: Kind, seed: u64) -> Damaged {
    let mut random = Prng::new(seed);
    let mut opened = Opened::of(original);
    let details = (kind.apply)(&mut opened, &mut random);
    let what = format!("{}, {}, seed {seed}: {details}", original.name, kind.name);
    Damaged { what, file: opened.close() }
}

/// A file in parts that can be damaged one by one. The parts are put together at the end, unless the whole was damaged.
struct Opened {
    original: ModelFile,
    json: Value,
    /// The JSON as text, where that was damaged instead of the document.
    text: Option<Vec<u8>>,
    /// The binary chunk, or the file beside a `.gltf`.
    data: Vec<u8>,
    /// The whole file, where that was damaged.
    whole: Option<Vec<u8>>,
}

impl Opened {
    fn of(original: &ModelFile) -> Self {
        let (start, end) = json_range(&original.main);
        let json = serde_json::from_slice(&original.main[start..end]).expect("the original is good");
        let data = match original.beside.first() {
            Some((_, bytes)) => bytes.clone(),
            None => original.main.get(end + 8..).unwrap_or_default().to_vec(),
        };
        Self { original: original.clone(), json, text: None, data, whole: None }
    }

    fn is_glb(&self) -> bool {
        self.original.main.starts_with(b"glTF")
    }

    fn close(self) -> ModelFile {
        let is_glb = self.is_glb();
        let mut file = self.original;
        let text = self.text.unwrap_or_else(|| self.json.to_string().into_bytes());
        file.main = match self.whole {
            Some(whole) => whole,
            None if is_glb => glb(text, &self.data),
            None => text,
        };
        if !is_glb && let Some((_, bytes)) = file.beside.first_mut() {
            *bytes = self.data;
        }
        file
    }
}

/// A binary container; further chunks of the original are in `data` too and stay behind it.
fn glb(mut text: Vec<u8>, data: &[u8]) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF".to_vec();
    let length = 12 + 8 + text.len() + 8 + data.len();
    for word in [2, length as u32, text.len() as u32, 0x4E4F_534A] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(text);
    for word in [data.len() as u32, 0x004E_4942] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(data);
    bytes
}

/// Where the JSON lies in a good file.
fn json_range(main: &[u8]) -> (usize, usize) {
    if !main.starts_with(b"glTF") {
        return (0, main.len());
    }
    let size = u32::from_le_bytes([main[12], main[13], main[14], main[15]]) as usize;
    (20, 20 + size)
}
