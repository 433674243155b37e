//! Text scanner.

use super::read::{Result, VpdReadError};

/// Scans text from front to back.
pub(super) struct Scanner<'a> {
    pub(super) left: &'a str,
    /// From 1.
    pub(super) line: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { left: text, line: 1 }
    }

    /// Skips white space and comments.
    pub(super) fn skip_blank(&mut self) {
        loop {
            let blank = self.left.len() - self.left.trim_start().len();
            self.advance(blank);
            if !self.left.starts_with("//") {
                return;
            }
            self.rest_of_line();
        }
    }

    /// Skips `token` if it comes next.
    pub(super) fn accept(&mut self, token: &str) -> bool {
        let is_next = self.left.as_bytes().get(..token.len()).is_some_and(|next| next == token.as_bytes());
        if is_next {
            self.advance(token.len());
        }
        is_next
    }

    /// As [`Scanner::accept`], for letters of either case.
    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let next = self.left.as_bytes().get(..word.len());
        let is_next = next.is_some_and(|next| next.eq_ignore_ascii_case(word.as_bytes()));
        if is_next {
            self.advance(word.len());
        }
        is_next
    }

    /// Skips blanks and `token`.
    pub(super) fn expect(&mut self, token: &'static str) -> Result<()> {
        self.skip_blank();
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(token)) }
    }

    /// The next characters for which `is_part` is true.
    pub(super) fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let length = self.left.find(|character| !is_part(character)).unwrap_or(self.left.len());
        self.advance(length)
    }

    /// The rest of the line, trimmed. A full-width space may be part of a name.
    pub(super) fn rest_of_line(&mut self) -> &'a str {
        self.take_while(|character| character != '\n').trim_ascii()
    }

    /// A number after blanks.
    pub(super) fn number(&mut self, what: &'static str) -> Result<f32> {
        self.skip_blank();
        let line = self.line;
        let word = self.take_while(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
        if word.is_empty() {
            return Err(self.unexpected(what));
        }
        let number: Option<f32> = word.parse().ok().filter(|number: &f32| number.is_finite());
        number.ok_or_else(|| VpdReadError::Unexpected { line, found: shortened(word), expected: what })
    }

    /// An error about the next text.
    pub(super) fn unexpected(&self, expected: &'static str) -> VpdReadError {
        let next = self.left.lines().next().unwrap_or_default();
        let found = if self.left.is_empty() { "the end of the file".to_owned() } else { shortened(next) };
        VpdReadError::Unexpected { line: self.line, found, expected }
    }

    fn advance(&mut self, length: usize) -> &'a str {
        let (passed, left) = self.left.split_at(length);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.left = left;
        passed
    }
}

/// Maximum characters of the text that an error shows.
const MOST_SHOWN: usize = 40;

fn shortened(text: &str) -> String {
    let shown: String = text.chars().take(MOST_SHOWN).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{more}")
}
