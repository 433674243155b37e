//! A written file taken apart again, without `sinew-io`.

use crate::ModelFile;
use base64::Engine;
use serde_json::{Value, json};

/// The parts of a `.glb` or `.gltf` file.
#[derive(Clone, Debug)]
pub struct RawFile {
    /// The document.
    pub json: Value,
    /// The bytes of each buffer.
    pub buffers: Vec<Vec<u8>>,
    /// The bytes of each image.
    pub images: Vec<Vec<u8>>,
    /// Chunks that are neither JSON nor binary.
    pub other_chunks: Vec<(u32, Vec<u8>)>,
}

impl RawFile {
    /// Takes a good file apart.
    ///
    /// # Panics
    /// If the file is damaged, or names a file that is not beside it.
    pub fn of(file: &ModelFile) -> Self {
        let (text, bin, other_chunks) = chunks(&file.main);
        let json: Value = serde_json::from_slice(&text).expect("the JSON is good");
        let resource = |uri: &str| match uri.split_once(";base64,") {
            Some((_, data)) => {
                base64::engine::general_purpose::STANDARD.decode(data).expect("the data URI is good")
            }
            None => file.resource(uri),
        };
        let list = |key: &str| json.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let buffers: Vec<Vec<u8>> = list("buffers")
            .iter()
            .map(|buffer| match buffer.get("uri") {
                Some(uri) => resource(uri.as_str().expect("a URI is text")),
                None => bin.clone().expect("a buffer without URI is the binary chunk"),
            })
            .collect();
        let images = list("images")
            .iter()
            .map(|image| match (image.get("uri"), image.get("bufferView")) {
                (Some(uri), _) => resource(uri.as_str().expect("a URI is text")),
                (None, Some(view)) => {
                    let view = &json["bufferViews"][index(view)];
                    view_bytes(view, &buffers)
                }
                (None, None) => Vec::new(),
            })
            .collect();
        Self { json, buffers, images, other_chunks }
    }

    /// The document with everything resolved that joining buffers and embedding images may change:
    /// - a view has its bytes in place of `buffer`, `byteOffset` and `byteLength`;
    /// - an image has its bytes and type in place of `uri`, `mimeType` and `bufferView`, and views that only images use have none;
    /// - a buffer has neither `uri` nor `byteLength`;
    /// - views and buffers that then hold nothing are left out at the end of their lists, where writing adds some.
    ///
    /// All else is as it is in the file.
    pub fn normal_form(&self) -> Value {
        let mut json = self.json.clone();
        let image_views: Vec<usize> = entries(&mut json, "images")
            .iter()
            .filter_map(|image| image.get("bufferView").map(index))
            .collect();
        for (at, view) in entries(&mut json, "bufferViews").iter_mut().enumerate() {
            let bytes = view_bytes(view, &self.buffers);
            remove(view, &["buffer", "byteOffset", "byteLength"]);
            if !image_views.contains(&at) {
                view["bytes"] = encoded(&bytes);
            }
        }
        for (image, bytes) in entries(&mut json, "images").iter_mut().zip(&self.images) {
            let known = if bytes.starts_with(&[0xFF, 0xD8]) { "image/jpeg" } else { "image/png" };
            let mime_type = image.get("mimeType").cloned().unwrap_or_else(|| known.into());
            remove(image, &["uri", "mimeType", "bufferView"]);
            image["image"] = json!([mime_type, encoded(bytes)]);
        }
        for buffer in entries(&mut json, "buffers") {
            remove(buffer, &["uri", "byteLength"]);
        }
        for key in ["buffers", "bufferViews"] {
            let list = entries(&mut json, key);
            let is_empty = |entry: &Value| entry.as_object().is_some_and(serde_json::Map::is_empty);
            while list.last().is_some_and(is_empty) {
                list.pop();
            }
            if list.is_empty() {
                remove(&mut json, &[key]);
            }
        }
        json
    }

