//! The text of a VPD file.

use crate::cp932::decode_cp932;
use sinew_io::Report;
use std::borrow::Cow;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The first of the blocks with Japanese, Chinese and Korean characters.
const FIRST_EAST_ASIAN: char = '\u{3000}';

/// The file's text: CP932, or UTF-8 if clearly detected, with a warning.
pub(super) fn decode<'a>(bytes: &'a [u8], report: &mut Report) -> Cow<'a, str> {
    if let Some(text) = as_utf8(bytes) {
        report.warn("", "the text is UTF-8; MMD itself reads only CP932");
        return Cow::Borrowed(text);
    }
    let text = decode_cp932(bytes);
    let unknown = text.chars().filter(|&character| character == char::REPLACEMENT_CHARACTER).count();
    if unknown > 0 {
        report.warn("", format_args!("{unknown} characters are not CP932 and are lost"));
    }
    Cow::Owned(text)
}

/// The text if it is UTF-8: it has a byte order mark, or is valid UTF-8 with East Asian letters. CP932 is hardly ever both: nearly all
/// of its double bytes start with a continuation byte of UTF-8.
fn as_utf8(bytes: &[u8]) -> Option<&str> {
    if let Some(marked) = bytes.strip_prefix(BYTE_ORDER_MARK) {
        return std::str::from_utf8(marked).ok();
    }
    std::str::from_utf8(bytes).ok().filter(|text| text.chars().any(|letter| letter >= FIRST_EAST_ASIAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], text: &str, warning_count: usize) {
        let mut report = Report::default();
        assert_eq!(decode(bytes, &mut report), text);
        assert_eq!(report.warnings().len(), warning_count, "{report:?}");
    }

    #[test]
    fn encodings_are_told_apart() {
        check(b"plain", "plain", 0);
        check(b"\x83Z\x83\x93\x83^\x81[", "センター", 0);
        check("センター".as_bytes(), "センター", 1);
        check("\u{feff}plain".as_bytes(), "plain", 1);
        check(b"a\xff", "a\u{fffd}", 1);
        // Half-width katakana that happen to be good UTF-8 for é.
        check(b"\xc3\xa9", "ﾃｩ", 0);
    }
}
