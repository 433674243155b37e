//! What differs between two records.

use super::number::{Piece, is_integer, pieces};

/// Of a number in a text: how far two runs may be apart.
const RELATIVE: f64 = 1e-6;

/// Numbers below this are rounding: nanometres, where a text holds metres.
const ABSOLUTE: f64 = 1e-9;

/// Levels of 255 that a cell of a thumbnail may be off.
const COLOR_LEVELS: u32 = 2;

/// Lines of each side that are shown of one place.
const MOST_SHOWN: usize = 12;

/// The places where two records differ, with both values; none if they agree.
pub(super) fn differences(recorded: &str, found: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (recorded.lines().collect(), found.lines().collect());
    if old.len() == new.len() {
        return pairs(&old, &new);
    }
    // Something came or went: what is before and after it is left out.
    let agree = |(old, new): &(&&str, &&str)| unlike(old, new).is_none();
    let head = old.iter().zip(&new).take_while(agree).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(agree).count();
    let shown = |sign: &str, lines: &[&str]| {
        let mut shown: Vec<String> =
            lines.iter().take(MOST_SHOWN).map(|line| format!("{sign} {line}")).collect();
        if lines.len() > MOST_SHOWN {
            shown.push(format!("{sign} … {} more lines", lines.len() - MOST_SHOWN));
        }
        shown
    };
    let mut told = vec![format!("{}, line {}:", place(&old, head), head + 1)];
    told.extend(shown("-", &old[head..old.len() - tail]));
    told.extend(shown("+", &new[head..new.len() - tail]));
    told
}

/// Differences of records with equally many lines.
fn pairs(old: &[&str], new: &[&str]) -> Vec<String> {
    let mut told = Vec::new();
    for (at, (before, after)) in old.iter().zip(new).enumerate() {
        if let Some(why) = unlike(before, after) {
            told.push(format!("{}, line {}: {why}", place(old, at), at + 1));
            told.push(format!("- {before}"));
            told.push(format!("+ {after}"));
        }
    }
    told
}

/// The command and the file that a line belongs to.
fn place(lines: &[&str], at: usize) -> String {
    let before = &lines[..lines.len().min(at + 1)];
    let last = |sign: &str| before.iter().rposition(|line| line.starts_with(sign));
    let command = last("$ ").map_or(0, |at| at);
    let file = last("file ").filter(|&file| file > command);
    let named = [Some(command), file].into_iter().flatten().filter_map(|at| lines.get(at).copied());
    named.collect::<Vec<_>>().join(", ")
}

/// Why two lines do not agree.
fn unlike(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    if let (Some(old), Some(new)) = (cells(old), cells(new)) {
        return unlike_cells(&old, &new);
    }
    let (old_pieces, new_pieces) = (pieces(old), pieces(new));
    if old_pieces.len() != new_pieces.len() {
        return Some("other words".to_owned());
    }
    // A line `~1e-6 name: …` brings its tolerance.
    let given =
        old.trim_start().strip_prefix('~').and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    // The tolerance follows the size, which may differ in its rounding.
    let skip = if given.is_some() {
        old_pieces.iter().take_while(|piece| !matches!(piece, Piece::Number(_))).count() + 1
    } else {
        0
    };
    old_pieces.iter().zip(&new_pieces).skip(skip).find_map(|(old, new)| match (old, new) {
        (Piece::Words(old), Piece::Words(new)) => (old != new).then(|| "other words".to_owned()),
        (Piece::Number(old), Piece::Number(new)) => unlike_numbers(old, new, given),
        _ => Some("other words".to_owned()),
    })
}

fn unlike_numbers(old: &str, new: &str, given: Option<f64>) -> Option<String> {
    if old == new {
        return None;
    }
    if given.is_none() && is_integer(old) && is_integer(new) {
        return Some(format!("{old} became {new}"));
    }
    let (before, after) = (old.parse::<f64>().ok()?, new.parse::<f64>().ok()?);
    let near = given.unwrap_or_else(|| ABSOLUTE.max(RELATIVE * before.abs().max(after.abs())));
    let apart = (before - after).abs();
    // Not `>`: a number that overflows is never near.
    let is_near = apart <= near;
    (!is_near).then(|| format!("{old} became {new}, {apart:.2e} apart, {near:.1e} allowed"))
}

/// The colors of a line of a thumbnail.
fn cells(line: &str) -> Option<Vec<u8>> {
    let digits = line.trim_start().strip_prefix('%')?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn unlike_cells(old: &[u8], new: &[u8]) -> Option<String> {
    if old.len() != new.len() {
        return Some("another width".to_owned());
    }
    let apart = old.iter().zip(new).map(|(old, new)| u32::from(old.abs_diff(*new))).max().unwrap_or(0);
    (apart > COLOR_LEVELS).then(|| format!("colors are {apart} of 255 levels apart, {COLOR_LEVELS} allowed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, is_equal: bool) {
        assert_eq!(
            differences(old, new).is_empty(),
            is_equal,
            "{old:?} and {new:?}: {:?}",
            differences(old, new)
        );
    }

    #[test]
    fn words_are_compared_exactly_and_numbers_nearly() {
        check("wrote 0.5 m", "wrote 0.5000001 m", true);
        check("wrote 0.5 m", "wrote 0.50001 m", false);
        check("wrote 0.5 m", "writes 0.5 m", false);
        check("3 bones", "4 bones", false);
        check("error 1e-17", "error 5e-16", true);
        check("a\nb", "a", false);
    }

    #[test]
    fn a_line_may_bring_its_tolerance() {
        check("  ~1e-3 range: 5 -2.0", "  ~1e-3 range: 5.0005 -2.0005", true);
        check("  ~1e-3 range: 5 -2.0", "  ~1e-3 range: 5.002 -2.0", false);
        check("  ~1e-3 range: 5 -2.0", "  ~1e-3 range: 5", false);
        check("  ~1e-3 range: 5 -2.0", "  ~1e-3 range: 5 inf", false);
    }

    #[test]
    fn colors_may_be_a_little_off() {
        check("%102030", "%112130", true);
        check("%102030", "%152030", false);
        check("%102030", "%1020", false);
    }

    #[test]
    fn a_difference_names_its_command_and_file() {
        let record =
            |value: &str| format!("$ skin a\nexit 0\n$ skin b\nfile b.npy\n  ~1e-6 values: {value}\n");
        let told = differences(&record("1.0"), &record("2.0"));
        assert!(told[0].starts_with("$ skin b, file b.npy, line 5: 1.0 became 2.0"), "{told:?}");
        let told = differences(&record("1.0"), &format!("{}file c.npy\n", record("1.0")));
        assert!(told.contains(&"+ file c.npy".to_owned()), "{told:?}");
    }
}
