//! Nodes, edges and fills in motion.

use super::{BoneMove, StickFigure};
use crate::Body;
use crate::fill::SpokeOffsets;

/// Moves the parts between tubes with their bones. Shapes of fills change linearly to those at 90° and stay there, \[Komatsu88\] section 5.1.
pub(super) fn move_net(rest: &Body, figure: &StickFigure, moves: &[BoneMove], posed: &mut Body) {
    for (node, found) in rest.nodes.iter().zip(&mut posed.nodes) {
        found.position = moves[node.bone].point(node.position);
        found.normal = moves[node.bone].rotation * node.normal;
        found.leg_offsets = node.leg_offsets.map(|offset| moves[node.bone].rotation * offset);
    }
    for (edge, found) in rest.edges.iter().zip(&mut posed.edges) {
        found.bulge = moves[edge.bone].rotation * edge.bulge;
        found.legs = edge.legs.map(|leg| moves[edge.bone].rotation * leg);
    }
    for (fill, found) in rest.fills.iter().zip(&mut posed.fills) {
        found.shape = fill.shape;
        for (offset, found) in fill.middle_offsets.iter().zip(&mut found.middle_offsets) {
            *found = moves[fill.bone].rotation * *offset;
        }
        for (offset, found) in fill.spoke_offsets.iter().zip(&mut found.spoke_offsets) {
            let rotation = moves[fill.bone].rotation;
            *found = SpokeOffsets {
                bulge: rotation * offset.bulge,
                star: rotation * offset.star,
                across: offset.across.map(|leg| rotation * leg),
            };
        }
    }
    for (bone, motion) in rest.motions.iter().enumerate() {
        if motion.fills.is_empty() && motion.edges.is_empty() && motion.nodes.is_empty() {
            continue;
        }
        let joint = figure.joint_of_moves(moves, bone);
        for bent in &motion.fills {
            let share = bent.way.share(&joint);
            let shape = &mut posed.fills[bent.fill].shape;
            shape.center_factor += share * bent.change.center_factor;
            shape.height_m += share * bent.change.height_m;
            shape.center_offset += share * bent.change.center_offset;
            shape.spoke_scale += share * bent.change.spoke_scale;
        }
        for bent in &motion.edges {
            let turned = moves[rest.edges[bent.edge].bone].rotation * bent.bulge;
            posed.edges[bent.edge].bulge += bent.way.share(&joint) * turned;
        }
        for bent in &motion.nodes {
            let turned = moves[rest.nodes[bent.node].bone].rotation * bent.shift;
            posed.nodes[bent.node].position += bent.way.share(&joint) * turned;
        }
    }
    for (fill, found) in rest.fills.iter().zip(&mut posed.fills) {
        found.shape.center_offset = moves[fill.bone].rotation * found.shape.center_offset;
    }
}
