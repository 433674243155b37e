//! A template with all names resolved and both sides listed: indices instead of names.

use super::Flank;
use crate::body::{FillSide, NetVertex, TubeEndName};

#[derive(Clone, Debug)]
pub(crate) struct LayoutJoint {
    pub(crate) text: usize,
    pub(crate) flank: Flank,
    pub(crate) parent: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct LayoutBone {
    pub(crate) text: usize,
    pub(crate) flank: Flank,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct LayoutRing {
    pub(crate) text: usize,
    pub(crate) flank: Flank,
    pub(crate) bone: usize,
    /// Names of the corners on this side.
    pub(crate) corners: Vec<String>,
    /// The tube that ends here beside a fill.
    pub(crate) end: Option<(usize, TubeEndName)>,
}

#[derive(Clone, Debug)]
pub(crate) struct LayoutTube {
    pub(crate) text: usize,
    pub(crate) flank: Flank,
    pub(crate) patch_count: usize,
    /// One more than bays without tip.
    pub(crate) rings: Vec<usize>,
    /// One per bay, the tip's bay included.
    pub(crate) bones: Vec<usize>,
    /// The tube it continues.
    pub(crate) continues: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct LayoutNode {
    pub(crate) text: usize,
    pub(crate) flank: Flank,
    pub(crate) bone: usize,
    pub(crate) through: [[NetVertex; 2]; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct LayoutEdge {
    pub(crate) text: usize,
    pub(crate) flank: Flank,
    pub(crate) bone: usize,
    pub(crate) from: NetVertex,
    pub(crate) to: NetVertex,
}

#[derive(Clone, Debug)]
pub(crate) struct LayoutFill {
    pub(crate) text: usize,
    pub(crate) flank: Flank,
    pub(crate) bone: usize,
    /// Counter-clockwise seen from outside.
    pub(crate) sides: Vec<FillSide>,
    /// The vertex before each side.
    pub(crate) vertices: Vec<NetVertex>,
    /// Index in the template's list of the vertex before each side.
    pub(crate) listed: Vec<usize>,
}

impl LayoutFill {
    /// The side's number in the template: the list index of the vertex before the side as listed. A fill in reversed direction ends its sides
    /// there.
    pub(crate) fn listed_side(&self, place: usize) -> usize {
        let count = self.listed.len();
        let is_reversed = count > 2 && self.listed[1] > self.listed[2];
        self.listed[if is_reversed { (place + 1) % count } else { place }]
    }
}

/// The net of the head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayoutHead {
    /// The tube that it closes, an index into the layout's.
    pub(crate) tube: usize,
    pub(crate) bone: usize,
    /// The half arc of the tube that meets the first edge of the net's border.
    pub(crate) turn: usize,
}

/// A leg that stands, with its foot.
#[derive(Clone, Debug)]
pub(crate) struct LayoutFoot {
    /// The tube, an index into the layout's.
    pub(crate) tube: usize,
    /// The joint where the leg leaves the trunk.
    pub(crate) root: usize,
    /// All joints from the root on.
    pub(crate) joints: Vec<usize>,
    /// Joints between the root and the foot, the ankle included: they keep their height.
    pub(crate) shafts: Vec<usize>,
    /// Joints beyond the ankle: they move with it as one piece.
    pub(crate) ends: Vec<usize>,
    /// The last joint of the leg, from which its height is taken.
    pub(crate) tip: usize,
    /// The first bay of the foot: it starts at the last ring before the first ring that follows a bone of the foot.
    pub(crate) bay: usize,
}

/// The whole layout.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) joints: Vec<LayoutJoint>,
    pub(crate) bones: Vec<LayoutBone>,
    pub(crate) rings: Vec<LayoutRing>,
    pub(crate) tubes: Vec<LayoutTube>,
    /// The rings where tubes end beside fills, ascending.
    pub(crate) ends: Vec<usize>,
    pub(crate) nodes: Vec<LayoutNode>,
    pub(crate) edges: Vec<LayoutEdge>,
    pub(crate) fills: Vec<LayoutFill>,
    pub(crate) feet: Vec<LayoutFoot>,
    pub(crate) head: Option<LayoutHead>,
}

impl Layout {
    /// A joint, its parent, and so on.
    pub(crate) fn above(&self, joint: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(joint), |&joint| self.joints[joint].parent)
    }
}
