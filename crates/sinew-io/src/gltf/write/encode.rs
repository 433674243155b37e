//! New accessors.

use super::Writer;
use glam::Vec3;
use serde_json::{Value, json};

/// Uses of a buffer view, if it has one; glTF 2.0 §5.11.5.
pub(super) const VERTICES: Option<u32> = Some(34962);
const INDICES: Option<u32> = Some(34963);

impl Writer {
    /// Adds an accessor of floats and returns its index. Writes bounds for positions and times, where the format requires them or
    /// readers use them.
    pub(super) fn push_floats<const N: usize, T: Copy + Into<[f32; N]>>(
        &mut self,
        values: &[T],
        target: Option<u32>,
        has_bounds: bool,
    ) -> usize {
        let values: Vec<[f32; N]> = values.iter().map(|&value| value.into()).collect();
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut accessor = json!({ "componentType": 5126, "count": values.len(), "type": type_name(N) });
        if has_bounds {
            set_bounds(&mut accessor, &values);
        }
        self.push_accessor(accessor, &bytes, target)
    }

    /// Adds an accessor of mostly zero vectors: stores only `values` at `indices`. There must be at least one.
    pub(super) fn push_sparse(
        &mut self,
        count: usize,
        indices: &[u32],
        values: &[Vec3],
        has_bounds: bool,
    ) -> usize {
        let index_bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let values: Vec<[f32; 3]> = values.iter().map(|value| value.to_array()).collect();
        let value_bytes: Vec<u8> = values.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let index_view = self.document.push_view(&index_bytes, None);
        let value_view = self.document.push_view(&value_bytes, None);
        let mut accessor = json!({
            "componentType": 5126,
            "count": count,
            "type": "VEC3",
            "sparse": {
                "count": indices.len(),
                "indices": { "bufferView": index_view, "componentType": 5125 },
                "values": { "bufferView": value_view },
            },
        });
        if has_bounds {
            let with_zero: Vec<[f32; 3]> =
                values.iter().copied().chain((indices.len() < count).then_some([0.0; 3])).collect();
            set_bounds(&mut accessor, &with_zero);
        }
        self.push_json("accessors", accessor)
    }

    /// Adds an accessor of joints: 8-bit if the indices fit.
    pub(super) fn push_joints(&mut self, joints: &[[u16; 4]]) -> usize {
        let flat = joints.as_flattened();
        let (component, bytes): (_, Vec<u8>) = if flat.iter().all(|&joint| joint < 256) {
            (5121, flat.iter().map(|&joint| joint as u8).collect())
        } else {
            (5123, flat.iter().flat_map(|joint| joint.to_le_bytes()).collect())
        };
        let accessor = json!({ "componentType": component, "count": joints.len(), "type": "VEC4" });
        self.push_accessor(accessor, &bytes, VERTICES)
    }

    /// Adds an accessor of triangle indices: 16-bit if they fit (65,535 itself would mean a restart).
    pub(super) fn push_indices(&mut self, indices: impl Iterator<Item = u32> + Clone) -> usize {
        let count = indices.clone().count();
        let (component, bytes): (_, Vec<u8>) = if indices.clone().all(|index| index < 0xFFFF) {
            (5123, indices.flat_map(|index| (index as u16).to_le_bytes()).collect())
        } else {
            (5125, indices.flat_map(u32::to_le_bytes).collect())
        };
        let accessor = json!({ "componentType": component, "count": count, "type": "SCALAR" });
        self.push_accessor(accessor, &bytes, INDICES)
    }

    /// Adds an entry to a list of the document and returns its index.
    pub(super) fn push_json(&mut self, list: &str, entry: Value) -> usize {
        let list = self.document.list_mut(list);
        list.push(entry);
        list.len() - 1
    }

    fn push_accessor(&mut self, mut accessor: Value, bytes: &[u8], target: Option<u32>) -> usize {
        accessor["bufferView"] = self.document.push_view(bytes, target).into();
        self.push_json("accessors", accessor)
    }
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

fn set_bounds<const N: usize>(accessor: &mut Value, values: &[[f32; N]]) {
    if values.is_empty() {
        return;
    }
    let fold = |pick: fn(f32, f32) -> f32| {
        values
            .iter()
            .copied()
            .reduce(|a, b| std::array::from_fn(|at| pick(a[at], b[at])))
            .map(|bound| bound.to_vec())
    };
    accessor["min"] = json!(fold(f32::min));
    accessor["max"] = json!(fold(f32::max));
}
