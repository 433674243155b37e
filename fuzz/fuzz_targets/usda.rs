//! Points of a USD text that can be read are as many in every sample, and finite.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::read_usda_points;

fuzz_target!(|bytes: &[u8]| {
    let Ok(read) = read_usda_points(bytes) else { return };
    assert!(!read.samples.is_empty(), "a file without samples is refused");
    for sample in &read.samples {
        assert_eq!(sample.len(), read.point_count, "as many as promised");
        assert!(sample.iter().all(|place| !place.is_nan()), "numbers");
    }
});
