//! Edges and fills from the ends of tubes and the nodes.

use super::{Body, BodyEnd, FillSide, NetVertex};
use crate::fill::{FillError, HoleSide, MAX_SIDES, fill_with_offsets_into};
use crate::ring::arc_of;
use crate::{Patch, Quartic};
use glam::DVec3;

impl Body {
    /// A vertex of the net, model space.
    pub fn vertex_position(&self, vertex: NetVertex) -> DVec3 {
        match vertex {
            NetVertex::Corner { end, corner } => self.end_point(&self.ends[end], 4 * corner).0,
            NetVertex::Node(node) => self.nodes[node].position,
        }
    }

    /// A control point of a tube's end, and the leg from it into the fills: the tube's own leg, continued straight.
    fn end_point(&self, end: &BodyEnd, column: usize) -> (DVec3, DVec3) {
        let tube = &self.tubes[end.tube].tube;
        let [on, inside] = end.end.rows(tube);
        let point = tube.row(on)[column];
        (point, end.ratio * (point - tube.row(inside)[column]))
    }

    /// The control points of an end, and the ends of the legs into the fills.
    pub(crate) fn end_places(&self, end: usize) -> impl Iterator<Item = DVec3> {
        let end = &self.ends[end];
        let columns = 0..self.tubes[end.tube].tube.row_len();
        columns.flat_map(move |column| {
            let (point, leg) = self.end_point(end, column);
            [point, point + leg]
        })
    }

    /// The leg with which an edge leaves a vertex toward another.
    pub(crate) fn leg(&self, from: NetVertex, to: NetVertex) -> DVec3 {
        let node = match from {
            NetVertex::Corner { end, corner } => return self.end_point(&self.ends[end], 4 * corner).1,
            NetVertex::Node(node) => &self.nodes[node],
        };
        for (line, &[first, last]) in node.through.iter().enumerate() {
            if to == first || to == last {
                let way = self.vertex_position(first) - self.vertex_position(last);
                let in_plane = way.reject_from_normalized(node.normal).normalize_or_zero();
                let sign = if to == first { 1.0 } else { -1.0 };
                let offset = node.leg_offsets[line].reject_from_normalized(node.normal);
                return sign * (node.legs_m[line] * in_plane + offset);
            }
        }
        DVec3::ZERO
    }

    pub(crate) fn update_edges(&mut self) {
        for index in 0..self.edges.len() {
            let edge = &self.edges[index];
            let (from, to) = (edge.from, edge.to);
            let mut curve = Quartic::from_legs(
                self.vertex_position(from),
                self.leg(from, to),
                self.leg(to, from),
                self.vertex_position(to),
            );
            curve.0[2] += edge.bulge;
            self.edges[index].curve = curve;
        }
    }

    pub(super) fn update_fills(&mut self) -> Result<(), (usize, FillError)> {
        for index in 0..self.fills.len() {
            self.update_fill(index).map_err(|error| (index, error))?;
        }
        Ok(())
    }

    /// Recomputes the patches of one fill.
    pub(crate) fn update_fill(&mut self, index: usize) -> Result<(), FillError> {
        let mut patches = [Patch::bezier([[DVec3::ZERO; 5]; 5]); MAX_SIDES];
        let count = self.fill_into(index, &mut patches)?;
        let first = self.fills[index].first_patch;
        for (body, patch) in self.patches[first..].iter_mut().zip(patches).take(count) {
            body.patch = patch;
        }
        Ok(())
    }

    /// The patches that a fill has with its present parts.
    pub(crate) fn fill_patches(&self, index: usize) -> Result<Vec<Patch>, FillError> {
        let mut patches = [Patch::bezier([[DVec3::ZERO; 5]; 5]); MAX_SIDES];
        let count = self.fill_into(index, &mut patches)?;
        Ok(patches[..count].to_vec())
    }

    /// The same into the first patches, without allocating; returns their number.
    fn fill_into(&self, index: usize, patches: &mut [Patch; MAX_SIDES]) -> Result<usize, FillError> {
        let fill = &self.fills[index];
        let count = fill.sides.len().min(MAX_SIDES);
        let nothing = Quartic([DVec3::ZERO; 5]);
        let mut sides = [HoleSide::Free { edge: nothing, legs: [DVec3::ZERO; 3] }; MAX_SIDES];
        for (side, &given) in sides.iter_mut().zip(&fill.sides) {
            *side = self.hole_side(given);
        }
        fill_with_offsets_into(&sides[..count], &fill.shape, &fill.spoke_offsets, &mut patches[..count])?;
        for (patch, &offset) in patches.iter_mut().zip(&fill.middle_offsets) {
            patch.net[2][2] += offset;
        }
        Ok(count)
    }

    fn hole_side(&self, side: FillSide) -> HoleSide {
        match side {
            FillSide::Arc { end, arc, is_forward } => {
                let (edge, legs) = self.end_arc(end, arc, is_forward);
                HoleSide::Whole { edge, legs }
            }
            FillSide::Double { end, arcs, is_forward } => {
                let [first, second] = arcs.map(|arc| self.end_arc(end, arc, is_forward));
                HoleSide::Double { edges: [first.0, second.0], legs: [first.1, second.1] }
            }
            FillSide::Edge { edge, is_forward } => {
                let (curve, legs) = (self.edges[edge].curve, self.edges[edge].legs);
                if is_forward {
                    HoleSide::Free { edge: curve, legs }
                } else {
                    HoleSide::Free { edge: curve.reversed(), legs: [-legs[2], -legs[1], -legs[0]] }
                }
            }
        }
    }

    /// An arc of a tube's end with its legs into the fills.
    fn end_arc(&self, end: usize, arc: usize, is_forward: bool) -> (Quartic, Quartic) {
        let end = &self.ends[end];
        let tube = &self.tubes[end.tube].tube;
        let [on, inside] = end.end.rows(tube);
        let edge = arc_of(tube.row(on), arc);
        let legs = edge.zip(&arc_of(tube.row(inside), arc), |point, inside| end.ratio * (point - inside));
        if is_forward { (edge, legs) } else { (edge.reversed(), legs.reversed()) }
    }
}
