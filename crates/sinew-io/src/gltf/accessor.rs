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

/// Elements at a fixed stride.
#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
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
        let accessor = document.root().entry("accessors", reference)?;
        let component = Component::from_code(&accessor.require("componentType")?)?;
        let components = component_count(&accessor.require("type")?)?;
        let count = accessor.require("count")?;
        let count = usize::try_from(count.as_u64()?).map_err(|_| count.wrong("a count that fits memory"))?;
        let element_size = component.size() * components;
        accessor.u64("byteOffset")?;
        let data = accessor.get("bufferView");
        let data = data.map(|view| strided(document, &accessor, &view, count, element_size)).transpose()?;
        let sparse = accessor.get("sparse");
        let sparse = sparse.map(|sparse| open_sparse(document, &sparse, count, element_size, budget));
        let sparse = sparse.transpose()?;
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

    /// Numbers per element.
    pub(crate) fn components(&self) -> usize {
        self.components
    }

    /// The elements as numbers that are not normalized.
    pub(crate) fn stored_numbers<const N: usize>(&self, budget: &mut Budget) -> Result<Vec<[f32; N]>> {
        Self { is_normalized: false, place: self.place.clone(), sparse: None, ..*self }
            .floats([0.0; N], budget)
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
            Some(data) => self.decode_floats(data, default),
        };
        self.substitute(&mut values, |sparse| self.decode_floats(sparse, default));
        Ok(values)
    }

    /// The stored elements of a sparse accessor without a view, with their indices; `None` if the accessor is dense.
    pub(crate) fn sparse_floats<const N: usize>(
        &self,
        budget: &mut Budget,
    ) -> Result<Option<SparseElements<N>>> {
        let (None, Some(sparse)) = (&self.data, &self.sparse) else { return Ok(None) };
        budget.take(&self.place, sparse.indices.len() as u64, size_of::<(u32, [f32; N])>() as u64)?;
        let values = self.decode_floats(sparse.values, [0.0; N]);
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
        let zero = [0; N];
        let mut values = match self.data {
            None => vec![zero; self.count],
            Some(data) => self.decode_integers(data, zero),
        };
        self.substitute(&mut values, |sparse| self.decode_integers(sparse, zero));
        Ok(values)
    }

    /// Whole numbers below `limit`.
    pub(crate) fn indices(&self, limit: usize, budget: &mut Budget) -> Result<Vec<u32>> {
        let indices = self.integers::<1>(budget)?.into_flattened();
        if let Some(at) = indices.iter().position(|&index| index as usize >= limit) {
            let (place, index) = (format!("{}, element {at}", self.place), indices[at].into());
            return Err(ReadGltfError::IndexOutOfRange { place, index, limit });
        }
        Ok(indices)
    }

    /// Puts the elements of a sparse accessor into those of its base.
    fn substitute<T>(&self, values: &mut [T], decode: impl FnOnce(Strided<'_>) -> Vec<T>) {
        let Some(sparse) = &self.sparse else { return };
        for (&index, value) in sparse.indices.iter().zip(decode(sparse.values)) {
            values[index as usize] = value;
        }
    }

    fn take_memory(&self, bytes_each: usize, budget: &mut Budget) -> Result<()> {
        budget.take(&self.place, self.count as u64, bytes_each as u64)?;
        if self.data.is_none() {
            budget.note_unstored(&self.place, self.count as u64, bytes_each as u64 * MADE_OF_IT)?;
        }
        Ok(())
    }

    fn decode_floats<const N: usize>(&self, data: Strided<'_>, default: [f32; N]) -> Vec<[f32; N]> {
        macro_rules! decode {
            ($read:expr) => {
                decode(data, default, self.components.min(N), $read)
            };
        }
        // glTF 2.0 §3.11 for the scales: signed values clamp at −1.
        match (self.component, self.is_normalized) {
            (Component::F32, _) => decode!(f32::from_le_bytes),
            (Component::U8, true) => decode!(|[byte]| f32::from(byte) / 255.0),
            (Component::U8, false) => decode!(|[byte]| f32::from(byte)),
            (Component::I8, true) => decode!(|[byte]| (f32::from(byte as i8) / 127.0).max(-1.0)),
            (Component::I8, false) => decode!(|[byte]| f32::from(byte as i8)),
            (Component::U16, true) => decode!(|bytes| f32::from(u16::from_le_bytes(bytes)) / 65535.0),
            (Component::U16, false) => decode!(|bytes| f32::from(u16::from_le_bytes(bytes))),
            (Component::I16, true) => {
                decode!(|bytes| (f32::from(i16::from_le_bytes(bytes)) / 32767.0).max(-1.0))
            }
            (Component::I16, false) => decode!(|bytes| f32::from(i16::from_le_bytes(bytes))),
            (Component::U32, _) => decode!(|bytes| u32::from_le_bytes(bytes) as f32),
        }
    }

    fn decode_integers<const N: usize>(&self, data: Strided<'_>, zero: [u32; N]) -> Vec<[u32; N]> {
        match self.component.size() {
            1 => decode(data, zero, N, |[byte]| u32::from(byte)),
            2 => decode(data, zero, N, |bytes| u32::from(u16::from_le_bytes(bytes))),
            _ => decode(data, zero, N, u32::from_le_bytes),
        }
    }
}

