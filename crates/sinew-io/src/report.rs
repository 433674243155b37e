//! Losses and repairs that a reader or writer reports.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// One reported loss or repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where, in the file's own terms: `meshes[2].primitives[0]`, `line 12`.
    pub place: String,
    /// What was found and what Sinew did about it; without the names of [`Warning::loss`].
    pub message: String,
    /// The things that are lost, where the warning is about things that a format cannot hold.
    pub loss: Option<Loss>,
}

/// Things of one kind that a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// In the plural: `rigid bodies`.
    pub kind: String,
    /// How many there are.
    pub count: usize,
    /// Their names in the file's order, `#12` for one without a name; empty where they never have names.
    pub names: Vec<String>,
}

impl Loss {
    /// A loss of things that all have a place for a name.
    pub fn of(kind: &str, names: Vec<String>) -> Self {
        Self { kind: kind.into(), count: names.len(), names }
    }
}

/// Names of a loss in a short text.
const MOST_NAMES: usize = 3;

impl Warning {
    /// The warning in a line: the first names of a loss, and the number of the others.
    pub fn short(&self) -> String {
        self.with_names(MOST_NAMES)
    }

    fn with_names(&self, most: usize) -> String {
        let place = if self.place.is_empty() { String::new() } else { format!("{}: ", self.place) };
        let names = self.loss.as_ref().map_or_else(String::new, |loss| names_text(&loss.names, most));
        format!("{place}{}{names}", self.message)
    }

    /// The text without numbers and names: equal for warnings of one kind.
    fn pattern(&self) -> String {
        let text = self.with_names(0);
        let parts = text.split('"').enumerate();
        // Every second part is between quotes: a name.
        let outside = parts.filter(|(at, _)| at % 2 == 0).flat_map(|(_, part)| part.chars());
        outside.filter(|letter| !letter.is_ascii_digit()).collect()
    }
}

/// ` ("a", "b" and 3 more)`.
fn names_text(names: &[String], most: usize) -> String {
    if names.is_empty() || most == 0 {
        return String::new();
    }
    let shown: Vec<String> = names.iter().take(most).map(|name| format!("{name:?}")).collect();
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(" ({}{more})", shown.join(", "))
}

/// The whole warning, with all names of a loss.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_names(usize::MAX))
    }
}

/// All warnings about one file, in the order found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    warnings: Vec<Warning>,
    /// Number of warnings past [`MOST_WARNINGS`].
    left_out: usize,
}

/// Warnings of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningGroup<'a> {
    /// The first of them.
    pub first: &'a Warning,
    /// How many others there are.
    pub more: usize,
}

/// A damaged file may have an error in every element. This limit bounds the memory; no one reads more.
const MOST_WARNINGS: usize = 1000;

impl Report {
    /// Adds a warning.
    pub fn warn(&mut self, place: impl fmt::Display, message: impl fmt::Display) {
        self.push(place.to_string(), message.to_string(), None);
    }

    /// Adds a loss of things with names: `glTF cannot store rigid bodies: 2 left out ("a", "b")`. Nothing if there are none.
    pub fn lose(&mut self, format: &str, kind: &str, names: Vec<String>) {
        self.lose_counted(format, Loss::of(kind, names), "left out");
    }

    /// [`Self::lose`] with what became of the things, in place of "left out".
    pub fn lose_counted(&mut self, format: &str, mut loss: Loss, became: &str) {
        let number = |(index, name): (usize, &mut String)| {
            if name.is_empty() {
                *name = format!("#{index}");
            }
        };
        loss.names.iter_mut().enumerate().for_each(number);
        if loss.count > 0 {
            let message = format!("{format} cannot store {}: {} {became}", loss.kind, loss.count);
            self.push(String::new(), message, Some(loss));
        }
    }

