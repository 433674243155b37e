//! An FBX that can be read is a character, which can be written as glTF.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Folder, GltfDocument, Limits, Report, read_fbx};

fuzz_target!(|bytes: &[u8]| {
    let mut report = Report::default();
    let folder = Folder::of_files([("a.png".to_owned(), vec![0; 64])]);
    let resources = |name: &str, most: u64| folder.read_similar_name(name, most);
    let Ok(character) = read_fbx(bytes, &resources, &Limits::with_max_memory(64 << 20), &mut report) else { return };
    drop(GltfDocument::from_character(&character, &mut report).to_glb());
});
