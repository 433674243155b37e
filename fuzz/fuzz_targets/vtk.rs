//! Tetrahedra that can be read from a VTK file come back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Limits, Report, read_vtk, write_vtk};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::with_max_memory(64 << 20);
    let Ok(mesh) = read_vtk(bytes, &limits, &mut Report::default()) else { return };
    let again = read_vtk(write_vtk(&mesh).as_bytes(), &limits, &mut Report::default());
    assert_eq!(again, Ok(mesh), "what was written can be read");
});
