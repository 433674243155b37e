//! BMP: the bitmaps of Windows (headers of 40 bytes and longer) and of OS/2 (12, 16 and 64 bytes).
//!
//! After Microsoft's descriptions of `BITMAPCOREHEADER`, `BITMAPINFOHEADER`, `BITMAPV4HEADER` and `BITMAPV5HEADER`. Where they leave
//! it open: pixels skipped by a packed image have the first palette color, pixels with an index outside the palette are black,
//! and an image with alpha 0 everywhere is opaque, because most programs write 0 there without a meaning.

use super::{DecodedImage, ImageError, ImageLimits, Result, checked_size, eight_bits, opaque_if_invisible};

/// Bytes before the image header.
const FILE_HEADER: usize = 14;

/// Offset of the masks of red, green, blue and alpha: inside longer headers, or after the one of 40 bytes.
const MASKS: usize = FILE_HEADER + 40;

/// Header of OS/2 2; its compression codes differ, and it has no masks.
const OS2_HEADER: usize = 64;

pub(super) fn decode(bytes: &[u8], limits: &ImageLimits) -> Result<DecodedImage> {
    let header = Header::read(bytes)?;
    let size = checked_size(header.width.into(), header.height.into(), limits)?;
    let (width, height) = (header.width as usize, header.height as usize);
    let data = bytes.get(header.pixels_at..).unwrap_or_default();
    let palette = header.palette(bytes);
    let mut rgba;
    match header.layout {
        Layout::Indexed { bits } => {
            let row = rows(data, &header, bits)?;
            rgba = vec![0; size];
            header.fill(&mut rgba, |y, out| indexed_row(row(y), bits, &palette, out));
        }
        Layout::Packed { bits } => {
            let indices = unpack(data, bits, width, height, header.pixels_at)?;
            rgba = vec![0; size];
            header.fill(&mut rgba, |y, out| indexed_row(&indices[y * width..][..width], 8, &palette, out));
        }
        Layout::Direct { bits, masks } => {
            let row = rows(data, &header, bits)?;
            rgba = vec![0; size];
            header.fill(&mut rgba, |y, out| direct_row(row(y), bits, masks, out));
            if masks[3] != 0 {
                opaque_if_invisible(&mut rgba);
            }
        }
    }
    Ok(DecodedImage { width: header.width, height: header.height, rgba })
}

/// Storage of pixels.
#[derive(Clone, Copy)]
enum Layout {
    /// Palette indices, 1, 2, 4 or 8 bits each.
    Indexed { bits: usize },
    /// The same, 4 or 8 bits, run-length encoded.
    Packed { bits: usize },
    /// Colors of 16, 24 or 32 bits. The masks are those of red, green, blue and alpha; 0 for a missing channel.
    Direct { bits: usize, masks: [u32; 4] },
}

