//! The raw file: its original JSON, its buffers, its images.

use super::compressed::{DRACO, Decompressed, MESHOPT};
use super::container::{self, Container};
use super::controller_keys::CONTROLLER_EXTENSION;
use super::images::{converted, mime_type_of};
use super::json::{Cursor, whole_number};
use super::json_memory;
use super::skin_keys::SKIN_EXTENSION;
use super::{ReadGltfError, Result, WriteGltfError};
use crate::folder::percent_decoded_bytes;
use crate::image::ImageError;
use crate::limits::Budget;
use crate::{Limits, Report, ResourceError, ResourceProblem};
use base64::Engine;
use serde_json::Value;

/// Returns the bytes of an external file by its URI; rejects files larger than the given number of bytes.
pub type Resources<'a> = dyn Fn(&str, u64) -> Result<Vec<u8>, ResourceError> + 'a;

/// A glTF file with everything in it, known to Sinew or not.
#[derive(Clone, Debug, PartialEq)]
pub struct GltfDocument {
    /// The JSON, an object; key order and unknown members kept.
    pub(super) json: Value,
    /// The bytes of each entry of `buffers`.
    pub(super) buffers: Vec<Vec<u8>>,
    /// The bytes of each entry of `images` that has a `uri`; `None` where it has a view or could not be found.
    pub(super) images: Vec<Option<Vec<u8>>>,
    /// Chunks of a `.glb` other than JSON and BIN.
    pub(super) other_chunks: Vec<(u32, Vec<u8>)>,
    /// The buffer that writing appends to, once it exists.
    pub(super) own_buffer: Option<usize>,
    /// The limits used for reading.
    pub(super) limits: Limits,
    /// Size of the main file.
    pub(super) file_bytes: usize,
    /// Compressions that the file had.
    pub(super) decompressed: Vec<Decompressed>,
    /// Buffers without bytes in the file, which decoded views fill. Empty once a file is read.
    pub(super) placeholders: Vec<usize>,
    /// Nodes at the ends of springs that the file, of VRM 0.x, has without a node.
    pub(super) added_ends: Vec<usize>,
}

/// The files that a document is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GltfFiles {
    /// The `.glb` or `.gltf` itself.
    pub main: Vec<u8>,
    /// Files beside it: name relative to its folder, and bytes.
    pub beside: Vec<(String, Vec<u8>)>,
}

/// Bytes that parsed JSON may take per byte of text before `max_unstored` limits it. Exporters write files that take 8 to 16;
/// a file made to fill memory takes up to 90.
const MEMORY_PER_JSON_BYTE: u64 = 24;

impl GltfDocument {
    /// Reads a `.glb` or `.gltf` file; `resources` provides the files that it names.
    ///
    /// # Errors
    /// If the file is damaged, needs more memory than `limits` allow, or names files that cannot or must not be read. A missing
    /// image is only a warning.
    pub fn read(
        bytes: Vec<u8>,
        resources: &Resources<'_>,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Self> {
        let file_bytes = bytes.len();
        let mut budget = Budget::new(limits, file_bytes);
        budget.take(&"the file", bytes.len() as u64, 1)?;
        let Container { json, bin, other_chunks } = container::split(bytes, report)?;
        let json_memory = json_memory::memory_of(&json);
        budget.take(&"the JSON", json_memory, 1)?;
        if json_memory > MEMORY_PER_JSON_BYTE * json.len() as u64 {
            // Twice, because writing may need a copy.
            budget.note_unstored(&"the JSON", json_memory, 2)?;
        }
        let limits = Limits { max_memory: budget.left(), ..*limits };
        let mut document = Self { other_chunks, limits, file_bytes, ..Self::of_json(parse(&json)?) };
        document.check_version()?;
        document.check_extensions(report)?;
        let mut loader = Loader { resources, budget, report, placeholders: Vec::new() };
        document.buffers = loader.buffers(&document.root(), bin)?;
        document.images = loader.images(&document.root())?;
        let Loader { mut budget, report, placeholders, .. } = loader;
        document.placeholders = placeholders;
        document.decompress(&mut budget, report)?;
        document.limits.max_memory = budget.left();
        Ok(document)
    }

