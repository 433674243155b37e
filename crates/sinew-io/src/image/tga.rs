//! TGA: indexed, color and gray, plain or run-length encoded, from any of the four corners.
//!
//! After Truevision's TGA File Format Specification 2.0. The format has no magic number at its start; a file counts as TGA if its
//! header is plausible or if it ends with the mark of version 2. Alpha is used if the header gives it bits and it is not 0
//! everywhere; pixels with an index outside the palette are black.

use super::{DecodedImage, ImageError, ImageLimits, Result, checked_size, eight_bits, opaque_if_invisible};

const HEADER: usize = 18;

/// The last bytes of a file of version 2.
const FOOTER_MARK: &[u8] = b"TRUEVISION-XFILE.\0";

/// A packet of a run-length encoded image holds at most this many pixels.
const MOST_IN_PACKET: usize = 128;

/// Whether these bytes look like a TGA file.
pub(super) fn is_tga(bytes: &[u8]) -> bool {
    bytes.ends_with(FOOTER_MARK) || Header::read(bytes).is_ok()
}

pub(super) fn decode(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage> {
    let header = Header::read(bytes)?;
    let size = checked_size(header.width.into(), header.height.into(), limits)?;
    let palette = header.palette(bytes)?;
    let pixels = header.pixels(bytes, size / 4)?;
    let mut rgba = Vec::with_capacity(size);
    let color = |pixel: &[u8]| match &palette {
        Some(palette) => {
            let index = pixel.iter().rev().fold(0, |index, &byte| (index << 8) | usize::from(byte));
            let place = index.checked_sub(header.first_color);
            place.and_then(|place| palette.get(place)).copied().unwrap_or([0, 0, 0, u8::MAX])
        }
        None if header.is_grey => grey(pixel, header.has_alpha),
        None => direct(pixel, header.has_alpha),
    };
    if header.is_packed {
        unpack(pixels, header.pixel_bytes, size, color, &mut rgba)?;
    } else {
        rgba.extend(pixels.chunks_exact(header.pixel_bytes).flat_map(color));
    }
    header.turn(&mut rgba);
    opaque_if_invisible(&mut rgba);
    Ok(DecodedImage { width: header.width, height: header.height, rgba })
}

struct Header {
    width: u32,
    height: u32,
    is_grey: bool,
    is_packed: bool,
    /// One to four bytes.
    pixel_bytes: usize,
    has_alpha: bool,
    is_bottom_up: bool,
    is_right_to_left: bool,
    palette_at: usize,
    /// Bits per palette color; `None` if pixels are colors themselves.
    palette_bits: Option<u8>,
    /// Index of the first palette color.
    first_color: usize,
    pixels_at: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self> {
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(damaged(format!("the file ends inside its header, at byte {}", bytes.len())));
        };
        let u16_at = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (kind, depth, descriptor) = (header[2], header[16], header[17]);
        let (has_palette, color_bits) = (header[1], header[7]);
        let is_indexed = matches!(kind, 1 | 9);
        let is_grey = matches!(kind, 3 | 11);
        let is_known = match kind {
            1 | 9 => matches!(depth, 8 | 16),
            2 | 10 => matches!(depth, 15 | 16 | 24 | 32),
            3 | 11 => matches!(depth, 8 | 16),
            32 | 33 => return Err(ImageError::Unsupported { found: "TGA packed with Huffman codes" }),
            _ => false,
        };
        if !is_known {
            return Err(damaged(format!("byte 2: unknown kind {kind} with {depth} bits per pixel")));
        }
        let (width, height) = (u32::from(u16_at(12)), u32::from(u16_at(14)));
        if width == 0 || height == 0 {
            return Err(damaged(format!("byte 12: invalid size {width} × {height} pixels")));
        }
        if descriptor & 0xc0 != 0 {
            return Err(ImageError::Unsupported { found: "TGA with interleaved rows" });
        }
        let palette_length = usize::from(u16_at(5));
        let is_palette = has_palette == 1 && palette_length > 0 && matches!(color_bits, 15 | 16 | 24 | 32);
        if has_palette > 1 || (is_indexed && !is_palette) {
            let reason = format!(
                "byte 1: invalid palette (kind {has_palette}) of {palette_length} colors of {color_bits} bits"
            );
            return Err(damaged(reason));
        }
        let palette_at = HEADER + usize::from(header[0]);
        let palette_bytes =
            if has_palette == 1 { palette_length * usize::from(color_bits).div_ceil(8) } else { 0 };
        Ok(Self {
            width,
            height,
            is_grey,
            is_packed: kind > 8,
            pixel_bytes: usize::from(depth).div_ceil(8),
            // Many writers of 32 bits set the count of alpha bits to 0; all readers use the alpha nevertheless.
            has_alpha: depth == 32 || (descriptor & 15 != 0 && depth != 15),
            is_bottom_up: descriptor & 0x20 == 0,
            is_right_to_left: descriptor & 0x10 != 0,
            palette_at,
            palette_bits: is_indexed.then_some(color_bits),
            first_color: usize::from(u16_at(3)),
            pixels_at: palette_at + palette_bytes,
        })
    }

    /// The palette, if pixels use one. The header's alpha bits refer to pixels; palette colors of 32 bits always have alpha.
    fn palette(&self, bytes: &[u8]) -> Result<Option<Vec<[u8; 4]>>> {
        let Some(bits) = self.palette_bits else { return Ok(None) };
        let has_alpha = bits == 32 || (bits == 16 && self.has_alpha);
        let stored = bytes.get(self.palette_at..self.pixels_at).ok_or_else(|| {
            damaged(format!("the palette ends at byte {}, but the file at {}", self.pixels_at, bytes.len()))
        })?;
        let colors = stored.chunks_exact(usize::from(bits).div_ceil(8));
        Ok(Some(colors.map(|color| direct(color, has_alpha)).collect()))
    }

    /// The stored pixels: the exact size, or for a packed image the minimum.
    fn pixels<'a>(&self, bytes: &'a [u8], count: usize) -> Result<&'a [u8]> {
        let stored = bytes.get(self.pixels_at..).unwrap_or_default();
        let needed = if self.is_packed {
            count.div_ceil(MOST_IN_PACKET) * (1 + self.pixel_bytes)
        } else {
            count * self.pixel_bytes
        };
        if stored.len() < needed {
            let least = if self.is_packed { "at least " } else { "" };
            return Err(damaged(format!(
                "the pixels start at byte {} and need {least}{needed} bytes, but only {} follow",
                self.pixels_at,
                stored.len()
            )));
        }
        Ok(if self.is_packed { stored } else { &stored[..needed] })
    }

    /// Flips the image to have the first pixel at the upper left.
    fn turn(&self, rgba: &mut [u8]) {
        let row_bytes = self.width as usize * 4;
        if self.is_bottom_up {
            let (upper, lower) = rgba.split_at_mut(self.height as usize / 2 * row_bytes);
            let lower_rows = lower.chunks_exact_mut(row_bytes).rev();
            upper.chunks_exact_mut(row_bytes).zip(lower_rows).for_each(|(a, b)| a.swap_with_slice(b));
        }
        if self.is_right_to_left {
            rgba.chunks_exact_mut(row_bytes).for_each(|row| row.as_chunks_mut::<4>().0.reverse());
        }
    }
}

