//! Names that a slip of the fingers could have meant.

/// Up to three names that differ least from `query`, best first, if they differ by less than half of it: what a slip of the fingers
/// could have meant.
pub fn nearest_names<'a>(query: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let query: Vec<char> = query.to_lowercase().chars().take(LONGEST_COMPARED).collect();
    let mut scored: Vec<(usize, &str)> = names
        .filter(|name| !name.is_empty())
        .map(|name| {
            (
                edit_distance(
                    &query,
                    &name.to_lowercase().chars().take(LONGEST_COMPARED).collect::<Vec<_>>(),
                ),
                name,
            )
        })
        .filter(|&(distance, name)| 2 * distance <= query.len().max(name.chars().count()))
        .collect();
    scored.sort_by_key(|&(distance, _)| distance);
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// What to say after an unknown name: `; did you mean "Head"?`, or nothing where no name is near.
pub fn did_you_mean<'a>(query: &str, names: impl Iterator<Item = &'a str>) -> String {
    suggestion(&nearest_names(query, names))
}

/// [`did_you_mean`] of names that were found before.
pub fn suggestion(nearest: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = nearest.iter().map(|name| format!("{:?}", name.as_ref())).collect();
    if quoted.is_empty() { String::new() } else { format!("; did you mean {}?", quoted.join(" or ")) }
}

/// Characters of a name that count in a suggestion; keeps a model with enormous names from costing quadratic time.
const LONGEST_COMPARED: usize = 64;

/// Levenshtein distance: insertions, deletions and replacements.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
