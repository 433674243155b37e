//! Addresses of control points in designs.

use crate::design::{ByName, Sided};
use crate::template::Template;

/// Target of an offset's key, in the part that the key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A control point of a tube, rows counted along the whole tube.
    Tube { row: usize, column: usize },
    /// The free middle point of the patch at a corner of a fill.
    Fill { corner: usize },
    /// A free parameter of the spoke of a fill's side.
    Spoke { side: usize, part: SpokePart },
    /// A leg across an edge, one to three.
    EdgeLeg { leg: usize },
    /// A node's normal.
    NodeTilt,
    /// A node's legs along one of its lines.
    NodeLeg { line: usize },
}

/// Target of a spoke offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpokePart {
    Bulge,
    Star,
    /// The leg across it, one to three.
    Across(usize),
}

impl Address {
    /// Parses an address: `tube/bay/row/column`, `fill/corner`, `fill/side/spoke`, `fill/side/star`, `fill/side/across1` to `across3`,
    /// `edge/legs/1` to `3`, `node/tilt`, `node/line/0` or `1`; `None` if the template has no such point.
    ///
    /// The first two rows of a tube that continues another belong to that tube and have no address here.
    pub(crate) fn parse(template: &Template, key: &str) -> Option<Address> {
        let is_node = |name: &str| template.text().nodes.iter().any(|found| found.name == name);
        let is_edge = |name: &str| template.text().edges.iter().any(|found| found.name == name);
        let mut parts = key.split('/');
        let mut next = || parts.next();
        match [next(), next(), next(), next(), next()] {
            [Some(tube), Some(bay), Some(row), Some(column), None] => {
                Self::in_tube(template, tube, bay, row, column)
            }
            [Some(node), Some("tilt"), None, ..] if is_node(node) => Some(Address::NodeTilt),
            [Some(node), Some("line"), Some(line), None, ..] if is_node(node) => {
                Some(Address::NodeLeg { line: number_in(line, 0, 1)? })
            }
            [Some(edge), Some("legs"), Some(leg), None, ..] if is_edge(edge) => {
                Some(Address::EdgeLeg { leg: number_in(leg, 1, 3)? })
            }
            [Some(fill), Some(side), Some(part), None, ..] => {
                let part = match part {
                    "spoke" => SpokePart::Bulge,
                    "star" => SpokePart::Star,
                    _ => SpokePart::Across(number_in(part.strip_prefix("across")?, 1, 3)?),
                };
                Some(Address::Spoke { side: corner_of(template, fill, side)?, part })
            }
            [Some(fill), Some(corner), None, ..] => {
                Some(Address::Fill { corner: corner_of(template, fill, corner)? })
            }
            _ => None,
        }
    }

    /// The entries with keys that start with the name of a tube or fill.
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
        let bay = text.bay_names().position(|name| name == bay)?;
        let layout = template.layout.tubes.iter().find(|found| found.text == tube)?;
        let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
        let whole_row = 4 * bay + row;
        let is_taken_over = layout.continues.is_some() && whole_row < 2;
        let is_inside = row <= 4 && column < 4 * layout.patch_count;
        (is_inside && !is_taken_over).then_some(Address::Tube { row: whole_row, column })
    }
}

fn corner_of(template: &Template, fill: &str, corner: &str) -> Option<usize> {
    let fill = template.text().fills.iter().position(|found| found.name == fill)?;
    let found = template.layout.fills.iter().find(|found| found.text == fill)?;
    corner.parse().ok().filter(|corner| found.listed.contains(corner))
}

fn number_in(text: &str, low: usize, high: usize) -> Option<usize> {
    text.parse().ok().filter(|number| (low..=high).contains(number))
}
