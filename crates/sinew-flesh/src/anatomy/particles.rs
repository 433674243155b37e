//! The points of the tetrahedra as a mesh that any skinning method can move.

use super::{Anatomy, rest_model_from_bone};
use sinew_geometry::{TetMesh, TriangleMesh};
use sinew_rig::{Bind, BindId, BoneId, Character, CharacterParts, Instance, InvalidCharacter, Mesh, MeshId};

impl Anatomy {
    /// A character whose one mesh has the points of the tetrahedra as vertices and their boundary as triangles, on the skeleton,
    /// the logic and the authored skinning rules of `character`. It has no clips and no morphs.
    ///
    /// Bones stand alike in both, so that a frame needs them once: the [`sinew_rig::Evaluator`] of `character` finds `model_from_bone`, and
    /// the [`sinew_rig::BoundSurface`] of either takes it.
    ///
    /// # Errors
    /// If the tetrahedra or the character are not those that the anatomy was made from.
    pub fn particle_character(
        &self,
        character: &Character,
        mesh: &TetMesh,
    ) -> Result<Character, InvalidCharacter> {
        let surface = TriangleMesh { positions: mesh.points().to_vec(), triangles: mesh.boundary() };
        let mut points = Mesh::from_triangles("flesh", surface, None);
        points.influences = self.influences.clone();
        let model_from_bone = rest_model_from_bone(character);
        let joint_from_rest = |bone: &BoneId| {
            // A bone that is not there is told of by Character::new.
            model_from_bone.get(bone.index()).map_or(glam::Affine3A::IDENTITY, glam::Affine3A::inverse)
        };
        Character::new(CharacterParts {
            name: character.name().to_owned(),
            bones: character.skeleton().bones().to_vec(),
            bone_logic: character.bone_logic().to_vec(),
            binds: vec![Bind {
                name: "flesh".into(),
                joints: self.joints.clone(),
                joint_from_rest: self.joints.iter().map(joint_from_rest).collect(),
            }],
            meshes: vec![points],
            instances: vec![Instance {
                bone: self.joints.first().copied().unwrap_or(BoneId(0)),
                mesh: MeshId(0),
                bind: Some(BindId(0)),
                morph_weights: Vec::new(),
            }],
            skin: character.skin().clone(),
            ..CharacterParts::default()
        })
    }
}
