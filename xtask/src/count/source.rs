//! One file: its tokens, what each line is, and which lines are tests.

use super::lexer::{Kind, Token, lex};
use std::path::{Path, PathBuf};

/// What a line holds; code wins over a comment beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Line {
    Blank,
    Comment,
    Doc,
    Code,
}

/// A file, read for counting.
pub(super) struct Source<'a> {
    /// Tokens that are not comments.
    pub(super) code: Vec<Token<'a>>,
    /// Doc comments.
    pub(super) docs: Vec<Token<'a>>,
    pub(super) lines: Vec<Line>,
    /// Whether a line belongs to an item under `#[cfg(test)]`; one per line.
    pub(super) is_test: Vec<bool>,
    /// Modules under `#[cfg(test)]` whose text is in another file.
    pub(super) test_modules: Vec<&'a str>,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let tokens = lex(text);
        let lines = lines(text, &tokens);
        let of_kind = |kind: fn(Kind) -> bool| {
            tokens.iter().copied().filter(move |token| kind(token.kind)).collect::<Vec<_>>()
        };
        let code = of_kind(|kind| !matches!(kind, Kind::Comment | Kind::Doc));
        let docs = of_kind(|kind| kind == Kind::Doc);
        let mut is_test = vec![false; lines.len()];
        let mut test_modules = Vec::new();
        for start in 0..code.len() {
            let Some(item) = test_item(&code, start) else { continue };
            let end = item_end(&code, item).min(code.len() - 1);
            is_test[code[start].first_line..=code[end].last_line].fill(true);
            test_modules.extend(module_elsewhere(&code[item..=end]));
        }
        Self { code, docs, lines, is_test, test_modules }
    }

    /// Marks the whole file as a test.
    pub(super) fn all_test(mut self) -> Self {
        self.is_test.fill(true);
        self
    }

    pub(super) fn is_production(&self, token: &Token<'_>) -> bool {
        !self.is_test[token.first_line]
    }

    /// How many lines of a kind there are in tests, or outside of them.
    pub(super) fn count(&self, kind: Line, in_tests: bool) -> usize {
        self.lines
            .iter()
            .zip(&self.is_test)
            .filter(|(line, test)| **line == kind && **test == in_tests)
            .count()
    }

    /// Code lines between two lines, both included.
    pub(super) fn code_lines(&self, first: usize, last: usize) -> usize {
        self.lines[first..=last].iter().filter(|line| **line == Line::Code).count()
    }
}

/// Where the text of a test module may lie: a file, or a folder with everything in it.
pub(super) fn module_paths(file: &Path, module: &str) -> [PathBuf; 2] {
    let parent = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    let is_root = ["mod", "lib", "main"].iter().any(|root| stem == *root);
    let folder = if is_root { parent.to_path_buf() } else { parent.join(stem) };
    [folder.join(format!("{module}.rs")), folder.join(module)]
}

