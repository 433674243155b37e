//! A VPD that can be read comes back byte for byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_mmd::vpd::Vpd;
use sinew_io::{Limits, Report};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::with_max_memory(64 << 20);
    let mut report = Report::default();
    let Ok(vpd) = Vpd::read(bytes, &limits, &mut report) else { return };
    assert_eq!(vpd.write(&mut report), bytes, "unchanged files come back byte for byte");
});
