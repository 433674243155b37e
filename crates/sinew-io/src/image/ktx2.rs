//! KTX2 with Basis Universal inside, ETC1S and UASTC: the textures of `KHR_texture_basisu`.
//!
//! The decoder gets a file of one picture that is made here of checked parts, not the file as it came: no other levels, no texts, and no
//! offset or length that reaches outside. Zstandard is unpacked here too, straight into memory of the size that the picture needs: a
//! block of 128 kB could claim gigabytes. Orientation and swizzle entries are ignored, because glTF allows one of each.

use super::{DecodedImage, ImageError, ImageLimits, Result, checked_size};
use basisu::{DecodeFlags, TargetFormat, Transcoder};
use std::panic::catch_unwind;

/// Bytes of the header, and of one level's place after it.
const HEADER: usize = 80;
const LEVEL: usize = 24;

/// Where the pixels of the level are in the file that is made.
const DESCRIPTOR_AT: usize = HEADER + LEVEL;

/// Bytes of the head of ETC1S's shared data, and of the place of each picture in it.
const SHARED_HEAD: usize = 20;
const PICTURE: usize = 20;

/// Texels along an edge of a block, and bytes of a block of UASTC.
const BLOCK_EDGE: u32 = 4;
const UASTC_BLOCK: usize = 16;

/// Schemes of packing.
const PLAIN: u32 = 0;
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;

pub(super) fn decode(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage> {
    let file = File { bytes };
    let [width, height] = [file.u32_at(20)?, file.u32_at(24)?];
    let size = checked_size(width.into(), height.into(), limits)?;
    // The decoder counts bytes in 32 bits.
    if size == 0 || u32::try_from(size).is_err() {
        return Err(damaged(format!("byte 20: an image of {width} × {height} pixels")));
    }
    let [depth, layers, faces] = [file.u32_at(28)?, file.u32_at(32)?, file.u32_at(36)?];
    if depth > 0 || layers > 1 || faces != 1 {
        return Err(ImageError::Unsupported { found: "KTX2 with more than one picture" });
    }
    let plain = file.with_one_picture([width, height])?;
    // The stream of codes inside is not checked here, and the decoder indexes its tables with it. None of the damaged files that were tried
    // made it panic; should one, it is an image that cannot be read, not the end of the program.
    let decoded = catch_unwind(|| {
        let picture = Transcoder::new(&plain)?;
        picture.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE)
    });
    let decoded = decoded.map_err(|_| damaged(PANICKED.to_owned()))?;
    let rgba = decoded.map_err(|error| damaged(format!("its blocks are not Basis Universal ({error:?})")))?;
    if rgba.len() != size {
        return Err(damaged(format!("{} bytes of pixels, not {size}", rgba.len())));
    }
    Ok(DecodedImage { width, height, rgba })
}

/// Why an image cannot be read whose decoder panicked.
const PANICKED: &str = "its decoder cannot cope with it";

struct File<'a> {
    bytes: &'a [u8],
}

impl<'a> File<'a> {
    /// A file of the largest picture alone, whose every offset and length is right.
    fn with_one_picture(&self, size: [u32; 2]) -> Result<Vec<u8>> {
        let (format, scheme, levels) = (self.u32_at(12)?, self.u32_at(44)?, self.u32_at(40)?);
        let descriptor = self.part(self.u32_at(48)?.into(), self.u32_at(52)?.into())?;
        let model = *descriptor.get(12).ok_or_else(|| damaged("byte 52: no kind of pixels".to_owned()))?;
        let level = self.part(self.u64_at(HEADER)?, self.u64_at(HEADER + 8)?)?;
        let (shared, pixels) = match (format, model, scheme) {
            (0, 163, BASIS_LZ) => self.etc1s(levels, level)?,
            (0, 166, PLAIN | ZSTANDARD) => (Vec::new(), uastc(level, scheme, size)?),
            _ => {
                return Err(ImageError::Unsupported { found: "KTX2 with other pixels than ETC1S and UASTC" });
            }
        };
        let shared_at = DESCRIPTOR_AT + descriptor.len();
        let pixels_at = shared_at + shared.len();
        let mut file = self.bytes[..48].to_vec();
        // One level; UASTC is unpacked already.
        file[40..44].copy_from_slice(&1u32.to_le_bytes());
        file[44..48].copy_from_slice(&(if model == 163 { BASIS_LZ } else { PLAIN }).to_le_bytes());
        file.extend(
            [DESCRIPTOR_AT as u32, descriptor.len() as u32, 0, 0].map(u32::to_le_bytes).as_flattened(),
        );
        let unpacked = if model == 163 { 0 } else { pixels.len() };
        let places = [shared_at, shared.len(), pixels_at, pixels.len(), unpacked];
        file.extend(places.map(|place| (place as u64).to_le_bytes()).as_flattened());
        file.extend(descriptor);
        file.extend(shared);
        file.extend(pixels);
        Ok(file)
    }

