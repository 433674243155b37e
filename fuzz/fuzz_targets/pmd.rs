//! A PMD that can be read comes back byte for byte and becomes a PMX.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_mmd::pmd::Pmd;
use sinew_mmd::pmx::PmxDocument;
use sinew_io::{Limits, Report};

fuzz_target!(|bytes: &[u8]| {
    let mut report = Report::default();
    let limits = Limits::with_max_memory(64 << 20);
    let Ok(pmd) = Pmd::read(bytes, &limits, &mut report) else { return };
    assert_eq!(pmd.write(), bytes, "unchanged files come back byte for byte");
    let pmx = pmd.to_pmx(&mut report);
    let character = PmxDocument::from_pmx(pmx).to_character(&mut report);
    drop(character.expect("every file becomes a character"));
});
