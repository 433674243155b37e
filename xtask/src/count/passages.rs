//! Passages that stand in several places.
//!
//! A line is its tokens with one space between. Left out are tests, blank lines, comments, `use` items and lines of punctuation alone. Six lines
//! in a row that also stand at another place, without overlap, are repeated. A passage is a run of such lines, as long as it goes in one file.
//! Passages of the same shape are found with names, numbers and texts blotted out; lists of few different lines are left out there.

use super::lexer::{Kind, Token};
use super::source::{Source, spells};
use std::collections::{HashMap, HashSet};

/// The shortest passage, lines.
const WINDOW: usize = 6;
/// Six lines of a shape are a list, not a passage, if fewer than this many of them differ.
const LEAST_SHAPES: usize = 5;
/// Words that stay in a shape.
const KEYWORDS: [&str; 24] = [
    "as", "break", "const", "continue", "else", "enum", "fn", "for", "if", "impl", "in", "let", "loop",
    "match", "mod", "move", "mut", "pub", "return", "self", "struct", "trait", "where", "while",
];

/// How lines are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Text,
    Shape,
}

/// A line of the comparison: its text, and its line in the file from 0.
type Normal = (String, usize);

/// A run of repeated lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) file: usize,
    /// First and last line in the file, from 0.
    pub(super) first_line: usize,
    pub(super) last_line: usize,
    /// Lines that are compared.
    pub(super) length: usize,
    /// Of these, lines that do not stand earlier in the tree.
    pub(super) new_lines: usize,
    /// Another place where the first six lines stand: file and line.
    pub(super) twin: (usize, usize),
}

/// The lines of a file that are compared.
pub(super) fn normal_lines(source: &Source<'_>, by: By) -> Vec<Normal> {
    let mut lines: Vec<(Normal, bool)> = Vec::new();
    let mut in_use = false;
    for (at, token) in source.code.iter().enumerate() {
        let starts_line = lines.last().is_none_or(|((_, line), _)| *line != token.first_line);
        let is_use = spells(&source.code, at, &["use"]) || spells(&source.code, at, &["pub", "use"]);
        in_use |= starts_line && is_use;
        if source.is_production(token) && !in_use {
            if starts_line {
                lines.push(((String::new(), token.first_line), false));
            }
            if let Some(((text, _), has_words)) = lines.last_mut() {
                text.push_str(if by == By::Shape { shape(token) } else { token.text });
                text.push(' ');
                *has_words |= token.kind != Kind::Punctuation;
            }
        }
        in_use &= !token.is(";");
    }
    lines.into_iter().filter(|(_, has_words)| *has_words).map(|(line, _)| line).collect()
}

/// A token with what it names blotted out.
fn shape<'a>(token: &Token<'a>) -> &'a str {
    match token.kind {
        Kind::Word if !KEYWORDS.contains(&token.text) => "_",
        Kind::Number | Kind::Text => "0",
        _ => token.text,
    }
}

/// All passages, in the order of files.
pub(super) fn passages(files: &[Vec<Normal>], by: By) -> Vec<Passage> {
    let keys = keys(files);
    let mut places: HashMap<&[u32], Vec<(usize, usize)>> = HashMap::new();
    for (file, keys) in keys.iter().enumerate() {
        for (at, window) in keys.windows(WINDOW).enumerate() {
            places.entry(window).or_default().push((file, at));
        }
    }
    let mut found = Vec::new();
    for (file, keys) in keys.iter().enumerate() {
        let twins: Vec<Option<(usize, usize)>> = keys
            .windows(WINDOW)
            .enumerate()
            .map(|(at, window)| {
                twin(&places[window], (file, at)).filter(|_| by == By::Text || !is_list(window))
            })
            .collect();
        found.extend(runs(file, &twins, files));
    }
    found
}

/// Equal lines get equal numbers.
fn keys(files: &[Vec<Normal>]) -> Vec<Vec<u32>> {
    let mut known: HashMap<&str, u32> = HashMap::new();
    let mut key = |text| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(text).or_insert(next)
    };
    files.iter().map(|lines| lines.iter().map(|(text, _)| key(text.as_str())).collect()).collect()
}

