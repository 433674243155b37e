//! Puts glTF files together from plain numbers.

use base64::Engine;
use serde_json::{Map, Value, json};

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed byte.
    I8,
    /// Byte.
    U8,
    /// Signed 16 bits.
    I16,
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
    /// 32-bit float.
    F32,
}

impl Component {
    /// The number that glTF has for it.
    pub fn code(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    /// What stands for 1 where numbers are normalised.
    pub fn largest(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }

    fn put(self, x: f64, bytes: &mut Vec<u8>) {
        match self {
            Self::I8 => bytes.extend((x as i8).to_le_bytes()),
            Self::U8 => bytes.push(x as u8),
            Self::I16 => bytes.extend((x as i16).to_le_bytes()),
            Self::U16 => bytes.extend((x as u16).to_le_bytes()),
            Self::U32 => bytes.extend((x as u32).to_le_bytes()),
            Self::F32 => bytes.extend((x as f32).to_le_bytes()),
        }
    }
}

/// Numbers and how to store them.
#[derive(Clone, Debug)]
pub struct Array<'a, const N: usize> {
    /// The elements.
    pub values: &'a [[f32; N]],
    /// Stored as this.
    pub component: Component,
    /// Whether the stored numbers stand for −1…1 or 0…1.
    pub is_normalized: bool,
    /// What the view is for: 34962 vertices, 34963 indices.
    pub target: Option<u32>,
    /// Whether bounds are written.
    pub has_bounds: bool,
}

impl<'a, const N: usize> Array<'a, N> {
    /// Plain floats for anything but vertices.
    pub fn floats(values: &'a [[f32; N]]) -> Self {
        Self { values, component: Component::F32, is_normalized: false, target: None, has_bounds: false }
    }

    /// Floats for a vertex attribute.
    pub fn vertices(values: &'a [[f32; N]]) -> Self {
        Self { target: Some(34962), ..Self::floats(values) }
    }

    /// Floats with bounds for a vertex attribute.
    pub fn positions(values: &'a [[f32; N]]) -> Self {
        Self { has_bounds: true, ..Self::vertices(values) }
    }

    /// The same, stored as whole numbers.
    #[must_use]
    pub fn stored_as(self, component: Component) -> Self {
        Self { component, ..self }
    }

    /// The same, normalised.
    #[must_use]
    pub fn normalized(self) -> Self {
        Self { is_normalized: true, ..self }
    }

    /// The number as it is stored.
    fn stored(&self, x: f32) -> f64 {
        match (self.component, self.is_normalized) {
            (Component::F32, _) => f64::from(x),
            (component, true) => (f64::from(x) * component.largest()).round(),
            (_, false) => f64::from(x).round(),
        }
    }

    /// The stored elements end to end, each padded to `stride` bytes.
    fn bytes(&self, stride: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for element in self.values {
            let start = bytes.len();
            element.iter().for_each(|&x| self.component.put(self.stored(x), &mut bytes));
            bytes.resize((start + stride).max(bytes.len()), 0);
        }
        bytes
    }

    fn element_size(&self) -> usize {
        let mut one = Vec::new();
        self.component.put(0.0, &mut one);
        one.len() * N
    }

    /// The accessor without its view.
    fn accessor(&self) -> Map<String, Value> {
        let mut accessor = Map::new();
        accessor.insert("componentType".into(), self.component.code().into());
        accessor.insert("count".into(), self.values.len().into());
        accessor.insert("type".into(), type_name(N).into());
        if self.is_normalized {
            accessor.insert("normalized".into(), true.into());
        }
        if self.has_bounds {
            accessor.insert("min".into(), self.bound(f64::min));
            accessor.insert("max".into(), self.bound(f64::max));
        }
        accessor
    }

    fn bound(&self, pick: fn(f64, f64) -> f64) -> Value {
        let bound = |at: usize| self.values.iter().map(|v| self.stored(v[at])).reduce(pick).unwrap_or(0.0);
        let as_json = |x: f64| if self.component == Component::F32 { json!(x) } else { json!(x as i64) };
        (0..N).map(|at| as_json(bound(at))).collect::<Vec<_>>().into()
    }
}

