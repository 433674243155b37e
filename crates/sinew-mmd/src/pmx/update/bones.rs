//! Bones.

use crate::pmx::from_character::{BONES_FRAME, ik_of, new_bone, new_frame, set_follow, tail_of};
use crate::pmx::rest_model::RestBone;
use crate::pmx::{Pmx, PmxBone, PmxIk, PmxTail, bone_flags};
use crate::space::{direction, point_to_mmd};
use sinew_rig::{BoneLogic, Reach};

/// Positions closer than this (m, for bones a meter away) are equal up to rounding: an edit of a parent that keeps its child in
/// place changes the last digit.
const SAME_PLACE: f32 = 5e-7;

/// Writes changed and new bones.
pub(super) fn update(pmx: &mut Pmx, before: &[RestBone], after: &[RestBone]) {
    let first_new = pmx.bones.len();
    for (index, bone) in after.iter().enumerate() {
        match (before.get(index), pmx.bones.get_mut(index)) {
            (Some(old), Some(raw)) => update_bone(raw, old, bone, || tail_of(after, index)),
            _ => pmx.bones.push(new_bone(after, index)),
        }
    }
    if first_new < pmx.bones.len() {
        let entries = (first_new..pmx.bones.len()).map(|bone| (0, bone as i32));
        match pmx.frames.iter_mut().rfind(|frame| frame.special == 0) {
            Some(frame) => frame.entries.extend(entries),
            None => {
                let mut frame = new_frame(BONES_FRAME, 0);
                frame.entries.extend(entries);
                pmx.frames.push(frame);
            }
        }
    }
}

fn update_bone(raw: &mut PmxBone, old: &RestBone, new: &RestBone, tail: impl FnOnce() -> PmxTail) {
    if old.name != new.name {
        raw.name = new.name.as_str().into();
    }
    if !old.position.abs_diff_eq(new.position, SAME_PLACE * old.position.length().max(1.0)) {
        raw.position = point_to_mmd(new.position);
    }
    if old.parent != new.parent {
        raw.parent = new.parent.map_or(-1, |parent| parent as i32);
    }
    if old.tip != new.tip {
        raw.tail = tail();
        set_flag(raw, bone_flags::TAIL_IS_BONE, matches!(raw.tail, PmxTail::Bone(_)));
    }
    update_logic(raw, &old.logic, &new.logic);
}

fn update_logic(raw: &mut PmxBone, old: &BoneLogic, new: &BoneLogic) {
    if old.level != new.level {
        raw.level = new.level;
    }
    if old.is_after_physics != new.is_after_physics {
        set_flag(raw, bone_flags::AFTER_PHYSICS, new.is_after_physics);
    }
    if old.axis != new.axis {
        raw.fixed_axis = new.axis.map(|axis| direction(axis.to_array()).to_array());
    }
    if old.follow != new.follow {
        set_follow(raw, new.follow.as_ref());
    }
    if old.reach != new.reach {
        raw.ik = match (raw.ik.take(), &old.reach, &new.reach) {
            (Some(ik), Some(old), Some(new)) => Some(updated_ik(ik, old, new)),
            (_, _, new) => new.as_ref().map(ik_of),
        };
        set_flag(raw, bone_flags::IK, raw.ik.is_some());
    }
}

fn updated_ik(raw: PmxIk, old: &Reach, new: &Reach) -> PmxIk {
    let written = ik_of(new);
    PmxIk {
        target: if old.effector == new.effector { raw.target } else { written.target },
        loop_count: if old.iterations == new.iterations { raw.loop_count } else { written.loop_count },
        limit_rad: written.limit_rad,
        links: if old.links == new.links { raw.links } else { written.links },
    }
}

fn set_flag(bone: &mut PmxBone, flag: u16, is_set: bool) {
    bone.flags = if is_set { bone.flags | flag } else { bone.flags & !flag };
}
