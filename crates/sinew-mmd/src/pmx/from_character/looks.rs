//! Materials and images of a new file.

use super::ascii_name;
use crate::MmdText;
use crate::pmx::color::color_to_mmd;
use crate::pmx::{PmxMaterial, PmxToon, material_flags};
use sinew_rig::{Image, Material};

/// The specular color, gray: that of a dielectric looks weak in MMD, which adds highlights without scaling.
const HIGHLIGHT: f32 = 0.2;

/// Maximum specular exponent; MMD's own models go up to a few hundred.
const MOST_SPECULAR_POWER: f32 = 1000.0;

/// Folder for images without a folder.
const PICTURE_FOLDER: &str = "tex";

/// The drawn properties of a material; the others get usual values: MMD's first toon, all shadows, no outline.
pub(in crate::pmx) fn new_material(material: &Material, texture: i32, triangle_count: usize) -> PmxMaterial {
    let (diffuse, ambient) = color_to_mmd(material.base_color);
    let (specular, specular_power) = highlight_of(material.roughness);
    let shadows =
        material_flags::GROUND_SHADOW | material_flags::CAST_SHADOW | material_flags::RECEIVE_SHADOW;
    PmxMaterial {
        name: material.name.as_str().into(),
        name_en: ascii_name(&material.name),
        diffuse,
        specular,
        specular_power,
        ambient,
        flags: shadows | if material.is_double_sided { material_flags::DOUBLE_SIDED } else { 0 },
        edge_color: [0.0, 0.0, 0.0, 1.0],
        edge_size: 1.0,
        texture,
        sphere: -1,
        sphere_mode: 0,
        toon: PmxToon::Shared(0),
        memo: MmdText::default(),
        index_count: i32::try_from(3 * triangle_count).unwrap_or(i32::MAX),
    }
}

/// Specular color and exponent of a roughness; inverse of the conversion in reading. Zero at roughness 1.
pub(in crate::pmx) fn highlight_of(roughness: f32) -> ([f32; 3], f32) {
    let power = 2.0 / roughness.clamp(0.0, 1.0).powi(4) - 2.0;
    if power > 0.0 { ([HIGHLIGHT; 3], power.min(MOST_SPECULAR_POWER)) } else { ([0.0; 3], 0.0) }
}

/// The relative path of an image, with `\` between folders, as MMD writes it; not in `known`.
pub(in crate::pmx) fn texture_path(image: &Image, index: usize, known: &[MmdText]) -> String {
    let is_good = |part: &&str| !part.is_empty() && *part != "." && *part != "..";
    let is_plain = |letter: char| !letter.is_control() && !":*?\"<>|".contains(letter);
    let parts: Vec<String> = image
        .name
        .split(['/', '\\'])
        .filter(is_good)
        .map(|part| part.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect())
        .collect();
    let mut path = match parts.len() {
        0 => format!("{PICTURE_FOLDER}\\texture{index}"),
        1 => format!("{PICTURE_FOLDER}\\{}", parts[0]),
        _ => parts.join("\\"),
    };
    let (stem, ending) = match path.rsplit_once('.') {
        Some((stem, ending)) if is_picture_ending(ending) => (stem.to_owned(), format!(".{ending}")),
        _ => (path.clone(), ending_of(&image.mime_type).to_owned()),
    };
    path = format!("{stem}{ending}");
    let is_known =
        |path: &str| known.iter().any(|other| other.as_str().to_lowercase() == path.to_lowercase());
    let mut number = 2;
    while is_known(&path) {
        path = format!("{stem}-{number}{ending}");
        number += 1;
    }
    path
}

fn is_picture_ending(ending: &str) -> bool {
    let endings = ["png", "jpg", "jpeg", "bmp", "tga", "dds", "gif", "sph", "spa"];
    endings.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

fn ending_of(mime_type: &str) -> &'static str {
    match mime_type {
        "image/jpeg" => ".jpg",
        "image/bmp" => ".bmp",
        "image/x-tga" => ".tga",
        _ => ".png",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder_and_apart() {
        let check = |name: &str, expected: &str| {
            let image = Image { name: name.into(), mime_type: "image/jpeg".into(), bytes: vec![1] };
            let known = [MmdText::from("tex\\Skin.jpg")];
            assert_eq!(texture_path(&image, 3, &known), expected, "{name}");
        };
        check("tex\\body.png", "tex\\body.png");
        check("skin", "tex\\skin-2.jpg");
        check("v1.0", "tex\\v1.0.jpg");
        check("", "tex\\texture3.jpg");
        check("../../C:/x.bmp", "C_\\x.bmp");
    }

    #[test]
    fn roughness_comes_back() {
        assert_eq!(highlight_of(1.0), ([0.0; 3], 0.0));
        // 2 / (1/16) − 2.
        assert_eq!(highlight_of(0.5).1, 30.0);
        assert_eq!(highlight_of(0.0).1, MOST_SPECULAR_POWER);
    }
}
