//! MTL materials in and out.
//!
//! No standard defines the color space of an MTL file. Sinew reads `Kd` as sRGB, like a screen color picker and three.js;
//! [`Material::base_color`] is linear. OBJ does not store whether back faces are visible, so materials read from it are
//! double-sided.

use super::lines::{finite, next_word, numbers, shortened, statements};
use crate::shortest::Shortest;
use crate::{Report, image_mime_type};
use glam::Vec4;
use indexmap::IndexSet;
use sinew_rig::{AlphaMode, Filter, Image, ImageId, Material, MaterialId, TextureSlot, UvTransform, Wrap};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

/// Returns the bytes of a file that a model refers to, or the reason it cannot.
pub(super) type Resolve<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// All materials of a model's MTL files.
#[derive(Debug, Default)]
pub(super) struct Library {
    materials: Vec<Material>,
    /// Of equal names the last wins.
    by_name: HashMap<String, usize>,
    pub(super) images: Vec<Image>,
    image_by_name: HashMap<String, ImageId>,
    /// MTL files read or tried; each is read once.
    files: HashSet<String>,
}

/// A file can be named in many ways (`a.mtl`, `./a.mtl`); this limits how often it is read. Real models have one or two.
const MOST_MTL_FILES: usize = 64;

impl Library {
    /// The materials of a character: all that the files define, then default ones for undefined names. The first result has the
    /// material of each of `names`.
    pub(super) fn materials_for(
        &mut self,
        names: &IndexSet<String>,
        report: &mut Report,
    ) -> (Vec<MaterialId>, Vec<Material>) {
        let mut materials = std::mem::take(&mut self.materials);
        let ids = names.iter().map(|name| {
            let index = self.by_name.get(name).copied().unwrap_or_else(|| {
                let what = "undefined material; using a default one";
                report.warn(format_args!("usemtl {}", shortened(name)), what);
                materials.push(Material { name: name.clone(), is_double_sided: true, ..Material::default() });
                materials.len() - 1
            });
            MaterialId::of(index)
        });
        (ids.collect(), materials)
    }

    /// Reads the files of one `mtllib`: one name that may contain spaces or, if that file does not exist, several.
    pub(super) fn read(&mut self, place: &str, names: &str, resolve: &mut Resolve<'_>, report: &mut Report) {
        if self.files.len() >= MOST_MTL_FILES {
            return report
                .warn(place, format_args!("more than {MOST_MTL_FILES} MTL files; this one is ignored"));
        }
        if !self.files.insert(names.into()) {
            return;
        }
        let error = match resolve(names) {
            Ok(bytes) => return read_mtl(names, &bytes, resolve, self, report),
            Err(error) => error,
        };
        if !names.contains(|space: char| space.is_ascii_whitespace()) {
            return report.warn(place, format_args!("missing materials: {error}"));
        }
        for name in names.split_ascii_whitespace().take(MOST_MTL_FILES) {
            if self.files.insert(name.into()) {
                match resolve(name) {
                    Ok(bytes) => read_mtl(name, &bytes, resolve, self, report),
                    Err(error) => report.warn(place, format_args!("missing materials: {error}")),
                }
            }
        }
    }

    fn image(&mut self, place: &str, name: &str, resolve: &mut Resolve<'_>, report: &mut Report) -> ImageId {
        if let Some(&image) = self.image_by_name.get(name) {
            return image;
        }
        let bytes = resolve(name).unwrap_or_else(|error| {
            report.warn(place, format_args!("missing texture: {error}"));
            Vec::new()
        });
        let mime_type = image_mime_type(&bytes).unwrap_or_default().into();
        let image = ImageId::of(self.images.len());
        self.images.push(Image { name: name.into(), mime_type, bytes });
        self.image_by_name.insert(name.into(), image);
        image
    }
}