    /// A document without buffers and images.
    pub(super) fn of_json(json: Value) -> Self {
        Self {
            json,
            buffers: Vec::new(),
            images: Vec::new(),
            other_chunks: Vec::new(),
            own_buffer: None,
            limits: Limits::default(),
            file_bytes: 0,
            decompressed: Vec::new(),
            placeholders: Vec::new(),
            added_ends: Vec::new(),
        }
    }

    /// The raw JSON.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// Sets a top-level extension of the JSON and adds it to `extensionsUsed`. Replaces one of the same name.
    pub fn set_extension(&mut self, name: &str, value: Value) {
        object_in(&mut self.json, "extensions")[name] = value;
        self.use_extension(name);
    }

    /// Sets an extension of a node and adds it to `extensionsUsed`. Does nothing if the node does not exist.
    pub fn set_node_extension(&mut self, node: usize, name: &str, value: Value) {
        let Some(node) = self.json.get_mut("nodes").and_then(|nodes| nodes.get_mut(node)) else { return };
        object_in(node, "extensions")[name] = value;
        self.use_extension(name);
    }

    /// Adds an extension to `extensionsUsed`.
    pub(super) fn use_extension(&mut self, name: &str) {
        let used = self.list_mut("extensionsUsed");
        if !used.iter().any(|known| known == name) {
            used.push(name.into());
        }
    }

    /// Number of `.glb` chunks besides JSON and BIN; a `.gltf` cannot hold them.
    pub fn other_chunk_count(&self) -> usize {
        self.other_chunks.len()
    }

    /// The bytes of a buffer.
    pub fn buffer(&self, index: usize) -> Option<&[u8]> {
        self.buffers.get(index).map(Vec::as_slice)
    }

    /// Writes a self-contained `.glb`. Joins buffers and embeds images of `.gltf` files, unless unknown members refer to buffers and
    /// would become wrong.
    ///
    /// # Errors
    /// If the result is larger than the format allows.
    pub fn to_glb(&self) -> Result<Vec<u8>, WriteGltfError> {
        let is_one_already = self.images.iter().all(Option::is_none)
            && self.buffers.len() < 2
            && self.json.pointer("/buffers/0/uri").is_none();
        if is_one_already {
            let bin = self.buffers.first().map(Vec::as_slice);
            return container::join(self.json.to_string().as_bytes(), bin, &self.other_chunks);
        }
        let mut document = self.clone();
        document.embed_images();
        document.join_buffers();
        for (index, bytes) in document.buffers.iter().enumerate().skip(1) {
            let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
            let uri = format!("data:application/octet-stream;base64,{encoded}");
            document.json["buffers"][index]["uri"] = uri.into();
        }
        let bin = document.buffers.first();
        if bin.is_some()
            && let Some(buffer) = document.json["buffers"][0].as_object_mut()
        {
            buffer.shift_remove("uri");
        }
        container::join(document.json.to_string().as_bytes(), bin.map(Vec::as_slice), &document.other_chunks)
    }

    /// Writes a `.gltf` with its buffers and images beside it. Buffers are named after `stem` and never replace those of the original
    /// file; buffers and images inside the JSON stay there.
    pub fn to_gltf(&self, stem: &str) -> GltfFiles {
        let mut json = self.json.clone();
        let mut beside = Vec::new();
        for (index, bytes) in self.buffers.iter().enumerate() {
            let buffer = &mut json["buffers"][index];
            if buffer.get("uri").and_then(Value::as_str).is_some_and(is_data_uri) {
                continue;
            }
            let name = if index == 0 { format!("{stem}.bin") } else { format!("{stem}-{index}.bin") };
            buffer["uri"] = percent_encoded(&name).into();
            beside.push((name, bytes.clone()));
        }
        for (image, bytes) in self.root().list("images").unwrap_or_default().iter().zip(&self.images) {
            let (Some(uri), Some(bytes)) = (image.text("uri"), bytes) else { continue };
            if !is_data_uri(uri) {
                let name = String::from_utf8_lossy(&percent_decoded_bytes(uri)).into_owned();
                beside.push((name, bytes.clone()));
            }
        }
        let mut main = serde_json::to_vec_pretty(&json).unwrap_or_else(|_| json.to_string().into_bytes());
        main.push(b'\n');
        GltfFiles { main, beside }
    }

