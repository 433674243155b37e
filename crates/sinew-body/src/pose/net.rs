//! Nodes, edges and fills in motion.

use super::{BoneMove, StickFigure};
use crate::Body;
use crate::fill::SpokeOffsets;
use crate::template::BentWay;
use std::f64::consts::FRAC_PI_2;

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
        if motion.fills.is_empty() {
            continue;
        }
        let joint = figure.joint_of_moves(moves, bone);
        for bent in &motion.fills {
            let angle = match bent.way {
                BentWay::Bend => joint.bend_rad,
                BentWay::Back => -joint.bend_rad,
                BentWay::Aside => joint.aside_rad,
                BentWay::Inward => -joint.aside_rad,
            };
            let share = (angle / FRAC_PI_2).clamp(0.0, 1.0);
            let shape = &mut posed.fills[bent.fill].shape;
            shape.center_factor += share * bent.change.center_factor;
            shape.height_m += share * bent.change.height_m;
            shape.center_offset += share * bent.change.center_offset;
            shape.spoke_scale += share * bent.change.spoke_scale;
        }
    }
    for (fill, found) in rest.fills.iter().zip(&mut posed.fills) {
        found.shape.center_offset = moves[fill.bone].rotation * found.shape.center_offset;
    }
}
