//! Weights of helpers and errors as colors on the skin.

use super::super::{Size, drawn};
use super::rows::SubjectFit;
use super::subject::Subject;
use anyhow::Result;
use glam::{DAffine3, DVec3, Vec3};
use sinew_geometry::Bounds;
use sinew_picture::compare::leave_room;
use sinew_render::{Camera, ColorMap, Image, Material, Object, ScalarMap, Scene, View, contact_sheet};

/// Weights of each helper, from before and from behind; \[Mukai15\] Fig. 4.
pub(super) fn weight_sheet(subject: &Subject, fit: &SubjectFit, size: Size) -> Result<Image> {
    let bone_count = fit.helpers.driver_count + fit.helpers.helper_count;
    let rest = &subject.examples.rest_positions;
    let size = upright(rest, size);
    let mut cells = Vec::new();
    for (view, side) in [(View::Front, "from the front"), (View::Back, "from behind")] {
        for helper in 0..fit.helpers.helper_count {
            let column = fit.helpers.driver_count + helper;
            let weights = fit.helpers.weights.iter().skip(column).step_by(bone_count);
            let values: Vec<f32> = weights.map(|&weight| weight as f32).collect();
            let moved = values.iter().filter(|&&weight| weight > 0.0).count();
            let map = scalar_map(values, 1.0, ["weight", ""]);
            let image = colored(subject, rest, map, (view, rest), size)?;
            cells.push((image, format!("helper {}, {moved} vertices, {side}", helper + 1)));
        }
    }
    let title = format!("Weights of {} helpers on {}", fit.helpers.helper_count, subject.name);
    Ok(contact_sheet(&cells, fit.helpers.helper_count.max(1), Some(&title))?)
}

/// What bones alone, helpers and controllers miss: over all poses on the skin at rest, and in a pose that bones alone miss as much as half of all; \[Mukai15\]
/// Fig. 8.
pub(super) fn error_sheet(
    subject: &Subject,
    bare: &SubjectFit,
    fit: &SubjectFit,
    size: Size,
) -> Result<Image> {
    let by_pose = &bare.helpers.errors.by_pose;
    let mut order: Vec<usize> = (0..by_pose.len()).collect();
    order.sort_by(|&a, &b| by_pose[a].total_cmp(&by_pose[b]));
    let usual = order.get(order.len() / 2).copied().unwrap_or(0);
    let (count, rest) = (fit.helpers.helper_count, &subject.examples.rest_positions);
    let ways = [
        ("bones alone".to_owned(), &bare.helpers.errors, bare.posed(subject, usual)),
        (format!("{count} helpers"), &fit.helpers.errors, fit.posed(subject, usual)),
        ("with controllers".to_owned(), &fit.controllers.errors, fit.controlled_pose(subject, usual).skin),
    ];
    let mut cells = Vec::new();
    let most = ways[0].1.by_vertex.iter().copied().fold(0.0, f64::max) * subject.units;
    for (name, errors, _) in &ways {
        let map = error_map(subject, errors.by_vertex.iter().copied(), most);
        let image = colored(subject, rest, map, (View::Back, rest), size)?;
        cells.push((image, format!("{name}: {:.2} {}, all poses", errors.rms * subject.units, subject.unit)));
    }
    let examples = subject.examples.examples();
    let targets = examples.targets(usual);
    let distances = |posed: &[Vec3]| -> Vec<f64> {
        posed.iter().zip(targets).map(|(a, b)| (a.as_dvec3() - b.as_dvec3()).length()).collect()
    };
    let most = distances(&ways[0].2).into_iter().fold(0.0, f64::max) * subject.units;
    // From the front or the side, where the truth's outline is wider.
    let span = Bounds::of(targets).size();
    let view = if span.z > span.x { View::Side } else { View::Front };
    for (name, errors, posed) in &ways {
        let map = error_map(subject, distances(posed).into_iter(), most);
        let image = colored(subject, posed, map, (view, targets), size)?;
        let rms = errors.by_pose.get(usual).copied().unwrap_or(0.0) * subject.units;
        cells.push((image, format!("{name}: {rms:.2} {}, one pose", subject.unit)));
    }
    let title = format!("Error on {}: over all poses, and in one of median error", subject.name);
    Ok(contact_sheet(&cells, ways.len(), Some(&title))?)
}

