//! Shapes of a character with flesh, over clips.

use super::{FitError, Sequence};
use sinew_flesh::{CoveredCharacter, FleshMotion, FleshPreset, FleshRig, FleshRigError, FleshRun, FleshSkin};
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_rig::{Character, Clip, HumanoidMap, Pose};
use sinew_skin::SkinSettings;

/// How flesh is simulated.
#[derive(Clone, Debug)]
pub struct FleshSource {
    /// Frames a second.
    pub fps: f64,
    /// Tetrahedra, about.
    pub tet_count: u32,
    /// What the flesh is made of.
    pub preset: FleshPreset,
    /// How the skin is moved before flesh is added.
    pub skin: SkinSettings,
}

impl FleshSource {
    /// Puts flesh into a character.
    ///
    /// # Errors
    /// The character has no inside, or no bones.
    pub fn rig<'a>(
        &self,
        character: &'a Character,
        map: Option<&HumanoidMap>,
    ) -> Result<FleshRig<'a>, FitError> {
        let size = CoverSize::Count(self.tet_count as usize);
        let cover = CoverSettings { size, ..CoverSettings::default() };
        let mut covered = CoveredCharacter::new(character, &cover).map_err(FleshRigError::from)?;
        covered.humanoid = map.cloned();
        Ok(FleshRig::new(covered, &self.preset.settings(), &[])?)
    }

    /// Plays a clip. `on_frame` returning `false` stops.
    ///
    /// # Errors
    /// `on_frame` stops.
    pub fn play(
        &self,
        character: &Character,
        rig: &FleshRig<'_>,
        clip: &Clip,
        on_frame: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Sequence, FitError> {
        let is_loop = clip.comes_round(character);
        let motion = FleshMotion { clip, fps: self.fps, speed: 1.0, is_loop };
        let count = FleshRun::frame_count(&motion);
        let run = FleshRun::new(rig, self.skin.clone());
        let frames = run.play(&motion, &mut |frame| on_frame(frame, count))?.ok_or(FitError::Interrupted)?;
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
