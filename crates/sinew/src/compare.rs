//! One pose by several methods, side by side, with measures and a map of the differences.

use crate::PosedCharacter;
use crate::figures::{MeasureRow, title_of};
use crate::picture::{CameraChoice, PictureError, PictureSettings, objects};
use glam::{DVec3, Vec2, Vec3};
use serde::Serialize;
use sinew_geometry::Bounds;
use sinew_io::Report;
use sinew_render::{
    Camera, ColorMap, Ground, Image, LabelAnchor, Object, Overlay, Quality, RenderSettings, Renderer,
    ScalarMap, Scene, TextStyle, View, contact_sheet,
};
use sinew_rig::{BoneId, BoundSurface, Character, FindError, Pose, Surface};
use sinew_skin::measures::{ClosedSurface, JointMeasures, ProbedJoint, joint_probes};
use sinew_skin::{Method, SkinSettings};

/// What to compare, and how to show it.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareSettings {
    /// The methods; differences are measured from the first. At least one.
    pub methods: Vec<Method>,
    /// Where from; `None` looks at the focus across the plane of its bend, or at the whole from three quarters.
    pub camera: Option<CameraChoice>,
    /// Width and height of one picture in pixels. Default: 480 × 480.
    pub size: (u32, u32),
    /// The bone whose joint fills the pictures, by name or `#` and index; `None` for the whole model.
    pub focus: Option<String>,
    /// How well it is drawn. Default: standard.
    pub quality: Quality,
}

impl Default for CompareSettings {
    fn default() -> Self {
        Self {
            methods: vec![Method::Lbs, Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb],
            camera: None,
            size: (480, 480),
            focus: None,
            quality: Quality::Standard,
        }
    }
}

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// No method was given.
    #[error("name at least one method to compare")]
    NoMethod,
    /// The focus is no bone.
    #[error(transparent)]
    Find(#[from] FindError),
    /// The focus moves no skin together with its parent.
    #[error("no vertex lies between bone {bone:?} and its parent; focus on one of {known}")]
    NoJoint {
        /// What was asked for.
        bone: String,
        /// Bones that would do, the most turned first.
        known: String,
    },
    /// A picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The sheet cannot be drawn.
    #[error(transparent)]
    Render(#[from] sinew_render::RenderError),
}

/// A sheet with the numbers on it.
pub struct Comparison {
    /// One row of pictures, and one of differences to the first method where there are several.
    pub sheet: Image,
    /// The numbers.
    pub numbers: ComparisonNumbers,
}

/// All numbers of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparisonNumbers {
    /// Diagonal of the posed model's bounding box by the first method, scene units.
    pub size: f64,
    /// Whether the surface is closed enough for its volume to mean something: the share of edges at holes.
    pub open_edge_share: f64,
    /// The measured joints, most turned first; the focus alone where there is one.
    pub joints: Vec<ComparedJoint>,
    /// One per method, in the order asked for.
    pub methods: Vec<ComparedMethod>,
}

/// A joint that is measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedJoint {
    /// The child bone.
    pub bone: String,
    /// How far it is turned against rest, degrees.
    pub turn_deg: f64,
    /// How far the soft range reaches back from the joint along the parent, scene units.
    pub range_back: f64,
    /// How far it reaches forth along the child, scene units.
    pub range_forth: f64,
}

/// A method's numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedMethod {
    /// The method, with its parameters.
    pub method: String,
    /// Volume of the whole surface over that in rest; none where the surface is not closed enough.
    pub volume: Option<f64>,
    /// Largest distance of a vertex to where the first method puts it, scene units.
    pub largest_difference: f64,
    /// Mean of these distances over all vertices that differ.
    pub mean_difference: f64,
    /// Measures of each joint of [`ComparisonNumbers::joints`]; the row's model is the bone.
    pub joints: Vec<MeasureRow>,
}

/// Joints measured where there is no focus: what fits in a picture's corner.
const MOST_JOINTS: usize = 4;

/// A joint turned by less is at rest, radians.
const LEAST_TURN_RAD: f64 = 0.05;

/// Up to this share of edges at holes, a body's volume changes by less than a thousandth with the way they are closed.
const MOST_OPEN_SHARE: f64 = 0.05;

/// Vertices nearer than this share of the model's size are where they were: methods that agree round differently.
const ROUNDING: f64 = 1e-6;

