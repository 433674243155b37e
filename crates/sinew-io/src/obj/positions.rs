//! Only the positions of an OBJ file, in its order: shapes of one mesh, as sculpting tools write them.

use super::lines::{next_word, numbers};
use crate::PointsReadError;
use glam::Vec3;

/// Reads the positions of an OBJ file; ignores everything else.
///
/// # Errors
/// If a position is invalid.
pub fn read_obj_positions(bytes: &[u8]) -> Result<Vec<Vec3>, PointsReadError> {
    let mut positions = Vec::new();
    for (line, text) in super::lines::statements(bytes) {
        let mut rest = text.trim_ascii();
        if next_word(&mut rest) == Some("v") {
            positions.push(Vec3::from_array(numbers::<3>(rest).ok_or(PointsReadError::Position { line })?));
        }
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_in_order_and_bad_ones_are_told() {
        let text = b"o a\nv 1 2 3 # first\nvn 0 0 1\nv 4 5 6 1.0\nf 1 2 1\n";
        assert_eq!(read_obj_positions(text).unwrap(), [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]);
        assert_eq!(read_obj_positions(b"v 1 2 3\n\nv 1 nan 3"), Err(PointsReadError::Position { line: 3 }));
    }
}
