//! Bones of a new file.

use super::ascii_name;
use crate::pmx::rest_model::RestBone;
use crate::pmx::{PmxBone, PmxIk, PmxIkLink, PmxTail, bone_flags};
use crate::space::{angle_limits, direction, point_to_mmd};
use glam::Vec3;
use sinew_rig::{Follow, Reach};

/// A child within this distance of a bone's tip is its tail, m.
const TIP_REACH_M: f32 = 1e-5;

/// A bone with the logic of the skeleton; users may rotate every bone, and move roots and goals.
pub(in crate::pmx) fn new_bone(bones: &[RestBone], index: usize) -> PmxBone {
    let bone = &bones[index];
    let mut flags = bone_flags::ROTATABLE | bone_flags::VISIBLE | bone_flags::OPERABLE;
    let mut set = |flag: u16, is_set: bool| flags |= if is_set { flag } else { 0 };
    let tail = tail_of(bones, index);
    set(bone_flags::TAIL_IS_BONE, matches!(tail, PmxTail::Bone(_)));
    set(bone_flags::MOVABLE, bone.parent.is_none() || bone.logic.reach.is_some() || bone.is_movable);
    set(bone_flags::IK, bone.logic.reach.is_some());
    set(bone_flags::AFTER_PHYSICS, bone.logic.is_after_physics);
    let mut new = PmxBone {
        name: bone.name.as_str().into(),
        name_en: bone.english.as_deref().map_or_else(|| ascii_name(&bone.name), Into::into),
        position: point_to_mmd(bone.position),
        parent: bone.parent.map_or(-1, |parent| parent as i32),
        level: bone.logic.level,
        flags,
        tail,
        append: None,
        fixed_axis: bone.logic.axis.map(|axis| direction(axis.to_array()).to_array()),
        local_axes: None,
        external_parent: None,
        ik: bone.logic.reach.as_ref().map(ik_of),
    };
    set_follow(&mut new, bone.logic.follow.as_ref());
    new
}

/// The child at the bone's tip, else the position of the tip.
pub(in crate::pmx) fn tail_of(bones: &[RestBone], index: usize) -> PmxTail {
    let Some(tip) = bones[index].tip else { return PmxTail::Offset([0.0; 3]) };
    let end = bones[index].position + tip;
    let stands_there =
        |child: &RestBone| child.parent == Some(index as u32) && child.position.abs_diff_eq(end, TIP_REACH_M);
    match bones.iter().position(stands_there) {
        Some(child) => PmxTail::Bone(child as i32),
        None => PmxTail::Offset(point_to_mmd(tip)),
    }
}

/// Sets the followed bone and its flags.
pub(in crate::pmx) fn set_follow(bone: &mut PmxBone, follow: Option<&Follow>) {
    use bone_flags::{APPEND_ROTATION, APPEND_TRANSLATION, LOCAL_APPEND};
    bone.append = follow.map(|follow| (follow.source.0 as i32, follow.ratio));
    bone.flags &= !(APPEND_ROTATION | APPEND_TRANSLATION | LOCAL_APPEND);
    let Some(follow) = follow else { return };
    let flags = [
        (follow.rotates, APPEND_ROTATION),
        (follow.translates, APPEND_TRANSLATION),
        (follow.is_local, LOCAL_APPEND),
    ];
    flags.iter().filter(|(is_set, _)| *is_set).for_each(|(_, flag)| bone.flags |= flag);
}

/// A chain in PMX form.
pub(in crate::pmx) fn ik_of(reach: &Reach) -> PmxIk {
    let limits = |[least, greatest]: [Vec3; 2]| {
        angle_limits(least.to_array(), greatest.to_array()).map(|angles| angles.to_array())
    };
    let links = reach
        .links
        .iter()
        .map(|link| PmxIkLink { bone: link.bone.0 as i32, limits_rad: link.limits.map(limits) });
    PmxIk {
        target: reach.effector.0 as i32,
        loop_count: i32::try_from(reach.iterations).unwrap_or(i32::MAX),
        limit_rad: reach.step_rad,
        links: links.collect(),
    }
}
