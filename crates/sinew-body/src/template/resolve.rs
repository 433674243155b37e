//! Resolves names to indices, and one side to both.

use super::data::{BulgeText, FillText, MotionText, TemplateText};
use super::layout::*;
use super::{Flank, TemplateError};
use crate::body::{FillSide, NetVertex, TubeEndName};
use crate::head::HeadBasis;
use std::collections::BTreeMap;

/// Smaller offsets from the middle plane are zero: positions are written with four digits.
const ON_MIDDLE_PLANE: f64 = 1e-9;

/// A side of a fill, the vertex before it, and that vertex's index in the template's list.
type ListedSide = (FillSide, NetVertex, usize);

type Resolved<T = ()> = Result<T, TemplateError>;

/// Resolves a template's names.
pub(super) fn resolve(text: &TemplateText) -> Resolved<Layout> {
    let mut resolver = Resolver { text, layout: Layout::default(), names: BTreeMap::new() };
    resolver.joints()?;
    resolver.bones()?;
    resolver.rings()?;
    resolver.tubes()?;
    resolver.nodes()?;
    resolver.edges()?;
    resolver.fills()?;
    resolver.feet()?;
    resolver.check_motions()?;
    Ok(resolver.layout)
}

/// Checks the names in one motion.
pub(super) fn check_motion(text: &TemplateText, motion: &MotionText) -> Resolved {
    let text = TemplateText { motions: vec![motion.clone()], ..text.clone() };
    Resolver { text: &text, layout: Layout::default(), names: BTreeMap::new() }.check_motions()
}

struct Resolver<'a> {
    text: &'a TemplateText,
    layout: Layout,
    /// Index by kind, name and side.
    names: BTreeMap<(&'static str, &'a str, Flank), usize>,
}

fn unknown(item: &str, name: &str, kind: &'static str) -> TemplateError {
    TemplateError::Unknown { item: item.to_owned(), name: name.to_owned(), kind }
}

