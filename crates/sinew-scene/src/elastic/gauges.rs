//! Weights of examples over a picture, as bars or as curves over time.

use super::playback::Playback;
use super::scene::ElasticScene;
use super::text::WeightsShown;
use glam::Vec2;
use sinew_picture::screen::Screen;
use sinew_render::{Align, Overlay, Rgba8};

/// One weight that is shown: of an example, in a group, the mean of all bodies of a family.
pub(super) struct Gauge {
    /// What it is called.
    pub(super) name: String,
    pub(super) color: Rgba8,
    casts: Vec<usize>,
    group: usize,
    example: usize,
}

/// Colors where a family has several gauges.
const COLORS: [u32; 8] = [0xce483c, 0x2e76c4, 0xde9820, 0x2c945c, 0x8452ac, 0x249ca8, 0xc45c8a, 0x6c703c];

/// More gauges than this are not drawn; they are in the report all the same.
const MOST_GAUGES: usize = 14;

const INK: Rgba8 = [70, 76, 84, 255];
const TRACK: Rgba8 = [206, 210, 215, 255];

impl Gauge {
    /// All gauges of a scene.
    pub(super) fn all(scene: &ElasticScene) -> Vec<Self> {
        let mut families: Vec<(&str, Vec<usize>)> = Vec::new();
        for (number, cast) in scene.casts().iter().enumerate() {
            match families.iter_mut().find(|(family, _)| *family == cast.family) {
                Some((_, casts)) => casts.push(number),
                None => families.push((&cast.family, vec![number])),
            }
        }
        let mut gauges = Vec::new();
        for (family, casts) in &families {
            let cast = &scene.casts()[casts[0]];
            let is_each = cast.model.grouping == sinew_soft::Grouping::Each;
            let group_count = if is_each { cast.group_count.min(1) } else { cast.group_count };
            // A body's own color tells it from the others, unless they share it.
            let has_own_color =
                scene.casts().iter().all(|other| other.family == *family || other.color != cast.color);
            let is_single = group_count * cast.example_names.len() == 1 && has_own_color;
            for group in 0..group_count {
                for (example, example_name) in cast.example_names.iter().enumerate() {
                    let mut name = String::new();
                    if families.len() > 1 {
                        name = format!("{family}: ");
                    }
                    name += example_name;
                    if group_count > 1 {
                        name += &format!(" ({})", group + 1);
                    }
                    let [_, r, g, b] = COLORS[gauges.len() % COLORS.len()].to_be_bytes();
                    let [r, g, b] = if is_single { cast.color } else { [r, g, b] };
                    let color = [r, g, b, 255];
                    gauges.push(Self { name, color, casts: casts.clone(), group, example });
                }
            }
        }
        gauges
    }

    /// Its weight in a frame.
    pub(super) fn weight(&self, playback: &Playback, frame: usize) -> f32 {
        let bodies = &playback.frames[frame].bodies;
        let of = |&cast: &usize| {
            bodies[cast]
                .weights
                .get(self.group)
                .and_then(|group| group.get(self.example))
                .copied()
                .unwrap_or(0.0)
        };
        self.casts.iter().map(of).sum::<f32>() / self.casts.len().max(1) as f32
    }
}

/// Every gauge's name and its weight in each frame.
pub fn weight_curves(scene: &ElasticScene, playback: &Playback) -> Vec<(String, Vec<f32>)> {
    let all = |gauge: &Gauge| (0..playback.frames.len()).map(|frame| gauge.weight(playback, frame)).collect();
    Gauge::all(scene).iter().map(|gauge| (gauge.name.clone(), all(gauge))).collect()
}

/// Gauges of a frame, before a camera.
pub(super) struct GaugeBoard<'a> {
    pub(super) scene: &'a ElasticScene,
    pub(super) playback: &'a Playback,
    pub(super) frame: usize,
    pub(super) screen: &'a Screen,
}

