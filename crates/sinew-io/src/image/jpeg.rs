//! JPEG: gray, color and CMYK, baseline and progressive.

use super::{DecodedImage, ImageError, ImageLimits, Result, checked_size};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

pub(super) fn decode(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage> {
    let damaged = |reason: String| ImageError::Damaged { format: "JPEG", reason };
    // Not RGBA: the decoder's own conversion of CMYK to four channels is wrong.
    let longest = usize::from(u16::MAX);
    let options = DecoderOptions::default()
        .set_max_width(longest)
        .set_max_height(longest)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| damaged(error.to_string()))?;
    let Some((width, height)) = decoder.dimensions() else {
        return Err(damaged("the size is missing".into()));
    };
    let size = checked_size(width as u64, height as u64, limits)?;
    if matches!(decoder.input_colorspace(), Some(ColorSpace::MultiBand(_))) {
        return Err(ImageError::Unsupported { found: "JPEG with an odd number of channels" });
    }
    let rgb = decoder.decode().map_err(|error| damaged(error.to_string()))?;
    if rgb.len() != size / 4 * 3 {
        return Err(damaged(format!("{} bytes decoded for {width} × {height} pixels", rgb.len())));
    }
    let mut rgba = Vec::with_capacity(size);
    rgba.extend(rgb.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX]));
    // Both are at most 65,535, the maximum of the format.
    Ok(DecodedImage { width: width as u32, height: height as u32, rgba })
}

#[cfg(test)]
pub(super) mod tests {
    use crate::image::tests::decode;
    use base64::prelude::{BASE64_STANDARD, Engine};

    /// Made with Pillow 12 (libjpeg-turbo), quality 95: 16 × 8 pixels, the left half of one color, the right of another.
    pub(in crate::image) const COLOR: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABwj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAACQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCR0fKgPzeArf/Z";
    pub(in crate::image) const PROGRESSIVE: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABgf/xAAVAQEBAAAAAAAAAAAAAAAAAAAIBv/aAAwDAQACEAMQAAABkceqD7eCv//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEAAQUCP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQMBAT8BP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQIBAT8BP//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEABj8CP//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEAAT8hP//aAAwDAQACAAMAAAAQA//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQMBAT8QP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQIBAT8QP//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEAAT8QP//Z";
    pub(in crate::image) const GREY: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAACQr/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/ADHUsP/Z";
    pub(in crate::image) const CMYK: &str = "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAoJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAAPwC/g/4/6/gAZ/h/g/7/2Q==";

    /// What rounding in YCbCr may change of flat colors at quality 95.
    const JPEG_ROUNDING: u8 = 4;

    pub(in crate::image) fn jpeg(text: &str) -> Vec<u8> {
        BASE64_STANDARD.decode(text).unwrap()
    }

    #[test]
    fn every_kind_of_jpeg_becomes_rgba() {
        for (name, file, left, right) in [
            ("color", COLOR, [200, 30, 40, 255], [20, 60, 220, 255]),
            ("progressive", PROGRESSIVE, [200, 30, 40, 255], [20, 60, 220, 255]),
            ("grey", GREY, [50, 50, 50, 255], [200, 200, 200, 255]),
            // No cyan, all magenta and yellow: red. All cyan, half black: dark cyan.
            ("cmyk", CMYK, [255, 0, 0, 255], [0, 127, 127, 255]),
        ] {
            let image = decode(&jpeg(file)).unwrap();
            assert_eq!((image.width, image.height, image.rgba.len()), (16, 8, 16 * 8 * 4));
            for (pixel, color) in image.rgba.chunks_exact(4).enumerate() {
                let expected: [u8; 4] = if pixel % 16 < 8 { left } else { right };
                let is_near = color.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= JPEG_ROUNDING);
                assert!(is_near, "{name} pixel {pixel}: {color:?}, expected {expected:?}");
            }
        }
    }
}
