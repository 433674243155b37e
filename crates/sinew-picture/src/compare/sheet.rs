//! All methods on one sheet, with their measures and the map of the differences.

use super::CompareSettings;
use super::numbers::{ComparisonNumbers, differences};
use crate::PictureError;
use crate::compare::MeasureRow;
use glam::Vec2;
use sinew_render::{
    ColorMap, Ground, Image, LabelAnchor, Object, Overlay, RenderSettings, Renderer, ScalarMap, Scene,
    TextStyle, contact_sheet,
};
use sinew_rig::{BoundSurface, Surface};
use sinew_skin::PosedCharacter;
use sinew_skin::measures::ProbedJoint;

/// What the sheet is drawn from.
pub(super) struct Sheet<'a> {
    pub(super) posed: &'a PosedCharacter,
    pub(super) settings: &'a CompareSettings,
    pub(super) joints: &'a [ProbedJoint],
    pub(super) shapes: &'a [Surface],
    pub(super) numbers: &'a ComparisonNumbers,
    pub(super) bodies: Vec<Object>,
}

const INK: [u8; 4] = [46, 52, 60, 255];
const HALO: [u8; 4] = [255, 255, 255, 200];

impl Sheet<'_> {
    pub(super) fn draw(&self) -> Result<Image, PictureError> {
        let camera = self.camera();
        let (width, height) = self.settings.size;
        let render = RenderSettings { width, height, quality: self.settings.quality };
        let mut renderer = Renderer::new();
        let mut cells = Vec::new();
        for (index, shape) in self.shapes.iter().enumerate() {
            let scene = self.scene(shape, None, self.labels(index));
            cells.push((renderer.render(&scene, &camera, &render)?, self.caption(index)));
        }
        if self.shapes.len() > 1 {
            let scale = self.difference_scale();
            for (index, shape) in self.shapes.iter().enumerate() {
                let scene =
                    self.scene(shape, Some((differences(shape, &self.shapes[0]), &scale)), Vec::new());
                cells.push((
                    renderer.render(&scene, &camera, &render)?,
                    self.difference_caption(index, &scale),
                ));
            }
        }
        let joints: Vec<String> = self
            .numbers
            .joints
            .iter()
            .map(|joint| format!("{} {:.0}°", joint.bone, joint.turn_deg))
            .collect();
        let title = if joints.is_empty() { "No joint is turned".to_owned() } else { joints.join(", ") };
        Ok(contact_sheet(&cells, self.shapes.len(), Some(&title))?)
    }

    fn scene(&self, shape: &Surface, map: Option<(Vec<f32>, &Scale)>, overlays: Vec<Overlay>) -> Scene {
        let of_instance = |(body, placed): (&Object, &sinew_rig::BoundInstance)| Object {
            positions: shape.positions[placed.vertices.clone()].to_vec(),
            normals: shape.normals[placed.vertices.clone()].to_vec(),
            scalar_map: map.as_ref().map(|(values, scale)| ScalarMap {
                values: values[placed.vertices.clone()].iter().map(|value| value * scale.factor).collect(),
                range: (0.0, scale.greatest),
                color_map: ColorMap::Weights,
                label: format!("from {}", self.settings.methods[0].title()),
                unit: scale.unit.to_owned(),
            }),
            ..body.clone()
        };
        let bound: &BoundSurface = self.posed.bound();
        let lowest =
            self.shapes.iter().flat_map(|shape| &shape.positions).map(|position| position.y).reduce(f32::min);
        Scene {
            objects: self.bodies.iter().zip(bound.instances()).map(of_instance).collect(),
            ground: lowest.map_or(Ground::None, |y| Ground::Plane { y }),
            overlays,
            ..Scene::default()
        }
    }

    /// The method's name and, below it, what the caption has no room for.
    fn labels(&self, index: usize) -> Vec<Overlay> {
        let label = |text: String, y: f32, size_px: f32| Overlay::Label {
            text,
            at: LabelAnchor::Screen(Vec2::new(12.0, y)),
            style: TextStyle { size_px, color: INK, halo: Some(HALO), ..TextStyle::default() },
        };
        let line = self.line_px();
        let mut labels = vec![label(self.settings.methods[index].title(), line * 1.8, line * 1.6)];
        let lines = self.lines(index).into_iter().enumerate();
        labels.extend(lines.map(|(at, text)| label(text, line * (3.1 + 1.15 * at as f32), line)));
        labels
    }

    /// Height of a line of text.
    pub(super) fn line_px(&self) -> f32 {
        (self.settings.size.1 as f32 * 0.031).clamp(11.0, 28.0)
    }

    /// The whole volume, and the joints after the first.
    pub(super) fn lines(&self, index: usize) -> Vec<String> {
        let numbers = &self.numbers.methods[index];
        let whole = numbers.volume.map(|volume| format!("whole volume {volume:.4}"));
        let others = numbers.joints.iter().skip(1).map(|row| format!("{}: {}", row.model, short(row)));
        whole.into_iter().chain(others).collect()
    }

    /// The measures of the most turned joint.
    fn caption(&self, index: usize) -> String {
        let row = self.numbers.methods[index].joints.first();
        match row {
            Some(row) if self.joints.len() > 1 => format!("{}: {}", row.model, short(row)),
            Some(row) => short(row),
            None => String::new(),
        }
    }

    fn difference_caption(&self, index: usize, scale: &Scale) -> String {
        let numbers = &self.numbers.methods[index];
        if index == 0 {
            return format!("{}: the others are measured from here", self.settings.methods[0].title());
        }
        let shown = |value: f64| value * f64::from(scale.factor);
        let (largest, mean) = (shown(numbers.largest_difference), shown(numbers.mean_difference));
        format!(
            "{} from {}: at most {largest:.1} {unit}, mean {mean:.2} {unit}",
            self.settings.methods[index].title(),
            self.settings.methods[0].title(),
            unit = scale.unit
        )
    }

    fn difference_scale(&self) -> Scale {
        let largest =
            self.numbers.methods.iter().map(|method| method.largest_difference).fold(0.0, f64::max) as f32;
        let size = self.numbers.size as f32;
        // A body in metres is read in millimetres; in any other unit only shares of its size mean something.
        let (factor, unit) = if (0.1..20.0).contains(&size) {
            (1000.0, "mm")
        } else {
            (100.0 / size.max(f32::MIN_POSITIVE), "% of size")
        };
        let greatest = (largest * factor).max(f32::MIN_POSITIVE);
        Scale { factor, unit, greatest }
    }
}

/// Kink, sharpest turn, volume and least section in a line that fits below a picture.
fn short(row: &MeasureRow) -> String {
    let mut parts = Vec::new();
    if let (Some(begin), Some(end)) = (row.kink_r0_deg, row.kink_r1_deg) {
        parts.push(format!("kink {begin:.0}°/{end:.0}°"));
    }
    parts.extend(row.turn_deg.map(|turn| format!("turn {turn:.0}°")));
    parts.extend(row.volume.map(|volume| format!("vol {volume:.2}")));
    parts.extend(row.section_least.map(|least| format!("section {least:.2}")));
    parts.join(" · ")
}

/// Unit of differences.
struct Scale {
    /// From scene units.
    factor: f32,
    unit: &'static str,
    greatest: f32,
}
