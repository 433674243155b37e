//! Poses: requested bone transforms and morph weights.

use crate::{BoneId, Character, Clip, InstanceId, MeshId};
use glam::{Affine3A, Quat};
use sinew_geometry::Trs;

/// A pose of one character.
///
/// Invariant: one local transform per bone and one list of morph weights per instance, of the character it was made for.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    parent_from_bone: Vec<Affine3A>,
    morph_weights: Vec<Vec<f32>>,
    /// Whether each bone's IK is on, if it has a chain.
    is_reaching: Vec<bool>,
    /// Whether a clip drives each bone; controllers then do not.
    is_keyed: Vec<bool>,
    /// Whether a clip drives the morphs of each instance.
    is_morph_keyed: Vec<bool>,
    /// Buffer for sampling clips, kept to avoid allocation per frame.
    sampled: Vec<Trs>,
}

impl Pose {
    /// The rest pose, with the file's own morph weights.
    pub fn rest(character: &Character) -> Self {
        let bones = character.skeleton().bones();
        Self {
            parent_from_bone: bones.iter().map(|bone| bone.rest.to_affine()).collect(),
            morph_weights: character
                .instances()
                .iter()
                .map(|instance| instance.morph_weights.clone())
                .collect(),
            is_reaching: vec![true; bones.len()],
            is_keyed: vec![false; bones.len()],
            is_morph_keyed: vec![false; character.instances().len()],
            sampled: bones.iter().map(|bone| bone.rest.to_trs()).collect(),
        }
    }

    /// The rest pose with `clip` at `time_secs` applied, clamped to the clip's ends.
    pub fn at(character: &Character, clip: &Clip, time_secs: f64) -> Self {
        let mut pose = Self::rest(character);
        pose.set_clip(character, clip, time_secs);
        pose
    }

    /// Sets the rest pose with `clip` at `time_secs` applied, clamped to the clip's ends.
    pub fn set_clip(&mut self, character: &Character, clip: &Clip, time_secs: f64) {
        let bones = character.skeleton().bones();
        for (bone, (sampled, local)) in
            bones.iter().zip(self.sampled.iter_mut().zip(&mut self.parent_from_bone))
        {
            *sampled = bone.rest.to_trs();
            *local = bone.rest.to_affine();
        }
        for (weights, instance) in self.morph_weights.iter_mut().zip(character.instances()) {
            weights.copy_from_slice(&instance.morph_weights);
        }
        self.is_reaching.fill(true);
        self.is_keyed.fill(false);
        self.is_morph_keyed.fill(false);
        clip.apply(time_secs, &mut self.sampled, &mut self.morph_weights, &mut self.is_reaching);
        for track in &clip.tracks {
            use crate::Channel::{MorphWeights, Reach, Rotation, Scale, Translation};
            match &track.channel {
                Translation(bone, _) | Rotation(bone, _) | Scale(bone, _) => {
                    self.parent_from_bone[bone.index()] = self.sampled[bone.index()].to_affine();
                    self.is_keyed[bone.index()] = true;
                }
                MorphWeights(instance, _) => self.is_morph_keyed[instance.index()] = true,
                Reach(..) => {}
            }
        }
    }

    /// Copies the requested bone transforms of another character with the same skeleton; morphs stay.
    ///
    /// # Panics
    /// If it has another number of bones.
    pub fn copy_bones(&mut self, other: &Self) {
        self.parent_from_bone.copy_from_slice(&other.parent_from_bone);
        self.is_reaching.copy_from_slice(&other.is_reaching);
        self.is_keyed.copy_from_slice(&other.is_keyed);
    }

    /// The same pose for a character with this one's bones, in the same order, and more; the others rest. Morphs rest too.
    ///
    /// # Panics
    /// If it has fewer bones.
    #[must_use]
    pub fn of_larger(&self, character: &Character) -> Self {
        let mut larger = Self::rest(character);
        let count = self.parent_from_bone.len();
        assert!(count <= larger.parent_from_bone.len(), "a character with all these bones");
        larger.parent_from_bone[..count].copy_from_slice(&self.parent_from_bone);
        larger.is_reaching[..count].copy_from_slice(&self.is_reaching);
        larger.is_keyed[..count].copy_from_slice(&self.is_keyed);
        larger
    }

    /// Changes a bone relative to its current transform, in its own frame: `local = local · change`.
    pub fn change(&mut self, bone: BoneId, change: &Trs) {
        self.parent_from_bone[bone.index()] *= change.to_affine();
    }

    /// Rotates a bone about its head, in its own frame.
    pub fn turn(&mut self, bone: BoneId, rotation: Quat) {
        self.change(bone, &Trs::from_rotation(rotation));
    }

    /// Sets the weight of a mesh's morph on every instance of that mesh.
    pub fn set_morph(&mut self, character: &Character, mesh: MeshId, morph: usize, weight: f32) {
        for (instance, weights) in character.instances().iter().zip(&mut self.morph_weights) {
            if instance.mesh == mesh {
                weights[morph] = weight;
            }
        }
    }

    /// Requested transforms, parent from bone, one per bone; the character's logic may change them further.
    pub fn parent_from_bone(&self) -> &[Affine3A] {
        &self.parent_from_bone
    }

    /// Requested morph weights of an instance, one per morph of its mesh, before groups and flips.
    pub fn morph_weights(&self, instance: InstanceId) -> &[f32] {
        &self.morph_weights[instance.index()]
    }

    /// Whether IK of each bone is on, if it has a chain; one per bone.
    pub fn is_reaching(&self) -> &[bool] {
        &self.is_reaching
    }

    /// Whether a clip drives the bone. Helpers that no clip drives follow their controllers.
    pub fn is_keyed(&self, bone: BoneId) -> bool {
        self.is_keyed[bone.index()]
    }

    /// Whether a clip drives the morphs of an instance. Morphs that no clip drives follow their controllers.
    pub fn is_morph_keyed(&self, instance: InstanceId) -> bool {
        self.is_morph_keyed[instance.index()]
    }

    /// Lets morphs follow their controllers in addition to a clip.
    pub(crate) fn forget_morph_keys(&mut self) {
        self.is_morph_keyed.fill(false);
    }

    /// Switches IK of a bone.
    pub fn set_reaching(&mut self, bone: BoneId, is_reaching: bool) {
        self.is_reaching[bone.index()] = is_reaching;
    }

    /// Model from bone, one per bone, after the character's logic; overwrites the slice. For many frames use an [`crate::Evaluator`]: this
    /// creates one per call.
    ///
    /// # Panics
    /// If the slice is not one per bone.
    pub fn model_from_bone_into(&self, character: &Character, model_from_bone: &mut [Affine3A]) {
        crate::Evaluator::new(character).model_from_bone_into(character, self, model_from_bone);
    }
}
