//! A point cache that can be read is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{Pc2Writer, read_pc2};

fuzz_target!(|bytes: &[u8]| {
    let Ok((header, points)) = read_pc2(bytes, bytes.len() as u64) else { return };
    assert_eq!(points.len(), header.point_count * header.sample_count, "as many as promised");
    // Times and positions that are not finite are read, and refused when written.
    let Ok(mut writer) = Pc2Writer::new(Vec::new(), header) else { return };
    let mut samples = points.chunks_exact(header.point_count.max(1));
    if samples.any(|sample| writer.write_sample(sample).is_err()) {
        return;
    }
    let Ok(again) = writer.finish() else { return };
    assert_eq!(read_pc2(&again[..], again.len() as u64).expect("what we write can be read"), (header, points));
});
