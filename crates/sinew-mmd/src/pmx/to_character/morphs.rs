//! Morphs.
//!
//! Every morph of the file is a morph of the mesh, with the same index. Entries that do not exist or are not finite are left out,
//! entries of the same vertex add up. Groups inside groups are left out, as in MMD. Morphs of texture coordinates, materials and rigid
//! bodies have a name and no effect.

use crate::pmx::tally::Tally;
use crate::pmx::{Pmx, PmxMorphKind};
use crate::space::{point_from_mmd, turn};
use glam::{Quat, Vec3};
use sinew_io::Report;
use sinew_rig::{BoneId, BoneMorph, MorphEffect, MorphTarget};

pub(super) fn read(pmx: &Pmx, report: &mut Report) -> Vec<MorphTarget> {
    let mut broken = Tally::default();
    let mut unshown = Tally::default();
    let mut morphs = Vec::with_capacity(pmx.morphs.len());
    for (index, morph) in pmx.morphs.iter().enumerate() {
        let mut target = MorphTarget { name: morph.name.as_str().to_owned(), ..MorphTarget::default() };
        let mut kept = entry_count(&morph.kind);
        target.effect = match &morph.kind {
            PmxMorphKind::Vertex(shifts) => {
                kept = read_shifts(shifts, pmx.vertices.len(), &mut target);
                MorphEffect::None
            }
            PmxMorphKind::Group(members) => {
                let is_group = |member: usize| matches!(pmx.morphs[member].kind, PmxMorphKind::Group(_));
                MorphEffect::Group(good_members(members, pmx.morphs.len(), |member| !is_group(member)))
            }
            PmxMorphKind::Flip(members) => {
                MorphEffect::Flip(good_members(members, pmx.morphs.len(), |member| member != index))
            }
            PmxMorphKind::Bone(changes) => {
                let bone = |change| bone_morph(change, pmx.bones.len());
                MorphEffect::Bones(changes.iter().filter_map(bone).collect())
            }
            PmxMorphKind::Uv { .. } | PmxMorphKind::Material(_) | PmxMorphKind::Impulse(_) => {
                unshown.add(index);
                MorphEffect::None
            }
        };
        match &target.effect {
            MorphEffect::Group(members) | MorphEffect::Flip(members) => kept = members.len(),
            MorphEffect::Bones(changes) => kept = changes.len(),
            MorphEffect::None => {}
        }
        if kept < entry_count(&morph.kind) {
            broken.add(index);
        }
        morphs.push(target);
    }
    broken.tell("morphs", report, "some of its entries do not exist or are not finite; they are left out");
    unshown.tell(
        "morphs",
        report,
        "it changes texture coordinates, materials or rigid bodies; it is kept in the file but not shown",
    );
    morphs
}

/// Number of entries of a morph.
pub(in crate::pmx) fn entry_count(kind: &PmxMorphKind) -> usize {
    match kind {
        PmxMorphKind::Group(entries) | PmxMorphKind::Flip(entries) => entries.len(),
        PmxMorphKind::Vertex(entries) => entries.len(),
        PmxMorphKind::Bone(entries) => entries.len(),
        PmxMorphKind::Uv { shifts, .. } => shifts.len(),
        PmxMorphKind::Material(entries) => entries.len(),
        PmxMorphKind::Impulse(entries) => entries.len(),
    }
}

/// Sets the vertex translations; returns the number of usable entries.
fn read_shifts(shifts: &[(u32, [f32; 3])], vertex_count: usize, target: &mut MorphTarget) -> usize {
    let is_good = |(vertex, shift): &(u32, Vec3)| (*vertex as usize) < vertex_count && shift.is_finite();
    let mut good: Vec<(u32, Vec3)> =
        shifts.iter().map(|&(vertex, shift)| (vertex, point_from_mmd(shift))).filter(is_good).collect();
    let kept = good.len();
    // Stable: sums depend only on the file.
    good.sort_by_key(|&(vertex, _)| vertex);
    for (vertex, shift) in good {
        match (target.vertices.last(), target.position_deltas.last_mut()) {
            (Some(&last), Some(sum)) if last == vertex => {
                let both = *sum + shift;
                *sum = if both.is_finite() { both } else { *sum };
            }
            _ => {
                target.vertices.push(vertex);
                target.position_deltas.push(shift);
            }
        }
    }
    kept
}

fn good_members(members: &[(i32, f32)], count: usize, is_good: impl Fn(usize) -> bool) -> Vec<(u32, f32)> {
    let good = members.iter().filter_map(|&(member, ratio)| {
        let index = usize::try_from(member).ok().filter(|&index| index < count)?;
        (ratio.is_finite() && is_good(index)).then_some((index as u32, ratio))
    });
    good.collect()
}

fn bone_morph(&(bone, shift, rotation): &(i32, [f32; 3], [f32; 4]), bone_count: usize) -> Option<BoneMorph> {
    let bone = usize::try_from(bone).ok().filter(|&bone| bone < bone_count)?;
    let (translation, rotation) = (point_from_mmd(shift), turn(rotation));
    if !translation.is_finite() || !rotation.is_finite() {
        return None;
    }
    // Some exporters write all zeros for no rotation.
    let length = rotation.length();
    let rotation =
        if length > f32::MIN_POSITIVE && length.is_finite() { rotation / length } else { Quat::IDENTITY };
    Some(BoneMorph { bone: BoneId::of(bone), translation, rotation })
}
