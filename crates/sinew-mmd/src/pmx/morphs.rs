//! Morphs.

use super::index_sizes::IndexKind;
use super::sink::Sink;
use super::source::Source;
use super::types::{PmxImpulse, PmxMaterialMorph, PmxMorph, PmxMorphKind};
use crate::MmdReadError;

/// What a morph takes at least: two texts, its panel, its kind and a count.
const LEAST_BYTES: u64 = 2 * 4 + 2 + 4;

pub(super) fn read_morphs(source: &mut Source<'_>) -> Result<Vec<PmxMorph>, MmdReadError> {
    source.list("morphs", LEAST_BYTES, |source| {
        Ok(PmxMorph {
            name: source.text("name")?,
            name_en: source.text("English name")?,
            panel: source.bytes.u8("panel")?,
            kind: read_kind(source)?,
        })
    })
}

fn read_kind(source: &mut Source<'_>) -> Result<PmxMorphKind, MmdReadError> {
    let offset = source.bytes.offset();
    let kind = source.bytes.u8("kind")?;
    let least_bytes = |kind: IndexKind, others: u64| u64::from(source.sizes.of(kind)) + others;
    let (of_vertex, of_bone) = (least_bytes(IndexKind::Vertex, 12), least_bytes(IndexKind::Bone, 28));
    let of_material = least_bytes(IndexKind::Material, 1 + 28 * 4);
    let of_rigid_body = least_bytes(IndexKind::RigidBody, 1 + 24);
    Ok(match kind {
        0 => PmxMorphKind::Group(read_shares(source)?),
        1 => PmxMorphKind::Vertex(source.inner_list("shifts", of_vertex, |source| {
            Ok((source.vertex("vertex")?, source.bytes.floats("shift")?))
        })?),
        2 => PmxMorphKind::Bone(source.inner_list("shifts", of_bone, |source| {
            let bone = source.index(IndexKind::Bone, "bone")?;
            Ok((bone, source.bytes.floats("shift")?, source.bytes.floats("turn")?))
        })?),
        3..=7 => PmxMorphKind::Uv {
            set: kind - 3,
            shifts: source.inner_list("shifts", of_vertex + 4, |source| {
                Ok((source.vertex("vertex")?, source.bytes.floats("shift")?))
            })?,
        },
        8 => PmxMorphKind::Material(source.inner_list("changes", of_material, |source| {
            Ok(PmxMaterialMorph {
                material: source.index(IndexKind::Material, "material")?,
                operation: source.bytes.u8("operation")?,
                values: source.bytes.floats("values")?,
            })
        })?),
        9 => PmxMorphKind::Flip(read_shares(source)?),
        10 => PmxMorphKind::Impulse(source.inner_list("impulses", of_rigid_body, |source| {
            Ok(PmxImpulse {
                rigid_body: source.index(IndexKind::RigidBody, "rigid body")?,
                is_local: source.bytes.u8("whether it is local")?,
                velocity: source.bytes.floats("velocity")?,
                torque: source.bytes.floats("torque")?,
            })
        })?),
        other => {
            return Err(source.bytes.unexpected(offset, "kind", other, "a kind of morph from 0 to 10"));
        }
    })
}

/// Morphs and how much of them.
fn read_shares(source: &mut Source<'_>) -> Result<Vec<(i32, f32)>, MmdReadError> {
    let least_bytes = u64::from(source.sizes.morph) + 4;
    source.inner_list("morphs", least_bytes, |source| {
        Ok((source.index(IndexKind::Morph, "morph")?, source.bytes.f32("share")?))
    })
}

pub(super) fn write_morphs(sink: &mut Sink, morphs: &[PmxMorph]) {
    sink.list(morphs, |sink, morph| {
        sink.text(&morph.name);
        sink.text(&morph.name_en);
        sink.u8(morph.panel);
        write_kind(sink, &morph.kind);
    });
}

fn write_kind(sink: &mut Sink, kind: &PmxMorphKind) {
    match kind {
        PmxMorphKind::Group(shares) => {
            sink.u8(0);
            write_shares(sink, shares);
        }
        PmxMorphKind::Vertex(shifts) => {
            sink.u8(1);
            sink.list(shifts, |sink, (vertex, shift)| {
                sink.vertex(*vertex);
                sink.floats(shift);
            });
        }
        PmxMorphKind::Bone(shifts) => {
            sink.u8(2);
            sink.list(shifts, |sink, (bone, shift, turn)| {
                sink.index(IndexKind::Bone, *bone);
                sink.floats(shift);
                sink.floats(turn);
            });
        }
        PmxMorphKind::Uv { set, shifts } => {
            // There are four additional sets; a fifth would read as another kind of morph.
            sink.u8(3 + (*set).min(4));
            sink.list(shifts, |sink, (vertex, shift)| {
                sink.vertex(*vertex);
                sink.floats(shift);
            });
        }
        PmxMorphKind::Material(changes) => {
            sink.u8(8);
            sink.list(changes, |sink, change| {
                sink.index(IndexKind::Material, change.material);
                sink.u8(change.operation);
                sink.floats(&change.values);
            });
        }
        PmxMorphKind::Flip(shares) => {
            sink.u8(9);
            write_shares(sink, shares);
        }
        PmxMorphKind::Impulse(impulses) => {
            sink.u8(10);
            sink.list(impulses, |sink, impulse| {
                sink.index(IndexKind::RigidBody, impulse.rigid_body);
                sink.u8(impulse.is_local);
                sink.floats(&impulse.velocity);
                sink.floats(&impulse.torque);
            });
        }
    }
}

fn write_shares(sink: &mut Sink, shares: &[(i32, f32)]) {
    sink.list(shares, |sink, (morph, share)| {
        sink.index(IndexKind::Morph, *morph);
        sink.f32(*share);
    });
}
