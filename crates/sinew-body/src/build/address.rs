//! Addresses of control points in designs.

use crate::design::{ByName, Sided};
use crate::template::Template;

/// What an offset's key leads to: indices of the template's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A control point of a tube, rows counted along the whole tube.
    Tube { tube: usize, row: usize, column: usize },
    /// The free middle point of the patch at a corner of a fill.
    Fill { fill: usize, corner: usize },
}

impl Address {
    /// Reads `tube/bay/row/column` or `fill/corner`; none if the template has no such point.
    ///
    /// The first two rows of a tube that goes on from another are that tube's, and have no address here.
    pub(crate) fn parse(template: &Template, key: &str) -> Option<Address> {
        let mut parts = key.split('/');
        let mut next = || parts.next();
        match [next(), next(), next(), next(), next()] {
            [Some(tube), Some(bay), Some(row), Some(column), None] => {
                Self::in_tube(template, tube, bay, row, column)
            }
            [Some(fill), Some(corner), None, ..] => {
                let fill = template.text().fills.iter().position(|found| found.name == fill)?;
                let corner: usize = corner.parse().ok()?;
                let found = template.layout().fills.iter().find(|found| found.text == fill)?;
                found.listed.contains(&corner).then_some(Address::Fill { fill, corner })
            }
            _ => None,
        }
    }

    /// The entries whose keys begin with the name of a tube or fill.
    pub(super) fn keys_of<'a, T>(
        offsets: &'a ByName<T>,
        name: &str,
    ) -> impl Iterator<Item = (&'a String, &'a Sided<T>)> {
        let start = format!("{name}/");
        let end = format!("{name}0");
        // '0' follows '/' in the order of keys.
        offsets.range(start..end)
    }

    fn in_tube(template: &Template, tube: &str, bay: &str, row: &str, column: &str) -> Option<Address> {
        let tube = template.text().tubes.iter().position(|found| found.name == tube)?;
        let text = &template.text().tubes[tube];
        let names = text.bays.iter().map(|bay| &bay.name).chain(text.tip.iter().map(|tip| &tip.name));
        let bay = names.into_iter().position(|name| name == bay)?;
        let layout = template.layout().tubes.iter().find(|found| found.text == tube)?;
        let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
        let whole_row = 4 * bay + row;
        let is_taken_over = layout.continues.is_some() && whole_row < 2;
        let is_inside = row <= 4 && column < 4 * layout.patch_count;
        (is_inside && !is_taken_over).then_some(Address::Tube { tube, row: whole_row, column })
    }
}
