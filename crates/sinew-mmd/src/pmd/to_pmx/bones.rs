//! Bones and chains.

use super::super::types::{Pmd, PmdBone, PmdEnglishNames, PmdIk, bone_types};
use super::text;
use crate::pmx::{PmxBone, PmxIk, PmxIkLink, PmxTail, bone_flags};
use glam::Vec3;
use sinew_io::Report;

/// Bones with this in their name bend only about x, and only one way.
pub(in crate::pmd) const KNEE: &str = "ひざ";
/// Range of a knee, rad: from −180° to −0.5° about x.
pub(in crate::pmd) const KNEE_LIMITS_RAD: [[f32; 3]; 2] =
    [[-std::f32::consts::PI, 0.0, 0.0], [-0.5 * std::f32::consts::PI / 180.0, 0.0, 0.0]];
/// Radians of one unit of a chain's angle.
pub(in crate::pmd) const RADIANS_PER_IK_UNIT: f32 = 4.0;
/// MMD solves chains after all bones have turned, and turns following bones after all chains are solved.
const IK_LEVEL: i32 = 1;
const FOLLOW_LEVEL: i32 = 2;

pub(super) fn to_pmx(pmd: &Pmd, english: &PmdEnglishNames, report: &mut Report) -> Vec<PmxBone> {
    let levels = levels(pmd);
    let bones = pmd.bones.iter().enumerate().map(|(index, bone)| {
        let name_en = english.bones.get(index).copied().unwrap_or_default();
        let place = format!("bones[{index}]");
        let append = followed(bone);
        let follows = matches!(bone.kind, bone_types::FOLLOW | bone_types::FOLLOW_SHARE);
        if follows && append.is_none() {
            report.warn(&place, "its type is to follow a bone, but it names none");
        }
        PmxBone {
            name: text(&bone.name, &place, report),
            name_en: text(&name_en, &place, report),
            position: bone.position,
            parent: bone.parent.into(),
            level: levels[index],
            flags: flags(bone),
            tail: tail(bone),
            append,
            fixed_axis: (bone.kind == bone_types::TWIST).then(|| axis(pmd, bone)),
            local_axes: None,
            external_parent: None,
            ik: None,
        }
    });
    let mut bones: Vec<PmxBone> = bones.collect();
    for (index, ik) in pmd.iks.iter().enumerate() {
        match bones.get_mut(usize::from(ik.bone)) {
            Some(bone) if bone.ik.is_none() => bone.ik = Some(to_pmx_ik(pmd, ik)),
            other => {
                let (bone, why) =
                    (ik.bone, if other.is_some() { "already has a chain" } else { "does not exist" });
                report.warn(format_args!("IKs[{index}]"), format_args!("bone {bone} {why}; left out"));
            }
        }
    }
    if !pmd.iks.is_sorted_by_key(|ik| ik.bone) {
        report.warn("IKs", "they are now solved in the order of their bones, not of the file");
    }
    bones
}

fn flags(bone: &PmdBone) -> u16 {
    let turns = bone_flags::ROTATABLE | bone_flags::OPERABLE;
    match bone.kind {
        bone_types::MOVE | bone_types::IK => turns | bone_flags::MOVABLE | bone_flags::VISIBLE,
        bone_types::IK_TARGET | bone_types::HIDDEN | bone_types::FOLLOW_SHARE => turns,
        _ => turns | bone_flags::VISIBLE,
    }
}

fn tail(bone: &PmdBone) -> PmxTail {
    let has_tail = bone.tail > 0 && bone.kind != bone_types::FOLLOW_SHARE;
    PmxTail::Bone(if has_tail { bone.tail.into() } else { -1 })
}

/// The bone that a bone follows, and the share.
fn followed(bone: &PmdBone) -> Option<(i32, f32)> {
    match bone.kind {
        bone_types::FOLLOW if bone.ik > 0 => Some((bone.ik.into(), 1.0)),
        bone_types::FOLLOW_SHARE if bone.tail > 0 => Some((bone.tail.into(), f32::from(bone.ik) / 100.0)),
        _ => None,
    }
}

/// The direction to a bone's tail; x if it has none.
fn axis(pmd: &Pmd, bone: &PmdBone) -> [f32; 3] {
    let tail = usize::try_from(bone.tail).ok().and_then(|tail| pmd.bones.get(tail));
    let shift = tail.map_or(Vec3::ZERO, |tail| Vec3::from(tail.position) - Vec3::from(bone.position));
    shift.normalize_or(Vec3::X).to_array()
}

fn to_pmx_ik(pmd: &Pmd, ik: &PmdIk) -> PmxIk {
    let is_knee =
        |bone: u16| pmd.bones.get(usize::from(bone)).is_some_and(|bone| bone.name.decode().contains(KNEE));
    let link =
        |&bone: &u16| PmxIkLink { bone: bone.into(), limits_rad: is_knee(bone).then_some(KNEE_LIMITS_RAD) };
    PmxIk {
        target: ik.target.into(),
        loop_count: ik.loop_count.into(),
        limit_rad: ik.limit * RADIANS_PER_IK_UNIT,
        links: ik.links.iter().map(link).collect(),
    }
}

/// The level of each bone: at least its parent's.
fn levels(pmd: &Pmd) -> Vec<i32> {
    let mut own = vec![0; pmd.bones.len()];
    for ik in &pmd.iks {
        if let Some(level) = own.get_mut(usize::from(ik.bone)) {
            *level = IK_LEVEL;
        }
    }
    for (level, bone) in own.iter_mut().zip(&pmd.bones) {
        if followed(bone).is_some() {
            *level = FOLLOW_LEVEL;
        }
    }
    let mut levels: Vec<Option<i32>> = vec![None; own.len()];
    for bone in 0..own.len() {
        // Up to a bone with a known level, then down again. The level set on the way up ends loops.
        let mut path = Vec::new();
        let mut next = Some(bone);
        let mut level = 0;
        while let Some(bone) = next {
            if let Some(known) = levels[bone] {
                level = known;
                break;
            }
            levels[bone] = Some(own[bone]);
            path.push(bone);
            next = usize::try_from(pmd.bones[bone].parent).ok().filter(|&parent| parent < own.len());
        }
        for bone in path.into_iter().rev() {
            level = level.max(own[bone]);
            levels[bone] = Some(level);
        }
    }
    levels.into_iter().map(Option::unwrap_or_default).collect()
}
