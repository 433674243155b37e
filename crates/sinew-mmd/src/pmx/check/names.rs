//! Checks for duplicate names.
//!
//! Motions find bones and morphs by name, and only the first of a name. The first keeps it; the others get a number appended.

use super::Problems;
use crate::MmdText;
use std::collections::HashSet;

/// Makes the names of a list unique; empty ones stay.
pub(super) fn repair<'a>(list: &str, names: impl Iterator<Item = &'a mut MmdText>, problems: &mut Problems) {
    let mut names: Vec<&mut MmdText> = names.collect();
    let mut taken: HashSet<String> = names.iter().map(|name| name.as_str().to_owned()).collect();
    let mut seen = HashSet::new();
    for (index, name) in names.iter_mut().enumerate() {
        let text = name.as_str().to_owned();
        if text.is_empty() || seen.insert(text.clone()) {
            continue;
        }
        let numbered = (2..).map(|number: u64| format!("{text}_{number}")).find(|new| !taken.contains(new));
        let Some(new) = numbered else { continue };
        problems.add(
            list,
            index,
            &format!("an earlier one is also named {text:?}"),
            &format!("it is renamed to {new:?}"),
        );
        taken.insert(new.clone());
        seen.insert(new.clone());
        **name = new.into();
    }
}
