//! Charts: curves over an axis, drawn with the renderer's lines and text.

use crate::screen::Screen;
use glam::Vec2;
use sinew_render::{Align, Background, Image, Overlay, RenderError, RenderSettings, Renderer, Rgba8, Scene};

/// Curves over an axis.
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Below the horizontal axis.
    pub x_name: String,
    /// Above the vertical axis.
    pub y_name: String,
    /// Whether the horizontal axis is logarithmic, of base 2.
    pub is_log_x: bool,
    /// The least range of the vertical axis.
    pub y_range: [f64; 2],
    /// The curves.
    pub curves: Vec<Curve>,
}

/// One curve.
pub struct Curve {
    /// In the legend.
    pub name: String,
    /// Of the line.
    pub color: Rgba8,
    /// In the order of x.
    pub points: Vec<[f64; 2]>,
    /// Whether its points are dots.
    pub has_dots: bool,
}

/// Colors of curves.
pub const COLORS: [Rgba8; 7] = [
    [206, 72, 60, 255],
    [46, 118, 196, 255],
    [222, 152, 32, 255],
    [44, 148, 92, 255],
    [132, 82, 172, 255],
    [36, 156, 168, 255],
    [196, 92, 138, 255],
];

const INK: Rgba8 = [62, 68, 76, 255];
const RULE: Rgba8 = [218, 222, 226, 255];

impl Chart {
    /// Draws it.
    pub fn draw(&self, size: (u32, u32)) -> Result<Image, RenderError> {
        let unit = size.1 as f32 / 480.0;
        let frame = Frame::of(self, size, unit);
        let camera = Screen::flat_camera(size);
        let screen = Screen::of(&camera, size);
        let mut overlays = self.rules(&frame, &screen, unit);
        for (row, curve) in self.curves.iter().enumerate() {
            let pixels = curve.points.iter().map(|&point| frame.at(self, point));
            overlays.push(screen.line(pixels.clone(), 2.8 * unit, curve.color));
            if curve.has_dots {
                // A line of no length is a round dot.
                overlays.extend(
                    pixels.map(|pixel| screen.line([pixel, pixel + Vec2::X * 0.1], 9.0 * unit, curve.color)),
                );
            }
            let at = Vec2::new(frame.right + 14.0 * unit, frame.top + (14.0 + 24.0 * row as f32) * unit);
            overlays.push(Screen::text(curve.name.clone(), at, 18.0 * unit, curve.color, Align::Left));
        }
        let scene = Scene { background: Background::Solid(glam::Vec3::ONE), overlays, ..Scene::default() };
        let settings = RenderSettings { width: size.0, height: size.1, ..RenderSettings::default() };
        Renderer::new().render(&scene, &camera, &settings)
    }

    fn rules(&self, frame: &Frame, screen: &Screen, unit: f32) -> Vec<Overlay> {
        let (small, large) = (16.0 * unit, 22.0 * unit);
        let mut overlays = Vec::new();
        let mut text = |text: String, at, size_px, align| {
            overlays.push(Screen::text(text, at, size_px, INK, align));
        };
        // A long title is made smaller, so that it ends where the picture does.
        let style = sinew_render::TextStyle { size_px: large, ..Default::default() };
        let fits = (frame.width - frame.left - small) / style.width_px(&self.title).max(1.0);
        text(self.title.clone(), Vec2::new(frame.left, 0.44 * frame.top), large * fits.min(1.0), Align::Left);
        text(self.y_name.clone(), Vec2::new(frame.left, frame.top - 12.0 * unit), small, Align::Left);
        let below = Vec2::new(0.5 * (frame.left + frame.right), frame.bottom + 46.0 * unit);
        text(self.x_name.clone(), below, small, Align::Center);
        for x in self.x_ticks(frame) {
            let at = Vec2::new(frame.at(self, [x, frame.y[0]]).x, frame.bottom + 22.0 * unit);
            text(number(x), at, small, Align::Center);
        }
        let y_ticks = ticks(frame.y);
        for &y in &y_ticks {
            let at = Vec2::new(frame.left - 10.0 * unit, frame.at(self, [frame.x[0], y]).y + 0.34 * small);
            text(number(y), at, small, Align::Right);
        }
        for &y in &y_ticks {
            let ends = [frame.x[0], frame.x[1]].map(|x| frame.at(self, [x, y]));
            overlays.push(screen.line(ends, unit, RULE));
        }
        let corners = [[0, 1], [0, 0], [1, 0]].map(|[x, y]| frame.at(self, [frame.x[x], frame.y[y]]));
        overlays.push(screen.line(corners, 1.6 * unit, INK));
        overlays
    }

