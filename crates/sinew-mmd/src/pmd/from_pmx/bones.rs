//! Bone types and chains.

use super::super::to_pmx::{KNEE, KNEE_LIMITS_RAD, RADIANS_PER_IK_UNIT};
use super::super::types::{PmdBone, PmdIk, bone_types};
use super::fixed;
use crate::FixedText;
use crate::pmx::{Pmx, PmxBone, PmxIk, PmxTail, bone_flags};
use glam::Vec3;
use sinew_io::Report;

/// Maximum links of a chain; the count has one byte.
const MOST_LINKS: usize = u8::MAX as usize;
/// Limits and axes that differ by less (rad or units) count as equal.
const ANGLE_TOLERANCE: f32 = 1e-3;

pub(super) fn english_names(pmx: &Pmx, report: &mut Report) -> Vec<FixedText<20>> {
    let names = pmx.bones.iter().enumerate();
    names.map(|(index, bone)| fixed(&bone.name_en, &format!("bones[{index}].English name"), report)).collect()
}

pub(super) fn from_pmx(pmx: &Pmx, report: &mut Report) -> Vec<PmdBone> {
    let roles = ChainRoles::of(pmx);
    let bones = pmx.bones.iter().enumerate().map(|(index, bone)| {
        let place = format!("bones[{index}]");
        warn_of_losses(pmx, bone, &place, report);
        let (kind, tail, ik) = kind_tail_and_ik(bone, index, &roles, &place, report);
        PmdBone {
            name: fixed(&bone.name, &format!("{place}.name"), report),
            parent: index_or_none(bone.parent),
            tail,
            kind,
            ik,
            position: bone.position,
        }
    });
    bones.collect()
}

/// Roles of bones in chains, by the index of the goal bone.
struct ChainRoles {
    linked_by: Vec<Option<usize>>,
    target_of: Vec<Option<usize>>,
}

impl ChainRoles {
    fn of(pmx: &Pmx) -> Self {
        let mut roles =
            Self { linked_by: vec![None; pmx.bones.len()], target_of: vec![None; pmx.bones.len()] };
        for (index, bone) in pmx.bones.iter().enumerate() {
            let Some(ik) = &bone.ik else { continue };
            put(&mut roles.target_of, ik.target, index);
            ik.links.iter().for_each(|link| put(&mut roles.linked_by, link.bone, index));
        }
        roles
    }
}

/// Stores the first chain of a bone, if the bone exists.
fn put(roles: &mut [Option<usize>], bone: i32, chain: usize) {
    if let Some(role) = usize::try_from(bone).ok().and_then(|bone| roles.get_mut(bone)) {
        role.get_or_insert(chain);
    }
}

/// The type of a bone, and the two fields whose meaning depends on it.
fn kind_tail_and_ik(
    bone: &PmxBone,
    index: usize,
    roles: &ChainRoles,
    place: &str,
    report: &mut Report,
) -> (u8, i16, i16) {
    let tail = match bone.tail {
        PmxTail::Bone(tail) => index_or_none(tail),
        PmxTail::Offset(_) => -1,
    };
    let is_visible = bone.flags & bone_flags::VISIBLE != 0;
    let is_following =
        bone.flags & bone_flags::APPEND_TRANSLATION == 0 || bone.flags & bone_flags::APPEND_ROTATION != 0;
    if let Some((followed, share)) = bone.append.filter(|_| is_following) {
        if bone.ik.is_some() {
            let what = "it follows a bone and has a chain; PMD supports only one, so the chain is kept";
            report.warn(place, what);
            return (bone_types::IK, tail, 0);
        }
        if share == 1.0 {
            return (bone_types::FOLLOW, tail, index_or_none(followed));
        }
        if tail > 0 {
            report.warn(place, "it follows a share of a rotation; PMD cannot store its tail");
        }
        let percent = (share * 100.0).round().clamp(i16::MIN.into(), i16::MAX.into());
        if (percent / 100.0 - share).abs() > ANGLE_TOLERANCE {
            report.warn(place, format_args!("the share {share} is rounded to {percent} %"));
        }
        return (bone_types::FOLLOW_SHARE, index_or_none(followed), percent as i16);
    }
    if bone.ik.is_some() {
        (bone_types::IK, tail, 0)
    } else if !is_visible && roles.target_of[index].is_some() {
        (bone_types::IK_TARGET, tail, index_of(roles.target_of[index]))
    } else if !is_visible {
        (bone_types::HIDDEN, tail, 0)
    } else if bone.fixed_axis.is_some() {
        (bone_types::TWIST, tail, 0)
    } else if roles.linked_by[index].is_some() {
        (bone_types::UNDER_IK, tail, index_of(roles.linked_by[index]))
    } else if bone.flags & bone_flags::MOVABLE != 0 {
        (bone_types::MOVE, tail, 0)
    } else {
        (bone_types::ROTATE, tail, 0)
    }
}

