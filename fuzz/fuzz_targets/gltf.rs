//! A glTF that can be read becomes a character, and comes back as a `.glb`, as a `.gltf` and as an edited file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Folder, GltfDocument, GltfFiles, Limits, Report};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::with_max_memory(64 << 20);
    let mut report = Report::default();
    let folder = Folder::of_files([("a.bin".to_owned(), vec![0; 64])]);
    let resources = |uri: &str, most: u64| folder.read(uri, most);
    let Ok(document) = GltfDocument::read(bytes.to_vec(), &resources, &limits, &mut report) else { return };
    if let Ok(glb) = document.to_glb() {
        let none = Folder::of_files([]);
        let again = GltfDocument::read(glb, &|uri, most| none.read(uri, most), &Limits::default(), &mut report);
        drop(again.expect("what we write can be read"));
    }
    let GltfFiles { main, beside } = document.to_gltf("fuzzed");
    let beside = Folder::of_files(beside.into_iter().chain([("a.bin".to_owned(), vec![0; 64])]));
    let again = GltfDocument::read(main, &|uri, most| beside.read(uri, most), &Limits::default(), &mut report);
    drop(again.expect("what we write can be read"));
    let Ok(character) = document.to_character(&mut report) else { return };
    let _ = document.humanoid(&character, &mut report);
    drop(document.updated(&character, &mut report));
    let fresh = GltfDocument::from_character(&character, &mut report);
    drop(fresh.to_character(&mut report).expect("what we write becomes a character"));
});
