//! Materials and their textures.

use super::super::types::{Pmd, PmdMaterial, TOON_COUNT};
use super::text;
use crate::MmdText;
use crate::pmx::{PmxMaterial, PmxToon, material_flags};
use indexmap::IndexSet;
use sinew_io::Report;

/// MMD draws no self-shadow on materials of this alpha.
const ALPHA_WITHOUT_SHADOW: f32 = 0.98;

pub(super) fn to_pmx(pmd: &Pmd, report: &mut Report) -> (Vec<MmdText>, Vec<PmxMaterial>) {
    let mut textures = IndexSet::new();
    let materials = pmd.materials.iter().enumerate().map(|(index, material)| {
        let place = format!("materials[{index}]");
        let names = text(&material.texture, &place, report);
        let files = TextureNames::of(names.as_str());
        PmxMaterial {
            name: format!("材質{}", index + 1).into(),
            name_en: format!("Material{}", index + 1).into(),
            diffuse: material.diffuse,
            specular: material.specular,
            specular_power: material.specular_power,
            ambient: material.ambient,
            flags: material_flags_of(material),
            edge_color: [0.0, 0.0, 0.0, 1.0],
            edge_size: 1.0,
            texture: index_of(&mut textures, files.texture),
            sphere: index_of(&mut textures, files.sphere),
            sphere_mode: files.sphere_mode,
            toon: toon(pmd, material.toon, &place, &mut textures, report),
            memo: MmdText::default(),
            index_count: i32::try_from(material.index_count).unwrap_or_else(|_| {
                report.warn(&place, "its number of indices exceeds the maximum of a model");
                i32::MAX
            }),
        }
    });
    let materials = materials.collect();
    (textures.into_iter().map(MmdText::from).collect(), materials)
}

/// What MMD derives for a material and PMX stores as flags.
pub(in crate::pmd) fn material_flags_of(material: &PmdMaterial) -> u8 {
    let alpha = material.diffuse[3];
    let mut flags = 0;
    if alpha < 1.0 {
        flags |= material_flags::DOUBLE_SIDED;
    }
    if material.edge != 0 {
        flags |= material_flags::EDGE | material_flags::GROUND_SHADOW;
    }
    let has_shadow = (alpha - ALPHA_WITHOUT_SHADOW).abs() > f32::EPSILON;
    if has_shadow {
        flags |= material_flags::CAST_SHADOW | material_flags::RECEIVE_SHADOW;
    }
    flags
}

/// The index of an MMD toon by its file name: `toon01.bmp` is 0.
fn shared_toon(name: &str) -> Option<u8> {
    (0..TOON_COUNT as u8).find(|&toon| name.eq_ignore_ascii_case(&shared_toon_name(toon)))
}

/// The file name of an MMD toon.
pub(in crate::pmd) fn shared_toon_name(toon: u8) -> String {
    format!("toon{:02}.bmp", u16::from(toon) + 1)
}

fn toon(pmd: &Pmd, toon: u8, place: &str, textures: &mut IndexSet<String>, report: &mut Report) -> PmxToon {
    if usize::from(toon) >= TOON_COUNT {
        if toon != u8::MAX {
            report.warn(place, format_args!("toon {toon} does not exist; using none"));
        }
        return PmxToon::Texture(-1);
    }
    let Some(toons) = &pmd.toons else { return PmxToon::Shared(toon) };
    let name = text(&toons[usize::from(toon)], place, report);
    match shared_toon(name.as_str()) {
        Some(shared) => PmxToon::Shared(shared),
        None => PmxToon::Texture(index_of(textures, name.as_str())),
    }
}

/// The files in a material's text; empty if there is none.
struct TextureNames<'a> {
    texture: &'a str,
    sphere: &'a str,
    sphere_mode: u8,
}

impl<'a> TextureNames<'a> {
    fn of(names: &'a str) -> Self {
        let mut found = Self { texture: "", sphere: "", sphere_mode: 0 };
        for name in names.split('*') {
            match sphere_mode_of(name) {
                Some(mode) => (found.sphere, found.sphere_mode) = (name, mode),
                None => found.texture = name,
            }
        }
        found
    }
}

/// The mode of a sphere map by its extension; `None` for any other file.
pub(in crate::pmd) fn sphere_mode_of(name: &str) -> Option<u8> {
    let (_, ending) = name.rsplit_once('.')?;
    if ending.eq_ignore_ascii_case("sph") {
        Some(1)
    } else if ending.eq_ignore_ascii_case("spa") {
        Some(2)
    } else {
        None
    }
}

/// The index of a file, added if new; −1 for an empty name.
fn index_of(textures: &mut IndexSet<String>, name: &str) -> i32 {
    if name.is_empty() { -1 } else { textures.insert_full(name.to_owned()).0 as i32 }
}
