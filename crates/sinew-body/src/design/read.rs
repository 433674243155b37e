//! Reading designs. Errors name the key by its whole path.

use super::{ByName, Design, Sided};
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// Why a text is not a design.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DesignError {
    /// The text is not TOML.
    #[error("the design is not TOML: {message}")]
    Syntax {
        /// What the parser says, with its line.
        message: String,
    },
    /// A key is unknown or its value is of the wrong kind.
    #[error("{key}: {message}")]
    Key {
        /// The key's path, such as `rings.waist.girth`.
        key: String,
        /// What is wrong with it.
        message: String,
    },
}

/// The keys of a design file.
const KEYS: &str = "scale, joints, lengths, rings, middles, fills, edges, nodes or offsets";

impl Design {
    /// Reads a design. Whether its names are those of a template is found out when it is built.
    ///
    /// # Errors
    /// If the text is not TOML, or a key is unknown or of the wrong kind; the error names the key.
    pub fn parse(text: &str) -> Result<Self, DesignError> {
        let table: Table = toml::from_str(text)
            .map_err(|error| DesignError::Syntax { message: error.to_string().trim().to_owned() })?;
        let mut design = Design::default();
        for (key, value) in table {
            match key.as_str() {
                "scale" => design.scale = leaf("scale", value)?,
                "joints" => design.joints = by_name("joints", value)?,
                "lengths" => design.lengths = by_name("lengths", value)?,
                "rings" => design.rings = by_name("rings", value)?,
                "middles" => design.middles = by_name("middles", value)?,
                "fills" => design.fills = by_name("fills", value)?,
                "edges" => design.edges = by_name("edges", value)?,
                "nodes" => design.nodes = by_name("nodes", value)?,
                "offsets" => design.offsets = by_name("offsets", value)?,
                _ => return Err(wrong(&key, format!("unknown key, expected {KEYS}"))),
            }
        }
        Ok(design)
    }
}

fn by_name<T: DeserializeOwned>(kind: &str, value: Value) -> Result<ByName<T>, DesignError> {
    table_of(kind, value)?
        .into_iter()
        .map(|(name, value)| {
            let key = format!("{kind}.{name}");
            Ok((name, sided(&key, value)?))
        })
        .collect()
}

/// A table with nothing but `left` and `right` is a value for each side.
fn sided<T: DeserializeOwned>(key: &str, value: Value) -> Result<Sided<T>, DesignError> {
    let is_each = value
        .as_table()
        .is_some_and(|table| !table.is_empty() && table.keys().all(|side| side == "left" || side == "right"));
    if !is_each {
        return Ok(Sided::Both(leaf(key, value)?));
    }
    let (mut left, mut right) = (None, None);
    for (side, value) in table_of(key, value)? {
        let value = Some(leaf(&format!("{key}.{side}"), value)?);
        if side == "left" { left = value } else { right = value }
    }
    Ok(Sided::Each { left, right })
}

fn table_of(key: &str, value: Value) -> Result<Table, DesignError> {
    match value {
        Value::Table(table) => Ok(table),
        other => Err(wrong(key, format!("expected a table, found {}", other.type_str()))),
    }
}

fn leaf<T: DeserializeOwned>(key: &str, value: Value) -> Result<T, DesignError> {
    value.try_into().map_err(|error: toml::de::Error| wrong(key, error.message().trim()))
}

fn wrong(key: &str, message: impl Into<String>) -> DesignError {
    DesignError::Key { key: key.to_owned(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::Flank;
    use glam::DVec3;

    #[test]
    fn sides_may_differ() {
        let text = "rings.waist.girth = 0.9\njoints.elbow = [0.4, 1.2, 0.0]\nlengths.forearm.right = 0.25\n";
        let design = Design::parse(text).unwrap();
        assert_eq!(design.rings["waist"].on(Flank::Middle).unwrap().girth, Some(0.9));
        assert_eq!(design.joints["elbow"].on(Flank::Right), Some(&DVec3::new(0.4, 1.2, 0.0)));
        assert_eq!(design.lengths["forearm"].on(Flank::Left), None);
        assert_eq!(design.lengths["forearm"].on(Flank::Right), Some(&0.25));
    }

    #[test]
    fn errors_name_the_key() {
        for (text, key) in [
            ("colour = 1", "colour"),
            ("rings.waist.grith = 0.9", "rings.waist"),
            ("rings.waist.left.girth = \"wide\"", "rings.waist.left"),
            ("joints.elbow = [1, 2]", "joints.elbow"),
            ("lengths = 3", "lengths"),
            ("scale = \"big\"", "scale"),
        ] {
            let Err(DesignError::Key { key: found, .. }) = Design::parse(text) else {
                panic!("{text} was taken");
            };
            assert_eq!(found, key, "{text}");
        }
        assert!(matches!(Design::parse("rings = ["), Err(DesignError::Syntax { .. })));
    }
}