fn index_of(chain: Option<usize>) -> i16 {
    chain.and_then(|chain| i16::try_from(chain).ok()).unwrap_or(0)
}

/// A bone index; −1 if it does not fit.
fn index_or_none(bone: i32) -> i16 {
    i16::try_from(bone).unwrap_or(-1)
}

fn warn_of_losses(pmx: &Pmx, bone: &PmxBone, place: &str, report: &mut Report) {
    let has_offset = matches!(bone.tail, PmxTail::Offset(offset) if offset != [0.0; 3]);
    let follows_shift = bone.append.is_some() && bone.flags & bone_flags::APPEND_TRANSLATION != 0;
    let is_after_physics = bone.flags & bone_flags::AFTER_PHYSICS != 0;
    for (is_lost, what) in [
        (bone.level > 2 || bone.level < 0, "its level"),
        (has_offset, "its tail, which is not a bone"),
        (follows_shift, "that it follows a bone's translation"),
        (bone.append.is_some() && bone.flags & bone_flags::LOCAL_APPEND != 0, "that it follows locally"),
        (bone.local_axes.is_some(), "its local axes"),
        (bone.external_parent.is_some(), "its parent in another model"),
        (is_after_physics, "that it is evaluated after physics"),
        (
            bone.fixed_axis.is_some_and(|axis| !is_along_tail(pmx, bone, axis)),
            "its axis, which differs from its direction",
        ),
    ] {
        if is_lost {
            report.warn(place, format_args!("PMD cannot store {what}"));
        }
    }
}

fn is_along_tail(pmx: &Pmx, bone: &PmxBone, axis: [f32; 3]) -> bool {
    let PmxTail::Bone(tail) = bone.tail else { return false };
    let Some(tail) = usize::try_from(tail).ok().and_then(|tail| pmx.bones.get(tail)) else { return false };
    let length = Vec3::from(tail.position) - Vec3::from(bone.position);
    let (length, axis) = (length.normalize_or_zero(), Vec3::from(axis).normalize_or_zero());
    length != Vec3::ZERO && length.dot(axis).abs() > 1.0 - ANGLE_TOLERANCE
}

pub(super) fn iks(pmx: &Pmx, report: &mut Report) -> Vec<PmdIk> {
    let chains = pmx.bones.iter().enumerate().filter_map(|(index, bone)| Some((index, bone.ik.as_ref()?)));
    let mut iks = Vec::new();
    for (index, ik) in chains {
        let place = format!("bones[{index}].IK");
        let (Ok(bone), Ok(target)) = (u16::try_from(index), u16::try_from(ik.target)) else {
            report.warn(&place, "the chain has no target; left out");
            continue;
        };
        warn_of_limits(pmx, ik, &place, report);
        if ik.links.len() > MOST_LINKS {
            let what = format!("the chain has {} links; the first {MOST_LINKS} are kept", ik.links.len());
            report.warn(&place, what);
        }
        let loop_count = u16::try_from(ik.loop_count).unwrap_or_else(|_| {
            report.warn(&place, format_args!("{} iterations exceed the maximum; using 65535", ik.loop_count));
            if ik.loop_count < 0 { 0 } else { u16::MAX }
        });
        let links = ik.links.iter().take(MOST_LINKS).filter_map(|link| u16::try_from(link.bone).ok());
        let limit = ik.limit_rad / RADIANS_PER_IK_UNIT;
        iks.push(PmdIk { bone, target, loop_count, limit, links: links.collect() });
    }
    iks
}

/// PMD limits only knees, by their names.
fn warn_of_limits(pmx: &Pmx, ik: &PmxIk, place: &str, report: &mut Report) {
    for (number, link) in ik.links.iter().enumerate() {
        let bone = usize::try_from(link.bone).ok().and_then(|bone| pmx.bones.get(bone));
        let Some(bone) = bone else {
            report.warn(place, format!("link {number} does not exist; left out if its index is below 0"));
            continue;
        };
        let is_knee = bone.name.as_str().contains(KNEE);
        match link.limits_rad {
            Some(limits) if !(is_knee && is_near(limits, KNEE_LIMITS_RAD)) => {
                report.warn(
                    place,
                    format_args!(
                        "the limits of link {number} differ from those of a PMD knee; they are lost"
                    ),
                );
            }
            None if is_knee => {
                report.warn(place, format_args!("link {number} has the name of a knee; PMD limits it"));
            }
            _ => {}
        }
    }
}

fn is_near(a: [[f32; 3]; 2], b: [[f32; 3]; 2]) -> bool {
    a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| (a - b).abs() < ANGLE_TOLERANCE)
}