/// Indices, ascending, with their elements.
pub(crate) type SparseElements<const N: usize> = Vec<(u32, [f32; N])>;

/// Elements of `components` numbers of `SIZE` bytes; those missing come from `default`.
fn decode<const SIZE: usize, const N: usize, T: Copy>(
    data: Strided<'_>,
    default: [T; N],
    components: usize,
    read: impl Fn([u8; SIZE]) -> T,
) -> Vec<[T; N]> {
    let element = |index: usize| {
        let mut value = default;
        let (stored, _) = data.bytes[index * data.stride..].as_chunks();
        value[..components].iter_mut().zip(stored).for_each(|(slot, bytes)| *slot = read(*bytes));
        value
    };
    (0..data.count).map(element).collect()
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

/// The bytes of `count` elements from the byte offset of `holder` in the view with the index `view`, checked to be inside it.
fn strided<'a>(
    document: &'a GltfDocument,
    holder: &Cursor<'_>,
    view: &Cursor<'_>,
    count: usize,
    element_size: usize,
) -> Result<Strided<'a>> {
    let offset = holder.u64("byteOffset")?.unwrap_or(0);
    let (bytes, stride) = document.view(view)?;
    let stride = stride.unwrap_or(element_size);
    if stride < element_size {
        let what = format!("elements of {element_size} bytes do not fit the view's byteStride of {stride}");
        return Err(ReadGltfError::Inconsistent { place: holder.place.clone(), what });
    }
    let end = match count as u64 {
        0 => offset,
        count => {
            let last = (count - 1).saturating_mul(stride as u64);
            last.saturating_add(offset).saturating_add(element_size as u64)
        }
    };
    if end > bytes.len() as u64 {
        let (place, length) = (holder.place.clone(), bytes.len());
        return Err(ReadGltfError::PastEnd { place, end, what: "its view", length });
    }
    Ok(Strided { bytes: &bytes[offset as usize..], stride, count })
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
    let place = sparse.require("indices")?;
    let component = Component::from_code(&place.require("componentType")?)?;
    let data = Some(strided(document, &place, &place.require("bufferView")?, count, component.size())?);
    let (place, is_normalized) = (place.place, false);
    let indices = Accessor { place, count, component, components: 1, is_normalized, data, sparse: None };
    let indices = indices.indices(base_count, budget)?;
    let values = sparse.require("values")?;
    let values = strided(document, &values, &values.require("bufferView")?, count, element_size)?;
    Ok(Sparse { indices, values })
}
