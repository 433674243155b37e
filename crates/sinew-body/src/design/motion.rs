//! Changes of a template's motions: the source's deformation parameters, tuned on each model (\[Komatsu88\] section 6).

use super::{ByName, given_ref};
use crate::template::{Flank, MotionText};
use glam::DVec3;
use serde::de::Error;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// What a design changes of a bone's motion: any key of [`MotionText`] but `bone`, and `axis`, the direction of the bend axis.
///
/// Kept as written, so that every key a template knows can be changed: numbers replace numbers; an item of a list changes the template's
/// item of the same names (such as `patch`, or `fill` and `way`), or is added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MotionChange(pub Table);

/// The key of the bend axis.
const AXIS: &str = "axis";
/// The key that says which angle an item is for, and its default.
const WAY: (&str, &str) = ("way", "bend");

impl MotionChange {
    /// The direction of the bend axis, if given.
    ///
    /// # Errors
    /// If it is not three numbers.
    pub fn axis(&self) -> Result<Option<DVec3>, String> {
        let Some(value) = self.0.get(AXIS) else { return Ok(None) };
        let axis: [f64; 3] = value.clone().try_into().map_err(|_| "axis must be three numbers".to_owned())?;
        Ok(Some(DVec3::from_array(axis)))
    }

    /// The motion of a template with these changes.
    ///
    /// # Errors
    /// An unknown key or a value of the wrong type.
    pub fn applied_to(&self, listed: &MotionText) -> Result<MotionText, String> {
        let message = |error: toml::de::Error| error.message().trim().to_owned();
        let mut table = Table::try_from(listed).map_err(|error| error.to_string())?;
        if self.0.contains_key("bone") {
            return Err(message(toml::de::Error::custom("the bone is the name of the table")));
        }
        let own = self.0.iter().filter(|(key, _)| *key != AXIS);
        merge(&mut table, own);
        table.try_into().map_err(message)
    }

    /// These changes over others.
    #[must_use]
    pub fn over(&self, base: &MotionChange) -> MotionChange {
        let mut table = base.0.clone();
        merge(&mut table, self.0.iter());
        MotionChange(table)
    }
}

/// The motion of a bone in a design: the template's, with the design's changes if it has any. Changes must have been checked.
pub(crate) fn changed_motion(
    motions: &ByName<MotionChange>,
    bone: &str,
    flank: Flank,
    listed: &MotionText,
) -> MotionText {
    let change = given_ref(motions, bone, flank);
    change.and_then(|change| change.applied_to(listed).ok()).unwrap_or_else(|| listed.clone())
}

fn merge<'a>(table: &mut Table, own: impl Iterator<Item = (&'a String, &'a Value)>) {
    for (key, value) in own {
        match (table.get_mut(key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => merge(old, new.iter()),
            (Some(Value::Array(old)), Value::Array(new)) if new.iter().all(Value::is_table) => {
                new.iter().for_each(|item| merge_item(old, item));
            }
            _ => _ = table.insert(key.clone(), value.clone()),
        }
    }
}

/// Changes the item of a list that has the same names, or adds it.
fn merge_item(list: &mut Vec<Value>, item: &Value) {
    let found = list.iter_mut().find(|old| names(old) == names(item));
    match (found, item) {
        (Some(Value::Table(old)), Value::Table(new)) => merge(old, new.iter()),
        _ => list.push(item.clone()),
    }
}

/// All words in an item: what it is about. A missing `way` is the default one.
fn names(item: &Value) -> Vec<(String, String)> {
    let Value::Table(table) = item else { return Vec::new() };
    let words = table.iter().filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
    let mut names: Vec<(String, String)> = words.collect();
    if !table.contains_key(WAY.0) {
        names.push((WAY.0.to_owned(), WAY.1.to_owned()));
    }
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::BentWay;

    fn change(text: &str) -> MotionChange {
        MotionChange(text.parse().unwrap())
    }

    #[test]
    fn numbers_replace_numbers_and_items_find_their_own() {
        let listed: MotionText = toml::from_str(
            "bone = \"upper_arm\"\nroundness = 0.1\nfills = [{ fill = \"a\", height = 0.1, spread = 1.2 }, { fill = \"a\", way = \"aside\", height = 0.2 }]",
        )
        .unwrap();
        let own = change(
            "roundness = 0.3\nfills = [{ fill = \"a\", way = \"aside\", height = 0.5 }, { fill = \"a\", height = 0.4 }, { fill = \"b\" }]",
        );
        let found = own.applied_to(&listed).unwrap();
        assert_eq!(found.roundness, 0.3);
        assert_eq!(found.fills.len(), 3);
        assert_eq!((found.fills[0].height, found.fills[0].spread), (Some(0.4), Some(1.2)));
        assert_eq!((found.fills[1].height, found.fills[1].way), (Some(0.5), BentWay::Aside));
        let both = change("roundness = 0.5").over(&own);
        assert_eq!(both.applied_to(&listed).unwrap().fills.len(), 3);
        assert_eq!(both.applied_to(&listed).unwrap().roundness, 0.5);
    }

    #[test]
    fn unknown_keys_and_wrong_types_are_named() {
        let listed = MotionText { bone: "forearm".into(), ..MotionText::default() };
        for (text, message) in [
            ("roudness = 0.3", "unknown field `roudness`"),
            ("roundness = \"much\"", "invalid type: string \"much\""),
            ("bone = \"hand\"", "the bone is the name of the table"),
        ] {
            let error = change(text).applied_to(&listed).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        assert!(change("axis = [1, 0]").axis().is_err());
        assert_eq!(change("axis = [1, 0, 0.5]").axis(), Ok(Some(DVec3::new(1.0, 0.0, 0.5))));
    }
}
