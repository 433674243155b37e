//! The patches as a deformer, like the skinning methods.

use super::cut_vertices::CutVertices;
use super::evaluator::EvaluatorRoom;
use super::{BoneMove, MeshEvaluator, PosedBody};
use crate::body::BodyMesh;
use crate::limb::{BendMode, TwistMode, VolumeMode};
use crate::{Body, Patch};
use glam::{Affine3A, Vec3};
use sinew_rig::{Deformer, Surface, SurfaceMut, Workspace};
use std::sync::Arc;

/// Moves a body's mesh by its patches: skinning matrices become angles of joints, the posed patches give positions and normals.
///
/// Departures from the laws: a vertex of one bone follows that bone's matrix only away from its joints, because skin near a joint turns by
/// a share, and twists are spread along bones. Only the rigid part of matrices is used: scale and shear are not defined for a stick
/// figure. Changes of the rest shape by morphs are added, rotated with the bone of the vertex's patch. Copies share the bound data.
#[derive(Clone, Debug)]
pub struct PatchDeformer {
    body: PosedBody,
    evaluator: Arc<MeshEvaluator>,
    /// The bone of each palette entry.
    palette: Arc<[usize]>,
    /// The palette entry that turns tangents and morphs of each vertex.
    vertex_palette: Arc<[u16]>,
    rest: Arc<[Vec3]>,
    /// Vertices that the source's twist moves on patches of its own.
    cut: Arc<CutVertices>,
}

/// Error of binding a palette to a body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PaletteError {
    /// With its side, such as `forearm.left`.
    #[error("bone \"{name}\" of the body has no palette entry")]
    Missing { name: String },
    #[error("palette entry {entry} refers to bone {bone}, but the body has {count} bones")]
    Unknown { entry: usize, bone: usize, count: usize },
}

struct Room {
    posed: PosedBody,
    moves: Vec<BoneMove>,
    evaluator: EvaluatorRoom,
    pieces: Vec<Patch>,
}

impl PatchDeformer {
    /// Binds a body and a mesh of it. `bone_order`: the body's bone index for each palette entry.
    ///
    /// # Errors
    /// If a bone has no entry, or an entry refers to no bone.
    pub fn new(
        body: impl Into<Arc<Body>>,
        mesh: &BodyMesh,
        bone_order: &[usize],
    ) -> Result<Self, PaletteError> {
        let body: Arc<Body> = body.into();
        let count = body.bones.len();
        if let Some((entry, &bone)) = bone_order.iter().enumerate().find(|(_, bone)| **bone >= count) {
            return Err(PaletteError::Unknown { entry, bone, count });
        }
        let mut entry_of = Vec::with_capacity(count);
        for (index, bone) in body.bones.iter().enumerate() {
            let entry = bone_order.iter().position(|&found| found == index);
            let name = || format!("{}{}", bone.name, bone.flank.suffix());
            entry_of.push(entry.ok_or_else(|| PaletteError::Missing { name: name() })? as u16);
        }
        let places = mesh.places.iter();
        let body_in_rest = PosedBody::new(Arc::clone(&body));
        Ok(PatchDeformer {
            cut: CutVertices::new(&body_in_rest, mesh).into(),
            evaluator: MeshEvaluator::new(mesh).into(),
            palette: bone_order.into(),
            vertex_palette: places.map(|place| entry_of[body.patches[place.patch as usize].bone]).collect(),
            rest: mesh.positions_f32().into(),
            body: body_in_rest,
        })
    }

    /// The same with another rule for volume.
    pub fn with_volume(mut self, volume: VolumeMode) -> Self {
        self.body.volume = volume;
        self
    }

    /// The same with another rule for folds.
    pub fn with_bend(mut self, bend: BendMode) -> Self {
        self.body.bend = bend;
        self
    }

    /// The same with another rule for twists.
    pub fn with_twist(mut self, twist: TwistMode) -> Self {
        self.body.twist = twist;
        self
    }

    /// The same with muscles that swell or not. Where flesh moves the muscles, the patches' own are off.
    pub fn with_muscles(mut self, has_muscles: bool) -> Self {
        self.body.has_muscles = has_muscles;
        self
    }
}

impl Deformer for PatchDeformer {
    fn vertex_count(&self) -> usize {
        self.evaluator.vertex_count()
    }

    fn workspace(&self) -> Workspace {
        Workspace::new(Room {
            posed: self.body.clone(),
            moves: vec![BoneMove::NONE; self.body.rest().bones.len()],
            evaluator: self.evaluator.room(),
            pieces: self.cut.room(),
        })
    }

