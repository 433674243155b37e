//! A picture that can be decoded has as many pixels as it says, and comes back from PNG.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_io::{ImageLimits, decode_image, encode_png};

fuzz_target!(|bytes: &[u8]| {
    let limits = ImageLimits { max_edge: 2048, max_rgba_bytes: 8 << 20 };
    let Ok(image) = decode_image(bytes, &limits) else { return };
    assert_eq!(image.rgba.len(), 4 * image.width as usize * image.height as usize, "all pixels");
    let again = decode_image(&encode_png(&image), &limits).expect("what we write can be read");
    assert_eq!(again.rgba, image.rgba, "the same pixels");
});
