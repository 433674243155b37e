//! Numbers in texts: found, rounded for a record, and compared.

/// A text between numbers, or a number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece<'a> {
    Words(&'a str),
    Number(&'a str),
}

/// Takes a line apart. Digits that are part of a word, such as those of `frame_0003` or `64x48`, are no number.
pub(super) fn pieces(line: &str) -> Vec<Piece<'_>> {
    let (bytes, mut pieces) = (line.as_bytes(), Vec::new());
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let length = number_length(bytes, at);
        if length == 0 {
            at += 1;
            continue;
        }
        if start < at {
            pieces.push(Piece::Words(&line[start..at]));
        }
        pieces.push(Piece::Number(&line[at..at + length]));
        at += length;
        start = at;
    }
    if start < bytes.len() {
        pieces.push(Piece::Words(&line[start..]));
    }
    pieces
}

/// Bytes of the number that begins here; 0 for none.
fn number_length(bytes: &[u8], at: usize) -> usize {
    let is_word = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 128)
    };
    let before = at.checked_sub(1).map(|before| &bytes[before]);
    if is_word(before) || before == Some(&b'.') {
        return 0;
    }
    let digits =
        |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes[at], b'-' | b'+'));
    let mut end = at + sign + digits(at + sign);
    if end == at + sign {
        return 0;
    }
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    if is_word(bytes.get(end)) { 0 } else { end - at }
}

/// Whether a number is written as an integer.
pub(super) fn is_integer(text: &str) -> bool {
    !text.contains(['.', 'e', 'E'])
}

/// The line with `#` for each number, and the numbers.
pub(super) fn skeleton(line: &str) -> (String, Vec<&str>) {
    let (mut words, mut numbers) = (String::new(), Vec::new());
    for piece in pieces(line) {
        match piece {
            Piece::Words(text) => words.push_str(text),
            Piece::Number(text) => {
                words.push('#');
                numbers.push(text);
            }
        }
    }
    (words, numbers)
}

/// A number with the nine digits that a record keeps.
pub(super) fn shown(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e9 {
        return format!("{}", value as i64);
    }
    let rounded: f64 = format!("{value:.9e}").parse().unwrap_or(value);
    format!("{rounded:?}")
}

/// A short digest of a text: FNV-1a.
pub(super) fn digest(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // Letters only, so that no comparison takes it for a number.
    (0..12).map(|place| char::from(b'a' + (hash >> (4 * place) & 15) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_words_with_digits() {
        let (words, numbers) = skeleton("frame_0003.png 64x48 -1.5e-3, 7 v2 [2.5,-3] a1b2 5 mm 3D");
        assert_eq!(words, "frame_0003.png 64x48 #, # v2 [#,#] a1b2 # mm 3D");
        assert_eq!(numbers, ["-1.5e-3", "7", "2.5", "-3", "5"]);
    }

    #[test]
    fn shown_numbers_keep_nine_digits() {
        assert_eq!(shown(0.1f32.into()), "0.1000000015");
        assert_eq!(shown(-3.0), "-3");
        assert_eq!(shown(1.23456789e-12), "1.23456789e-12");
    }
}
