//! Reading designs.

use super::Design;
use crate::fill::FillError;
use toml::Table;

/// Error of reading or checking a design.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DesignError {
    #[error("the design is not valid TOML: {message}")]
    Syntax { message: String },
    #[error("{message}")]
    Value { message: String },
    /// Keys are those of the design, such as `rings.waist`.
    #[error("{key}: unknown {kind}; the template has {known}")]
    Unknown { key: String, kind: &'static str, known: String },
    /// Parts of the heads that were tubes: the first key and how many others.
    #[error(
        "{key}{} of a head made of tubes, which is now a net of patches; remove such keys and shape the head with head.size and head.face, or make the body anew with `sinew body`",
        if *others == 0 { " is".to_owned() } else { format!(" and {others} other keys are") }
    )]
    Gone { key: String, others: usize },
    /// In the key's own unit, m where it is a length.
    #[error("{key} {found} is out of range; use {low} to {high}")]
    Range { key: String, found: f64, low: f64, high: f64 },
    #[error("{key}: {problem}")]
    Conflict { key: String, problem: String },
    #[error("fill \"{name}\" of the template does not close: {source}")]
    Fill { name: String, source: FillError },
}

impl Design {
    /// Parses a design. Its names are checked when it is built.
    ///
    /// # Errors
    /// If the text is not TOML, or a key is unknown or of the wrong type; the error names line and column.
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

    #[test]
    fn man_and_woman_are_closed_and_smooth() {
        for (design, least_m, most_m) in
            [(crate::testing::man(), 1.75, 1.76), (crate::testing::woman(), 1.62, 1.64)]
        {
            let body = crate::build(&crate::Template::human(), &design).unwrap();
            crate::testing::assert_smooth_and_closed(&body, 9);
            assert!((least_m..most_m).contains(&body.stature()), "{}", body.stature());
        }
    }
}