/// A pixel or a palette color: 5 bits per channel in two bytes, else 8.
fn direct(pixel: &[u8], has_alpha: bool) -> [u8; 4] {
    match *pixel {
        [low, high] => {
            let value = u32::from(u16::from_le_bytes([low, high]));
            let channel = |shift: u32| eight_bits((value >> shift) & 31, 31);
            let is_visible = !has_alpha || value >> 15 == 1;
            [channel(10), channel(5), channel(0), if is_visible { u8::MAX } else { 0 }]
        }
        [blue, green, red, alpha] if has_alpha => [red, green, blue, alpha],
        [blue, green, red, ..] => [red, green, blue, u8::MAX],
        _ => [0, 0, 0, u8::MAX],
    }
}

/// A gray pixel of one byte, or of two with alpha.
fn grey(pixel: &[u8], has_alpha: bool) -> [u8; 4] {
    let alpha = pixel.get(1).copied().filter(|_| has_alpha);
    [pixel[0], pixel[0], pixel[0], alpha.unwrap_or(u8::MAX)]
}

/// Unpacks pixels until there are `size` bytes of colors. Packets may continue in the next row.
fn unpack(
    mut packed: &[u8],
    pixel_bytes: usize,
    size: usize,
    color: impl Fn(&[u8]) -> [u8; 4],
    rgba: &mut Vec<u8>,
) -> Result<()> {
    while rgba.len() < size {
        let left = (size - rgba.len()) / 4;
        let packet = packed.split_first().and_then(|(&head, rest)| {
            let count = usize::from(head & 0x7f) + 1;
            let is_run = head & 0x80 != 0;
            let stored = if is_run { 1 } else { count.min(left) };
            Some((count.min(left), is_run, rest.split_at_checked(stored * pixel_bytes)?))
        });
        let Some((count, is_run, (pixels, rest))) = packet else {
            let (found, needed) = (rgba.len() / 4, size / 4);
            return Err(damaged(format!("the packed pixels end after {found} of {needed}")));
        };
        packed = rest;
        if is_run {
            let color = color(pixels);
            rgba.extend(std::iter::repeat_n(color, count).flatten());
        } else {
            rgba.extend(pixels.chunks_exact(pixel_bytes).flat_map(&color));
        }
    }
    Ok(())
}

