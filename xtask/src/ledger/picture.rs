//! Pictures as lines of a record: their size, and what one sees of them from afar.

use anyhow::{Context, Result};

/// Rows and columns of a picture's thumbnail, and of one of a film's frame.
const CELLS: usize = 24;
const FRAME_CELLS: usize = 12;

/// RGBA, row by row.
struct Picture {
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

/// The lines of a record that stand for a .png file.
pub(super) fn png_lines(bytes: &[u8]) -> Result<Vec<String>> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().context("a picture that is too large")?];
    let info = reader.next_frame(&mut pixels)?;
    pixels.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::GrayscaleAlpha => pixels.chunks(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        _ => pixels,
    };
    let picture = Picture { width: info.width as usize, height: info.height as usize, rgba };
    let mut lines = vec![format!("picture {} by {}", info.width, info.height)];
    lines.extend(picture.thumbnail(CELLS));
    Ok(lines)
}

/// The lines of a record that stand for a .gif file: its first, middle and last frame.
pub(super) fn gif_lines(bytes: &[u8]) -> Result<Vec<String>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes)?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = Picture { width, height, rgba: vec![0; 4 * width * height] };
    let (mut frames, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame()? {
        canvas.draw(frame);
        delays.push(frame.delay);
        frames.push(canvas.thumbnail(FRAME_CELLS));
    }
    delays.dedup();
    let mut lines = vec![format!("film {width} by {height}, {} frames, delays {delays:?}", frames.len())];
    for at in [0, frames.len() / 2, frames.len().saturating_sub(1)] {
        lines.push(format!("frame {at}"));
        lines.extend(frames.get(at).cloned().unwrap_or_default());
    }
    Ok(lines)
}

impl Picture {
    /// Lays a frame over what was there.
    fn draw(&mut self, frame: &gif::Frame<'_>) {
        let [left, top, width] = [frame.left, frame.top, frame.width].map(usize::from);
        for (at, pixel) in frame.buffer.chunks(4).enumerate() {
            let place = (top + at / width) * self.width + left + at % width;
            if pixel[3] > 0
                && let Some(old) = self.rgba.get_mut(4 * place..4 * place + 4)
            {
                old.copy_from_slice(pixel);
            }
        }
    }

    /// Mean colors of cells, a line of hexadecimal digits a row; and how much neighbors differ, which fine lines change.
    fn thumbnail(&self, cells: usize) -> Vec<String> {
        let (columns, rows) = (cells.min(self.width), cells.min(self.height));
        let mut lines = vec![format!("~0.2 roughness: {:.3}", self.roughness())];
        for row in 0..rows {
            let of = |column: usize| {
                let color = self.mean(
                    [column, column + 1].map(|at| at * self.width / columns),
                    [row, row + 1].map(|at| at * self.height / rows),
                );
                format!("{:02x}{:02x}{:02x}", color[0], color[1], color[2])
            };
            lines.push(format!("%{}", (0..columns).map(of).collect::<String>()));
        }
        lines
    }

    /// Mean color over a part, on black.
    fn mean(&self, [left, right]: [usize; 2], [top, bottom]: [usize; 2]) -> [u8; 3] {
        let mut sum = [0.0; 3];
        for y in top..bottom {
            for x in left..right {
                let pixel = &self.rgba[4 * (y * self.width + x)..][..4];
                for channel in 0..3 {
                    sum[channel] += f64::from(pixel[channel]) * f64::from(pixel[3]) / 255.0;
                }
            }
        }
        let count = ((right - left) * (bottom - top)).max(1) as f64;
        sum.map(|sum| (sum / count).round() as u8)
    }

    /// Mean difference of neighbors in a row, levels of 255.
    fn roughness(&self) -> f64 {
        let rows = self.rgba.chunks(4 * self.width.max(1));
        let differences =
            rows.flat_map(|row| row.iter().zip(&row[4..]).map(|(a, b)| f64::from(a.abs_diff(*b))));
        differences.sum::<f64>() / self.rgba.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare::differences;
    use super::*;

    fn record(level: u8) -> String {
        let mut picture = Picture { width: 48, height: 48, rgba: vec![255; 4 * 48 * 48] };
        for pixel in picture.rgba.chunks_mut(4).skip(500).take(300) {
            pixel[1] = level;
        }
        picture.thumbnail(CELLS).join("\n")
    }

    #[test]
    fn a_patch_of_another_color_is_seen_and_a_level_is_not() {
        assert!(differences(&record(10), &record(11)).is_empty());
        assert!(!differences(&record(10), &record(60)).is_empty());
    }
}
