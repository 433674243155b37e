//! Finished pictures.

use crate::color::Rgba8;
use crate::error::{EncodeError, RenderError};

/// Largest width or height of a picture in pixels.
pub const MAX_IMAGE_SIDE: u32 = 16_384;

/// An 8-bit sRGB picture with straight alpha, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<Rgba8>,
}

/// Difference of two pictures of the same size, in 8-bit levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageDifference {
    /// Greatest difference of any channel of any pixel.
    pub max: u8,
    /// Mean difference over all channels.
    pub mean: f64,
    /// Position of the maximum difference: column and row of the first such pixel.
    pub max_at: (u32, u32),
}

impl Image {
    /// A picture of one color.
    ///
    /// # Errors
    /// [`RenderError::ImageSize`] if a side is zero or beyond [`MAX_IMAGE_SIDE`].
    pub fn filled(width: u32, height: u32, color: Rgba8) -> Result<Self, RenderError> {
        check_size(width, height)?;
        Ok(Self { width, height, pixels: vec![color; width as usize * height as usize] })
    }

    /// A picture of bytes as [`Image::as_rgba`] gives them.
    ///
    /// # Errors
    /// [`RenderError::ImageSize`] if a side is zero or beyond [`MAX_IMAGE_SIDE`], or the bytes are not four for each pixel.
    pub fn from_rgba(width: u32, height: u32, rgba: &[u8]) -> Result<Self, RenderError> {
        check_size(width, height)?;
        let pixels = rgba.as_chunks::<4>().0.to_vec();
        if rgba.len() != 4 * width as usize * height as usize {
            return Err(RenderError::ImageSize { width, height });
        }
        Ok(Self { width, height, pixels })
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[Rgba8] {
        &self.pixels
    }

    /// The pixel in a column and row.
    ///
    /// # Panics
    /// If it lies outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Rgba8 {
        assert!(
            x < self.width && y < self.height,
            "pixel ({x}, {y}) is outside a {}×{} picture",
            self.width,
            self.height
        );
        self.pixels[y as usize * self.width as usize + x as usize]
    }

    /// Pixels for writing, row by row.
    pub(crate) fn pixels_mut(&mut self) -> &mut [Rgba8] {
        &mut self.pixels
    }

    /// All bytes as RGBA, row by row.
    pub fn as_rgba(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// All bytes as RGB without alpha, row by row: what video encoders take as `rgb24`.
    pub fn to_rgb(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect()
    }

    /// The picture as a PNG file; without alpha if every pixel is opaque.
    ///
    /// # Errors
    /// If the encoder fails, which it does only when memory runs out.
    pub fn encode_png(&self) -> Result<Vec<u8>, EncodeError> {
        self.encode(png::Compression::Balanced)
    }

    /// As [`Image::encode_png`], in a fifth of the time and a larger file: for frames on their way into a film.
    ///
    /// # Errors
    /// As [`Image::encode_png`].
    pub fn encode_png_quickly(&self) -> Result<Vec<u8>, EncodeError> {
        self.encode(png::Compression::Fast)
    }

    fn encode(&self, compression: png::Compression) -> Result<Vec<u8>, EncodeError> {
        let fail = |source| EncodeError::Png { width: self.width, height: self.height, source };
        let is_opaque = self.pixels.iter().all(|pixel| pixel[3] == 255);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(if is_opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(compression);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(fail)?;
        if is_opaque {
            writer.write_image_data(&self.to_rgb()).map_err(fail)?;
        } else {
            writer.write_image_data(self.as_rgba()).map_err(fail)?;
        }
        writer.finish().map_err(fail)?;
        Ok(bytes)
    }

    /// Difference to another picture; none if the sizes differ.
    pub fn difference(&self, other: &Self) -> Option<ImageDifference> {
        if (self.width, self.height) != (other.width, other.height) {
            return None;
        }
        let (mut max, mut max_index, mut sum) = (0, 0, 0_u64);
        for (index, (a, b)) in self.pixels.iter().zip(&other.pixels).enumerate() {
            for (a, b) in a.iter().zip(b) {
                let difference = a.abs_diff(*b);
                sum += u64::from(difference);
                if difference > max {
                    (max, max_index) = (difference, index);
                }
            }
        }
        let width = self.width as usize;
        Some(ImageDifference {
            max,
            mean: sum as f64 / (self.pixels.len() * 4) as f64,
            max_at: ((max_index % width) as u32, (max_index / width) as u32),
        })
    }
}

/// Refuses sizes before anything is allocated. The cap keeps width × height × 4 within 2³⁰ bytes.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(), RenderError> {
    let is_side = |side: u32| (1..=MAX_IMAGE_SIDE).contains(&side);
    if is_side(width) && is_side(height) { Ok(()) } else { Err(RenderError::ImageSize { width, height }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_reads_back_equal() {
        for alpha in [255, 100] {
            let mut image = Image::filled(3, 2, [9, 8, 7, alpha]).unwrap();
            image.pixels_mut()[4] = [200, 100, 0, alpha];
            for bytes in [image.encode_png().unwrap(), image.encode_png_quickly().unwrap()] {
                let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
                let mut decoded = vec![0; reader.output_buffer_size().unwrap()];
                reader.next_frame(&mut decoded).unwrap();
                let expected = if alpha == 255 { image.to_rgb() } else { image.as_rgba().to_vec() };
                assert_eq!(decoded, expected);
            }
            assert_eq!(Image::from_rgba(3, 2, image.as_rgba()).unwrap(), image);
            assert!(Image::from_rgba(2, 2, image.as_rgba()).is_err());
        }
    }

    #[test]
    fn difference_names_the_worst_pixel() {
        let a = Image::filled(4, 4, [10, 10, 10, 255]).unwrap();
        let mut b = a.clone();
        b.pixels_mut()[6] = [10, 42, 10, 255];
        let difference = a.difference(&b).unwrap();
        assert_eq!((difference.max, difference.max_at), (32, (2, 1)));
        assert_eq!(difference.mean, 0.5);
        assert!(a.difference(&Image::filled(4, 5, [0; 4]).unwrap()).is_none());
    }

    #[test]
    fn bad_sizes_are_refused() {
        for (width, height) in [(0, 1), (1, 0), (MAX_IMAGE_SIDE + 1, 1), (u32::MAX, u32::MAX)] {
            let error = Image::filled(width, height, [0; 4]).unwrap_err();
            assert_eq!(error, RenderError::ImageSize { width, height });
        }
    }
}
