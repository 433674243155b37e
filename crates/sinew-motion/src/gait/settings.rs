//! Settings of walking and running.

use super::GaitError;
use serde::{Deserialize, Serialize};

/// Walk, run, or by speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GaitKind {
    /// One foot is always on the ground.
    Walk,
    /// With a flight phase.
    Run,
    /// Walks when slow and runs when fast, with a transition.
    #[default]
    Auto,
}

/// A speed from a time on; between two the speed changes smoothly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedKey {
    /// Seconds.
    pub time: f64,
    /// m/s.
    pub speed: f64,
}

/// Settings of a gait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitSettings {
    /// Walk, run or by speed. Default: by speed.
    pub kind: GaitKind,
    /// m/s. Default 1.4, the usual speed.
    pub speed_m_s: f64,
    /// Speeds over time; if there are any, `speed_m_s` is ignored.
    pub speeds: Vec<SpeedKey>,
    /// Duration, s. Default 4.
    pub seconds: f64,
    /// Whether it starts standing. Default: walking from the start.
    pub is_from_rest: bool,
    /// Whether it ends standing.
    pub is_to_rest: bool,
    /// Points (x, z) of the path, m, from the origin; empty is straight ahead.
    pub path: Vec<[f64; 2]>,
    /// Individual style.
    pub personality: Personality,
    /// For small differences from step to step; used if [`Personality::variation`] is above 0.
    pub seed: u64,
}

impl Default for GaitSettings {
    fn default() -> Self {
        Self {
            kind: GaitKind::Auto,
            speed_m_s: 1.4,
            speeds: Vec::new(),
            seconds: 4.0,
            is_from_rest: false,
            is_to_rest: false,
            path: Vec::new(),
            personality: Personality::default(),
            seed: 0,
        }
    }
}

impl GaitSettings {
    /// A walk of 1.4 m/s.
    pub fn walk() -> Self {
        Self { kind: GaitKind::Walk, ..Self::default() }
    }

    /// A run of 3.5 m/s.
    pub fn run() -> Self {
        Self { kind: GaitKind::Run, speed_m_s: 3.5, ..Self::default() }
    }
}

/// Individual style of a gait. Factors are 1 by default: the values of the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Personality {
    /// Length of a step, m; `None`: by speed and legs.
    pub step_length_m: Option<f64>,
    /// Forward bend of the back, °, −15 to 60. Default 0.
    pub stoop_deg: f64,
    /// Factor on the arm swing, 0 to 3.
    pub arm_swing: f64,
    /// Factor on the sideways sway of the hips, 0 to 3.
    pub hip_sway: f64,
    /// Factor on the distance of the feet, 0 to 4.
    pub stride_width: f64,
    /// Factor on the bounce of the body, 0 to 2.
    pub bounce: f64,
    /// Years, 5 to 110. From 60 on steps are shorter (by up to 20 %) and arms swing less (by up to 30 %), with a slight stoop and feet further
    /// apart: a preset, not data. Default 30.
    pub age_years: f64,
    /// Difference between steps, 0 to 1. Default 0.
    pub variation: f64,
}

impl Default for Personality {
    fn default() -> Self {
        Self {
            step_length_m: None,
            stoop_deg: 0.0,
            arm_swing: 1.0,
            hip_sway: 1.0,
            stride_width: 1.0,
            bounce: 1.0,
            age_years: 30.0,
            variation: 0.0,
        }
    }
}

impl Personality {
    /// Effect of age, 0 to 1.
    fn frailty(&self) -> f64 {
        ((self.age_years - 60.0) / 30.0).clamp(0.0, 1.0)
    }

    pub(super) fn step_factor(&self) -> f64 {
        1.0 - 0.2 * self.frailty()
    }

    pub(super) fn arm_factor(&self) -> f64 {
        self.arm_swing * (1.0 - 0.3 * self.frailty())
    }

    pub(super) fn stoop_rad(&self) -> f64 {
        (self.stoop_deg + 10.0 * self.frailty()).to_radians()
    }

    pub(super) fn width_factor(&self) -> f64 {
        self.stride_width * (1.0 + 0.4 * self.frailty())
    }

    /// The first value out of range.
    pub(super) fn check(&self) -> Result<(), GaitError> {
        GaitError::check_ranges(&[
            ("stoop_deg", self.stoop_deg, [-15.0, 60.0]),
            ("arm_swing", self.arm_swing, [0.0, 3.0]),
            ("hip_sway", self.hip_sway, [0.0, 3.0]),
            ("stride_width", self.stride_width, [0.0, 4.0]),
            ("bounce", self.bounce, [0.0, 2.0]),
            ("age_years", self.age_years, [5.0, 110.0]),
            ("variation", self.variation, [0.0, 1.0]),
        ])
    }
}
