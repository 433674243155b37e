//! PNG and JPEG images, decoded for drawing.
//!
//! What an image is, its first bytes say; the type that a model gives is often wrong. Colors stay as stored: color profiles,
//! gamma and orientation entries are passed over, as glTF asks. 16-bit channels keep their upper 8 bits.

use png::{ColorType, Transformations};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// A decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedImage {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and alpha (straight, not multiplied in), top row first; `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// How large an image may be. Both are checked before memory is taken; a decoder needs up to three times `max_rgba_bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLimits {
    /// Pixels along either edge. Default 16,384: the largest texture that graphics hardware takes today.
    pub max_edge: u32,
    /// Bytes of the decoded image. Default 1 GiB: an image of 16,384 × 16,384.
    pub max_rgba_bytes: u64,
}

impl Default for ImageLimits {
    fn default() -> Self {
        Self { max_edge: 16_384, max_rgba_bytes: 1 << 30 }
    }
}

/// Why an image could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// No bytes.
    #[error("the image is empty")]
    Empty,
    /// A format that is known, but not read.
    #[error("{found} is not supported; convert the image to PNG or JPEG")]
    Unsupported {
        /// Which format, or which kind of a format.
        found: &'static str,
    },
    /// A format that is not known.
    #[error("this is neither PNG nor JPEG: it starts with the bytes {start:02x?}")]
    Unknown {
        /// The first bytes.
        start: Vec<u8>,
    },
    /// Over the limits.
    #[error(
        "an image of {width} × {height} pixels is larger than allowed ({max_edge} a side, {max_rgba_bytes} bytes decoded)"
    )]
    TooLarge {
        /// Pixels a row.
        width: u64,
        /// Rows.
        height: u64,
        /// Limit of both.
        max_edge: u32,
        /// Limit of `width * height * 4`.
        max_rgba_bytes: u64,
    },
    /// A broken file.
    #[error("the {format} image is damaged: {reason}")]
    Damaged {
        /// "PNG" or "JPEG".
        format: &'static str,
        /// What the decoder says.
        reason: String,
    },
}

/// Decodes a PNG (every color type and depth; of animations the first picture) or a JPEG (grey, color, CMYK; baseline and
/// progressive).
///
/// A JPEG that breaks off is decoded as far as it goes, as browsers do, with grey below.
///
/// # Errors
/// If the bytes are of another format, over the limits, or damaged.
pub fn decode_image(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage, ImageError> {
    if bytes.is_empty() {
        return Err(ImageError::Empty);
    }
    match format_of(bytes) {
        Some(Format::Png) => decode_png(bytes, limits),
        Some(Format::Jpeg) => decode_jpeg(bytes, limits),
        Some(Format::Other(found)) => Err(ImageError::Unsupported { found }),
        None => Err(ImageError::Unknown { start: bytes[..bytes.len().min(8)].to_vec() }),
    }
}

/// `image/png` or `image/jpeg` where the first bytes say so.
pub fn image_mime_type(bytes: &[u8]) -> Option<&'static str> {
    match format_of(bytes)? {
        Format::Png => Some("image/png"),
        Format::Jpeg => Some("image/jpeg"),
        Format::Other(_) => None,
    }
}

enum Format {
    Png,
    Jpeg,
    Other(&'static str),
}

fn format_of(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(Format::Png);
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Some(Format::Jpeg);
    }
    let holds = |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    let others: [(usize, &[u8], &str); 15] = [
        (8, b"WEBP", "WebP"),
        (0, b"GIF8", "GIF"),
        (0, b"BM", "BMP"),
        (0, b"DDS ", "DDS"),
        (0, b"\xabKTX 20\xbb", "KTX2 (Basis Universal)"),
        (0, b"\xabKTX 11\xbb", "KTX"),
        (0, b"sB", "Basis Universal"),
        (0, b"II*\0", "TIFF"),
        (0, b"MM\0*", "TIFF"),
        (0, b"8BPS", "Photoshop (PSD)"),
        (0, b"#?RADIANCE", "Radiance HDR"),
        (0, b"\x76\x2f\x31\x01", "OpenEXR"),
        (4, b"ftypavif", "AVIF"),
        (4, b"ftyp", "HEIC"),
        (0, b"version https://git-lfs", "a Git LFS pointer (the file itself was not downloaded)"),
    ];
    let found = others.iter().find(|(offset, magic, _)| holds(*offset, magic));
    found.map(|&(.., name)| Format::Other(name))
}