fn is_list(window: &[u32]) -> bool {
    window.iter().collect::<HashSet<_>>().len() < LEAST_SHAPES
}

/// The first other place of a window that does not overlap with this one.
fn twin(places: &[(usize, usize)], own: (usize, usize)) -> Option<(usize, usize)> {
    places.iter().copied().find(|other| other.0 != own.0 || other.1.abs_diff(own.1) >= WINDOW)
}

/// Joins windows that overlap or touch.
fn runs(file: usize, twins: &[Option<(usize, usize)>], files: &[Vec<Normal>]) -> Vec<Passage> {
    let lines = &files[file];
    let mut found = Vec::new();
    let mut at = 0;
    while at < twins.len() {
        let Some(twin) = twins[at] else {
            at += 1;
            continue;
        };
        let (start, mut end) = (at, at + WINDOW);
        // Lines that stand earlier, in a window of their own.
        let mut old_end = start;
        let mut old = 0;
        while at <= end && at < twins.len() {
            if let Some(other) = twins[at] {
                end = at + WINDOW;
                if other < (file, at) {
                    old += end - old_end.max(at);
                    old_end = end;
                }
            }
            at += 1;
        }
        found.push(Passage {
            file,
            first_line: lines[start].1,
            last_line: lines[end - 1].1,
            length: end - start,
            new_lines: end - start - old,
            twin: (twin.0, files[twin.0][twin.1].1),
        });
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Vec<Normal> {
        normal_lines(&Source::new(text), By::Text)
    }

    fn statements(names: &str) -> String {
        names.chars().map(|name| format!("{name} ( ) ;\n")).collect()
    }

    #[test]
    fn spaces_comments_punctuation_and_uses_are_left_out() {
        let lines = file("use a::{\n    b,\n};\nfn  c( ) {\n    // d\n\n    e  ;\n}\n");
        assert_eq!(lines, [("fn c ( ) { ".to_owned(), 3), ("e ; ".to_owned(), 6)], "lines");
    }

    #[test]
    fn seven_lines_in_two_files_are_two_passages() {
        let files = [file(&statements("xabcdefgy")), file(&statements("abcdefgz"))];
        let found = passages(&files, By::Text);
        let shape: Vec<(usize, usize, usize, usize)> =
            found.iter().map(|p| (p.file, p.first_line, p.length, p.new_lines)).collect();
        assert_eq!(shape, [(0, 1, 7, 7), (1, 0, 7, 0)], "file, line, length, new lines");
        assert_eq!(found[1].twin, (0, 1), "where the second stands first");
    }

    #[test]
    fn five_lines_are_no_passage() {
        assert_eq!(
            passages(&[file(&statements("abcdex")), file(&statements("abcdey"))], By::Text),
            [],
            "passages"
        );
    }

    #[test]
    fn a_run_of_one_line_does_not_repeat_itself() {
        assert_eq!(passages(&[file(&statements("aaaaaaaaaaa"))], By::Text), [], "eleven equal lines");
        assert_eq!(passages(&[file(&statements("aaaaaaaaaaaa"))], By::Text).len(), 1, "twelve equal lines");
    }

    #[test]
    fn shapes_ignore_names_and_leave_out_lists() {
        let shape = |text: &str| normal_lines(&Source::new(text), By::Shape);
        assert_eq!(shape("let a = b(1);")[0].0, "let _ = _ ( 0 ) ; ", "a shape");
        let list = [shape("a: b,\n".repeat(12).as_str())];
        assert_eq!(passages(&list, By::Shape), [], "a list");
        let body = |n: &str| {
            shape(&format!("let {n} = 1;\n{n}();\n{n}[0];\nif {n} {{\nfor {n} in {n} {{\nlet {n} = {n};\n"))
        };
        assert_eq!(passages(&[body("x"), body("y")], By::Shape).len(), 2, "one shape, two names");
    }
}
