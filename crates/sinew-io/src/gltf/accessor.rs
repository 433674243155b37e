//! Decoding accessors: any component type, stride, normalization, sparse substitution.

use super::json::Cursor;
use super::{GltfDocument, ReadGltfError, Result};
use crate::limits::Budget;

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(cursor: &Cursor<'_>) -> Result<Self> {
        Ok(match cursor.as_u64()? {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return Err(cursor.wrong("one of 5120, 5121, 5122, 5123, 5125, 5126")),
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

/// Estimated memory of everything made from an element, relative to its own size. An index of 4 bytes may make a triangle of 12; a
/// vertex of 12 bytes gets a normal, a list of influences and maybe its own triangles. All of this is stored once more, in lists
/// that grow by doubling, for every instance of the mesh. Too small: a file of a kilobyte takes hundreds of megabytes. Too large:
/// valid files with many zeros are rejected. Chosen on the damaged files of `tests/measured/damage.rs`.
const MADE_OF_IT: u64 = 24;

/// Bytes at a fixed stride.
#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// Elements that replace those of the base array.
struct Sparse<'a> {
    indices: Vec<u32>,
    values: Strided<'a>,
}

/// An accessor checked against its views and buffers; not decoded yet.
pub(crate) struct Accessor<'a> {
    pub(crate) place: String,
    pub(crate) count: usize,
    component: Component,
    components: usize,
    is_normalized: bool,
    /// `None` where the accessor has no view: all zero.
    data: Option<Strided<'a>>,
    sparse: Option<Sparse<'a>>,
}

impl<'a> Accessor<'a> {
    /// Opens the accessor with the index `reference` in the JSON.
    pub(crate) fn open(
        document: &'a GltfDocument,
        reference: &Cursor<'_>,
        budget: &mut Budget,
    ) -> Result<Self> {
        let root = document.root();
        let index = reference.as_index(root.list_len("accessors"))?;
        let accessor =
            Cursor { value: &root.value["accessors"][index], place: format!("accessors[{index}]") };
        let component = Component::from_code(&accessor.require("componentType")?)?;
        let components = component_count(&accessor.require("type")?)?;
        let count = accessor.require("count")?;
        let count = usize::try_from(count.as_u64()?).map_err(|_| count.wrong("a count that fits memory"))?;
        let element_size = component.size() * components;
        let offset = accessor.u64("byteOffset")?.unwrap_or(0);
        let data = match accessor.get("bufferView") {
            Some(view) => Some(strided(document, &view, &accessor.place, offset, count, element_size)?),
            None => None,
        };
        let sparse = match accessor.get("sparse") {
            Some(sparse) => Some(open_sparse(document, &sparse, count, element_size, budget)?),
            None => None,
        };
        let is_normalized = accessor.get("normalized").is_some_and(|n| n.value.as_bool() == Some(true));
        Ok(Self { place: accessor.place, count, component, components, is_normalized, data, sparse })
    }

    /// Fails unless the accessor has `components` components.
    pub(crate) fn expect_components(&self, allowed: &[usize], user: &str) -> Result<usize> {
        if allowed.contains(&self.components) {
            return Ok(self.components);
        }
        let what = format!("{user} cannot have {} components", self.components);
        Err(ReadGltfError::Inconsistent { place: self.place.clone(), what })
    }

    /// Whether the components are 32-bit floats.
    pub(crate) fn is_float(&self) -> bool {
        self.component == Component::F32
    }

    /// The elements as numbers; missing components come from `default`. Normalized integers are scaled to −1…1 or 0…1.
    pub(crate) fn floats<const N: usize>(
        &self,
        default: [f32; N],
        budget: &mut Budget,
    ) -> Result<Vec<[f32; N]>> {
        self.take_memory(size_of::<[f32; N]>(), budget)?;
        let mut values = match self.data {
            // Zeroed memory is not touched until written, unlike a copy of `default`.
            None => vec![[0.0; N]; self.count],
            Some(data) => {
                let mut values = Vec::with_capacity(self.count);
                self.decode_floats(data, self.count, default, &mut values);
                values
            }
        };
        if let Some(sparse) = &self.sparse {
            let mut replaced = Vec::with_capacity(sparse.indices.len());
            self.decode_floats(sparse.values, sparse.indices.len(), default, &mut replaced);
            for (&index, value) in sparse.indices.iter().zip(replaced) {
                values[index as usize] = value;
            }
        }
        Ok(values)
    }

    /// The stored elements of a sparse accessor without a view, with their indices; `None` if the accessor is dense.
    pub(crate) fn sparse_floats<const N: usize>(
        &self,
        budget: &mut Budget,
    ) -> Result<Option<SparseElements<N>>> {
        let (None, Some(sparse)) = (&self.data, &self.sparse) else { return Ok(None) };
        budget.take(&self.place, sparse.indices.len() as u64, size_of::<(u32, [f32; N])>() as u64)?;
        let mut values = Vec::with_capacity(sparse.indices.len());
        self.decode_floats(sparse.values, sparse.indices.len(), [0.0; N], &mut values);
        let mut elements: Vec<_> = sparse.indices.iter().copied().zip(values).collect();
        // The format requires ascending indices; if a file repeats one, the last wins as in a dense array.
        elements.sort_by_key(|&(index, _)| index);
        elements.reverse();
        elements.dedup_by_key(|element| element.0);
        elements.reverse();
        Ok(Some(elements))
    }

    /// The elements as whole numbers.
    pub(crate) fn integers<const N: usize>(&self, budget: &mut Budget) -> Result<Vec<[u32; N]>> {
        if !matches!(self.component, Component::U8 | Component::U16 | Component::U32) {
            let what = "expected unsigned integers".to_owned();
            return Err(ReadGltfError::Inconsistent { place: self.place.clone(), what });
        }
        self.expect_components(&[N], "this use")?;
        self.take_memory(size_of::<[u32; N]>(), budget)?;
        let mut values = vec![[0u32; N]; self.count];
        if let Some(data) = self.data {
            self.decode_integers(data, values.iter_mut());
        }
        if let Some(sparse) = &self.sparse {
            let mut replaced = vec![[0u32; N]; sparse.indices.len()];
            self.decode_integers(sparse.values, replaced.iter_mut());
            for (&index, value) in sparse.indices.iter().zip(replaced) {
                values[index as usize] = value;
            }
        }
        Ok(values)
    }

    fn take_memory(&self, bytes_each: usize, budget: &mut Budget) -> Result<()> {
        budget.take(&self.place, self.count as u64, bytes_each as u64)?;
        if self.data.is_none() {
            budget.note_unstored(&self.place, self.count as u64, bytes_each as u64 * MADE_OF_IT)?;
        }
        Ok(())
    }

    fn decode_floats<const N: usize>(
        &self,
        data: Strided<'_>,
        count: usize,
        default: [f32; N],
        out: &mut Vec<[f32; N]>,
    ) {
        let components = self.components.min(N);
        macro_rules! decode {
            ($size:literal, $read:expr) => {
                out.extend(elements(data, count).map(|element| {
                    let mut value = default;
                    for (slot, bytes) in value[..components].iter_mut().zip(element.chunks_exact($size)) {
                        *slot = $read(bytes);
                    }
                    value
                }))
            };
        }
        // glTF 2.0 §3.11 for the scales: signed values clamp at −1.
        match (self.component, self.is_normalized) {
            (Component::F32, _) => decode!(4, |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            (Component::U8, true) => decode!(1, |b: &[u8]| f32::from(b[0]) / 255.0),
            (Component::U8, false) => decode!(1, |b: &[u8]| f32::from(b[0])),
            (Component::I8, true) => decode!(1, |b: &[u8]| (f32::from(b[0] as i8) / 127.0).max(-1.0)),
            (Component::I8, false) => decode!(1, |b: &[u8]| f32::from(b[0] as i8)),
            (Component::U16, true) => {
                decode!(2, |b: &[u8]| f32::from(u16::from_le_bytes([b[0], b[1]])) / 65535.0)
            }
            (Component::U16, false) => decode!(2, |b: &[u8]| f32::from(u16::from_le_bytes([b[0], b[1]]))),
            (Component::I16, true) => {
                decode!(2, |b: &[u8]| (f32::from(i16::from_le_bytes([b[0], b[1]])) / 32767.0).max(-1.0))
            }
            (Component::I16, false) => decode!(2, |b: &[u8]| f32::from(i16::from_le_bytes([b[0], b[1]]))),
            (Component::U32, _) => decode!(4, |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32),
        }
    }

    fn decode_integers<'o, const N: usize>(
        &self,
        data: Strided<'_>,
        out: impl ExactSizeIterator<Item = &'o mut [u32; N]>,
    ) {
        macro_rules! decode {
            ($size:literal, $read:expr) => {{
                let count = out.len();
                for (value, element) in out.zip(elements(data, count)) {
                    for (slot, bytes) in value.iter_mut().zip(element.chunks_exact($size)) {
                        *slot = $read(bytes);
                    }
                }
            }};
        }
        match self.component.size() {
            1 => decode!(1, |b: &[u8]| u32::from(b[0])),
            2 => decode!(2, |b: &[u8]| u32::from(u16::from_le_bytes([b[0], b[1]]))),
            _ => decode!(4, |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        }
    }
}

/// Indices, ascending, with their elements.
pub(crate) type SparseElements<const N: usize> = Vec<(u32, [f32; N])>;

/// The bytes of each element; every slice contains at least the element.
fn elements<'a>(data: Strided<'a>, count: usize) -> impl Iterator<Item = &'a [u8]> {
    (0..count).map(move |index| &data.bytes[index * data.stride..])
}

