//! Writing designs, with a comment on every key.

use super::{ByName, Design, EdgeChange, FillChange, MiddleChange, RingChange, Sided};
use glam::{DVec2, DVec3};
use std::fmt::{Display, Write};

const HEAD: &str = "\
# A body design. Lengths are metres, +Y is up, +Z forward, +X the figure's left.
# Everything is optional. A value counts for both sides; `name.left` or `name.right` sets one side, written as on the left.
";
const SCALE: &str = "# Factor on every length of the template.\n";
const JOINTS: &str = "# Positions of joints: name = [x, y, z].\n";
const LENGTHS: &str = "# Lengths of bones; what hangs on the bone moves along.\n";
const RINGS: &str = "\
# Rings: front and side (whole thicknesses), or girth with ratio (front over side) or with one thickness;
# shift of the center; flare, the widening along the tube; reach, the legs into the fills beside it.
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

impl Design {
    /// The design as TOML, which [`Design::parse`] reads back.
    pub fn to_toml(&self) -> String {
        let mut text = HEAD.to_owned();
        let _ = write!(text, "\n{SCALE}scale = {:?}\n", self.scale);
        section(&mut text, "joints", JOINTS, &self.joints, vector);
        section(&mut text, "lengths", LENGTHS, &self.lengths, number);
        section(&mut text, "rings", RINGS, &self.rings, ring);
        section(&mut text, "middles", MIDDLES, &self.middles, middle);
        section(&mut text, "fills", FILLS, &self.fills, fill);
        section(&mut text, "edges", EDGES, &self.edges, edge);
        section(&mut text, "nodes", NODES, &self.nodes, vector);
        section(&mut text, "offsets", OFFSETS, &self.offsets, vector);
        text
    }
}

fn section<T>(text: &mut String, name: &str, comment: &str, values: &ByName<T>, show: fn(&T) -> String) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{comment}[{name}]\n");
    for (key, value) in values {
        let key = quoted(key);
        match value {
            Sided::Both(value) => _ = writeln!(text, "{key} = {}", show(value)),
            Sided::Each { left, right } => {
                for (side, value) in [("left", left), ("right", right)] {
                    if let Some(value) = value {
                        let _ = writeln!(text, "{key}.{side} = {}", show(value));
                    }
                }
            }
        }
    }
}

/// A key as it must be written: bare where TOML allows.
fn quoted(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { key.to_owned() } else { format!("{key:?}") }
}

fn number(value: &f64) -> String {
    format!("{value:?}")
}

fn vector(value: &DVec3) -> String {
    format!("[{:?}, {:?}, {:?}]", value.x, value.y, value.z)
}

fn pair(value: &DVec2) -> String {
    format!("[{:?}, {:?}]", value.x, value.y)
}

fn table<const N: usize>(entries: [(&str, Option<String>); N]) -> String {
    let given: Vec<String> =
        entries.into_iter().filter_map(|(key, value)| value.map(|value| assignment(key, value))).collect();
    format!("{{ {} }}", given.join(", "))
}

fn assignment(key: &str, value: impl Display) -> String {
    format!("{key} = {value}")
}

fn ring(ring: &RingChange) -> String {
    table([
        ("front", ring.front.as_ref().map(number)),
        ("side", ring.side.as_ref().map(number)),
        ("girth", ring.girth.as_ref().map(number)),
        ("ratio", ring.ratio.as_ref().map(number)),
        ("shift", ring.shift.as_ref().map(vector)),
        ("flare", ring.flare.as_ref().map(pair)),
        ("reach", ring.reach.as_ref().map(number)),
    ])
}

fn middle(middle: &MiddleChange) -> String {
    table([
        ("front", middle.front.as_ref().map(number)),
        ("side", middle.side.as_ref().map(number)),
        ("shift", middle.shift.as_ref().map(vector)),
    ])
}

fn fill(fill: &FillChange) -> String {
    table([
        ("center", fill.center.as_ref().map(number)),
        ("height", fill.height.as_ref().map(number)),
        ("spread", fill.spread.as_ref().map(number)),
        ("shift", fill.shift.as_ref().map(vector)),
    ])
}

fn edge(edge: &EdgeChange) -> String {
    table([("bulge", edge.bulge.as_ref().map(vector))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let text = "scale = 1.1\njoints.elbow.right = [0.1, 0.2, 0.3]\nrings.waist = { front = 0.3, shift = [0, 1, 0] }\n\
            middles.\"arm/upper_arm\".side = 0.1\nfills.buttock.height = 0.01\nedges.spine.bulge = [0, 0, 0.1]\n\
            nodes.crotch = [0, 0.01, 0]\noffsets.\"arm/upper_arm/2/5\" = [0.001, 1e-7, -3]\nlengths.thigh = 0.41\n";
        let design = Design::parse(text).unwrap();
        assert_eq!(Design::parse(&design.to_toml()).unwrap(), design);
        assert_eq!(Design::parse(&Design::default().to_toml()).unwrap(), Design::default());
    }
}
