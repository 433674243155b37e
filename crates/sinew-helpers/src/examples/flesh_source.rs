//! Shapes of a character with flesh, over clips.

use crate::{FitError, Sequence};
use sinew_flesh::{CoveredCharacter, FleshMotion, FleshPreset, FleshRig, FleshRigError, FleshRun, FleshSkin};
use sinew_geometry::progress::Progress;
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_rig::{Character, Clip, HumanoidMap, Pose};
use sinew_skin::SkinSettings;
use std::sync::Arc;

/// How flesh is simulated.
#[derive(Clone, Debug)]
pub(crate) struct FleshSource {
    /// Frames a second.
    pub(crate) fps: f64,
    /// Tetrahedra, about.
    pub(crate) tet_count: u32,
    /// What the flesh is made of.
    pub(crate) preset: FleshPreset,
    /// How the skin is moved before flesh is added.
    pub(crate) skin: SkinSettings,
}

impl FleshSource {
    /// Puts flesh into a character.
    ///
    /// # Errors
    /// The character has no inside, or no bones.
    pub(crate) fn rig(&self, character: &Character, map: &HumanoidMap) -> Result<Arc<FleshRig>, FitError> {
        let size = CoverSize::Count(self.tet_count as usize);
        let cover = CoverSettings { size, ..CoverSettings::default() };
        let mut covered = CoveredCharacter::new(character, &cover).map_err(FleshRigError::from)?;
        covered.humanoid = Some(map.clone());
        Ok(Arc::new(FleshRig::new(covered, &self.preset.settings(), &[])?))
    }

    /// Plays a clip; a step of progress is a frame.
    ///
    /// # Errors
    /// A clip that cannot be played, or [`FitError::Interrupted`].
    pub(crate) fn play(
        &self,
        rig: &Arc<FleshRig>,
        clip: &Clip,
        progress: &Progress<'_>,
    ) -> Result<Sequence, FitError> {
        let character = rig.character();
        let is_loop = clip.comes_round(character);
        let motion = FleshMotion { is_loop, ..FleshMotion::new(clip.clone(), self.fps) };
        let run = FleshRun::new(rig, self.skin.clone());
        let frames = run.play(&motion, progress).map_err(|error| match error {
            FleshRigError::Interrupted(_) => FitError::Interrupted,
            error => error.into(),
        })?;
        let pose = |frame: usize| Pose::at(character, clip, frame as f64 / self.fps);
        let mut skin = FleshSkin::new(&run, &motion, &frames);
        let mut shape = |frame: usize| {
            skin.set_positions(frame);
            skin.positions().to_vec()
        };
        let frame_count = frames.deviations.len();
        Ok(Sequence {
            poses: (0..frame_count).map(pose).collect(),
            shapes: (0..frame_count).map(&mut shape).collect(),
            is_loop,
        })
    }
}
