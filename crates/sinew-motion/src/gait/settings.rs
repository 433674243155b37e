//! What walk or run is wanted.

use super::GaitError;
use serde::{Deserialize, Serialize};

/// Walking, running, or whichever the speed asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GaitKind {
    /// One foot is always on the ground.
    Walk,
    /// With flight.
    Run,
    /// Walks when slow and runs when fast, with a change between them.
    #[default]
    Auto,
}

/// A speed from a time on; between two the speed changes smoothly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedKey {
    /// Seconds.
    pub time: f64,
    /// Metres a second.
    pub speed: f64,
}

/// A gait over some time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitSettings {
    /// Walk, run or by speed. Default: by speed.
    pub kind: GaitKind,
    /// Metres a second. Default 1.4, what people choose.
    pub speed_m_s: f64,
    /// Other speeds over time; where there are any, `speed_m_s` does not count.
    pub speeds: Vec<SpeedKey>,
    /// How long. Default 4.
    pub seconds: f64,
    /// Whether it begins standing. Default: in the middle of walking.
    pub is_from_rest: bool,
    /// Whether it ends standing.
    pub is_to_rest: bool,
    /// Points (x, z) of the way, metres, from the origin; straight ahead without any.
    pub path: Vec<[f64; 2]>,
    /// How this one moves.
    pub personality: Personality,
    /// For small differences from step to step; counts where [`Personality::variation`] is above 0.
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

/// How someone moves. Factors are 1 by default: what the formulas say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Personality {
    /// Length of a step, metres; by speed and legs without.
    pub step_length_m: Option<f64>,
    /// How far the back is bent forward, degrees, −15 to 60. Default 0.
    pub stoop_deg: f64,
    /// How far arms swing, 0 to 3.
    pub arm_swing: f64,
    /// How far the hips sway from side to side, 0 to 3.
    pub hip_sway: f64,
    /// How far feet are apart, 0 to 4.
    pub stride_width: f64,
    /// How high the body bounces, 0 to 2.
    pub bounce: f64,
    /// Years, 5 to 110. From 60 on steps get shorter (by up to 20 %) and arms swing less (by up to 30 %), with a slight stoop and feet
    /// further apart: a preset, not data. Default 30.
    pub age_years: f64,
    /// How much steps differ from each other, 0 to 1. Default 0.
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
    /// How old someone moves, 0 to 1.
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

    /// The first value that is out of range.
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
