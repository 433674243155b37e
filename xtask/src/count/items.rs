//! Functions, types and habits in the tokens of a file.

use super::lexer::{Kind, Token};
use super::source::{Source, after_attributes, after_group, spells};

/// Words that say nothing in the doc of a field.
const FILLERS: [&str; 12] = ["a", "an", "the", "of", "its", "this", "is", "in", "to", "for", "and", "each"];
/// A float at most this large, to the right of `<` in an assertion, is a tolerance.
const LARGEST_TOLERANCE: f64 = 0.01;
/// Ends of the names of settings.
const SETTINGS: [&str; 3] = ["Settings", "Options", "Config"];

/// A public type.
pub(super) struct PublicType<'a> {
    pub(super) kind: &'a str,
    pub(super) name: &'a str,
    pub(super) line: usize,
    is_non_exhaustive: bool,
    has_public_fields: bool,
}

impl PublicType<'_> {
    /// Whether a new variant or setting would break users.
    pub(super) fn is_closed(&self) -> bool {
        let is_settings = self.has_public_fields && SETTINGS.iter().any(|end| self.name.ends_with(end));
        !self.is_non_exhaustive && (self.kind == "enum" || (self.kind == "struct" && is_settings))
    }
}

/// Code lines of each production function, signature and braces included.
pub(super) fn function_lengths(source: &Source<'_>) -> Vec<usize> {
    let code = &source.code;
    let mut lengths = Vec::new();
    for at in production(source) {
        let is_function = spells(code, at, &["fn"]) && code.get(at + 1).is_some_and(|t| t.kind == Kind::Word);
        if is_function && let Some(end) = body_end(code, at + 2) {
            lengths.push(source.code_lines(code[at].first_line, code[end].last_line));
        }
    }
    lengths
}

/// Names and lines of production types that are errors: by `derive(Error)` or by an `impl` of the trait.
pub(super) fn error_types<'a>(source: &Source<'a>) -> Vec<(&'a str, usize)> {
    let code = &source.code;
    let mut errors: Vec<(&str, usize)> = Vec::new();
    for at in production(source) {
        let derives = spells(code, at, &["#", "[", "derive", "("])
            && code[at + 3..after_group(code, at + 3)].iter().any(|token| token.is("Error"));
        let named = if derives { type_after(code, at) } else { implemented_for(code, at) };
        errors.extend(named.map(|token| (token.text, token.first_line)));
    }
    errors
}

/// Every `pub` struct, enum, trait, union and alias outside tests.
pub(super) fn public_types<'a>(source: &Source<'a>) -> Vec<PublicType<'a>> {
    let code = &source.code;
    let is_type = |at: &usize| {
        spells(code, *at, &["pub"])
            && ["struct", "enum", "trait", "union", "type"].iter().any(|kind| spells(code, at + 1, &[kind]))
    };
    let described = |at: usize| {
        let (kind, name) = (code.get(at + 1)?, code.get(at + 2)?);
        let body = body_end(code, at + 3).map_or(&[][..], |end| &code[at + 3..end]);
        Some(PublicType {
            kind: kind.text,
            name: name.text,
            line: name.first_line,
            is_non_exhaustive: attributes_before(code, at).iter().any(|token| token.is("non_exhaustive")),
            has_public_fields: body.iter().any(|token| token.is("pub")),
        })
    };
    production(source).filter(is_type).filter_map(described).collect()
}

/// Calls of `unwrap` and `expect` outside tests.
pub(super) fn unwraps(source: &Source<'_>) -> usize {
    let code = &source.code;
    let is_call = |at: &usize| {
        spells(code, *at, &[".", "unwrap", "(", ")"]) || spells(code, *at, &[".", "expect", "("])
    };
    production(source).filter(is_call).count()
}

