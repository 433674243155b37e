//! PNG, JPEG, WebP, BMP and TGA images, decoded for drawing; KTX2 with the feature `ktx2`.
//!
//! The first bytes decide the format; the type that a model gives is often wrong. Colors stay as stored: color profiles, gamma
//! and orientation entries are ignored, as glTF requires. 16-bit channels keep their upper 8 bits; narrower ones are scaled to 0
//! to 255.

mod bmp;
mod jpeg;
#[cfg(feature = "ktx2")]
mod ktx2;
mod png;
mod tga;
mod webp;

pub use png::encode_png;

/// A decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedImage {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and straight (not premultiplied) alpha, top row first; `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// Maximum size of an image. Checked before allocation; a decoder needs up to three times `max_rgba_bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLimits {
    /// Pixels along either edge. Default 16,384: the largest texture that current graphics hardware supports.
    pub max_edge: u32,
    /// Bytes of the decoded image. Default 1 GiB: an image of 16,384 × 16,384.
    pub max_rgba_bytes: u64,
}

impl Default for ImageLimits {
    fn default() -> Self {
        Self { max_edge: 16_384, max_rgba_bytes: 1 << 30 }
    }
}

/// Of decoding.
type Result<T, E = ImageError> = std::result::Result<T, E>;

/// Error of decoding an image. `max_rgba_bytes` limits `width * height * 4`; `format` is "PNG", "JPEG", "WebP", "BMP", "TGA" or "KTX2".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ImageError {
    #[error("the image is empty")]
    Empty,
    #[error("{found} is not supported; convert the image to PNG or JPEG")]
    Unsupported { found: &'static str },
    #[error(
        "KTX2 (Basis Universal) images need the feature ktx2, which this program was built without; for the command line: cargo install --path apps/sinew-cli --features ktx2"
    )]
    NeedsKtx2,
    #[error("not a PNG, JPEG, WebP, BMP or TGA image: it starts with the bytes {start:02x?}")]
    Unknown { start: Vec<u8> },
    #[error(
        "an image of {width} × {height} pixels is too large; the maximum is {max_edge} per side and {max_rgba_bytes} bytes decoded"
    )]
    TooLarge { width: u64, height: u64, max_edge: u32, max_rgba_bytes: u64 },
    #[error("the {format} image is damaged: {reason}")]
    Damaged { format: &'static str, reason: String },
}

/// Decodes a PNG (every color type and depth; of animations the first picture), a JPEG (gray, color, CMYK; baseline and
/// progressive), a WebP (with or without loss; of animations the first picture), a BMP (indexed, run-length encoded, 16 to 32 bits) or a TGA (indexed, color, gray; plain or run-length encoded).
/// With the feature `ktx2`, also a KTX2 of Basis Universal (ETC1S or UASTC, plain or Zstandard; the largest level).
///
/// File names and extensions do not matter: `.sph` and `.spa` are files of these formats. A truncated JPEG is decoded as far as
/// possible, as in browsers, with gray below. A BMP or TGA with alpha 0 everywhere is opaque.
///
/// # Errors
/// If the bytes are of another format, over the limits, or damaged.
pub fn decode_image(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage> {
    if bytes.is_empty() {
        return Err(ImageError::Empty);
    }
    match format_of(bytes) {
        Some(Format::Png) => png::decode(bytes, limits),
        Some(Format::Jpeg) => jpeg::decode(bytes, limits),
        Some(Format::WebP) => webp::decode(bytes, limits),
        Some(Format::Bmp) => bmp::decode(bytes, limits),
        Some(Format::Tga) => tga::decode(bytes, limits),
        #[cfg(feature = "ktx2")]
        Some(Format::Ktx2) => ktx2::decode(bytes, limits),
        #[cfg(not(feature = "ktx2"))]
        Some(Format::Ktx2) => Err(ImageError::NeedsKtx2),
        Some(Format::Other(found)) => Err(ImageError::Unsupported { found }),
        None => Err(ImageError::Unknown { start: bytes[..bytes.len().min(8)].to_vec() }),
    }
}

/// `image/png`, `image/jpeg`, `image/webp`, `image/bmp`, `image/x-tga` or `image/ktx2`, if the bytes say so. TGA is detected by a plausible header, because the
/// format has no magic number.
pub fn image_mime_type(bytes: &[u8]) -> Option<&'static str> {
    match format_of(bytes)? {
        Format::Png => Some("image/png"),
        Format::Jpeg => Some("image/jpeg"),
        Format::WebP => Some("image/webp"),
        Format::Bmp => Some("image/bmp"),
        Format::Tga => Some("image/x-tga"),
        Format::Ktx2 => Some("image/ktx2"),
        Format::Other(_) => None,
    }
}