struct Header {
    width: u32,
    height: u32,
    is_top_down: bool,
    layout: Layout,
    palette_at: usize,
    /// 3 or 4 bytes.
    palette_entry: usize,
    palette_length: usize,
    pixels_at: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self> {
        let cut = || damaged(format!("the file ends inside its header, at byte {}", bytes.len()));
        let u16_at =
            |at: usize| bytes.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes);
        let u32_at =
            |at: usize| bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        let header_size = u32_at(FILE_HEADER).ok_or_else(cut)? as usize;
        let is_core = header_size == 12;
        if !(is_core || header_size == 16 || (40..=124).contains(&header_size)) {
            return Err(damaged(format!("byte {FILE_HEADER}: unknown header size {header_size}")));
        }
        let header_end = FILE_HEADER + header_size;
        if bytes.len() < header_end {
            return Err(cut());
        }
        let [width, height, bits] = if is_core {
            [u16_at(18), u16_at(20), u16_at(24)].map(|value| i64::from(value.unwrap_or(0)))
        } else {
            let signed = |at| i64::from(u32_at(at).unwrap_or(0) as i32);
            [signed(18), signed(22), i64::from(u16_at(28).unwrap_or(0))]
        };
        if width < 1 || height == 0 {
            return Err(damaged(format!("byte 18: invalid size {width} × {height} pixels")));
        }
        // A header of 12 or 16 bytes ends before these.
        let field = |at: usize| u32_at(at).filter(|_| at + 4 <= header_end).unwrap_or(0);
        let (compression, colors_used) = (field(30), field(46) as usize);
        let masks = [0, 4, 8, 12].map(|at| u32_at(MASKS + at).unwrap_or(0));
        let layout = layout_of(header_size, compression, bits as usize, masks)?;
        let all_colors = match layout {
            Layout::Indexed { bits } | Layout::Packed { bits } => 1 << bits,
            Layout::Direct { .. } => 0,
        };
        let palette_length = if colors_used == 0 { all_colors } else { colors_used.min(all_colors) };
        let palette_entry = if is_core { 3 } else { 4 };
        let mask_bytes = match (header_size, compression) {
            (40, 3) => 12,
            (40, 6) => 16,
            _ => 0,
        };
        let palette_at = header_end + mask_bytes;
        let stated = u32_at(10).ok_or_else(cut)? as usize;
        // Some programs leave out the offset of the pixels.
        let pixels_at =
            if stated < header_end { palette_at + palette_length * palette_entry } else { stated };
        Ok(Self {
            // Both came from 32 bits.
            width: width as u32,
            height: height.unsigned_abs() as u32,
            is_top_down: height < 0,
            layout,
            palette_at,
            palette_entry,
            palette_length,
            pixels_at,
        })
    }

    /// All colors that an index can refer to.
    fn palette(&self, bytes: &[u8]) -> [[u8; 4]; 256] {
        let mut palette = [[0, 0, 0, u8::MAX]; 256];
        let end =
            (self.palette_at + self.palette_length * self.palette_entry).min(self.pixels_at).min(bytes.len());
        let entries = bytes.get(self.palette_at..end).unwrap_or_default().chunks_exact(self.palette_entry);
        for (color, entry) in palette.iter_mut().zip(entries) {
            *color = [entry[2], entry[1], entry[0], u8::MAX];
        }
        palette
    }

    /// Calls `fill_row` for every row of the image, with the row's place in the file.
    fn fill(&self, rgba: &mut [u8], mut fill_row: impl FnMut(usize, &mut [u8])) {
        let last = self.height as usize - 1;
        for (y, row) in rgba.chunks_exact_mut(self.width as usize * 4).enumerate() {
            fill_row(if self.is_top_down { y } else { last - y }, row);
        }
    }
}

fn layout_of(
    header_size: usize,
    compression: u32,
    bits: usize,
    [red, green, blue, alpha]: [u32; 4],
) -> Result<Layout> {
    let is_os2 = header_size == OS2_HEADER;
    let found = match (compression, bits) {
        (0, 1 | 2 | 4 | 8) => return Ok(Layout::Indexed { bits }),
        (0, 16) => return Ok(Layout::Direct { bits, masks: [0x7c00, 0x3e0, 0x1f, 0] }),
        (0, 24) => return Ok(Layout::Direct { bits, masks: [0xff_0000, 0xff00, 0xff, 0] }),
        (0, 32) => return Ok(Layout::Direct { bits, masks: [0xff_0000, 0xff00, 0xff, 0xff00_0000] }),
        (1, 8) | (2, 4) => return Ok(Layout::Packed { bits }),
        (3, _) if is_os2 => "BMP packed with Huffman codes",
        (4, _) if is_os2 => "BMP with packed colors (RLE24)",
        (3 | 6, 16 | 32) => {
            if [red, green, blue] == [0; 3] {
                return Err(damaged(format!("byte {MASKS}: the color masks are empty")));
            }
            let has_alpha = compression == 6 || header_size >= 56;
            return Ok(Layout::Direct { bits, masks: [red, green, blue, if has_alpha { alpha } else { 0 }] });
        }
        (4 | 5, _) => "BMP for printers, with a JPEG or PNG inside,",
        (11..=13, _) => "BMP in CMYK",
        _ => {
            let reason = format!(
                "byte 28: unknown combination of {bits} bits per pixel and compression {compression}"
            );
            return Err(damaged(reason));
        }
    };
    Err(ImageError::Unsupported { found })
}

