//! Bounds of decoded accessors: what was compressed with loss no longer has the bounds of the original.

use crate::gltf::accessor::Accessor;
use crate::gltf::json::{Cursor, whole_number};
use crate::gltf::{GltfDocument, Result};
use crate::limits::Budget;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Sets the bounds of accessors that have some and lie in one of `views`.
pub(super) fn set_bounds_of_views(
    document: &mut GltfDocument,
    views: &BTreeSet<usize>,
    budget: &mut Budget,
) -> Result<()> {
    if views.is_empty() {
        return Ok(());
    }
    for index in 0..document.root().list_len("accessors") {
        let accessor = &document.json["accessors"][index];
        let view = accessor.get("bufferView").and_then(whole_number);
        let has_bounds = accessor.get("min").is_some() || accessor.get("max").is_some();
        if has_bounds && view.is_some_and(|view| views.contains(&(view as usize))) {
            set_bounds(document, index, budget)?;
        }
    }
    Ok(())
}

/// Sets the bounds of an accessor to those of its elements.
pub(super) fn set_bounds(document: &mut GltfDocument, index: usize, budget: &mut Budget) -> Result<()> {
    let reference = Value::from(index);
    let reference = Cursor { value: &reference, place: format!("accessors[{index}]") };
    let accessor = Accessor::open(document, &reference, budget)?;
    let bounds = match accessor.components() {
        1 => bounds_of::<1>(&accessor, budget)?,
        2 => bounds_of::<2>(&accessor, budget)?,
        3 => bounds_of::<3>(&accessor, budget)?,
        4 => bounds_of::<4>(&accessor, budget)?,
        _ => None,
    };
    if let Some([min, max]) = bounds {
        document.json["accessors"][index]["min"] = min;
        document.json["accessors"][index]["max"] = max;
    }
    Ok(())
}

/// The least and the largest of each component, as stored; `None` without elements.
fn bounds_of<const N: usize>(accessor: &Accessor<'_>, budget: &mut Budget) -> Result<Option<[Value; 2]>> {
    let values = accessor.stored_numbers::<N>(budget)?;
    let bound = |pick: fn(f32, f32) -> f32| {
        let bound = values.iter().copied().reduce(|a, b| std::array::from_fn(|at| pick(a[at], b[at])))?;
        let is_whole = !accessor.is_float();
        Some(bound.iter().map(|&x| if is_whole { json!(x as i64) } else { json!(x) }).collect::<Value>())
    };
    Ok(bound(f32::min).zip(bound(f32::max)).map(|(min, max)| [min, max]))
}
