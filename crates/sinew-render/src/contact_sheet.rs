//! Contact sheets: several pictures on one page, with captions.

use glam::Vec2;

use crate::color::Rgba8;
use crate::error::RenderError;
use crate::image::Image;
use crate::text::{Align, TextStyle};

const PAPER: Rgba8 = [255, 255, 255, 255];
const FRAME: Rgba8 = [222, 225, 229, 255];
const TITLE_INK: Rgba8 = [30, 34, 40, 255];
const CAPTION_INK: Rgba8 = [84, 91, 101, 255];

/// Arranges pictures in rows of `columns` with a caption under each and a title above all.
///
/// Cells are as large as the largest picture; smaller ones are centered. Captions too wide for their cell are cut with
/// an ellipsis. Zero columns count as one; no cells give a page with the title alone.
///
/// # Errors
/// [`RenderError::ImageSize`] if the page would be larger than [`crate::MAX_IMAGE_SIDE`].
pub fn contact_sheet(
    cells: &[(Image, String)],
    columns: usize,
    title: Option<&str>,
) -> Result<Image, RenderError> {
    let widest = |side: fn(&Image) -> u32| cells.iter().map(|(image, _)| side(image)).max().unwrap_or(320);
    let (cell_width, cell_height) = (widest(Image::width), widest(Image::height));
    let columns = columns.clamp(1, cells.len().max(1)) as u32;
    let rows = (cells.len() as u32).div_ceil(columns);
    let text = (cell_width.min(cell_height) as f32 * 0.045).clamp(11.0, 30.0);
    let gap = (text * 1.5).round() as u32;
    let caption_height = (text * 2.3).round() as u32;
    let header = title.map_or(0, |_| (text * 3.6).round() as u32);
    let span = |count: u32, side: u32| u64::from(count) * u64::from(side + gap) + u64::from(gap);
    let side = |pixels: u64| u32::try_from(pixels).unwrap_or(u32::MAX);
    let width = side(span(columns, cell_width));
    let height = side(span(rows, cell_height + caption_height) + u64::from(header));
    let mut page = Image::filled(width, height, PAPER)?;
    if let Some(title) = title {
        let style = TextStyle { size_px: text * 1.7, color: TITLE_INK, ..TextStyle::default() };
        let room = (width - 2 * gap) as f32;
        style.draw(&mut page, &shortened(&style, title, room), gap as f32, gap as f32 + text * 1.75);
    }
    let style = TextStyle { size_px: text, color: CAPTION_INK, align: Align::Center, ..TextStyle::default() };
    for (index, (image, caption)) in (0..).zip(cells) {
        let left = gap + index % columns * (cell_width + gap);
        let top = header + gap + index / columns * (cell_height + caption_height + gap);
        let (corner, size) =
            (Vec2::new(left as f32, top as f32), Vec2::new(cell_width as f32, cell_height as f32));
        page.fill_rect(corner - 1.0, corner + size + 1.0, 0.0, FRAME);
        page.fill_rect(corner, corner + size, 0.0, PAPER);
        let inset = ((cell_width - image.width()) / 2, (cell_height - image.height()) / 2);
        page.paste(image, left + inset.0, top + inset.1);
        let middle = corner.x + size.x * 0.5;
        let line = shortened(&style, caption, size.x);
        style.draw(&mut page, &line, middle, corner.y + size.y + text * 1.5);
    }
    Ok(page)
}

/// The text, or as much of it as fits with an ellipsis.
fn shortened(style: &TextStyle, text: &str, room_px: f32) -> String {
    if style.width_px(text) <= room_px {
        return text.to_owned();
    }
    let mut kept: String = text.to_owned();
    while kept.pop().is_some() {
        let candidate = format!("{}\u{2026}", kept.trim_end());
        if style.width_px(&candidate) <= room_px {
            return candidate;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(width: u32, height: u32, caption: &str) -> (Image, String) {
        (Image::filled(width, height, [200, 40, 40, 255]).unwrap(), caption.to_owned())
    }

    #[test]
    fn all_pictures_are_on_the_page() {
        let cells = [cell(100, 80, "a"), cell(60, 80, "b"), cell(100, 40, "c")];
        let page = contact_sheet(&cells, 2, Some("Title")).unwrap();
        let red = page.pixels().iter().filter(|pixel| **pixel == [200, 40, 40, 255]).count();
        assert_eq!(red, 100 * 80 + 60 * 80 + 100 * 40);
    }

    #[test]
    fn odd_numbers_are_defined() {
        assert!(contact_sheet(&[], 0, None).is_ok());
        assert!(contact_sheet(&[cell(10, 10, "")], 0, Some("")).is_ok());
        let huge: Vec<_> = (0..40).map(|_| cell(1000, 1, "")).collect();
        assert!(matches!(contact_sheet(&huge, 40, None), Err(RenderError::ImageSize { .. })));
    }

    #[test]
    fn long_captions_are_cut() {
        let style = TextStyle::default();
        let short = shortened(&style, "a caption that will not fit in its cell", 120.0);
        assert!(short.ends_with('…') && style.width_px(&short) <= 120.0, "{short}");
    }
}
