//! A lexer for counting: it tells code from comments and texts, and knows nothing of grammar.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Lifetime,
    Number,
    /// A string, byte string or character.
    Text,
    /// One character.
    Punctuation,
    Comment,
    Doc,
}

/// A token and the lines it covers, from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) first_line: usize,
    pub(super) last_line: usize,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Text
    }
}

/// Splits a source into tokens. White space is left out. Input that no compiler takes gives some tokens, never a failure.
pub(super) fn lex(source: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 0);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        if first.is_whitespace() {
            line += usize::from(first == '\n');
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(rest, first);
        let text = &rest[..length];
        let last_line = line + text.matches('\n').count();
        tokens.push(Token { kind, text, first_line: line, last_line });
        (line, at) = (last_line, at + length);
    }
    tokens
}

/// Kind and length of the token at the start of `rest`.
fn token(rest: &str, first: char) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (line_comment_kind(rest), rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    if let Some(length) = text_length(rest) {
        return (Kind::Text, length);
    }
    match first {
        '\'' => (Kind::Lifetime, 1 + word_length(&rest[1..])),
        '0'..='9' => (Kind::Number, number_length(rest)),
        _ if is_word(first) => {
            let raw = if rest.starts_with("r#") { 2 } else { 0 };
            (Kind::Word, raw + word_length(&rest[raw..]))
        }
        _ => (Kind::Punctuation, first.len_utf8()),
    }
}

fn line_comment_kind(rest: &str) -> Kind {
    let is_doc = rest.starts_with("//!") || (rest.starts_with("///") && !rest.starts_with("////"));
    if is_doc { Kind::Doc } else { Kind::Comment }
}

/// Comments of this form nest.
fn block_comment(rest: &str) -> (Kind, usize) {
    let is_doc = rest.starts_with("/*!")
        || (rest.starts_with("/**") && !rest.starts_with("/***") && !rest.starts_with("/**/"));
    let kind = if is_doc { Kind::Doc } else { Kind::Comment };
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        let pair = rest.as_bytes().get(at..at + 2);
        match pair {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return (kind, at);
        }
    }
    (kind, rest.len())
}

/// The length of a string or character, with prefix and raw forms; `None` where none begins, as at a lifetime.
fn text_length(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r"].into_iter().find(|prefix| {
        let after = &rest.get(prefix.len()..).unwrap_or_default();
        rest.starts_with(prefix)
            && (after.starts_with('"') || raw_hashes(after).is_some() || after.starts_with('\''))
    });
    let prefix = prefix.unwrap_or_default();
    let body = &rest[prefix.len()..];
    if prefix.ends_with('r')
        && let Some(hashes) = raw_hashes(body)
    {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix.len() + hashes + 1;
        return Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
    }
    match body.chars().next()? {
        '"' => Some(prefix.len() + quoted_length(body, '"')),
        '\'' if is_character(body) => Some(prefix.len() + quoted_length(body, '\'')),
        _ => None,
    }
}

/// The number of `#` before the quote of a raw string.
fn raw_hashes(body: &str) -> Option<usize> {
    let hashes = body.len() - body.trim_start_matches('#').len();
    body[hashes..].starts_with('"').then_some(hashes)
}

/// `'a'` and `'\n'` are characters, `'a` is a lifetime.
fn is_character(body: &str) -> bool {
    let mut inside = body.chars().skip(1);
    let first = inside.next();
    first == Some('\\') || inside.next() == Some('\'')
}

fn quoted_length(body: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in body.char_indices().skip(1) {
        if character == quote && !escaped {
            return at + quote.len_utf8();
        }
        escaped = character == '\\' && !escaped;
    }
    body.len()
}

/// A point belongs to a number unless a second point or a name follows, as in `0..3` and `1.max(2)`.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        let is_exponent_sign = matches!(byte, b'+' | b'-')
            && matches!(bytes[at - 1], b'e' | b'E')
            && !rest.starts_with("0x")
            && next.is_ascii_digit();
        let is_point = byte == b'.'
            && next != b'.'
            && !next.is_ascii_alphabetic()
            && next != b'_'
            && !rest[..at].contains('.');
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_exponent_sign || is_point) {
            break;
        }
        at += 1;
    }
    at
}

fn word_length(rest: &str) -> usize {
    rest.find(|character| !is_word(character)).unwrap_or(rest.len())
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[(Kind, &str)]) {
        let found: Vec<(Kind, &str)> = lex(source).iter().map(|token| (token.kind, token.text)).collect();
        assert_eq!(found, expected, "tokens of {source:?}");
    }

    #[test]
    fn comments_nest_and_docs_are_told_apart() {
        check("/* a /* b */ c */x", &[(Kind::Comment, "/* a /* b */ c */"), (Kind::Word, "x")]);
        check("/// doc\n//// plain", &[(Kind::Doc, "/// doc"), (Kind::Comment, "//// plain")]);
        check("/**/ /** d */", &[(Kind::Comment, "/**/"), (Kind::Doc, "/** d */")]);
        check("//! top", &[(Kind::Doc, "//! top")]);
    }

    #[test]
    fn texts_hide_comments_and_quotes() {
        check(r#""// no \" end""#, &[(Kind::Text, r#""// no \" end""#)]);
        check("r#\"a \" b\"#", &[(Kind::Text, "r#\"a \" b\"#")]);
        check("br\"\\\"", &[(Kind::Text, "br\"\\\"")]);
        check(r"b'\''", &[(Kind::Text, r"b'\''")]);
    }

    #[test]
    fn characters_are_not_lifetimes() {
        check("'a'", &[(Kind::Text, "'a'")]);
        check(r"'\\'", &[(Kind::Text, r"'\\'")]);
        check("&'a T", &[(Kind::Punctuation, "&"), (Kind::Lifetime, "'a"), (Kind::Word, "T")]);
        check("'\"'", &[(Kind::Text, "'\"'")]);
    }

    #[test]
    fn numbers_end_before_ranges_and_methods() {
        check("1e-6", &[(Kind::Number, "1e-6")]);
        check("1.5_f32", &[(Kind::Number, "1.5_f32")]);
        check(
            "0..3",
            &[(Kind::Number, "0"), (Kind::Punctuation, "."), (Kind::Punctuation, "."), (Kind::Number, "3")],
        );
        check("1.max", &[(Kind::Number, "1"), (Kind::Punctuation, "."), (Kind::Word, "max")]);
        check("r#type", &[(Kind::Word, "r#type")]);
    }

    #[test]
    fn lines_are_those_of_the_source() {
        let tokens = lex("a\n\"x\ny\"\nb");
        let lines: Vec<(usize, usize)> =
            tokens.iter().map(|token| (token.first_line, token.last_line)).collect();
        assert_eq!(lines, [(0, 0), (1, 2), (3, 3)], "first and last lines");
    }
}
