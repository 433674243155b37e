//! The parts that a body's patches are made from.

use crate::fill::{FillShape, SpokeOffsets};
use crate::patchwork::Patchwork;
use crate::ring::Ring;
use crate::template::Flank;
use crate::tube::{Pole, Station, Tube};
use crate::{Patch, Quartic, Side};
use glam::{DVec2, DVec3};

/// A patch with its place in the body.
#[derive(Clone, Debug)]
pub struct BodyPatch {
    /// Model space, m; its outside is the body's.
    pub patch: Patch,
    /// `tube/bay/number`, `fill/corner`, or `head/part/face` with the corner where a face of the head is a fill; the same on both sides.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Its part of the body, such as `arm`.
    pub group: String,
    /// The bone it follows, an index into the body's bones.
    pub bone: usize,
}

/// A joint of the stick figure.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyJoint {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Model space, m.
    pub position: DVec3,
    /// Index of the parent joint; `None` for the root.
    pub parent: Option<usize>,
}

/// A bone of the stick figure.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyBone {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Index of the joint it turns about.
    pub from: usize,
    /// Index of the joint where it ends.
    pub to: usize,
    /// The axis it bends about in rest, model space; `None` if it does not bend.
    pub bend_axis: Option<DVec3>,
}

/// A ring around a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRing {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Index of the bone it follows.
    pub bone: usize,
    /// Its ellipse, without offsets of single points.
    pub ring: Ring,
    /// Index of the tube it belongs to.
    pub tube: usize,
    /// The row of control points in that tube.
    pub row: usize,
}

/// A tube of the body.
#[derive(Clone, Debug)]
pub struct BodyTube {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Its part of the body, such as `arm`.
    pub group: String,
    /// Its control points in rest.
    pub tube: Tube,
    /// Its rings before offsets.
    pub stations: Vec<Station>,
    /// Indices of the body's rings.
    pub rings: Vec<usize>,
    /// Names of the bays, the tip's included.
    pub bays: Vec<String>,
    /// The bone of each bay.
    pub bones: Vec<usize>,
    /// Length of the legs at the start and end of each bay, m.
    pub legs_m: Vec<[f64; 2]>,
    /// The closed end.
    pub tip: Option<Pole>,
    /// The tube it continues, with twice as many patches around.
    pub continues: Option<usize>,
    /// Index of its first patch.
    pub first_patch: usize,
}

impl BodyTube {
    /// The bone that a row's offsets turn with: a ring's own, else the bay's.
    pub(crate) fn row_bone(&self, body: &super::Body, row: usize) -> usize {
        if row.is_multiple_of(4) && row / 4 < self.rings.len() {
            return body.rings[self.rings[row / 4]].bone;
        }
        self.bones[(row / 4).min(self.bones.len() - 1)]
    }
}

/// End of a tube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TubeEndName {
    /// Where w = 0.
    Start,
    /// Where w = 1.
    End,
}

impl TubeEndName {
    /// The row of control points there and the next one inside.
    pub(crate) fn rows(self, tube: &Tube) -> [usize; 2] {
        match self {
            TubeEndName::Start => [0, 1],
            TubeEndName::End => [tube.row_count() - 1, tube.row_count() - 2],
        }
    }
}

/// An end of a tube beside fills.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyEnd {
    /// Index into the body's tubes.
    pub tube: usize,
    /// Start or end.
    pub end: TubeEndName,
    /// Ratio of the legs into the fills to the tube's own legs.
    pub ratio: f64,
}

/// A vertex of the net between tubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetVertex {
    /// A corner of a tube's end.
    Corner {
        /// Index into the body's ends.
        end: usize,
        /// Counted around the ring from its axis.
        corner: usize,
    },
    /// A node, by its index.
    Node(usize),
}

/// A point where two lines of edges cross.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyNode {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Index of the bone it follows.
    pub bone: usize,
    /// Model space, m.
    pub position: DVec3,
    /// Outward, unit, model space.
    pub normal: DVec3,
    /// The far ends of both lines that cross here.
    pub through: [[NetVertex; 2]; 2],
    /// Length of the legs along both lines, m.
    pub legs_m: DVec2,
    /// Changes of the legs toward the first ends of both lines, model space, m.
    pub leg_offsets: [DVec3; 2],
}