    fn deform(&self, room: &mut Workspace, matrices: &[Affine3A], rest: &Surface, posed: SurfaceMut<'_>) {
        assert_eq!(matrices.len(), self.palette.len(), "a matrix for each palette entry");
        posed.assert_fits(rest, self.rest.len());
        let room: &mut Room = room.get();
        for (matrix, &bone) in matrices.iter().zip(&*self.palette) {
            room.moves[bone] = BoneMove::from_affine(matrix);
        }
        room.posed.set_moves(&room.moves);
        self.evaluator.evaluate_into(room.posed.body(), &mut room.evaluator, posed.positions, posed.normals);
        if self.body.twist == TwistMode::Source {
            self.cut.write_into(&room.posed, &mut room.pieces, posed.positions, posed.normals);
        }
        for (vertex, &entry) in self.vertex_palette.iter().enumerate() {
            let moved = rest.positions[vertex] - self.rest[vertex];
            if moved != Vec3::ZERO {
                posed.positions[vertex] += matrices[usize::from(entry)].transform_vector3(moved);
            }
        }
        for (vertex, (tangent, written)) in rest.tangents.iter().zip(posed.tangents).enumerate() {
            let entry = usize::from(self.vertex_palette[vertex]);
            let turned = matrices[entry].transform_vector3(tangent.truncate());
            let normal = posed.normals[vertex];
            let along = turned.reject_from_normalized(normal).normalize_or(normal.any_orthonormal_vector());
            *written = along.extend(tangent.w);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{BodyPose, JointPose};
    use crate::template::Flank;
    use crate::testing::human;
    use glam::{Mat3A, Quat, Vec3A, Vec4};

    /// Single precision of a body two m tall, m.
    const ROUNDING_M: f32 = 4e-6;

    fn body_and_mesh() -> (Arc<Body>, BodyMesh) {
        let body = Arc::new(human());
        let mesh = body.tessellate(4);
        (body, mesh)
    }

    fn surface_of(mesh: &BodyMesh) -> Surface {
        Surface {
            positions: mesh.positions_f32(),
            normals: mesh.normals.iter().map(|normal| normal.as_vec3()).collect(),
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); mesh.places.len()],
        }
    }

    fn deformed(deformer: &PatchDeformer, matrices: &[Affine3A], rest: &Surface) -> Surface {
        let mut posed = rest.clone();
        deformer.deform(&mut deformer.workspace(), matrices, rest, posed.as_mut());
        posed
    }

    fn furthest(a: &[Vec3], b: &[Vec3]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    }

    #[test]
    fn identity_gives_rest_and_one_motion_moves_all() {
        let (body, mesh) = body_and_mesh();
        let order: Vec<usize> = (0..body.bones.len()).rev().collect();
        let deformer = PatchDeformer::new(body.clone(), &mesh, &order).unwrap();
        let mut rest = surface_of(&mesh);
        let found = deformed(&deformer, &vec![Affine3A::IDENTITY; order.len()], &rest);
        assert!(furthest(&found.positions, &rest.positions) < ROUNDING_M);
        let motion =
            Affine3A::from_rotation_translation(Quat::from_rotation_z(1.0), Vec3::new(1.0, -0.5, 0.2));
        let matrices = vec![motion; order.len()];
        let moved: Vec<Vec3> = rest.positions.iter().map(|&point| motion.transform_point3(point)).collect();
        let found = deformed(&deformer, &matrices, &rest);
        assert!(furthest(&found.positions, &moved) < ROUNDING_M);
        assert!(found.tangents.iter().all(|tangent| (tangent.truncate().length() - 1.0).abs() < 1e-5));
        // Morphs go along, and the rest shape's place in them.
        rest.positions[7] += Vec3::Y;
        let morphed = deformed(&deformer, &matrices, &rest);
        let step = morphed.positions[7] - found.positions[7];
        assert!(step.distance(motion.transform_vector3(Vec3::Y)) < 1e-5);
    }

    #[test]
    fn matrices_of_a_pose_give_the_posed_patches() {
        let (body, mesh) = body_and_mesh();
        let mut posed = PosedBody::new(body.clone());
        let mut pose = BodyPose::rest(posed.figure());
        for (name, joint) in [("forearm", JointPose::bent(1.5)), ("hand", JointPose::twisted(1.0))] {
            let bone = posed.figure().find(name, Flank::Left).unwrap();
            pose.set_joint(posed.figure(), bone, &joint);
        }
        posed.set(&pose);
        // The palette lists the bones backward: order does not matter.
        let order: Vec<usize> = (0..body.bones.len()).rev().collect();
        let matrix = |bone: &usize| {
            let moved = posed.moves()[*bone];
            Affine3A {
                matrix3: Mat3A::from_quat(moved.rotation.as_quat()),
                translation: Vec3A::from(moved.shift.as_vec3()),
            }
        };
        let matrices: Vec<Affine3A> = order.iter().map(matrix).collect();
        let deformer = PatchDeformer::new(body.clone(), &mesh, &order).unwrap();
        let rest = surface_of(&mesh);
        let found = deformed(&deformer, &matrices, &rest);
        let mut exact = mesh.clone();
        posed.body().evaluate_into(&mut exact);
        assert!(furthest(&found.positions, &exact.positions_f32()) < 5.0 * ROUNDING_M);
        // A palette entry twice as large in f32 counts by its rotation alone.
        let scaled: Vec<Affine3A> =
            matrices.iter().map(|m| Affine3A { matrix3: m.matrix3 * 2.0, ..*m }).collect();
        assert!(furthest(&deformed(&deformer, &scaled, &rest).positions, &found.positions) < ROUNDING_M);
    }

    #[test]
    fn palettes_that_do_not_fit_are_refused() {
        let (body, mesh) = body_and_mesh();
        let count = body.bones.len();
        let short: Vec<usize> = (0..count - 1).collect();
        let missing = PatchDeformer::new(body.clone(), &mesh, &short).unwrap_err();
        assert!(matches!(missing, PaletteError::Missing { .. }), "{missing}");
        let long: Vec<usize> = (0..=count).collect();
        let unknown = PatchDeformer::new(body.clone(), &mesh, &long).unwrap_err();
        assert_eq!(unknown, PaletteError::Unknown { entry: count, bone: count, count });
    }
}
