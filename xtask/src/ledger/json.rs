//! JSON as lines of a record: a path and a value each, numbers in lists as arrays.

use super::array::Array;
use super::mask;
use super::number::{shown, skeleton};
use super::text::{LEAST_ROWS, table};
use serde_json::Value;

/// A value that takes no more characters is one line.
const MOST_ON_A_LINE: usize = 140;

/// A longer text is described, as a file with it would be.
const MOST_OF_A_TEXT: usize = 2000;

/// A list of more numbers is an array.
const MOST_NUMBERS: usize = 12;

/// The lines of a record that stand for a value.
pub(super) fn lines(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    describe("", value, &mut lines);
    lines
}

fn describe(path: &str, value: &Value, lines: &mut Vec<String>) {
    let mut numbers = Vec::new();
    if collect(value, &mut numbers) && numbers.len() > MOST_NUMBERS {
        let is_integer = numbers.iter().all(|number| number.is_i64() || number.is_u64());
        let values = numbers.iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect();
        lines.extend(Array { shape: shape(value), values, is_integer }.lines(path));
        return;
    }
    let text = compact(value);
    if text.len() <= MOST_ON_A_LINE {
        lines.push(format!("{path}: {text}"));
        return;
    }
    match value {
        Value::Array(items) => describe_items(path, items, lines),
        Value::Object(items) => {
            for (key, item) in items {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                if mask::is_time_key(key) {
                    lines.push(format!("{path}: {}", mask::TIME));
                } else {
                    describe(&path, item, lines);
                }
            }
        }
        Value::String(long) if long.len() > MOST_OF_A_TEXT => {
            lines.push(format!("{path}: a text"));
            lines.extend(super::text::lines(long));
        }
        _ => lines.push(format!("{path}: {text}")),
    }
}

/// Items of a list: those that differ by numbers alone as a table, others one by one.
fn describe_items(path: &str, items: &[Value], lines: &mut Vec<String>) {
    let texts: Vec<String> = items.iter().map(compact).collect();
    let rows: Vec<(String, Vec<&str>)> = texts.iter().map(|text| skeleton(text)).collect();
    let mut at = 0;
    while at < items.len() {
        let run = rows[at..].iter().take_while(|(words, _)| *words == rows[at].0).count();
        if run >= LEAST_ROWS && !rows[at].1.is_empty() {
            lines.push(format!("{path}[{at}]"));
            lines.extend(table(&rows[at].0, &rows[at..at + run]));
            at += run;
        } else {
            describe(&format!("{path}[{at}]"), &items[at], lines);
            at += 1;
        }
    }
}

/// The numbers of a list of numbers or of lists of them; whether it is one.
fn collect<'a>(value: &'a Value, numbers: &mut Vec<&'a Value>) -> bool {
    match value {
        Value::Number(_) => {
            numbers.push(value);
            true
        }
        Value::Array(items) => items.iter().all(|item| collect(item, numbers)),
        _ => false,
    }
}

/// Lengths of lists in lists, by the first of each.
fn shape(value: &Value) -> Vec<usize> {
    let mut shape = Vec::new();
    let mut inner = value;
    while let Value::Array(items) = inner {
        shape.push(items.len());
        match items.first() {
            Some(first) => inner = first,
            None => break,
        }
    }
    shape
}

/// A value on one line, its numbers rounded, its times masked.
fn compact(value: &Value) -> String {
    match value {
        Value::Number(number) => {
            number.as_f64().filter(|_| number.is_f64()).map_or_else(|| number.to_string(), decimal)
        }
        Value::Array(items) => format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(",")),
        Value::Object(items) => {
            let item = |(key, item): (&String, &Value)| {
                let text = if mask::is_time_key(key) { mask::TIME.to_owned() } else { compact(item) };
                format!("{key:?}:{text}")
            };
            format!("{{{}}}", items.iter().map(item).collect::<Vec<_>>().join(","))
        }
        Value::String(text) => format!("{:?}", mask::digests(text)).replace("\\\"", "\""),
        _ => value.to_string(),
    }
}

/// With a point, so that a comparison takes it for what may be rounded.
fn decimal(number: f64) -> String {
    let text = shown(number);
    if text.contains(['.', 'e']) { text } else { format!("{text}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_of_numbers_are_arrays_and_times_are_masked() {
        let rows: Vec<[f64; 3]> = (0..20).map(|at| [f64::from(at), 0.5, 1.0]).collect();
        let value = json!({ "rows": rows, "seconds": 1.5, "name": "a".repeat(150), "rms": 0.25, "nested": { "mean_ms": 3.0 } });
        let text = lines(&value).join("\n");
        assert!(text.contains("rows: 20×3\n  ~"), "{text}");
        assert!(text.contains("seconds: <time>") && text.contains("\"mean_ms\":<time>"), "{text}");
        assert!(text.contains("rms: 0.25"), "{text}");
        let keys: Vec<Value> =
            (0..40).map(|at| json!({ "time": f64::from(at) + 0.5, "name": "key" })).collect();
        let text = lines(&json!({ "keys": keys })).join("\n");
        assert!(text.starts_with("keys[0]\n40 lines of") && text.contains("column 0: 40"), "{text}");
    }
}