fn damaged(reason: String) -> ImageError {
    ImageError::Damaged { format: "TGA", reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::image_mime_type;
    use crate::image::tests::{check_damaged, damage, decode};
    use proptest::prelude::*;

    #[derive(Clone)]
    struct Tga<'a> {
        id: &'a [u8],
        kind: u8,
        size: [u16; 2],
        depth: u8,
        descriptor: u8,
        /// The index of its first color, the bits of a color, and the colors.
        palette: Option<(u16, u8, &'a [u8])>,
        data: &'a [u8],
        tail: &'a [u8],
    }

    impl Tga<'_> {
        fn encode(&self) -> Vec<u8> {
            let (first, bits, colors) = self.palette.unwrap_or_default();
            let color_count = if bits == 0 { 0 } else { colors.len() / usize::from(bits).div_ceil(8) };
            let mut file = vec![self.id.len() as u8, u8::from(self.palette.is_some()), self.kind];
            file.extend([first, color_count as u16].map(u16::to_le_bytes).as_flattened());
            file.extend([bits, 0, 0, 0, 0]);
            file.extend(self.size.map(u16::to_le_bytes).as_flattened());
            file.extend([self.depth, self.descriptor]);
            [&file, self.id, colors, self.data, self.tail].concat()
        }
    }

    const TOP_DOWN: u8 = 0x20;
    const RIGHT_TO_LEFT: u8 = 0x10;
    const COLOR: Tga<'static> = Tga {
        id: &[],
        kind: 2,
        size: [2, 2],
        depth: 24,
        descriptor: TOP_DOWN,
        palette: None,
        data: &[3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10],
        tail: &[],
    };
    const COLORS: [[u8; 4]; 4] = [[1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 255], [10, 11, 12, 255]];
    const INDEXED: Tga<'static> =
        Tga { kind: 1, depth: 8, palette: Some((0, 24, COLOR.data)), data: &[3, 2, 1, 0], ..COLOR };

    #[track_caller]
    fn check(tga: &Tga<'_>, expected: [[u8; 4]; 4]) {
        let file = tga.encode();
        assert_eq!(image_mime_type(&file), Some("image/x-tga"));
        let image = decode(&file).unwrap();
        assert_eq!([image.width, image.height], tga.size.map(u32::from));
        assert_eq!(image.rgba.as_chunks::<4>().0, expected);
    }

    #[test]
    fn any_corner_comes_first() {
        let [a, b, c, d] = COLORS;
        check(&COLOR, [a, b, c, d]);
        check(&Tga { descriptor: 0, ..COLOR }, [c, d, a, b]);
        check(&Tga { descriptor: RIGHT_TO_LEFT, ..COLOR }, [d, c, b, a]);
        check(&Tga { descriptor: TOP_DOWN | RIGHT_TO_LEFT, ..COLOR }, [b, a, d, c]);
        let tail = [&[0; 8], FOOTER_MARK].concat();
        check(&Tga { id: b"a name", tail: &tail, ..COLOR }, COLORS);
        // A palette that color images may carry for no use.
        check(&Tga { palette: Some((0, 24, COLOR.data)), ..COLOR }, COLORS);
    }

    #[test]
    fn indices_name_colors() {
        let [a, b, c, d] = COLORS;
        check(&INDEXED, [d, c, b, a]);
        check(&Tga { depth: 16, data: &[3, 0, 2, 0, 1, 0, 0, 1], ..INDEXED }, [d, c, b, [0, 0, 0, 255]]);
        // The palette starts at index 2; 1 and 7 have no color.
        let black = [0, 0, 0, 255];
        check(
            &Tga { palette: Some((2, 24, COLOR.data)), data: &[2, 5, 1, 7], ..INDEXED },
            [a, d, black, black],
        );
        let with_alpha = &[3, 2, 1, 0, 6, 5, 4, 50];
        check(
            &Tga { palette: Some((0, 32, with_alpha)), data: &[0, 1, 1, 0], ..INDEXED },
            [[1, 2, 3, 0], [4, 5, 6, 50], [4, 5, 6, 50], [1, 2, 3, 0]],
        );
        let short = &[0x00, 0x7c, 0xe0, 0x03];
        check(
            &Tga { palette: Some((0, 15, short)), data: &[0, 1, 1, 0], ..INDEXED },
            [[255, 0, 0, 255], [0, 255, 0, 255], [0, 255, 0, 255], [255, 0, 0, 255]],
        );
    }

    #[test]
    fn runs_are_unpacked_across_rows() {
        let [a, b, c, d] = COLORS;
        check(&Tga { kind: 10, data: &[0x82, 3, 2, 1, 0x00, 6, 5, 4], ..COLOR }, [a, a, a, b]);
        // More pixels than there is place for.
        check(&Tga { kind: 10, data: &[0x00, 6, 5, 4, 0xff, 3, 2, 1], ..COLOR }, [b, a, a, a]);
        check(&Tga { kind: 9, data: &[0x03, 3, 2, 1, 0], ..INDEXED }, [d, c, b, a]);
        let greys = [7, 7, 9, 9].map(|grey| [grey, grey, grey, 255]);
        check(&Tga { kind: 11, depth: 8, data: &[0x81, 7, 0x81, 9], ..COLOR }, greys);
    }

    #[test]
    fn alpha_counts_unless_it_is_nowhere() {
        let data = &[3, 2, 1, 0, 6, 5, 4, 50, 9, 8, 7, 0, 12, 11, 10, 0];
        let long = Tga { depth: 32, descriptor: TOP_DOWN | 8, data, ..COLOR };
        let with_alpha = [[1, 2, 3, 0], [4, 5, 6, 50], [7, 8, 9, 0], [10, 11, 12, 0]];
        check(&long, with_alpha);
        check(&Tga { descriptor: TOP_DOWN, ..long.clone() }, with_alpha);
        let invisible: Vec<u8> = data.chunks(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 0]).collect();
        check(&Tga { data: &invisible, ..long }, COLORS);
        let data = &[0x00, 0xfc, 0xe0, 0x03, 0x1f, 0x80, 0xff, 0x7f];
        let short = Tga { depth: 16, descriptor: TOP_DOWN | 1, data, ..COLOR };
        let colors = [[255, 0, 0, 255], [0, 255, 0, 0], [0, 0, 255, 255], [255, 255, 255, 0]];
        check(&short, colors);
        let opaque = colors.map(|[red, green, blue, _]| [red, green, blue, 255]);
        check(&Tga { descriptor: TOP_DOWN, ..short.clone() }, opaque);
        check(&Tga { depth: 15, ..short.clone() }, opaque);
        let greys = Tga { kind: 3, data: &[1, 2, 3, 4, 5, 6, 7, 8], descriptor: TOP_DOWN | 8, ..short };
        check(&greys, [[1, 1, 1, 2], [3, 3, 3, 4], [5, 5, 5, 6], [7, 7, 7, 8]]);
    }

    #[test]
    fn only_a_header_that_makes_sense_is_tga() {
        let is_tga = |tga: Tga<'_>| super::is_tga(&tga.encode());
        assert!(is_tga(COLOR));
        for other in [
            Tga { kind: 0, ..COLOR },
            Tga { kind: 4, ..COLOR },
            Tga { depth: 12, ..COLOR },
            Tga { depth: 8, ..COLOR },
            Tga { size: [0, 2], ..COLOR },
            Tga { descriptor: 0x40, ..COLOR },
            Tga { palette: None, ..INDEXED },
            Tga { palette: Some((0, 8, &[1, 2])), ..INDEXED },
        ] {
            assert!(!is_tga(other.clone()));
            assert!(is_tga(Tga { tail: FOOTER_MARK, ..other }));
        }
        // An icon, a cursor, a film, a font, text.
        for other in [
            &b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x16\0\0\0"[..],
            b"\0\0\x02\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x16\0\0\0",
            b"\0\0\x01\xba\x21\0\x01\0\x01\x80\x1b\x91\0\0\x01\xbb\0\x18",
            b"\0\x01\0\0\0\x0c\0\x80\0\x03\0\x40OS/2\x18\x18",
            b"newmtl skin\nmap_Kd skin.tga\n",
        ] {
            assert!(!super::is_tga(other), "{other:?}");
        }
    }

    #[test]
    fn problems_are_named() {
        for (tga, expected) in [
            (
                Tga { data: &COLOR.data[..11], ..COLOR },
                "the TGA image is damaged: the pixels start at byte 18 and need 12 bytes, but only 11 follow",
            ),
            (
                Tga { kind: 10, data: &[0x82, 3, 2, 1], ..COLOR },
                "the TGA image is damaged: the packed pixels end after 3 of 4",
            ),
            (
                Tga { kind: 10, size: [u16::MAX >> 2, 1 << 13], ..COLOR },
                "the TGA image is damaged: the pixels start at byte 18 and need at least 4194048 bytes, but only 12 follow",
            ),
            (
                Tga { kind: 5, tail: FOOTER_MARK, ..COLOR },
                "the TGA image is damaged: byte 2: unknown kind 5 with 24 bits per pixel",
            ),
            (
                Tga { palette: Some((0, 9, &[1, 2])), tail: FOOTER_MARK, ..INDEXED },
                "the TGA image is damaged: byte 1: invalid palette (kind 1) of 1 colors of 9 bits",
            ),
            (
                Tga { kind: 32, tail: FOOTER_MARK, ..COLOR },
                "TGA packed with Huffman codes is not supported; convert the image to PNG or JPEG",
            ),
            (
                Tga { size: [u16::MAX, 1], ..COLOR },
                "an image of 65535 × 1 pixels is too large; the maximum is 16384 per side and 1073741824 bytes decoded",
            ),
        ] {
            assert_eq!(decode(&tga.encode()).unwrap_err().to_string(), expected);
        }
        let cut = &INDEXED.encode()[..20];
        let expected = "the TGA image is damaged: the palette ends at byte 30, but the file at 20";
        assert_eq!(decode(cut).unwrap_err().to_string(), expected);
    }

    proptest! {
        #[test]
        fn damaged_files_do_not_panic(which in 0usize..5, damage in damage(40)) {
            let tga = match which {
                0 => COLOR,
                1 => INDEXED,
                2 => Tga { kind: 10, data: &[0x82, 3, 2, 1, 0x00, 6, 5, 4], tail: FOOTER_MARK, ..COLOR },
                3 => Tga { kind: 9, data: &[0x03, 3, 2, 1, 0], tail: FOOTER_MARK, ..INDEXED },
                _ => Tga { kind: 3, depth: 8, descriptor: RIGHT_TO_LEFT, tail: FOOTER_MARK, ..COLOR },
            };
            check_damaged(&damage.apply(tga.encode()));
        }
    }
}
