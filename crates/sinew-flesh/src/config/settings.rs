//! Everything that a user can say about flesh.

use super::preset::FleshPreset;
use crate::muscles::{DriveSettings, MuscleSpec};
use sinew_rig::{BoneId, Character, FindError, HumanoidBone, HumanoidMap};

/// A layer of flesh, from the bone outwards.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSettings {
    /// What it is called.
    pub name: String,
    /// Share of the way from bone to skin; the shares of all layers count relative to their sum. 0 to 1.
    pub thickness: f64,
    /// Young's modulus, Pa: fat 1,000 to 5,000, muscle 10,000 to 60,000. 10 to 10⁸.
    pub young_pa: f64,
    /// β: how much of a stretch goes along the fibre and is answered across it, 0 to 1.
    pub fibre_share: f64,
    /// Rate at which motion against the rig fades, 1/s; a swing is down to a twentieth after 6 divided by it, seconds. 0 to 1,000.
    pub damping_per_sec: f64,
    /// Whether it is moved by the rig alone; the innermost layer is.
    pub is_held: bool,
}

impl Default for LayerSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            thickness: 0.3,
            young_pa: 1_200.0,
            fibre_share: 0.2,
            damping_per_sec: 8.0,
            is_held: false,
        }
    }
}

/// What differs round one bone.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneSettings {
    /// A bone of a human in VRM's words, or else of the model by its own name.
    pub bone: String,
    /// Factor of all moduli. 0.01 to 100. Default: 1.
    pub stiffness: f64,
    /// Factor of the damping. 0 to 100. Default: 1.
    pub damping: f64,
    /// Thickness of layers by their names; others keep theirs.
    pub thickness: Vec<(String, f64)>,
    /// Instead of the simulation's, metres.
    pub max_distance_m: Option<f64>,
}

impl Default for BoneSettings {
    fn default() -> Self {
        Self {
            bone: String::new(),
            stiffness: 1.0,
            damping: 1.0,
            thickness: Vec::new(),
            max_distance_m: None,
        }
    }
}

/// A line on the skin along which fibres run.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Corners, model space at rest, metres; two or more.
    pub points: Vec<[f64; 3]>,
    /// How much it counts against what else says the direction. 0 to 100. Default: 1.
    pub weight: f64,
}

impl Default for Stroke {
    fn default() -> Self {
        Self { points: Vec::new(), weight: 1.0 }
    }
}

/// Which way fibres run.
#[derive(Clone, Debug, PartialEq)]
pub struct FibreSettings {
    /// Weight of the bones' directions at bones. 0 to 100. Default: 1.
    pub bone_weight: f64,
    /// Weight of the bones' directions along the skin. 0 to 100. Default: 1.
    pub skin_weight: f64,
    /// Weight of muscles' own fibres, times their share. 0 to 100. Default: 4, so that they win where they are.
    pub muscle_weight: f64,
    /// How far fibres along the skin are turned from the bone, degrees: they wind round the limb as a screw, mirrored from left to right. −90
    /// to 90. Default: 0.
    pub skin_turn_deg: f64,
    /// Lines that a user has drawn.
    pub strokes: Vec<Stroke>,
}

impl Default for FibreSettings {
    fn default() -> Self {
        Self {
            bone_weight: 1.0,
            skin_weight: 1.0,
            muscle_weight: 4.0,
            skin_turn_deg: 0.0,
            strokes: Vec::new(),
        }
    }
}

/// Muscles, and how they bulge.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleSettings {
    /// Strength and rates of all.
    pub drive: DriveSettings,
    /// Each by its name.
    pub list: Vec<MuscleSpec>,
}

/// How motion is worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationSettings {
    /// Steps a second. 24 to 2,000. Default: 120.
    pub rate_hz: f64,
    /// Iterations of each step. 1 to 200. Default: 10.
    pub iterations: u32,
    /// Share of gravity. 0 to 2. The skin was modelled under gravity, so that 0 leaves a still character as it is.
    pub gravity_share: f64,
    /// How much of a region's volume is kept. 0 to 1. Default: 1.
    pub volume_share: f64,
    /// Flesh goes no farther than this from where the rig has it, metres. 0 to 10.
    pub max_distance_m: f64,
    /// And no farther than this towards the bone, metres; also how far the softest flesh gives way when it is pressed. 0 to 10.
    pub backstop_m: f64,
}

/// What flesh cannot pass.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSettings {
    /// Whether there is a floor.
    pub ground: bool,
    /// Where it is, metres.
    pub ground_height_m: f64,
    /// Whether parts of one body push each other away. Default: they do.
    pub body: bool,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { ground: true, ground_height_m: 0.0, body: true }
    }
}

/// All settings of flesh.
#[derive(Clone, Debug, PartialEq)]
pub struct FleshSettings {
    /// What the values were before any was changed.
    pub preset: FleshPreset,
    /// How motion is worked out.
    pub simulation: SimulationSettings,
    /// What it cannot pass.
    pub contact: ContactSettings,
    /// From the bone outwards; one or more.
    pub layers: Vec<LayerSettings>,
    /// Exceptions.
    pub bones: Vec<BoneSettings>,
    /// Directions.
    pub fibres: FibreSettings,
    /// Muscles.
    pub muscles: MuscleSettings,
}

/// Why an exception means no bone of a character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoneSettingsError {
    /// A bone of a human that the character has not.
    #[error(
        "the settings of {bone} fit no bone, because the character has none that is known as that; say which it is in the map"
    )]
    NotMapped {
        /// The bone.
        bone: HumanoidBone,
    },
    /// No bone of that name.
    #[error("settings of a bone: {0}")]
    Find(#[from] FindError),
}

impl FleshSettings {
    /// The bone of each exception, in their order: VRM's words by the map, other names by the character.
    ///
    /// # Errors
    /// All that mean no bone.
    pub fn find_bones(
        &self,
        character: &Character,
        map: &HumanoidMap,
    ) -> Result<Vec<BoneId>, Vec<BoneSettingsError>> {
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for settings in &self.bones {
            // A model's own bone goes before one of a human of the same name: it is what the user sees.
            let by_name = character.skeleton().find(&settings.bone).map_err(BoneSettingsError::from);
            let bone = match (by_name, HumanoidBone::from_name(&settings.bone)) {
                (Err(_), Some(bone)) => map.get(bone).ok_or(BoneSettingsError::NotMapped { bone }),
                (by_name, _) => by_name,
            };
            match bone {
                Ok(bone) => found.push(bone),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(found) } else { Err(errors) }
    }
}

impl Default for FleshSettings {
    fn default() -> Self {
        FleshPreset::Natural.settings()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{guess_humanoid, samples};

    #[test]
    fn bones_are_found_by_both_names_and_mistakes_told_together() {
        let figure = samples::figure();
        let mut map = guess_humanoid(&figure);
        let named = |bone: &str| BoneSettings { bone: bone.to_owned(), ..BoneSettings::default() };
        let mut settings =
            FleshSettings { bones: vec![named("hips"), named("LeftToes")], ..FleshSettings::default() };
        let found = settings.find_bones(&figure, &map).unwrap();
        assert_eq!(Some(found[0]), map.get(HumanoidBone::Hips));
        assert_eq!(figure.skeleton().bone(found[1]).name, "LeftToes");
        map.remove(HumanoidBone::Hips);
        settings.bones.push(named("LeftTos"));
        let told: Vec<String> =
            settings.find_bones(&figure, &map).unwrap_err().iter().map(ToString::to_string).collect();
        assert!(told.len() == 2 && told[0].contains("hips") && told[1].contains("LeftToes"), "{told:?}");
    }
}
