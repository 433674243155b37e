//! Weights of the figure's skin.
//!
//! Each vertex is divided among its neighbors in the hierarchy: by a soft step across every joint and, where arm and trunk are close in
//! space but not along the skin, by the part the vertex belongs to. Smoothing along the mesh then removes edges; nothing jumps from arm to
//! trunk or from leg to leg.

use super::shape::Shape;
use super::skeleton::{
    ANKLE, ARM_M, BALL, HIP, JOINT_COUNT, Joint, KNEE, SHOULDER, Side, TOE_TIP, UPPER_ARM_M, arm_direction,
};
use crate::{Influences, InfluencesBuilder};
use glam::Vec3;
use sinew_geometry::{Neighbors, TriangleMesh, smooth_step};

/// Rounds of smoothing, about 1 cm each: fewer leave edges where steps meet, more wash out the hands.
const SMOOTHING_ROUNDS: usize = 6;
/// Smaller weights are dropped: they move nothing by more than 1 mm.
const LEAST_WEIGHT: f32 = 0.004;
/// Maximum influences per vertex: a common limit of graphics hardware.
const MOST_INFLUENCES: usize = 4;

/// One weight per joint.
type Shares = [f32; JOINT_COUNT];

/// Influences on the joints in their order, at most four a vertex.
pub(super) fn influences(shape: &Shape, mesh: &TriangleMesh) -> Influences {
    let mut shares: Vec<Shares> = mesh.positions.iter().map(|&position| shares_at(shape, position)).collect();
    let neighbors = Neighbors::of_triangles(mesh.positions.len(), &mesh.triangles);
    for _ in 0..SMOOTHING_ROUNDS {
        shares = smoothed(&shares, &neighbors);
    }
    let mut builder = InfluencesBuilder::with_capacity(shares.len(), MOST_INFLUENCES * shares.len());
    for vertex in &shares {
        let kept = vertex.iter().enumerate().filter(|&(_, &share)| share >= LEAST_WEIGHT);
        builder.push(kept.map(|(joint, &share)| (joint as u16, share)));
    }
    builder.build().cut_to(MOST_INFLUENCES).0
}

fn smoothed(shares: &[Shares], neighbors: &Neighbors) -> Vec<Shares> {
    let mean_with_neighbors = |(vertex, here): (usize, &Shares)| {
        let around = neighbors.of(vertex);
        let mut mean = here.map(|share| 0.5 * share);
        for &other in around {
            for (sum, share) in mean.iter_mut().zip(&shares[other as usize]) {
                *sum += 0.5 * share / around.len() as f32;
            }
        }
        mean
    };
    shares.iter().enumerate().map(mean_with_neighbors).collect()
}

/// The division of one point of the skin, before smoothing.
fn shares_at(shape: &Shape, position: Vec3) -> Shares {
    let mut shares = [0.0; JOINT_COUNT];
    let side = if position.x < 0.0 { Side::Right } else { Side::Left };
    let left = side.place(position);
    let rest = share_arm(shape, side, left, &mut shares);
    let rest = share_leg(side, left, rest, &mut shares);

    let across_neck = Vec3::new(0.0, 0.9, 0.44);
    let across_jaw = Vec3::new(0.0, 0.8, 0.6);
    let trunk = [
        (Joint::Hips, 1.0),
        (Joint::Spine, step(left.y - 1.05, 0.065)),
        (Joint::Chest, step(left.y - 1.195, 0.075)),
        (Joint::Neck, step((left - Vec3::new(0.0, 1.475, -0.01)).dot(across_neck), 0.045)),
        (Joint::Head, step((left - Vec3::new(0.0, 1.56, 0.0)).dot(across_jaw), 0.035)),
    ];
    share_chain(&trunk, rest, &mut shares);
    shares
}

/// Gives arm and shoulder their part; returns what is left for the trunk.
fn share_arm(shape: &Shape, side: Side, left: Vec3, shares: &mut Shares) -> f32 {
    let along = (left - SHOULDER).dot(arm_direction());
    let apart = shape.trunk_distance(left) - shape.arm_distance(left);
    let arm = step(along - 0.015, 0.08) * step(apart - 0.005, 0.04);
    let chain = [
        (Joint::UpperArm(side), 1.0),
        (Joint::LowerArm(side), step(along - UPPER_ARM_M, 0.06)),
        (Joint::Hand(side), step(along - ARM_M, 0.03)),
    ];
    share_chain(&chain, arm, shares);
    let shoulder = (1.0 - arm) * step(left.x - 0.09, 0.06) * step(left.y - 1.35, 0.07);
    shares[Joint::Shoulder(side).id().index()] = shoulder;
    1.0 - arm - shoulder
}

/// Gives the leg its part of `share`; returns what is left for the trunk.
fn share_leg(side: Side, left: Vec3, share: f32, shares: &mut Shares) -> f32 {
    // The groin runs from the crotch up and outwards.
    let groin = Vec3::new(0.45, -0.89, 0.0);
    let leg = share * step((left - HIP).dot(groin) - 0.012, 0.075) * step(left.x - 0.012, 0.018);
    let down = (ANKLE - HIP).normalize();
    // The ankle's step leans, so that the heel goes with the foot.
    let into_foot = Vec3::new(0.0, -0.86, 0.51);
    let chain = [
        (Joint::UpperLeg(side), 1.0),
        (Joint::LowerLeg(side), step((left - KNEE).dot(down), 0.06)),
        (Joint::Foot(side), step((left - ANKLE).dot(into_foot), 0.035)),
        (Joint::Toes(side), step((left - BALL).dot((TOE_TIP - BALL).normalize()), 0.025)),
    ];
    share_chain(&chain, leg, shares);
    share - leg
}

/// Divides `share` along a chain. Each joint comes with how far the vertex has passed from the joint before it, 0 to 1.
fn share_chain(chain: &[(Joint, f32)], share: f32, shares: &mut Shares) {
    let mut rest = share;
    for &(joint, passed) in chain.iter().rev() {
        let given = rest * passed;
        shares[joint.id().index()] += given;
        rest -= given;
    }
}

/// 0 below −`half_width`, 1 above it, smooth between.
fn step(offset: f32, half_width: f32) -> f32 {
    smooth_step(0.5 + 0.5 * offset / half_width)
}