#[derive(Clone, Copy)]
enum Format {
    Png,
    Jpeg,
    WebP,
    Bmp,
    Tga,
    Ktx2,
    Other(&'static str),
}

fn format_of(bytes: &[u8]) -> Option<Format> {
    let holds = |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    let known: [(usize, &[u8], Format); 17] = [
        (0, b"\x89PNG\r\n\x1a\n", Format::Png),
        (0, b"\xff\xd8\xff", Format::Jpeg),
        (0, b"BM", Format::Bmp),
        (8, b"WEBP", Format::WebP),
        (0, b"GIF8", Format::Other("GIF")),
        (0, b"DDS ", Format::Other("DDS")),
        (0, b"\xabKTX 20\xbb", Format::Ktx2),
        (0, b"\xabKTX 11\xbb", Format::Other("KTX")),
        (0, b"sB", Format::Other("Basis Universal")),
        (0, b"II*\0", Format::Other("TIFF")),
        (0, b"MM\0*", Format::Other("TIFF")),
        (0, b"8BPS", Format::Other("Photoshop (PSD)")),
        (0, b"#?RADIANCE", Format::Other("Radiance HDR")),
        (0, b"\x76\x2f\x31\x01", Format::Other("OpenEXR")),
        (4, b"ftypavif", Format::Other("AVIF")),
        (4, b"ftyp", Format::Other("HEIC")),
        (
            0,
            b"version https://git-lfs",
            Format::Other("a Git LFS pointer (the file itself was not downloaded)"),
        ),
    ];
    let found = known.iter().find(|(offset, magic, _)| holds(*offset, magic));
    // Last, because the other formats are detected more reliably.
    found.map(|&(.., format)| format).or_else(|| tga::is_tga(bytes).then_some(Format::Tga))
}

/// Checks the limits; the result fits into memory sizes.
fn checked_size(width: u64, height: u64, limits: &ImageLimits) -> Result<usize> {
    let &ImageLimits { max_edge, max_rgba_bytes } = limits;
    let bytes = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(4));
    bytes
        .filter(|&bytes| width.max(height) <= u64::from(max_edge) && bytes <= max_rgba_bytes)
        .and_then(|bytes| usize::try_from(bytes).ok())
        .ok_or(ImageError::TooLarge { width, height, max_edge, max_rgba_bytes })
}

/// A channel of 0 to `max` as 0 to 255, rounded; 0 where `max` is 0.
fn eight_bits(value: u32, max: u32) -> u8 {
    match max {
        0 => 0,
        255 => value as u8,
        _ => ((u64::from(value) * 255 + u64::from(max) / 2) / u64::from(max)) as u8,
    }
}

/// Makes an image with alpha 0 everywhere opaque: its author did not mean to hide it.
fn opaque_if_invisible(rgba: &mut [u8]) {
    if rgba.chunks_exact(4).all(|pixel| pixel[3] == 0) {
        rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = u8::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::jpeg::tests::{CMYK, COLOR, GREY, PROGRESSIVE, jpeg};
    use super::png::tests::PLAIN;
    use super::*;
    use proptest::prelude::*;

    pub(super) fn decode(bytes: &[u8]) -> Result<DecodedImage> {
        decode_image(bytes, &ImageLimits::default())
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
            (&b"GIF89a"[..], "GIF is not supported; convert the image to PNG or JPEG"),
            (b"", "the image is empty"),
            (b"\x01\x02", "not a PNG, JPEG, WebP, BMP or TGA image: it starts with the bytes [01, 02]"),
            (b"\x89PNG\r\n\x1a\n", "the PNG image is damaged: unexpected end of file"),
        ] {
            assert_eq!(decode(bytes).expect_err(expected).to_string(), expected);
        }
        assert_eq!(image_mime_type(&jpeg(GREY)), Some("image/jpeg"));
        assert_eq!(image_mime_type(&PLAIN.encode()), Some("image/png"));
        assert_eq!(image_mime_type(b"GIF89a"), None);
    }

    /// Changed bytes and a cut end.
    #[derive(Debug)]
    pub(super) struct Damage {
        changes: Vec<(usize, u8)>,
        cut: usize,
    }

    impl Damage {
        pub(super) fn apply(&self, mut bytes: Vec<u8>) -> Vec<u8> {
            let length = bytes.len();
            for &(place, byte) in &self.changes {
                bytes[place % length] = byte;
            }
            bytes.truncate(length.saturating_sub(self.cut));
            bytes
        }
    }

    /// Damage within the first `reach` bytes. Half of the files keep their end.
    pub(super) fn damage(reach: usize) -> impl Strategy<Value = Damage> {
        let byte = prop_oneof![any::<u8>(), 0u8..17, Just(u8::MAX)];
        let changes = proptest::collection::vec((0..reach, byte), 0..12);
        (changes, prop_oneof![Just(0), 0usize..64]).prop_map(|(changes, cut)| Damage { changes, cut })
    }

    /// Decodes what may be damaged: it must not panic, and what comes out must be whole and within limits.
    pub(super) fn check_damaged(bytes: &[u8]) {
        let limits = ImageLimits { max_edge: 4096, max_rgba_bytes: 1 << 22 };
        if let Ok(image) = decode_image(bytes, &limits) {
            assert!(image.width.max(image.height) <= limits.max_edge, "{} × {}", image.width, image.height);
            assert!(image.rgba.len() as u64 <= limits.max_rgba_bytes, "{} bytes", image.rgba.len());
            assert_eq!(image.rgba.len(), image.width as usize * image.height as usize * 4);
        }
    }

    proptest! {
        #[test]
        fn damaged_images_do_not_panic(which in 0usize..7, damage in damage(1 << 16)) {
            check_damaged(&damage.apply(match which {
                0 => jpeg(COLOR),
                1 => jpeg(PROGRESSIVE),
                2 => jpeg(GREY),
                3 => jpeg(CMYK),
                4 => webp::tests::LOSSY.to_vec(),
                5 => webp::tests::lossless(),
                _ => PLAIN.encode(),
            }));
        }

        #[test]
        fn any_bytes_do_not_panic(
            start in proptest::sample::select(vec![&b""[..], b"BM", b"\0\0\x0a", b"\0\x01\x01"]),
            rest in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            check_damaged(&[start, &rest].concat());
        }
    }
}
