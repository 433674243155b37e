//! A human figure.

mod clips;
mod loft;
mod shape;
mod skeleton;
mod surface;
mod weights;

use crate::{
    Bind, BindId, BoneId, Character, CharacterParts, Instance, Material, MaterialId, Mesh, MeshId,
    MorphTarget,
};
use glam::{Vec3, Vec4};
use shape::Shape;
use sinew_geometry::smooth_normals;
use skeleton::{JOINT_COUNT, Joint};

/// A figure like an artist's mannequin in one smooth skin: 1.75 m tall, facing +Z, its left at +X, standing on y = 0 with the
/// arms 40° below the horizontal.
///
/// Bones have humanoid names: Root, Hips, Spine, Chest, Neck, Head and, with Left or Right before them, Shoulder, UpperArm,
/// LowerArm, Hand, UpperLeg, LowerLeg, Foot, Toes. +Y runs along each bone, and turning a bone about its own +X by a positive
/// angle bends it the way the joint bends: trunk and head forward, shoulders up, arms and elbows forward, hands to the palm,
/// thighs forward, knees back, feet and toes up. Turns about Y and Z mirror between left and right.
///
/// Clips: "wave" and "squat", both loops. Morph: "breathe" widens the chest. The result is the same, bit for bit, on every call.
///
/// ```
/// use sinew_rig::{Pose, samples};
///
/// let figure = samples::figure();
/// let mut pose = Pose::rest(&figure);
/// pose.turn(figure.skeleton().find("LeftLowerArm")?, glam::Quat::from_rotation_x(1.5));
/// # Ok::<(), sinew_rig::FindError>(())
/// ```
pub fn figure() -> Character {
    let shape = Shape::new();
    let (surface, normals) = surface::skin(&shape);
    let influences = weights::influences(&shape, &surface);
    let mut mesh = Mesh::from_triangles("skin", surface, Some(MaterialId(0)));
    mesh.normals = normals;
    mesh.influences = influences;
    mesh.morphs = vec![breathe(&mesh)];
    mesh.default_morph_weights = vec![0.0];

    let clay = Material {
        name: "clay".into(),
        base_color: Vec4::new(0.60, 0.535, 0.48, 1.0),
        roughness: 0.55,
        ..Material::default()
    };
    Character::new(CharacterParts {
        name: "figure".into(),
        bones: skeleton::bones(),
        binds: vec![Bind {
            name: "skin".into(),
            joints: (0..JOINT_COUNT).map(BoneId::of).collect(),
            joint_from_rest: Joint::all().map(|joint| joint.rest().inverse()).collect(),
        }],
        meshes: vec![mesh],
        instances: vec![Instance {
            bone: Joint::Root.id(),
            mesh: MeshId(0),
            bind: Some(BindId(0)),
            morph_weights: vec![0.0],
        }],
        materials: vec![clay],
        clips: vec![clips::wave(), clips::squat()],
        ..CharacterParts::default()
    })
    .expect("bones, binds and tracks come from one list of joints")
}

/// Forward motion of the breast when the figure breathes in, m: exaggerated to be visible.
const BREATH_M: f32 = 0.016;