/// Fields whose doc has no word that is not in the name of the field or of its type: name and line.
pub(super) fn empty_field_docs<'a>(source: &Source<'a>) -> Vec<(&'a str, usize)> {
    let mut found = Vec::new();
    let mut owner = "";
    for at in production(source) {
        let code = &source.code;
        if spells(code, at, &["struct"]) || spells(code, at, &["enum"]) {
            owner = code.get(at + 1).map_or("", |token| token.text);
        }
        let Some(name) = field(code, at) else { continue };
        let doc = doc_above(source, code[at].first_line);
        if !doc.is_empty() && says_nothing(&doc, name.text, owner) {
            found.push((name.text, name.first_line));
        }
    }
    found
}

/// Lines of tests on which an assertion compares with a number that has no name.
pub(super) fn bare_tolerances(source: &Source<'_>) -> Vec<usize> {
    let code = &source.code;
    let mut lines = Vec::new();
    for at in 0..code.len() {
        let is_assertion = source.is_test[code[at].first_line]
            && code[at].text.starts_with("assert")
            && spells(code, at + 1, &["!", "("]);
        if is_assertion {
            let inside = &code[at + 2..after_group(code, at + 2)];
            lines.extend(
                (0..inside.len()).filter(|at| is_tolerance(inside, *at)).map(|at| inside[at].first_line),
            );
        }
    }
    lines
}

/// Indices of tokens outside tests.
fn production(source: &Source<'_>) -> impl Iterator<Item = usize> {
    (0..source.code.len()).filter(|at| source.is_production(&source.code[*at]))
}

/// The closing brace of the body that follows a signature; `None` where there is none.
fn body_end(code: &[Token<'_>], signature: usize) -> Option<usize> {
    let mut at = signature;
    while !code.get(at)?.is("{") {
        at = match code[at].text {
            ";" | "}" => return None,
            "(" | "[" => after_group(code, at),
            _ => at + 1,
        };
    }
    Some(after_group(code, at) - 1)
}

/// The name of the type that attributes at `start` belong to.
fn type_after<'a>(code: &[Token<'a>], start: usize) -> Option<Token<'a>> {
    let item = after_attributes(code, start);
    let keyword = (item..code.len().min(item + 8))
        .find(|at| spells(code, *at, &["struct"]) || spells(code, *at, &["enum"]))?;
    code.get(keyword + 1).copied()
}

/// The type in `impl std::error::Error for Type`, if `at` is its `Error`.
fn implemented_for<'a>(code: &[Token<'a>], at: usize) -> Option<Token<'a>> {
    if !spells(code, at, &["Error", "for"]) || at == 0 {
        return None;
    }
    let is_trait = code[at - 1].is("impl") || code[at - 1].is(">") || (at > 2 && code[at - 3].is("error"));
    let name = code.get(at + 2).filter(|token| token.kind == Kind::Word)?;
    is_trait.then_some(*name)
}

/// The tokens of the attributes that end just before `item`.
fn attributes_before<'c, 'a>(code: &'c [Token<'a>], item: usize) -> &'c [Token<'a>] {
    let mut start = item;
    while start > 0 && code[start - 1].is("]") {
        let opens =
            (0..start).rev().find(|at| spells(code, *at, &["#", "["]) && after_group(code, at + 1) == start);
        let Some(open) = opens else { break };
        start = open;
    }
    &code[start..item]
}

/// The name, if a field with its attributes begins at `at`.
fn field<'a>(code: &[Token<'a>], at: usize) -> Option<Token<'a>> {
    let begins = at > 0 && (code[at - 1].is("{") || code[at - 1].is(","));
    let mut name = after_attributes(code, at);
    if !begins {
        return None;
    }
    if spells(code, name, &["pub"]) {
        name += 1;
        if spells(code, name, &["("]) {
            name = after_group(code, name);
        }
    }
    let is_field = spells(code, name + 1, &[":"]) && !spells(code, name + 2, &[":"]);
    code.get(name).filter(|token| is_field && token.kind == Kind::Word).copied()
}

/// The doc comment that ends on the line before.
fn doc_above(source: &Source<'_>, line: usize) -> String {
    let mut words = Vec::new();
    let mut line = line;
    while let Ok(at) = source.docs.binary_search_by_key(&line.wrapping_sub(1), |doc| doc.last_line) {
        words.push(source.docs[at].text.trim_start_matches('/'));
        line = source.docs[at].first_line;
    }
    words.concat()
}