/// Unpacked rows, each padded to four bytes. Checks that all are present; the last need not be padded.
fn rows<'a>(data: &'a [u8], header: &Header, bits: usize) -> Result<impl Fn(usize) -> &'a [u8]> {
    // Sizes are below the limits here, and `usize` has 64 bits or the limits are smaller.
    let used = (header.width as usize * bits).div_ceil(8);
    let stride = used.next_multiple_of(4);
    let needed = stride * (header.height as usize - 1) + used;
    let (at, found) = (header.pixels_at, data.len());
    if found < needed {
        return Err(damaged(format!(
            "the pixels start at byte {at} and need {needed} bytes, but only {found} follow"
        )));
    }
    Ok(move |y: usize| &data[y * stride..][..used])
}

fn indexed_row(row: &[u8], bits: usize, palette: &[[u8; 4]; 256], out: &mut [u8]) {
    let mask = u8::MAX >> (8 - bits);
    for (x, pixel) in out.chunks_exact_mut(4).enumerate() {
        let first_bit = x * bits;
        let index = (row[first_bit / 8] >> (8 - bits - first_bit % 8)) & mask;
        pixel.copy_from_slice(&palette[usize::from(index)]);
    }
}

fn direct_row(row: &[u8], bits: usize, masks: [u32; 4], out: &mut [u8]) {
    for (stored, pixel) in row.chunks_exact(bits / 8).zip(out.chunks_exact_mut(4)) {
        let value = stored.iter().rev().fold(0, |value, &byte| (value << 8) | u32::from(byte));
        for (channel, mask) in pixel.iter_mut().zip(masks) {
            let shift = mask.trailing_zeros() % u32::BITS;
            *channel = eight_bits((value & mask) >> shift, mask >> shift);
        }
        if masks[3] == 0 {
            pixel[3] = u8::MAX;
        }
    }
}

/// Unpacks run-length encoded indices to one byte per pixel, in the order of the file. Pixels past the end of a row are dropped.
fn unpack(data: &[u8], bits: usize, width: usize, height: usize, start: usize) -> Result<Vec<u8>> {
    let mut indices = vec![0; width * height];
    let (mut x, mut y, mut at) = (0, 0, 0);
    let mut take = |count: usize| {
        let taken = data.get(at..at + count);
        at += count;
        taken
    };
    let cut = |y: usize| {
        let end = start + data.len();
        damaged(format!("the packed pixels end early at byte {end}, in row {y} of {height}"))
    };
    // Puts `count` pixels; a run repeats its one byte.
    let mut put = |x: &mut usize, y: usize, count: usize, stored: &[u8]| {
        let row = &mut indices[y * width..][..width];
        for (i, index) in row.get_mut(*x..).unwrap_or_default().iter_mut().take(count).enumerate() {
            let byte = stored[i * bits / 8 % stored.len()];
            *index = match (bits, i % 2) {
                (4, 0) => byte >> 4,
                (4, _) => byte & 15,
                _ => byte,
            };
        }
        *x += count;
    };
    while y < height {
        let Some(&[count, code]) = take(2) else {
            // Some programs leave out the end mark.
            if y == height - 1 && x >= width {
                break;
            }
            return Err(cut(y));
        };
        match (usize::from(count), usize::from(code)) {
            (0, 0) => (x, y) = (0, y + 1),
            (0, 1) => break,
            (0, 2) => {
                let step = take(2).ok_or_else(|| cut(y))?;
                (x, y) = (x + usize::from(step[0]), y + usize::from(step[1]));
            }
            (0, count) => {
                let length = (count * bits).div_ceil(8);
                put(&mut x, y, count, take(length).ok_or_else(|| cut(y))?);
                // Padded to two bytes; the padding may be missing at the end of the file.
                take(length % 2);
            }
            (count, _) => put(&mut x, y, count, &[code]),
        }
    }
    Ok(indices)
}

