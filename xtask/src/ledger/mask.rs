//! What differs from run to run and from machine to machine: times, speeds, folders, digests of bits.

use super::number::{Piece, pieces};
use std::path::Path;

/// What stands for a time or a speed.
pub(super) const TIME: &str = "<time>";

/// Keys of JSON whose values are measured times and speeds, or tell how they were measured.
const TIME_KEYS: [&str; 11] = [
    "seconds",
    "seconds_by_stage",
    "setup_secs",
    "simulation_secs",
    "real_time_factor",
    "frames_per_sec",
    "draw_secs",
    "finish_secs",
    "ms_per_frame",
    "threads",
    "clock",
];

/// What comes before and after a measured time in a sentence.
const PHRASES: [(&str, &str); 9] = [
    ("", " ms"),
    ("", " times real time"),
    (" ms a step (", " matching"),
    (" matching, ", " examples"),
    (" examples, ", " contact"),
    ("in ", " s"),
    (" frames, ", " s ("),
    ("", " s put together"),
    (" frames, ", " a second;"),
];

/// Digits of a digest of bits.
const DIGEST_DIGITS: usize = 12;

pub(super) fn is_time_key(key: &str) -> bool {
    key.ends_with("_ms") || TIME_KEYS.contains(&key)
}

/// A text as any machine would print it.
pub(super) fn text(text: &str, folder: &Path) -> String {
    let text = text.replace(&*folder.to_string_lossy(), "<folder>");
    let mut masked: String = text.lines().flat_map(|text| [line(text), "\n".to_owned()]).collect();
    if !text.ends_with('\n') {
        masked.pop();
    }
    masked
}

fn line(line: &str) -> String {
    let pieces = pieces(line);
    let words = |at: Option<usize>| match at.and_then(|at| pieces.get(at)) {
        Some(Piece::Words(words)) => *words,
        _ => "",
    };
    let is_alone = |at: usize| pieces.len() == 2 && at == 0 && words(Some(1)) == " s";
    let is_time = |at: usize| {
        let (before, after) = (words(at.checked_sub(1)), words(Some(at + 1)));
        let fits = |(start, end): &(&str, &str)| before.ends_with(start) && starts_with_word(after, end);
        is_alone(at) || PHRASES.iter().any(fits)
    };
    let shown = pieces.iter().enumerate().map(|(at, piece)| match piece {
        Piece::Number(number) if is_time(at) && number.contains('.') | (words(Some(at + 1)) != " s") => TIME,
        Piece::Number(text) | Piece::Words(text) => text,
    });
    shown.collect()
}

/// Whether words begin with others, and not in the middle of one.
fn starts_with_word(words: &str, start: &str) -> bool {
    let rest = words.strip_prefix(start);
    rest.is_some_and(|rest| start.ends_with(['(', ';']) || !rest.starts_with(|c: char| c.is_alphanumeric()))
}

/// A text with `<digest>` where it is a digest of bits, which rounding changes.
pub(super) fn digests(text: &str) -> String {
    let is_digest = text.len() >= DIGEST_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest { "<digest>".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(text(before, Path::new("/tmp/x")), after);
    }

    #[test]
    fn times_are_masked_and_lengths_of_clips_are_not() {
        check(
            "wrote a.gif: 3 frames, 0.1 s (12 ms a frame drawn, 0.0 s put together)\n",
            "wrote a.gif: 3 frames, <time> s (<time> ms a frame drawn, <time> s put together)\n",
        );
        check("bend: 2.00 s, 5 mm", "bend: 2.00 s, 5 mm");
        check(
            "1 ms a step (0.5 matching, 0.2 examples, 0.1 contact), 30 times real time",
            "<time> ms a step (<time> matching, <time> examples, <time> contact), <time> times real time",
        );
        check("0.25 s", "<time> s");
        check("steps in 0.5 seconds", "steps in 0.5 seconds");
    }

    #[test]
    fn folders_and_digests_are_masked() {
        check("error: /tmp/x/a.glb: no", "error: <folder>/a.glb: no");
        assert_eq!(digests("0123456789abcdef"), "<digest>");
        assert_eq!(digests("abc"), "abc");
    }
}
