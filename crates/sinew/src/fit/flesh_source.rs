//! Shapes of a character with flesh, over clips.

use super::{FitError, Sequence};
use crate::flesh::{FleshMotion, FleshPreset, FleshRig, FleshRigSettings, FleshRun};
use sinew_geometry::CoverSize;
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
    pub fn rig(&self, character: &Character, map: Option<&HumanoidMap>) -> Result<FleshRig, FitError> {
        let flesh = self.preset.settings();
        let size = CoverSize::Count(self.tet_count as usize);
        Ok(FleshRig::new(character, map, &FleshRigSettings { flesh: &flesh, size, paints: &[] })?)
    }

    /// Plays a clip. `on_frame` returning `false` stops.
    ///
    /// # Errors
    /// `on_frame` stops.
    pub fn play(
        &self,
        character: &Character,
        rig: &FleshRig,
        clip: &Clip,
        on_frame: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Sequence, FitError> {
        let is_loop = comes_round(character, clip);
        let motion = FleshMotion { clip, fps: self.fps, speed: 1.0, is_loop, floor: None };
        let count = FleshRun::frame_count(&motion);
        let run = FleshRun::new(character, rig, self.skin.clone());
        let frames = run.play(&motion, &mut |frame| on_frame(frame, count))?.ok_or(FitError::Interrupted)?;
        let pose = |frame: usize| {
            let mut pose = Pose::rest(character);
            pose.set_clip(character, clip, frame as f64 / self.fps);
            pose
        };
        Ok(Sequence { poses: (0..frames.shapes.len()).map(pose).collect(), shapes: frames.shapes })
    }
}

/// Whether a clip ends as it begins, but for where it has gone: one round of a walk.
fn comes_round(character: &Character, clip: &Clip) -> bool {
    /// Entries of rotations that are nearer are the same.
    const SAME: f32 = 1e-2;
    let mut ends = [0.0, clip.duration_secs()].map(|time| {
        let mut pose = Pose::rest(character);
        pose.set_clip(character, clip, time);
        pose
    });
    let [first, last] = &mut ends;
    let bones = first.parent_from_bone().iter().zip(last.parent_from_bone());
    clip.duration_secs() > 0.0 && bones.into_iter().all(|(a, b)| a.matrix3.abs_diff_eq(b.matrix3, SAME))
}
