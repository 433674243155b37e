//! Lines and words of OBJ and MTL files.

use std::borrow::Cow;

/// Statements with their first line number, from 1. Comments and empty lines are removed, lines that end in `\` are joined with the
/// next. Lines end in LF or CR LF, or in CR alone if the file has no LF. Bytes that are not UTF-8 become U+FFFD.
pub(super) fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let separator = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    let mut lines = bytes.split(move |&byte| byte == separator).enumerate();
    std::iter::from_fn(move || {
        loop {
            let (index, line) = lines.next()?;
            let mut text = without_comment(line);
            while text.ends_with('\\') {
                let joined = text.to_mut();
                joined.pop();
                joined.push(' ');
                let Some((_, next)) = lines.next() else { break };
                joined.push_str(&without_comment(next));
            }
            if !text.trim_ascii().is_empty() {
                return Some((index + 1, text));
            }
        }
    })
}

fn without_comment(line: &[u8]) -> Cow<'_, str> {
    // Only after a space: names may contain a #.
    let is_start = |index: usize| index == 0 || line[index - 1].is_ascii_whitespace();
    let end = (0..line.len()).find(|&index| line[index] == b'#' && is_start(index)).unwrap_or(line.len());
    String::from_utf8_lossy(line[..end].trim_ascii())
}

/// Removes and returns the first word of `rest`, which must be trimmed.
pub(super) fn next_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    if rest.is_empty() {
        return None;
    }
    let (word, after) = rest.split_once(|space: char| space.is_ascii_whitespace()).unwrap_or((rest, ""));
    *rest = after.trim_ascii_start();
    Some(word)
}

/// A number that is neither NaN nor infinite.
pub(super) fn finite(word: &str) -> Option<f32> {
    word.parse().ok().filter(|number: &f32| number.is_finite())
}

/// The first `N` words as numbers; `None` if one is missing or not a finite number.
pub(super) fn numbers<const N: usize>(mut rest: &str) -> Option<[f32; N]> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = finite(next_word(&mut rest)?)?;
    }
    Some(numbers)
}

/// The start of a text that may be as long as the file.
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    let most = 60;
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str)]) {
        let found: Vec<_> = statements(text.as_bytes()).collect();
        let found: Vec<_> = found.iter().map(|(line, text)| (*line, text.as_ref())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn statements_keep_their_line_numbers() {
        check("\u{feff}v 1\r\n\r\n# c\n  f 1 2 \\\n 3 # c\ng", &[(1, "v 1"), (4, "f 1 2  3"), (6, "g")]);
        check("usemtl skin#1 #2", &[(1, "usemtl skin#1")]);
        check("a\rb", &[(1, "a"), (2, "b")]);
        check("a\\\n\\\n\\", &[(1, "a   ")]);
        check("\\", &[]);
        check("", &[]);
    }

    #[test]
    fn words_and_numbers() {
        let mut rest = "map  -s 1\tfile name.png";
        assert_eq!(next_word(&mut rest), Some("map"));
        assert_eq!(next_word(&mut rest), Some("-s"));
        assert_eq!(next_word(&mut rest), Some("1"));
        assert_eq!(rest, "file name.png");
        assert_eq!(numbers("1 -2.5e1 3 4"), Some([1.0, -25.0, 3.0]));
        for bad in ["1 2", "1 2 nan", "1 2 inf", "1 2 1e99", "1 2 x", ""] {
            assert_eq!(numbers::<3>(bad), None, "{bad}");
        }
    }
}
