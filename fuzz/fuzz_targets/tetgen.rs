//! Tetrahedra that can be read from TetGen's files, here joined by a zero byte, come back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Limits, Report, read_tetgen, write_tetgen};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::with_max_memory(64 << 20);
    let middle = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let ele = bytes.get(middle + 1..).unwrap_or_default();
    let Ok(mesh) = read_tetgen(&bytes[..middle], ele, &limits, &mut Report::default()) else { return };
    let text = write_tetgen(&mesh);
    let again = read_tetgen(text.node.as_bytes(), text.ele.as_bytes(), &limits, &mut Report::default());
    assert_eq!(again, Ok(mesh), "what was written can be read");
});
