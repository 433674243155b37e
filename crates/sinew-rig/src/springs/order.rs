//! The order in which joints swing: after the joints that carry them, and after those that carry what they hit.

use super::Springs;
use crate::{BoneId, Skeleton};

/// Indices of the moved joints, counted over all chains, in that order. Where two depend on each other, the file's order counts.
pub(super) fn order(
    skeleton: &Skeleton,
    springs: &Springs,
    bones: &[BoneId],
    colliders: &[Vec<usize>],
) -> Vec<usize> {
    let mut joint_of_bone = vec![None; skeleton.bone_count()];
    bones.iter().enumerate().for_each(|(joint, bone)| joint_of_bone[bone.index()] = Some(joint));
    // Joints at a bone or above it, the root's first.
    let carriers = |bone: Option<BoneId>| {
        let mut found: Vec<usize> = bone
            .into_iter()
            .flat_map(|bone| skeleton.upwards(bone))
            .filter_map(|bone| joint_of_bone[bone.index()])
            .collect();
        found.reverse();
        found
    };
    let needs: Vec<Vec<usize>> = bones
        .iter()
        .zip(colliders)
        .map(|(bone, colliders)| {
            let mut needed = carriers(skeleton.bone(*bone).parent);
            for &collider in colliders {
                needed.extend(carriers(Some(springs.colliders[collider].bone)));
            }
            needed
        })
        .collect();
    let mut order = Vec::with_capacity(bones.len());
    let mut is_listed = vec![false; bones.len()];
    let mut is_begun = vec![false; bones.len()];
    for joint in 0..bones.len() {
        // Each entry: a joint, and how many of its needs were looked at. Without recursion, because chains may be long.
        let mut stack = vec![(joint, 0)];
        while let Some((joint, at)) = stack.pop() {
            if is_listed[joint] || (at == 0 && std::mem::replace(&mut is_begun[joint], true)) {
                continue;
            }
            match needs[joint].get(at) {
                Some(&needed) => stack.extend([(joint, at + 1), (needed, 0)]),
                None => {
                    is_listed[joint] = true;
                    order.push(joint);
                }
            }
        }
    }
    order
}
