//! Named builds, as places in the survey.

use super::measure::Measure::{self, *};
use super::population::Population;

/// A named build, for women, men and blends alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The name that a user types.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// What it fixes; all else is completed from the survey.
    pub values: &'static [(Measure, PresetValue)],
}

/// Where in the survey a preset puts a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PresetValue {
    /// The percentage of people who have less, 0 to 100.
    Percentile(f64),
    /// The value itself, in the measure's unit.
    Exactly(f64),
}

/// No preset has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no preset is named {name:?}; there are {}", names())]
pub struct UnknownPreset {
    /// What was asked for.
    pub name: String,
}

use PresetValue::{Exactly, Percentile};

/// All presets. Each lies within the survey: completing it leaves no notes.
pub const PRESETS: [Preset; 15] = [
    Preset { name: "average", about: "the mean of everybody measured", values: &[] },
    Preset {
        name: "slim",
        about: "average stature, lighter than 9 in 10",
        values: &[(Stature, Percentile(50.0)), (Weight, Percentile(10.0))],
    },
    Preset {
        name: "athletic",
        about: "a narrow waist under a full chest, with strong arms and legs",
        values: &[
            (Weight, Percentile(55.0)),
            (WaistGirth, Percentile(28.0)),
            (ChestGirth, Percentile(62.0)),
            (BicepsGirth, Percentile(78.0)),
            (ThighGirth, Percentile(62.0)),
        ],
    },
    Preset {
        name: "muscular",
        about: "a heavy athlete: thick arms, neck and thighs, little belly",
        values: &[
            (Weight, Percentile(85.0)),
            (WaistGirth, Percentile(62.0)),
            (ChestGirth, Percentile(90.0)),
            (BicepsGirth, Percentile(96.0)),
            (NeckGirth, Percentile(90.0)),
            (ThighGirth, Percentile(88.0)),
        ],
    },
    Preset {
        name: "heavy",
        about: "average stature, heavier than 19 in 20",
        values: &[(Stature, Percentile(50.0)), (Weight, Percentile(95.0))],
    },
    Preset {
        name: "round",
        about: "a large belly for the weight",
        values: &[(Weight, Percentile(75.0)), (WaistGirth, Percentile(93.0))],
    },
    Preset {
        name: "pear",
        about: "wide hips and thighs under a narrow waist",
        values: &[
            (WaistGirth, Percentile(35.0)),
            (ButtockGirth, Percentile(80.0)),
            (HipBreadth, Percentile(84.0)),
            (ThighGirth, Percentile(80.0)),
        ],
    },
    Preset {
        name: "short",
        about: "shorter than 19 in 20, weight to match",
        values: &[(Stature, Percentile(5.0))],
    },
    Preset {
        name: "tall",
        about: "taller than 19 in 20, weight to match",
        values: &[(Stature, Percentile(95.0))],
    },
    Preset {
        name: "petite",
        about: "short and light",
        values: &[(Stature, Percentile(10.0)), (Weight, Percentile(10.0))],
    },
    Preset {
        name: "stocky",
        about: "short and heavy",
        values: &[(Stature, Percentile(12.0)), (Weight, Percentile(70.0))],
    },
    Preset {
        name: "lanky",
        about: "tall and light",
        values: &[(Stature, Percentile(90.0)), (Weight, Percentile(35.0))],
    },
    Preset {
        name: "large",
        about: "tall and heavy",
        values: &[(Stature, Percentile(92.0)), (Weight, Percentile(92.0))],
    },
    Preset { name: "young", about: "eighteen years old", values: &[(Age, Exactly(18.0))] },
    Preset {
        name: "older",
        about: "fifty-five years old, near the end of the survey's ages",
        values: &[(Age, Exactly(55.0))],
    },
];

impl Preset {
    /// The preset of that name.
    ///
    /// # Errors
    /// There is none; the error names all.
    pub fn find(name: &str) -> Result<&'static Self, UnknownPreset> {
        let found = PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| UnknownPreset { name: name.into() })
    }

    /// What it gives in a population, ready for [`Population::complete`].
    #[must_use]
    pub fn given(&self, population: &Population) -> Vec<(Measure, f64)> {
        let value = |&(measure, value): &(Measure, PresetValue)| match value {
            Percentile(percent) => (measure, population.at_percentile(measure, percent)),
            Exactly(value) => (measure, value),
        };
        self.values.iter().map(value).collect()
    }

    /// What it gives in a population, with `own` values in place of its own or beside them.
    #[must_use]
    pub fn given_with(&self, population: &Population, own: &[(Measure, f64)]) -> Vec<(Measure, f64)> {
        let is_free = |preset: &(Measure, f64)| own.iter().all(|(measure, _)| *measure != preset.0);
        self.given(population).into_iter().filter(is_free).chain(own.iter().copied()).collect()
    }
}

fn names() -> String {
    PRESETS.map(|preset| preset.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::population::Sex;
    use super::*;

    #[test]
    fn every_preset_is_well_within_the_survey_for_every_sex() {
        let populations =
            [Population::of(Sex::Female).clone(), Population::of(Sex::Male).clone(), Population::blend(0.5)];
        for preset in &PRESETS {
            for population in &populations {
                let completed = population.complete(&preset.given(population)).expect(preset.name);
                let notes: Vec<_> = completed.report().notes.iter().map(ToString::to_string).collect();
                assert!(notes.is_empty(), "{}: {notes:?}", preset.name);
            }
        }
    }

    #[test]
    fn builds_differ_as_their_names_say() {
        let men = Population::of(Sex::Male);
        let of = |name: &str, measure: Measure| {
            let preset = Preset::find(name).expect("a preset");
            men.complete(&preset.given(men)).expect("possible").value(measure)
        };
        assert!(of("slim", WaistGirth) < 0.85, "slim {}", of("slim", WaistGirth));
        assert!(of("round", WaistGirth) > 1.08, "round {}", of("round", WaistGirth));
        assert!(of("athletic", WaistGirth) < of("average", WaistGirth) - 0.05, "athletic");
        assert!(of("athletic", BicepsGirth) > of("average", BicepsGirth) + 0.02, "athletic");
        assert!(of("older", WaistGirth) > of("young", WaistGirth) + 0.1, "older");
        assert!(of("tall", CrotchHeight) > of("short", CrotchHeight) + 0.1, "tall");
    }

    #[test]
    fn own_values_take_the_place_of_the_preset_s() {
        let men = Population::of(Sex::Male);
        let large = Preset::find("large").expect("a preset");
        let given = large.given_with(men, &[(Weight, 100.0), (FootLength, 0.29)]);
        let stature = men.at_percentile(Stature, 92.0);
        assert_eq!(given, [(Stature, stature), (Weight, 100.0), (FootLength, 0.29)]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_all_names() {
        let message = Preset::find("fit").expect_err("no such preset").to_string();
        assert!(
            message.starts_with("no preset is named \"fit\"; there are average, slim, athletic"),
            "{message}"
        );
        assert_eq!(Preset::find(" Tall").map(|preset| preset.name), Ok("tall"));
    }
}