    pub(super) fn root(&self) -> Cursor<'_> {
        Cursor::root(&self.json)
    }

    /// Memory left for decoding.
    pub(super) fn budget(&self) -> Budget {
        Budget::new(&self.limits, self.file_bytes)
    }

    /// The bytes and the stride of the buffer view with the index `reference` in the JSON.
    pub(super) fn view(&self, reference: &Cursor<'_>) -> Result<(&[u8], Option<usize>)> {
        let view = self.root().entry("bufferViews", reference)?;
        let buffer = view.require("buffer")?.as_index(self.buffers.len())?;
        let offset = view.u64("byteOffset")?.unwrap_or(0);
        let end = offset.saturating_add(view.require("byteLength")?.as_u64()?);
        let bytes = &self.buffers[buffer];
        if end > bytes.len() as u64 {
            let (place, length) = (view.place, bytes.len());
            return Err(ReadGltfError::PastEnd { place, end, what: "its buffer", length });
        }
        let stride = view.u64("byteStride")?.map(|stride| usize::try_from(stride).unwrap_or(usize::MAX));
        if stride == Some(0) {
            return Err(view.require("byteStride")?.wrong("a number from 4 to 252"));
        }
        Ok((&bytes[offset as usize..end as usize], stride))
    }

    fn check_version(&self) -> Result<()> {
        let asset = self.root().require("asset")?;
        let version = asset.require("version")?;
        match version.value.as_str() {
            Some(text) if text == "2" || text.starts_with("2.") => Ok(()),
            Some(text) => Err(ReadGltfError::Version { found: text.chars().take(20).collect() }),
            None => Err(version.wrong("a text such as \"2.0\"")),
        }
    }

    fn check_extensions(&self, report: &mut Report) -> Result<()> {
        for required in self.root().list("extensionsRequired")? {
            let name = required.value.as_str().ok_or_else(|| required.wrong("the name of an extension"))?;
            if name == BASISU {
                self.check_ktx2(&required.place, report)?;
            } else if !UNDERSTOOD.contains(&name) {
                let what = format!("{name} is required but not supported; it is kept unchanged");
                report.warn(&required.place, what);
            }
        }
        Ok(())
    }

    /// Names the textures that only a build with the feature `ktx2` draws.
    fn check_ktx2(&self, place: &str, report: &mut Report) -> Result<()> {
        if cfg!(feature = "ktx2") {
            return Ok(());
        }
        let mut textures = self.root().list("textures")?;
        textures.retain(|texture| texture.extension(BASISU).is_some());
        let mut names: Vec<&str> = textures.iter().map(|texture| texture.place.as_str()).collect();
        if names.len() > MOST_NAMES {
            names.truncate(MOST_NAMES);
            names.push("…");
        }
        let names = names.join(", ");
        report.warn(place, format!("{BASISU} ({names}): {}; they are kept unchanged", ImageError::NeedsKtx2));
        Ok(())
    }

    /// Moves images with a URI into buffer views, as in a `.glb`. Converts BMP and TGA to PNG; images that cannot be decoded stay
    /// unchanged.
    fn embed_images(&mut self) {
        for index in 0..self.images.len() {
            let Some(bytes) = self.images[index].take() else { continue };
            let png = converted(&bytes, self.limits.max_memory).ok().flatten();
            let is_converted = png.is_some();
            let bytes = png.unwrap_or(bytes);
            let view = self.push_view(&bytes, None);
            let image = &mut self.json["images"][index];
            let stated = image.get("mimeType").and_then(Value::as_str).filter(|_| !is_converted);
            let mime_type = stated.unwrap_or_else(|| mime_type_of(&bytes)).to_owned();
            if let Some(image) = image.as_object_mut() {
                image.shift_remove("uri");
                image.insert("mimeType".into(), mime_type.into());
                image.insert("bufferView".into(), view.into());
            }
        }
    }

    /// Adds bytes as a view of the buffer that writing appends to, four-byte aligned.
    pub(super) fn push_view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let index = match self.own_buffer {
            Some(index) => index,
            None => {
                self.list_mut("buffers").push(serde_json::json!({ "byteLength": 0 }));
                self.buffers.push(Vec::new());
                *self.own_buffer.insert(self.buffers.len() - 1)
            }
        };
        let buffer = &mut self.buffers[index];
        buffer.resize(buffer.len().next_multiple_of(4), 0);
        let offset = buffer.len();
        buffer.extend_from_slice(bytes);
        let length = buffer.len();
        self.json["buffers"][index]["byteLength"] = length.into();
        let mut view =
            serde_json::json!({ "buffer": index, "byteOffset": offset, "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        let views = self.list_mut("bufferViews");
        views.push(view);
        views.len() - 1
    }

    /// A list of the JSON, created if missing or not a list.
    pub(super) fn list_mut(&mut self, key: &str) -> &mut Vec<Value> {
        if !self.json[key].is_array() {
            self.json[key] = Value::Array(Vec::new());
        }
        self.json[key].as_array_mut().expect("made an array above")
    }

    /// Joins all buffers into the first if nothing would be lost or become wrong; otherwise only the one that writing added, to which no
    /// unknown member can refer.
    fn join_buffers(&mut self) {
        let can_join = self.can_join_buffers();
        let own = self.own_buffer.filter(|own| own + 1 == self.buffers.len());
        let Some(kept) =
            (if can_join { Some(1) } else { own }).filter(|kept| (1..self.buffers.len()).contains(kept))
        else {
            return;
        };
        let mut starts = vec![can_join.then_some(0); kept];
        for buffer in self.buffers.split_off(kept) {
            let joined = &mut self.buffers[0];
            joined.resize(joined.len().next_multiple_of(4), 0);
            starts.push(Some(joined.len() as u64));
            joined.extend(buffer);
        }
        self.move_views(&starts);
        self.list_mut("buffers").truncate(kept);
        self.json["buffers"][0]["byteLength"] = self.buffers[0].len().into();
        self.own_buffer = None;
    }

    /// Moves the views of each buffer to its start in the first; `None` if it stays.
    fn move_views(&mut self, starts: &[Option<u64>]) {
        for view in self.list_mut("bufferViews") {
            let buffer = view.get("buffer").and_then(whole_number);
            let Some(&Some(start)) = buffer.and_then(|buffer| starts.get(buffer as usize)) else { continue };
            let offset = view.get("byteOffset").and_then(whole_number).unwrap_or(0);
            view["buffer"] = 0.into();
            view["byteOffset"] = offset.saturating_add(start).into();
        }
    }

    /// Whether bytes can move between buffers without losing data or breaking references.
    pub(super) fn can_join_buffers(&self) -> bool {
        self.buffers_are_plain() && !self.unknown_members_name_buffers()
    }

    /// Whether no buffer has members besides its bytes.
    fn buffers_are_plain(&self) -> bool {
        let is_plain = |key: &String| ["byteLength", "uri"].contains(&key.as_str());
        let plain = |buffer: &Cursor<'_>| buffer.value.as_object().is_some_and(|b| b.keys().all(is_plain));
        self.root().list("buffers").is_ok_and(|buffers| buffers.iter().all(plain))
    }

    /// Whether anything but a buffer view has a member `buffer`: an extension with its own buffer indices.
    fn unknown_members_name_buffers(&self) -> bool {
        let Some(json) = self.json.as_object() else { return false };
        json.iter().any(|(key, value)| match (key.as_str(), value.as_array()) {
            ("bufferViews", Some(views)) => {
                let mut members = views.iter().filter_map(Value::as_object).flatten();
                members.any(|(key, value)| key != "buffer" && names_buffer(value))
            }
            _ => names_buffer(value),
        })
    }
}

