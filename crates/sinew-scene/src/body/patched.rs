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
