//! A body whose skin is bent, twisted and bulged by its own patches.

use super::MadeBody;
use sinew_body::character::{CharacterSettings, Look};
use sinew_body::pose::{PaletteError, PatchDeformer};
use sinew_play::patches::{PatchModes, authored_body};
use sinew_rig::{BoundSurface, Character, Deformer};
use std::sync::Arc;

/// A character with its patches as a deformer.
#[derive(Clone)]
pub struct PatchedBody {
    /// The character; vertices are in the order that the deformer needs.
    pub character: Character,
    /// Skins it by its patches, in place of a skinning method.
    pub deformer: Arc<dyn Deformer>,
}

impl MadeBody {
    /// The body as a character that carries its design.
    pub fn character(&self, settings: &CharacterSettings) -> Character {
        let design = authored_body("human", &self.design, settings.steps);
        self.body.to_character(settings).with_body(Some(design))
    }

    /// The body with its patches, tessellated in so many steps an edge.
    ///
    /// # Errors
    /// Never for a body that was made.
    pub fn patched(&self, steps: usize, look: Look) -> Result<PatchedBody, PaletteError> {
        self.patched_by(steps, look, PatchModes::default())
    }

    /// [`Self::patched`] with rules for bends, twists and volume.
    ///
    /// # Errors
    /// Never for a body that was made.
    pub fn patched_by(
        &self,
        steps: usize,
        look: Look,
        modes: PatchModes,
    ) -> Result<PatchedBody, PaletteError> {
        // One vertex where patches meet: the order of the body's own mesh, which its deformer needs.
        let character = self.character(&CharacterSettings { steps, look, has_uvs: false });
        let bound = BoundSurface::of(&character);
        let order: Vec<usize> = bound.palette().iter().map(|entry| entry.bone.index()).collect();
        let deformer = PatchDeformer::new(self.body.clone(), &self.body.tessellate(steps), &order)?;
        Ok(PatchedBody { character, deformer: Arc::new(modes.apply(deformer)) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BodyRequest, make};
    use super::*;
    use glam::{Quat, Vec3};
    use sinew_io::{Folder, Limits, Report};
    use sinew_model::Model;
    use sinew_play::patches::bind_patches;
    use sinew_rig::Pose;
    use sinew_skin::PosedCharacter;

    /// What files and both ways of binding may change, m.
    const SAME_M: f32 = 1e-6;

    /// Where bones and vertices of a body are in a pose, by their places in rest.
    fn posed(character: &Character, deformer: Arc<dyn Deformer>) -> Vec<(Vec3, Vec3)> {
        let mut posed = PosedCharacter::with_deformer(character, deformer);
        let rest = posed.bound().rest().positions.clone();
        let mut pose = Pose::rest(character);
        for (bone, turn) in
            [("forearm.left", 1.3), ("thigh.right", -0.8), ("shank.right", 1.2), ("head", 0.4)]
        {
            pose.turn(character.skeleton().find(bone).unwrap(), Quat::from_rotation_x(turn));
        }
        posed.set(&pose);
        rest.into_iter().zip(posed.surface().positions.iter().copied()).collect()
    }

    #[test]
    fn a_file_moves_as_in_a_film() {
        let made = make(&BodyRequest::default()).unwrap();
        let film = made.patched(4, Look::Skin).unwrap();
        let mut expected = posed(&film.character, film.deformer);
        let settings = CharacterSettings { steps: 4, look: Look::Patches, has_uvs: true };
        let model = Model::new(made.character(&settings));
        let mut report = Report::default();
        let bytes = model.to_bytes("man.glb", &mut report).unwrap().main;
        let limits = Limits::default();
        let read = Model::from_bytes("man.glb", bytes, &Folder::of_files([]), &limits, &mut report).unwrap();
        assert_eq!(read.character.body(), model.character.body());
        let key = |(rest, _): &(Vec3, Vec3)| rest.to_array().map(f32::to_bits);
        expected.sort_by_key(key);
        let deformer = bind_patches(&read.character, PatchModes::default()).unwrap();
        for pair in posed(&read.character, deformer) {
            let at = expected.binary_search_by_key(&key(&pair), key).unwrap();
            assert!(pair.1.distance(expected[at].1) < SAME_M, "{pair:?} {:?}", expected[at]);
        }
    }
}
