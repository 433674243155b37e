//! WebP, with and without loss. Of animations the first picture.

use super::{DecodedImage, ImageError, ImageLimits, Result, checked_size};
use image_webp::WebPDecoder;
use std::io::Cursor;

pub(super) fn decode(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage> {
    let damaged = |reason: String| ImageError::Damaged { format: "WebP", reason };
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|error| damaged(error.to_string()))?;
    let (width, height) = decoder.dimensions();
    let size = checked_size(width.into(), height.into(), limits)?;
    if let Some((inner_width, inner_height)) =
        streams(bytes).into_iter().find(|&(w, h)| w > width || h > height)
    {
        let reason =
            format!("a picture of {inner_width} × {inner_height} pixels in one of {width} × {height}");
        return Err(damaged(reason));
    }
    // The limit covers what the decoder holds besides the picture.
    decoder.set_memory_limit(size.saturating_mul(2));
    let Some(stored) = decoder.output_buffer_size().filter(|&stored| stored <= size) else {
        return Err(damaged(format!("{width} × {height} pixels do not fit memory")));
    };
    let mut pixels = vec![0; stored];
    let read = if decoder.is_animated() {
        decoder.read_frame(&mut pixels).map(drop)
    } else {
        decoder.read_image(&mut pixels)
    };
    read.map_err(|error| damaged(error.to_string()))?;
    let rgba = if decoder.has_alpha() {
        pixels
    } else {
        pixels.as_chunks::<3>().0.iter().flat_map(|&[red, green, blue]| [red, green, blue, u8::MAX]).collect()
    };
    Ok(DecodedImage { width, height, rgba })
}

/// Bytes before the first chunk of a file, and before that of a frame of an animation.
const FILE_HEADER: usize = 12;
const FRAME_HEADER: usize = 16;

/// Sizes that the streams of pixels in a file declare. The decoder allocates by these, whatever the size of the picture around them.
fn streams(bytes: &[u8]) -> Vec<(u32, u32)> {
    let (mut sizes, mut rest) = (Vec::new(), bytes.get(FILE_HEADER..).unwrap_or_default());
    while let Some((header, after)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let body = &after[..length.min(after.len())];
        if &header[..4] == b"ANMF" {
            // The chunks of a frame follow its header.
            rest = after.get(FRAME_HEADER..).unwrap_or_default();
            continue;
        }
        sizes.extend(stream_size(&header[..4], body));
        // Chunks begin at even places.
        rest = after.get(length.saturating_add(length % 2)..).unwrap_or_default();
    }
    sizes
}

fn stream_size(kind: &[u8], body: &[u8]) -> Option<(u32, u32)> {
    let pair = |at: usize| Some(u32::from(u16::from_le_bytes([*body.get(at)?, *body.get(at + 1)?])));
    match kind {
        // A frame tag of three bytes, a start code of three, then 14 bits each.
        b"VP8 " => Some((pair(6)? & 0x3fff, pair(8)? & 0x3fff)),
        // A signature of one byte, then 14 bits each, less one.
        b"VP8L" => {
            let bits = pair(1)? | pair(3)? << 16;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use crate::image::tests::decode;
    use crate::image::{DecodedImage, ImageError, image_mime_type};
    use image_webp::{ColorType, WebPEncoder};

    /// 8 × 6 pixels in four blocks of 4 × 3: red is 200 on the left and 40 on the right, green 180 above and 30 below, blue 90.
    /// Made by libwebp at quality 90.
    pub(in crate::image) const LOSSY: &[u8] = &[
        82, 73, 70, 70, 98, 0, 0, 0, 87, 69, 66, 80, 86, 80, 56, 32, 86, 0, 0, 0, 240, 2, 0, 157, 1, 42, 8,
        0, 6, 0, 0, 192, 18, 37, 176, 2, 116, 186, 1, 64, 2, 212, 3, 215, 255, 112, 0, 19, 118, 28, 143, 192,
        0, 254, 237, 179, 255, 38, 255, 80, 156, 250, 79, 252, 143, 174, 16, 118, 121, 10, 189, 230, 91, 249,
        143, 123, 21, 157, 247, 250, 105, 127, 241, 49, 249, 54, 253, 243, 151, 211, 63, 248, 97, 255, 63,
        201, 191, 254, 226, 31, 201, 4, 235, 192, 0, 0,
    ];

    fn pixels() -> Vec<u8> {
        (0..5 * 4u8).flat_map(|at| [at, 7 * at, 255 - at, 10 * at]).collect()
    }

    /// 5 × 4 pixels with alpha.
    pub(in crate::image) fn lossless() -> Vec<u8> {
        let mut bytes = Vec::new();
        WebPEncoder::new(&mut bytes).encode(&pixels(), 5, 4, ColorType::Rgba8).unwrap();
        bytes
    }

    #[test]
    fn pixels_without_loss_come_back() {
        assert_eq!(decode(&lossless()), Ok(DecodedImage { width: 5, height: 4, rgba: pixels() }));
        assert_eq!(image_mime_type(&lossless()), Some("image/webp"));
    }

    #[test]
    fn colors_with_loss_come_back_nearly() {
        let image = decode(LOSSY).unwrap();
        assert_eq!((image.width, image.height), (8, 6));
        // Far from the borders of the blocks, where the coder blurs colors.
        for (x, y, expected) in [(0, 0, [200, 180, 90]), (7, 0, [40, 180, 90]), (0, 5, [200, 30, 90])] {
            let pixel = &image.rgba[4 * (8 * y + x)..][..4];
            // What quality 90 loses at an edge, in levels.
            let tolerance = 16;
            for (found, expected) in pixel.iter().zip(expected) {
                assert!(found.abs_diff(expected) <= tolerance, "{x}, {y}: {pixel:?}");
            }
            assert_eq!(pixel[3], 255);
        }
    }

    #[test]
    fn a_damaged_file_is_refused_with_its_format() {
        for length in 0..LOSSY.len() - 20 {
            let error = decode(&LOSSY[..length]);
            assert!(error.is_err(), "{length}");
            assert!(
                length < 12 || matches!(error, Err(ImageError::Damaged { format: "WebP", .. })),
                "{error:?}"
            );
        }
    }
}