/// Elements that replace those of a base array.
#[derive(Clone, Debug)]
pub struct Sparse<'a, const N: usize> {
    /// Which elements, ascending.
    pub indices: &'a [u32],
    /// How the indices are stored.
    pub index_component: Component,
    /// What they become.
    pub values: &'a [[f32; N]],
    /// Added to `sparse`, to `sparse.indices` and to `sparse.values`.
    pub members: [Value; 3],
}

/// A glTF file that is being put together.
#[derive(Clone, Debug)]
pub struct Builder {
    json: Value,
    buffers: Vec<Vec<u8>>,
}

impl Default for Builder {
    fn default() -> Self {
        let asset = json!({ "version": "2.0", "generator": "Sinew's test fixtures" });
        Self { json: json!({ "asset": asset }), buffers: Vec::new() }
    }
}

impl Builder {
    /// Sets a member of the document.
    pub fn set(&mut self, key: &str, value: Value) {
        self.json[key] = value;
    }

    /// Adds an entry to a list of the document and returns its index.
    pub fn push(&mut self, list: &str, entry: Value) -> usize {
        if self.json.get(list).is_none() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().expect("lists are made above");
        list.push(entry);
        list.len() - 1
    }

    /// Starts another buffer; views go into the last one.
    pub fn start_buffer(&mut self, members: Value) {
        let buffer = merged(json!({ "byteLength": 0 }), members);
        self.push("buffers", buffer);
        self.buffers.push(Vec::new());
    }

    /// Adds a view on new bytes of the last buffer.
    pub fn push_view(&mut self, bytes: &[u8], members: Value) -> usize {
        if self.buffers.is_empty() {
            self.start_buffer(json!({}));
        }
        let index = self.buffers.len() - 1;
        let buffer = &mut self.buffers[index];
        buffer.resize(buffer.len().next_multiple_of(4), 0);
        let offset = buffer.len();
        buffer.extend_from_slice(bytes);
        self.json["buffers"][index]["byteLength"] = buffer.len().into();
        let mut view = json!({ "buffer": index, "byteLength": bytes.len() });
        // Some exporters leave out an offset of zero.
        if offset > 0 {
            view["byteOffset"] = offset.into();
        }
        self.push("bufferViews", merged(view, members))
    }

    /// Adds an array with a view of its own; `members` go to the accessor. Vertex attributes are padded to four bytes an element.
    pub fn push_array<const N: usize>(&mut self, array: &Array<'_, N>, members: Value) -> usize {
        let view = self.push_array_view(array);
        self.push_accessor(array, Some(view), members)
    }

    fn push_array_view<const N: usize>(&mut self, array: &Array<'_, N>) -> usize {
        let size = array.element_size();
        let is_padded = array.target == Some(34962) && !size.is_multiple_of(4);
        let stride = if is_padded { size.next_multiple_of(4) } else { size };
        let mut view = Map::new();
        if let Some(target) = array.target {
            view.insert("target".into(), target.into());
        }
        if is_padded {
            view.insert("byteStride".into(), stride.into());
        }
        self.push_view(&array.bytes(stride), view.into())
    }

    /// Adds an accessor for an array that lies in a view already, or in none.
    pub fn push_accessor<const N: usize>(
        &mut self,
        array: &Array<'_, N>,
        view: Option<usize>,
        members: Value,
    ) -> usize {
        let mut accessor = array.accessor();
        if let Some(view) = view {
            accessor.insert("bufferView".into(), view.into());
        }
        self.push("accessors", merged(accessor.into(), members))
    }

