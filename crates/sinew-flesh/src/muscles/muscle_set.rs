//! The muscles of one character.

use super::body_frames::BodyFrames;
use super::placed_strip::{PlacedStrip, place_strip};
use super::segment::Side;
use super::skin_probe::SkinProbe;
use super::spec::{Driver, MuscleSpec};
use super::{MuscleError, MuscleNote};
use sinew_rig::nearest_names;

/// A muscle in the flesh of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// With its side, such as `biceps.left`.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// From origin to insertion, one or more.
    pub strips: Vec<PlacedStrip>,
    /// Joints that drive it.
    pub drivers: Vec<Driver>,
    /// See [`MuscleSpec::lateral_exponent`].
    pub lateral_exponent: f64,
    /// See [`MuscleSpec::tension_shortening`].
    pub tension_shortening: f64,
}

/// All muscles of one character, left before right, in the order of their descriptions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MuscleSet {
    muscles: Vec<Muscle>,
    notes: Vec<MuscleNote>,
}

impl MuscleSet {
    /// Puts muscles into the flesh of a character. Those for which bones are missing are left out; see [`Self::notes`].
    ///
    /// # Errors
    /// Everything that is wrong with the descriptions, not only the first.
    pub fn place(
        specs: &[MuscleSpec],
        body: &BodyFrames,
        skin: &SkinProbe<'_>,
    ) -> Result<Self, Vec<MuscleError>> {
        let errors = problems_of(specs);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut set = Self::default();
        for spec in specs {
            for &side in spec.sides.list() {
                set.add(spec, side, body, skin);
            }
        }
        Ok(set)
    }

    /// All that are there.
    pub fn muscles(&self) -> &[Muscle] {
        &self.muscles
    }

    /// What a user should be told.
    pub fn notes(&self) -> &[MuscleNote] {
        &self.notes
    }

    /// The place in [`Self::muscles`] of a name such as `biceps.left`.
    ///
    /// # Errors
    /// There is none; near names are told.
    pub fn find(&self, name: &str) -> Result<usize, MuscleError> {
        let names = || self.muscles.iter().map(|muscle| muscle.name.as_str());
        names().position(|known| known == name).ok_or_else(|| MuscleError::Unknown {
            name: name.to_owned(),
            nearest: nearest_names(name, names()),
        })
    }

    fn add(&mut self, spec: &MuscleSpec, side: Side, body: &BodyFrames, skin: &SkinProbe<'_>) {
        let name = format!("{}.{}", spec.name, side.name());
        let (mut strips, mut unmeasured) = (Vec::new(), 0);
        for (at, strip) in spec.strips.iter().enumerate() {
            match place_strip(strip, body, skin, side) {
                Ok((placed, missed)) => {
                    unmeasured += missed;
                    if placed.is_none() {
                        self.notes.push(MuscleNote::NoLength { muscle: name.clone(), strip: at });
                    }
                    strips.extend(placed);
                }
                Err(bone) => {
                    self.notes.push(MuscleNote::LeftOut { muscle: name, bone });
                    return;
                }
            }
        }
        if unmeasured > 0 {
            self.notes.push(MuscleNote::NoSkin { muscle: name.clone(), places: unmeasured });
        }
        if strips.is_empty() {
            return;
        }
        self.muscles.push(Muscle {
            name,
            side,
            strips,
            drivers: spec.drivers.clone(),
            lateral_exponent: spec.lateral_exponent,
            tension_shortening: spec.tension_shortening,
        });
    }
}

/// Everything that is wrong with descriptions, each on its own and together.
pub fn problems_of(specs: &[MuscleSpec]) -> Vec<MuscleError> {
    let mut errors = Vec::new();
    for (at, spec) in specs.iter().enumerate() {
        let is_twice = specs[..at].iter().any(|before| before.name == spec.name);
        let twice = is_twice
            .then(|| "a muscle of that name exists; change that one, or choose another name".to_owned());
        let problems = spec.problems().into_iter().chain(twice);
        errors.extend(problems.map(|problem| MuscleError::Spec { name: spec.name.clone(), problem }));
    }
    errors
}
