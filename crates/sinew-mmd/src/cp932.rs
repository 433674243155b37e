//! Fixed-length text in CP932, Microsoft's Shift_JIS: names of PMD and VMD files.

use encoding_rs::SHIFT_JIS;
use sinew_io::Report;
use std::fmt;

/// A text field of `N` bytes in CP932. It ends at the first zero byte. The bytes after that are kept, because programs leave
/// random data there and files must be written back byte for byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FixedText<const N: usize> {
    /// As in the file.
    pub bytes: [u8; N],
}

/// The part of a text that a fixed-length field could not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextLoss {
    /// Characters missing in CP932; each became a question mark.
    pub unknown_characters: usize,
    /// Bytes past the end of the field, cut off. Characters are never split.
    pub cut_bytes: usize,
}

impl TextLoss {
    /// True if nothing was lost.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl<const N: usize> FixedText<N> {
    /// The text before the first zero byte; invalid bytes, such as half a character at the end, become U+FFFD.
    pub fn decode(&self) -> String {
        decode_cp932(self.significant_bytes())
    }

    /// The bytes before the first zero byte.
    pub fn significant_bytes(&self) -> &[u8] {
        let length = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(N);
        &self.bytes[..length]
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.significant_bytes().is_empty()
    }

    /// Encodes `text` into a field padded with zeros, and returns what did not fit. The last byte may be text: readers stop at `N`.
    pub fn encode(text: &str) -> (Self, TextLoss) {
        let mut field = Self::default();
        let mut loss = TextLoss::default();
        let mut length = 0;
        let mut buffer = [0; 4];
        for character in text.chars() {
            let (encoded, is_known) = encode_character(character, &mut buffer);
            if loss.cut_bytes > 0 || length + encoded.len() > N {
                loss.cut_bytes += encoded.len();
                continue;
            }
            field.bytes[length..length + encoded.len()].copy_from_slice(&encoded);
            length += encoded.len();
            loss.unknown_characters += usize::from(!is_known);
        }
        (field, loss)
    }

    /// As [`FixedText::encode`], with a warning at `place` about the loss.
    pub fn encode_reported(text: &str, place: impl fmt::Display, report: &mut Report) -> Self {
        let (field, loss) = Self::encode(text);
        if loss.unknown_characters > 0 {
            let count = loss.unknown_characters;
            report.warn(&place, format!("{text:?} has {count} characters missing in CP932; written as ?"));
        }
        if loss.cut_bytes > 0 {
            let kept = field.decode();
            report.warn(&place, format!("{text:?} exceeds {N} bytes by {}; cut to {kept:?}", loss.cut_bytes));
        }
        field
    }
}

impl<const N: usize> Default for FixedText<N> {
    fn default() -> Self {
        Self { bytes: [0; N] }
    }
}

impl<const N: usize> From<[u8; N]> for FixedText<N> {
    fn from(bytes: [u8; N]) -> Self {
        Self { bytes }
    }
}

impl<const N: usize> fmt::Debug for FixedText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.decode())
    }
}

/// Decodes CP932 bytes; invalid ones become U+FFFD.
pub(crate) fn decode_cp932(bytes: &[u8]) -> String {
    SHIFT_JIS.decode_without_bom_handling(bytes).0.into_owned()
}

/// `text` in CP932 with question marks for missing characters, and their number. Motions find bones and morphs by the first 15 of
/// these bytes, even if those end inside a character.
pub fn encode_cp932(text: &str) -> (Vec<u8>, usize) {
    let mut bytes = Vec::with_capacity(2 * text.len());
    let mut unknown_characters = 0;
    let mut buffer = [0; 4];
    for character in text.chars() {
        let (encoded, is_known) = encode_character(character, &mut buffer);
        bytes.extend_from_slice(&encoded);
        unknown_characters += usize::from(!is_known);
    }
    (bytes, unknown_characters)
}

/// The one or two bytes of a character, and whether CP932 has it. A zero is not text: it would end the field.
fn encode_character(character: char, buffer: &mut [u8; 4]) -> (std::borrow::Cow<'_, [u8]>, bool) {
    const UNKNOWN: &[u8] = b"?";
    if character == '\0' {
        return (UNKNOWN.into(), false);
    }
    let (encoded, _, is_lossy) = SHIFT_JIS.encode(character.encode_utf8(buffer));
    if is_lossy { (UNKNOWN.into(), false) } else { (encoded, true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in ["", "左ひざ", "Bone_01", "ﾊｲﾗｲﾄ", "①～―∥", "a\\b"] {
            let (field, loss) = FixedText::<20>::encode(name);
            assert!(loss.is_none(), "{name}");
            assert_eq!(field.decode(), name);
            assert_eq!(encode_cp932(name).0, field.significant_bytes());
        }
    }

    #[test]
    fn a_field_ends_at_its_zero_and_keeps_what_follows() {
        let field = FixedText::from(*b"ab\0\xfd\xfdc");
        assert_eq!((field.decode().as_str(), field.significant_bytes()), ("ab", &b"ab"[..]));
        assert_eq!(field.bytes, *b"ab\0\xfd\xfdc");
        assert!(FixedText::from(*b"\0abc").is_empty());
    }

    #[test]
    fn cuts_never_split_a_character() {
        let (field, loss) = FixedText::<5>::encode("左足首x");
        assert_eq!((field.decode().as_str(), field.bytes[4]), ("左足", 0));
        // Nothing is taken from behind the cut, even if it were short enough.
        assert_eq!(loss, TextLoss { unknown_characters: 0, cut_bytes: 3 });
        let (full, loss) = FixedText::<4>::encode("左足");
        assert!(loss.is_none() && full.significant_bytes().len() == 4, "a full field has no zero");
        // Half a character, as programs that cut carelessly leave it.
        assert_eq!(FixedText::from(*b"a\x8d").decode(), "a\u{fffd}");
    }

    #[test]
    fn losses_are_told() {
        let mut report = Report::default();
        let field = FixedText::<4>::encode_reported("한\0abcd", "bones[3].name", &mut report);
        assert_eq!(field.decode(), "??ab");
        let told: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "bones[3].name: \"한\\0abcd\" has 2 characters missing in CP932; written as ?",
                "bones[3].name: \"한\\0abcd\" exceeds 4 bytes by 2; cut to \"??ab\"",
            ]
        );
        FixedText::<4>::encode_reported("abcd", "x", &mut report);
        assert_eq!(report.warnings().len(), 2);
    }
}
