//! A Draco stream becomes a mesh whose triangles and attributes are whole, or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mesh) = sinew_draco::decode(bytes, 64 << 20) else { return };
    assert!(mesh.triangles.iter().flatten().all(|&point| (point as usize) < mesh.point_count));
    for attribute in &mesh.attributes {
        let size = attribute.components * attribute.component_type.size();
        assert_eq!(attribute.bytes.len(), mesh.point_count * size);
    }
});