fn error_map(subject: &Subject, values: impl Iterator<Item = f64>, most: f64) -> ScalarMap {
    let values = values.map(|value| (value * subject.units) as f32).collect();
    scalar_map(values, most as f32, ["error", subject.unit])
}

fn scalar_map(values: Vec<f32>, most: f32, [label, unit]: [&str; 2]) -> ScalarMap {
    let (label, unit) = (label.into(), unit.into());
    ScalarMap { values, range: (0.0, most), color_map: ColorMap::Weights, label, unit }
}

/// Width of the legend in a picture.
const LEGEND_SHARE: f32 = 0.2;

/// A limb that stands gets pictures that do.
pub(super) fn upright(positions: &[Vec3], (width, height): Size) -> Size {
    let span = Bounds::of(positions).size();
    if span.y > 1.5 * span.x.max(span.z) { (width.min(height), width.max(height)) } else { (width, height) }
}

/// The skin in colors, from a view of `framed`, with room for the legend on the right.
fn colored(
    subject: &Subject,
    positions: &[Vec3],
    map: ScalarMap,
    (view, framed): (View, &[Vec3]),
    size: Size,
) -> Result<Image> {
    let mut points = framed.to_vec();
    let toward_eye = view.direction();
    leave_room(&mut points, Vec3::Y.cross(toward_eye).normalize_or_zero(), LEGEND_SHARE);
    let camera = Camera::frame_from(toward_eye, Vec3::Y, points, size.0 as f32 / size.1 as f32);
    let skin = Object::new(positions.to_vec(), subject.examples.triangles.clone(), Material::default());
    let scene = Scene { objects: vec![Object { scalar_map: Some(map), ..skin }], ..Scene::default() };
    Ok(drawn(&scene, &camera, size)?)
}

/// Skin and helpers in a pose.
pub(super) struct SubjectPose {
    /// One per vertex.
    pub(super) skin: Vec<Vec3>,
    /// Skinning matrices, one per helper.
    pub(super) helpers: Vec<DAffine3>,
}

impl SubjectFit {
    /// The skin in a pose, with helpers where they should be.
    fn posed(&self, subject: &Subject, pose: usize) -> Vec<Vec3> {
        let count = self.helpers.helper_count;
        let helpers = &self.helpers.posed_from_rest[pose * count..][..count];
        skinned(subject, &self.helpers.weights, pose, helpers)
    }

    /// A pose with helpers where controllers put them.
    pub(super) fn controlled_pose(&self, subject: &Subject, pose: usize) -> SubjectPose {
        let (set, controllers) = (&subject.examples, &self.controllers.controllers);
        let helpers = controllers.posed_from_rest(set.changes(pose), set.examples().drivers(pose));
        SubjectPose { skin: skinned(subject, &self.controllers.weights, pose, &helpers), helpers }
    }
}

fn skinned(subject: &Subject, weights: &[f64], pose: usize, helpers: &[DAffine3]) -> Vec<Vec3> {
    let examples = subject.examples.examples();
    let bones: Vec<DAffine3> = examples.drivers(pose).iter().chain(helpers).copied().collect();
    let place = |(rest, weights): (&Vec3, &[f64])| {
        let parts = bones.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        parts.map(|(bone, weight)| bone.transform_point3(rest.as_dvec3()) * *weight).sum::<DVec3>().as_vec3()
    };
    subject.examples.rest_positions.iter().zip(weights.chunks(bones.len().max(1))).map(place).collect()
}
