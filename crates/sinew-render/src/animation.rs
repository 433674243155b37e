//! Animated GIF: one palette for all frames, steady dither, only changed pixels stored.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use rayon::prelude::*;

use crate::error::EncodeError;
use crate::image::Image;
use crate::palette::Palette;

/// Frames whose colors are counted for the palette; more are sampled evenly.
const COUNTED_FRAMES: usize = 48;

/// Writes frames as a GIF that plays forever.
///
/// GIF delays are whole hundredths of a second of at least two; they are spread so that the mean rate is `fps`, which
/// above 50 plays at 50. `progress` is called with the finished share, 0 to 1.
///
/// # Errors
/// No frames, frames of different sizes, or a frame rate that is not positive.
pub fn encode_gif(frames: &[Image], fps: f32, progress: &dyn Fn(f32)) -> Result<Vec<u8>, EncodeError> {
    let first = frames.first().ok_or(EncodeError::NoFrames)?;
    let size = (first.width(), first.height());
    for (frame, image) in frames.iter().enumerate() {
        let found = (image.width(), image.height());
        if found != size {
            return Err(EncodeError::FrameSize { frame, expected: size, found });
        }
    }
    if !(fps > 0.0 && fps.is_finite()) {
        return Err(EncodeError::FrameRate(fps));
    }
    let stride = frames.len().div_ceil(COUNTED_FRAMES);
    // The last index is kept for "unchanged".
    let palette = Palette::of(frames.iter().step_by(stride).map(Image::pixels), 255);
    let clear = palette.colors.len() as u8;
    let mut colors: Vec<u8> = palette.colors.as_flattened().to_vec();
    colors.extend([0, 0, 0]);
    progress(0.1);
    let mut bytes = Vec::new();
    // The image size limit is below 2¹⁶.
    let (width, height) = (size.0 as u16, size.1 as u16);
    let mut encoder = Encoder::new(&mut bytes, width, height, &colors)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut previous: Vec<u8> = Vec::new();
    for (index, image) in frames.iter().enumerate() {
        let indices = indexed(&palette, image);
        let (area, stored) = changed_part(&previous, &indices, usize::from(width), clear);
        let frame = Frame {
            delay: delay(index, fps),
            dispose: DisposalMethod::Keep,
            transparent: Some(clear),
            left: area[0],
            top: area[1],
            width: area[2],
            height: area[3],
            buffer: Cow::Owned(stored),
            ..Frame::default()
        };
        encoder.write_frame(&frame)?;
        previous = indices;
        progress(0.1 + 0.9 * (index + 1) as f32 / frames.len() as f32);
    }
    drop(encoder);
    Ok(bytes)
}

fn indexed(palette: &Palette, image: &Image) -> Vec<u8> {
    let width = image.width() as usize;
    let mut indices = vec![0; image.pixels().len()];
    indices.par_chunks_mut(width).zip(image.pixels().par_chunks(width)).enumerate().for_each(
        |(y, (line, pixels))| {
            for (x, (index, pixel)) in line.iter_mut().zip(pixels).enumerate() {
                *index = palette.index(*pixel, x, y);
            }
        },
    );
    indices
}

/// Left, top, width and height of the part that differs, and its pixels with unchanged ones cleared.
fn changed_part(previous: &[u8], current: &[u8], width: usize, clear: u8) -> ([u16; 4], Vec<u8>) {
    let height = current.len() / width;
    if previous.is_empty() {
        return ([0, 0, width as u16, height as u16], current.to_vec());
    }
    let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
    for (index, (old, new)) in previous.iter().zip(current).enumerate() {
        if old != new {
            let (x, y) = (index % width, index / width);
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if right == 0 {
        return ([0, 0, 1, 1], vec![clear]);
    }
    let mut stored = Vec::with_capacity((right - left) * (bottom - top));
    for y in top..bottom {
        let range = y * width + left..y * width + right;
        let pairs = previous[range.clone()].iter().zip(&current[range]);
        stored.extend(pairs.map(|(old, new)| if old == new { clear } else { *new }));
    }
    ([left as u16, top as u16, (right - left) as u16, (bottom - top) as u16], stored)
}

/// Hundredths of a second that a frame is shown, so that frame ends stay nearest to their true times.
fn delay(index: usize, fps: f32) -> u16 {
    let step = (100.0 / f64::from(fps)).max(2.0);
    let end = |index: usize| (index as f64 * step).round();
    (end(index + 1) - end(index)).min(65_535.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(offset: u32) -> Image {
        let mut image = Image::filled(40, 30, [240, 241, 243, 255]).unwrap();
        image.fill_disc(glam::Vec2::new(10.0 + offset as f32, 15.0), 6.0, [180, 60, 40, 255]);
        image
    }

    #[test]
    fn frames_read_back_close_to_the_originals() {
        let frames: Vec<Image> = (0..5).map(frame).collect();
        let bytes = encode_gif(&frames, 30.0, &|_| ()).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        let mut screen = vec![[0_u8; 4]; 40 * 30];
        let mut count = 0;
        while let Some(part) = decoder.read_next_frame().unwrap() {
            let width = usize::from(part.width);
            for (i, pixel) in part.buffer.as_chunks::<4>().0.iter().enumerate().filter(|(_, p)| p[3] > 0) {
                let (x, y) = (usize::from(part.left) + i % width, usize::from(part.top) + i / width);
                screen[y * 40 + x] = *pixel;
            }
            let worst = screen
                .iter()
                .zip(frames[count].pixels())
                .flat_map(|(a, b)| (0..3).map(|i| a[i].abs_diff(b[i])));
            assert!(worst.max().unwrap() <= 8, "frame {count}");
            count += 1;
        }
        assert_eq!(count, 5);
    }

    #[test]
    fn delays_add_up_to_the_frame_rate() {
        let total: u32 = (0..240).map(|index| u32::from(delay(index, 24.0))).sum();
        assert_eq!(total, 1000);
        assert_eq!(delay(0, 1000.0), 2);
    }

    #[test]
    fn bad_input_is_named() {
        assert!(matches!(encode_gif(&[], 10.0, &|_| ()), Err(EncodeError::NoFrames)));
        let odd = [frame(0), Image::filled(3, 3, [0; 4]).unwrap()];
        assert!(matches!(encode_gif(&odd, 10.0, &|_| ()), Err(EncodeError::FrameSize { frame: 1, .. })));
        for fps in [0.0, -1.0, f32::NAN] {
            assert!(matches!(encode_gif(&odd[..1], fps, &|_| ()), Err(EncodeError::FrameRate(_))));
        }
    }

    #[test]
    fn a_still_frame_stores_one_clear_pixel() {
        assert_eq!(changed_part(&[1, 2, 3, 4], &[1, 2, 3, 4], 2, 9), ([0, 0, 1, 1], vec![9]));
        assert_eq!(changed_part(&[1, 2, 3, 4], &[1, 5, 3, 4], 2, 9), ([1, 0, 1, 1], vec![5]));
    }
}
