//! The figures as text and as JSON.

use super::{Counts, Found, Lines, Passage};
use serde_json::{Value, json};
use std::fmt::Write;

/// What to print.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    json: bool,
    /// How many of the longest passages to list.
    passages: usize,
    /// How many of the longest passages of the same shape to list.
    shapes: usize,
    list: Option<String>,
}

impl Wanted {
    /// `None` for arguments that are not understood.
    pub(super) fn parse(arguments: &[String]) -> Option<Self> {
        let mut wanted = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--json" => wanted.json = true,
                "--passages" => wanted.passages = rest.next()?.parse().ok()?,
                "--shapes" => wanted.shapes = rest.next()?.parse().ok()?,
                "--list" => {
                    let kinds = ["errors", "names", "docs", "tolerances", "closed"];
                    wanted.list = Some(rest.next().filter(|kind| kinds.contains(&kind.as_str()))?.clone());
                }
                _ => return None,
            }
        }
        Some(wanted)
    }
}

/// The text to print.
pub(super) fn shown(counts: &Counts, wanted: &Wanted) -> String {
    if wanted.json {
        return format!("{:#}", value(counts, wanted));
    }
    if let Some(kind) = &wanted.list {
        return listed(counts, kind).join("\n");
    }
    let mut text = tables(counts);
    text.push_str(&figures(counts));
    let passages = passage_lines(counts, &counts.passages, wanted.passages);
    for line in passages.iter().chain(&passage_lines(counts, &counts.shapes, wanted.shapes)) {
        text.push_str("\n  ");
        text.push_str(line);
    }
    text
}

fn tables(counts: &Counts) -> String {
    let mut text =
        String::from("crate                 production    tests     docs comments   errors  unwraps\n");
    let row = |name: &str, lines: &Lines| {
        let Lines { production, tests, docs, comments, errors, unwraps } = lines;
        format!("{name:<20} {production:>11} {tests:>8} {docs:>8} {comments:>8} {errors:>8} {unwraps:>8}\n")
    };
    for (name, lines) in &counts.crates {
        text.push_str(&row(name, lines));
    }
    text.push_str(&row("all", &total(counts)));
    text.push_str("apart\n");
    for (name, lines) in &counts.apart {
        text.push_str(&row(name, lines));
    }
    text
}

fn figures(counts: &Counts) -> String {
    let all = total(counts);
    let (functions, files) = (Lengths::new(&counts.function_lengths), Lengths::new(&counts.file_lengths));
    let mut text = String::from("\n");
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<54} {value}");
    };
    line("production lines", all.production.to_string());
    line("function lines: median / 90 % / 99 % / longest", functions.shown(&[50, 90, 99]));
    line("functions", functions.count().to_string());
    line("file lines without tests: median / 90 % / longest", files.shown(&[50, 90]));
    line("files", files.count().to_string());
    line("error types", all.errors.to_string());
    line("passages of 6 and more repeated lines", counts.passages.len().to_string());
    let repeated = |passages| format!("{} / {}", lines_in(passages), lines_beyond_first(passages));
    line("lines in them / that would go if each stood once", repeated(&counts.passages));
    line("passages of the same shape", counts.shapes.len().to_string());
    line("lines in them / that would go if each stood once", repeated(&counts.shapes));
    line("unwrap and expect per 1,000 production lines", format!("{:.2}", unwraps_per_thousand(&all)));
    line("public type names in several crates", counts.shared_names().len().to_string());
    line("field docs that repeat the name", counts.empty_docs.len().to_string());
    line("bare tolerances in assertions", counts.bare_tolerances.len().to_string());
    line("public enums and settings without non_exhaustive", counts.closed_types.len().to_string());
    let share = |part: usize| 100.0 * part as f64 / (all.production + all.docs + all.comments) as f64;
    line("doc / plain comment lines, %", format!("{:.1} / {:.1}", share(all.docs), share(all.comments)));
    text.trim_end().to_owned()
}