    /// Shared data and pixels of an ETC1S picture alone, both its slices one after another.
    fn etc1s(&self, levels: u32, level: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
        let shared = self.part(self.u64_at(64)?, self.u64_at(72)?)?;
        let inside = File { bytes: shared };
        // One picture a level, the largest first, then the code books.
        let books_at = u64::from(levels) * PICTURE as u64 + SHARED_HEAD as u64;
        let lengths = [inside.u32_at(4)?, inside.u32_at(8)?, inside.u32_at(12)?];
        let books = inside.part(books_at, lengths.into_iter().map(u64::from).sum())?;
        let mut one = inside.part(0, SHARED_HEAD as u64)?.to_vec();
        let mut pixels = Vec::new();
        // Flags: those of films.
        one.extend([0; 4]);
        for at in [SHARED_HEAD + 4, SHARED_HEAD + 12] {
            let (start, length) = (inside.u32_at(at)?, inside.u32_at(at + 4)?);
            let slice = File { bytes: level }.part(start.into(), length.into())?;
            one.extend([pixels.len() as u32, length].map(u32::to_le_bytes).as_flattened());
            pixels.extend(slice);
        }
        one.extend(books);
        Ok((one, pixels))
    }

    fn part(&self, start: u64, length: u64) -> Result<&'a [u8]> {
        let range = || {
            let start = usize::try_from(start).ok()?;
            self.bytes.get(start..start.checked_add(usize::try_from(length).ok()?)?)
        };
        range().ok_or_else(|| {
            damaged(format!("it names {length} bytes from byte {start} on, of {}", self.bytes.len()))
        })
    }

    fn u32_at(&self, at: usize) -> Result<u32> {
        Ok(self.u64_of(at, 4)? as u32)
    }

    fn u64_at(&self, at: usize) -> Result<u64> {
        self.u64_of(at, 8)
    }

    fn u64_of(&self, at: usize, length: u64) -> Result<u64> {
        let bytes = self.part(at as u64, length)?;
        Ok(bytes.iter().rev().fold(0, |value, &byte| (value << 8) | u64::from(byte)))
    }
}

/// The blocks of a UASTC picture.
fn uastc(level: &[u8], scheme: u32, size: [u32; 2]) -> Result<Vec<u8>> {
    let [columns, rows] = size.map(|edge| edge.div_ceil(BLOCK_EDGE) as usize);
    let needed = columns * rows * UASTC_BLOCK;
    if scheme == PLAIN {
        if level.len() != needed {
            return Err(damaged(format!("{} bytes of blocks, not {needed}", level.len())));
        }
        return Ok(level.to_vec());
    }
    let mut blocks = vec![0; needed];
    match zstd_safe::decompress(&mut blocks[..], level) {
        Ok(unpacked) if unpacked == needed => Ok(blocks),
        Ok(unpacked) => Err(damaged(format!("{unpacked} bytes of blocks, not {needed}"))),
        Err(code) => Err(damaged(format!("unpacking: {}", zstd_safe::get_error_name(code)))),
    }
}