/// Deforms `pose` by every method and draws all on one sheet, under one camera.
///
/// # Errors
/// No method, a focus that is no joint, or a picture that cannot be drawn.
pub fn compare(
    character: &Character,
    pose: &Pose,
    settings: &CompareSettings,
    report: &mut Report,
) -> Result<Comparison, CompareError> {
    let first = *settings.methods.first().ok_or(CompareError::NoMethod)?;
    let mut posed = PosedCharacter::bind(character, first);
    let rest_positions = posed.surface().positions.clone();
    posed.set(pose);
    let joints = chosen_joints(&posed, pose, settings)?;
    let shapes: Vec<Surface> =
        settings.methods.iter().map(|&method| shape_of(character, pose, method)).collect();
    let numbers = numbers_of(&posed, &rest_positions, &joints, &shapes, &settings.methods);
    let picture = PictureSettings { quality: settings.quality, ..PictureSettings::default() };
    let bodies = objects(&posed, &picture, None, report);
    let sheet =
        Sheet { posed: &posed, settings, joints: &joints, shapes: &shapes, numbers: &numbers, bodies };
    Ok(Comparison { sheet: sheet.draw()?, numbers })
}

fn shape_of(character: &Character, pose: &Pose, method: Method) -> Surface {
    let mut posed = PosedCharacter::bind(character, method);
    posed.set(pose);
    posed.surface().clone()
}

/// The joint of the focus, or those turned most.
fn chosen_joints(
    posed: &PosedCharacter<'_>,
    pose: &Pose,
    settings: &CompareSettings,
) -> Result<Vec<ProbedJoint>, CompareError> {
    let (character, bound) = (posed.character(), posed.bound());
    let matrices = bound.posed_from_rest(character, pose);
    let mut joints = joint_probes(character, bound, &SkinSettings::from(settings.methods[0]), &matrices);
    joints.sort_by(|a, b| b.probe.turn_rad().total_cmp(&a.probe.turn_rad()));
    // Several meshes bound apart can share a joint: the one with most to show is measured.
    let mut seen: Vec<BoneId> = Vec::new();
    joints.retain(|joint| {
        !seen.contains(&joint.bone) && {
            seen.push(joint.bone);
            true
        }
    });
    if let Some(name) = &settings.focus {
        let bone = character.skeleton().find(name)?;
        let known = joints
            .iter()
            .take(8)
            .map(|joint| bone_name(character, joint.bone))
            .collect::<Vec<_>>()
            .join(", ");
        joints.retain(|joint| joint.bone == bone);
        if joints.is_empty() {
            return Err(CompareError::NoJoint { bone: name.clone(), known });
        }
        return Ok(joints);
    }
    joints.retain(|joint| joint.probe.turn_rad() > LEAST_TURN_RAD);
    joints.truncate(MOST_JOINTS);
    Ok(joints)
}

fn bone_name(character: &Character, bone: BoneId) -> String {
    let name = &character.skeleton().bone(bone).name;
    if name.is_empty() { format!("#{bone}") } else { name.clone() }
}

fn numbers_of(
    posed: &PosedCharacter<'_>,
    rest_positions: &[Vec3],
    joints: &[ProbedJoint],
    shapes: &[Surface],
    methods: &[Method],
) -> ComparisonNumbers {
    let (character, bound) = (posed.character(), posed.bound());
    let closed = ClosedSurface::of(rest_positions, bound.triangles());
    let is_closed = closed.open_share() < MOST_OPEN_SHARE;
    let size = f64::from(Bounds::of(&shapes[0].positions).diagonal());
    let of_method = |(shape, &method): (&Surface, &Method)| {
        let distances = differences(shape, &shapes[0]).into_iter().map(f64::from);
        let differing: Vec<f64> = distances.filter(|&distance| distance > ROUNDING * size).collect();
        let row = |joint: &ProbedJoint| {
            let measures = JointMeasures::of(bound, joint, method, &shape.positions);
            MeasureRow::new(&bone_name(character, joint.bone), method, &measures)
        };
        ComparedMethod {
            method: method.to_string(),
            volume: if is_closed { closed.ratio(rest_positions, &shape.positions) } else { None },
            largest_difference: differing.iter().copied().fold(0.0, f64::max),
            mean_difference: differing.iter().sum::<f64>() / differing.len().max(1) as f64,
            joints: joints.iter().map(row).collect(),
        }
    };
    let of_joint = |joint: &ProbedJoint| {
        let probe = &joint.probe;
        let scale = f64::from(probe.parent.matrix3.determinant().abs().cbrt());
        let reach = |end: Vec3| f64::from(end.distance(probe.head)) * scale;
        ComparedJoint {
            bone: bone_name(character, joint.bone),
            turn_deg: probe.turn_rad().to_degrees(),
            range_back: reach(probe.range.begin),
            range_forth: reach(probe.range.end),
        }
    };
    ComparisonNumbers {
        size,
        open_edge_share: closed.open_share(),
        joints: joints.iter().map(of_joint).collect(),
        methods: shapes.iter().zip(methods).map(of_method).collect(),
    }
}

