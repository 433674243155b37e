//! A BVH that can be read is written, read again and made a character of.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::bvh::{Bvh, BvhScale};
use sinew_io::{Limits, Report};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::with_max_memory(64 << 20);
    let mut report = Report::default();
    let Ok(bvh) = Bvh::read(bytes, &limits, &mut report) else { return };
    let text = bvh.write();
    let again = Bvh::read(text.as_bytes(), &Limits::default(), &mut report).expect("what we write can be read");
    assert_eq!(again.joints().len(), bvh.joints().len(), "joints come back");
    assert_eq!(again.frame_count(), bvh.frame_count(), "frames come back");
    let _ = bvh.to_character("fuzzed", BvhScale::Guessed, &mut report);
});
