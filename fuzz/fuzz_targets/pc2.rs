//! A point cache that can be read is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Pc2Writer, read_pc2};

fuzz_target!(|bytes: &[u8]| {
    let Ok((header, samples)) = read_pc2(bytes) else { return };
    assert_eq!(samples.len(), header.sample_count, "as many as promised");
    let mut writer = Pc2Writer::new(Vec::new(), header).expect("what was read can be written");
    // Positions that are not finite are read, and refused when written.
    if samples.iter().any(|sample| writer.write_sample(sample).is_err()) {
        return;
    }
    let again = writer.finish().expect("all samples were written");
    assert_eq!(again, bytes, "the same bytes");
});