fn read_mtl(file: &str, bytes: &[u8], resolve: &mut Resolve<'_>, library: &mut Library, report: &mut Report) {
    let file = shortened(file);
    let first_new = library.materials.len();
    let mut has_material = false;
    // If both are given, `d` wins: some exporters mean the same by `Tr`, others its opposite.
    let mut has_d = false;
    for (line, text) in statements(bytes) {
        let place = format!("{file} line {line}");
        let mut rest = text.trim_ascii();
        let Some(keyword) = next_word(&mut rest) else { continue };
        if keyword == "newmtl" {
            if let Some(earlier) = library.by_name.insert(rest.into(), library.materials.len()) {
                let message = format_args!(
                    "material {:?} is defined twice; the last one is used",
                    library.materials[earlier].name
                );
                report.warn(&place, message);
            }
            (has_material, has_d) = (true, false);
            library.materials.push(Material {
                name: rest.into(),
                is_double_sided: true,
                ..Material::default()
            });
            continue;
        }
        if !has_material || (keyword == "Tr" && has_d) {
            continue;
        }
        has_d |= keyword == "d";
        let slot = (keyword == "map_Kd").then(|| texture(&place, rest, resolve, library, report));
        let Some(material) = library.materials.last_mut() else { continue };
        if let Some(slot) = slot {
            material.base_color_texture = slot;
        } else if let Some(problem) = set(material, keyword, rest) {
            report.warn(&place, problem);
        }
    }
    library.materials[first_new..]
        .iter_mut()
        .for_each(|material| light_black_texture(material, &file, report));
}

/// Applies a statement; returns its problem, if any.
fn set(material: &mut Material, keyword: &str, rest: &str) -> Option<String> {
    let bad = || Some(format!("invalid {keyword} {:?}; ignored", shortened(rest)));
    let number = next_word(&mut rest.trim_start_matches("-halo").trim_ascii_start()).and_then(finite);
    let limited = |value: f32| value.clamp(0.0, 1.0);
    match keyword {
        "Kd" => {
            // One number stands for three.
            let Some(color) = numbers(rest).or_else(|| numbers(rest).map(|[grey]: [f32; 1]| [grey; 3]))
            else {
                return bad();
            };
            let [red, green, blue] = color.map(limited).map(linear_from_srgb);
            material.base_color = Vec4::new(red, green, blue, material.base_color.w);
            if color != color.map(limited) {
                return Some(format!("Kd {:?} is out of range; clamped to 0 to 1", shortened(rest)));
            }
        }
        "d" | "Tr" => {
            let Some(value) = number else { return bad() };
            let alpha = limited(if keyword == "Tr" { 1.0 - value } else { value });
            material.base_color.w = alpha;
            material.alpha_mode = if alpha < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque };
        }
        "Pr" | "Pm" => {
            let Some(value) = number else { return bad() };
            let factor = if keyword == "Pr" { &mut material.roughness } else { &mut material.metallic };
            *factor = limited(value);
        }
        // Constant color without light.
        "illum" => material.is_unlit = rest == "0",
        _ => {}
    }
    None
}

/// Many exporters write a black `Kd` beside a texture; multiplied, as the format defines it, the texture would be invisible.
fn light_black_texture(material: &mut Material, file: &str, report: &mut Report) {
    if material.base_color_texture.is_some() && material.base_color.truncate() == glam::Vec3::ZERO {
        material.base_color = glam::Vec3::ONE.extend(material.base_color.w);
        let message = format_args!("material {:?} has a texture and a black Kd; using white", material.name);
        report.warn(file, message);
    }
}

/// `map_Kd [options] name`; the name may contain spaces.
fn texture(
    place: &str,
    mut rest: &str,
    resolve: &mut Resolve<'_>,
    library: &mut Library,
    report: &mut Report,
) -> Option<TextureSlot> {
    let mut wrap = Wrap::Repeat;
    while rest.starts_with('-') {
        let option = next_word(&mut rest)?;
        let argument = rest.split_ascii_whitespace().next().unwrap_or("");
        match option {
            "-clamp" if argument == "on" => wrap = Wrap::Clamp,
            "-clamp" => {}
            _ => report
                .warn(place, format_args!("texture option {} is not supported; ignored", shortened(option))),
        }
        skip_arguments(option, &mut rest);
    }
    if rest.is_empty() {
        report.warn(place, "map_Kd has no file name; ignored");
        return None;
    }
    let image = library.image(place, rest, resolve, report);
    Some(TextureSlot {
        image,
        uv_set: 0,
        uv_transform: UvTransform::default(),
        wrap_u: wrap,
        wrap_v: wrap,
        filter: Filter::Linear,
    })
}

