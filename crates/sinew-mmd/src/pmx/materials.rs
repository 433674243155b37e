//! Materials.

use super::index_sizes::IndexKind;
use super::sink::Sink;
use super::source::Source;
use super::types::{PmxMaterial, PmxToon};
use crate::MmdReadError;

/// What a material takes at least: three texts, sixteen floats, five bytes or indices of one byte, and its count.
const LEAST_BYTES: u64 = 3 * 4 + 16 * 4 + 6 + 4;

pub(super) fn read_materials(source: &mut Source<'_>) -> Result<Vec<PmxMaterial>, MmdReadError> {
    source.list("materials", LEAST_BYTES, |source| {
        Ok(PmxMaterial {
            name: source.text("name")?,
            name_en: source.text("English name")?,
            diffuse: source.bytes.floats("diffuse")?,
            specular: source.bytes.floats("specular")?,
            specular_power: source.bytes.f32("specular power")?,
            ambient: source.bytes.floats("ambient")?,
            flags: source.bytes.u8("flags")?,
            edge_color: source.bytes.floats("edge color")?,
            edge_size: source.bytes.f32("edge size")?,
            texture: source.index(IndexKind::Texture, "texture")?,
            sphere: source.index(IndexKind::Texture, "sphere texture")?,
            sphere_mode: source.bytes.u8("sphere mode")?,
            toon: read_toon(source)?,
            memo: source.text("memo")?,
            index_count: source.bytes.i32("index count")?,
        })
    })
}

fn read_toon(source: &mut Source<'_>) -> Result<PmxToon, MmdReadError> {
    Ok(if source.flag("whether the toon is shared")? {
        PmxToon::Shared(source.bytes.u8("toon")?)
    } else {
        PmxToon::Texture(source.index(IndexKind::Texture, "toon")?)
    })
}

pub(super) fn write_materials(sink: &mut Sink, materials: &[PmxMaterial]) {
    sink.list(materials, |sink, material| {
        sink.text(&material.name);
        sink.text(&material.name_en);
        sink.floats(&material.diffuse);
        sink.floats(&material.specular);
        sink.f32(material.specular_power);
        sink.floats(&material.ambient);
        sink.u8(material.flags);
        sink.floats(&material.edge_color);
        sink.f32(material.edge_size);
        sink.index(IndexKind::Texture, material.texture);
        sink.index(IndexKind::Texture, material.sphere);
        sink.u8(material.sphere_mode);
        match material.toon {
            PmxToon::Shared(toon) => {
                sink.u8(1);
                sink.u8(toon);
            }
            PmxToon::Texture(texture) => {
                sink.u8(0);
                sink.index(IndexKind::Texture, texture);
            }
        }
        sink.text(&material.memo);
        sink.i32(material.index_count);
    });
}
