//! A character that can be posed and displayed.

use crate::SkinSettings;
use glam::{Affine3A, Mat3, Mat3A, Vec3};
use sinew_geometry::Bounds;
use sinew_rig::{
    BoneId, BoundInstance, BoundSurface, Character, Deformer, Evaluator, InvalidCharacter, Pose, Surface,
    Workspace,
};
use std::sync::Arc;

/// A character bound to a skinning method, with memory for one posed frame.
///
/// It shares the character's data and the deformer, and owns the rest: it may live on its own thread.
///
/// ```
/// use sinew_rig::{FindError, Pose, samples};
/// use sinew_skin::{Method, PosedCharacter};
///
/// let character = samples::limb(16, 24);
/// let mut posed = PosedCharacter::bind(&character, Method::Lbs);
/// let mut pose = Pose::rest(&character);
/// pose.turn(character.skeleton().find("lower")?, glam::Quat::from_rotation_x(1.2));
/// posed.set(&pose);
/// assert!(posed.bounds().size().z > 0.3);
/// # Ok::<(), FindError>(())
/// ```
pub struct PosedCharacter {
    character: Character,
    bound: BoundSurface,
    deformer: Arc<dyn Deformer>,
    workspace: Workspace,
    evaluator: Evaluator,
    model_from_bone: Vec<Affine3A>,
    posed_from_rest: Vec<Affine3A>,
    morphed: Surface,
    posed: Surface,
}

impl PosedCharacter {
    /// Binds in rest pose with `settings`: a whole [`SkinSettings`], or only a [`crate::Method`].
    pub fn bind(character: &Character, settings: impl Into<SkinSettings>) -> Self {
        let bound = BoundSurface::of(character);
        let deformer = crate::bind(character, &bound, &settings.into());
        Self::with_parts(character, bound, deformer.into())
    }

    /// Uses an already bound deformer, which several characters on several threads may share.
    ///
    /// # Panics
    /// If it is bound to another surface than the character's.
    pub fn with_deformer(character: &Character, deformer: Arc<dyn Deformer>) -> Self {
        Self::with_parts(character, BoundSurface::of(character), deformer)
    }

    fn with_parts(character: &Character, bound: BoundSurface, deformer: Arc<dyn Deformer>) -> Self {
        assert_eq!(deformer.vertex_count(), bound.vertex_count(), "a deformer of this character's surface");
        let mut posed = Self {
            character: character.clone(),
            workspace: deformer.workspace(),
            deformer,
            evaluator: Evaluator::new(character),
            model_from_bone: vec![Affine3A::IDENTITY; character.skeleton().bone_count()],
            posed_from_rest: vec![Affine3A::IDENTITY; bound.palette().len()],
            morphed: bound.rest().clone(),
            posed: bound.rest().clone(),
            bound,
        };
        posed.set(&Pose::rest(character));
        posed
    }

    /// Sets a pose: the rig's logic, morphs, then skinning.
    ///
    /// # Panics
    /// If the pose belongs to another character.
    pub fn set(&mut self, pose: &Pose) {
        self.set_bones(pose);
        self.bound.posed_from_rest_into(&self.model_from_bone, &mut self.posed_from_rest);
        self.bound.morphed_rest_into(&self.character, &mut self.evaluator, pose, &mut self.morphed);
        self.deformer.deform(&mut self.workspace, &self.posed_from_rest, &self.morphed, self.posed.as_mut());
    }

    /// Sets a pose of the bones only, by the same rules; the surface is unchanged.
    ///
    /// # Panics
    /// If the pose belongs to another character.
    pub fn set_bones(&mut self, pose: &Pose) {
        self.evaluator.model_from_bone_into(&self.character, pose, &mut self.model_from_bone);
    }

    /// The character.
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// Layout of the meshes in the list of vertices.
    pub fn bound(&self) -> &BoundSurface {
        &self.bound
    }

    /// The posed vertices, scene space.
    pub fn surface(&self) -> &Surface {
        &self.posed
    }

    /// Model from bone, one per bone.
    pub fn model_from_bone(&self) -> &[Affine3A] {
        &self.model_from_bone
    }

