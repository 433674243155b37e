//! Damage to the document: the JSON stays JSON.

use super::{KINDS, Opened};
use crate::Prng;
use serde_json::{Value, json};

/// Bytes of a file whose entries are not repeated thousands of times.
const LARGE_FILE: usize = 50_000;

/// Replaces any value by one of another type or size.
pub(super) fn replace_any(file: &mut Opened, random: &mut Prng) -> String {
    let places = places_of(&file.json);
    let place = random.pick(&places);
    let new = nasty(random);
    *file.json.pointer_mut(place).expect("just listed") = new.clone();
    format!("{place} is now {}", short(&new))
}

/// Removes a member or an entry.
pub(super) fn remove_any(file: &mut Opened, random: &mut Prng) -> String {
    let places = places_of(&file.json);
    let place = random.pick(&places);
    let Some((parent, key)) = place.rsplit_once('/') else { return "nothing".into() };
    match file.json.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.shift_remove(&unescaped(key))),
        Some(Value::Array(items)) => drop(items.remove(key.parse().expect("an index"))),
        _ => {}
    }
    format!("{place} is gone")
}

/// Swaps two values.
pub(super) fn swap(file: &mut Opened, random: &mut Prng) -> String {
    let places = places_of(&file.json);
    let (first, second) = (random.pick(&places), random.pick(&places));
    let (a, b) = (file.json.pointer(first).cloned(), file.json.pointer(second).cloned());
    for (place, value) in [(first, b), (second, a)] {
        // The second place may have been part of the first.
        if let (Some(target), Some(value)) = (file.json.pointer_mut(place), value) {
            *target = value;
        }
    }
    format!("{first} and {second}")
}

/// Repeats an entry of a list, a few thousand times where the file is small.
pub(super) fn repeat(file: &mut Opened, random: &mut Prng) -> String {
    let lists: Vec<String> = places_of(&file.json)
        .into_iter()
        .filter(|place| {
            file.json.pointer(place).and_then(Value::as_array).is_some_and(|list| !list.is_empty())
        })
        .collect();
    if lists.is_empty() {
        return replace_any(file, random);
    }
    let place = random.pick(&lists);
    let list = file.json.pointer_mut(place).and_then(Value::as_array_mut).expect("just listed");
    let entry = random.pick(list).clone();
    // A large mesh under thousands of names is legal, and takes as much memory as the limits allow.
    let most = if file.original.main.len() > LARGE_FILE { 10 } else { 3000 };
    let count = most.min(*random.pick(&[1, 2, 10, 300, 3000]));
    list.extend(std::iter::repeat_n(entry, count));
    format!("{count} more in {place}")
}

/// Makes nodes their own children, children of two, children of what is not there, or a ring.
pub(super) fn tangle_nodes(file: &mut Opened, random: &mut Prng) -> String {
    let nodes =
        file.json.get_mut("nodes").and_then(Value::as_array_mut).map_or(&mut [][..], Vec::as_mut_slice);
    // Other damage may have come first.
    if nodes.is_empty() || !nodes.iter().all(Value::is_object) {
        return replace_any(file, random);
    }
    let count = nodes.len();
    let (node, other) = (random.below(count), random.below(count));
    match random.below(5) {
        0 => nodes[node]["children"] = json!([node]),
        1 => {
            nodes[node]["children"] = json!([other]);
            nodes[other]["children"] = json!([node]);
        }
        2 => nodes[node]["children"] = json!([other, other]),
        3 => nodes[node]["children"] = json!([other, count + random.below(9), -1, 1e300]),
        _ => {
            for (at, entry) in nodes.iter_mut().enumerate() {
                entry["children"] = json!([(at + 1) % count]);
            }
        }
    }
    format!("nodes {node} and {other}")
}

/// Puts a value deep inside lists or objects.
pub(super) fn nest(file: &mut Opened, random: &mut Prng) -> String {
    let places = places_of(&file.json);
    let place = random.pick(&places);
    let mark = "HERE IT GOES";
    *file.json.pointer_mut(place).expect("just listed") = mark.into();
    let depth = *random.pick(&[3, 100, 127, 128, 129, 1000, 100_000]);
    let (open, close) = *random.pick(&[("[", "]"), ("{\"a\":", "}"), ("[", "")]);
    let nested = format!("{}0{}", open.repeat(depth), close.repeat(depth));
    file.text = Some(file.json.to_string().replace(&format!("\"{mark}\""), &nested).into_bytes());
    format!("{depth} times {open} at {place}")
}

/// Makes any value a long list, or a long text.
pub(super) fn lengthen(file: &mut Opened, random: &mut Prng) -> String {
    let places = places_of(&file.json);
    let place = random.pick(&places);
    let mark = "HERE IT GOES";
    *file.json.pointer_mut(place).expect("just listed") = mark.into();
    let count = *random.pick(&[10, 1000, 1000, 100_000]);
    let item = *random.pick(&["0", "{}", "[]", "null", "1e-3", "\"x\"", "{\"index\":0}"]);
    let list = match random.below(4) {
        0 => format!("\"{}\"", "x".repeat(count)),
        _ => format!("[{}{item}]", format!("{item},").repeat(count)),
    };
    file.text = Some(file.json.to_string().replace(&format!("\"{mark}\""), &list).into_bytes());
    format!("{count} times {item} at {place}")
}

/// Damages the file in two to five of the ways that leave it a document.
pub(super) fn several(file: &mut Opened, random: &mut Prng) -> String {
    let kinds: Vec<_> = KINDS
        .into_iter()
        .filter(|kind| {
            ["any value", "any member", "two values", "a node", "a size", "a sparse", "numbers"]
                .iter()
                .any(|start| kind.name.starts_with(start))
        })
        .collect();
    let count = 2 + random.below(4);
    let all: Vec<String> = (0..count).map(|_| (random.pick(&kinds).apply)(file, random)).collect();
    all.join("; ")
}

/// Pointers to every value but the document itself.
pub(super) fn places_of(json: &Value) -> Vec<String> {
    let mut places = Vec::new();
    list_places(json, "", &mut places);
    if places.is_empty() { vec![String::new()] } else { places }
}

fn list_places(value: &Value, place: &str, places: &mut Vec<String>) {
    let mut visit = |key: &str, member: &Value| {
        let place = format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"));
        list_places(member, &place, places);
        places.push(place);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| visit(key, member)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| visit(&index.to_string(), item));
        }
        _ => {}
    }
}

fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

/// A value that does not belong where it is put.
pub(super) fn nasty(random: &mut Prng) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(255),
        json!(65_535),
        json!(4_294_967_295_u64),
        json!(9_007_199_254_740_992_u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(0.5),
        json!(-0.0),
        json!(1e308),
        json!(-1e308),
        json!(1e-310),
        json!(3.5e38),
        json!(""),
        json!("日本語"),
        json!("VEC3"),
        json!("data:,"),
        json!("../../../x"),
        json!([]),
        json!([0]),
        json!([[0, 1], [2]]),
        json!({}),
        json!({ "index": 0 }),
        json!({ "extensions": { "KHR_texture_transform": 3 } }),
    ];
    random.pick(&values).clone()
}

/// A value as text, cut short.
pub(super) fn short(value: &Value) -> String {
    value.to_string().chars().take(40).collect()
}
