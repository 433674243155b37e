//! Walks and trots of four-legged models.

use super::{BakeSettings, MotionChoice, MotionLoadError, MotionOutcome, save_motion};
use crate::{Model, SaveSettings};
use sinew_io::Report;
use sinew_motion::{Quadruped, QuadrupedGait, QuadrupedGaitKind, QuadrupedSettings};
use sinew_rig::Clip;
use std::path::Path;

/// Keys per second: straight lines between them keep paws on the ground.
const KEYS_PER_SECOND: f64 = 120.0;

impl Model {
    /// The clip of a four-legged model.
    ///
    /// # Errors
    /// Its legs are not found, or it cannot go so.
    pub fn animal_clip(
        &self,
        settings: &QuadrupedSettings,
        bake: &BakeSettings,
    ) -> Result<Clip, MotionLoadError> {
        let animal = Quadruped::new(&self.character)?;
        Ok(QuadrupedGait::new(&animal, settings)?.to_clip(bake))
    }

    /// Writes a walk or trot of a four-legged model: see [`save_motion`].
    ///
    /// # Errors
    /// Its legs are not found, it cannot go so, or the file cannot be written.
    pub fn write_animal(
        self,
        choice: &MotionChoice,
        output: &Path,
    ) -> Result<MotionOutcome, MotionLoadError> {
        let kind = match choice.motion.to_str() {
            Some("trot") => QuadrupedGaitKind::Trot,
            _ => QuadrupedGaitKind::Walk,
        };
        let default = QuadrupedSettings::default();
        let settings = QuadrupedSettings {
            kind,
            speed_m_s: choice.speed_m_s,
            seconds: choice.seconds.unwrap_or(default.seconds),
        };
        let fps = choice.fps.unwrap_or(KEYS_PER_SECOND);
        let bake = BakeSettings { fps, is_in_place: choice.is_in_place };
        let clip = self.animal_clip(&settings, &bake)?;
        let hip_height_m = Quadruped::new(&self.character)?.hip_height_m();
        let mut outcome = MotionOutcome {
            output: output.into(),
            seconds: clip.duration_secs(),
            tracks: clip.tracks.len(),
            hip_height_m,
            character: format!("four legs, {hip_height_m:.2} m high"),
            losses: Report::default(),
        };
        let save = SaveSettings { keeps_names: choice.keeps_names, vrm: choice.vrm.clone() };
        save_motion(self, clip, fps, output, &save, &mut outcome.losses)?;
        Ok(outcome)
    }
}
