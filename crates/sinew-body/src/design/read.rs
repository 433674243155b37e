//! Reading designs.

use super::Design;
use crate::fill::FillError;
use toml::Table;

/// What is wrong with a design: its text, or one thing in it that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The text is not TOML.
    #[error("the design is not TOML: {message}")]
    Syntax {
        /// What the parser says, with line and column.
        message: String,
    },
    /// A key is unknown or its value is of the wrong kind.
    #[error("{message}")]
    Value {
        /// What the parser says, with line and column.
        message: String,
    },
    /// The template has nothing of that name.
    #[error("{key}: the template has no {kind} of that name; it has {known}")]
    Unknown {
        /// The key in the design, such as `rings.waist`.
        key: String,
        /// What was looked for.
        kind: &'static str,
        /// The names there are.
        known: String,
    },
    /// A number is outside what makes sense.
    #[error("{key} is {found}, use {low} to {high}")]
    Range {
        /// The key in the design.
        key: String,
        /// In the key's own unit, metres where it is a length.
        found: f64,
        /// Least value that makes sense.
        low: f64,
        /// Greatest value that makes sense.
        high: f64,
    },
    /// Values contradict each other.
    #[error("{key}: {problem}")]
    Conflict {
        /// The key in the design.
        key: String,
        /// What contradicts what.
        problem: String,
    },
    /// A fill does not close. The template's numbers are wrong, not the design's.
    #[error("fill \"{name}\" does not close: {source}")]
    Fill {
        /// The template's name for it.
        name: String,
        /// Why.
        source: FillError,
    },
}

impl Design {
    /// Reads a design. Whether its names are those of a template is found out when it is built.
    ///
    /// # Errors
    /// If the text is not TOML, or a key is unknown or of the wrong kind; the error names line and column.
    pub fn parse(text: &str) -> Result<Self, DesignError> {
        toml::from_str(text).map_err(|error| {
            let message = error.to_string().trim().to_owned();
            match text.parse::<Table>() {
                Ok(_) => DesignError::Value { message },
                Err(_) => DesignError::Syntax { message },
            }
        })
    }
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
    fn errors_tell_the_line_and_what_is_wrong() {
        for (text, message) in [
            ("colour = 1", "unknown field `colour`"),
            ("rings.waist.grith = 0.9", "unknown field `grith`"),
            ("rings.waist.left.girth = \"wide\"", "invalid type: string \"wide\", expected f64"),
            ("joints.elbow = [1, 2]", "invalid length 2"),
            ("lengths = 3", "invalid type: integer `3`, expected a map"),
            ("scale = \"big\"", "invalid type: string \"big\", expected f64"),
        ] {
            let error = Design::parse(&format!("\n{text}")).expect_err(text);
            let DesignError::Value { message: found } = &error else { panic!("{error}") };
            assert!(found.contains("line 2") && found.contains(text) && found.contains(message), "{found}");
        }
        assert!(matches!(Design::parse("rings = ["), Err(DesignError::Syntax { .. })));
    }
}
