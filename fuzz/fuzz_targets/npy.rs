//! An array that can be read has as many numbers as its shape says, by either reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{NpyNumbers, read_npy_f32, write_npy};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(array) = read_npy_f32(bytes) {
        assert_eq!(array.shape.iter().product::<usize>(), array.values.len(), "as many as promised");
        let again = write_npy(&array.shape, &array.values).expect("an array that was read can be written");
        let again = read_npy_f32(&again).expect("what we write can be read");
        assert_eq!(again.shape, array.shape, "the shape comes back");
    }
    let Ok(numbers) = NpyNumbers::new(bytes, bytes.len() as u64) else { return };
    let count: usize = numbers.shape().iter().product();
    assert_eq!(numbers.read_all().expect("sizes were checked").len(), count, "as many as promised");
});