/// The distance of every vertex to its place in another shape.
fn differences(shape: &Surface, from: &Surface) -> Vec<f32> {
    shape.positions.iter().zip(&from.positions).map(|(a, b)| a.distance(*b)).collect()
}

/// What the sheet is drawn from.
struct Sheet<'a, 'c> {
    posed: &'a PosedCharacter<'c>,
    settings: &'a CompareSettings,
    joints: &'a [ProbedJoint],
    shapes: &'a [Surface],
    numbers: &'a ComparisonNumbers,
    bodies: Vec<Object>,
}

const INK: [u8; 4] = [46, 52, 60, 255];
const HALO: [u8; 4] = [255, 255, 255, 200];

impl Sheet<'_, '_> {
    fn draw(&self) -> Result<Image, CompareError> {
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
                label: format!("from {}", title_of(self.settings.methods[0])),
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
        let mut labels = vec![label(title_of(self.settings.methods[index]), line * 1.8, line * 1.6)];
        let lines = self.lines(index).into_iter().enumerate();
        labels.extend(lines.map(|(at, text)| label(text, line * (3.1 + 1.15 * at as f32), line)));
        labels
    }

    /// Height of a line of text.
    fn line_px(&self) -> f32 {
        (self.settings.size.1 as f32 * 0.031).clamp(11.0, 28.0)
    }

