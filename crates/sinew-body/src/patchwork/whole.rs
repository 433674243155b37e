//! Both halves of a layout: who lies beside whom.

use super::layout::{Dart, Layout, LayoutError};
use crate::fill::MAX_SIDES;

/// A layout with its mirror image. Elements of the left come first, then those of the middle plane, then the mirror images.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) node_count: usize,
    left_nodes: usize,
    middle_nodes: usize,
    left_edges: usize,
    middle_edges: usize,
    /// Nodes of each edge.
    pub(super) ends: Vec<[usize; 2]>,
    /// Legs on the right of each edge over those on its left, at its start and end.
    pub(super) ratios: Vec<[f64; 2]>,
    /// Sides of each face; those of the left half first, then their mirror images.
    pub(super) faces: Vec<Vec<Dart>>,
    /// Whether each face of the left half is a Bézier patch.
    is_bezier: Vec<bool>,
    /// For each edge and direction (backward, forward) the face on the left and which of its sides the dart is.
    beside: Vec<[Option<(usize, usize)>; 2]>,
    /// Darts that leave each node.
    leaving: Vec<Vec<Dart>>,
}

impl Whole {
    pub(super) fn new(layout: &Layout) -> Result<Whole, LayoutError> {
        let node_count = 2 * layout.left_nodes + layout.middle_nodes;
        let first_middle = layout.left_nodes;
        let is_middle = |edge: usize| layout.edges[edge].ends.iter().all(|&node| node >= first_middle);
        let middle_edges = (0..layout.edges.len()).rev().take_while(|&edge| is_middle(edge)).count();
        let left_edges = layout.edges.len() - middle_edges;
        let mut whole = Whole {
            node_count,
            left_nodes: layout.left_nodes,
            middle_nodes: layout.middle_nodes,
            left_edges,
            middle_edges,
            ends: layout.edges.iter().map(|edge| edge.ends).collect(),
            ratios: (0..layout.edges.len()).map(|edge| layout.ratios(edge)).collect(),
            faces: layout.faces.iter().map(|face| face.sides.clone()).collect(),
            is_bezier: layout.faces.iter().map(|face| face.sides.len() == 4 && !face.is_split).collect(),
            beside: Vec::new(),
            leaving: vec![Vec::new(); node_count],
        };
        for edge in 0..left_edges {
            whole.ends.push(whole.ends[edge].map(|node| whole.mirrored_node(node)));
            whole.ratios.push(whole.ratios[edge].map(|ratio| 1.0 / ratio));
        }
        for face in &layout.faces {
            let mirrored =
                face.sides.iter().rev().map(|side| whole.mirrored_dart(*side).reversed()).collect();
            whole.faces.push(mirrored);
        }
        whole.connect()?;
        Ok(whole)
    }

    fn connect(&mut self) -> Result<(), LayoutError> {
        self.beside = vec![[None; 2]; self.ends.len()];
        for (index, face) in self.faces.iter().enumerate() {
            if !(3..=MAX_SIDES).contains(&face.len()) {
                return Err(LayoutError::Sides { face: index, found: face.len() });
            }
            for (side, dart) in face.iter().enumerate() {
                let before = face[(side + face.len() - 1) % face.len()];
                if self.start(before.reversed()) != self.start(*dart) {
                    return Err(LayoutError::OpenFace { face: index, side });
                }
                let beside = &mut self.beside[dart.edge][usize::from(dart.is_forward)];
                if let Some((first, _)) = beside.replace((index, side)) {
                    return Err(LayoutError::Crowded { edge: dart.edge, first, second: index });
                }
            }
        }
        for edge in 0..self.ends.len() {
            for is_forward in [true, false] {
                let dart = Dart { edge, is_forward };
                let start = self.start(dart);
                self.leaving[start].push(dart);
            }
        }
        Ok(())
    }

    /// Nodes that the layout lists: left and middle.
    pub(super) fn listed_nodes(&self) -> usize {
        self.left_nodes + self.middle_nodes
    }

    /// Edges that the layout lists: left and middle.
    pub(super) fn listed_edges(&self) -> usize {
        self.left_edges + self.middle_edges
    }

    pub(super) fn is_middle_node(&self, node: usize) -> bool {
        (self.left_nodes..self.listed_nodes()).contains(&node)
    }

    pub(super) fn is_middle_edge(&self, edge: usize) -> bool {
        (self.left_edges..self.listed_edges()).contains(&edge)
    }

    pub(super) fn mirrored_node(&self, node: usize) -> usize {
        mirrored(node, self.left_nodes, self.middle_nodes)
    }

    pub(super) fn mirrored_dart(&self, dart: Dart) -> Dart {
        Dart { edge: mirrored(dart.edge, self.left_edges, self.middle_edges), ..dart }
    }

    pub(super) fn start(&self, dart: Dart) -> usize {
        self.ends[dart.edge][usize::from(!dart.is_forward)]
    }

    /// The face on the left of a dart, and which of its sides the dart is.
    pub(super) fn face_left_of(&self, dart: Dart) -> Option<(usize, usize)> {
        self.beside[dart.edge][usize::from(dart.is_forward)]
    }

    /// Whether the face on the left of a dart is a Bézier patch.
    pub(super) fn is_bezier_left_of(&self, dart: Dart) -> bool {
        self.face_left_of(dart).is_some_and(|(face, _)| self.is_bezier[face % self.is_bezier.len()])
    }

    /// Legs on the right over those on the left at a dart's start.
    pub(super) fn ratio_at_start(&self, dart: Dart) -> f64 {
        let [start, end] = self.ratios[dart.edge];
        if dart.is_forward { start } else { 1.0 / end }
    }

    /// The darts that leave a node, counter-clockwise: four, or three on the border, of which the middle one leads inside. In the middle
    /// plane of the whole net the first is in the plane.
    pub(super) fn darts_around(&self, node: usize) -> Result<Vec<Dart>, LayoutError> {
        let all = &self.leaving[node];
        let on_border = all.iter().find(|dart| self.face_left_of(dart.reversed()).is_none());
        let in_plane = all.iter().find(|dart| self.is_middle_edge(dart.edge));
        let mut around: Vec<Dart> = on_border.or(in_plane).or(all.first()).copied().into_iter().collect();
        while let Some((face, side)) = around.last().and_then(|&dart| self.face_left_of(dart)) {
            let sides = &self.faces[face];
            let next = sides[(side + sides.len() - 1) % sides.len()].reversed();
            if around[0] == next || around.len() > all.len() {
                break;
            }
            around.push(next);
        }
        let expected = if on_border.is_some() { 3 } else { 4 };
        if around.len() != expected || all.len() != expected {
            return Err(LayoutError::Valence { node, found: all.len() });
        }
        Ok(around)
    }
}

/// The mirror image of an element: left ones first, then those in the plane, then those on the right.
fn mirrored(index: usize, left: usize, middle: usize) -> usize {
    if index < left {
        index + left + middle
    } else if index < left + middle {
        index
    } else {
        index - left - middle
    }
}