/// Textures in KTX2, drawn with the feature `ktx2`.
const BASISU: &str = "KHR_texture_basisu";

/// Textures that one message names.
const MOST_NAMES: usize = 8;

/// Required extensions that Sinew supports.
const UNDERSTOOD: [&str; 12] = [
    SKIN_EXTENSION,
    CONTROLLER_EXTENSION,
    DRACO,
    MESHOPT[0],
    MESHOPT[1],
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "EXT_texture_webp",
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
    "VRM",
    "VRMC_vrm",
];

/// The object `key` of an object, created if missing.
pub(super) fn object_in<'a>(object: &'a mut Value, key: &str) -> &'a mut Value {
    if !object[key].is_object() {
        object[key] = serde_json::json!({});
    }
    &mut object[key]
}

fn names_buffer(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(key, value)| key == "buffer" && value.is_number() || names_buffer(value))
        }
        Value::Array(items) => items.iter().any(names_buffer),
        _ => false,
    }
}

fn parse(json: &[u8]) -> Result<Value> {
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    // Some writers pad the JSON chunk with zero bytes instead of spaces.
    let end = json.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let value: Value = serde_json::from_slice(&json[..end]).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or_default().to_owned();
        ReadGltfError::Json { line, column, message }
    })?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(Cursor { value: &value, place: "the document".into() }.wrong("an object"))
    }
}

