//! Settings to begin with.
//!
//! Fat of 3 to 6 cm, as over a belly, a breast or a buttock, by [`super::ring_hz`] and [`super::settle_secs`]:
//!
//! | preset | fat, Pa | swings a second, at 6 and 3 cm | still after, s | sag at 5 cm by its share of gravity |
//! |---|---|---|---|---|
//! | `subtle` | 3,000 | 5.1 to 10.2 | 0.43 | none |
//! | `natural` | 1,200 | 3.2 to 6.5 | 0.75 | none |
//! | `heavy` | 700 | 2.5 to 4.9 | 1.00 | 1.1 cm |
//! | `cartoon` | 400 | 1.9 to 3.7 | 1.50 | 1.2 cm |
//!
//! The muscle below gives way a little, too, so that what is seen is slower by up to a fifth.

use super::fields::choices;
use super::settings::{
    ContactSettings, FiberSettings, FleshSettings, LayerSettings, MuscleSettings, SimulationSettings,
};
use crate::muscles::{DriveSettings, human_muscles};
use serde::{Deserialize, Serialize};
use sinew_rig::nearest_names;

/// A set of values that go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FleshPreset {
    /// Firm and quick to be still: a lean body, armor, close-ups that must not distract.
    Subtle,
    /// A human.
    #[default]
    Natural,
    /// Much soft flesh that swings slowly and hangs.
    Heavy,
    /// More than any human: bulging muscles, long swings.
    Cartoon,
}

/// No preset is called so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown preset {name:?}; use subtle, natural, heavy or cartoon{}", sinew_geometry::suggestion(.nearest))]
pub struct UnknownPreset {
    /// As asked for.
    pub name: String,
    /// The nearest names, best first.
    pub nearest: Vec<String>,
}

choices!(FleshPreset { Subtle = "subtle", Natural = "natural", Heavy = "heavy", Cartoon = "cartoon" });

impl FleshPreset {
    /// The preset of a name.
    ///
    /// # Errors
    /// There is none; near names are told.
    pub fn find(name: &str) -> Result<Self, UnknownPreset> {
        Self::ALL.into_iter().find(|preset| preset.name() == name).ok_or_else(|| UnknownPreset {
            name: name.to_owned(),
            nearest: nearest_names(name, Self::ALL.iter().map(|preset| preset.name())),
        })
    }

    /// All values.
    pub fn settings(self) -> FleshSettings {
        // Of fat and of muscle: share of the thickness, pascals, damping.
        let (fat, muscle, strength, gravity_share, [max_distance_m, backstop_m]) = match self {
            Self::Subtle => ([0.25, 3_000.0, 14.0], [0.55, 40_000.0, 20.0], 0.6, 0.0, [0.02, 0.01]),
            Self::Natural => ([0.35, 1_200.0, 8.0], [0.45, 20_000.0, 14.0], 1.0, 0.0, [0.05, 0.02]),
            Self::Heavy => ([0.5, 700.0, 6.0], [0.3, 15_000.0, 12.0], 0.8, 0.3, [0.08, 0.03]),
            Self::Cartoon => ([0.45, 400.0, 4.0], [0.35, 8_000.0, 8.0], 1.8, 0.2, [0.15, 0.05]),
        };
        let layer = |name: &str, [thickness, young_pa, damping_per_sec]: [f64; 3], fiber_share| {
            let name = name.to_owned();
            LayerSettings {
                name,
                thickness,
                young_pa,
                fiber_share,
                damping_per_sec,
                ..LayerSettings::default()
            }
        };
        FleshSettings {
            preset: self,
            simulation: SimulationSettings {
                rate_hz: 120.0,
                iterations: 10,
                gravity_share,
                volume_share: 1.0,
                max_distance_m,
                backstop_m,
            },
            contact: ContactSettings::default(),
            layers: vec![
                LayerSettings { is_held: true, ..layer("bone", [0.2, 1e6, 20.0], 0.0) },
                layer("muscle", muscle, 0.7),
                layer("fat", fat, 0.15),
            ],
            bones: Vec::new(),
            fibers: FiberSettings::default(),
            muscles: MuscleSettings {
                drive: DriveSettings { strength, ..DriveSettings::default() },
                list: human_muscles(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ring_hz, sag_m, settle_secs};

    #[test]
    fn the_table_of_presets_is_right() {
        let rows = [
            (FleshPreset::Subtle, [5.1, 10.2], 0.43, 0.0),
            (FleshPreset::Natural, [3.2, 6.5], 0.75, 0.0),
            (FleshPreset::Heavy, [2.5, 4.9], 1.0, 0.011),
            (FleshPreset::Cartoon, [1.9, 3.7], 1.5, 0.012),
        ];
        for (preset, [slow, fast], settles, sag) in rows {
            let settings = preset.settings();
            let fat = settings.layers.last().unwrap();
            assert!(
                (ring_hz(fat.young_pa, 0.06) - slow).abs() < 0.06,
                "{preset:?} {}",
                ring_hz(fat.young_pa, 0.06)
            );
            assert!(
                (ring_hz(fat.young_pa, 0.03) - fast).abs() < 0.06,
                "{preset:?} {}",
                ring_hz(fat.young_pa, 0.03)
            );
            assert!((settle_secs(fat.damping_per_sec) - settles).abs() < 0.006, "{preset:?}");
            let found = settings.simulation.gravity_share * sag_m(fat.young_pa, 0.05);
            assert!((found - sag).abs() < 0.0006, "{preset:?} {found}");
        }
    }

    #[test]
    fn unknown_presets_are_reported() {
        assert_eq!(FleshPreset::find("heavy"), Ok(FleshPreset::Heavy));
        assert!(FleshPreset::find("natrual").unwrap_err().to_string().contains("natural"), "near");
        assert!(FleshPreset::find("jelly").unwrap_err().to_string().contains("cartoon"), "all");
    }
}
