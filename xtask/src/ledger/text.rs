//! A text as lines of a record: short ones in full, long ones by what repeats in them.

use super::array::Array;
use super::number::{digest, is_integer, skeleton};

/// Texts of so many bytes or fewer are written in full.
const MOST_IN_FULL: usize = 3000;

/// A line with more numbers than this is an array.
const MOST_NUMBERS: usize = 24;

/// As many lines of one kind are a table.
pub(super) const LEAST_ROWS: usize = 4;

/// A table of more columns is one array, and not one a column.
const MOST_COLUMNS: usize = 12;

/// Lines of a record that one text may take; the rest becomes one array and a digest.
const MOST_LINES: usize = 240;

/// Characters that are shown of a line.
const MOST_SHOWN: usize = 400;

/// The lines of a record that stand for a text.
pub(super) fn lines(text: &str) -> Vec<String> {
    let is_short = text.len() <= MOST_IN_FULL && text.lines().all(|line| line.len() <= MOST_SHOWN);
    if is_short {
        return text.lines().map(|line| format!("| {line}")).collect();
    }
    let all: Vec<(String, Vec<&str>)> = text.lines().map(skeleton).collect();
    let mut lines = vec![format!("{} lines", all.len())];
    let mut at = 0;
    while at < all.len() {
        if lines.len() > MOST_LINES {
            lines.extend(rest(&all[at..]));
            break;
        }
        let (words, numbers) = &all[at];
        let run = all[at..].iter().take_while(|(other, _)| other == words).count();
        let is_long = words.len() > MOST_SHOWN || run >= LEAST_ROWS;
        let is_table = is_long && !numbers.is_empty() || numbers.len() > MOST_NUMBERS;
        let rows = if is_table { run } else { 1 };
        if is_table {
            lines.extend(table(words, &all[at..at + rows]));
        } else {
            lines.push(format!("| {}", cut(text.lines().nth(at).unwrap_or_default())));
        }
        at += rows;
    }
    lines
}

/// Lines that differ by their numbers alone: their words, and the rows of numbers.
pub(super) fn table(words: &str, rows: &[(String, Vec<&str>)]) -> Vec<String> {
    let columns = rows[0].1.len();
    let label = format!("{} lines of `{}`", rows.len(), cut(words));
    if columns > MOST_COLUMNS {
        let all: Vec<&str> = rows.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
        return array(&all, vec![rows.len(), columns]).lines(&label);
    }
    let column = |at: usize| {
        let values: Vec<&str> = rows.iter().map(|(_, numbers)| numbers[at]).collect();
        array(&values, vec![rows.len()]).lines(&format!("column {at}"))
    };
    std::iter::once(label).chain((0..columns).flat_map(column)).collect()
}

/// What is left of a text that has too many lines.
fn rest(left: &[(String, Vec<&str>)]) -> Vec<String> {
    let words: Vec<&str> = left.iter().map(|(words, _)| words.as_str()).collect();
    let numbers: Vec<&str> = left.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
    let label = format!("{} more lines, words {}", left.len(), digest(&words.join("\n")));
    array(&numbers, vec![numbers.len()]).lines(&label)
}

fn array(numbers: &[&str], shape: Vec<usize>) -> Array {
    let values = numbers.iter().map(|number| number.parse().unwrap_or(f64::NAN)).collect();
    Array { shape, values, is_integer: numbers.iter().all(|number| is_integer(number)) }
}

/// A line, or its beginning and a digest of its words.
fn cut(line: &str) -> String {
    if line.chars().count() <= MOST_SHOWN {
        return line.to_owned();
    }
    let head: String = line.chars().take(80).collect();
    format!("{head}… {}", digest(&skeleton(line).0))
}

#[cfg(test)]
mod tests {
    use super::super::compare::differences;
    use super::*;

    fn mesh(height: f64) -> String {
        let vertices = (0..500).map(|at| {
            format!("v {} {} {}\n", 0.001 * f64::from(at), if at == 321 { height } else { 2.0 }, -1.0)
        });
        vertices.chain(["f 1 2 3\n".to_owned()]).collect()
    }

    #[test]
    fn a_table_shows_a_change_of_one_number_and_not_its_rounding() {
        let record = |height: f64| lines(&mesh(height)).join("\n");
        assert!(record(0.5).len() < 4000, "{}", record(0.5));
        assert!(!differences(&record(0.5), &record(0.5001)).is_empty());
        assert!(differences(&record(0.5), &record(0.5 + 1e-9)).is_empty());
    }

    #[test]
    fn words_of_a_text_that_is_cut_count() {
        let text = |word: &str| {
            (0..900)
                .map(|at| format!("{at} {}\n", if at == 800 { word } else { &"ab"[at % 2..] }))
                .collect::<String>()
        };
        let (before, after) = (lines(&text("b")).join("\n"), lines(&text("c")).join("\n"));
        assert!(!differences(&before, &after).is_empty());
    }
}
