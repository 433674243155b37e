//! Tetrahedra that can be read from a Gmsh file come back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Limits, Report, read_msh, write_msh};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::with_max_memory(64 << 20);
    let Ok(mesh) = read_msh(bytes, &limits, &mut Report::default()) else { return };
    let again = read_msh(write_msh(&mesh).as_bytes(), &limits, &mut Report::default());
    assert_eq!(again, Ok(mesh), "what was written can be read");
});
