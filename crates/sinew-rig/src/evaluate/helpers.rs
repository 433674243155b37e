//! Helpers and morphs with controllers, evaluated after all other logic.

use crate::bake::local_of;
use crate::controllers::{ControllerRun, DriverChange, driver_change, helper_change};
use crate::{BoneId, Character, HELPER_NUMBERS, InstanceId, Pose};
use glam::Affine3A;

/// Prepared controllers, with memory for a frame.
#[derive(Clone, Debug)]
pub(super) struct Helpers {
    run: ControllerRun,
    /// One per driver, parent from bone.
    driver_rests: Vec<Affine3A>,
    /// One per driver.
    changes: Vec<DriverChange>,
    /// Helpers, and all bones below them, parents first; helpers with their index and rest.
    moved: Vec<(BoneId, Option<(usize, Affine3A)>)>,
    /// Buffer of bone transforms; one per bone if there are controlled morphs.
    pub(super) standing: Vec<Affine3A>,
}

impl Helpers {
    /// `None` if nothing is controlled.
    pub(super) fn of(character: &Character) -> Option<Self> {
        let controllers = character.controllers();
        if controllers.is_empty() {
            return None;
        }
        let skeleton = character.skeleton();
        let rest = |bone: BoneId| skeleton.bone(bone).rest.to_affine();
        let mut is_moved = vec![false; skeleton.bone_count()];
        let mut moved = Vec::new();
        for &bone in skeleton.parents_first() {
            let helper = controllers.helpers.iter().position(|helper| helper.bone == bone);
            let hangs = skeleton.bone(bone).parent.is_some_and(|parent| is_moved[parent.index()]);
            if helper.is_some() || hangs {
                is_moved[bone.index()] = true;
                moved.push((bone, helper.map(|helper| (helper, rest(bone)))));
            }
        }
        let room = if controllers.morphs.is_empty() { 0 } else { skeleton.bone_count() };
        Some(Self {
            run: ControllerRun::new(controllers),
            driver_rests: controllers.drivers.iter().map(|driver| rest(driver.bone)).collect(),
            changes: vec![DriverChange::REST; controllers.drivers.len()],
            moved,
            standing: vec![Affine3A::IDENTITY; room],
        })
    }

    /// Places helpers by their controllers. `model_from_bone`: transforms of all other bones.
    pub(super) fn place(&mut self, character: &Character, pose: &Pose, model_from_bone: &mut [Affine3A]) {
        self.follow(character, pose, model_from_bone);
        let numbers = self.run.numbers();
        for &(bone, helper) in &self.moved {
            let asked = pose.parent_from_bone()[bone.index()];
            let local = match helper.filter(|_| !pose.is_keyed(bone)) {
                Some((helper, rest)) => followed(&rest, &helper_change(&numbers[helper]), &asked),
                None => asked,
            };
            let placed = match character.skeleton().bone(bone).parent {
                Some(parent) => model_from_bone[parent.index()] * local,
                None => local,
            };
            // Coefficients can overflow: then the bone stays in place.
            if placed.is_finite() {
                model_from_bone[bone.index()] = placed;
            }
        }
    }

    /// The controllers' last numbers.
    pub(super) fn numbers(&self) -> &[[f64; HELPER_NUMBERS]] {
        self.run.numbers()
    }

    /// Adds the controllers' morph weights. `model_from_bone`: transforms of all other bones.
    pub(super) fn add_morphs(
        &mut self,
        character: &Character,
        pose: &Pose,
        model_from_bone: &[Affine3A],
        morph_weights: &mut [Vec<f32>],
    ) {
        self.follow(character, pose, model_from_bone);
        let controllers = character.controllers();
        for (morph, weight) in controllers.morphs.iter().zip(self.run.morph_weights(controllers)) {
            let of_mesh = character.instances().iter().enumerate();
            for (index, _) in of_mesh.filter(|(_, instance)| instance.mesh == morph.mesh) {
                if !pose.is_morph_keyed(InstanceId::of(index)) && weight.is_finite() {
                    morph_weights[index][morph.morph as usize] += weight;
                }
            }
        }
    }

    fn follow(&mut self, character: &Character, pose: &Pose, model_from_bone: &[Affine3A]) {
        let controllers = character.controllers();
        let drivers = controllers.drivers.iter().zip(&self.driver_rests);
        for ((driver, rest), change) in drivers.zip(&mut self.changes) {
            let parent = character.skeleton().bone(driver.bone).parent;
            let parent = parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent.index()]);
            let asked = &pose.parent_from_bone()[driver.bone.index()];
            let local = local_of(&parent, &model_from_bone[driver.bone.index()], asked);
            *change = driver_change(rest, &local);
        }
        self.run.run(controllers, self.changes.iter().copied());
    }
}

/// The controller's change, then the pose's.
fn followed(rest: &Affine3A, change: &Affine3A, asked: &Affine3A) -> Affine3A {
    if asked == rest {
        return *rest * *change;
    }
    let own = rest.inverse() * *asked;
    if own.is_finite() { *rest * *change * own } else { *rest * *change }
}
