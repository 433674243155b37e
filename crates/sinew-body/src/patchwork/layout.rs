//! The layout of a net of patches as data: the left half of nodes, edges, faces, and the lines that edges follow.

use std::collections::BTreeMap;

/// One half of a mirrored layout, as written; the right half is its mirror image.
///
/// Nodes are numbers: those on the left first, then those in the middle plane. Edges have the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Nodes off the middle plane.
    pub left_nodes: usize,
    /// Nodes in the middle plane.
    pub middle_nodes: usize,
    /// Lines of edges that run straight through nodes.
    pub lines: Vec<Line>,
    /// Edges of the left half, then those in the middle plane.
    pub edges: Vec<LayoutEdge>,
    /// Faces of the left half; none lies across the middle plane.
    pub faces: Vec<LayoutFace>,
}

/// A line across which legs keep one ratio.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Unique in the layout.
    pub name: String,
    /// Length of legs on its right over those on its left, seen from outside along the line.
    pub ratio: f64,
}

/// A line as an edge follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineUse {
    /// Index into the lines.
    pub line: usize,
    /// Whether the edge runs along the line, not against it.
    pub is_forward: bool,
}

/// An edge between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayoutEdge {
    /// From and to.
    pub ends: [usize; 2],
    /// The lines at both ends. Where they differ, the ratio of legs is linear along the edge; one of its faces must then be a fill or a
    /// Gregory patch.
    pub lines: [LineUse; 2],
}

/// An edge with a direction, which has a face on its left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dart {
    /// Index of the edge.
    pub edge: usize,
    /// Whether it runs from the edge's first node to its second.
    pub is_forward: bool,
}

/// A face with three to eight sides: four make a Bézier or Gregory patch, any other number a fill.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutFace {
    /// Its sides, counter-clockwise seen from outside.
    pub sides: Vec<Dart>,
    /// What it belongs to, such as `mouth 3-5`.
    pub group: String,
    /// Whether it lies inside mouth, nostril or eye socket.
    pub is_hidden: bool,
    /// Whether a four-sided face is a Gregory patch: then the ratio of legs may change along its edges.
    pub is_split: bool,
}

/// Error of reading or building a layout.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum LayoutError {
    /// Lines of text are counted from one.
    #[error("line {line}: {problem}")]
    Text { line: usize, problem: String },
    #[error("face {face}: side {side} does not start where the previous one ends")]
    OpenFace { face: usize, side: usize },
    #[error("edge {edge} has two faces on one side: {first} and {second}")]
    Crowded { edge: usize, first: usize, second: usize },
    #[error("node {node} has {found} edges; expected 4, or 3 on the border")]
    Valence { node: usize, found: usize },
    #[error("the ratio of legs jumps at node {node} from {before} to {after}")]
    Ratio { node: usize, before: f64, after: f64 },
    #[error("the ratio of legs changes along edge {edge}, which lies between two Bézier patches")]
    LinearRatio { edge: usize },
    #[error("face {face} has {found} sides; expected 3 to 8")]
    Sides { face: usize, found: usize },
}

impl Dart {
    /// The same edge run the other way.
    #[must_use]
    pub fn reversed(self) -> Dart {
        Dart { is_forward: !self.is_forward, ..self }
    }
}

impl Layout {
    /// The human head down to the neck: 434 faces with both halves, open at a ring of 16 nodes.
    ///
    /// # Panics
    /// Never: tests read the same data.
    #[must_use]
    pub fn head() -> Layout {
        Layout::parse(include_str!("../../data/head-layout.txt")).expect("tests read the data")
    }

    /// Reads a layout. Each line of text is one of
    /// ```text
    /// nodes LEFT MIDDLE
    /// line NAME RATIO
    /// edge FROM TO LINE [LINE-AT-END]     a line run backward has a leading -
    /// face GROUP EDGE…                    from 1, run backward negative; a group with a leading ~ is hidden
    /// split GROUP EDGE…                   the same as a Gregory patch
    /// ```
    ///
    /// # Errors
    /// If a line cannot be read or names something unknown.
    pub fn parse(text: &str) -> Result<Layout, LayoutError> {
        let (left_nodes, middle_nodes, lines) = (0, 0, Vec::new());
        let mut layout = Layout { left_nodes, middle_nodes, lines, edges: Vec::new(), faces: Vec::new() };
        let mut names = BTreeMap::new();
        for (index, row) in text.lines().enumerate() {
            let mut words = row.split_whitespace();
            let Some(kind) = words.next().filter(|word| !word.starts_with('#')) else { continue };
            let words: Vec<&str> = words.collect();
            layout
                .read_row(kind, &words, &mut names)
                .map_err(|problem| LayoutError::Text { line: index + 1, problem })?;
        }
        Ok(layout)
    }

    fn read_row(
        &mut self,
        kind: &str,
        words: &[&str],
        names: &mut BTreeMap<String, usize>,
    ) -> Result<(), String> {
        match (kind, words) {
            ("nodes", [left, middle]) => {
                (self.left_nodes, self.middle_nodes) = (number(left)?, number(middle)?);
            }
            ("line", [name, ratio]) => {
                names.insert((*name).to_owned(), self.lines.len());
                self.lines.push(Line { name: (*name).to_owned(), ratio: number(ratio)? });
            }
            ("edge", [from, to, line, rest @ ..]) => {
                let start = line_use(line, names)?;
                let end = rest.first().map_or(Ok(start), |line| line_use(line, names))?;
                let ends = [self.node(from)?, self.node(to)?];
                self.edges.push(LayoutEdge { ends, lines: [start, end] });
            }
            ("face" | "split", [group, sides @ ..]) => {
                let sides = sides.iter().map(|word| self.dart(word)).collect::<Result<_, _>>()?;
                let is_hidden = group.starts_with('~');
                let group = group.trim_start_matches('~').replace('_', " ");
                self.faces.push(LayoutFace { sides, group, is_hidden, is_split: kind == "split" });
            }
            _ => {
                return Err(format!(
                    "expected nodes, line, edge, face or split with its words, found {kind}"
                ));
            }
        }
        Ok(())
    }

    fn node(&self, word: &str) -> Result<usize, String> {
        let found: usize = number(word)?;
        let count = self.left_nodes + self.middle_nodes;
        if found < count { Ok(found) } else { Err(format!("node {found} is out of range; {count} exist")) }
    }

    fn dart(&self, word: &str) -> Result<Dart, String> {
        let found: i64 = number(word)?;
        let edge = usize::try_from(found.unsigned_abs()).map_err(|error| error.to_string())?.wrapping_sub(1);
        let is_known = edge < self.edges.len();
        is_known.then_some(Dart { edge, is_forward: found > 0 }).ok_or(format!("unknown edge {found}"))
    }

    /// The legs' ratio at both ends of an edge, right over left in the edge's direction.
    #[must_use]
    pub fn ratios(&self, edge: usize) -> [f64; 2] {
        self.edges[edge].lines.map(|found| {
            let ratio = self.lines[found.line].ratio;
            if found.is_forward { ratio } else { 1.0 / ratio }
        })
    }
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word} is not a number"))
}

fn line_use(word: &str, names: &BTreeMap<String, usize>) -> Result<LineUse, String> {
    let name = word.strip_prefix('-').unwrap_or(word);
    let line = *names.get(name).ok_or_else(|| format!("unknown line {name}"))?;
    Ok(LineUse { line, is_forward: !word.starts_with('-') })
}
