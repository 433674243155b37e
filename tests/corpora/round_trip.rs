//! Reading and writing loses nothing: every fixture, and every public model of the corpus.

use sinew_io::{GltfDocument, Limits, Report};
use sinew_rig::Character;
use sinew_tests::{ModelFile, RawFile, corpus_files, differences, fixtures};

/// All files: the fixtures and, where there is a corpus, its models.
fn files(test: &str) -> Vec<ModelFile> {
    fixtures::all().into_iter().map(|fixture| fixture.file).chain(corpus_files(test)).collect()
}

#[track_caller]
fn read(file: &ModelFile) -> (GltfDocument, Character) {
    let resources = |uri: &str, _most: u64| Ok(file.resource(uri));
    let document =
        GltfDocument::read(file.main.clone(), &resources, &Limits::default(), &mut Report::default());
    let document = document.unwrap_or_else(|error| panic!("{}: {error}", file.name));
    let character = document.to_character(&mut Report::default());
    (document, character.unwrap_or_else(|error| panic!("{}: {error}", file.name)))
}

fn as_glb(name: &str, document: &GltfDocument) -> ModelFile {
    let main = document.to_glb().expect("the files are small");
    ModelFile { name: format!("{name} written as .glb"), main, beside: Vec::new() }
}

fn as_gltf(name: &str, document: &GltfDocument) -> ModelFile {
    let files = document.to_gltf("copy");
    ModelFile { name: format!("{name} written as .gltf"), main: files.main, beside: files.beside }
}

/// Checks that `written` holds the same document, verbatim but for where bytes lie, and the same character.
#[track_caller]
fn check(written: &ModelFile, original: &ModelFile) {
    let (before, after) = (RawFile::of(original).normal_form(), RawFile::of(written).normal_form());
    assert_eq!(differences(&before, &after), [""; 0], "{}", written.name);
    // Text, so that the order of members counts too.
    assert_eq!(before.to_string(), after.to_string(), "{}", written.name);
    assert!(read(written).1 == read(original).1, "{}: another character", written.name);
}

#[test]
fn writing_a_glb_loses_nothing() {
    for file in files("writing_a_glb_loses_nothing") {
        let written = as_glb(&file.name, &read(&file).0);
        check(&written, &file);
        assert_eq!(RawFile::of(&written).other_chunks, RawFile::of(&file).other_chunks, "{}", file.name);
    }
}

#[test]
fn writing_a_gltf_loses_nothing() {
    for file in files("writing_a_gltf_loses_nothing") {
        check(&as_gltf(&file.name, &read(&file).0), &file);
    }
}

#[test]
fn from_gltf_to_glb_and_back_loses_nothing() {
    for file in files("from_gltf_to_glb_and_back_loses_nothing") {
        let text = as_gltf(&file.name, &read(&file).0);
        let binary = as_glb(&text.name, &read(&text).0);
        check(&binary, &file);
        check(&as_gltf(&binary.name, &read(&binary).0), &file);
    }
}

#[test]
fn a_second_write_gives_the_same_bytes() {
    for file in files("a_second_write_gives_the_same_bytes") {
        for write in [as_glb, as_gltf] {
            let first = write(&file.name, &read(&file).0);
            let second = write(&file.name, &read(&first).0);
            assert!(second.main == first.main, "{}: other bytes", first.name);
            assert!(second.beside == first.beside, "{}: other bytes beside it", first.name);
        }
    }
}

#[test]
fn an_unchanged_character_changes_nothing() {
    for file in files("an_unchanged_character_changes_nothing") {
        let (document, character) = read(&file);
        let mut report = Report::default();
        let updated = document.updated(&character, &mut report).expect("nothing was removed");
        // Scalar codes of methods become vectors in every file that is written.
        let has_scalar_codes = document.json()["meshes"].to_string().contains("_SINEW_METHOD");
        assert!((updated == document) != has_scalar_codes, "{}: the document changed", file.name);
        assert!(report.is_empty(), "{}: {report:?}", file.name);
    }
}

#[test]
fn a_new_file_holds_the_same_character() {
    for file in files("a_new_file_holds_the_same_character") {
        let (document, character) = read(&file);
        let new = as_glb(&file.name, &GltfDocument::from_character(&character, &mut Report::default()));
        check_character(&read(&new).1, &character, &file.name);
        let with_looks =
            GltfDocument::from_character_with_looks_of(&character, &document, &mut Report::default());
        let with_looks = as_glb(&file.name, &with_looks);
        check_character(&read(&with_looks).1, &character, &file.name);
    }
}

/// Weights may move by rounding: a new file stores them so that they sum to 1 as closely as 32 bits can.
const WEIGHT_ROUNDING: f32 = 3e-7;

/// Checks that two characters are the same, weights within rounding.
#[track_caller]
fn check_character(found: &Character, expected: &Character, name: &str) {
    let (mut found, mut expected) = (found.clone().into_parts(), expected.clone().into_parts());
    for (mesh, (found, expected)) in found.meshes.iter_mut().zip(&mut expected.meshes).enumerate() {
        let (a, b) = (std::mem::take(&mut found.influences), std::mem::take(&mut expected.influences));
        assert_eq!(a.vertex_count(), b.vertex_count(), "{name}, mesh {mesh}");
        for vertex in 0..a.vertex_count() {
            assert_eq!(a.of(vertex).0, b.of(vertex).0, "{name}, mesh {mesh}, vertex {vertex}");
            for (x, y) in a.of(vertex).1.iter().zip(b.of(vertex).1) {
                assert!(
                    (x - y).abs() <= WEIGHT_ROUNDING,
                    "{name}, mesh {mesh}, vertex {vertex}: {x} for {y}"
                );
            }
        }
        assert!(found == expected, "{name}, mesh {mesh}: {found:?} for {expected:?}");
    }
    assert_eq!(found.bones, expected.bones, "{name}");
    assert_eq!(found.binds, expected.binds, "{name}");
    assert_eq!(found.materials, expected.materials, "{name}");
    assert_eq!(found.clips, expected.clips, "{name}");
    assert!(found == expected, "{name}: another character");
}