/// Fetches the bytes that the JSON names by URI.
struct Loader<'a> {
    resources: &'a Resources<'a>,
    budget: Budget,
    report: &'a mut Report,
    /// Buffers without bytes, which decoded views fill.
    placeholders: Vec<usize>,
}

impl Loader<'_> {
    fn buffers(&mut self, root: &Cursor<'_>, mut bin: Option<Vec<u8>>) -> Result<Vec<Vec<u8>>> {
        let has_meshopt =
            root.list("extensionsUsed")?.iter().any(|name| MESHOPT.iter().any(|m| name.value == m));
        let mut buffers = Vec::new();
        for (index, buffer) in root.objects("buffers")?.into_iter().enumerate() {
            let length = buffer.require("byteLength")?.as_u64()?;
            let own = bin.take_if(|_| index == 0 && buffer.get("uri").is_none());
            let bytes = match (buffer.get("uri"), own) {
                (Some(uri), _) => self.uri(&uri)?,
                (None, Some(own)) => own,
                (None, None) if has_meshopt => {
                    self.placeholders.push(index);
                    buffers.push(Vec::new());
                    continue;
                }
                (None, None) => return Err(ReadGltfError::Missing { place: buffer.place_of("uri") }),
            };
            if (bytes.len() as u64) < length {
                let (place, end, length) = (buffer.place_of("byteLength"), length, bytes.len());
                return Err(ReadGltfError::PastEnd { place, end, what: "its data", length });
            }
            buffers.push(bytes);
        }
        if bin.is_some_and(|bin| !bin.is_empty()) {
            self.report.warn("buffers", "the binary chunk belongs to no buffer and is ignored");
        }
        Ok(buffers)
    }

    fn images(&mut self, root: &Cursor<'_>) -> Result<Vec<Option<Vec<u8>>>> {
        let mut images = Vec::new();
        for image in root.objects("images")? {
            images.push(match image.get("uri").map(|uri| self.uri(&uri)).transpose() {
                Err(ReadGltfError::Resource { place, source })
                    if matches!(source.problem, ResourceProblem::NotFound) =>
                {
                    self.report.warn(place, format!("{source}; drawn without it"));
                    None
                }
                read => read?,
            });
        }
        Ok(images)
    }

    fn uri(&mut self, uri: &Cursor<'_>) -> Result<Vec<u8>> {
        let text = uri.value.as_str().ok_or_else(|| uri.wrong("a URI"))?;
        let bytes = if is_data_uri(text) {
            self.budget.take(&uri.place, text.len() as u64, 1)?;
            decode_data_uri(text).ok_or_else(|| ReadGltfError::Inconsistent {
                place: uri.place.clone(),
                what: "the data URI is not valid base64".into(),
            })?
        } else {
            let read = (self.resources)(text, self.budget.left());
            let bytes =
                read.map_err(|source| ReadGltfError::Resource { place: uri.place.clone(), source })?;
            self.budget.take(&uri.place, bytes.len() as u64, 1)?;
            bytes
        };
        Ok(bytes)
    }
}

fn is_data_uri(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

fn decode_data_uri(uri: &str) -> Option<Vec<u8>> {
    let (header, payload) = uri.split_once(',')?;
    if !header.to_ascii_lowercase().ends_with(";base64") {
        return Some(percent_decoded_bytes(payload));
    }
    let engine = base64::engine::general_purpose::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    engine.decode(payload.trim().as_bytes()).ok()
}

fn percent_encoded(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
