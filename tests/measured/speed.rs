//! How long a large file takes. The time is told; only a gross slowdown fails.

use serde_json::json;
use sinew_io::{GltfDocument, Limits, Report};
use sinew_tests::{Array, Builder, Component};
use std::time::{Duration, Instant};

/// Vertices on a side of the mesh; with normals, texture coordinates, joints, weights and indices it makes 100 MB.
const SIDE: u32 = 1200;
/// What a build for tests may take on a slow machine; a release build takes under a second.
const MOST_TIME: Duration = Duration::from_secs(5);

/// A skinned grid.
fn large_glb() -> Vec<u8> {
    let vertices = || (0..SIDE * SIDE).map(|vertex| ((vertex % SIDE) as f32, (vertex / SIDE) as f32));
    let positions: Vec<[f32; 3]> = vertices().map(|(x, y)| [x, y, 0.0]).collect();
    let normals = vec![[0.0, 0.0, 1.0]; positions.len()];
    let uvs: Vec<[f32; 2]> = vertices().map(|(x, y)| [x / SIDE as f32, y / SIDE as f32]).collect();
    let joints = vec![[0.0, 1.0, 0.0, 0.0]; positions.len()];
    let weights = vec![[0.25, 0.75, 0.0, 0.0]; positions.len()];
    let corners = (0..SIDE - 1).flat_map(|row| (0..SIDE - 1).map(move |column| row * SIDE + column));
    let indices: Vec<[f32; 1]> = corners
        .flat_map(|c| [c, c + 1, c + SIDE, c + 1, c + SIDE + 1, c + SIDE])
        .map(|index| [index as f32])
        .collect();
    let mut builder = Builder::default();
    let attributes = json!({
        "POSITION": builder.push_array(&Array::positions(&positions), json!({})),
        "NORMAL": builder.push_array(&Array::vertices(&normals), json!({})),
        "TEXCOORD_0": builder.push_array(&Array::vertices(&uvs), json!({})),
        "JOINTS_0": builder.push_array(&Array::vertices(&joints).stored_as(Component::U8), json!({})),
        "WEIGHTS_0": builder.push_array(&Array::vertices(&weights), json!({})),
    });
    let index_array = Array { target: Some(34963), ..Array::floats(&indices).stored_as(Component::U32) };
    let indices = builder.push_array(&index_array, json!({}));
    builder.push("meshes", json!({ "primitives": [{ "attributes": attributes, "indices": indices }] }));
    builder.push("nodes", json!({ "mesh": 0, "skin": 0 }));
    builder.push("nodes", json!({ "children": [2] }));
    builder.push("nodes", json!({}));
    builder.push("skins", json!({ "joints": [1, 2] }));
    builder.push("scenes", json!({ "nodes": [0, 1] }));
    builder.to_glb(&[])
}

#[test]
fn a_hundred_megabytes_are_read_in_seconds() {
    let _alone = sinew_tests::alone();
    let bytes = large_glb();
    let megabytes = bytes.len() as f64 / 1e6;
    let resources = |uri: &str, _most: u64| panic!("no file is named, but {uri} was asked for");
    let mut report = Report::default();
    let start = Instant::now();
    let document =
        GltfDocument::read(bytes, &resources, &Limits::default(), &mut report).expect("it is good");
    let character = document.to_character(&mut report).expect("it is good");
    let time = start.elapsed();
    eprintln!("{megabytes:.0} MB read in {time:.2?}");
    assert_eq!(character.meshes()[0].vertex_count(), (SIDE * SIDE) as usize);
    assert!(time < MOST_TIME, "{megabytes:.0} MB took {time:.2?}");
    let start = Instant::now();
    let written = document.to_glb().expect("below 4 GiB");
    eprintln!("{megabytes:.0} MB written in {:.2?}", start.elapsed());
    assert_eq!(written.len() as f64 / 1e6, megabytes);
}
