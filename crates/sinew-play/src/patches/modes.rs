//! How patches bend, twist and keep their volume.

use sinew_body::limb::{BendMode, TwistMode, VolumeMode};
use sinew_body::pose::PatchDeformer;
use std::fmt;
use std::str::FromStr;

/// The rules by which patches move, each with its own name on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PatchModes {
    /// `volume=free` (default) or `held`: whether limbs keep their volume.
    pub volume: VolumeMode,
    /// `bend=bisector` (default) or `source`.
    pub bend: BendMode,
    /// `twist=spread` (default), `source` or `untreated`.
    pub twist: TwistMode,
    /// `muscles=swell` (default) or `slack`: whether the patches' own muscles swell.
    pub muscles: MuscleMode,
}

/// Whether muscles of patches swell as joints turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MuscleMode {
    /// By the angles of joints.
    #[default]
    Swell,
    /// Not at all, where something else raises them.
    Slack,
}

/// Parameters of patches that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum PatchModesError {
    /// Not `patches`.
    #[error("expected patches, found {name:?}")]
    Name { name: String },
    #[error("patches have no parameter {parameter:?}; use volume, bend, twist or muscles")]
    Parameter { parameter: String },
    #[error("unknown value {parameter}={value}; use {allowed}")]
    Value { parameter: &'static str, value: String, allowed: &'static str },
}

const VOLUMES: [(&str, VolumeMode); 2] = [("free", VolumeMode::Free), ("held", VolumeMode::Held)];
const BENDS: [(&str, BendMode); 2] = [("bisector", BendMode::Bisector), ("source", BendMode::Source)];
const TWISTS: [(&str, TwistMode); 3] =
    [("spread", TwistMode::Spread), ("source", TwistMode::Source), ("untreated", TwistMode::SourceUntreated)];
const MUSCLES: [(&str, MuscleMode); 2] = [("swell", MuscleMode::Swell), ("slack", MuscleMode::Slack)];

impl PatchModes {
    /// Whether a text names patches, with or without parameters.
    pub fn are_named(text: &str) -> bool {
        text == "patches" || text.starts_with("patches:")
    }

    /// The deformer with these rules.
    #[must_use]
    pub fn apply(self, deformer: PatchDeformer) -> PatchDeformer {
        let deformer = deformer.with_volume(self.volume).with_bend(self.bend).with_twist(self.twist);
        deformer.with_muscles(self.muscles == MuscleMode::Swell)
    }

    /// The same where something else raises the muscles, such as flesh: both together would raise them twice.
    #[must_use]
    pub fn without_muscles(self) -> Self {
        PatchModes { muscles: MuscleMode::Slack, ..self }
    }

    fn set(&mut self, parameter: &str, value: &str) -> Result<(), PatchModesError> {
        match parameter {
            "volume" => self.volume = named(&VOLUMES, "volume", value, "free or held")?,
            "bend" => self.bend = named(&BENDS, "bend", value, "bisector or source")?,
            "twist" => self.twist = named(&TWISTS, "twist", value, "spread, source or untreated")?,
            "muscles" => self.muscles = named(&MUSCLES, "muscles", value, "swell or slack")?,
            _ => return Err(PatchModesError::Parameter { parameter: parameter.into() }),
        }
        Ok(())
    }
}

fn named<T: Copy>(
    list: &[(&str, T)],
    parameter: &'static str,
    value: &str,
    allowed: &'static str,
) -> Result<T, PatchModesError> {
    let found = list.iter().find(|(name, _)| *name == value);
    found.map(|&(_, mode)| mode).ok_or_else(|| PatchModesError::Value {
        parameter,
        value: value.into(),
        allowed,
    })
}

impl FromStr for PatchModes {
    type Err = PatchModesError;

    /// `patches`, `patches:volume=held,bend=source,twist=source`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        if name != "patches" {
            return Err(PatchModesError::Name { name: name.into() });
        }
        let mut modes = Self::default();
        for parameter in parameters.split(',').filter(|parameter| !parameter.is_empty()) {
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            modes.set(key, value)?;
        }
        Ok(modes)
    }
}

impl fmt::Display for PatchModes {
    /// The parameters that differ from the default, in the format of [`PatchModes::from_str`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parameters = Vec::new();
        if self.volume != VolumeMode::default() {
            parameters.push(format!("volume={}", name_in(&VOLUMES, self.volume)));
        }
        if self.bend != BendMode::default() {
            parameters.push(format!("bend={}", name_in(&BENDS, self.bend)));
        }
        if self.twist != TwistMode::default() {
            parameters.push(format!("twist={}", name_in(&TWISTS, self.twist)));
        }
        if self.muscles != MuscleMode::default() {
            parameters.push(format!("muscles={}", name_in(&MUSCLES, self.muscles)));
        }
        let separator = if parameters.is_empty() { "" } else { ":" };
        write!(f, "patches{separator}{}", parameters.join(","))
    }
}

fn name_in<T: PartialEq>(list: &[(&'static str, T)], mode: T) -> &'static str {
    list.iter().find(|(_, known)| *known == mode).map_or("?", |(name, _)| name)
}