/// The chest widens, most in front, and its skin follows softly up to the neck and down to the belly.
fn breathe(mesh: &Mesh) -> MorphTarget {
    let center = Vec3::new(0.0, 1.29, -0.01);
    let deltas: Vec<Vec3> = mesh
        .positions
        .iter()
        .enumerate()
        .map(|(vertex, position)| {
            let (joints, weights) = mesh.influences.of(vertex);
            let trunk: f32 = joints
                .iter()
                .zip(weights)
                .filter(|(joint, _)| {
                    [Joint::Spine, Joint::Chest].iter().any(|j| j.id().0 == u32::from(**joint))
                })
                .map(|(_, weight)| weight)
                .sum();
            let offset = *position - center;
            let amount = trunk * (1.0 - (offset.y / 0.2).powi(2)).max(0.0).powi(2);
            let forward = (offset.z / 0.1).clamp(0.0, 1.0);
            let direction = Vec3::new(0.45 * offset.x / 0.15, 0.25, 0.15 + forward);
            direction * (BREATH_M * amount)
        })
        .collect();
    let breathed: Vec<Vec3> =
        mesh.positions.iter().zip(&deltas).map(|(position, delta)| *position + *delta).collect();
    let rest_normals = smooth_normals(&mesh.positions, &mesh.triangles);
    let normals: Vec<Vec3> = smooth_normals(&breathed, &mesh.triangles)
        .iter()
        .zip(&rest_normals)
        .zip(&deltas)
        .map(|((breathed, rest), delta)| if *delta == Vec3::ZERO { Vec3::ZERO } else { *breathed - *rest })
        .collect();
    MorphTarget::from_dense("breathe".into(), &deltas, &normals, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundSurface, Evaluator, Pose, Surface};
    use glam::{Mat3A, Quat, Vec3A};
    use sinew_geometry::TriangleMesh;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::OnceLock;

    /// Of lengths, m: a tenth of what a careful eye sees.
    const TENTH_MM: f32 = 1e-4;

    fn shared() -> &'static Character {
        static FIGURE: OnceLock<Character> = OnceLock::new();
        FIGURE.get_or_init(figure)
    }

    fn skin() -> &'static Mesh {
        &shared().meshes()[0]
    }

    /// The skin under linear blending of the bones' matrices.
    fn posed(pose: &Pose) -> Vec<Vec3> {
        let bound = BoundSurface::of(shared());
        let posed_from_rest = bound.posed_from_rest(shared(), pose);
        let mut rest = Surface::clone(bound.rest());
        bound.morphed_rest_into(shared(), &mut Evaluator::new(shared()), pose, &mut rest);
        let blend = |(vertex, position): (usize, &Vec3)| {
            let (entries, weights) = bound.influences().of(vertex);
            let mut linear = Mat3A::ZERO;
            let mut translation = Vec3A::ZERO;
            for (&entry, &weight) in entries.iter().zip(weights) {
                linear += posed_from_rest[usize::from(entry)].matrix3 * weight;
                translation += posed_from_rest[usize::from(entry)].translation * weight;
            }
            Vec3::from(linear * Vec3A::from(*position) + translation)
        };
        rest.positions.iter().enumerate().map(blend).collect()
    }

    fn weight_of(vertex: usize, joint: Joint) -> f32 {
        let (joints, weights) = skin().influences.of(vertex);
        joints
            .iter()
            .zip(weights)
            .filter(|(j, _)| u32::from(**j) == joint.id().0)
            .map(|(_, weight)| weight)
            .sum()
    }

    #[test]
    fn the_skin_is_one_closed_sphere_outside_out() {
        let mesh = skin();
        let mut half_edges: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for &[a, b, c] in &mesh.triangles {
            for edge in [(a, b), (b, c), (c, a)] {
                *half_edges.entry(edge).or_default() += 1;
            }
        }
        assert!(
            half_edges.iter().all(|(&(a, b), &n)| n == 1 && half_edges.get(&(b, a)) == Some(&1)),
            "closed"
        );
        // V − E + F = 2: no handles between fingers, and, as the volume shows, no stray piece.
        assert_eq!(mesh.positions.len() + mesh.triangles.len() - half_edges.len() / 2, 2);
        let surface = TriangleMesh { positions: mesh.positions.clone(), triangles: mesh.triangles.clone() };
        let volume = surface.volume();
        assert!((0.05..0.09).contains(&volume), "{volume} m³");
        assert!((15_000..40_000).contains(&mesh.triangles.len()), "{} triangles", mesh.triangles.len());
    }

    #[test]
    fn it_stands_on_the_ground_at_its_height_and_is_symmetric() {
        let bounds = skin().bounds();
        assert!(bounds.min().y.abs() < 1e-3 && (1.73..1.77).contains(&bounds.max().y), "{bounds:?}");
        let key = |point: Vec3| (point * 1e3).round().as_ivec3().to_array();
        let cells: BTreeMap<[i32; 3], Vec3> =
            skin().positions.iter().map(|&point| (key(point), point)).collect();
        for &position in &skin().positions {
            let mirrored = Vec3::new(-position.x, position.y, position.z);
            let nearby = (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z])));
            let has_twin = nearby
                .map(|offset| std::array::from_fn(|axis| key(mirrored)[axis] + offset[axis]))
                .any(|cell| cells.get(&cell).is_some_and(|twin| twin.abs_diff_eq(mirrored, TENTH_MM)));
            assert!(has_twin, "{position} has no mirror image");
        }
    }

    #[test]
    fn normals_agree_with_triangles_and_triangles_are_even() {
        let mesh = skin();
        let from_triangles = smooth_normals(&mesh.positions, &mesh.triangles);
        for ((normal, other), position) in mesh.normals.iter().zip(&from_triangles).zip(&mesh.positions) {
            // Between fingers a triangle spans much of the curvature; elsewhere they agree within a few degrees.
            assert!((normal.length() - 1.0).abs() < 1e-5 && normal.dot(*other) > 0.5, "{position}");
        }
        let least =
            mesh.triangles.iter().map(|t| quality(t.map(|v| mesh.positions[v as usize]))).fold(1.0, f32::min);
        assert!(least > 0.15, "{least}");
    }

    /// 1 for an equilateral triangle, 0 for a degenerate one: area over the sum of squared edges, scaled.
    fn quality([a, b, c]: [Vec3; 3]) -> f32 {
        let edges = a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a);
        (b - a).cross(c - a).length() * 2.0 * 3f32.sqrt() / edges
    }

    #[test]
    fn weights_stay_on_their_own_limb() {
        for (vertex, position) in skin().positions.iter().enumerate() {
            let (joints, weights) = skin().influences.of(vertex);
            assert!((1..=4).contains(&joints.len()), "{position}: {} influences", joints.len());
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{position}");
            let used: BTreeSet<u32> = joints.iter().map(|&joint| u32::from(joint)).collect();
            let has_any = |list: &[Joint]| list.iter().any(|joint| used.contains(&joint.id().0));
            use Joint::{
                Foot, Hand, Head, Hips, LowerArm, LowerLeg, Shoulder, Spine, Toes, UpperArm, UpperLeg,
            };
            use skeleton::Side::{Left, Right};
            for (side, other) in [(Left, Right), (Right, Left)] {
                if has_any(&[UpperArm(side), LowerArm(side), Hand(side)]) {
                    assert!(position.x * side.sign() > 0.0, "{position}");
                    let strangers = [Hips, Spine, Head, UpperLeg(side), UpperLeg(other), UpperArm(other)];
                    assert!(!has_any(&strangers), "arm at {position} uses {used:?}");
                }
                if has_any(&[LowerLeg(side), Foot(side), Toes(side)]) {
                    let strangers = [Spine, UpperLeg(other), LowerLeg(other), Shoulder(side)];
                    assert!(!has_any(&strangers), "leg at {position} uses {used:?}");
                }
            }
        }
    }

    #[test]
    fn every_bone_but_the_root_moves_skin() {
        for joint in Joint::all().filter(|&joint| joint != Joint::Root) {
            let most = (0..skin().vertex_count()).map(|vertex| weight_of(vertex, joint)).fold(0.0, f32::max);
            assert!(most > 0.6, "{joint:?} has at most {most}");
        }
    }

    #[test]
    fn bent_elbow_and_knee_keep_their_triangles() {
        let skeleton = shared().skeleton();
        for (name, degrees) in [("LeftLowerArm", 90.0f32), ("RightLowerLeg", 100.0)] {
            let mut pose = Pose::rest(shared());
            pose.turn(skeleton.find(name).expect("a bone"), Quat::from_rotation_x(degrees.to_radians()));
            let bent = posed(&pose);
            let areas = skin().triangles.iter().map(|triangle| {
                let area = |positions: &[Vec3]| {
                    let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
                    (b - a).cross(c - a).length()
                };
                area(&bent) / area(&skin().positions)
            });
            let (least, most) =
                areas.fold((f32::MAX, 0.0f32), |(least, most), a| (least.min(a), most.max(a)));
            // Linear blending folds the inside of a joint; it may not flatten it.
            assert!(least > 0.05 && most < 2.0, "{name}: areas change by {least} to {most}");
        }
    }

    #[test]
    fn clips_loop_with_both_feet_on_the_ground() {
        for clip in shared().clips() {
            let mut first = Pose::rest(shared());
            first.set_clip(shared(), clip, 0.0);
            let mut pose = Pose::rest(shared());
            pose.set_clip(shared(), clip, clip.duration_secs());
            assert_eq!(first, pose, "{}", clip.name);
            for frame in 0..clip.frame_count(24.0) {
                pose.set_clip(shared(), clip, frame as f64 / 24.0);
                let mut model_from_bone = vec![glam::Affine3A::IDENTITY; JOINT_COUNT];
                pose.model_from_bone_into(shared(), &mut model_from_bone);
                for side in skeleton::Side::BOTH {
                    let foot = Joint::Foot(side);
                    let slip =
                        model_from_bone[foot.id().index()].translation.distance(foot.rest().translation);
                    // Between keys the chain of interpolated rotations is a little off.
                    assert!(slip < 2e-3, "{} frame {frame}: {foot:?} slips by {slip} m", clip.name);
                }
            }
        }
    }

    #[test]
    fn breath_widens_the_chest_and_leaves_the_limbs() {
        let morph = &skin().morphs[0];
        let mut most = 0.0f32;
        for (&vertex, delta) in morph.vertices.iter().zip(&morph.position_deltas) {
            assert!((1.0..1.5).contains(&skin().positions[vertex as usize].y), "{vertex}");
            most = most.max(delta.length());
        }
        assert!(most > 0.8 * BREATH_M && most < 1.6 * BREATH_M, "{most}");
    }

    #[test]
    fn the_figure_is_the_same_every_time() {
        assert_eq!(&figure(), shared());
    }
}
