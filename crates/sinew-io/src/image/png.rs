//! PNG, of every color type and depth; of animations the first picture. Written with 8 bits.

use super::{DecodedImage, ImageError, ImageLimits, Result, checked_size};
use png::{BitDepth, ColorType, EncodingError, Transformations};
use std::io::Cursor;

/// The image as a PNG file, without alpha if every pixel is opaque. Deterministic.
///
/// # Panics
/// If the image has no pixels, or `rgba` is not `width * height * 4` bytes long.
pub fn encode_png(image: &DecodedImage) -> Vec<u8> {
    let &DecodedImage { width, height, ref rgba } = image;
    let size = u128::from(width) * u128::from(height) * 4;
    assert!(size == rgba.len() as u128 && size > 0, "{} bytes for {width} × {height} pixels", rgba.len());
    let is_opaque = rgba.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX);
    let encoded = if is_opaque {
        let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encode(width, height, ColorType::Rgb, &rgb)
    } else {
        encode(width, height, ColorType::Rgba, rgba)
    };
    encoded.expect("sizes were checked, and writing to memory does not fail")
}

fn encode(width: u32, height: u32, color: ColorType, bytes: &[u8]) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()?;
    Ok(file)
}

pub(super) fn decode(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage> {
    let damaged =
        |error: png::DecodingError| ImageError::Damaged { format: "PNG", reason: error.to_string() };
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // Packed text and profiles can be far larger than the file, and Sinew does not use them.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width, header.height);
    let size = checked_size(width.into(), height.into(), limits)?;
    decoder.set_limits(png::Limits { bytes: size.max(1 << 20) });
    let mut reader = decoder.read_info().map_err(damaged)?;
    // Gray with alpha takes half of this; it is widened below.
    let mut rgba = vec![0; size.max(reader.output_buffer_size().unwrap_or(0))];
    let frame = reader.next_frame(&mut rgba).map_err(damaged)?;
    if (frame.width, frame.height) != (width, height) {
        let reason = format!(
            "the first picture is {} × {}, but the image {width} × {height}",
            frame.width, frame.height
        );
        return Err(ImageError::Damaged { format: "PNG", reason });
    }
    if frame.color_type == ColorType::GrayscaleAlpha {
        rgba =
            rgba[..size / 2].chunks_exact(2).flat_map(|grey| [grey[0], grey[0], grey[0], grey[1]]).collect();
    }
    rgba.truncate(size);
    Ok(DecodedImage { width, height, rgba })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::image::tests::decode;

    pub(in crate::image) struct Png<'a> {
        size: [u32; 2],
        color: ColorType,
        depth: BitDepth,
        palette: Option<&'a [u8]>,
        transparency: Option<&'a [u8]>,
        bytes: &'a [u8],
    }

    impl Png<'_> {
        pub(in crate::image) fn encode(&self) -> Vec<u8> {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, self.size[0], self.size[1]);
            encoder.set_color(self.color);
            encoder.set_depth(self.depth);
            if let Some(palette) = self.palette {
                encoder.set_palette(palette);
            }
            if let Some(transparency) = self.transparency {
                encoder.set_trns(transparency);
            }
            let mut writer = encoder.write_header().unwrap();
            writer.write_image_data(self.bytes).unwrap();
            writer.finish().unwrap();
            file
        }
    }

    pub(in crate::image) const PLAIN: Png<'static> = Png {
        size: [2, 1],
        color: ColorType::Rgba,
        depth: BitDepth::Eight,
        palette: None,
        transparency: None,
        bytes: &[1, 2, 3, 4, 5, 6, 7, 8],
    };

    #[test]
    fn encoded_images_decode_to_themselves() {
        for (rgba, color) in [
            (vec![1, 2, 3, 255, 4, 5, 6, 255], ColorType::Rgb),
            (vec![1, 2, 3, 255, 4, 5, 6, 0], ColorType::Rgba),
        ] {
            for (width, height) in [(2, 1), (1, 2)] {
                let image = DecodedImage { width, height, rgba: rgba.clone() };
                let file = encode_png(&image);
                assert_eq!(file[25], color as u8);
                assert_eq!(decode(&file).unwrap(), image);
                assert_eq!(encode_png(&image), file);
            }
        }
    }

    #[test]
    #[should_panic(expected = "7 bytes for 2 × 1 pixels")]
    fn an_image_of_the_wrong_length_is_not_encoded() {
        encode_png(&DecodedImage { width: 2, height: 1, rgba: vec![0; 7] });
    }

    #[test]
    fn every_kind_of_png_becomes_rgba() {
        use {BitDepth::*, ColorType::*};
        let palette: &[u8] = &[10, 20, 30, 40, 50, 60];
        for (png, expected) in [
            (PLAIN, [1, 2, 3, 4, 5, 6, 7, 8]),
            (Png { color: Rgb, bytes: &[1, 2, 3, 4, 5, 6], ..PLAIN }, [1, 2, 3, 255, 4, 5, 6, 255]),
            (
                Png {
                    color: Rgb,
                    transparency: Some(&[0, 1, 0, 2, 0, 3]),
                    bytes: &[1, 2, 3, 4, 5, 6],
                    ..PLAIN
                },
                [1, 2, 3, 0, 4, 5, 6, 255],
            ),
            (Png { color: Grayscale, bytes: &[9, 7], ..PLAIN }, [9, 9, 9, 255, 7, 7, 7, 255]),
            (
                Png { color: Grayscale, depth: One, bytes: &[0b0100_0000], ..PLAIN },
                [0, 0, 0, 255, 255, 255, 255, 255],
            ),
            (
                Png { color: Grayscale, depth: Two, bytes: &[0b0111_0000], ..PLAIN },
                [85, 85, 85, 255, 255, 255, 255, 255],
            ),
            (
                Png { color: Grayscale, depth: Four, bytes: &[0x2f], ..PLAIN },
                [34, 34, 34, 255, 255, 255, 255, 255],
            ),
            (
                Png { color: Grayscale, depth: Sixteen, bytes: &[0x12, 0x34, 0xff, 0xff], ..PLAIN },
                [18, 18, 18, 255, 255, 255, 255, 255],
            ),
            (
                Png { color: Grayscale, transparency: Some(&[0, 9]), bytes: &[9, 7], ..PLAIN },
                [9, 9, 9, 0, 7, 7, 7, 255],
            ),
            (Png { color: GrayscaleAlpha, bytes: &[9, 1, 7, 2], ..PLAIN }, [9, 9, 9, 1, 7, 7, 7, 2]),
            (
                Png {
                    color: Rgba,
                    depth: Sixteen,
                    bytes: &[1, 9, 2, 9, 3, 9, 4, 9, 5, 9, 6, 9, 7, 9, 8, 9],
                    ..PLAIN
                },
                [1, 2, 3, 4, 5, 6, 7, 8],
            ),
            (
                Png { color: Indexed, palette: Some(palette), bytes: &[1, 0], ..PLAIN },
                [40, 50, 60, 255, 10, 20, 30, 255],
            ),
            (
                Png {
                    color: Indexed,
                    depth: One,
                    palette: Some(palette),
                    transparency: Some(&[7]),
                    bytes: &[0b0100_0000],
                    ..PLAIN
                },
                [10, 20, 30, 7, 40, 50, 60, 255],
            ),
        ] {
            let image = decode(&png.encode()).unwrap();
            assert_eq!((image.width, image.height), (2, 1));
            assert_eq!(image.rgba, expected, "{:?} {:?}", png.color, png.depth);
        }
    }
}
