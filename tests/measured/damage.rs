//! Damaged files never panic, hang or eat memory, and every refusal says where.
//!
//! `SINEW_DAMAGE` sets the number of cases per file and kind, for longer runs.

use sinew_io::{GltfDocument, Limits, ReadGltfError, Report};
use sinew_rig::{BoundSurface, Character};
use sinew_tests::damage::{Damaged, KINDS, damaged};
use sinew_tests::{ModelFile, corpus_files, fixtures, measure_peak};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The longest that a file may take.
const MOST_TIME: Duration = Duration::from_secs(1);
/// What any file may take of memory.
const MOST_MEMORY: usize = 64 << 20;
/// What a file may take on top of that, times its size.
const MEMORY_PER_BYTE: usize = 4;
/// Cases per fixture and kind of damage; 17 fixtures and 20 kinds make 27,200.
const CASES: u64 = 80;
/// Cases per public model and kind of damage; they are a hundred times larger.
const CORPUS_CASES: u64 = 6;

/// How reading a file went.
struct Outcome {
    /// The character's vertices, or the refusal; a panic's words where there was one.
    result: Result<Result<usize, ReadGltfError>, String>,
    time: Duration,
    peak_bytes: usize,
}

/// What a file claims without storing it stays within what the test allows.
fn limits() -> Limits {
    Limits { max_unstored: Some(MOST_MEMORY as u64), ..Limits::default() }
}

/// Reads a file and does all that is done with every file.
fn measure(file: &ModelFile) -> Outcome {
    let bytes = file.main.clone();
    let start = Instant::now();
    let read = || {
        let resources = |uri: &str, _most: u64| Ok(file.resource(uri));
        let mut report = Report::default();
        let document = GltfDocument::read(bytes, &resources, &limits(), &mut report)?;
        let character = document.to_character(&mut report)?;
        let vertex_count = BoundSurface::of(&character).vertex_count();
        drop(document.to_glb());
        Ok((vertex_count, document, character))
    };
    let (result, peak_bytes) = measure_peak(|| catch_unwind(AssertUnwindSafe(read)));
    let time = start.elapsed();
    let result = result.and_then(|result| match result {
        Ok((vertex_count, document, character)) => {
            catch_unwind(AssertUnwindSafe(|| write_edited(&document, character))).map(|()| Ok(vertex_count))
        }
        Err(error) => Ok(Err(error)),
    });
    let words = |panic: Box<dyn std::any::Any + Send>| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default()
    };
    Outcome { result: result.map_err(words), time, peak_bytes }
}

/// Writing a changed character over a file that is odd, but could be read, must not fail either.
fn write_edited(document: &GltfDocument, character: Character) {
    let mut parts = character.into_parts();
    parts.name.push('!');
    parts.bones.iter_mut().take(3).for_each(|bone| bone.name.push('!'));
    parts.materials.iter_mut().take(3).for_each(|material| {
        material.base_color.x += 1.0;
        material.is_unlit = !material.is_unlit;
    });
    parts.images.iter_mut().take(3).for_each(|image| image.name.push('!'));
    for mesh in parts.meshes.iter_mut().take(3) {
        mesh.name.push('!');
        mesh.influences = mesh.influences.cut_to(1).0;
        mesh.positions.iter_mut().take(1).for_each(|position| position.x = 0.5);
        mesh.morphs
            .iter_mut()
            .flat_map(|morph| morph.position_deltas.first_mut())
            .for_each(|delta| delta.x = 0.5);
    }
    parts.instances.iter_mut().flat_map(|instance| instance.morph_weights.first_mut()).for_each(|w| *w = 0.5);
    parts.clips.iter_mut().for_each(|clip| clip.tracks.truncate(1));
    if let Some(bone) = parts.bones.first().cloned() {
        parts.bones.push(bone);
    }
    let edited = Character::new(parts).expect("the edits are sound");
    if let Ok(updated) = document.updated(&edited, &mut Report::default()) {
        drop(updated.to_glb());
        drop(updated.to_gltf("x"));
    }
}