fn damaged(reason: String) -> ImageError {
    ImageError::Damaged { format: "KTX2", reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::{check_damaged, damage, decode};
    use proptest::prelude::*;

    // 18 × 14 pixels each; `fuzz/seeds/README.md` says how they were made.
    const ETC1S: &[u8] = include_bytes!("../../../../fuzz/seeds/image/etc1s.ktx2");
    const ETC1S_ALPHA: &[u8] = include_bytes!("../../../../fuzz/seeds/image/etc1s-alpha.ktx2");
    const UASTC: &[u8] = include_bytes!("../../../../fuzz/seeds/image/uastc.ktx2");
    const UASTC_ZSTD: &[u8] = include_bytes!("../../../../fuzz/seeds/image/uastc-zstd.ktx2");
    const ALL: [&[u8]; 4] = [ETC1S, ETC1S_ALPHA, UASTC, UASTC_ZSTD];

    /// Four areas that meet between blocks.
    fn areas(x: u32, y: u32) -> [u8; 4] {
        [if x < 8 { 200 } else { 40 }, if y < 8 { 180 } else { 30 }, 90, 255]
    }

    /// The same, two of the areas seen through.
    fn clear_areas(x: u32, y: u32) -> [u8; 4] {
        let [red, green, blue, _] = areas(x, y);
        [red, green, blue, if (x < 8) == (y < 8) { 255 } else { 60 }]
    }

    /// Colors that rise along both axes, and an alpha that falls.
    fn slopes(x: u32, y: u32) -> [u8; 4] {
        [10 * x + 20, 15 * y + 20, 120, 255 - 10 * x].map(|value| value as u8)
    }

    #[track_caller]
    fn check(bytes: &[u8], source: impl Fn(u32, u32) -> [u8; 4], tolerance: u8) {
        let image = decode(bytes).unwrap();
        assert_eq!((image.width, image.height), (18, 14));
        let mut most = 0;
        for (at, pixel) in (0..).zip(image.rgba.as_chunks::<4>().0) {
            let source = source(at % 18, at / 18);
            most =
                pixel.iter().zip(source).map(|(&found, source)| found.abs_diff(source)).fold(most, u8::max);
        }
        assert!(most <= tolerance, "off by {most} levels");
    }

    #[test]
    fn colors_come_back() {
        // ETC1S keeps 5 bits of a color, whose steps are 8 levels, and brightens or darkens it by steps of its own; it was off by 5.
        check(ETC1S, areas, 6);
        check(ETC1S_ALPHA, clear_areas, 6);
        // UASTC keeps 16 levels along a line through the colors of a block; it was off by 3.
        check(UASTC, slopes, 4);
        check(UASTC_ZSTD, slopes, 4);
    }

    fn with_u32(bytes: &[u8], at: usize, value: u32) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    }

    #[test]
    fn limits_hold_before_memory_is_taken() {
        for bytes in ALL {
            let huge = with_u32(bytes, 20, 1 << 30);
            assert!(matches!(decode(&huge), Err(ImageError::TooLarge { width: 0x4000_0000, .. })));
            let small = ImageLimits { max_rgba_bytes: 18 * 14 * 4 - 1, ..ImageLimits::default() };
            assert!(matches!(super::decode(bytes, &small), Err(ImageError::TooLarge { .. })));
            let enough = ImageLimits { max_edge: 18, max_rgba_bytes: 18 * 14 * 4 };
            super::decode(bytes, &enough).unwrap();
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (bytes, expected) in [
            (with_u32(UASTC, 20, 0), "the KTX2 image is damaged: byte 20: an image of 0 × 14 pixels"),
            (with_u32(UASTC, 20, 30), "the KTX2 image is damaged: 320 bytes of blocks, not 512"),
            (with_u32(UASTC_ZSTD, 20, 30), "the KTX2 image is damaged: 320 bytes of blocks, not 512"),
            (
                with_u32(UASTC_ZSTD, 20, 4),
                "the KTX2 image is damaged: unpacking: Destination buffer is too small",
            ),
            (
                with_u32(UASTC, 36, 6),
                "KTX2 with more than one picture is not supported; convert the image to PNG or JPEG",
            ),
            (
                with_u32(UASTC, 12, 37),
                "KTX2 with other pixels than ETC1S and UASTC is not supported; convert the image to PNG or JPEG",
            ),
            (
                with_u32(ETC1S, 84, 1),
                "the KTX2 image is damaged: it names 12 bytes from byte 4294967868 on, of 584",
            ),
        ] {
            let told = decode(&bytes).expect_err(expected).to_string();
            assert_eq!(told, expected);
        }
        for bytes in ALL {
            (0..bytes.len() / 2).for_each(|length| assert!(decode(&bytes[..length]).is_err(), "{length}"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn damaged_textures_do_not_panic(which in 0..ALL.len(), damage in damage(700)) {
            let bytes = damage.apply(ALL[which].to_vec());
            check_damaged(&bytes);
            // The net below the decoder has not been needed.
            let limits = ImageLimits { max_edge: 4096, max_rgba_bytes: 1 << 22 };
            let told = super::decode(&bytes, &limits).err().map(|error| error.to_string()).unwrap_or_default();
            prop_assert!(!told.contains(PANICKED));
        }
    }
}
