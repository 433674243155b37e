//! The faces of each material.

use super::Pmx;
use std::ops::Range;

impl Pmx {
    /// The faces of each material, one range per material, and the remaining ones. Counts that are negative or exceed the faces are cut.
    pub(super) fn face_shares(&self) -> (Vec<Range<usize>>, Range<usize>) {
        let mut end = 0usize;
        let shares = self.materials.iter().map(|material| {
            let start = end;
            let count = usize::try_from(material.index_count).unwrap_or(0) / 3;
            end = start.saturating_add(count).min(self.faces.len());
            start..end
        });
        (shares.collect(), end..self.faces.len())
    }
}