/// An edge between ends of tubes and nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyEdge {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// The bone that its bulge turns with.
    pub bone: usize,
    /// Where it begins.
    pub from: NetVertex,
    /// Where it ends.
    pub to: NetVertex,
    /// Offset of its middle control point, model space, m.
    pub bulge: DVec3,
    /// Changes of the legs across it, between its ends, model space, m. They lead into the fill that runs in the edge's direction.
    pub legs: [DVec3; 3],
    /// Model space, m; derived from the rest.
    pub curve: Quartic,
}

/// A side of a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillSide {
    /// An arc of a tube's end.
    Arc {
        /// Index into the body's ends.
        end: usize,
        /// Counted around the ring from its axis.
        arc: usize,
        /// Whether the hole runs in the arc's direction.
        is_forward: bool,
    },
    /// Two arcs whose common corner is the middle of the side.
    Double {
        /// Index into the body's ends.
        end: usize,
        /// The arcs, in the order of the hole.
        arcs: [usize; 2],
        /// Whether the hole runs in the arcs' direction.
        is_forward: bool,
    },
    /// An edge.
    Edge {
        /// Index into the body's edges.
        edge: usize,
        /// Whether the hole runs in the edge's direction.
        is_forward: bool,
    },
}

/// A filled hole.
#[derive(Clone, Debug)]
pub struct BodyFill {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Its part of the body, such as `arm`.
    pub group: String,
    /// Index of the bone it follows.
    pub bone: usize,
    /// Its border, counter-clockwise seen from outside.
    pub sides: Vec<FillSide>,
    /// The vertex before each side.
    pub vertices: Vec<NetVertex>,
    /// Its free parameters.
    pub shape: FillShape,
    /// Offsets of the free middle points of its patches, model space, m.
    pub middle_offsets: Vec<DVec3>,
    /// Offsets of its spokes, one per side, model space, m.
    pub spoke_offsets: Vec<SpokeOffsets>,
    /// Index of its first patch; it has one per side.
    pub first_patch: usize,
}

/// The least reach of a head's collar beyond the ring below it, as a share of the neck: weights change over a length.
const LEAST_REACH: f64 = 0.2;

/// The head as a net of patches on the end of a tube.
#[derive(Clone, Debug)]
pub struct BodyHead {
    /// Its nodes, edges and faces.
    pub net: &'static Patchwork,
    /// Index of the tube whose end it closes.
    pub tube: usize,
    /// The half arc of that tube that meets the first edge of the net's border.
    pub turn: usize,
    /// Index of the bone it follows.
    pub bone: usize,
    /// Index of its first patch.
    pub first_patch: usize,
    /// Where the tube's last bay is cut: the share that is surface. The rest only says how the neck goes on, and bends with it.
    pub kept: f64,
    /// The net's free vectors, model space, m. Those of the border follow the tube.
    pub slots: Vec<DVec3>,
}

impl BodyHead {
    /// What is left of a patch of the tube's last bay.
    pub(crate) fn cut(&self, patch: &Patch) -> Patch {
        Patch { net: patch.net.map(|column| Quartic(column).split(self.kept).0.0), ..*patch }
    }

    /// Mean height of the patches along the border, m.
    pub(crate) fn collar_m(&self) -> f64 {
        let border = self.net.border();
        let height = |&(patch, side): &(usize, Side)| {
            let (u, w) = side.parameters(0.5);
            let patch = self.net.patch(patch, &self.slots);
            let across = if side.fixes_u() { (1.0 - u, w) } else { (u, 1.0 - w) };
            patch.position(u, w).distance(patch.position(across.0, across.1))
        };
        border.iter().map(height).sum::<f64>() / border.len() as f64
    }

    /// How far the collar reaches beyond a tube's last bay of a length, m.
    pub(crate) fn reach_m(&self, bay_m: f64) -> f64 {
        (self.collar_m() - (1.0 - self.kept) * bay_m).max(LEAST_REACH * bay_m)
    }

    /// Sets the border to the tube's end.
    pub(crate) fn join(&mut self, tubes: &[BodyTube]) {
        self.net.join_tube((&tubes[self.tube].tube, self.kept), self.turn, &mut self.slots);
    }
}
