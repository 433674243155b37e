//! The patches as a way of moving skin, beside the skinning methods.

use super::evaluator::EvaluatorRoom;
use super::{BoneMove, MeshEvaluator, PosedBody};
use crate::body::BodyMesh;
use crate::limb::VolumeMode;
use crate::Body;
use glam::{Affine3A, Vec3};
use sinew_rig::{Deformer, Surface, Workspace};

/// Moves a body's mesh by its patches: skinning matrices become angles of joints, the posed patches give positions and normals.
///
/// Departures from the laws: a vertex of one bone follows that bone's matrix only away from its joints, because skin near a joint turns
/// by a share, and twists are spread along bones. Matrices count by their rigid part: scale and shear have no meaning for a stick
/// figure. What morphs change in the rest shape is added, turned with the bone of the vertex's patch.
#[derive(Clone, Debug)]
pub struct PatchDeformer {
    body: PosedBody,
    evaluator: MeshEvaluator,
    /// The bone of each palette entry.
    palette: Vec<usize>,
    /// The palette entry that turns tangents and morphs of each vertex.
    vertex_palette: Vec<u16>,
    rest: Vec<Vec3>,
}

/// Why a palette does not fit a body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaletteError {
    /// A bone of the body has no palette entry.
    #[error("bone \"{name}\" of the body has no palette entry")]
    Missing {
        /// The bone.
        name: String,
    },
    /// A palette entry names a bone that the body does not have.
    #[error("palette entry {entry} is for bone {bone}, the body has {count}")]
    Unknown {
        /// The entry.
        entry: usize,
        /// The bone it names.
        bone: usize,
        /// Bones of the body.
        count: usize,
    },
}

struct Room {
    posed: PosedBody,
    moves: Vec<BoneMove>,
    evaluator: EvaluatorRoom,
}

impl PatchDeformer {
    /// Binds a body and a mesh of it. `bone_order`: for each palette entry the index of its bone in the body.
    ///
    /// # Errors
    /// If a bone has no entry, or an entry no bone.
    pub fn new(body: &Body, mesh: &BodyMesh, bone_order: &[usize]) -> Result<Self, PaletteError> {
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
        Ok(PatchDeformer {
            body: PosedBody::new(body),
            evaluator: MeshEvaluator::new(mesh),
            palette: bone_order.to_vec(),
            vertex_palette: mesh
                .places
                .iter()
                .map(|place| entry_of[body.patches[place.patch as usize].bone])
                .collect(),
            rest: mesh.positions_f32(),
        })
    }

    /// The same with another rule for volume.
    pub fn with_volume(mut self, volume: VolumeMode) -> Self {
        self.body.volume = volume;
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
        })
    }

    fn deform(
        &self,
        workspace: &mut Workspace,
        posed_from_rest: &[Affine3A],
        rest: &Surface,
        posed: &mut Surface,
    ) {
        assert_eq!(posed_from_rest.len(), self.palette.len(), "a matrix for each palette entry");
        assert_eq!(rest.positions.len(), self.rest.len(), "the surface this was bound to");
        let room: &mut Room = workspace.get();
        for (matrix, &bone) in posed_from_rest.iter().zip(&self.palette) {
            room.moves[bone] = BoneMove::from_affine(matrix);
        }
        room.posed.set_moves(&room.moves);
        self.evaluator.evaluate_into(
            room.posed.body(),
            &mut room.evaluator,
            &mut posed.positions,
            &mut posed.normals,
        );
        for (vertex, &entry) in self.vertex_palette.iter().enumerate() {
            let moved = rest.positions[vertex] - self.rest[vertex];
            if moved != Vec3::ZERO {
                posed.positions[vertex] += posed_from_rest[usize::from(entry)].transform_vector3(moved);
            }
        }
        for (vertex, tangent) in rest.tangents.iter().enumerate() {
            let entry = usize::from(self.vertex_palette[vertex]);
            let turned = posed_from_rest[entry].transform_vector3(tangent.truncate());
            let normal = posed.normals[vertex];
            let along = turned.reject_from_normalized(normal).normalize_or(normal.any_orthonormal_vector());
            posed.tangents[vertex] = along.extend(tangent.w);
        }
    }
}
