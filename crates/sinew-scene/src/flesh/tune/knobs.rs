//! Numbers of the settings as coordinates of a search.
//!
//! A step of 1 is a change that is well seen, in any of them: e times as stiff, as damped or as weighty, a quarter of all β, a twelfth of a turn.

use serde::{Deserialize, Serialize};
use sinew_flesh::FleshSettings;
use std::str::FromStr;

/// What is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TuneTarget {
    /// Young's modulus of each layer that moves.
    Stiffness,
    /// The damping of each.
    Damping,
    /// β of each: `fibre_share`.
    Beta,
    /// How many layers there are: 2, 3 or 4.
    Layers,
    /// Which way fibres run: weights of bones, skin and muscles, and the turn along the skin.
    Fibres,
}

impl TuneTarget {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Stiffness, Self::Damping, Self::Beta, Self::Layers, Self::Fibres];
}

impl FromStr for TuneTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "stiffness" => Ok(Self::Stiffness),
            "damping" => Ok(Self::Damping),
            "beta" => Ok(Self::Beta),
            "layers" => Ok(Self::Layers),
            "fibres" | "fibers" => Ok(Self::Fibres),
            _ => Err("use stiffness, damping, beta, layers or fibres".to_owned()),
        }
    }
}

/// A number, or several that change together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Knob {
    /// Moduli of all layers that move, by one factor.
    AllStiffness,
    /// Dampings of all of them, by one factor.
    AllDamping,
    Stiffness(usize),
    Damping(usize),
    Beta(usize),
    BoneWeight,
    SkinWeight,
    MuscleWeight,
    SkinTurn,
}

const YOUNG_PA: [f64; 2] = [10.0, 1e8];
/// Settings take 0 as well, which has no logarithm.
const DAMPING: [f64; 2] = [0.05, 1e3];
const WEIGHTS: [f64; 2] = [0.01, 100.0];
const BETA_UNIT: f64 = 0.25;
const TURN_UNIT_DEG: f64 = 30.0;
const MOST_TURN_DEG: f64 = 90.0;
/// Factors of everything together go so far, as logarithms.
const MOST_FACTOR_LN: f64 = 5.0;

impl Knob {
    /// Factors of all layers together.
    pub(super) fn together(targets: &[TuneTarget]) -> Vec<Self> {
        let known = [(TuneTarget::Stiffness, Self::AllStiffness), (TuneTarget::Damping, Self::AllDamping)];
        known.into_iter().filter(|(target, _)| targets.contains(target)).map(|(_, knob)| knob).collect()
    }

    /// Each number of each layer that moves.
    pub(super) fn of_layers(targets: &[TuneTarget], settings: &FleshSettings) -> Vec<Self> {
        let free = || (0..settings.layers.len()).filter(|&layer| !settings.layers[layer].is_held);
        let of =
            |target, knob: fn(usize) -> Self| free().filter(move |_| targets.contains(&target)).map(knob);
        let (stiffness, damping) =
            (of(TuneTarget::Stiffness, Self::Stiffness), of(TuneTarget::Damping, Self::Damping));
        stiffness.chain(damping).chain(of(TuneTarget::Beta, Self::Beta)).collect()
    }

    /// What says which way fibres run.
    pub(super) fn of_fibres(targets: &[TuneTarget], has_muscles: bool) -> Vec<Self> {
        if !targets.contains(&TuneTarget::Fibres) {
            return Vec::new();
        }
        let muscles = has_muscles.then_some(Self::MuscleWeight);
        [Self::SkinTurn, Self::BoneWeight, Self::SkinWeight].into_iter().chain(muscles).collect()
    }

    /// The coordinate of settings.
    pub(super) fn coordinate(self, settings: &FleshSettings) -> f64 {
        let log = |value: f64, [least, most]: [f64; 2]| value.clamp(least, most).ln();
        match self {
            Self::AllStiffness | Self::AllDamping => 0.0,
            Self::Stiffness(layer) => log(settings.layers[layer].young_pa, YOUNG_PA),
            Self::Damping(layer) => log(settings.layers[layer].damping_per_sec, DAMPING),
            Self::Beta(layer) => settings.layers[layer].fiber_share / BETA_UNIT,
            Self::BoneWeight => log(settings.fibers.bone_weight, WEIGHTS),
            Self::SkinWeight => log(settings.fibers.skin_weight, WEIGHTS),
            Self::MuscleWeight => log(settings.fibers.muscle_weight, WEIGHTS),
            Self::SkinTurn => settings.fibers.skin_turn_deg / TURN_UNIT_DEG,
        }
    }