    fn push(&mut self, place: String, message: String, loss: Option<Loss>) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(Warning { place, message, loss });
        } else {
            self.left_out += 1;
        }
    }

    /// All kept warnings, in order.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The things that a format could not hold, in order.
    pub fn losses(&self) -> impl Iterator<Item = &Loss> {
        self.warnings.iter().filter_map(|warning| warning.loss.as_ref())
    }

    /// Warnings that differ by numbers and names alone, together; in the order of the first of each kind.
    pub fn grouped(&self) -> Vec<WarningGroup<'_>> {
        let mut groups: Vec<(String, WarningGroup<'_>)> = Vec::new();
        for warning in &self.warnings {
            let pattern = warning.pattern();
            match groups.iter_mut().find(|(known, _)| *known == pattern) {
                Some((_, group)) => group.more += 1,
                None => groups.push((pattern, WarningGroup { first: warning, more: 0 })),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Number of warnings past the first 1000, which are counted but not kept.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Adds the warnings of another report, under a place of their own.
    pub fn take_in(&mut self, place: impl fmt::Display, other: &Self) {
        for Warning { place: inner, message, loss } in &other.warnings {
            let message = if inner.is_empty() { message.clone() } else { format!("{inner}: {message}") };
            self.push(place.to_string(), message, loss.clone());
        }
    }

    /// True if there are no warnings.
    pub fn is_empty(&self) -> bool {
        self.warnings.is_empty()
    }
}

/// The list of its warnings, in words.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.warnings.iter().map(ToString::to_string))
    }
}

/// A report of writing as members of its outcome: `losses`, all in words, and `lost`, what the format cannot hold by kind. For
/// `#[serde(flatten, serialize_with = "…")]`.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_losses<S: Serializer>(report: &Report, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("losses", report)?;
    map.serialize_entry("lost", &report.losses().collect::<Vec<_>>())?;
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("hair {number}")).collect()
    }

    #[test]
    fn a_loss_names_the_first_few_and_all_when_asked() {
        let mut report = Report::default();
        report.lose("glTF", "joints", Vec::new());
        assert!(report.is_empty());
        report.lose("glTF", "rigid bodies", names(5));
        let warning = &report.warnings()[0];
        let start = "glTF cannot store rigid bodies: 5 left out (\"hair 0\", \"hair 1\", \"hair 2\"";
        assert_eq!(warning.short(), format!("{start} and 2 more)"));
        assert_eq!(warning.to_string(), format!("{start}, \"hair 3\", \"hair 4\")"));
        report.lose("glTF", "cameras", vec![String::new()]);
        assert_eq!(report.warnings()[1].short(), "glTF cannot store cameras: 1 left out (\"#0\")");
    }

    #[test]
    fn outcomes_have_the_words_and_the_kinds() {
        #[derive(Serialize)]
        struct Outcome {
            #[serde(flatten, serialize_with = "serialize_losses")]
            losses: Report,
        }
        let mut losses = Report::default();
        losses.warn("images[0]", "it was not found; left out");
        losses.lose("PMX", "springs", names(1));
        let json = serde_json::to_value(Outcome { losses }).unwrap();
        assert_eq!(json["losses"].as_array().map(Vec::len), Some(2));
        let expected = serde_json::json!([{ "kind": "springs", "count": 1, "names": ["hair 0"] }]);
        assert_eq!(json["lost"], expected);
    }

    #[test]
    fn warnings_that_differ_by_numbers_and_names_are_one_kind() {
        let mut report = Report::default();
        for bone in 0..12 {
            report.warn(format!("bones[{bone}]"), format!("\"b{bone}\" follows {bone} others"));
        }
        report.warn("bones[3]", "is its own ancestor");
        let groups: Vec<_> =
            report.grouped().iter().map(|group| (group.first.place.as_str(), group.more)).collect();
        assert_eq!(groups, [("bones[0]", 11), ("bones[3]", 0)]);
    }

    #[test]
    fn a_report_taken_in_keeps_its_losses() {
        let (mut inner, mut outer) = (Report::default(), Report::default());
        inner.lose("VMD", "cameras", names(2));
        inner.warn("line 2", "odd");
        outer.take_in("walk.vmd", &inner);
        assert_eq!(outer.losses().count(), 1);
        assert_eq!(outer.warnings()[1].to_string(), "walk.vmd: line 2: odd");
    }
}
