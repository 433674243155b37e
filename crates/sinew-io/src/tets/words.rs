//! Words and lines of a text with numbers, with line numbers.

use super::{Result, TetReadError};
use crate::limits::Budget;
use glam::Vec3;
use std::str::FromStr;

/// A text reader, word by word or line by line.
#[derive(Clone)]
pub(super) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    /// From 1.
    pub(super) line: usize,
    /// For messages: `.node `, `.ele ` or nothing.
    file: &'static str,
    /// Start of a comment that runs to the end of the line.
    comment: Option<u8>,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8], file: &'static str, comment: Option<u8>) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { bytes, at: 0, line: 1, file, comment }
    }

    pub(super) fn bytes_left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next word, on this line or a later one.
    pub(super) fn next_word(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.next_in_line() {
                return Some(word);
            }
            if !self.end_line() {
                return None;
            }
        }
    }

    /// The next word of this line.
    pub(super) fn next_in_line(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let start = rest.iter().position(|&byte| !is_blank(byte)).unwrap_or(rest.len());
        let is_end = |byte: u8| is_blank(byte) || byte == b'\n' || Some(byte) == self.comment;
        let word = &rest[start..];
        let word = &word[..word.iter().position(|&byte| is_end(byte)).unwrap_or(word.len())];
        self.at += start + word.len();
        (!word.is_empty()).then_some(word)
    }

    /// The rest of this line, trimmed; moves to the next line.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
        self.line += usize::from(end.is_some());
        rest[..end.unwrap_or(rest.len())].trim_ascii()
    }

    /// Moves to the next line; false at the end.
    pub(super) fn end_line(&mut self) -> bool {
        let had_line = self.at < self.bytes.len();
        self.rest_of_line();
        had_line
    }

    /// The next `count` bytes unchanged.
    pub(super) fn raw(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let raw = self.bytes.get(self.at..end)?;
        self.line += raw.iter().filter(|&&byte| byte == b'\n').count();
        self.at = end;
        Some(raw)
    }

    pub(super) fn number<T: FromStr>(&mut self, expected: &str) -> Result<T> {
        let Some(word) = self.next_word() else {
            return Err(TetReadError::End { file: self.file, line: self.line, expected: expected.into() });
        };
        parsed(word).ok_or_else(|| self.unexpected(expected, word))
    }

    /// A number that must be on this line.
    pub(super) fn number_in_line<T: FromStr>(&mut self, expected: &str) -> Result<T> {
        let word = self.next_in_line();
        word.and_then(parsed).ok_or_else(|| self.unexpected(expected, word.unwrap_or_default()))
    }

    /// Four point numbers that must be on this line, and the line.
    pub(super) fn corners(&mut self) -> Result<([u64; 4], usize)> {
        let mut numbers = [0; 4];
        for number in &mut numbers {
            *number = self.number_in_line("a corner")?;
        }
        Ok((numbers, self.line))
    }

    /// The number of items that follow; an error if the file or the memory limit is too small for them. Each takes at least
    /// `least_bytes` of the file.
    pub(super) fn count(
        &mut self,
        what: &'static str,
        least_bytes: u64,
        bytes_each: u64,
        budget: &mut Budget,
    ) -> Result<usize> {
        let count: u64 = self.number(&format!("the number of {what}"))?;
        self.check_count(what, count, least_bytes)?;
        budget.take(&format_args!("{}line {}: {what}", self.file, self.line), count, bytes_each)?;
        Ok(count as usize)
    }

    pub(super) fn check_count(&self, what: &'static str, count: u64, least_bytes: u64) -> Result<()> {
        let (file, line, bytes_left) = (self.file, self.line, self.bytes_left());
        if count.saturating_mul(least_bytes) > bytes_left as u64 {
            return Err(TetReadError::Short { file, line, what, count, bytes_left });
        }
        Ok(())
    }

    /// Three numbers, anywhere.
    pub(super) fn point(&mut self) -> Result<Vec3> {
        let mut parts = [0.0; 3];
        for part in &mut parts {
            *part = self.number::<f64>("a coordinate")?;
        }
        self.checked_point(parts)
    }

    /// A point that fits single precision.
    pub(super) fn checked_point(&self, parts: [f64; 3]) -> Result<Vec3> {
        let point = Vec3::from_array(parts.map(|part| part as f32));
        let not_finite = TetReadError::NotFinite { file: self.file, line: self.line };
        if point.is_finite() { Ok(point) } else { Err(not_finite) }
    }

    pub(super) fn unexpected(&self, expected: &str, found: &[u8]) -> TetReadError {
        let most = 40;
        let found = String::from_utf8_lossy(&found[..found.len().min(most)]).into_owned();
        TetReadError::Unexpected { file: self.file, line: self.line, expected: expected.into(), found }
    }
}

fn parsed<T: FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Space within a line; a carriage return too.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_lines() {
        let mut words = Words::new(b"\xef\xbb\xbf# head\n 12 x#y\r\n\n3.5", ".node ", Some(b'#'));
        assert_eq!(words.number::<u32>("a number"), Ok(12));
        assert_eq!(words.line, 2);
        assert_eq!(
            words.number::<u32>("a number").unwrap_err().to_string(),
            ".node line 2: expected a number, found \"x\""
        );
        assert_eq!(words.number::<f32>("a number"), Ok(3.5));
        assert_eq!(words.line, 4);
        assert_eq!(
            words.number::<f32>("more").unwrap_err().to_string(),
            ".node line 4: expected more, found the end of the file"
        );
    }
}