fn damaged(reason: String) -> ImageError {
    ImageError::Damaged { format: "BMP", reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::{check_damaged, damage, decode};
    use proptest::prelude::*;

    #[derive(Clone)]
    struct Bmp<'a> {
        header_size: u32,
        size: [i32; 2],
        bits: u16,
        compression: u32,
        colors_used: u32,
        masks: &'a [u32],
        palette: &'a [u8],
        data: &'a [u8],
    }

    impl Bmp<'_> {
        fn encode(&self) -> Vec<u8> {
            let mut header = self.header_size.to_le_bytes().to_vec();
            let [width, height] = self.size;
            if self.header_size == 12 {
                header
                    .extend([width as u16, height as u16, 1, self.bits].map(u16::to_le_bytes).as_flattened());
            } else {
                header.extend(self.size.map(i32::to_le_bytes).as_flattened());
                header.extend([1, self.bits].map(u16::to_le_bytes).as_flattened());
                let rest = [self.compression, 0, 0, 0, self.colors_used, 0].map(u32::to_le_bytes);
                header.extend(rest.as_flattened().iter().take(self.header_size as usize - 16));
            }
            header.extend(self.masks.iter().flat_map(|mask| mask.to_le_bytes()));
            header.resize(header.len().max(self.header_size as usize), 0);
            let pixels_at = (FILE_HEADER + header.len() + self.palette.len()) as u32;
            let file_size = pixels_at + self.data.len() as u32;
            let file = [b"BM", &file_size.to_le_bytes()[..], &[0; 4], &pixels_at.to_le_bytes(), &header];
            [&file.concat(), self.palette, self.data].concat()
        }
    }

    const COLOR: Bmp<'static> = Bmp {
        header_size: 40,
        size: [2, 2],
        bits: 24,
        compression: 0,
        colors_used: 0,
        masks: &[],
        palette: &[],
        data: &[3, 2, 1, 6, 5, 4, 0, 0, 9, 8, 7, 12, 11, 10, 0, 0],
    };

    /// Black, then three colors, blue first as they are stored.
    const PALETTE: &[u8] = &[0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0];
    const INDEXED: Bmp<'static> =
        Bmp { size: [3, 1], bits: 8, colors_used: 4, palette: PALETTE, data: &[1, 3, 2, 0], ..COLOR };
    const K: [u8; 4] = [0, 0, 0, 255];
    const A: [u8; 4] = [3, 2, 1, 255];
    const B: [u8; 4] = [6, 5, 4, 255];
    const C: [u8; 4] = [9, 8, 7, 255];

    #[track_caller]
    fn check(bmp: &Bmp<'_>, expected: &[[u8; 4]]) {
        let image = decode(&bmp.encode()).unwrap();
        assert_eq!([image.width, image.height], bmp.size.map(i32::unsigned_abs));
        assert_eq!(image.rgba.as_chunks::<4>().0, expected);
    }

    #[track_caller]
    fn check_error(bytes: &[u8], expected: &str) {
        assert_eq!(decode(bytes).unwrap_err().to_string(), expected);
    }

    #[test]
    fn rows_go_up_or_down() {
        let (lower, upper) = ([[1, 2, 3, 255], [4, 5, 6, 255]], [[7, 8, 9, 255], [10, 11, 12, 255]]);
        check(&COLOR, &[upper, lower].concat());
        check(&Bmp { size: [2, -2], ..COLOR }, &[lower, upper].concat());
        check(&Bmp { header_size: 12, ..COLOR }, &[upper, lower].concat());
        check(&Bmp { header_size: 16, ..COLOR }, &[upper, lower].concat());
        check(&Bmp { header_size: 64, ..COLOR }, &[upper, lower].concat());
        check(&Bmp { header_size: 124, ..COLOR }, &[upper, lower].concat());
        // The last row is not filled up.
        check(&Bmp { data: &COLOR.data[..14], ..COLOR }, &[upper, lower].concat());
    }

    #[test]
    fn indices_name_colors() {
        check(&INDEXED, &[A, C, B]);
        check(&Bmp { bits: 4, data: &[0x13, 0x20, 0, 0], ..INDEXED }, &[A, C, B]);
        check(&Bmp { bits: 2, data: &[0b0111_1000, 0, 0, 0], ..INDEXED }, &[A, C, B]);
        let two = &PALETTE[4..12];
        check(
            &Bmp { bits: 1, colors_used: 0, palette: two, data: &[0b0100_0000, 0, 0, 0], ..INDEXED },
            &[A, B, A],
        );
        let three_bytes: Vec<u8> = PALETTE.chunks(4).flat_map(|color| &color[..3]).copied().collect();
        check(&Bmp { header_size: 12, palette: &three_bytes, ..INDEXED }, &[A, C, B]);
        // Index 3 has no color.
        check(&Bmp { colors_used: 3, palette: &PALETTE[..12], ..INDEXED }, &[A, K, B]);
        // The header says 256 colors, the pixels start before.
        check(&Bmp { colors_used: 0, ..INDEXED }, &[A, C, B]);
    }

    #[test]
    fn runs_are_unpacked() {
        let packed = Bmp { size: [4, 2], compression: 1, ..INDEXED };
        // A run, an end of row, pixels one by one (filled up to two bytes), an end.
        let data = &[4, 1, 0, 0, 0, 3, 1, 2, 3, 0, 1, 2, 0, 1];
        check(&Bmp { data, ..packed.clone() }, &[A, B, C, B, A, A, A, A]);
        // The mark of the end is missing.
        check(&Bmp { data: &data[..12], ..packed.clone() }, &[A, B, C, B, A, A, A, A]);
        // A step of one right and one up; what is skipped has the first color.
        check(&Bmp { data: &[1, 1, 0, 2, 1, 1, 1, 2, 0, 1], ..packed.clone() }, &[K, K, B, K, A, K, K, K]);
        // Too long a run does not go on in the next row.
        check(&Bmp { data: &[9, 1, 0, 0, 1, 2, 0, 1], ..packed.clone() }, &[B, K, K, K, A, A, A, A]);
        let packed = Bmp { bits: 4, compression: 2, ..packed };
        let data = &[3, 0x12, 1, 0x30, 0, 0, 0, 4, 0x32, 0x13, 0, 1];
        check(&Bmp { data, ..packed.clone() }, &[C, B, A, C, A, B, A, C]);
        check(&Bmp { data: &[0, 3, 0x32, 0x10, 1, 0x20, 0, 1], ..packed }, &[K, K, K, K, C, B, A, B]);
    }

    #[test]
    fn channels_are_spread_over_eight_bits() {
        let short = Bmp { size: [2, 1], bits: 16, ..COLOR };
        // 555: all of red and blue at 16 of 31, then all of green.
        check(
            &Bmp { data: &[0x10, 0x7c, 0xe0, 0x03], ..short.clone() },
            &[[255, 0, 132, 255], [0, 255, 0, 255]],
        );
        let masks: &[u32] = &[0xf800, 0x7e0, 0x1f];
        let short = Bmp { compression: 3, masks, data: &[0x10, 0xf8, 0xe0, 0x07], ..short };
        let expected = [[255, 0, 132, 255], [0, 255, 0, 255]];
        check(&short, &expected);
        check(&Bmp { header_size: 52, ..short.clone() }, &expected);
        check(&Bmp { header_size: 108, ..short.clone() }, &expected);
        let masks: &[u32] = &[0xf00, 0xf0, 0xf, 0xf000];
        let four = Bmp { masks, data: &[0x34, 0x12, 0x78, 0xf6], ..short };
        let expected = [[34, 51, 68, 17], [102, 119, 136, 255]];
        check(&Bmp { header_size: 56, ..four.clone() }, &expected);
        check(&Bmp { compression: 6, ..four }, &expected);
        // Ten bits a channel.
        let masks: &[u32] = &[0x3ff0_0000, 0xf_fc00, 0x3ff];
        let long = [0x3ff0_0000u32, 0x0007_fdff].map(u32::to_le_bytes);
        let ten = Bmp { size: [2, 1], bits: 32, compression: 3, masks, data: long.as_flattened(), ..COLOR };
        check(&ten, &[[255, 0, 0, 255], [0, 127, 127, 255]]);
    }

    #[test]
    fn alpha_counts_unless_it_is_nowhere() {
        let data = &[3, 2, 1, 0, 6, 5, 4, 9];
        let long = Bmp { size: [2, 1], bits: 32, data, ..COLOR };
        check(&long, &[[1, 2, 3, 0], [4, 5, 6, 9]]);
        check(&Bmp { data: &[3, 2, 1, 0, 6, 5, 4, 0], ..long.clone() }, &[[1, 2, 3, 255], [4, 5, 6, 255]]);
        let masks: &[u32] = &[0xff, 0xff00, 0xff_0000, 0xff00_0000];
        let masked = Bmp { header_size: 124, compression: 3, masks, ..long };
        check(&masked, &[[3, 2, 1, 0], [6, 5, 4, 9]]);
        check(
            &Bmp { masks: &[0xff, 0xff00, 0xff_0000, 0], ..masked.clone() },
            &[[3, 2, 1, 255], [6, 5, 4, 255]],
        );
        check(&Bmp { header_size: 40, masks: &masks[..3], ..masked }, &[[3, 2, 1, 255], [6, 5, 4, 255]]);
    }

    #[test]
    fn a_missing_place_of_the_pixels_is_filled_in() {
        let mut file = INDEXED.encode();
        file[10..14].fill(0);
        assert_eq!(decode(&file).unwrap().rgba, [A, C, B].concat());
    }

    #[test]
    fn problems_are_named() {
        let error = |bmp: &Bmp<'_>, expected: &str| check_error(&bmp.encode(), expected);
        check_error(b"BM", "the BMP image is damaged: the file ends inside its header, at byte 2");
        check_error(
            &COLOR.encode()[..50],
            "the BMP image is damaged: the file ends inside its header, at byte 50",
        );
        error(&Bmp { header_size: 39, ..COLOR }, "the BMP image is damaged: byte 14: unknown header size 39");
        error(&Bmp { size: [0, 2], ..COLOR }, "the BMP image is damaged: byte 18: invalid size 0 × 2 pixels");
        error(
            &Bmp { bits: 7, ..COLOR },
            "the BMP image is damaged: byte 28: unknown combination of 7 bits per pixel and compression 0",
        );
        error(
            &Bmp { data: &COLOR.data[..13], ..COLOR },
            "the BMP image is damaged: the pixels start at byte 54 and need 14 bytes, but only 13 follow",
        );
        error(
            &Bmp { bits: 16, compression: 3, masks: &[0; 3], ..COLOR },
            "the BMP image is damaged: byte 54: the color masks are empty",
        );
        error(
            &Bmp { size: [4, 2], compression: 1, data: &[4, 1, 0, 0, 1], ..INDEXED },
            "the BMP image is damaged: the packed pixels end early at byte 75, in row 1 of 2",
        );
        error(
            &Bmp { size: [4, 2], compression: 1, data: &[0, 9, 1], ..INDEXED },
            "the BMP image is damaged: the packed pixels end early at byte 73, in row 0 of 2",
        );
        error(
            &Bmp { compression: 4, ..COLOR },
            "BMP for printers, with a JPEG or PNG inside, is not supported; convert the image to PNG or JPEG",
        );
        let huge = Bmp { size: [i32::MAX, i32::MIN], ..COLOR };
        assert!(matches!(
            decode(&huge.encode()),
            Err(ImageError::TooLarge { width: 0x7fff_ffff, height: 0x8000_0000, .. })
        ));
    }

    proptest! {
        #[test]
        fn damaged_files_do_not_panic(which in 0usize..6, damage in damage(120)) {
            let runs = &[4, 1, 0, 0, 0, 3, 1, 2, 3, 0, 0, 2, 1, 0, 1, 2, 0, 1];
            let masks: &[u32] = &[0xf00, 0xf0, 0xf, 0xf000];
            let bmp = match which {
                0 => COLOR,
                1 => INDEXED,
                2 => Bmp { size: [4, 2], compression: 1, data: runs, ..INDEXED },
                3 => Bmp { size: [4, 2], bits: 4, compression: 2, data: runs, ..INDEXED },
                4 => Bmp { header_size: 108, bits: 16, compression: 3, masks, ..COLOR },
                _ => Bmp { header_size: 12, ..COLOR },
            };
            check_damaged(&damage.apply(bmp.encode()));
        }
    }
}