fn component_count(kind: &Cursor<'_>) -> Result<usize> {
    Ok(match kind.value.as_str() {
        Some("SCALAR") => 1,
        Some("VEC2") => 2,
        Some("VEC3") => 3,
        Some("VEC4" | "MAT2") => 4,
        Some("MAT3") => 9,
        Some("MAT4") => 16,
        _ => return Err(kind.wrong("SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4")),
    })
}

/// The bytes of `count` elements from `offset` in the view with the index `view`, checked to be inside it.
fn strided<'a>(
    document: &'a GltfDocument,
    view: &Cursor<'_>,
    place: &str,
    offset: u64,
    count: usize,
    element_size: usize,
) -> Result<Strided<'a>> {
    let (bytes, stride) = document.view(view)?;
    let stride = stride.unwrap_or(element_size);
    if stride < element_size {
        let what = format!("elements of {element_size} bytes do not fit the view's byteStride of {stride}");
        return Err(ReadGltfError::Inconsistent { place: place.to_owned(), what });
    }
    let end = match count as u64 {
        0 => offset,
        count => (count - 1)
            .saturating_mul(stride as u64)
            .saturating_add(offset)
            .saturating_add(element_size as u64),
    };
    if end > bytes.len() as u64 {
        return Err(ReadGltfError::PastEnd {
            place: place.to_owned(),
            end,
            what: "its view",
            length: bytes.len(),
        });
    }
    Ok(Strided { bytes: &bytes[offset as usize..], stride })
}

