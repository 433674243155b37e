//! Flat shapes with smooth edges, drawn straight onto a picture.
//!
//! Coverage is the distance to the edge clamped to a pixel. Colors are mixed as they are encoded, which keeps thin dark
//! strokes on light ground at their drawn weight.

use glam::Vec2;

use crate::color::Rgba8;
use crate::image::Image;

impl Image {
    /// Mixes a color into a pixel; pixels outside are left alone.
    pub(crate) fn blend(&mut self, x: i32, y: i32, color: Rgba8, coverage: f32) {
        let (width, height) = (self.width() as i32, self.height() as i32);
        if x < 0 || y < 0 || x >= width || y >= height {
            return;
        }
        let share = coverage.clamp(0.0, 1.0) * f32::from(color[3]) / 255.0;
        let pixel = &mut self.pixels_mut()[(y * width + x) as usize];
        for channel in 0..3 {
            let (old, new) = (f32::from(pixel[channel]), f32::from(color[channel]));
            pixel[channel] = (old + (new - old) * share + 0.5) as u8;
        }
        pixel[3] = (f32::from(pixel[3]) + (255.0 - f32::from(pixel[3])) * share + 0.5) as u8;
    }

    /// Copies another picture in, its top-left corner at a place; what sticks out is cut off.
    pub(crate) fn paste(&mut self, other: &Self, left: u32, top: u32) {
        let width = self.width() as usize;
        let count = other.width().min(self.width().saturating_sub(left)) as usize;
        for row in 0..other.height().min(self.height().saturating_sub(top)) {
            let start = (top + row) as usize * width + left as usize;
            let source = row as usize * other.width() as usize;
            self.pixels_mut()[start..start + count].copy_from_slice(&other.pixels()[source..source + count]);
        }
    }

    /// Fills a rectangle with rounded corners, in pixels from the picture's corner.
    pub(crate) fn fill_rect(&mut self, low: Vec2, high: Vec2, radius: f32, color: Rgba8) {
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5 - radius);
        self.fill_shape(low, high, color, |at| {
            let outside = (at - middle).abs() - half;
            radius - outside.max(Vec2::ZERO).length() - outside.max_element().min(0.0)
        });
    }

    /// Fills a disc.
    pub(crate) fn fill_disc(&mut self, middle: Vec2, radius: f32, color: Rgba8) {
        self.fill_shape(middle - radius, middle + radius, color, |at| radius - (at - middle).length());
    }

    /// Draws every pixel near a box by `inside`, the distance in pixels to the shape's edge, positive inside.
    pub(crate) fn fill_shape(&mut self, low: Vec2, high: Vec2, color: Rgba8, inside: impl Fn(Vec2) -> f32) {
        self.for_box(low, high, |image, x, y, at| {
            let coverage = inside(at) + 0.5;
            if coverage > 0.0 {
                image.blend(x, y, color, coverage);
            }
        });
    }

    /// Calls `act` for each pixel of a box, widened by a pixel and cut to the picture, with the pixel's middle.
    pub(crate) fn for_box(&mut self, low: Vec2, high: Vec2, mut act: impl FnMut(&mut Self, i32, i32, Vec2)) {
        if !low.is_finite() || !high.is_finite() {
            return;
        }
        let limit = |value: f32, side: u32| (value as i32).clamp(0, side as i32);
        let (left, right) = (limit(low.x - 1.0, self.width()), limit(high.x + 2.0, self.width()));
        let (top, bottom) = (limit(low.y - 1.0, self.height()), limit(high.y + 2.0, self.height()));
        for y in top..bottom {
            for x in left..right {
                act(self, x, y, Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
            }
        }
    }
}

/// A straight stroke with round ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    pub(crate) width: f32,
    pub(crate) color: Rgba8,
}