    /// The whole volume, and the joints after the first.
    fn lines(&self, index: usize) -> Vec<String> {
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
            return format!("{}: the others are measured from here", title_of(self.settings.methods[0]));
        }
        let shown = |value: f64| value * f64::from(scale.factor);
        let (largest, mean) = (shown(numbers.largest_difference), shown(numbers.mean_difference));
        format!(
            "{} from {}: at most {largest:.1} {unit}, mean {mean:.2} {unit}",
            title_of(self.settings.methods[index]),
            title_of(self.settings.methods[0]),
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

    /// One camera for all pictures: it sees every method's shape, with room for the text above and the legend on the right.
    fn camera(&self) -> Camera {
        let aspect = self.settings.size.0 as f32 / self.settings.size.1 as f32;
        let mut framed: Vec<Vec3> = match (&self.settings.focus, self.joints.first()) {
            (Some(_), Some(joint)) => self.near(joint),
            _ => self.shapes.iter().flat_map(|shape| shape.positions.iter().copied()).collect(),
        };
        let (toward_eye, up) = match (self.settings.camera, self.joints.first()) {
            (Some(CameraChoice::At { eye, target, vertical_fov_rad }), _) => {
                return Camera { eye, target, up: Vec3::Y, vertical_fov_rad };
            }
            (Some(CameraChoice::View(View::Top)), _) => (View::Top.direction(), Vec3::NEG_Z),
            (Some(CameraChoice::View(view)), _) => (view.direction(), Vec3::Y),
            (None, Some(joint)) if self.settings.focus.is_some() => across_bend(joint),
            _ => (View::ThreeQuarter.direction(), Vec3::Y),
        };
        let text_px = self.line_px() * (2.0 + 1.15 * self.lines(0).len() as f32);
        let right = up.cross(toward_eye).normalize_or_zero();
        extend(&mut framed, toward_eye.cross(right), text_px / self.settings.size.1 as f32);
        extend(&mut framed, right, LEGEND_SHARE);
        Camera::frame_from(toward_eye, up, framed, aspect)
    }

    /// What to show around a joint: vertices of its two bones up to most of the longer bone away, or the soft range if that is more.
    fn near(&self, joint: &ProbedJoint) -> Vec<Vec3> {
        let (bound, probe) = (self.posed.bound(), &joint.probe);
        let longer = probe.parent_head.distance(probe.head).max(probe.child_tip.distance(probe.head));
        let reach = (FOCUS_SHARE * longer).max(probe.range_length() as f32);
        let is_near = |vertex: usize| {
            let (entries, weights) = bound.influences().of(vertex);
            let own = |entry: u16| entry == joint.parent_entry || entry == joint.child_entry;
            let share: f32 =
                entries.iter().zip(weights).filter(|(entry, _)| own(**entry)).map(|(_, weight)| weight).sum();
            share > 0.5 && bound.rest().positions[vertex].distance(probe.head) <= reach
        };
        let near: Vec<usize> = (0..bound.vertex_count()).filter(|&vertex| is_near(vertex)).collect();
        self.shapes.iter().flat_map(|shape| near.iter().map(|&vertex| shape.positions[vertex])).collect()
    }
}

/// Kink, volume and least radius in a line that fits below a picture.
fn short(row: &MeasureRow) -> String {
    let mut parts = Vec::new();
    if let (Some(begin), Some(end)) = (row.kink_r0_deg, row.kink_r1_deg) {
        parts.push(format!("kink {begin:.0}°/{end:.0}°"));
    }
    parts.extend(row.volume.map(|volume| format!("vol {volume:.2}")));
    parts.extend(row.radius_least.map(|least| format!("radius {least:.2}")));
    parts.join(" · ")
}

/// Unit of differences.
struct Scale {
    /// From scene units.
    factor: f32,
    unit: &'static str,
    greatest: f32,
}

/// How much of the longer bone a focus shows.
const FOCUS_SHARE: f32 = 0.7;

/// Width of the legend in a picture.
const LEGEND_SHARE: f32 = 0.12;

/// Adds a point so far in a direction that all others keep clear of `share` of the whole extent there.
fn extend(points: &mut Vec<Vec3>, direction: Vec3, share: f32) {
    let along = |point: &Vec3| point.dot(direction);
    let Some(farthest) = points.iter().copied().max_by(|a, b| along(a).total_cmp(&along(b))) else { return };
    let least = points.iter().map(along).fold(f32::MAX, f32::min);
    let share = share.clamp(0.0, 0.5);
    points.push(farthest + direction * ((along(&farthest) - least) * share / (1.0 - share)));
}

/// Where to look at a bent joint from: across the plane of its bones, from the side nearer to the three-quarter view; that view for a
/// joint that is straight.
fn across_bend(joint: &ProbedJoint) -> (Vec3, Vec3) {
    let (_, [back, forth]) = joint.probe.posed_wedge();
    let usual = View::ThreeQuarter.direction();
    let across: DVec3 = back.normalize_or_zero().cross(forth.normalize_or_zero());
    if across.length() < 0.2 {
        return (usual, Vec3::Y);
    }
    let across = across.normalize().as_vec3();
    let across = if across.dot(usual) < 0.0 { -across } else { across };
    // A little of the usual view shows the surface's depth.
    let toward_eye = (across + usual * 0.25).normalize();
    let up = if toward_eye.y.abs() > 0.9 { Vec3::NEG_Z } else { Vec3::Y };
    (toward_eye, up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    fn bent() -> (Character, Pose) {
        let limb = samples::limb(12, 24);
        let mut pose = Pose::rest(&limb);
        pose.turn(limb.skeleton().find("lower").expect("a bone"), glam::Quat::from_rotation_x(1.5));
        (limb, pose)
    }

    #[test]
    fn a_sheet_has_a_row_of_pictures_and_one_of_differences() {
        let (limb, pose) = bent();
        let settings =
            CompareSettings { size: (96, 96), focus: Some("lower".into()), ..CompareSettings::default() };
        let compared = compare(&limb, &pose, &settings, &mut Report::default()).expect("a sheet");
        let numbers = &compared.numbers;
        assert!(compared.sheet.width() > 5 * 96 && compared.sheet.height() > 2 * 96);
        assert_eq!(numbers.methods.len(), 5);
        assert_eq!(numbers.methods[0].largest_difference, 0.0);
        assert!(numbers.methods[3].largest_difference > 0.01, "a bend of 86° moves the skin by centimetres");
        assert!(numbers.methods[0].volume.is_some_and(|volume| volume < 1.0), "the limb is closed");
        assert!((numbers.joints[0].turn_deg - 1.5f64.to_degrees()).abs() < 1e-3);
        assert!(
            numbers.methods[3].joints[0].kink_r0_deg.is_some_and(|kink| kink < 0.1),
            "Bézier has no kink"
        );
    }

    #[test]
    fn mistakes_are_explained() {
        let (limb, pose) = bent();
        let message = |settings: CompareSettings| {
            compare(&limb, &pose, &settings, &mut Report::default()).err().expect("a mistake").to_string()
        };
        let focus = |bone: &str| CompareSettings { focus: Some(bone.into()), ..CompareSettings::default() };
        assert_eq!(
            message(focus("upper")),
            "no vertex lies between bone \"upper\" and its parent; focus on one of lower"
        );
        assert!(message(focus("nobody")).contains("nobody"));
        assert_eq!(
            message(CompareSettings { methods: Vec::new(), ..CompareSettings::default() }),
            "name at least one method to compare"
        );
    }
}