fn open_sparse<'a>(
    document: &'a GltfDocument,
    sparse: &Cursor<'_>,
    base_count: usize,
    element_size: usize,
    budget: &mut Budget,
) -> Result<Sparse<'a>> {
    let count = sparse.require("count")?;
    let count = usize::try_from(count.as_u64()?).map_err(|_| count.wrong("a count that fits memory"))?;
    let indices = sparse.require("indices")?;
    let component = Component::from_code(&indices.require("componentType")?)?;
    let offset = indices.u64("byteOffset")?.unwrap_or(0);
    let index_data =
        strided(document, &indices.require("bufferView")?, &indices.place, offset, count, component.size())?;
    let index_accessor = Accessor {
        place: indices.place.clone(),
        count,
        component,
        components: 1,
        is_normalized: false,
        data: Some(index_data),
        sparse: None,
    };
    let index_list: Vec<u32> =
        index_accessor.integers::<1>(budget)?.into_iter().map(|[index]| index).collect();
    if let Some(position) = index_list.iter().position(|&index| index as usize >= base_count) {
        let place = format!("{}, element {position}", indices.place);
        return Err(ReadGltfError::IndexOutOfRange {
            place,
            index: index_list[position].into(),
            limit: base_count,
        });
    }
    let values = sparse.require("values")?;
    let offset = values.u64("byteOffset")?.unwrap_or(0);
    let values =
        strided(document, &values.require("bufferView")?, &values.place, offset, count, element_size)?;
    Ok(Sparse { indices: index_list, values })
}
