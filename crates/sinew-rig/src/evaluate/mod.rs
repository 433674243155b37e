//! Evaluates poses: applies a character's logic to the requested transforms.

mod change;
mod frame;
mod helpers;
mod limits;
mod morph_weights;
mod plan;
mod reach;
#[cfg(test)]
mod tests;

use crate::{Character, HELPER_NUMBERS, InstanceId, MorphEffect, Pose};
use change::{put_on_axis, share_of_turn};
use frame::{Frame, Scratch};
use glam::Affine3A;
use helpers::Helpers;
use plan::Plan;

/// Computes bone transforms and morph weights of one character from its poses, by the logic of the rig.
///
/// Created once, used for every frame; frames do not allocate and do not depend on earlier ones. Without logic the result equals the
/// pose bitwise.
///
/// The rules are those of PMX, as babylon-mmd has them:
/// - Bones are evaluated by (after physics, level, index). A bone whose parent comes later uses the parent's transform of the pose alone:
///   a rest pose stays a rest pose in any order. In babylon-mmd it uses the origin instead.
/// - A bone's own change is its pose relative to rest, then its morphs in the order of instances and morphs. A pose's scale and shear
///   stay in the bone's own frame, after all logic: its children inherit them, its followers do not.
/// - A bone with an axis turns by the whole requested angle about that axis.
/// - [`crate::Follow`]: the source's own change, or its change after following; the source's IK rotations count. A source that also
///   follows and comes later is not known yet and contributes nothing; cycles stop there.
/// - [`crate::Reach`]: solved when its bone is evaluated; everything below the links moves along at once. Two chains with a shared link do
///   not add up: the later starts afresh.
/// - [`crate::HelperControllers`] come last, and apply if no clip drives the helper or the instance's morphs; other requests are added.
///   They follow at once: lag and swing need earlier frames, and are baked into clips ([`crate::bake_helpers`]). Children of a helper keep
///   their pose relative to it.
///
/// ```
/// use sinew_rig::{samples, Evaluator, Pose};
///
/// let character = samples::limb(16, 24);
/// let mut evaluator = Evaluator::new(&character);
/// let mut model_from_bone = vec![glam::Affine3A::IDENTITY; character.skeleton().bone_count()];
/// evaluator.model_from_bone_into(&character, &Pose::rest(&character), &mut model_from_bone);
/// assert_eq!(model_from_bone[1].translation.y, 0.3);
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// `None` without logic.
    logic: Option<(Plan, Scratch)>,
    /// After groups and flips; one list per instance.
    morph_weights: Vec<Vec<f32>>,
    /// `None` without controllers.
    helpers: Option<Helpers>,
}

impl Evaluator {
    /// Prepares a character's logic.
    pub fn new(character: &Character) -> Self {
        let bone_count = character.skeleton().bone_count();
        Self {
            logic: Plan::of(character).map(|plan| (plan, Scratch::new(bone_count))),
            morph_weights: character
                .instances()
                .iter()
                .map(|instance| instance.morph_weights.clone())
                .collect(),
            helpers: Helpers::of(character),
        }
    }

    /// Model from bone, one per bone; overwrites the slice.
    ///
    /// # Panics
    /// If the slice is not one per bone, or the evaluator was made for another character.
    ///
    /// # Degenerate input
    /// Finite poses give finite matrices: links without length and goals on a link turn nothing, and a bone whose ratios overflow stays in
    /// place.
    pub fn model_from_bone_into(
        &mut self,
        character: &Character,
        pose: &Pose,
        model_from_bone: &mut [Affine3A],
    ) {
        self.before_helpers(character, pose, model_from_bone);
        if let Some(helpers) = &mut self.helpers {
            helpers.place(character, pose, model_from_bone);
        }
    }

    /// Bone transforms without helpers.
    fn before_helpers(&mut self, character: &Character, pose: &Pose, model_from_bone: &mut [Affine3A]) {
        character.skeleton().model_from_bone_into(pose.parent_from_bone(), model_from_bone);
        self.resolve_morphs(character, pose);
        let Some((plan, scratch)) = &mut self.logic else { return };
        assert_eq!(plan.order.len(), model_from_bone.len(), "the character of this evaluator");
        scratch.reset();
        let split = plan.rests.iter().zip(pose.parent_from_bone()).enumerate();
        for (bone, (rest, local)) in split.filter(|&(bone, _)| plan.is_split[bone]) {
            (scratch.own[bone], scratch.scale_and_shear[bone]) = rest.split(local);
            if let Some(axis) = plan.axes[bone] {
                scratch.own[bone].rotation = put_on_axis(scratch.own[bone].rotation, axis);
            }
        }
        add_bone_morphs(character, &self.morph_weights, scratch);
        let (parent_from_bone, is_reaching) = (pose.parent_from_bone(), pose.is_reaching());
        Frame { plan, scratch, parent_from_bone, is_reaching, model_from_bone }.run();
    }

    /// The resulting morph weights, after groups, flips and controllers; one list per instance, one weight per morph of its mesh.
    ///
    /// # Panics
    /// If the evaluator was made for another character.
    pub fn morph_weights(&mut self, character: &Character, pose: &Pose) -> &[Vec<f32>] {
        if character.controllers().morphs.is_empty() {
            self.resolve_morphs(character, pose);
        } else if let Some(mut helpers) = self.helpers.take() {
            let mut standing = std::mem::take(&mut helpers.standing);
            self.before_helpers(character, pose, &mut standing);
            helpers.add_morphs(character, pose, &standing, &mut self.morph_weights);
            helpers.standing = standing;
            self.helpers = Some(helpers);
        }
        &self.morph_weights
    }

    /// The helpers' numbers of the last evaluated pose; empty without helpers.
    pub(crate) fn helper_numbers(&self) -> &[[f64; HELPER_NUMBERS]] {
        self.helpers.as_ref().map_or(&[], Helpers::numbers)
    }

    fn resolve_morphs(&mut self, character: &Character, pose: &Pose) {
        assert_eq!(self.morph_weights.len(), character.instances().len(), "the character of this evaluator");
        for (index, effective) in self.morph_weights.iter_mut().enumerate() {
            let instance = InstanceId::of(index);
            let morphs = &character.mesh_of(instance).morphs;
            morph_weights::resolve(morphs, pose.morph_weights(instance), effective);
        }
    }
}

/// Adds the morphs' bone changes to the pose's; each rotation in the parent's frame, after the previous ones.
fn add_bone_morphs(character: &Character, morph_weights: &[Vec<f32>], scratch: &mut Scratch) {
    for (instance, weights) in character.instances().iter().zip(morph_weights) {
        for (morph, &weight) in character.mesh(instance.mesh).morphs.iter().zip(weights) {
            let MorphEffect::Bones(moved) = &morph.effect else { continue };
            if weight == 0.0 {
                continue;
            }
            for moved in moved {
                let own = &mut scratch.own[moved.bone.index()];
                own.translation += moved.translation * weight;
                own.rotation = (share_of_turn(moved.rotation.normalize(), weight) * own.rotation).normalize();
            }
        }
    }
}
