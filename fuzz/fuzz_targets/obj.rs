//! An OBJ with its MTL, here joined by a zero byte, that can be read has finite positions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Report, read_obj, read_obj_positions};

fuzz_target!(|bytes: &[u8]| {
    let middle = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let mtl = bytes.get(middle + 1..).unwrap_or_default();
    let obj = &bytes[..middle];
    if let Ok(character) = read_obj(obj, |_| Ok::<_, String>(mtl.to_vec()), &mut Report::default()) {
        let mut positions = character.meshes().iter().flat_map(|mesh| &mesh.positions);
        assert!(positions.all(|position| position.is_finite()), "numbers");
    }
    let _ = read_obj_positions(obj);
});
