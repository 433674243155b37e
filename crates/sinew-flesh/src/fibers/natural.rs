//! What is known of fibers from bones and skin alone.

use super::{BoneDirections, FiberConstraint, FiberPlace};
use crate::anatomy::{Anatomy, AnatomyInput};
use crate::config::FiberSettings;
use glam::Vec3;
use sinew_geometry::{Cover, TriangleMesh};

/// Weight of the skin's directions, for skin of one spacing's square, and of the bones' at each point near a bone, where settings say 1.
pub const USUAL_WEIGHT: f32 = 10.0;

/// Points within this many spacings of a bone's axis lie at the bone, or nearer than its radius.
const AT_BONE_SPACINGS: f32 = 0.5;

/// The source's two rules: at bones along the bone; at the skin along the bone and perpendicular to the normal. Where the skin faces along the bone
/// (fingertips, soles, the crown) it has nothing to say.
///
/// # Panics
/// If the anatomy was made from other input.
pub fn natural_constraints(
    input: &AnatomyInput<'_>,
    anatomy: &Anatomy,
    settings: &FiberSettings,
) -> Vec<FiberConstraint> {
    let directions = BoneDirections::new(input.character.skeleton(), anatomy, input.cover.spacing);
    let mut constraints = at_bones(input, anatomy, &directions, settings);
    let palette = input.bound.palette();
    let along = |(vertex, &position): (usize, &Vec3)| {
        let (entries, weights) = input.bound.influences().of(vertex);
        let bones = entries.iter().map(|&entry| palette[usize::from(entry)].bone);
        directions.at(position, bones.zip(weights.iter().copied()))
    };
    let along: Vec<Vec3> = input.surface.positions.iter().enumerate().map(along).collect();
    constraints.extend(within_skin(input.surface, input.cover, &along, settings));
    constraints
}

fn at_bones(
    input: &AnatomyInput<'_>,
    anatomy: &Anatomy,
    directions: &BoneDirections<'_>,
    settings: &FiberSettings,
) -> Vec<FiberConstraint> {
    let reach = AT_BONE_SPACINGS * input.cover.spacing;
    let points = input.cover.mesh.points();
    let is_at_bone = |point: &usize| {
        let core = anatomy.core[*point].map(|core| anatomy.cores[core as usize]);
        core.is_some_and(|core| anatomy.bone_distance_m[*point] <= reach.max(core.radius_m))
    };
    let weight = USUAL_WEIGHT * settings.bone_weight as f32;
    let constraint = |point: usize| {
        let (joints, weights) = anatomy.influences.of(point);
        let bones =
            joints.iter().map(|&joint| anatomy.joints[usize::from(joint)]).zip(weights.iter().copied());
        let direction = directions.at(points[point], bones);
        FiberConstraint { place: FiberPlace::Point(point as u32), direction, weight }
    };
    (0..points.len())
        .filter(is_at_bone)
        .map(constraint)
        .filter(|known| known.direction != Vec3::ZERO)
        .collect()
}

/// Directions given at vertices, made perpendicular to the normals of their triangles. By triangle, because a vertex on an edge of the shape
/// has a normal that no side of it has.
pub(super) fn within_skin(
    surface: &TriangleMesh,
    cover: &Cover,
    along: &[Vec3],
    settings: &FiberSettings,
) -> Vec<FiberConstraint> {
    let (sine, cosine) = (settings.skin_turn_deg.to_radians() as f32).sin_cos();
    let per_area = USUAL_WEIGHT * settings.skin_weight as f32 / (cover.spacing * cover.spacing);
    let embedding = &cover.embedding;
    let mut constraints = Vec::with_capacity(3 * surface.triangles.len());
    for triangle in &surface.triangles {
        let [a, b, c] = triangle.map(|vertex| surface.positions[vertex as usize]);
        let normal = (b - a).cross(c - a);
        let third = normal.length() / 6.0;
        let normal = normal.normalize_or_zero();
        for &vertex in triangle {
            let along = along[vertex as usize];
            let within = along - normal * normal.dot(along);
            // |within| is the sine between bone and normal: 1 on a shaft, 0 on a tip. To the fourth power, so that the round end of
            // a limb, where directions within the skin run apart like meridians, is left to the bone.
            let weight = per_area * third * within.length_squared().powi(2);
            let place =
                FiberPlace::Within(embedding.tets()[vertex as usize], embedding.weights()[vertex as usize]);
            let x = surface.positions[vertex as usize].x;
            // On the plane between left and right both turns meet, and what is left of them runs along the bone.
            let mirrored = if x == 0.0 { 0.0 } else { sine * x.signum() };
            let direction = cosine * within + mirrored * normal.cross(within);
            constraints.push(FiberConstraint { place, direction, weight });
        }
    }
    constraints.retain(|known| known.weight > 0.0);
    constraints
}