fn skip_arguments(option: &str, rest: &mut &str) {
    match option {
        // One to three numbers.
        "-o" | "-s" | "-t" => {
            for _ in 0..3 {
                let mut after = *rest;
                if next_word(&mut after).and_then(finite).is_some() {
                    *rest = after;
                }
            }
        }
        "-mm" => {
            next_word(rest);
            next_word(rest);
        }
        _ => {
            next_word(rest);
        }
    }
}

/// Writes MTL text for `materials`, under the names that [`crate::write_obj`] uses. `image_names` has the file name of each image,
/// relative to the MTL file; empty for an image that is not written. `report` lists what MTL cannot store.
///
/// `Kd` is written as sRGB, roughness and metallic as `Pr` and `Pm` (an extension that most programs read), unlit as `illum 0`.
///
/// # Errors
/// If the output fails.
pub fn write_mtl(
    out: &mut impl Write,
    materials: &[Material],
    image_names: &[String],
    report: &mut Report,
) -> io::Result<()> {
    let names = written_names(materials);
    for (index, (material, name)) in materials.iter().zip(&names).enumerate() {
        report_losses(&format!("materials[{index}]"), material, report);
        let gap = if index == 0 { "" } else { "\n" };
        let [red, green, blue, alpha] = material.base_color.to_array().map(usable);
        let [red, green, blue] = [red, green, blue].map(|channel| Shortest(srgb_from_linear(channel)));
        let is_opaque = material.alpha_mode == AlphaMode::Opaque;
        writeln!(out, "{gap}newmtl {name}")?;
        writeln!(out, "Kd {red} {green} {blue}")?;
        writeln!(out, "d {}", Shortest(if is_opaque { 1.0 } else { alpha }))?;
        writeln!(out, "Pr {}", Shortest(usable(material.roughness)))?;
        writeln!(out, "Pm {}", Shortest(usable(material.metallic)))?;
        writeln!(out, "illum {}", if material.is_unlit { 0 } else { 2 })?;
        let Some(slot) = material.base_color_texture else { continue };
        let file = image_names.get(slot.image.index()).map_or("", String::as_str);
        if file.is_empty() {
            report.warn(format_args!("materials[{index}]"), "its texture has no file name; left out");
            continue;
        }
        let clamp = if [slot.wrap_u, slot.wrap_v] == [Wrap::Clamp; 2] { "-clamp on " } else { "" };
        // A name that starts with "-" would be an option.
        let here = if file.starts_with('-') { "./" } else { "" };
        writeln!(out, "map_Kd {clamp}{here}{}", one_line(file))?;
    }
    Ok(())
}

fn report_losses(place: &str, material: &Material, report: &mut Report) {
    if let AlphaMode::Mask(_) = material.alpha_mode {
        report.warn(place, "MTL has no alpha mask; transparency may look different");
    }
    let Some(slot) = material.base_color_texture else { return };
    if slot.uv_set != 0 {
        let what = format!("OBJ has only one set of texture coordinates; set {} is lost", slot.uv_set);
        report.warn(place, what);
    }
    if slot.uv_transform != UvTransform::default() {
        report.warn(place, "MTL cannot store the texture's transform; left out");
    }
    let wraps = [slot.wrap_u, slot.wrap_v];
    if wraps != [Wrap::Repeat; 2] && wraps != [Wrap::Clamp; 2] {
        report.warn(place, "MTL cannot mirror a texture or clamp one side only; it will repeat");
    }
}

