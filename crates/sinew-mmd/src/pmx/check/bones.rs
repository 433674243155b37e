//! Checks of bones.
//!
//! A parent that does not exist or closes a cycle is removed; in a cycle the bone of the lowest index becomes a root. A position that
//! is not finite becomes the parent's. Removed if they refer to a missing bone or are not finite: tail, append, fixed axis, own axes,
//! chain, link of a chain. Cycles of append are broken at the lowest index. Iterations are clamped to 0 to 255.

use super::{Problems, is_astray, is_finite, place_of, repair_names};
use crate::pmx::to_character::{MOST_ITERATIONS, cycle_breaks, stand_at_parents};
use crate::pmx::{Pmx, PmxBone, PmxIk, PmxTail, bone_flags};
use glam::Vec3;

const LIST: &str = "bones";

pub(super) fn repair(pmx: &mut Pmx, problems: &mut Problems) {
    repair_names(LIST, pmx.bones.iter_mut().map(|bone| &mut bone.name), problems);
    repair_parents(&mut pmx.bones, problems);
    repair_places(&mut pmx.bones, problems);
    let count = pmx.bones.len();
    for (index, bone) in pmx.bones.iter_mut().enumerate() {
        repair_tail(index, bone, count, problems);
        repair_append(index, bone, count, problems);
        repair_axes(index, bone, problems);
        if let Some(ik) = &mut bone.ik
            && !repair_chain(index, ik, count, problems)
        {
            bone.ik = None;
            bone.flags &= !bone_flags::IK;
        }
    }
    let sources: Vec<Option<usize>> = pmx.bones.iter().map(|bone| place_of(bone.append?.0, count)).collect();
    for index in cycle_breaks(&sources) {
        problems.add(LIST, index, "it follows bones that follow it", "it follows none");
        drop_append(&mut pmx.bones[index]);
    }
}

fn repair_parents(bones: &mut [PmxBone], problems: &mut Problems) {
    let count = bones.len();
    for (index, bone) in bones.iter_mut().enumerate() {
        if is_astray(bone.parent, count) {
            problems.add(
                LIST,
                index,
                &format!("its parent {} does not exist", bone.parent),
                "it becomes a root",
            );
            bone.parent = -1;
        }
    }
    for index in cycle_breaks(&parents_of(bones)) {
        problems.add(LIST, index, "it is its own ancestor", "it becomes a root");
        bones[index].parent = -1;
    }
}

fn parents_of(bones: &[PmxBone]) -> Vec<Option<usize>> {
    bones.iter().map(|bone| place_of(bone.parent, bones.len())).collect()
}

fn repair_places(bones: &mut [PmxBone], problems: &mut Problems) {
    let mut positions: Vec<Vec3> = bones.iter().map(|bone| Vec3::from(bone.position)).collect();
    stand_at_parents(&mut positions, &parents_of(bones));
    for (index, (bone, position)) in bones.iter_mut().zip(positions).enumerate() {
        if !is_finite(&bone.position) {
            problems.add(LIST, index, "its position is not finite", "it is placed at its parent");
            bone.position = position.to_array();
        }
    }
}

fn repair_tail(index: usize, bone: &mut PmxBone, count: usize, problems: &mut Problems) {
    match &mut bone.tail {
        PmxTail::Bone(tail) if is_astray(*tail, count) => {
            problems.add(LIST, index, &format!("its tail bone {tail} does not exist"), "it has no tail");
            *tail = -1;
        }
        PmxTail::Offset(offset) if !is_finite(offset) => {
            problems.add(LIST, index, "its tail is not finite", "it has no tail");
            *offset = [0.0; 3];
        }
        _ => {}
    }
}

fn repair_append(index: usize, bone: &mut PmxBone, count: usize, problems: &mut Problems) {
    let Some((source, ratio)) = bone.append else { return };
    let what = if place_of(source, count).is_none() {
        format!("it follows bone {source}, which does not exist")
    } else if !ratio.is_finite() {
        "the share it follows is not finite".to_owned()
    } else {
        return;
    };
    problems.add(LIST, index, &what, "it follows none");
    drop_append(bone);
}

fn drop_append(bone: &mut PmxBone) {
    bone.append = None;
    bone.flags &= !(bone_flags::APPEND_ROTATION | bone_flags::APPEND_TRANSLATION);
}

fn repair_axes(index: usize, bone: &mut PmxBone, problems: &mut Problems) {
    if bone.fixed_axis.is_some_and(|axis| !is_finite(&axis)) {
        problems.add(LIST, index, "its fixed axis is not finite", "it has none");
        bone.fixed_axis = None;
        bone.flags &= !bone_flags::FIXED_AXIS;
    }
    if bone.local_axes.is_some_and(|axes| !is_finite(axes.as_flattened())) {
        problems.add(LIST, index, "its own axes are not finite", "it has none");
        bone.local_axes = None;
        bone.flags &= !bone_flags::LOCAL_AXES;
    }
}

/// Returns whether the chain is valid.
fn repair_chain(index: usize, ik: &mut PmxIk, count: usize, problems: &mut Problems) -> bool {
    let mut add = |what: &str, fix: &str| problems.add(LIST, index, what, fix);
    if place_of(ik.target, count).is_none() {
        add(&format!("the target bone {} of its chain does not exist", ik.target), "the chain is removed");
        return false;
    }
    if !ik.limit_rad.is_finite() {
        add("the angle of its chain is not finite", "the chain is removed");
        return false;
    }
    let held = ik.loop_count.clamp(0, MOST_ITERATIONS);
    if held != ik.loop_count {
        add(
            &format!("its chain has {} iterations, out of range 0 to 255", ik.loop_count),
            &format!("it gets {held}"),
        );
        ik.loop_count = held;
    }
    ik.links.retain(|link| {
        let exists = place_of(link.bone, count).is_some();
        if !exists {
            add(&format!("bone {} of its chain does not exist", link.bone), "it is removed from the chain");
        }
        exists
    });
    for link in &mut ik.links {
        let Some([least, greatest]) = &mut link.limits_rad else { continue };
        if !is_finite(least) || !is_finite(greatest) {
            add("a limit of its chain is not finite", "the link gets no limit");
            link.limits_rad = None;
            continue;
        }
        for axis in (0..3).filter(|&axis| least[axis] > greatest[axis]).collect::<Vec<_>>() {
            add("a minimum angle of its chain is above the maximum", "they are swapped");
            std::mem::swap(&mut least[axis], &mut greatest[axis]);
        }
    }
    true
}
