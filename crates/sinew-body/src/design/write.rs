//! Writes designs, with a comment on every key.

use super::{ByName, Design, HeadChange, Sided};
use serde::Serialize;
use std::fmt::Write;
use toml::Value;

const HEAD: &str = "\
# A body design. Lengths are metres, +Y is up, +Z forward, +X the figure's left.
# Everything is optional. A value counts for both sides; `name.left` or `name.right` sets one side, written as on the left.
";
const SCALE: &str = "# Factor on every length of the template.\n";
const BASE: &str =
    "# The body that this design changes: template, sex, preset, and measures that were given.\n";
const JOINTS: &str = "# Positions of joints: name = [x, y, z].\n";
const LENGTHS: &str = "# Lengths of bones; attached parts move along.
";
const RINGS: &str = "\
# Rings: front and side (whole thicknesses), or girth with ratio (front over side) or with one thickness;
# shift of the center; flare, the widening along the tube; reach, the legs into the fills beside it; cut, the share of
# the tube's bay that they take.
";
const MIDDLES: &str = "# Thickness in the middle of bays, by \"tube/bay\": front, side, shift.\n";
const FILLS: &str = "\
# Fills between tubes: center (how far inside, 2.2 to 3), height (push outward),
# spread (below 1 pointed, above 1 flat), shift of the center.
";
const EDGES: &str = "# Edges between rings and nodes: bulge moves the middle control point.\n";
const NODES: &str = "# Shifts of nodes.\n";
const OFFSETS: &str = "\
# Offsets of single control points, kept through all changes above: \"tube/bay/row/column\", or \"fill/corner\" for
# the free middle point of the patch at that corner. They turn with their bone. Where fills meet: \"edge/legs/1\" to \"3\", the
# legs across an edge; \"node/tilt\", added to its normal; \"node/line/0\" and \"1\", its legs along both lines; and along the
# spoke from a side's middle to a fill's center \"fill/side/spoke\", \"fill/side/star\", \"fill/side/across1\" to \"across3\".
";
const HEAD_FORM: &str = "\
# The head: shape (amounts of the modes that go with the body's), face (amounts of the modes of faces, in deviations), size (factors on
# breadth, height and depth), stature of the body that it is made for.
";
const MOTIONS: &str = "\
# How bones move, by bone: roundness (the source's p), bulges of muscles, shapes of fills at 90 degrees, limits in degrees,
# axis, the direction of the bend axis.
";

impl Design {
    /// The design as TOML for [`Design::parse`].
    pub fn to_toml(&self) -> String {
        let mut text = HEAD.to_owned();
        if self.scale != 1.0 {
            let _ = write!(text, "\n{SCALE}scale = {:?}\n", self.scale);
        }
        if !self.base.is_empty() {
            let _ = write!(text, "\n{BASE}base = {}\n", on_one_line(&self.base));
        }
        if self.head != HeadChange::default() {
            let _ = write!(text, "\n{HEAD_FORM}head = {}\n", on_one_line(&self.head));
        }
        section(&mut text, "joints", JOINTS, &self.joints);
        section(&mut text, "lengths", LENGTHS, &self.lengths);
        section(&mut text, "rings", RINGS, &self.rings);
        section(&mut text, "middles", MIDDLES, &self.middles);
        section(&mut text, "fills", FILLS, &self.fills);
        section(&mut text, "edges", EDGES, &self.edges);
        section(&mut text, "nodes", NODES, &self.nodes);
        section(&mut text, "offsets", OFFSETS, &self.offsets);
        section(&mut text, "motions", MOTIONS, &self.motions);
        text
    }
}

fn section<T: Serialize>(text: &mut String, name: &str, comment: &str, values: &ByName<T>) {
    if values.is_empty() {
        return;
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{comment}[{name}]\n");
    for (key, value) in values {
        let key = quoted(key);
        match value {
            Sided::Both(value) => _ = writeln!(text, "{key} = {}", on_one_line(value)),
            Sided::Each { left, right } => {
                for (side, value) in [("left", left), ("right", right)] {
                    if let Some(value) = value {
                        let _ = writeln!(text, "{key}.{side} = {}", on_one_line(value));
                    }
                }
            }
        }
    }
}

/// A key in TOML syntax: unquoted if allowed.
fn quoted(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { key.to_owned() } else { format!("{key:?}") }
}

/// A value of a design, without missing values.
fn on_one_line(value: &impl Serialize) -> String {
    show(&Value::try_from(value).expect("designs hold numbers, lists and tables with names"))
}

fn show(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(show).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let entries = table.iter().map(|(key, value)| format!("{} = {}", quoted(key), show(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Float(number) => format!("{number:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(is_true) => is_true.to_string(),
        Value::String(word) => format!("{word:?}"),
        Value::Datetime(time) => time.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let text = "scale = 1.1\njoints.elbow.right = [0.1, 0.2, 0.3]\nrings.waist = { front = 0.3, shift = [0, 1, 0] }\n\
            middles.\"arm/upper_arm\".side = 0.1\nhead = { face = [0.5, -1], size = [1, 1.1, 1] }\nfills.buttock.height = 0.01\nedges.spine.bulge = [0, 0, 0.1]\n\
            nodes.crotch = [0, 0.01, 0]\noffsets.\"arm/upper_arm/2/5\" = [0.001, 1e-7, -3]\nlengths.thigh = 0.41\n\
            base = { sex = \"female\", preset = \"slim\", measures = { stature = 1.7 } }\n\
            motions.forearm = { roundness = 0.3, axis = [1, 0, 0.5], bulges = [{ patch = \"arm/upper_arm/0\", height = 0.01 }] }\n";
        let design = Design::parse(text).unwrap();
        assert_eq!(Design::parse(&design.to_toml()).unwrap(), design);
        assert_eq!(Design::parse(&Design::default().to_toml()).unwrap(), Design::default());
    }
}
