//! Key frames as text.

use super::map_file::toml_text;
use crate::TextError;
use sinew_motion::{AxesChoice, EulerOrder, Key, KeyClip, KeyEase};
use std::fmt::Write;

/// Reads key frames in TOML.
///
/// # Errors
/// The text is no TOML, or has other members than a motion.
pub fn key_clip_from_toml(text: &str) -> Result<KeyClip, TextError> {
    toml::from_str(text).map_err(TextError::syntax)
}

/// Reads key frames in JSON, with the same members.
///
/// # Errors
/// The text is no JSON, or has other members than a motion.
pub fn key_clip_from_json(text: &str) -> Result<KeyClip, TextError> {
    serde_json::from_str(text).map_err(TextError::syntax)
}

/// Key frames as TOML, one line a key.
pub fn key_clip_to_toml(clip: &KeyClip) -> String {
    let mut text = format!("name = {}\n", toml_text(&clip.name));
    let order = serde_json::to_value(clip.order).unwrap_or_default();
    let axes = serde_json::to_value(clip.axes).unwrap_or_default();
    if clip.order != EulerOrder::default() {
        push(&mut text, format_args!("order = {order}\n"));
    }
    if clip.axes != AxesChoice::default() {
        push(&mut text, format_args!("axes = {axes}\n"));
    }
    for track in &clip.track {
        push(&mut text, format_args!("\n[[track]]\nbone = {}\nkeys = [\n", toml_text(&track.bone)));
        track.keys.iter().for_each(|key| push(&mut text, format_args!("  {},\n", line(key))));
        text.push_str("]\n");
    }
    text
}

fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words).expect("writing to a string cannot fail");
}

fn line(key: &Key) -> String {
    let mut members = vec![format!("time = {}", number(key.time, 6))];
    let list = |values: &[f64], digits: i32| {
        let values: Vec<String> = values.iter().map(|&value| number(value, digits)).collect();
        format!("[{}]", values.join(", "))
    };
    members.extend(key.rotate.map(|values| format!("rotate = {}", list(&values, 4))));
    members.extend(key.quaternion.map(|values| format!("quaternion = {}", list(&values, 7))));
    members.extend(key.translate.map(|values| format!("translate = {}", list(&values, 6))));
    members.extend(key.ease.as_ref().map(|ease| match ease {
        KeyEase::Named(name) => format!("ease = {}", toml_text(name)),
        KeyEase::Curve(values) => format!("ease = {}", list(values, 4)),
    }));
    format!("{{ {} }}", members.join(", "))
}

/// A number with so many digits at most; TOML wants a digit after a point.
fn number(value: f64, digits: i32) -> String {
    let scale = 10f64.powi(digits);
    format!("{:?}", (value * scale).round() / scale + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAVE: &str = "name = \"wave\"\norder = \"zyx\"\naxes = \"bone\"\n\n[[track]]\nbone = \"rightUpperArm\"\nkeys = [\n  { time = 0.0, rotate = [0.0, 0.0, 0.0] },\n  { time = 0.5, rotate = [0.0, 10.5, -60.0], ease = \"in-out\" },\n  { time = 1.0, rotate = [0.0, 0.0, 0.0], ease = [0.3, 0.0, 0.7, 1.0] },\n]\n";

    #[test]
    fn text_comes_back_as_it_was() {
        let clip = key_clip_from_toml(WAVE).expect("key frames");
        assert_eq!(clip.track[0].keys.len(), 3);
        assert_eq!(key_clip_to_toml(&clip), WAVE);
        let json = serde_json::to_string(&clip).expect("JSON");
        assert_eq!(key_clip_from_json(&json), Ok(clip));
    }

    #[test]
    fn mistakes_name_their_line() {
        let told = |text: &str| key_clip_from_toml(text).expect_err("a mistake").to_string();
        assert!(told(&WAVE.replace("rotate = [0.0, 10.5", "rotat = [0.0, 10.5")).contains("line 9"));
        assert!(told(&WAVE.replace("zyx", "zzz")).contains("zzz"));
        assert!(told("keys = 3").contains("keys"));
        assert!(key_clip_from_json("{").is_err());
    }
}