    /// The normal form with every accessor and its views written out, as text, where it is used, and without the lists of accessors
    /// and views: what an edit may renumber and leave out once nothing uses it.
    pub fn resolved_form(&self) -> Value {
        let mut json = self.normal_form();
        let views = std::mem::take(entries(&mut json, "bufferViews"));
        let mut accessors = std::mem::take(entries(&mut json, "accessors"));
        for accessor in &mut accessors {
            for place in ["/bufferView", "/sparse/indices/bufferView", "/sparse/values/bufferView"] {
                if let Some(view) = accessor.pointer_mut(place) {
                    *view = views[index(view)].clone();
                }
            }
        }
        let resolve = |reference: &mut Value| *reference = accessors[index(reference)].to_string().into();
        for mesh in entries(&mut json, "meshes") {
            for primitive in entries(mesh, "primitives") {
                primitive.get_mut("indices").map(resolve);
                members(&mut primitive["attributes"]).for_each(resolve);
                primitive.get_mut("targets").into_iter().for_each(|targets| {
                    targets.as_array_mut().expect("a list").iter_mut().flat_map(members).for_each(resolve);
                });
            }
        }
        entries(&mut json, "skins").iter_mut().for_each(|skin| {
            skin.get_mut("inverseBindMatrices").map(resolve);
        });
        for sampler in entries(&mut json, "animations").iter_mut().flat_map(|a| entries(a, "samplers")) {
            ["input", "output"].iter().for_each(|key| resolve(&mut sampler[*key]));
        }
        for key in ["accessors", "bufferViews", "meshes", "skins", "animations"] {
            if entries(&mut json, key).is_empty() {
                remove(&mut json, &[key]);
            }
        }
        json
    }
}

/// Where two documents differ, as JSON pointers; `+` before what only the second has, `-` before what only the first has.
pub fn differences(first: &Value, second: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(first, second, "", &mut found);
    found
}

fn compare(first: &Value, second: &Value, place: &str, found: &mut Vec<String>) {
    match (first, second) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a {
                match b.get(key) {
                    Some(other) => compare(value, other, &format!("{place}/{key}"), found),
                    None => found.push(format!("-{place}/{key}")),
                }
            }
            found.extend(b.keys().filter(|key| !a.contains_key(*key)).map(|key| format!("+{place}/{key}")));
        }
        (Value::Array(a), Value::Array(b)) => {
            for (index, (value, other)) in a.iter().zip(b).enumerate() {
                compare(value, other, &format!("{place}/{index}"), found);
            }
            found.extend((b.len()..a.len()).map(|index| format!("-{place}/{index}")));
            found.extend((a.len()..b.len()).map(|index| format!("+{place}/{index}")));
        }
        _ if first == second => {}
        _ => found.push(place.to_owned()),
    }
}

/// JSON text, binary chunk, other chunks.
type Chunks = (Vec<u8>, Option<Vec<u8>>, Vec<(u32, Vec<u8>)>);

fn chunks(file: &[u8]) -> Chunks {
    if !file.starts_with(b"glTF") {
        return (file.to_vec(), None, Vec::new());
    }
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(word(8) as usize, file.len(), "the header has the file's length");
    let (mut text, mut bin, mut others) = (Vec::new(), None, Vec::new());
    let mut at = 12;
    while at < file.len() {
        let size = word(at) as usize;
        assert!(size.is_multiple_of(4), "chunks are padded to four bytes");
        let bytes = file[at + 8..at + 8 + size].to_vec();
        match word(at + 4) {
            0x4E4F_534A => text = bytes,
            0x004E_4942 => bin = Some(bytes),
            kind => others.push((kind, bytes)),
        }
        at += 8 + size;
    }
    (text, bin, others)
}

fn view_bytes(view: &Value, buffers: &[Vec<u8>]) -> Vec<u8> {
    let number = |key: &str| view.get(key).map_or(0, index);
    buffers[number("buffer")][number("byteOffset")..number("byteOffset") + number("byteLength")].to_vec()
}

/// A whole number; some exporters write `3.0`.
fn index(value: &Value) -> usize {
    value.as_f64().expect("a number") as usize
}

/// A list of the document; empty where it is missing.
fn entries<'a>(json: &'a mut Value, key: &str) -> &'a mut Vec<Value> {
    if json.get(key).is_none() {
        json[key] = json!([]);
    }
    json[key].as_array_mut().expect("lists are lists")
}

/// The values of an object.
fn members(object: &mut Value) -> impl Iterator<Item = &mut Value> {
    object.as_object_mut().into_iter().flat_map(|object| object.values_mut())
}

fn remove(value: &mut Value, keys: &[&str]) {
    if let Some(object) = value.as_object_mut() {
        keys.iter().for_each(|key| drop(object.shift_remove(*key)));
    }
}

fn encoded(bytes: &[u8]) -> Value {
    base64::engine::general_purpose::STANDARD.encode(bytes).into()
}
