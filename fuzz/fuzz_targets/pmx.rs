//! A PMX that can be read comes back byte for byte, becomes a character, and can be repaired.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_mmd::pmx::{Pmx, PmxDocument};
use sinew_io::{Limits, Report};

fuzz_target!(|bytes: &[u8]| {
    let mut report = Report::default();
    let limits = Limits::with_max_memory(64 << 20);
    let Ok(pmx) = Pmx::read(bytes, &limits, &mut report) else { return };
    assert_eq!(pmx.write(), bytes, "unchanged files come back byte for byte");
    let (repaired, _) = pmx.repaired();
    assert!(repaired.problems().is_empty(), "what was repaired is good: {:?}", repaired.problems());
    let document = PmxDocument::from_pmx(pmx);
    let character = document.to_character(&mut report).expect("every file becomes a character");
    drop(document.updated(&character, &mut report));
});
