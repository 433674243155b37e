//! `path.toml`: points of a way, and speeds over time.

use crate::TextError;
use serde::Deserialize;
use sinew_motion::SpeedKey;

/// A way over the ground as it stands in a file:
/// `points = [[0, 0], [0, 4], [2, 6]]` and, if wanted, `speeds = [{ time = 0, speed = 1.2 }, { time = 3, speed = 3.5 }]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathFile {
    /// x (to the left) and z (ahead), metres; a smooth curve goes through them.
    pub points: Vec<[f64; 2]>,
    /// Metres a second from a time on; changes are smooth.
    pub speeds: Vec<SpeedKey>,
}

impl PathFile {
    /// Reads a path in TOML.
    ///
    /// # Errors
    /// The text is no TOML, or has other members than a path.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        toml::from_str(text).map_err(TextError::syntax)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_speeds_are_read() {
        let text = "points = [[0, 0], [0, 4.5]]\nspeeds = [{ time = 0, speed = 1.2 }]";
        let path = PathFile::parse(text).expect("a path");
        assert_eq!((path.points.len(), path.speeds[0].speed), (2, 1.2));
        assert!(PathFile::parse("point = []").expect_err("a mistake").to_string().contains("point"));
        assert!(PathFile::parse("points = [[1]]").is_err());
    }
}