/// Checks the limits; the result fits into memory sizes.
fn checked_size(width: u64, height: u64, limits: &ImageLimits) -> Result<usize, ImageError> {
    let &ImageLimits { max_edge, max_rgba_bytes } = limits;
    let bytes = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(4));
    bytes
        .filter(|&bytes| width.max(height) <= u64::from(max_edge) && bytes <= max_rgba_bytes)
        .and_then(|bytes| usize::try_from(bytes).ok())
        .ok_or(ImageError::TooLarge { width, height, max_edge, max_rgba_bytes })
}

fn decode_png(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage, ImageError> {
    let damaged =
        |error: png::DecodingError| ImageError::Damaged { format: "PNG", reason: error.to_string() };
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // Packed text and profiles can be far larger than the file, and nobody reads them.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width, header.height);
    let size = checked_size(width.into(), height.into(), limits)?;
    decoder.set_limits(png::Limits { bytes: size.max(1 << 20) });
    let mut reader = decoder.read_info().map_err(damaged)?;
    // Grey with alpha takes half of this; it is widened below.
    let mut rgba = vec![0; size.max(reader.output_buffer_size().unwrap_or(0))];
    let frame = reader.next_frame(&mut rgba).map_err(damaged)?;
    if (frame.width, frame.height) != (width, height) {
        let reason = format!("its first picture is {} × {} of {width} × {height}", frame.width, frame.height);
        return Err(ImageError::Damaged { format: "PNG", reason });
    }
    if frame.color_type == ColorType::GrayscaleAlpha {
        rgba =
            rgba[..size / 2].chunks_exact(2).flat_map(|grey| [grey[0], grey[0], grey[0], grey[1]]).collect();
    }
    rgba.truncate(size);
    Ok(DecodedImage { width, height, rgba })
}

fn decode_jpeg(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage, ImageError> {
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
        return Err(damaged("it has no size".into()));
    };
    let size = checked_size(width as u64, height as u64, limits)?;
    if matches!(decoder.input_colorspace(), Some(ColorSpace::MultiBand(_))) {
        return Err(ImageError::Unsupported { found: "JPEG with an odd number of channels" });
    }
    let rgb = decoder.decode().map_err(|error| damaged(error.to_string()))?;
    if rgb.len() != size / 4 * 3 {
        return Err(damaged(format!("{} bytes came out for {width} × {height} pixels", rgb.len())));
    }
    let mut rgba = Vec::with_capacity(size);
    rgba.extend(rgb.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX]));
    // Both are at most 65,535, as the format stores them.
    Ok(DecodedImage { width: width as u32, height: height as u32, rgba })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_STANDARD, Engine};
    use png::BitDepth;
    use proptest::prelude::*;

    /// Made with Pillow 12 (libjpeg-turbo), quality 95: 16 × 8 pixels, the left half of one color, the right of another.
    const COLOR: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABwj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAACQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCR0fKgPzeArf/Z";
    const PROGRESSIVE: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABgf/xAAVAQEBAAAAAAAAAAAAAAAAAAAIBv/aAAwDAQACEAMQAAABkceqD7eCv//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEAAQUCP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQMBAT8BP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQIBAT8BP//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEABj8CP//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEAAT8hP//aAAwDAQACAAMAAAAQA//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQMBAT8QP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQIBAT8QP//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEAAT8QP//Z";
    const GREY: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAACQr/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/ADHUsP/Z";
    const CMYK: &str = "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAoJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAAPwC/g/4/6/gAZ/h/g/7/2Q==";

    /// What rounding in YCbCr may change of flat colors at quality 95.
    const JPEG_ROUNDING: u8 = 4;

    fn jpeg(text: &str) -> Vec<u8> {
        BASE64_STANDARD.decode(text).unwrap()
    }

    fn decode(bytes: &[u8]) -> Result<DecodedImage, ImageError> {
        decode_image(bytes, &ImageLimits::default())
    }

    struct Png<'a> {
        size: [u32; 2],
        color: ColorType,
        depth: BitDepth,
        palette: Option<&'a [u8]>,
        transparency: Option<&'a [u8]>,
        bytes: &'a [u8],
    }

    impl Png<'_> {
        fn encode(&self) -> Vec<u8> {
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

    const PLAIN: Png<'static> = Png {
        size: [2, 1],
        color: ColorType::Rgba,
        depth: BitDepth::Eight,
        palette: None,
        transparency: None,
        bytes: &[1, 2, 3, 4, 5, 6, 7, 8],
    };

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

    #[test]
    fn limits_hold_before_memory_is_taken() {
        // A header that asks for 2³¹ − 1 pixels a side.
        let mut huge = PLAIN.encode();
        huge[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
        let crc = crc_of(&huge[12..29]);
        huge[29..33].copy_from_slice(&crc.to_be_bytes());
        assert!(matches!(decode(&huge), Err(ImageError::TooLarge { width: 0x7fff_ffff, .. })));
        let small = ImageLimits { max_edge: 1, ..ImageLimits::default() };
        assert!(matches!(decode_image(&PLAIN.encode(), &small), Err(ImageError::TooLarge { .. })));
        let small = ImageLimits { max_rgba_bytes: 16 * 8 * 4 - 1, ..ImageLimits::default() };
        assert!(matches!(decode_image(&jpeg(COLOR), &small), Err(ImageError::TooLarge { .. })));
        let enough = ImageLimits { max_edge: 16, max_rgba_bytes: 16 * 8 * 4 };
        decode_image(&jpeg(COLOR), &enough).unwrap();
    }

    fn crc_of(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        !bytes.iter().fold(!0u32, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
    }

    #[test]
    fn other_formats_are_named() {
        for (bytes, expected) in [
            (&b"RIFF\x10\0\0\0WEBPVP8 "[..], "WebP is not supported; convert the image to PNG or JPEG"),
            (b"GIF89a", "GIF is not supported; convert the image to PNG or JPEG"),
            (b"", "the image is empty"),
            (b"\x01\x02", "this is neither PNG nor JPEG: it starts with the bytes [01, 02]"),
            (b"\x89PNG\r\n\x1a\n", "the PNG image is damaged: unexpected end of file"),
        ] {
            assert_eq!(decode(bytes).expect_err(expected).to_string(), expected);
        }
        assert_eq!(image_mime_type(&jpeg(GREY)), Some("image/jpeg"));
        assert_eq!(image_mime_type(&PLAIN.encode()), Some("image/png"));
        assert_eq!(image_mime_type(b"GIF89a"), None);
    }

    proptest! {
        #[test]
        fn damaged_images_do_not_panic(
            which in 0usize..5,
            changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..12),
            cut in any::<u16>(),
        ) {
            let mut bytes = match which {
                0 => jpeg(COLOR),
                1 => jpeg(PROGRESSIVE),
                2 => jpeg(GREY),
                3 => jpeg(CMYK),
                _ => PLAIN.encode(),
            };
            let length = bytes.len();
            for (place, byte) in changes {
                bytes[usize::from(place) % length] = byte;
            }
            bytes.truncate(length - usize::from(cut) % 64);
            let limits = ImageLimits { max_edge: 4096, max_rgba_bytes: 1 << 24 };
            if let Ok(image) = decode_image(&bytes, &limits) {
                prop_assert_eq!(image.rgba.len(), image.width as usize * image.height as usize * 4);
            }
        }
    }
}
