//! Checks springs.

use super::{ColliderShape, SpringChain, Springs};
use crate::{BoneId, CharacterParts, Problem};
use std::collections::HashSet;

/// Reports everything that is wrong with the springs.
pub(crate) fn check(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    let mut report = |what: String| problems.push(Problem::Springs { what });
    let springs = &parts.springs;
    let mut moved = HashSet::new();
    for (index, chain) in springs.chains.iter().enumerate() {
        check_joints(parts, index, chain, &mut report);
        for bone in chain.moved().iter().map(|joint| joint.bone).filter(|&bone| !moved.insert(bone)) {
            report(format!("chain {index} moves bone {bone}, which another chain moves too"));
        }
        if let Some(group) = chain.groups.iter().find(|group| **group as usize >= springs.groups.len()) {
            report(format!("chain {index} names group {group}, but there are {}", springs.groups.len()));
        }
        if let Some(center) = chain.center.filter(|center| center.index() >= parts.bones.len()) {
            report(format!("chain {index} has bone {center} as center, which does not exist"));
        }
    }
    check_colliders(parts, springs, &mut report);
}

fn check_joints(parts: &CharacterParts, index: usize, chain: &SpringChain, report: &mut dyn FnMut(String)) {
    for (at, joint) in chain.joints.iter().enumerate() {
        if joint.bone.index() >= parts.bones.len() {
            report(format!("joint {at} of chain {index} is bone {}, which does not exist", joint.bone));
            continue;
        }
        let numbers = [joint.hit_radius_m, joint.stiffness, joint.gravity_power, joint.drag];
        if !numbers.iter().all(|number| number.is_finite()) || !joint.gravity_dir.is_finite() {
            report(format!(
                "joint {at} of chain {index} (bone {}) has numbers that are not finite",
                joint.bone
            ));
        }
        let above = at.checked_sub(1).map(|above| chain.joints[above].bone);
        if let Some(above) = above.filter(|&above| !is_below(parts, joint.bone, above)) {
            report(format!("joint {at} of chain {index} (bone {}) is not below bone {above}", joint.bone));
        }
    }
}

/// Cyclic skeletons are rejected elsewhere: at most as many steps as bones.
fn is_below(parts: &CharacterParts, bone: BoneId, above: BoneId) -> bool {
    let parent = |bone: &BoneId| parts.bones.get(bone.index()).and_then(|bone| bone.parent);
    let mut upwards = std::iter::successors(parent(&bone), parent).take(parts.bones.len());
    upwards.any(|bone| bone == above)
}

fn check_colliders(parts: &CharacterParts, springs: &Springs, report: &mut dyn FnMut(String)) {
    for (index, collider) in springs.colliders.iter().enumerate() {
        if collider.bone.index() >= parts.bones.len() {
            report(format!("collider {index} is on bone {}, which does not exist", collider.bone));
        }
        let is_finite = match collider.shape {
            ColliderShape::Sphere { offset, radius, .. } => offset.is_finite() && radius.is_finite(),
            ColliderShape::Capsule { offset, tail, radius, .. } => {
                offset.is_finite() && tail.is_finite() && radius.is_finite()
            }
            ColliderShape::Plane { offset, normal } => offset.is_finite() && normal.is_finite(),
        };
        if !is_finite {
            report(format!("collider {index} has numbers that are not finite"));
        }
    }
    for (index, group) in springs.groups.iter().enumerate() {
        let count = springs.colliders.len();
        if let Some(collider) = group.colliders.iter().find(|collider| **collider as usize >= count) {
            report(format!("collider group {index} names collider {collider}, but there are {count}"));
        }
    }
}
