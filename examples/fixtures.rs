//! Writes the test fixtures, and what Sinew makes of them, for other programs to judge.
//!
//! ```sh
//! cargo run -p sinew-examples --example fixtures -- FOLDER > pairs.txt
//! node tests/oracles/validate.mjs FOLDER/original/*.gl*
//! node tests/oracles/validate.mjs --compare $(cat pairs.txt)
//! ```
//! `FOLDER/original` holds the fixtures that keep to the format, `FOLDER/invalid` those that break a rule on purpose,
//! `FOLDER/written` every good file read and written again: as it is, as a new file, and edited. Pairs of original and written file go to the standard output. With
//! `SINEW_CORPUS` set, the models there are written again too. `FOLDER/mmd/morphs.pmx` is a model of MMD with morphs of vertices, groups and
//! bones.

use anyhow::{Context, Result};
use glam::Vec3;
use sinew_io::{GltfDocument, Limits, Report};
use sinew_mmd::pmx::{PmxDocument, PmxMorph, PmxMorphKind, PmxWriteSettings};
use sinew_rig::{Bone, BoneId, Channel, Character, Clip, Interpolation, Track, samples};
use sinew_tests::{ModelFile, corpus_files, fixtures};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).context("give the folder to write to")?;
    for fixture in fixtures::all() {
        let part = if fixture.is_valid { "original" } else { "invalid" };
        write_model(&folder.join(part), &fixture.file)?;
        if fixture.is_valid {
            write_again(&folder, &fixture.file, &folder.join(part))?;
        }
    }
    let morphs = ModelFile { name: "morphs.pmx".into(), main: pmx_with_morphs(), beside: Vec::new() };
    write_model(&folder.join("mmd"), &morphs)?;
    let corpus = std::env::var_os("SINEW_CORPUS").map(PathBuf::from).unwrap_or_default();
    for file in corpus_files("fixtures") {
        let parts = ["gltf", "characters"].map(|part| corpus.join(part));
        let part = parts.iter().find(|part| part.join(&file.name).exists()).context("it was just read")?;
        write_again(&folder, &file, part)?;
    }
    Ok(())
}

/// Writes what Sinew makes of a file in each format, and prints the pairs.
#[expect(clippy::print_stdout, reason = "the pairs are this program's output")]
fn write_again(folder: &Path, file: &ModelFile, original: &Path) -> Result<()> {
    let resources = |uri: &str, _most: u64| Ok(file.resource(uri));
    let document =
        GltfDocument::read(file.main.clone(), &resources, &Limits::default(), &mut Report::default())
            .with_context(|| file.name.clone())?;
    let character = document.to_character(&mut Report::default()).with_context(|| file.name.clone())?;
    let original = original.join(&file.name);
    let stem = file.name.replace('.', "_");
    let written = folder.join("written");
    let write = |name: String, main: Vec<u8>, beside: Vec<(String, Vec<u8>)>| -> Result<()> {
        println!("{}\n{}", original.display(), written.join(&name).display());
        write_model(&written, &ModelFile { name, main, beside })
    };
    write(format!("{stem}.glb"), document.to_glb()?, Vec::new())?;
    let files = document.to_gltf(&stem);
    write(format!("{stem}.gltf"), files.main, files.beside)?;
    let anew = GltfDocument::from_character(&character, &mut Report::default()).to_glb()?;
    write(format!("{stem}_anew.glb"), anew, Vec::new())?;
    let edited = document.updated(&edited(character)?, &mut Report::default())?;
    write(format!("{stem}_edited.glb"), edited.to_glb()?, Vec::new())
}

/// The character with a vertex moved, two influences a vertex, another bone and another clip.
fn edited(character: Character) -> Result<Character> {
    let mut parts = character.into_parts();
    for mesh in &mut parts.meshes {
        mesh.positions.iter_mut().take(1).for_each(|position| position.y += 0.25);
        mesh.influences = mesh.influences.cut_to(2).0;
    }
    if let Some(bone) = parts.bones.first().cloned() {
        let parent = Some(BoneId::of(parts.bones.len() - 1));
        parts.bones.push(Bone { name: "added".into(), parent, ..bone });
        let channel = Channel::Translation(BoneId::of(parts.bones.len() - 1), vec![Vec3::ZERO, Vec3::X]);
        let times_secs = vec![0.0, 1.0];
        let track = Track { times_secs, interpolation: Interpolation::Linear, channel };
        parts.clips.push(Clip { name: "added".into(), tracks: vec![track] });
    }
    Ok(Character::new(parts)?)
}

/// The sample figure with its own morph "breathe", the vertex morph "lift", "both", a group of these, and "nod", which turns a bone.
fn pmx_with_morphs() -> Vec<u8> {
    let figure = samples::figure();
    let document = PmxDocument::from_character(&figure, &PmxWriteSettings::default(), &mut Report::default());
    let mut pmx = document.pmx().clone();
    let lifted = (0..pmx.vertices.len() as u32).step_by(3).map(|vertex| (vertex, [0.0, 0.5, 0.0]));
    let head = pmx.bones.iter().position(|bone| bone.name.as_str() == "Head").unwrap_or_default();
    let kinds = [
        ("lift", PmxMorphKind::Vertex(lifted.collect())),
        ("both", PmxMorphKind::Group(vec![(0, 0.5), (1, 1.0)])),
        ("nod", PmxMorphKind::Bone(vec![(head as i32, [0.0; 3], [0.38, 0.0, 0.0, 0.92])])),
    ];
    let morph =
        |(name, kind): (&str, _)| PmxMorph { name: name.into(), name_en: name.into(), panel: 4, kind };
    pmx.morphs.extend(kinds.map(morph));
    document.with_pmx(pmx).to_bytes()
}

fn write_model(folder: &Path, file: &ModelFile) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let all = std::iter::once((&file.name, &file.main))
        .chain(file.beside.iter().map(|(name, bytes)| (name, bytes)));
    for (name, bytes) in all {
        let path = folder.join(name);
        std::fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