    /// Adds several arrays that share one view, element by element; returns their accessors.
    pub fn push_interleaved<const N: usize>(
        &mut self,
        arrays: &[Array<'_, N>],
        members: Value,
    ) -> Vec<usize> {
        let sizes: Vec<usize> = arrays.iter().map(|array| array.element_size().next_multiple_of(4)).collect();
        let columns: Vec<Vec<u8>> =
            arrays.iter().zip(&sizes).map(|(array, &size)| array.bytes(size)).collect();
        let mut bytes = Vec::new();
        for element in 0..arrays[0].values.len() {
            for (column, &size) in columns.iter().zip(&sizes) {
                bytes.extend_from_slice(&column[element * size..(element + 1) * size]);
            }
        }
        let stride: usize = sizes.iter().sum();
        let view = self.push_view(&bytes, merged(json!({ "byteStride": stride, "target": 34962 }), members));
        let mut offset = 0;
        let mut accessors = Vec::new();
        for (array, size) in arrays.iter().zip(sizes) {
            let place = if offset == 0 { json!({}) } else { json!({ "byteOffset": offset }) };
            accessors.push(self.push_accessor(array, Some(view), place));
            offset += size;
        }
        accessors
    }

    /// Adds an accessor whose elements are those of `base` (or zeros) with some replaced. `result` is what comes out: its bounds
    /// are written.
    pub fn push_sparse<const N: usize>(
        &mut self,
        result: &Array<'_, N>,
        base: Option<&Array<'_, N>>,
        sparse: &Sparse<'_, N>,
        members: Value,
    ) -> usize {
        let base_view = base.map(|base| self.push_array_view(base));
        let mut index_bytes = Vec::new();
        sparse
            .indices
            .iter()
            .for_each(|&index| sparse.index_component.put(f64::from(index), &mut index_bytes));
        let index_view = self.push_view(&index_bytes, json!({}));
        let values = Array { values: sparse.values, ..result.clone() };
        let value_view = self.push_view(&values.bytes(values.element_size()), json!({}));
        let [of_sparse, of_indices, of_values] = sparse.members.clone();
        let indices = json!({ "bufferView": index_view, "componentType": sparse.index_component.code() });
        let entry = json!({
            "count": sparse.indices.len(),
            "indices": merged(indices, of_indices),
            "values": merged(json!({ "bufferView": value_view }), of_values),
        });
        let members = merged(json!({ "sparse": merged(entry, of_sparse) }), members);
        self.push_accessor(result, base_view, members)
    }

    /// The file as `.glb`, with more chunks after the binary one. There must be one buffer at most.
    pub fn to_glb(&self, other_chunks: &[(u32, &[u8])]) -> Vec<u8> {
        assert!(self.buffers.len() <= 1, "a .glb has one binary chunk");
        let json = self.json.to_string();
        let mut chunks: Vec<(u32, Vec<u8>)> = vec![(0x4E4F_534A, padded(json.as_bytes(), b' '))];
        chunks.extend(self.buffers.iter().map(|buffer| (0x004E_4942, padded(buffer, 0))));
        chunks.extend(other_chunks.iter().map(|&(kind, bytes)| (kind, padded(bytes, 0))));
        let length: usize = 12 + chunks.iter().map(|(_, chunk)| 8 + chunk.len()).sum::<usize>();
        let mut bytes = b"glTF".to_vec();
        bytes.extend(2u32.to_le_bytes());
        bytes.extend((length as u32).to_le_bytes());
        for (kind, chunk) in chunks {
            bytes.extend((chunk.len() as u32).to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(chunk);
        }
        bytes
    }

    /// The file as `.gltf`, its buffers inside the JSON.
    pub fn to_embedded_gltf(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        for (index, buffer) in self.buffers.iter().enumerate() {
            json["buffers"][index]["uri"] = data_uri("application/octet-stream", buffer).into();
        }
        format!("{json:#}").into_bytes()
    }

    /// The file as `.gltf`, its buffers in files of these names.
    pub fn to_external_gltf(&self, names: &[&str]) -> (Vec<u8>, Vec<(String, Vec<u8>)>) {
        assert_eq!(names.len(), self.buffers.len(), "one name a buffer");
        let mut json = self.json.clone();
        for (index, name) in names.iter().enumerate() {
            json["buffers"][index]["uri"] = name.replace(' ', "%20").into();
        }
        let beside = names.iter().map(|&name| name.to_owned()).zip(self.buffers.clone()).collect();
        (format!("{json:#}").into_bytes(), beside)
    }
}

/// The members of both objects; those of `more` come last.
pub(crate) fn merged(mut object: Value, more: Value) -> Value {
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

/// Bytes inside a URI.
pub(crate) fn data_uri(mime_type: &str, bytes: &[u8]) -> String {
    format!("data:{mime_type};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

fn padded(bytes: &[u8], padding: u8) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(4), padding);
    padded
}

fn type_name(components: usize) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}
