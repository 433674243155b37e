//! How long muscles are in a pose.
//!
//! The belly's length relative to rest is `c = (Π_k c_k(θ_k) / Π_k c_k(θ_k at rest))^strength · (1 − tension · shortening)`: the skin was
//! modeled in the rest pose, so that nothing bulges there, whatever pose that is. A region of the muscle then takes the shape of Eq. 5 of
//! the method's source, `T = D diag(c, c^(−x), c^(−x)) Dᵀ`, where the source prints `1/c` for the lateral terms; x = 1/2 keeps the volume.

use super::body_frames::BodyFrames;
use super::joint_angles::{Joint, JointAngles};
use super::muscle_set::MuscleSet;
use super::segment::Side;
use super::{MuscleError, MuscleNote};
use glam::Affine3A;
use serde::{Deserialize, Serialize};
use sinew_geometry::MonotoneCurve;

/// How one muscle is at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contraction {
    /// Length along the fiber, relative to rest; above 0.
    pub along: f32,
    /// Width across it, relative to rest.
    pub across: f32,
}

/// Nothing shortened.
impl Default for Contraction {
    fn default() -> Self {
        Self { along: 1.0, across: 1.0 }
    }
}

/// Settings that work on all muscles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DriveSettings {
    /// Power of every contraction: 0 switches bulging off, 1 is anatomy's, more is caricature. 0 to 4. Default: 1.
    pub strength: f64,
    /// Most that tension can rise in a second. Default: 12, from rest to full in 0.08 s; a human's takes 0.05 to 0.1 s.
    pub tension_rise_per_sec: f64,
    /// Most that it can fall. Default: 6, because muscles let go more slowly than they pull \[Zajac89\].
    pub tension_fall_per_sec: f64,
}

impl Default for DriveSettings {
    fn default() -> Self {
        Self { strength: 1.0, tension_rise_per_sec: 12.0, tension_fall_per_sec: 6.0 }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct DrivenMuscle {
    side: Side,
    curves: Vec<DrivenCurve>,
    lateral_exponent: f64,
    tension_shortening: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct DrivenCurve {
    joint: Joint,
    curve: MonotoneCurve,
    /// Its value in rest pose.
    at_rest: f64,
}

/// Turns poses into contractions.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleDrive {
    body: BodyFrames,
    muscles: Vec<DrivenMuscle>,
    settings: DriveSettings,
    idle: Vec<MuscleNote>,
}

/// Products of curves stay within these whatever is written in files.
const LENGTHS: [f64; 2] = [0.2, 5.0];

impl MuscleDrive {
    /// For the muscles of a character.
    ///
    /// # Errors
    /// Settings that make no sense.
    pub fn new(body: &BodyFrames, set: &MuscleSet, settings: DriveSettings) -> Result<Self, MuscleError> {
        sinew_settings::check(&settings)?;
        let rest: Vec<Affine3A> = body.rest.iter().map(|matrix| matrix.as_affine3a()).collect();
        let at_rest = JointAngles::of(body, &rest);
        let (mut muscles, mut idle) = (Vec::new(), Vec::new());
        for muscle in set.muscles() {
            let mut driven = DrivenMuscle {
                side: muscle.side,
                curves: Vec::new(),
                lateral_exponent: muscle.lateral_exponent,
                tension_shortening: muscle.tension_shortening,
            };
            for driver in &muscle.drivers {
                let Some(rest_rad) = at_rest.get(driver.joint, muscle.side) else {
                    idle.push(MuscleNote::Idle { muscle: muscle.name.clone(), joint: driver.joint });
                    continue;
                };
                let points: Vec<[f64; 2]> = driver
                    .curve
                    .iter()
                    .map(|&[angle_deg, length]| [angle_deg.to_radians(), length])
                    .collect();
                let curve = MonotoneCurve::new(&points)
                    .map_err(|source| MuscleError::Curve { muscle: muscle.name.clone(), source })?;
                let at_rest = curve.at(rest_rad);
                driven.curves.push(DrivenCurve { joint: driver.joint, curve, at_rest });
            }
            muscles.push(driven);
        }
        Ok(Self { body: body.clone(), muscles, settings, idle })
    }

    /// Joints that drive nothing here.
    pub fn idle(&self) -> &[MuscleNote] {
        &self.idle
    }

    /// How many muscles there are.
    pub fn muscle_count(&self) -> usize {
        self.muscles.len()
    }

    /// Contractions in a pose; allocates nothing.
    ///
    /// `model_from_bone`: one per bone of the character. `tensions`: one per muscle, from 0 to 1. `contractions`: one per muscle, overwritten.
    ///
    /// # Panics
    /// If a list has another length.
    pub fn contractions_into(
        &self,
        model_from_bone: &[Affine3A],
        tensions: &Tensions,
        contractions: &mut [Contraction],
    ) {
        assert_eq!(contractions.len(), self.muscles.len(), "one contraction per muscle");
        assert_eq!(tensions.now.len(), self.muscles.len(), "one tension per muscle");
        let angles = JointAngles::of(&self.body, model_from_bone);
        for ((muscle, &tension), contraction) in self.muscles.iter().zip(&tensions.now).zip(contractions) {
            let by_joints = muscle.length(&angles).powf(self.settings.strength);
            // Flexing is part of bulging: no strength, no bulge.
            let by_tension = (1.0 - tension * muscle.tension_shortening).powf(self.settings.strength);
            let along = (by_joints * by_tension).clamp(LENGTHS[0], LENGTHS[1]);
            *contraction =
                Contraction { along: along as f32, across: along.powf(-muscle.lateral_exponent) as f32 };
        }
    }

    /// Tensions of muscles that are slack.
    pub fn slack(&self) -> Tensions {
        Tensions { now: vec![0.0; self.muscles.len()], settings: self.settings }
    }
}

impl DrivenMuscle {
    /// Relative to rest. A joint whose bones stand at no finite place counts as at rest.
    fn length(&self, angles: &JointAngles) -> f64 {
        let ratio = |driven: &DrivenCurve| {
            let angle = angles.get(driven.joint, self.side);
            angle.map_or(1.0, |angle| driven.curve.at(angle) / driven.at_rest)
        };
        self.curves.iter().map(ratio).product()
    }
}

/// How tense muscles are, which changes no faster than muscles can.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensions {
    /// One per muscle, 0 to 1.
    now: Vec<f64>,
    settings: DriveSettings,
}

impl Tensions {
    /// One per muscle, 0 slack to 1.
    pub fn now(&self) -> &[f64] {
        &self.now
    }

    /// Goes towards what is wanted for `dt_secs`. Wanted values are limited to 0 to 1; one that is no number keeps what is.
    ///
    /// # Panics
    /// If there is not one per muscle.
    pub fn advance(&mut self, wanted: &[f64], dt_secs: f64) {
        assert_eq!(wanted.len(), self.now.len(), "one wanted tension per muscle");
        let dt_secs = dt_secs.max(0.0);
        let (rise, fall) =
            (self.settings.tension_rise_per_sec * dt_secs, self.settings.tension_fall_per_sec * dt_secs);
        for (now, &wanted) in self.now.iter_mut().zip(wanted) {
            if wanted.is_nan() {
                continue;
            }
            *now += (wanted.clamp(0.0, 1.0) - *now).clamp(-fall, rise);
        }
    }
}