impl Stroke {
    /// Draws the pixels for which `is_shown(x, y, t)` holds; `t` runs from 0 to 1 along the stroke.
    pub(crate) fn draw(&self, image: &mut Image, is_shown: impl Fn(i32, i32, f32) -> bool) {
        let axis = self.to - self.from;
        let inverse = 1.0 / axis.length_squared().max(1e-12);
        let half = self.width * 0.5;
        // Walk along the longer axis, so that a long diagonal does not visit its whole box.
        let steps = (axis.abs().max_element() / 16.0).ceil().clamp(1.0, 4096.0) as usize;
        for step in 0..steps {
            let (start, end) = (step as f32 / steps as f32, (step + 1) as f32 / steps as f32);
            let (a, b) = (self.from + axis * start, self.from + axis * end);
            image.for_box(a.min(b) - half, a.max(b) + half, |image, x, y, at| {
                let t = (at - self.from).dot(axis) * inverse;
                // Each pixel belongs to the piece its nearest point is in, so none is drawn twice.
                let is_first = step == 0 && t < start;
                let is_last = step + 1 == steps && t >= end;
                if !((start..end).contains(&t) || is_first || is_last) {
                    return;
                }
                let t = t.clamp(0.0, 1.0);
                let distance = (at - self.from - axis * t).length();
                let coverage =
                    if half < 0.5 { (1.0 - distance).max(0.0) * self.width } else { half + 0.5 - distance };
                if coverage > 0.0 && is_shown(x, y, t) {
                    image.blend(x, y, self.color, coverage);
                }
            });
        }
    }
}

/// Signed distance to a convex polygon, positive inside; corners in either order.
pub(crate) fn inside_convex(corners: &[Vec2], at: Vec2) -> f32 {
    let area: f32 =
        (0..corners.len()).map(|i| corners[i].perp_dot(corners[(i + 1) % corners.len()])).sum::<f32>();
    let sign = if area < 0.0 { -1.0 } else { 1.0 };
    let mut inside = f32::INFINITY;
    for i in 0..corners.len() {
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        let edge = b - a;
        let length = edge.length();
        if length > 1e-6 {
            inside = inside.min(sign * edge.perp_dot(at - a) / length);
        }
    }
    if inside == f32::INFINITY { f32::NEG_INFINITY } else { inside }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white() -> Image {
        Image::filled(16, 16, [255; 4]).unwrap()
    }

    #[test]
    fn a_rectangle_on_pixel_borders_is_sharp() {
        let mut image = white();
        image.fill_rect(Vec2::new(4.0, 4.0), Vec2::new(8.0, 6.0), 0.0, [0, 0, 0, 255]);
        let black = image.pixels().iter().filter(|pixel| pixel[0] == 0).count();
        let other = image.pixels().iter().filter(|pixel| !matches!(pixel[0], 0 | 255)).count();
        assert_eq!((black, other), (8, 0));
    }

    #[test]
    fn a_disc_covers_its_area() {
        let mut image = white();
        image.fill_disc(Vec2::new(8.0, 8.0), 5.0, [0, 0, 0, 255]);
        let covered: f32 = image.pixels().iter().map(|pixel| 1.0 - f32::from(pixel[0]) / 255.0).sum();
        assert!((covered - std::f32::consts::PI * 25.0).abs() < 1.5, "{covered}");
    }

    #[test]
    fn a_stroke_has_its_width_and_no_seams() {
        let mut image = Image::filled(200, 9, [255; 4]).unwrap();
        let stroke = Stroke {
            from: Vec2::new(-20.0, 4.5),
            to: Vec2::new(220.0, 4.5),
            width: 2.0,
            color: [0, 0, 0, 128],
        };
        stroke.draw(&mut image, |_, _, _| true);
        for x in 0..200 {
            let column: Vec<u8> = (0..9).map(|y| image.pixel(x, y)[0]).collect();
            assert_eq!(column, [255, 255, 255, 191, 127, 191, 255, 255, 255], "column {x}");
        }
    }

    #[test]
    fn convex_distance_is_signed() {
        let square = [Vec2::ZERO, Vec2::X * 4.0, Vec2::splat(4.0), Vec2::Y * 4.0];
        assert_eq!(inside_convex(&square, Vec2::new(1.0, 2.0)), 1.0);
        assert_eq!(inside_convex(&square, Vec2::new(-1.0, 2.0)), -1.0);
        assert_eq!(inside_convex(&[Vec2::ONE; 3], Vec2::ONE), f32::NEG_INFINITY);
    }
}