/// The index just after the bracket that closes the one at `open`.
pub(super) fn after_group(code: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in code.iter().enumerate().skip(open) {
        if token.kind != Kind::Punctuation {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

/// The index of the first token after attributes that begin at `start`.
pub(super) fn after_attributes(code: &[Token<'_>], start: usize) -> usize {
    let mut at = start;
    while spells(code, at, &["#", "["]) {
        at = after_group(code, at + 1);
    }
    at
}

/// Whether the tokens from `start` have these texts.
pub(super) fn spells(code: &[Token<'_>], start: usize, texts: &[&str]) -> bool {
    texts
        .iter()
        .enumerate()
        .all(|(offset, text)| code.get(start + offset).is_some_and(|token| token.is(text)))
}

fn lines(text: &str, tokens: &[Token<'_>]) -> Vec<Line> {
    let is_blank: Vec<bool> = text.lines().map(|line| line.trim().is_empty()).collect();
    let mut lines = vec![Line::Blank; is_blank.len()];
    for token in tokens {
        let kind = match token.kind {
            Kind::Comment => Line::Comment,
            Kind::Doc => Line::Doc,
            _ => Line::Code,
        };
        for line in token.first_line..=token.last_line {
            if !is_blank[line] {
                lines[line] = lines[line].max(kind);
            }
        }
    }
    lines
}

/// The first token after `#[cfg(test)]` at `start`, or after `#[cfg(all(test, …))]`.
fn test_item(code: &[Token<'_>], start: usize) -> Option<usize> {
    let is_test = spells(code, start, &["#", "[", "cfg", "(", "test", ")"])
        || spells(code, start, &["#", "[", "cfg", "(", "doctest", ")"])
        || spells(code, start, &["#", "[", "cfg", "(", "all", "(", "test"]);
    is_test.then(|| after_group(code, start + 1))
}

/// The last token of an item, a field or a statement.
fn item_end(code: &[Token<'_>], item: usize) -> usize {
    let mut at = after_attributes(code, item);
    if spells(code, at, &["pub"]) {
        at += 1;
        if spells(code, at, &["("]) {
            at = after_group(code, at);
        }
    }
    let is = |words: &[&str]| words.iter().any(|word| spells(code, at, &[word]));
    let is_const_fn = is(&["const"]) && !code.get(at + 2).is_some_and(|token| token.is(":"));
    let ends_with_brace = !is(&["use", "static", "let", "type"]) && (!is(&["const"]) || is_const_fn);
    let is_item = is(&["fn", "mod", "impl", "struct", "enum", "trait", "unsafe", "async", "extern", "const"]);
    while at < code.len() {
        let token = &code[at];
        if token.is(";") || (token.is(",") && ends_with_brace && !is_item) {
            return at;
        }
        if token.is("(") || token.is("[") || token.is("{") {
            at = after_group(code, at);
            if token.is("{") && ends_with_brace {
                return at - 1;
            }
            continue;
        }
        if token.is("}") || token.is(")") || token.is("]") {
            return at - 1;
        }
        at += 1;
    }
    at
}

fn module_elsewhere<'a>(item: &[Token<'a>]) -> Option<&'a str> {
    let at = item.iter().position(|token| token.is("mod"))?;
    let name = item.get(at + 1)?;
    item.get(at + 2)?.is(";").then_some(name.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, production: usize, tests: usize) {
        let source = Source::new(text);
        let found = (source.count(Line::Code, false), source.count(Line::Code, true));
        assert_eq!(found, (production, tests), "production and test lines of {text}");
    }

    #[test]
    fn blank_lines_and_comments_are_not_code() {
        check("// a\n\n/// b\nfn c() {} // d\n", 1, 0);
        check("const A: &str = \"\n\n// text\n\";\n", 3, 0);
    }

    #[test]
    fn items_under_cfg_test_are_tests() {
        check("fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n", 2, 4);
        check("#[cfg(test)]\nuse a::{b};\nfn c() {}\n", 1, 2);
        check("#[cfg(test)]\n#[derive(Debug)]\nstruct A;\nfn c() {}\n", 1, 3);
        check("#[cfg(test)]\npub(crate) const fn a() -> u8 {\n    1\n}\nfn c() {}\n", 1, 4);
        check("struct A {\n    #[cfg(test)]\n    a: u8,\n    b: u8,\n}\n", 3, 2);
        check("#[cfg(not(test))]\nfn c() {}\n", 2, 0);
    }

    #[test]
    fn test_modules_of_their_own_files_are_found() {
        let source = Source::new("#[cfg(test)]\nmod tests;\nmod other;\n");
        assert_eq!(source.test_modules, ["tests"], "modules");
        let [file, folder] = module_paths(Path::new("src/a.rs"), "tests");
        assert_eq!((file, folder), ("src/a/tests.rs".into(), "src/a/tests".into()), "beside a file");
        let [file, _] = module_paths(Path::new("src/a/mod.rs"), "tests");
        assert_eq!(file, PathBuf::from("src/a/tests.rs"), "in a folder");
    }
}
