//! A view of meshopt becomes as many bytes as it says, or an error. The first three bytes choose mode and filter, stride and count.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Folder, GltfDocument, Limits, Report};

const MODES: [(&str, &str); 7] = [
    ("ATTRIBUTES", "NONE"),
    ("ATTRIBUTES", "OCTAHEDRAL"),
    ("ATTRIBUTES", "QUATERNION"),
    ("ATTRIBUTES", "EXPONENTIAL"),
    ("ATTRIBUTES", "COLOR"),
    ("TRIANGLES", "NONE"),
    ("INDICES", "NONE"),
];

fuzz_target!(|bytes: &[u8]| {
    let [kind, stride, count, packed @ ..] = bytes else { return };
    let (mode, filter) = MODES[usize::from(*kind) % MODES.len()];
    let length = usize::from(*stride) * usize::from(*count);
    let view = format!(
        r#"{{"buffer":1,"byteLength":{length},"extensions":{{"KHR_meshopt_compression":{{"buffer":0,"byteLength":{},
        "byteStride":{stride},"count":{count},"mode":"{mode}","filter":"{filter}"}}}}}}"#,
        packed.len()
    );
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["KHR_meshopt_compression"],"bufferViews":[{view}],
        "buffers":[{{"byteLength":{},"uri":"a.bin"}},{{"byteLength":{length}}}]}}"#,
        packed.len()
    );
    let folder = Folder::of_files([("a.bin".to_owned(), packed.to_vec())]);
    let limits = Limits::with_max_memory(64 << 20);
    let resources = |uri: &str, most: u64| folder.read(uri, most);
    drop(GltfDocument::read(json.into_bytes(), &resources, &limits, &mut Report::default()));
});
