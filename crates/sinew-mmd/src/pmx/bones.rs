//! Bones.

use super::bone_flags;
use super::index_sizes::IndexKind;
use super::sink::Sink;
use super::source::Source;
use super::types::{PmxBone, PmxIk, PmxIkLink, PmxTail};
use crate::MmdReadError;

/// What a bone takes at least: two texts, a position, a parent, a level, flags and a tail.
const LEAST_BYTES: u64 = 2 * 4 + 12 + 1 + 4 + 2 + 1;
/// Either of these says that a bone follows another.
const APPEND: u16 = bone_flags::APPEND_ROTATION | bone_flags::APPEND_TRANSLATION;

pub(super) fn read_bones(source: &mut Source<'_>) -> Result<Vec<PmxBone>, MmdReadError> {
    source.list("bones", LEAST_BYTES, |source| {
        let name = source.text("name")?;
        let name_en = source.text("English name")?;
        let position = source.bytes.floats("position")?;
        let parent = source.index(IndexKind::Bone, "parent")?;
        let level = source.bytes.i32("level")?;
        let flags = source.bytes.u16("flags")?;
        let has = |flag: u16| flags & flag != 0;
        let tail = if has(bone_flags::TAIL_IS_BONE) {
            PmxTail::Bone(source.index(IndexKind::Bone, "tail")?)
        } else {
            PmxTail::Offset(source.bytes.floats("tail")?)
        };
        let append = has(APPEND).then(|| {
            Ok((source.index(IndexKind::Bone, "bone it follows")?, source.bytes.f32("share it follows")?))
        });
        let append = append.transpose()?;
        let fixed_axis =
            has(bone_flags::FIXED_AXIS).then(|| source.bytes.floats("fixed axis")).transpose()?;
        let local_axes = has(bone_flags::LOCAL_AXES)
            .then(|| Ok([source.bytes.floats("local x axis")?, source.bytes.floats("local z axis")?]));
        let local_axes = local_axes.transpose()?;
        let external_parent =
            has(bone_flags::EXTERNAL_PARENT).then(|| source.bytes.i32("external parent")).transpose()?;
        let ik = has(bone_flags::IK).then(|| read_ik(source)).transpose()?;
        Ok(PmxBone {
            name,
            name_en,
            position,
            parent,
            level,
            flags,
            tail,
            append,
            fixed_axis,
            local_axes,
            external_parent,
            ik,
        })
    })
}

fn read_ik(source: &mut Source<'_>) -> Result<PmxIk, MmdReadError> {
    let least_bytes = u64::from(source.sizes.bone) + 1;
    Ok(PmxIk {
        target: source.index(IndexKind::Bone, "IK target")?,
        loop_count: source.bytes.i32("IK loop count")?,
        limit_rad: source.bytes.f32("IK angle")?,
        links: source.inner_list("IK links", least_bytes, |source| {
            let bone = source.index(IndexKind::Bone, "bone")?;
            let has_limits = source.flag("whether it has limits")?;
            let limits = has_limits
                .then(|| Ok([source.bytes.floats("least angles")?, source.bytes.floats("greatest angles")?]));
            Ok(PmxIkLink { bone, limits_rad: limits.transpose()? })
        })?,
    })
}

pub(super) fn write_bones(sink: &mut Sink, bones: &[PmxBone]) {
    sink.list(bones, |sink, bone| {
        sink.text(&bone.name);
        sink.text(&bone.name_en);
        sink.floats(&bone.position);
        sink.index(IndexKind::Bone, bone.parent);
        sink.i32(bone.level);
        sink.u16(written_flags(bone));
        match bone.tail {
            PmxTail::Bone(tail) => sink.index(IndexKind::Bone, tail),
            PmxTail::Offset(tail) => sink.floats(&tail),
        }
        if let Some((followed, share)) = bone.append {
            sink.index(IndexKind::Bone, followed);
            sink.f32(share);
        }
        if let Some(axis) = &bone.fixed_axis {
            sink.floats(axis);
        }
        if let Some(axes) = &bone.local_axes {
            sink.floats(axes.as_flattened());
        }
        if let Some(key) = bone.external_parent {
            sink.i32(key);
        }
        if let Some(ik) = &bone.ik {
            write_ik(sink, ik);
        }
    });
}

fn write_ik(sink: &mut Sink, ik: &PmxIk) {
    sink.index(IndexKind::Bone, ik.target);
    sink.i32(ik.loop_count);
    sink.f32(ik.limit_rad);
    sink.list(&ik.links, |sink, link| {
        sink.index(IndexKind::Bone, link.bone);
        sink.u8(u8::from(link.limits_rad.is_some()));
        if let Some(limits) = &link.limits_rad {
            sink.floats(limits.as_flattened());
        }
    });
}

/// The flags of a bone; those that say what follows in the file say what is there.
fn written_flags(bone: &PmxBone) -> u16 {
    let mut flags = bone.flags;
    let mut set = |flag: u16, is_set: bool| if is_set { flags |= flag } else { flags &= !flag };
    set(bone_flags::TAIL_IS_BONE, matches!(bone.tail, PmxTail::Bone(_)));
    set(bone_flags::FIXED_AXIS, bone.fixed_axis.is_some());
    set(bone_flags::LOCAL_AXES, bone.local_axes.is_some());
    set(bone_flags::EXTERNAL_PARENT, bone.external_parent.is_some());
    set(bone_flags::IK, bone.ik.is_some());
    match bone.append {
        None => set(APPEND, false),
        Some(_) if bone.flags & APPEND == 0 => set(bone_flags::APPEND_ROTATION, true),
        Some(_) => {}
    }
    flags
}