/// The name of each material in OBJ and MTL: without spaces, where many readers stop; not empty; unique.
pub(super) fn written_names(materials: &[Material]) -> Vec<String> {
    let mut taken = HashSet::from(["(null)".to_owned()]);
    let is_kept = |character: char| !character.is_whitespace() && !character.is_control() && character != '#';
    materials
        .iter()
        .map(|material| {
            let kept = |character| if is_kept(character) { character } else { '_' };
            let base: String = match material.name.as_str() {
                "" => "material".into(),
                // A backslash at the end would join the line with the next.
                name => name.trim_end_matches('\\').chars().map(kept).collect(),
            };
            let numbered = (1..).map(|number| format!("{base}_{number}"));
            let mut candidates = std::iter::once(base.clone()).chain(numbered);
            let unique = candidates.find(|candidate| !candidate.is_empty() && !taken.contains(candidate));
            let unique = unique.expect("some number is not taken yet");
            taken.insert(unique.clone());
            unique
        })
        .collect()
}

/// The text on one line; it reads back unchanged except for line ends.
pub(super) fn one_line(text: &str) -> String {
    let mut is_start = true;
    let kept = |character: char| {
        let is_comment = std::mem::replace(&mut is_start, character.is_whitespace()) && character == '#';
        if character.is_control() || is_comment { '_' } else { character }
    };
    let is_cut = |character: char| character == '\\' || character.is_whitespace();
    text.trim_start().trim_end_matches(is_cut).chars().map(kept).collect()
}