    /// The least and the most of the coordinate.
    pub(super) fn bounds(self) -> [f64; 2] {
        match self {
            Self::AllStiffness | Self::AllDamping => [-MOST_FACTOR_LN, MOST_FACTOR_LN],
            Self::Stiffness(_) => YOUNG_PA.map(f64::ln),
            Self::Damping(_) => DAMPING.map(f64::ln),
            Self::Beta(_) => [0.0, 1.0 / BETA_UNIT],
            Self::BoneWeight | Self::SkinWeight | Self::MuscleWeight => WEIGHTS.map(f64::ln),
            Self::SkinTurn => [-MOST_TURN_DEG / TURN_UNIT_DEG, MOST_TURN_DEG / TURN_UNIT_DEG],
        }
    }

    fn set(self, settings: &mut FleshSettings, coordinate: f64) {
        // Rounding of logarithms must not lead out of the range.
        let exp = |[least, most]: [f64; 2]| coordinate.exp().clamp(least, most);
        match self {
            Self::AllStiffness => {
                let free = settings.layers.iter_mut().filter(|layer| !layer.is_held);
                free.for_each(|layer| {
                    layer.young_pa = (layer.young_pa * coordinate.exp()).clamp(YOUNG_PA[0], YOUNG_PA[1]);
                });
            }
            Self::AllDamping => {
                let free = settings.layers.iter_mut().filter(|layer| !layer.is_held);
                free.for_each(|layer| {
                    let from = layer.damping_per_sec.max(DAMPING[0]);
                    layer.damping_per_sec = (from * coordinate.exp()).clamp(DAMPING[0], DAMPING[1]);
                });
            }
            Self::Stiffness(layer) => settings.layers[layer].young_pa = exp(YOUNG_PA),
            Self::Damping(layer) => settings.layers[layer].damping_per_sec = exp(DAMPING),
            Self::Beta(layer) => {
                settings.layers[layer].fiber_share = (coordinate * BETA_UNIT).clamp(0.0, 1.0);
            }
            Self::BoneWeight => settings.fibers.bone_weight = exp(WEIGHTS),
            Self::SkinWeight => settings.fibers.skin_weight = exp(WEIGHTS),
            Self::MuscleWeight => settings.fibers.muscle_weight = exp(WEIGHTS),
            Self::SkinTurn => {
                let turn = coordinate * TURN_UNIT_DEG;
                settings.fibers.skin_turn_deg = turn.clamp(-MOST_TURN_DEG, MOST_TURN_DEG);
            }
        }
    }
}

/// Settings with other coordinates; those that are as before leave their numbers as they are, to the last bit.
pub(super) fn turned(base: &FleshSettings, knobs: &[Knob], coordinates: &[f64]) -> FleshSettings {
    let mut settings = base.clone();
    for (knob, coordinate) in knobs.iter().zip(coordinates) {
        if *coordinate != knob.coordinate(base) {
            knob.set(&mut settings, *coordinate);
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_flesh::FleshPreset;

    #[test]
    fn coordinates_come_back_within_their_bounds() {
        let base = FleshPreset::Natural.settings();
        let mut knobs = Knob::of_layers(&TuneTarget::ALL, &base);
        knobs.extend(Knob::of_fibres(&TuneTarget::ALL, true));
        assert_eq!(knobs.len(), 10, "stiffness, damping and β of muscle and fat, four of fibres");
        let start: Vec<f64> = knobs.iter().map(|knob| knob.coordinate(&base)).collect();
        assert_eq!(turned(&base, &knobs, &start), base);
        for at_most in [false, true] {
            let ends: Vec<f64> = knobs.iter().map(|knob| knob.bounds()[usize::from(at_most)]).collect();
            let settings = turned(&base, &knobs, &ends);
            assert_eq!(settings.check(), Ok(()));
            for (knob, end) in knobs.iter().zip(&ends) {
                assert!((knob.coordinate(&settings) - end).abs() < 1e-9, "{knob:?}");
            }
        }
    }

    #[test]
    fn factors_turn_all_layers_that_move() {
        let base = FleshPreset::Natural.settings();
        let knobs = Knob::together(&[TuneTarget::Stiffness]);
        let softer = turned(&base, &knobs, &[-(2.0f64.ln())]);
        assert!((softer.layers[2].young_pa / base.layers[2].young_pa - 0.5).abs() < 1e-12);
        assert_eq!(softer.layers[0], base.layers[0], "held");
        assert_eq!(softer.layers[1].damping_per_sec, base.layers[1].damping_per_sec);
    }
}