/// What is wrong with an outcome, if anything.
fn complaint(file: &ModelFile, outcome: &Outcome) -> Option<String> {
    let size = file.main.len() + file.beside.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let most_memory = MOST_MEMORY + MEMORY_PER_BYTE * size;
    let is_refused_for_memory = matches!(outcome.result, Ok(Err(ReadGltfError::Memory(_))));
    match &outcome.result {
        Err(panic) => return Some(format!("panics: {panic}")),
        Ok(Err(error)) if !names_a_place(&error.to_string()) => return Some(format!("no place in: {error}")),
        _ => {}
    }
    if outcome.time > MOST_TIME {
        return Some(format!("takes {:?}", outcome.time));
    }
    let is_too_much = outcome.peak_bytes > most_memory && !is_refused_for_memory;
    is_too_much.then(|| format!("takes {} of {most_memory} bytes for {size}", outcome.peak_bytes))
}

/// Whether a message says where: by an index, a byte, a line, or the name of a member of the document.
fn names_a_place(message: &str) -> bool {
    const MEMBERS: [&str; 17] = [
        "asset",
        "accessors",
        "animations",
        "buffers",
        "bufferViews",
        "cameras",
        "extensionsRequired",
        "extensionsUsed",
        "images",
        "materials",
        "meshes",
        "nodes",
        "samplers",
        "scene",
        "scenes",
        "skins",
        "textures",
    ];
    let first_word = message.split([' ', '.', '[', ':']).next().unwrap_or_default();
    let has_number = message.chars().any(|c| c.is_ascii_digit());
    let is_whole = message.starts_with("the document") || message.contains("it starts neither");
    has_number || is_whole || MEMBERS.contains(&first_word)
}

/// Checks all cases and tells how they went; fails with the first few that went wrong.
#[track_caller]
fn check(title: &str, cases: impl Iterator<Item = Damaged>) {
    let _alone = sinew_tests::alone();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let (mut case_count, mut read_count) = (0, 0);
    let (mut peak, mut slowest) = ((0, String::new()), (Duration::ZERO, String::new()));
    let mut complaints = Vec::new();
    for case in cases {
        let outcome = measure(&case.file);
        complaints
            .extend(complaint(&case.file, &outcome).map(|complaint| format!("{}: {complaint}", case.what)));
        case_count += 1;
        read_count += usize::from(matches!(outcome.result, Ok(Ok(_))));
        peak = peak.max((outcome.peak_bytes, case.what.clone()));
        slowest = slowest.max((outcome.time, case.what));
    }
    std::panic::set_hook(hook);
    eprintln!(
        "{title}: {case_count} cases, {read_count} read, {:.1} s, slowest {:.1?} ({}), peak {:.1} MB ({})",
        start.elapsed().as_secs_f64(),
        slowest.0,
        slowest.1,
        peak.0 as f64 / 1e6,
        peak.1
    );
    let shown: Vec<&String> = complaints.iter().take(20).collect();
    assert!(complaints.is_empty(), "{} of {case_count} cases: {shown:#?}", complaints.len());
}

fn cases(files: Vec<ModelFile>, count: u64) -> impl Iterator<Item = Damaged> {
    let count = std::env::var("SINEW_DAMAGE").ok().and_then(|text| text.parse().ok()).unwrap_or(count);
    files.into_iter().enumerate().flat_map(move |(at, file)| {
        KINDS.into_iter().enumerate().flat_map(move |(number, kind)| {
            let file = file.clone();
            let first = (at * KINDS.len() + number) as u64 * count;
            (first..first + count).map(move |seed| damaged(&file, kind, seed))
        })
    })
}

#[test]
fn damaged_fixtures_are_read_or_refused_within_bounds() {
    let files = fixtures::all().into_iter().map(|fixture| fixture.file).collect();
    check("fixtures", cases(files, CASES));
}

#[test]
fn damaged_public_models_are_read_or_refused_within_bounds() {
    check("public models", cases(corpus_files("damage"), CORPUS_CASES));
}
