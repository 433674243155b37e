//! Text of files.

/// A text of a file. Bytes that are invalid in the file's encoding (a lone surrogate, a character cut in half) are kept beside the
/// decoded text and written back unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MmdText {
    text: String,
    /// The file's bytes and their encoding, only if encoding `text` would give different bytes.
    raw: Option<(TextEncoding, Box<[u8]>)>,
}

/// Text encoding of a PMX file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextEncoding {
    /// The only one that MMD itself reads reliably.
    #[default]
    Utf16,
    /// Smaller for Latin text.
    Utf8,
}

impl MmdText {
    /// The text; invalid parts are U+FFFD.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Reads bytes in `encoding`.
    pub(crate) fn decode(bytes: &[u8], encoding: TextEncoding) -> Self {
        let text = match encoding {
            TextEncoding::Utf16 => {
                let (units, _) = bytes.as_chunks::<2>();
                char::decode_utf16(units.iter().map(|&unit| u16::from_le_bytes(unit)))
                    .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect()
            }
            TextEncoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        };
        let raw = (encode(&text, encoding) != bytes).then(|| (encoding, bytes.into()));
        Self { text, raw }
    }

    /// The bytes in `encoding`: the original ones, if that was the encoding of the file.
    pub(crate) fn encode(&self, encoding: TextEncoding) -> Vec<u8> {
        match &self.raw {
            Some((original, raw)) if *original == encoding => raw.to_vec(),
            _ => encode(&self.text, encoding),
        }
    }
}

impl From<&str> for MmdText {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), raw: None }
    }
}

impl From<String> for MmdText {
    fn from(text: String) -> Self {
        Self { text, raw: None }
    }
}

fn encode(text: &str, encoding: TextEncoding) -> Vec<u8> {
    match encoding {
        TextEncoding::Utf16 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        TextEncoding::Utf8 => text.as_bytes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back_as_it_was() {
        for (bytes, encoding, text) in [
            (&[0x42, 0x30, 0x00, 0xd8][..], TextEncoding::Utf16, "あ\u{fffd}"),
            (&[0x42, 0x30, 0x41], TextEncoding::Utf16, "あ"),
            (b"abc", TextEncoding::Utf8, "abc"),
            (b"a\xff", TextEncoding::Utf8, "a\u{fffd}"),
        ] {
            let read = MmdText::decode(bytes, encoding);
            assert_eq!(read.as_str(), text);
            assert_eq!(read.encode(encoding), bytes);
        }
    }
    #[test]
    fn another_encoding_takes_the_text_not_the_bytes() {
        let read = MmdText::decode(b"a\xff", TextEncoding::Utf8);
        assert_eq!(read.encode(TextEncoding::Utf16), [b'a', 0, 0xfd, 0xff]);
    }
}
