//! Named builds, as percentiles of the survey.

use super::measure::{Measure, UnknownName};
use super::population::Population;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A named build, for women, men and blends alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The name to type.
    pub name: String,
    /// One-line description.
    pub about: String,
    /// Its given values; all others are as usual with these.
    pub values: Vec<(Measure, PresetValue)>,
    /// The build beside its values.
    #[serde(default)]
    pub build: Option<PresetBuild>,
}

/// Build of a preset, as `shapes::Build` has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PresetBuild {
    /// From −1, weak, to 1, a bodybuilder.
    pub muscle: Option<f64>,
    /// From −1, starved, over 0, lean, to 2. Without it, as usual for the weight.
    pub fat: Option<f64>,
    /// From −1, uncommon proportions, to 1, an ideal.
    pub shape: Option<f64>,
}

/// Value of a measure in a preset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PresetValue {
    /// The percentage of people with less, 0 to 100.
    Percentile(f64),
    /// The value itself, in the measure's unit.
    Exactly(f64),
}

/// All presets. Each is within the survey: completing it gives no notes.
pub static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let list: PresetList =
        toml::from_str(include_str!("../../data/presets.toml")).expect("a test reads the embedded file");
    list.presets
});

#[derive(Deserialize)]
struct PresetList {
    presets: Vec<Preset>,
}

/// What to say of a name that no preset has.
pub(super) fn nearest_text(name: &str) -> String {
    sinew_rig::did_you_mean(name, PRESETS.iter().map(|preset| preset.name.as_str()))
}

impl Preset {
    /// The preset of that name.
    ///
    /// # Errors
    /// If there is none; the error lists all.
    pub fn find(name: &str) -> Result<&'static Self, UnknownName> {
        let found = PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| UnknownName::Preset { name: name.into() })
    }

    /// Its values in a population, ready for [`Population::complete`].
    #[must_use]
    pub fn given(&self, population: &Population) -> Vec<(Measure, f64)> {
        let value = |&(measure, value): &(Measure, PresetValue)| match value {
            PresetValue::Percentile(percent) => (measure, population.at_percentile(measure, percent)),
            PresetValue::Exactly(value) => (measure, value),
        };
        self.values.iter().map(value).collect()
    }

    /// Its values in a population, with `own` values replacing or extending them.
    #[must_use]
    pub fn given_with(&self, population: &Population, own: &[(Measure, f64)]) -> Vec<(Measure, f64)> {
        let is_free = |preset: &(Measure, f64)| own.iter().all(|(measure, _)| *measure != preset.0);
        self.given(population).into_iter().filter(is_free).chain(own.iter().copied()).collect()
    }
}

pub(super) fn names() -> String {
    PRESETS.iter().map(|preset| preset.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measure::*;
    use super::super::population::Sex;
    use super::*;

    #[test]
    fn every_preset_is_well_within_the_survey_for_every_sex() {
        let populations =
            [Population::of(Sex::Female).clone(), Population::of(Sex::Male).clone(), Population::blend(0.5)];
        for preset in PRESETS.iter() {
            for population in &populations {
                let completed = population.complete(&preset.given(population)).expect(&preset.name);
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
        assert!(message.starts_with("unknown preset \"fit\"; use average, slim, athletic"), "{message}");
        assert_eq!(Preset::find(" Tall").map(|preset| preset.name.as_str()), Ok("tall"));
    }
}
