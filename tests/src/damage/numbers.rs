//! Damage to what the numbers say: sizes, indices, counts, and the numbers in the buffers.

use super::Opened;
use super::structure::{nasty, places_of, replace_any, short};
use crate::Prng;
use serde_json::{Value, json};

/// Members that hold sizes, indices and codes.
const SIZES: [&str; 24] = [
    "count",
    "byteOffset",
    "byteLength",
    "byteStride",
    "componentType",
    "bufferView",
    "buffer",
    "mesh",
    "skin",
    "material",
    "index",
    "source",
    "sampler",
    "input",
    "output",
    "node",
    "scene",
    "mode",
    "texCoord",
    "indices",
    "POSITION",
    "JOINTS_0",
    "WEIGHTS_0",
    "inverseBindMatrices",
];

/// Sizes that tempt to overflow.
const LARGE: [u64; 12] = [
    255,
    65_536,
    1 << 20,
    5_500_000,
    1 << 24,
    1 << 28,
    (1 << 31) - 1,
    1 << 32,
    1 << 40,
    (1 << 53) - 1,
    1 << 62,
    u64::MAX,
];

/// Replaces a size, an index or a code.
pub(super) fn replace_size(file: &mut Opened, random: &mut Prng) -> String {
    let is_size = |place: &String| {
        let mut keys = place.rsplit('/');
        let last = keys.next().unwrap_or_default();
        SIZES.contains(&last) || ["joints", "children", "nodes"].contains(&keys.next().unwrap_or_default())
    };
    let places: Vec<String> = places_of(&file.json).into_iter().filter(is_size).collect();
    if places.is_empty() {
        return replace_any(file, random);
    }
    let place = random.pick(&places);
    let member = file.json.pointer_mut(place).expect("just listed");
    let old = member.as_u64().unwrap_or(0);
    *member = match random.below(6) {
        0 => json!(old.wrapping_add(1)),
        1 => json!(old.wrapping_sub(1)),
        2 => json!(random.below(40)),
        3 => json!(random.pick(&LARGE)),
        4 => json!(-(old as f64)),
        _ => nasty(random),
    };
    format!("{place} is now {}", short(member))
}

/// Gives an accessor far more elements than there are, with or without a view.
pub(super) fn giant_count(file: &mut Opened, random: &mut Prng) -> String {
    let Some((at, accessor)) = any_accessor(&mut file.json, random) else { return replace_any(file, random) };
    let count = *random.pick(&LARGE);
    accessor["count"] = count.into();
    let mut what = format!("accessor {at} has {count} elements");
    if random.one_in(2)
        && let Some(members) = accessor.as_object_mut()
    {
        members.shift_remove("bufferView");
        what += " and no view";
    }
    if random.one_in(3) {
        // All of them, so that they agree with each other.
        for accessor in entries(&mut file.json, "accessors") {
            accessor["count"] = count.into();
            accessor.as_object_mut().and_then(|members| members.shift_remove("bufferView"));
        }
        what += ", as have all others";
    }
    what
}

/// Adds a sparse entry, or changes one.
pub(super) fn sparse(file: &mut Opened, random: &mut Prng) -> String {
    let view_count = entries(&mut file.json, "bufferViews").len();
    let Some((at, accessor)) = any_accessor(&mut file.json, random) else { return replace_any(file, random) };
    let count = if random.one_in(2) { json!(random.below(20)) } else { json!(random.pick(&LARGE)) };
    let types = [5121, 5123, 5125, 5126, 7];
    accessor["sparse"] = json!({
        "count": count,
        "indices": { "bufferView": random.below(view_count + 1), "componentType": random.pick(&types) },
        "values": { "bufferView": random.below(view_count + 1), "byteOffset": random.below(16) },
    });
    if random.one_in(3) {
        accessor["sparse"]["indices"]["byteOffset"] = nasty(random);
    }
    if random.one_in(3) {
        accessor.as_object_mut().and_then(|members| members.shift_remove("bufferView"));
    }
    format!("accessor {at}: {}", accessor["sparse"])
}

/// Writes numbers that are not finite, or tiny, or huge, where accessors store floats.
pub(super) fn poison_buffer(file: &mut Opened, random: &mut Prng) -> String {
    let values =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE / 2.0, -0.0, -1.0];
    overwrite(file, random, 5126, |random| random.pick(&values).to_le_bytes().to_vec())
}

/// Writes large numbers where accessors store whole ones: indices and joints.
pub(super) fn scramble_buffer(file: &mut Opened, random: &mut Prng) -> String {
    let code = *random.pick(&[5121, 5123, 5125]);
    overwrite(file, random, code, |random| {
        let size = [1, 2, 4][random.below(3)];
        random.pick(&[u32::MAX, 0xFFFE, 0x0100, 7, 0]).to_le_bytes()[..size].to_vec()
    })
}

/// Overwrites one to eight numbers of an accessor of some component type.
fn overwrite(
    file: &mut Opened,
    random: &mut Prng,
    code: u64,
    value: impl Fn(&mut Prng) -> Vec<u8>,
) -> String {
    let json = file.json.clone();
    let list = |key: &str| json.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64).unwrap_or(0) as usize;
    let stored: Vec<Value> = list("accessors")
        .into_iter()
        .filter(|accessor| {
            number(accessor, "componentType") as u64 == code && accessor.get("bufferView").is_some()
        })
        .collect();
    if stored.is_empty() || file.data.len() < 8 {
        return replace_any(file, random);
    }
    let accessor = random.pick(&stored);
    let view = list("bufferViews").get(number(accessor, "bufferView")).cloned().unwrap_or_default();
    let start = number(&view, "byteOffset").saturating_add(number(accessor, "byteOffset"));
    let length = number(&view, "byteLength");
    let mut places = Vec::new();
    for _ in 0..1 + random.below(8) {
        let at = start.saturating_add(random.below(length) & !3);
        let bytes = value(random);
        if let Some(target) = at.checked_add(bytes.len()).and_then(|end| file.data.get_mut(at..end)) {
            target.copy_from_slice(&bytes);
            places.push(at);
        }
    }
    format!("at {places:?} of the data")
}

fn any_accessor<'a>(json: &'a mut Value, random: &mut Prng) -> Option<(usize, &'a mut Value)> {
    let accessors = entries(json, "accessors");
    let at = random.below(accessors.len());
    accessors.get_mut(at).filter(|accessor| accessor.is_object()).map(|accessor| (at, accessor))
}

fn entries<'a>(json: &'a mut Value, key: &str) -> &'a mut [Value] {
    json.get_mut(key).and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}