impl Resolver<'_> {
    /// The instance on a side, or the one in the middle.
    fn find(&self, kind: &'static str, name: &str, flank: Flank, item: &str) -> Resolved<usize> {
        let at = |flank: Flank| self.names.get(&(kind, name, flank)).copied();
        at(flank).or_else(|| at(Flank::Middle)).ok_or_else(|| unknown(item, name, kind))
    }

    fn is_pair(&self, kind: &'static str, name: &str) -> bool {
        self.names.contains_key(&(kind, name, Flank::Left))
    }

    fn joints(&mut self) -> Resolved {
        for (text, joint) in self.text.joints.iter().enumerate() {
            for &flank in Flank::of(joint.at.x.abs() > ON_MIDDLE_PLANE) {
                let before = |name: &String| {
                    let found = self.find("joint", name, flank, &joint.name);
                    found.map_err(|_| unknown(&joint.name, name, "joint before it"))
                };
                let parent = joint.parent.as_ref().map(before).transpose()?;
                self.names.insert(("joint", &joint.name, flank), self.layout.joints.len());
                self.layout.joints.push(LayoutJoint { text, flank, parent });
            }
        }
        Ok(())
    }

    fn bones(&mut self) -> Resolved {
        for (text, bone) in self.text.bones.iter().enumerate() {
            let is_paired = self.is_pair("joint", &bone.from) || self.is_pair("joint", &bone.to);
            for &flank in Flank::of(is_paired) {
                let from = self.find("joint", &bone.from, flank, &bone.name)?;
                let to = self.find("joint", &bone.to, flank, &bone.name)?;
                self.names.insert(("bone", &bone.name, flank), self.layout.bones.len());
                self.layout.bones.push(LayoutBone { text, flank, from, to });
            }
        }
        Ok(())
    }

    fn rings(&mut self) -> Resolved {
        for (text, ring) in self.text.rings.iter().enumerate() {
            if ring.half.is_none() && ring.girth.is_none() {
                return Err(TemplateError::layout(&ring.name, "a ring needs `half` or `girth`"));
            }
            for &flank in Flank::of(self.is_pair("bone", &ring.bone)) {
                let bone = self.find("bone", &ring.bone, flank, &ring.name)?;
                let mut corners = ring.corners.clone();
                // A mirror image runs the other way around.
                if flank == Flank::Right && !corners.is_empty() {
                    corners[1..].reverse();
                }
                self.names.insert(("ring", &ring.name, flank), self.layout.rings.len());
                self.layout.rings.push(LayoutRing { text, flank, bone, corners, end: None });
            }
        }
        Ok(())
    }

    fn tubes(&mut self) -> Resolved {
        for (text, tube) in self.text.tubes.iter().enumerate() {
            for &flank in Flank::of(self.is_pair("ring", &tube.start)) {
                let ring = |name: &str| self.find("ring", name, flank, &tube.name);
                let mut rings = vec![ring(&tube.start)?];
                let mut bones = Vec::new();
                for bay in &tube.bays {
                    rings.push(ring(&bay.to)?);
                    bones.push(self.find("bone", &bay.bone, flank, &tube.name)?);
                }
                if let Some(tip) = &tube.tip {
                    bones.push(self.find("bone", &tip.bone, flank, &tube.name)?);
                }
                if bones.is_empty() {
                    return Err(TemplateError::layout(&tube.name, "a tube needs a bay or a tip"));
                }
                let patch_count = tube.patches.unwrap_or(4);
                let tube = LayoutTube { text, flank, patch_count, rings, bones, continues: None };
                self.add_tube(tube)?;
            }
        }
        self.head()?;
        let rings = &self.layout.rings;
        self.layout.ends = (0..rings.len()).filter(|&ring| rings[ring].end.is_some()).collect();
        Ok(())
    }

    /// Puts the head on its tube, whose last ring then is no end beside fills.
    fn head(&mut self) -> Resolved {
        let Some(head) = &self.text.head else { return Ok(()) };
        let is_named = |tube: &LayoutTube| self.text.tubes[tube.text].name == head.tube;
        let tube = self.layout.tubes.iter().position(is_named);
        let tube = tube.ok_or_else(|| unknown("head", &head.tube, "tube"))?;
        let (found, edges) = (&self.layout.tubes[tube], HeadBasis::human().net().border().len());
        let problem = |problem: String| TemplateError::layout("head", problem);
        if found.flank != Flank::Middle || 2 * found.patch_count != edges {
            let wanted = edges / 2;
            return Err(problem(format!(
                "its tube needs to lie in the middle and to have {wanted} patches around"
            )));
        }
        let last = found.rings[found.rings.len() - 1];
        if self.layout.rings[last].end.take() != Some((tube, TubeEndName::End)) {
            return Err(problem(format!("tube \"{}\" has no open end", head.tube)));
        }
        let corners = &self.layout.rings[self.layout.tubes[tube].rings[0]].corners;
        let front = corners.iter().position(|corner| *corner == head.front);
        let front = front.ok_or_else(|| unknown("head", &head.front, "corner of its tube's first ring"))?;
        let bone = self.find("bone", &head.bone, Flank::Middle, "head")?;
        self.layout.head = Some(LayoutHead { tube, bone, turn: 2 * front });
        Ok(())
    }

    /// Records which rings are ends, or that the tube continues another.
    fn add_tube(&mut self, mut tube: LayoutTube) -> Resolved {
        let text = &self.text.tubes[tube.text];
        let index = self.layout.tubes.len();
        let first = tube.rings[0];
        match self.layout.rings[first].end.take() {
            Some((before, TubeEndName::End)) => {
                if tube.patch_count != 2 * self.layout.tubes[before].patch_count {
                    let problem = "a tube that continues another needs twice as many patches around";
                    return Err(TemplateError::layout(&text.name, problem));
                }
                tube.continues = Some(before);
            }
            Some(_) => {
                return Err(TemplateError::layout(&text.name, "another tube starts at its first ring"));
            }
            None => self.layout.rings[first].end = Some((index, TubeEndName::Start)),
        }
        if text.tip.is_none() {
            self.layout.rings[tube.rings[tube.rings.len() - 1]].end = Some((index, TubeEndName::End));
        }
        self.layout.tubes.push(tube);
        Ok(())
    }

    /// The vertex `ring.corner` or `node` for a side; a final `@left` or `@right` overrides the side.
    fn vertex(&self, listed: &str, flank: Flank, item: &str) -> Resolved<NetVertex> {
        let (name, flank) = match listed.split_once('@') {
            Some((name, "left")) => (name, Flank::Left),
            Some((name, "right")) => (name, Flank::Right),
            _ => (listed, flank),
        };
        let Some((ring_name, corner_name)) = name.split_once('.') else {
            return Ok(NetVertex::Node(self.find("node", name, flank, item)?));
        };
        let ring = self.find("ring", ring_name, flank, item)?;
        let found = &self.layout.rings[ring];
        let corner_name =
            if found.flank == Flank::Middle { flank.name(corner_name) } else { corner_name.into() };
        let corner = found.corners.iter().position(|corner| *corner == corner_name);
        let corner = corner.ok_or_else(|| unknown(item, listed, "corner of a ring"))?;
        let end = self.layout.ends.binary_search(&ring);
        let end = end.map_err(|_| unknown(item, listed, "corner where a tube ends"))?;
        Ok(NetVertex::Corner { end, corner })
    }

    /// Whether a vertex has a mirror image other than itself.
    fn is_one_sided(&self, listed: &str) -> bool {
        let name = listed.trim_matches(['(', ')']);
        let owner = name.split(['.', '@']).next().unwrap_or_default();
        let corner = name.split('.').next_back().unwrap_or_default();
        self.is_pair("ring", owner) || self.is_pair("node", owner) || Flank::Right.name(corner) != corner
    }

    fn nodes(&mut self) -> Resolved {
        for (text, node) in self.text.nodes.iter().enumerate() {
            let is_paired = self.is_pair("bone", &node.bone) || node.at.x.abs() > ON_MIDDLE_PLANE;
            for &flank in Flank::of(is_paired) {
                self.names.insert(("node", &node.name, flank), self.layout.nodes.len());
                let bone = self.find("bone", &node.bone, flank, &node.name)?;
                let through = [[NetVertex::Node(0); 2]; 2];
                self.layout.nodes.push(LayoutNode { text, flank, bone, through });
            }
        }
        // Nodes may refer to each other, so their ends are resolved when all are known.
        for index in 0..self.layout.nodes.len() {
            let LayoutNode { text, flank, .. } = self.layout.nodes[index];
            let node = &self.text.nodes[text];
            for (line, end) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let vertex = self.vertex(&node.through[line][end], flank, &node.name)?;
                self.layout.nodes[index].through[line][end] = vertex;
            }
        }
        Ok(())
    }

    fn edges(&mut self) -> Resolved {
        for (text, edge) in self.text.edges.iter().enumerate() {
            let is_paired = self.is_one_sided(&edge.from) || self.is_one_sided(&edge.to);
            for &flank in Flank::of(is_paired) {
                let bone = self.find("bone", &edge.bone, flank, &edge.name)?;
                let from = self.vertex(&edge.from, flank, &edge.name)?;
                let to = self.vertex(&edge.to, flank, &edge.name)?;
                self.layout.edges.push(LayoutEdge { text, flank, bone, from, to });
            }
        }
        Ok(())
    }

    fn fills(&mut self) -> Resolved {
        for (text, fill) in self.text.fills.iter().enumerate() {
            let is_paired = fill.corners.iter().any(|corner| self.is_one_sided(corner));
            for &flank in Flank::of(is_paired) {
                let bone = self.find("bone", &fill.bone, flank, &fill.name)?;
                let found = self.fill_sides(fill, flank)?;
                self.layout.fills.push(LayoutFill {
                    text,
                    flank,
                    bone,
                    sides: found.iter().map(|side| side.0).collect(),
                    vertices: found.iter().map(|side| side.1).collect(),
                    listed: found.iter().map(|side| side.2).collect(),
                });
            }
        }
        Ok(())
    }

    fn feet(&mut self) -> Resolved {
        for (index, tube) in self.layout.tubes.iter().enumerate() {
            let text = &self.text.tubes[tube.text];
            let Some(name) = &text.foot else { continue };
            let ankle = self.find("joint", name, tube.flank, &text.name)?;
            let bone_ends = |bone: &usize| (self.layout.bones[*bone].from, self.layout.bones[*bone].to);
            let root = bone_ends(&tube.bones[0]).0;
            let tip = bone_ends(&tube.bones[tube.bones.len() - 1]).1;
            let below = |joint: usize, top: usize| self.layout.above(joint).any(|found| found == top);
            if !below(ankle, root) || !below(tip, ankle) || tip == ankle {
                return Err(TemplateError::layout(
                    &text.name,
                    "its foot must be a joint between its first and last",
                ));
            }
            let joints: Vec<usize> =
                (0..self.layout.joints.len()).filter(|&joint| below(joint, root)).collect();
            let is_end = |joint: &usize| *joint != ankle && below(*joint, ankle);
            let ends: Vec<usize> = joints.iter().copied().filter(is_end).collect();
            let shafts =
                joints.iter().copied().filter(|joint| *joint != root && !ends.contains(joint)).collect();
            let is_foots = |bone: &usize| ends.contains(&bone_ends(bone).1);
            let bay = tube.bones.iter().position(is_foots).unwrap_or(tube.bones.len());
            self.layout.feet.push(LayoutFoot { tube: index, root, joints, shafts, ends, tip, bay });
        }
        Ok(())
    }

    /// Names in motions must resolve; they are looked up again when a body is built.
    fn check_motions(&self) -> Resolved {
        for motion in &self.text.motions {
            let unknown = |name, kind| unknown(&format!("motion of {}", motion.bone), name, kind);
            if !self.text.bones.iter().any(|bone| bone.name == motion.bone) {
                return Err(unknown(&motion.bone, "bone"));
            }
            for fill in &motion.fills {
                if !self.text.fills.iter().any(|found| found.name == fill.fill) {
                    return Err(unknown(&fill.fill, "fill"));
                }
            }
            for bulge in &motion.bulges {
                let text = self.text;
                if text.patch_of_tube(&bulge.patch).is_none() && text.patch_of_fill(&bulge.patch).is_none() {
                    return Err(unknown(&bulge.patch, "patch"));
                }
            }
            self.check_bent(motion)?;
            for edge in &motion.edges {
                if !self.text.edges.iter().any(|found| found.name == edge.edge) {
                    return Err(unknown(&edge.edge, "edge"));
                }
            }
            for node in &motion.nodes {
                if !self.text.nodes.iter().any(|found| found.name == node.node) {
                    return Err(unknown(&node.node, "node"));
                }
            }
        }
        Ok(())
    }

    /// Lists of corners must fit the ring at the joint, and a muscle needs a range of angles.
    fn check_bent(&self, motion: &MotionText) -> Resolved {
        let item = format!("motion of {}", motion.bone);
        let ring = self.text.rings.iter().find(|ring| ring.bone == motion.bone && !ring.corners.is_empty());
        let corners = ring.map_or(0, |ring| ring.corners.len());
        for list in motion.rings.iter().flat_map(|bent| [&bent.turn, &bent.leg, &bent.push]) {
            if !list.is_empty() && list.len() != corners {
                let problem =
                    format!("a ring list has {} values, the ring has {corners} corners", list.len());
                return Err(TemplateError::layout(item, problem));
            }
        }
        let is_empty = |bulge: &&BulgeText| bulge.from.unwrap_or(0.0) == bulge.to.unwrap_or(90.0);
        if let Some(bulge) = motion.bulges.iter().find(is_empty) {
            let problem = format!("muscle {} begins and ends at one angle; give another to", bulge.patch);
            return Err(TemplateError::layout(item, problem));
        }
        Ok(())
    }

    /// The sides of a fill, counter-clockwise seen from outside.
    fn fill_sides(&self, fill: &FillText, flank: Flank) -> Resolved<Vec<ListedSide>> {
        let mut round: Vec<(NetVertex, bool, usize)> = Vec::new();
        for (listed, name) in fill.corners.iter().enumerate() {
            let is_middle = name.starts_with('(');
            let vertex = self.vertex(name.trim_matches(['(', ')']), flank, &fill.name)?;
            round.push((vertex, is_middle, listed));
        }
        if round.first().is_none_or(|first| first.1) {
            return Err(TemplateError::layout(&fill.name, "the first corner cannot be in brackets"));
        }
        let found = self.walk(&round, &fill.name)?;
        let is_reversed = match found.iter().find_map(|(side, ..)| self.runs_with_hole(side)) {
            Some(is_right_way) => !is_right_way,
            // Without a ring beside it the listed direction applies, which the mirror image reverses.
            None => flank == Flank::Right,
        };
        if !is_reversed {
            return Ok(found);
        }
        round[1..].reverse();
        self.walk(&round, &fill.name)
    }

    /// The ring's patches are on the other side of the arc and run the other way: forward at a tube's start.
    fn runs_with_hole(&self, side: &FillSide) -> Option<bool> {
        let (FillSide::Arc { end, is_forward, .. } | FillSide::Double { end, is_forward, .. }) = *side else {
            return None;
        };
        let (_, end) = self.layout.rings[self.layout.ends[end]].end?;
        Some(is_forward == (end == TubeEndName::End))
    }

    fn walk(&self, round: &[(NetVertex, bool, usize)], item: &str) -> Resolved<Vec<ListedSide>> {
        let mut sides = Vec::new();
        let mut place = 0;
        while place < round.len() {
            let (from, _, index) = round[place];
            let (next, is_middle, _) = round[(place + 1) % round.len()];
            let side = if is_middle {
                let (to, _, _) = round[(place + 2) % round.len()];
                place += 2;
                self.double_side(from, next, to)
            } else {
                place += 1;
                self.single_side(from, next)
            };
            let side = side.ok_or_else(|| {
                TemplateError::layout(item, format!("no arc or edge continues from corner {}", index + 1))
            })?;
            sides.push((side, from, index));
        }
        Ok(sides)
    }

    fn single_side(&self, from: NetVertex, to: NetVertex) -> Option<FillSide> {
        if let Some((end, arc, is_forward)) = self.arc(from, to) {
            return Some(FillSide::Arc { end, arc, is_forward });
        }
        self.layout.edges.iter().enumerate().find_map(|(edge, found)| {
            let is_forward = found.from == from && found.to == to;
            let is_backward = found.from == to && found.to == from;
            (is_forward || is_backward).then_some(FillSide::Edge { edge, is_forward })
        })
    }

    fn double_side(&self, from: NetVertex, middle: NetVertex, to: NetVertex) -> Option<FillSide> {
        let (end, first, is_forward) = self.arc(from, middle)?;
        let (_, second, _) = self.arc(middle, to)?;
        Some(FillSide::Double { end, arcs: [first, second], is_forward })
    }

    /// The arc between two neighboring corners of one ring, with the tube's end there.
    fn arc(&self, from: NetVertex, to: NetVertex) -> Option<(usize, usize, bool)> {
        let (NetVertex::Corner { end, corner: first }, NetVertex::Corner { end: other, corner: second }) =
            (from, to)
        else {
            return None;
        };
        let count = self.layout.rings[self.layout.ends[end]].corners.len();
        match end == other {
            true if second == (first + 1) % count => Some((end, first, true)),
            true if first == (second + 1) % count => Some((end, second, false)),
            _ => None,
        }
    }
}
