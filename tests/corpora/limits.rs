//! A file may claim what it does not store only as far as the limits go, and a refusal says what claims it.

use serde_json::{Value, json};
use sinew_io::{GltfDocument, Limits, ReadGltfError, Report};
use sinew_rig::Character;
use sinew_tests::{Array, Builder};

/// A legal file of a few hundred bytes whose mesh has `count` vertices, none of which is stored.
fn viewless(count: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let bounds = json!({ "min": [0.0, 0.0, 0.0], "max": [0.0, 0.0, 0.0], "count": count });
    let accessor = builder.push_accessor::<3>(&Array::floats(&[]), None, bounds);
    let primitive = json!({ "attributes": { "POSITION": accessor }, "mode": 0 });
    builder.push("meshes", json!({ "primitives": [primitive] }));
    builder.push("nodes", json!({ "mesh": 0 }));
    builder.push("scenes", json!({ "nodes": [0] }));
    builder.to_embedded_gltf()
}

fn read(bytes: Vec<u8>, limits: &Limits) -> Result<Character, ReadGltfError> {
    let resources = |uri: &str, _most: u64| panic!("no file is named, but {uri} was asked for");
    let document = GltfDocument::read(bytes, &resources, limits, &mut Report::default())?;
    document.to_character(&mut Report::default())
}

/// Checks the number of vertices, or the words of the refusal.
#[track_caller]
fn check(bytes: Vec<u8>, limits: &Limits, expected: Result<usize, &[&str]>) {
    match (read(bytes, limits), expected) {
        (Ok(character), Ok(count)) => {
            assert_eq!(character.meshes()[0].vertex_count(), count, "all vertices are there");
        }
        (Err(ReadGltfError::Memory(error)), Err(words)) => {
            let message = error.to_string();
            assert!(words.iter().all(|word| message.contains(word)), "{message:?} lacks one of {words:?}");
        }
        (Ok(_), Err(_)) => panic!("it was read"),
        (Err(error), _) => panic!("{error}"),
    }
}

#[test]
fn a_small_claim_is_granted() {
    check(viewless(100_000), &Limits::default(), Ok(100_000));
}

#[test]
fn a_giant_claim_is_refused_by_name_unless_the_user_raises_the_limit() {
    // 120 MB of positions: far below the 4 GiB that stored values may take.
    let count = 10_000_000;
    check(viewless(count), &Limits::default(), Err(&["accessors[0]", "--max-memory"]));
    check(viewless(count), &Limits::with_max_memory(4 << 30), Ok(count));
}

#[test]
fn many_places_of_a_mesh_count() {
    // 100,000 vertices in 1000 places: 7.2 GB once they are bound, from 30 kB.
    let mut json: Value = serde_json::from_slice(&viewless(100_000)).expect("just written");
    json["nodes"] = vec![json!({ "mesh": 0 }); 1000].into();
    json["scenes"][0]["nodes"] = (0..1000).collect::<Vec<_>>().into();
    check(json.to_string().into_bytes(), &Limits::default(), Err(&["nodes[", "--max-memory"]));
}

#[test]
fn a_limit_below_the_file_refuses_it() {
    check(viewless(10), &Limits::with_max_memory(64), Err(&["the file", "the limit leaves 64"]));
}

#[test]
fn json_that_swells_is_refused_before_it_is_parsed() {
    let mut json: Value = serde_json::from_slice(&viewless(3)).expect("just written");
    json["extras"] = "HERE".into();
    // Three megabytes of text that would become 300 in memory.
    let text = json.to_string().replace("\"HERE\"", &format!("[{}[0]]", "[0],".repeat(800_000)));
    check(text.clone().into_bytes(), &Limits::default(), Err(&["the JSON", "--max-memory"]));
    check(text.into_bytes(), &Limits::with_max_memory(1 << 30), Ok(3));
}