fn says_nothing(doc: &str, name: &str, owner: &str) -> bool {
    let known: Vec<String> = stems(name).chain(stems(&spaced(owner))).collect();
    stems(doc).filter(|word| !FILLERS.contains(&word.as_str())).all(|word| known.contains(&word))
}

/// Words in lower case, without the `s` of a plural.
fn stems(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|character: char| !character.is_alphanumeric());
    words.map(|word| word.to_lowercase()).filter_map(|word| {
        let stem = if FILLERS.contains(&word.as_str()) { &word } else { word.trim_end_matches('s') };
        (!stem.is_empty()).then(|| stem.to_owned())
    })
}

/// `BoneName` as `Bone Name`.
fn spaced(name: &str) -> String {
    let mut spaced = String::new();
    for character in name.chars() {
        if character.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(character);
    }
    spaced
}

/// Whether a `<` or `<=` at `at` is followed by a small float.
fn is_tolerance(code: &[Token<'_>], at: usize) -> bool {
    if !code[at].is("<") {
        return false;
    }
    let number = if spells(code, at + 1, &["="]) { at + 2 } else { at + 1 };
    let Some(number) = code.get(number).filter(|token| token.kind == Kind::Number) else { return false };
    let digits = number.text.trim_end_matches("f32").trim_end_matches("f64").replace('_', "");
    let is_float = digits.contains(['.', 'e']);
    is_float && digits.parse::<f64>().is_ok_and(|value| value <= LARGEST_TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_measured_with_signature_and_without_comments() {
        let text =
            "fn a(\n    b: u8,\n) {\n    // Why.\n\n    c();\n}\ntrait T { fn d(); }\ntype F = fn(u8);\n";
        assert_eq!(function_lengths(&Source::new(text)), [5], "lengths");
    }

    #[test]
    fn errors_are_found_by_derive_and_by_impl() {
        let text = "#[derive(Debug, thiserror::Error)]\n#[error(\"x\")]\npub struct A;\n#[derive(Debug)]\nenum B {}\n\
                    impl std::error::Error for B {}\nimpl From<A> for B {}\n";
        let names: Vec<&str> = error_types(&Source::new(text)).iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["A", "B"], "error types");
    }

    #[test]
    fn closed_types_are_enums_and_settings() {
        let text = "pub enum A { B }\n#[non_exhaustive]\n#[derive(Debug)]\npub enum C {}\npub struct DSettings { pub e: u8 }\n\
                    pub struct F { pub g: u8 }\npub(crate) enum H {}\n";
        let closed: Vec<&str> = public_types(&Source::new(text))
            .iter()
            .filter(|found| found.is_closed())
            .map(|found| found.name)
            .collect();
        assert_eq!(closed, ["A", "DSettings"], "closed types");
    }

    #[test]
    fn field_docs_that_repeat_the_name_are_found() {
        let text = "struct Bone {\n    /// The bone's name.\n    name: String,\n    /// Radius, m.\n    radius: f32,\n    plain: u8,\n}\n";
        assert_eq!(empty_field_docs(&Source::new(text)), [("name", 2)], "fields");
    }

    #[test]
    fn bare_tolerances_are_small_floats_in_assertions() {
        let text = "#[cfg(test)]\nfn a() {\n    assert!(b < 1e-6, \"c\");\n    assert!(b < TOLERANCE, \"c\");\n    \
                    assert!(b <= 0.5, \"c\");\n    let d = e < 1e-6;\n}\n";
        assert_eq!(bare_tolerances(&Source::new(text)), [2], "lines");
    }

    #[test]
    fn unwraps_of_tests_do_not_count() {
        let text = "fn a() {\n    b.unwrap();\n    c.expect(\"d\");\n    e.unwrap_or(f);\n}\n#[cfg(test)]\nfn g() { h.unwrap(); }\n";
        assert_eq!(unwraps(&Source::new(text)), 2, "calls");
    }
}