fn value(counts: &Counts, wanted: &Wanted) -> Value {
    let lines = |lines: &Lines| {
        json!({"production": lines.production, "tests": lines.tests, "docs": lines.docs, "comments": lines.comments,
            "errors": lines.errors, "unwraps": lines.unwraps})
    };
    let group = |group: &std::collections::BTreeMap<String, Lines>| -> Value {
        group.iter().map(|(name, found)| (name.clone(), lines(found))).collect()
    };
    let (functions, files) = (Lengths::new(&counts.function_lengths), Lengths::new(&counts.file_lengths));
    let all = total(counts);
    let mut value = json!({
        "crates": group(&counts.crates),
        "all": lines(&all),
        "apart": group(&counts.apart),
        "functions": functions.value(),
        "files": files.value(),
        "passages": counts.passages.len(),
        "passage_lines": lines_in(&counts.passages),
        "passage_lines_beyond_first": lines_beyond_first(&counts.passages),
        "shapes": counts.shapes.len(),
        "shape_lines": lines_in(&counts.shapes),
        "unwraps_per_thousand": unwraps_per_thousand(&all),
        "shared_type_names": counts.shared_names().len(),
        "empty_field_docs": counts.empty_docs.len(),
        "bare_tolerances": counts.bare_tolerances.len(),
        "closed_types": counts.closed_types.len(),
    });
    if wanted.passages > 0 {
        value["longest_passages"] = passage_lines(counts, &counts.passages, wanted.passages).into();
    }
    if wanted.shapes > 0 {
        value["longest_shapes"] = passage_lines(counts, &counts.shapes, wanted.shapes).into();
    }
    if let Some(kind) = &wanted.list {
        value["list"] = listed(counts, kind).into();
    }
    value
}

/// One line for each thing of a kind.
fn listed(counts: &Counts, kind: &str) -> Vec<String> {
    let place = |found: &Found| format!("{}:{} {}", found.file.display(), found.line + 1, found.name);
    match kind {
        "errors" => counts.errors.iter().map(place).collect(),
        "docs" => counts.empty_docs.iter().map(place).collect(),
        "closed" => counts.closed_types.iter().map(place).collect(),
        "tolerances" => counts.bare_tolerances.iter().map(place).collect(),
        _ => counts.shared_names().values().flatten().map(|found| place(found)).collect(),
    }
}

/// The longest passages, each with where else it stands.
fn passage_lines(counts: &Counts, passages: &[Passage], most: usize) -> Vec<String> {
    let mut longest: Vec<_> = passages.iter().collect();
    longest.sort_by_key(|passage| std::cmp::Reverse(passage.length));
    let line = |passage: &&Passage| {
        let (file, twin) = (&counts.files[passage.file], &counts.files[passage.twin.0]);
        let (first, last) = (passage.first_line + 1, passage.last_line + 1);
        format!(
            "{:>4} lines {}:{first}-{last} as {}:{}",
            passage.length,
            file.display(),
            twin.display(),
            passage.twin.1 + 1
        )
    };
    longest.iter().take(most).map(line).collect()
}

fn lines_in(passages: &[Passage]) -> usize {
    passages.iter().map(|passage| passage.length).sum()
}

fn lines_beyond_first(passages: &[Passage]) -> usize {
    passages.iter().map(|passage| passage.length - passage.new_lines).sum()
}

fn total(counts: &Counts) -> Lines {
    let mut total = Lines::default();
    for lines in counts.crates.values() {
        total.production += lines.production;
        total.tests += lines.tests;
        total.docs += lines.docs;
        total.comments += lines.comments;
        total.errors += lines.errors;
        total.unwraps += lines.unwraps;
    }
    total
}

fn unwraps_per_thousand(all: &Lines) -> f64 {
    1000.0 * all.unwraps as f64 / all.production.max(1) as f64
}

/// Lengths in rising order.
struct Lengths(Vec<usize>);

impl Lengths {
    fn new(lengths: &[usize]) -> Self {
        let mut sorted = lengths.to_vec();
        sorted.sort_unstable();
        Self(sorted)
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    /// The length that this many percent do not exceed.
    fn percentile(&self, percent: usize) -> usize {
        let at = (self.count() * percent).div_ceil(100).max(1) - 1;
        self.0.get(at).copied().unwrap_or_default()
    }

    fn shown(&self, percents: &[usize]) -> String {
        let lengths: Vec<String> =
            percents.iter().chain(&[100]).map(|percent| self.percentile(*percent).to_string()).collect();
        lengths.join(" / ")
    }

    fn value(&self) -> Value {
        let [median, p90, p99, longest] = [50, 90, 99, 100].map(|percent| self.percentile(percent));
        json!({"count": self.count(), "median": median, "p90": p90, "p99": p99, "longest": longest})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_lengths_that_occur() {
        let lengths = Lengths::new(&[3, 1, 2, 10]);
        assert_eq!(lengths.shown(&[50, 90]), "2 / 10 / 10", "median, 90 %, longest");
        assert_eq!(Lengths::new(&[]).percentile(50), 0, "of nothing");
    }

    #[test]
    fn arguments_that_are_not_known_are_refused() {
        let parse =
            |words: &[&str]| Wanted::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert!(parse(&["--json", "--passages", "5", "--list", "errors"]).is_some(), "known");
        assert!(parse(&["--list", "colors"]).is_none(), "an unknown list");
        assert!(parse(&["--passages"]).is_none(), "no number");
    }
}