impl GaugeBoard<'_> {
    /// What is drawn over the frame.
    pub(super) fn overlays(&self, gauges: &[Gauge]) -> Vec<Overlay> {
        let shown = &gauges[..gauges.len().min(MOST_GAUGES)];
        match self.scene.file.show.weights {
            WeightsShown::None => Vec::new(),
            WeightsShown::Bars => self.bars(shown),
            WeightsShown::Graph => self.graph(shown),
        }
    }

    fn bars(&self, gauges: &[Gauge]) -> Vec<Overlay> {
        let Self { scene, playback, frame, screen } = *self;
        let unit = unit(scene);
        let size_px = 19.0 * unit;
        let style = sinew_render::TextStyle { size_px, ..Default::default() };
        let widest = gauges.iter().map(|gauge| style.width_px(&gauge.name)).fold(0.0, f32::max);
        let (left, length) = (24.0 * unit + widest + 14.0 * unit, 180.0 * unit);
        let mut overlays = Vec::new();
        for (row, gauge) in gauges.iter().enumerate() {
            let y = (38.0 + 28.0 * row as f32) * unit;
            let weight = gauge.weight(playback, frame).clamp(0.0, 1.0);
            let bar = |length: f32, color| {
                screen.line([Vec2::new(left, y), Vec2::new(left + length, y)], 9.0 * unit, color)
            };
            let name_at = Vec2::new(left - 14.0 * unit, y + 0.34 * size_px);
            overlays.push(Screen::text(gauge.name.clone(), name_at, size_px, INK, Align::Right));
            overlays.push(bar(length, TRACK));
            if weight > 0.0 {
                overlays.push(bar(length * weight, gauge.color));
            }
            let number_at = Vec2::new(left + length + 14.0 * unit, y + 0.34 * size_px);
            overlays.push(Screen::text(format!("{weight:.2}"), number_at, size_px, INK, Align::Left));
        }
        overlays
    }

    fn graph(&self, gauges: &[Gauge]) -> Vec<Overlay> {
        let Self { scene, playback, frame, screen } = *self;
        let unit = unit(scene);
        let (width, height) = (0.34 * scene.size().0 as f32, 0.2 * scene.size().1 as f32);
        let (left, bottom) = (58.0 * unit, scene.size().1 as f32 - 40.0 * unit);
        let last = playback.frames.len().max(2) - 1;
        let place = |frame: usize, weight: f32| {
            Vec2::new(left + width * frame as f32 / last as f32, bottom - height * weight.clamp(0.0, 1.0))
        };
        let mut overlays = Vec::new();
        let size_px = 17.0 * unit;
        for level in [0.0, 0.5, 1.0] {
            let (thickness, color) = if level == 0.0 { (1.6, INK) } else { (1.0, TRACK) };
            overlays.push(screen.line([place(0, level), place(last, level)], thickness * unit, color));
            let at = Vec2::new(left - 8.0 * unit, bottom - height * level + 0.34 * size_px);
            overlays.push(Screen::text(format!("{level}"), at, size_px, INK, Align::Right));
        }
        for gauge in gauges {
            let curve = (0..=frame).map(|frame| place(frame, gauge.weight(playback, frame)));
            overlays.push(screen.line(curve, 2.6 * unit, gauge.color));
        }
        // The legend stands over the curves, the first on top.
        for (row, gauge) in gauges.iter().rev().enumerate() {
            let y = bottom - height - (18.0 * unit + row as f32 * 1.3 * size_px);
            let text = format!("{} {:.2}", gauge.name, gauge.weight(playback, frame));
            overlays.push(Screen::text(text, Vec2::new(left, y), size_px, gauge.color, Align::Left));
        }
        overlays
    }
}

/// Pixels that count as one at a height of 720.
fn unit(scene: &ElasticScene) -> f32 {
    scene.size().1 as f32 / 720.0
}
