//! Memory of parsed JSON, estimated before parsing.

use serde_json::Value;

/// An entry of an object: its hash, its key and its value.
type Entry = (u64, String, Value);

/// The parser rejects deeper nesting.
const DEEPEST: usize = 128;

/// Bytes that the values of a JSON text take in memory, computed from how lists and objects grow: `[[0],[0]…` counts the ninety
/// bytes of each inner list. For text that is not JSON the result is arbitrary.
pub(super) fn memory_of(text: &[u8]) -> u64 {
    let mut bytes = size_of::<Value>() as u64;
    // For every open list or object: whether it is an object, and its entries so far.
    let mut open: Vec<(bool, u64)> = Vec::with_capacity(DEEPEST);
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' => {
                let length = string_length(&text[at + 1..]);
                bytes += length as u64;
                at += length + 1;
                mark_entry(&mut open);
            }
            b'{' | b'[' if open.len() == DEEPEST => return bytes,
            byte @ (b'{' | b'[') => {
                mark_entry(&mut open);
                open.push((byte == b'{', 0));
            }
            b',' => {
                if let Some((_, count)) = open.last_mut() {
                    *count += 1;
                }
            }
            b'}' | b']' => {
                if let Some((is_object, count)) = open.pop() {
                    bytes += if is_object { object_bytes(count) } else { list_bytes(count) };
                }
            }
            byte if !byte.is_ascii_whitespace() => mark_entry(&mut open),
            _ => {}
        }
        at += 1;
    }
    bytes
}

/// The first entry has no comma before it.
fn mark_entry(open: &mut [(bool, u64)]) {
    if let Some((_, count)) = open.last_mut() {
        *count = (*count).max(1);
    }
}

/// Bytes to the closing quote.
fn string_length(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// Lists start with room for four and double.
fn list_bytes(count: u64) -> u64 {
    let room = if count == 0 { 0 } else { count.next_power_of_two().max(4) };
    room * size_of::<Value>() as u64
}

/// Objects start with room for three and keep an eighth of their hash table free.
fn object_bytes(count: u64) -> u64 {
    let slots = match count {
        0 => return 0,
        1..=3 => 4,
        _ => (count * 8 / 7).next_power_of_two(),
    };
    let room = if slots == 4 { 3 } else { slots / 8 * 7 };
    room * size_of::<Entry>() as u64 + slots * 9 + 16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: u64) {
        assert_eq!(memory_of(text.as_bytes()) - size_of::<Value>() as u64, expected, "{text}");
    }

    #[test]
    fn entries_are_counted_whatever_they_look_like() {
        let value = size_of::<Value>() as u64;
        check("0", 0);
        check("[]", 0);
        check(" [ 1.5e3 , true,null ] ", 4 * value);
        check("[0,1,2,3,4]", 8 * value);
        check("[[0],[]]", 8 * value);
        check(r#"["a,[\"",{}]"#, 4 * value + 5);
        check(r#"{"a":0,"b":[1,2]}"#, object_bytes(2) + 4 * value + 2);
    }

    #[test]
    fn broken_text_is_survived() {
        for text in ["", "\"", "\"\\", "]", "}}", ",", "{\"a", "[[[", &"[".repeat(1000)] {
            memory_of(text.as_bytes());
        }
    }
}
