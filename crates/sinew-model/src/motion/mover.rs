//! Whom a motion moves.

#[cfg(feature = "files")]
use super::{MotionChoice, MotionLoadError, save_motion};
use crate::Model;
#[cfg(feature = "files")]
use crate::SaveSettings;
use sinew_io::Report;
use sinew_motion::{Humanoid, HumanoidError};
use sinew_rig::{HumanoidBone, HumanoidMap, guess_humanoid};
#[cfg(feature = "files")]
use {serde::Serialize, sinew_io::Limits, std::path::Path, std::path::PathBuf};

/// Where a map came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapOrigin {
    /// The user's file.
    Given,
    /// The VRM file itself.
    File,
    /// Names and hierarchy.
    Guessed,
}

/// A model with what motions need to know about it.
pub struct Mover {
    /// The model.
    pub model: Model,
    /// Its bones as those of a human.
    pub humanoid: Humanoid,
    /// Where that comes from.
    pub origin: MapOrigin,
}

/// The map that a file has, or one that is guessed.
pub fn humanoid_map(model: &Model, report: &mut Report) -> (HumanoidMap, MapOrigin) {
    match model.gltf().and_then(|document| document.humanoid(&model.character, report)) {
        Some(map) => (map, MapOrigin::File),
        None => (guess_humanoid(&model.character), MapOrigin::Guessed),
    }
}

/// A model's bones as those of a human, by the file's own map or a guess.
///
/// # Errors
/// Bones of a human are missing.
pub fn humanoid_of(model: &Model, report: &mut Report) -> Result<Humanoid, HumanoidError> {
    Humanoid::new(&model.character, &humanoid_map(model, report).0)
}

/// A motion that was made or taken over.
#[cfg(feature = "files")]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionOutcome {
    /// The file.
    pub output: PathBuf,
    /// How long it is.
    pub seconds: f64,
    /// Its tracks.
    pub tracks: usize,
    /// How high the hips are at rest.
    pub hip_height_m: f64,
    /// Who moves, in a line.
    pub character: String,
    /// What the format could not hold.
    #[serde(flatten, serialize_with = "sinew_io::serialize_losses")]
    pub losses: Report,
}

impl Mover {
    /// Writes a motion: see [`save_motion`](super::save_motion). `report` is what of its file did not fit.
    ///
    /// # Errors
    /// It cannot be made, or a file cannot be used.
    #[cfg(feature = "files")]
    pub fn write(
        self,
        choice: &MotionChoice,
        output: &Path,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<MotionOutcome, MotionLoadError> {
        let clip = choice.whole_clip(&self.model, &self.humanoid, limits, report)?;
        let mut outcome = MotionOutcome {
            output: output.into(),
            seconds: clip.duration_secs(),
            tracks: clip.tracks.len(),
            hip_height_m: self.humanoid.hip_height_m(),
            character: self.describe(),
            losses: Report::default(),
        };
        let save = SaveSettings { keeps_names: choice.keeps_names, vrm: choice.vrm.clone() };
        save_motion(self.model, clip, choice.fps.unwrap_or(60.0), output, &save, &mut outcome.losses)?;
        Ok(outcome)
    }

    /// Learns a model; without a map it is the file's own, or guessed.
    ///
    /// # Errors
    /// Bones of a human are missing.
    pub fn new(model: Model, map: Option<HumanoidMap>, report: &mut Report) -> Result<Self, HumanoidError> {
        let (map, origin) = match map {
            Some(map) => (map, MapOrigin::Given),
            None => humanoid_map(&model, report),
        };
        let humanoid = Humanoid::new(&model.character, &map)?;
        Ok(Self { model, humanoid, origin })
    }

    /// What a user should know about the map, in a line.
    pub fn describe(&self) -> String {
        use HumanoidBone::{Chest, LeftHand, LeftShoulder, LeftToes, Neck};
        let map = self.humanoid.map();
        let known = map.iter().count();
        let asked = [Chest, Neck, LeftToes, LeftHand, LeftShoulder].into_iter();
        let lacking = asked.filter(|&bone| map.get(bone).is_none()).map(HumanoidBone::name);
        let lacking: Vec<&str> = lacking.collect();
        let origin = match self.origin {
            MapOrigin::Given => "as given",
            MapOrigin::File => "from the file",
            MapOrigin::Guessed => "guessed by names",
        };
        let without = match lacking.is_empty() {
            true => String::new(),
            false => format!(", without {}", lacking.join(", ")),
        };
        format!(
            "{known} bones of a human, {origin}{without}; hips {:.2} m high",
            self.humanoid.hip_height_m()
        )
    }
}
