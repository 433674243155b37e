//! Linear blend skinning, in MMD's files "BDEF".
//!
//! `v' = Σ wᵢ Mᵢ v`.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `Mᵢ` | `posed_from_rest[i]` | skinning matrix: posed global × inverse bind |
//! | `wᵢ` | `weights` | weights of the vertex, sum 1 |
//!
//! Normals go through the cofactor matrix of the blend, so that they stay perpendicular under non-uniform scale.
//! Limits: joints lose volume when they bend and pinch when they twist; that is what the other methods are for.

use crate::blocks::{self, Block};
use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};
use sinew_geometry::normal_from_rest;
use sinew_rig::{BoundSurface, Deformer, Influences, Surface};

/// Linear blend skinning, bound to a surface.
#[derive(Clone, Debug)]
pub struct Lbs {
    influences: Influences,
    palette_len: usize,
}

impl Lbs {
    /// Binds to a surface. Nothing can go wrong: the surface was checked with its character.
    pub fn bind(bound: &BoundSurface) -> Self {
        Self { influences: bound.influences().clone(), palette_len: bound.palette().len() }
    }

    fn blend(&self, vertex: usize, posed_from_rest: &[Affine3A]) -> Affine3A {
        let (joints, weights) = self.influences.of(vertex);
        let mut blended = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
        for (&joint, &weight) in joints.iter().zip(weights) {
            let bone = &posed_from_rest[usize::from(joint)];
            blended.matrix3 += bone.matrix3 * weight;
            blended.translation += bone.translation * weight;
        }
        blended
    }
}

impl Deformer for Lbs {
    fn vertex_count(&self) -> usize {
        self.influences.vertex_count()
    }

    fn deform(&self, posed_from_rest: &[Affine3A], rest: &Surface, posed: &mut Surface) {
        let vertex_count = self.vertex_count();
        assert_eq!(posed_from_rest.len(), self.palette_len, "one skinning matrix per palette entry");
        assert_eq!(rest.positions.len(), vertex_count, "one rest position per vertex");
        assert_eq!(rest.normals.len(), vertex_count, "one rest normal per vertex");
        assert_eq!(posed.positions.len(), vertex_count, "one posed position per vertex");
        assert_eq!(posed.normals.len(), vertex_count, "one posed normal per vertex");
        assert_eq!(posed.tangents.len(), rest.tangents.len(), "as many posed as rest tangents");
        blocks::for_each(posed, |block: Block<'_>| {
            for at in 0..block.positions.len() {
                let vertex = block.first + at;
                let blended = self.blend(vertex, posed_from_rest);
                block.positions[at] = blended.transform_point3(rest.positions[vertex]);
                block.normals[at] = posed_normal(&blended.matrix3, rest.normals[vertex]);
                if let Some(tangent) = block.tangents.get_mut(at) {
                    *tangent = posed_tangent(&blended.matrix3, rest.tangents[vertex]);
                }
            }
        });
    }
}

/// The unit normal under a linear map; the rest normal where the map flattens it away.
fn posed_normal(map: &Mat3A, rest: Vec3) -> Vec3 {
    (normal_from_rest(map) * rest).try_normalize().unwrap_or(rest)
}

/// The unit tangent under a linear map, its bitangent's sign turned where the map mirrors.
fn posed_tangent(map: &Mat3A, rest: Vec4) -> Vec4 {
    let direction = (*map * rest.truncate()).try_normalize().unwrap_or(rest.truncate());
    let handedness = if map.determinant() < 0.0 { -rest.w } else { rest.w };
    direction.extend(handedness)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use proptest::prelude::*;
    use sinew_rig::{Pose, samples};

    /// Rounding of a blend of f32 matrices, relative to the size of the model and of the motion.
    const ROUNDING: f32 = 2e-6;

    fn deformed(posed_from_rest: &[Affine3A], bound: &BoundSurface) -> Surface {
        let mut posed = bound.rest().clone();
        Lbs::bind(bound).deform(posed_from_rest, bound.rest(), &mut posed);
        posed
    }

    #[test]
    fn identity_gives_the_rest_shape() {
        let bound = BoundSurface::of(&samples::limb(16, 24));
        let posed = deformed(&[Affine3A::IDENTITY; 2], &bound);
        for (posed, rest) in posed.positions.iter().zip(&bound.rest().positions) {
            assert!(posed.abs_diff_eq(*rest, ROUNDING), "{posed} {rest}");
        }
    }

    #[test]
    fn bend_90_is_the_blend_of_both_bones() {
        let character = samples::limb(16, 24);
        let bound = BoundSurface::of(&character);
        let mut pose = Pose::rest(&character);
        pose.turn(
            character.skeleton().find("lower").expect("in the sample"),
            Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        );
        let posed = deformed(&bound.posed_from_rest(&character, &pose), &bound);
        for (vertex, (posed, rest)) in posed.positions.iter().zip(&bound.rest().positions).enumerate() {
            // By hand: the lower bone turns (x, y, z) about (0, 0.3, 0) into (x, 0.3 − z, y − 0.3).
            let turned = Vec3::new(rest.x, 0.3 - rest.z, rest.y - 0.3);
            let (joints, weights) = bound.influences().of(vertex);
            let lower: f32 =
                joints.iter().zip(weights).filter(|(joint, _)| **joint == 1).map(|(_, weight)| weight).sum();
            assert!(posed.abs_diff_eq(rest.lerp(turned, lower), ROUNDING), "vertex {vertex}");
        }
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        let character = samples::limb(64, 128);
        let bound = BoundSurface::of(&character);
        let mut pose = Pose::rest(&character);
        pose.set_clip(&character, &character.clips()[0], 0.7);
        let matrices = bound.posed_from_rest(&character, &pose);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool");
            pool.install(|| deformed(&matrices, &bound))
        };
        assert_eq!(on(1), on(5));
    }

    #[test]
    fn mirrored_tangents_turn_their_bitangent() {
        let mirror = Mat3A::from_diagonal(Vec3::new(-1.0, 1.0, 1.0));
        assert_eq!(posed_tangent(&mirror, Vec4::new(0.0, 1.0, 0.0, 1.0)), Vec4::new(0.0, 1.0, 0.0, -1.0));
    }

    proptest! {
        #[test]
        fn one_rigid_motion_of_all_bones_moves_the_skin_by_it(
            axis in prop::array::uniform3(-1.0f32..1.0), angle in -3.2f32..3.2, move_by in prop::array::uniform3(-5.0f32..5.0),
        ) {
            let bound = BoundSurface::of(&samples::limb(8, 8));
            let rotation = Quat::from_axis_angle(Vec3::from(axis).try_normalize().unwrap_or(Vec3::Y), angle);
            let motion = Affine3A::from_rotation_translation(rotation, Vec3::from(move_by));
            let posed = deformed(&[motion; 2], &bound);
            for (at, rest) in bound.rest().positions.iter().enumerate() {
                prop_assert!(posed.positions[at].abs_diff_eq(motion.transform_point3(*rest), 10.0 * ROUNDING));
                prop_assert!(posed.normals[at].abs_diff_eq(rotation * bound.rest().normals[at], 10.0 * ROUNDING));
            }
        }
    }
}
