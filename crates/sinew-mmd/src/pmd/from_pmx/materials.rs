//! Materials, and the ten toons that they share.

use super::super::to_pmx::{material_flags_of, shared_toon_name, sphere_mode_of};
use super::super::types::{PmdMaterial, TOON_COUNT};
use super::warn_count;
use crate::FixedText;
use crate::pmx::{Pmx, PmxMaterial, PmxToon, material_flags};
use sinew_io::Report;

/// The names of the toons.
type Toons = [FixedText<100>; TOON_COUNT];

pub(super) fn from_pmx(pmx: &Pmx, report: &mut Report) -> (Vec<PmdMaterial>, Toons) {
    let mut slots = ToonSlots::of(pmx);
    let materials = pmx.materials.iter().enumerate().map(|(index, material)| {
        let place = format!("materials[{index}]");
        PmdMaterial {
            diffuse: material.diffuse,
            specular_power: material.specular_power,
            specular: material.specular,
            ambient: material.ambient,
            toon: slots.slot_of(pmx, material.toon, &place, report),
            edge: u8::from(material.flags & material_flags::EDGE != 0),
            index_count: u32::try_from(material.index_count).unwrap_or(0),
            texture: texture_names(pmx, material, &place, report),
        }
    });
    let materials: Vec<PmdMaterial> = materials.collect();
    warn_of_losses(pmx, &materials, report);
    (materials, slots.names(pmx, report))
}

fn warn_of_losses(pmx: &Pmx, materials: &[PmdMaterial], report: &mut Report) {
    let count = |is_lost: fn(&PmxMaterial) -> bool| pmx.materials.iter().filter(|m| is_lost(m)).count();
    let other_flags =
        pmx.materials.iter().zip(materials).filter(|(pmx, pmd)| pmx.flags != material_flags_of(pmd)).count();
    let names =
        |material: &PmxMaterial| !material.name.as_str().is_empty() || !material.name_en.as_str().is_empty();
    for (count, what) in [
        (count(names), "have names; PMD does not support them"),
        (count(|material| !material.memo.as_str().is_empty()), "have memos; PMD does not support them"),
        (
            count(|material| material.edge_color != [0.0, 0.0, 0.0, 1.0] || material.edge_size != 1.0),
            "have outlines with their own color or width; now black",
        ),
        (other_flags, "may show other sides, shadows or outlines: PMD derives them from alpha and outline"),
        (count(|material| material.index_count < 0), "have a negative number of faces; using 0"),
    ] {
        warn_count(report, "materials", count, what);
    }
}

/// The files of a material: `skin.bmp*shine.sph`.
fn texture_names(pmx: &Pmx, material: &PmxMaterial, place: &str, report: &mut Report) -> FixedText<20> {
    let mut path = |index: i32| {
        let path = usize::try_from(index).ok().and_then(|index| pmx.textures.get(index));
        if path.is_none() && index != -1 {
            report.warn(place, format_args!("texture {index} does not exist"));
        }
        path.map_or("", |path| path.as_str())
    };
    let (texture, mut sphere) = (path(material.texture), path(material.sphere));
    if !sphere.is_empty() && sphere_mode_of(sphere) != Some(material.sphere_mode) {
        let mode = material.sphere_mode;
        let what = format!("{sphere:?} is used in mode {mode}, which differs from its file extension; lost");
        report.warn(place, what);
        sphere = "";
    }
    let separator = if texture.is_empty() || sphere.is_empty() { "" } else { "*" };
    let names = format!("{texture}{separator}{sphere}");
    FixedText::encode_reported(&names, format_args!("{place}.texture"), report)
}

/// Ten toons: the used ones of MMD, and files in the remaining slots.
struct ToonSlots {
    is_shared: [bool; TOON_COUNT],
    /// Indices of textures.
    files: [Option<usize>; TOON_COUNT],
}

impl ToonSlots {
    fn of(pmx: &Pmx) -> Self {
        let mut is_shared = [false; TOON_COUNT];
        for material in &pmx.materials {
            if let PmxToon::Shared(toon) = material.toon
                && let Some(is_shared) = is_shared.get_mut(usize::from(toon))
            {
                *is_shared = true;
            }
        }
        Self { is_shared, files: [None; TOON_COUNT] }
    }

    /// The index of a toon; 255 for none.
    fn slot_of(&mut self, pmx: &Pmx, toon: PmxToon, place: &str, report: &mut Report) -> u8 {
        let texture = match toon {
            PmxToon::Shared(toon) if usize::from(toon) < TOON_COUNT => return toon,
            PmxToon::Shared(toon) => {
                report.warn(place, format_args!("toon {toon} does not exist; using none"));
                return u8::MAX;
            }
            PmxToon::Texture(-1) => return u8::MAX,
            PmxToon::Texture(texture) => texture,
        };
        let file = usize::try_from(texture).ok().filter(|&texture| texture < pmx.textures.len());
        if file.is_none() {
            report.warn(place, format_args!("texture {texture} does not exist; using no toon"));
            return u8::MAX;
        }
        let known = self.files.iter().position(|&known| known == file);
        let is_free = |slot: &usize| !self.is_shared[*slot] && self.files[*slot].is_none();
        let Some(slot) = known.or_else(|| (0..TOON_COUNT).find(is_free)) else {
            report.warn(place, "all ten toons of PMD are taken; using none");
            return u8::MAX;
        };
        self.files[slot] = file;
        slot as u8
    }

    fn names(&self, pmx: &Pmx, report: &mut Report) -> Toons {
        std::array::from_fn(|slot| {
            let own = shared_toon_name(slot as u8);
            let name = self.files[slot].map_or(own.as_str(), |file| pmx.textures[file].as_str());
            FixedText::encode_reported(name, format_args!("toons[{slot}]"), report)
        })
    }
}