    /// Rotation and stretch of the surface at a vertex, blended by its weights.
    pub fn turn_of(&self, vertex: usize) -> Mat3 {
        let (entries, weights) = self.bound.influences().of(vertex);
        let blend = |sum: Mat3A, (&entry, &weight): (&u16, &f32)| {
            sum + self.posed_from_rest[usize::from(entry)].matrix3 * weight
        };
        entries.iter().zip(weights).fold(Mat3A::ZERO, blend).into()
    }

    /// A bone's head, scene space.
    pub fn head(&self, bone: BoneId) -> Vec3 {
        self.model_from_bone[bone.index()].translation.into()
    }

    /// Bounds of the posed vertices.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(&self.posed.positions)
    }

    /// The triangles of each instance, with indices into its own vertices; those of a mirrored mesh are flipped to keep the outside outside.
    pub fn instance_triangles(&self) -> Vec<Vec<[u32; 3]>> {
        let of_instance = |placed: &BoundInstance| {
            let first = placed.vertices.start as u32;
            let is_mirrored = !placed.vertices.is_empty() && self.is_mirrored(placed.vertices.start);
            let triangles = self.bound.triangles()[placed.triangles.clone()].iter();
            let local = triangles.map(|triangle| triangle.map(|vertex| vertex - first));
            if is_mirrored { local.map(|[a, b, c]| [a, c, b]).collect() } else { local.collect() }
        };
        self.bound.instances().iter().map(of_instance).collect()
    }

    /// Whether the first bone of a vertex mirrors it.
    fn is_mirrored(&self, vertex: usize) -> bool {
        let entry = self.bound.influences().of(vertex).0[0];
        self.posed_from_rest[usize::from(entry)].matrix3.determinant() < 0.0
    }

    /// The posed shape as a separate character: the same meshes, posed, in scene space, without bones to move them.
    ///
    /// # Errors
    /// If the pose is so large that positions overflow.
    pub fn frozen(&self) -> Result<Character, InvalidCharacter> {
        use sinew_geometry::Trs;
        use sinew_rig::{Bone, CharacterParts, Influences, Instance, LocalTransform, MeshId};
        let mut triangles = self.instance_triangles();
        let mut parts = CharacterParts {
            name: self.character.name().to_owned(),
            materials: self.character.materials().to_vec(),
            images: self.character.images().to_vec(),
            ..CharacterParts::default()
        };
        for (index, placed) in self.bound.instances().iter().enumerate() {
            let instance = self.character.instance(placed.instance);
            let mut mesh = self.character.mesh(instance.mesh).clone();
            mesh.positions = self.posed.positions[placed.vertices.clone()].to_vec();
            mesh.normals = self.posed.normals[placed.vertices.clone()].to_vec();
            if !mesh.tangents.is_empty() {
                mesh.tangents = self.posed.tangents[placed.vertices.clone()].to_vec();
            }
            mesh.triangles = std::mem::take(&mut triangles[index]);
            mesh.influences = Influences::none(mesh.vertex_count());
            mesh.spherical.clear();
            mesh.methods.clear();
            mesh.morphs.clear();
            mesh.default_morph_weights.clear();
            let name = self.character.skeleton().bone(instance.bone).name.clone();
            let rest = LocalTransform::Trs(Trs::IDENTITY);
            parts.bones.push(Bone { name, parent: None, rest, tip_in_bone: None });
            let (bone, mesh_id) = (BoneId::of(index), MeshId::of(index));
            parts.instances.push(Instance { bone, mesh: mesh_id, bind: None, morph_weights: Vec::new() });
            parts.meshes.push(mesh);
        }
        Character::new(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;
    use sinew_rig::samples;

    #[test]
    fn posed_characters_go_to_threads_that_outlive_their_maker() {
        let posed = PosedCharacter::bind(&samples::limb(8, 8), Method::Lbs);
        let bounds = posed.bounds();
        assert_eq!(std::thread::spawn(move || posed.bounds()).join().unwrap(), bounds);
    }
}
