//! Shapes of a character with flesh, over clips.

use crate::{FitError, Sequence};
use sinew_flesh::{CoveredCharacter, FleshMotion, FleshPreset, FleshRig, FleshRigError, FleshRun, FleshSkin};
use sinew_geometry::progress::Progress;
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_rig::{Character, Clip, HumanoidMap, Pose};
use sinew_skin::SkinSettings;

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
    pub(crate) fn rig<'a>(
        &self,
        character: &'a Character,
        map: &HumanoidMap,
    ) -> Result<FleshRig<'a>, FitError> {
        let size = CoverSize::Count(self.tet_count as usize);
        let cover = CoverSettings { size, ..CoverSettings::default() };
        let mut covered = CoveredCharacter::new(character, &cover).map_err(FleshRigError::from)?;
        covered.humanoid = Some(map.clone());
        Ok(FleshRig::new(covered, &self.preset.settings(), &[])?)
    }

    /// Plays a clip.
    ///
    /// # Errors
    /// A clip that cannot be played, or [`FitError::Interrupted`].
    pub(crate) fn play(
        &self,
        rig: &FleshRig<'_>,
        clip: &Clip,
        progress: &Progress<'_>,
    ) -> Result<Sequence, FitError> {
        let character = rig.character();
        let is_loop = clip.comes_round(character);
        let motion = FleshMotion { clip, fps: self.fps, speed: 1.0, is_loop };
        let count = FleshRun::frame_count(&motion);
        let run = FleshRun::new(rig, self.skin.clone());
        let mut on_frame = |frame| progress.step(frame, count).is_ok();
        let frames = run.play(&motion, &mut on_frame)?.ok_or(FitError::Interrupted)?;
        let pose = |frame: usize| {
            let mut pose = Pose::rest(character);
            pose.set_clip(character, clip, frame as f64 / self.fps);
            pose
        };
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