/// A factor between 0 and 1; NaN becomes 0.
fn usable(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

/// IEC 61966-2-1.
pub(crate) fn linear_from_srgb(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// IEC 61966-2-1.
fn srgb_from_linear(value: f32) -> f32 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected colors have four digits.
    const COLOR_DIGITS: f32 = 1e-4;

    /// Half a step of 8 bits: what no screen shows.
    const COLOR_ROUNDING: f32 = 0.5 / 255.0;

    fn read(text: &str) -> (Library, Vec<String>) {
        let (mut library, mut report) = (Library::default(), Report::default());
        let resolve = &mut |name: &str| match name {
            "a.mtl" => Ok(text.as_bytes().to_vec()),
            "skin tex.png" => Ok(b"\x89PNG\r\n\x1a\n".to_vec()),
            "shine.sph" => Ok(b"BM".to_vec()),
            _ => Err(format!("no {name}")),
        };
        library.read("line 1", "a.mtl", resolve, &mut report);
        (library, report.warnings().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn materials_are_read() {
        let (library, warnings) = read(
            "Kd 9 9 9\nnewmtl skin\nKd 0.5 0 1\nd 0.25\nTr 0.25\nPr 0.3\nPm 0.9\nillum 0\nmap_Kd -clamp on skin tex.png\n\
             newmtl glass\nTr 0.75\nd -halo 0.5\nmap_Kd skin tex.png\nnewmtl plain\nKd 0.2\n",
        );
        assert!(warnings.is_empty(), "{warnings:?}");
        let [skin, glass, plain] = &library.materials[..] else { panic!("three materials") };
        // 0.5 in sRGB is 0.2140 linear.
        assert!((skin.base_color - Vec4::new(0.2140, 0.0, 1.0, 0.25)).abs().max_element() < COLOR_DIGITS);
        assert_eq!((skin.roughness, skin.metallic, skin.is_unlit), (0.3, 0.9, true));
        assert_eq!(skin.alpha_mode, AlphaMode::Blend);
        assert_eq!(skin.base_color_texture.unwrap().wrap_v, Wrap::Clamp);
        assert_eq!(glass.base_color.w, 0.5);
        assert_eq!(glass.base_color_texture.unwrap().image, ImageId(0));
        assert_eq!(plain.base_color.x, plain.base_color.z);
        assert_eq!((library.images.len(), library.images[0].mime_type.as_str()), (1, "image/png"));
    }

    #[test]
    fn the_bytes_of_a_texture_tell_its_type() {
        let (library, warnings) = read("newmtl skin\nmap_Kd shine.sph\n");
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(library.images[0].mime_type, "image/bmp");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let (library, warnings) = read(
            "newmtl a\nKd x\nd nan\nKd 2 0 0\nmap_Kd -o 1 2 -s 2 lost.png\nmap_Kd\nnewmtl a\nKd 0 0 0\nmap_Kd -mm 0 1 skin tex.png\n",
        );
        assert_eq!(
            warnings,
            [
                "a.mtl line 2: invalid Kd \"x\"; ignored",
                "a.mtl line 3: invalid d \"nan\"; ignored",
                "a.mtl line 4: Kd \"2 0 0\" is out of range; clamped to 0 to 1",
                "a.mtl line 5: texture option -o is not supported; ignored",
                "a.mtl line 5: texture option -s is not supported; ignored",
                "a.mtl line 5: missing texture: no lost.png",
                "a.mtl line 6: map_Kd has no file name; ignored",
                "a.mtl line 7: material \"a\" is defined twice; the last one is used",
                "a.mtl line 9: texture option -mm is not supported; ignored",
                "a.mtl: material \"a\" has a texture and a black Kd; using white",
            ]
        );
        assert_eq!(library.by_name["a"], 1);
        assert!(library.images[0].bytes.is_empty());
    }

    #[test]
    fn several_libraries_may_stand_on_one_line() {
        let (mut library, mut report) = (Library::default(), Report::default());
        let resolve = &mut |name: &str| match name {
            "a.mtl" | "b c.mtl" => Ok(format!("newmtl {}", &name[..1]).into_bytes()),
            _ => Err(format!("no {name}")),
        };
        for names in ["a.mtl x.mtl", "b c.mtl", "a.mtl"] {
            library.read("line 1", names, resolve, &mut report);
        }
        assert_eq!(
            library.materials.iter().map(|material| material.name.as_str()).collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(report.warnings()[0].to_string(), "line 1: missing materials: no x.mtl");
    }

    #[test]
    fn written_materials_read_back() {
        let slot = TextureSlot {
            image: ImageId(0),
            uv_set: 0,
            uv_transform: UvTransform::default(),
            wrap_u: Wrap::Clamp,
            wrap_v: Wrap::Clamp,
            filter: Filter::Linear,
        };
        let materials = [
            Material {
                name: "skin".into(),
                base_color: Vec4::new(0.9, 0.001, 0.3, 0.5),
                base_color_texture: Some(slot),
                alpha_mode: AlphaMode::Blend,
                is_double_sided: true,
                roughness: 0.25,
                metallic: 1.0,
                is_unlit: true,
            },
            Material { name: "eye".into(), is_double_sided: true, ..Material::default() },
        ];
        let mut text = Vec::new();
        let mut report = Report::default();
        write_mtl(&mut text, &materials, &["skin tex.png".into()], &mut report).unwrap();
        assert!(report.is_empty(), "{report:?}");
        let (library, warnings) = read(std::str::from_utf8(&text).unwrap());
        assert!(warnings.is_empty(), "{warnings:?}");
        for (read, written) in library.materials.iter().zip(&materials) {
            assert!((read.base_color - written.base_color).abs().max_element() < COLOR_ROUNDING);
            let base_color = written.base_color;
            assert_eq!(Material { base_color, ..read.clone() }, *written);
        }
    }

    #[test]
    fn losses_are_told() {
        let slot = TextureSlot {
            image: ImageId(0),
            uv_set: 1,
            uv_transform: UvTransform { rotation_rad: 1.0, ..UvTransform::default() },
            wrap_u: Wrap::Mirror,
            wrap_v: Wrap::Repeat,
            filter: Filter::Linear,
        };
        let material = Material {
            base_color: Vec4::splat(f32::NAN),
            base_color_texture: Some(slot),
            alpha_mode: AlphaMode::Mask(0.5),
            ..Material::default()
        };
        let (mut text, mut report) = (Vec::new(), Report::default());
        write_mtl(&mut text, &[material], &[], &mut report).unwrap();
        assert_eq!(report.warnings().len(), 5, "{report:?}");
        assert!(!String::from_utf8(text).unwrap().contains("NaN"));
    }

    #[test]
    fn names_are_one_word_and_unique() {
        let named = |name: &str| Material { name: name.into(), ..Material::default() };
        let materials = ["a b", "a_b", "", "(null)", "\\", "x#\n"].map(named);
        assert_eq!(written_names(&materials), ["a_b", "a_b_1", "material", "(null)_1", "_1", "x__"]);
        assert_eq!(one_line(" a #b#\n\\"), "a _b#");
    }
}