    fn x_ticks(&self, frame: &Frame) -> Vec<f64> {
        if !self.is_log_x {
            return ticks(frame.x);
        }
        let mut all: Vec<f64> = self.curves.iter().flat_map(|curve| &curve.points).map(|p| p[0]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }
}

/// Where values lie in the picture.
struct Frame {
    /// Of the picture.
    width: f32,
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    fn of(chart: &Chart, size: (u32, u32), unit: f32) -> Self {
        let points = || chart.curves.iter().flat_map(|curve| curve.points.iter());
        let range = |axis: usize| {
            let values = points().map(|point| point[axis]).filter(|value| value.is_finite());
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            })
        };
        let (x, y) = (range(0), range(1));
        let style = sinew_render::TextStyle { size_px: 18.0 * unit, ..Default::default() };
        let legend = chart.curves.iter().map(|curve| style.width_px(&curve.name)).fold(0.0, f32::max);
        Self {
            width: size.0 as f32,
            left: 78.0 * unit,
            right: size.0 as f32 - legend - 40.0 * unit,
            top: 92.0 * unit,
            bottom: size.1 as f32 - 66.0 * unit,
            x: if x[0] < x[1] { x } else { [0.0, 1.0] },
            y: [y[0].min(chart.y_range[0]), y[1].max(chart.y_range[1])],
        }
    }

    fn at(&self, chart: &Chart, [x, y]: [f64; 2]) -> Vec2 {
        let along = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
        let x = if chart.is_log_x {
            along(x.max(1e-30).log2(), self.x.map(|end| end.max(1e-30).log2()))
        } else {
            along(x, self.x)
        };
        Vec2::new(
            self.left + (self.right - self.left) * x as f32,
            self.bottom + (self.top - self.bottom) * along(y, self.y) as f32,
        )
    }
}

/// Round numbers within a range, four to nine of them.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let raw = (high - low) / 5.0;
    if raw.is_nan() || raw <= 0.0 {
        return vec![low];
    }
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|at| at as f64 * step).collect()
}

/// A number with as many digits as it needs, up to four.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks([0.0, 1.0]), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks([3.0, 47.0]), [10.0, 20.0, 30.0, 40.0]);
        assert_eq!(ticks([2.0, 2.0]), [2.0]);
        assert_eq!(number(0.6000000000000001), "0.6");
        assert_eq!(number(480.0), "480");
    }

    #[test]
    fn a_curve_is_drawn_where_its_values_are() {
        let points = vec![[0.0, 0.0], [1.0, 1.0]];
        let curve = Curve { name: "c".into(), color: [255, 0, 0, 255], points, has_dots: true };
        let chart = Chart {
            title: String::new(),
            x_name: String::new(),
            y_name: String::new(),
            is_log_x: false,
            y_range: [0.0, 1.0],
            curves: vec![curve],
        };
        let size = (400, 300);
        let image = chart.draw(size).unwrap();
        let frame = Frame::of(&chart, size, 300.0 / 480.0);
        let middle = frame.at(&chart, [0.5, 0.5]);
        let [red, green, ..] = image.pixel(middle.x as u32, middle.y as u32);
        assert!(red > 200 && green < 90, "the line passes through the middle: {red} {green}");
    }
}
