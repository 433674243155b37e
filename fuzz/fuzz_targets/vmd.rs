//! A VMD that can be read comes back byte for byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_mmd::vmd::Vmd;
use sinew_io::{Limits, Report};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::with_max_memory(64 << 20);
    let Ok(vmd) = Vmd::read(bytes, &limits, &mut Report::default()) else { return };
    assert_eq!(vmd.write(), bytes, "unchanged files come back byte for byte");
});
