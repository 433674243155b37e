//! Which unit a model's lengths are in.
//!
//! Formats say meters, files are often in centimeters. A human tells: nobody is a hundred meters tall. Of other creatures nothing can be
//! told by their size, so it is only reported.

use crate::motion::humanoid_map;
use crate::{Model, OpenError};
use glam::Vec3;
use sinew_geometry::Bounds;
use sinew_io::{Report, ScaleChoice};
use sinew_rig::{BoundSurface, Character};
use std::fmt;

/// Heights of a human in centimeters: a child, and more than the tallest.
const HUMAN_CENTIMETERS: std::ops::RangeInclusive<f32> = 100.0..=250.0;

/// Heights of a human in inches. Centimeters of a doll look the same, so this is only a hint.
const HUMAN_INCHES: std::ops::Range<f32> = 40.0..100.0;

/// Creatures of more units are likely not in meters: a blue whale has 30.
const LARGEST_METERS: f32 = 40.0;

/// What a model's size says about its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum UnitGuess {
    /// Nothing speaks against meters. The height in m of a human; `None` for others.
    Meters(Option<f32>),
    /// A human of so many centimeters.
    Centimeters(f32),
    /// A human of so many inches, maybe.
    MaybeInches(f32),
    /// Not a human, and so many units large.
    Large(f32),
}

impl UnitGuess {
    /// The guess for a model.
    pub fn of(model: &Model) -> Self {
        let character = &model.character;
        let bounds = bounds_of(character);
        let size = bounds.size();
        if !size.is_finite() {
            return Self::Meters(None);
        }
        let is_human = humanoid_map(model, &mut Report::default()).0.missing().is_empty();
        match size.y {
            height if is_human && HUMAN_CENTIMETERS.contains(&height) => Self::Centimeters(height),
            height if is_human && HUMAN_INCHES.contains(&height) => Self::MaybeInches(height),
            height if is_human => Self::Meters(Some(height)),
            _ if size.max_element() > LARGEST_METERS && !character.binds().is_empty() => {
                Self::Large(size.max_element())
            }
            _ => Self::Meters(None),
        }
    }

    /// What lengths are multiplied by to be meters. Only what is certain counts.
    pub fn factor(self) -> f32 {
        match self {
            Self::Centimeters(_) => 0.01,
            Self::Meters(_) | Self::MaybeInches(_) | Self::Large(_) => 1.0,
        }
    }
}

impl fmt::Display for UnitGuess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meters(Some(height)) => write!(f, "meters; a human of {height:.2} m"),
            Self::Meters(None) => f.write_str("meters"),
            Self::Centimeters(height) => {
                write!(f, "{height:.0} units tall: read as centimeters; --scale overrides")
            }
            Self::MaybeInches(height) => {
                write!(
                    f,
                    "{height:.0} units tall: read as meters; use --scale in or --scale cm if that is wrong"
                )
            }
            Self::Large(size) => {
                write!(
                    f,
                    "{size:.0} units large and not human: read as meters; use --scale cm if that is wrong"
                )
            }
        }
    }
}

/// Bounds of all vertices in rest pose, or of all bones in a model without meshes.
fn bounds_of(character: &Character) -> Bounds {
    let stands = character.skeleton().rest_model_from_bone();
    let bound = BoundSurface::of(character);
    if bound.vertex_count() == 0 {
        let places: Vec<Vec3> = stands.iter().map(|stands| stands.translation.into()).collect();
        return Bounds::of(&places);
    }
    let in_model: Vec<_> =
        bound.palette().iter().map(|entry| stands[entry.bone.index()] * entry.bone_from_rest).collect();
    // The heaviest bone is enough: in rest pose all agree, or nearly.
    let place = |(vertex, &rest): (usize, &Vec3)| match bound.influences().of(vertex).0 {
        [first, ..] => in_model[usize::from(*first)].transform_point3(rest),
        [] => rest,
    };
    let places: Vec<Vec3> = bound.rest().positions.iter().enumerate().map(place).collect();
    Bounds::of(&places)
}

impl Model {
    /// The model in meters, by the user's choice or by its size; a guess is reported.
    ///
    /// # Errors
    /// If lengths leave the range of numbers.
    pub(crate) fn in_meters(mut self, choice: ScaleChoice, report: &mut Report) -> Result<Self, OpenError> {
        let factor = match choice {
            ScaleChoice::Factor(factor) => factor,
            ScaleChoice::Auto => {
                let guess = UnitGuess::of(&self);
                if !matches!(guess, UnitGuess::Meters(_)) {
                    report.warn("", guess);
                }
                guess.factor()
            }
        };
        if factor != 1.0 {
            self.character = self.character.scaled(factor).map_err(OpenError::Scaled)?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    fn read(character: Character, choice: ScaleChoice) -> (f32, Vec<String>) {
        let mut report = Report::default();
        let model = Model::new(character).in_meters(choice, &mut report).unwrap();
        let told = report.warnings().iter().map(ToString::to_string).collect();
        (bounds_of(&model.character).size().y, told)
    }

    #[test]
    fn a_human_in_centimeters_becomes_meters() {
        let figure = samples::figure();
        let height = bounds_of(&figure).size().y;
        assert_eq!(read(figure.clone(), ScaleChoice::Auto), (height, Vec::new()), "meters stay");
        let large = figure.scaled(100.0).unwrap();
        let (found, told) = read(large.clone(), ScaleChoice::Auto);
        assert!((found - height).abs() < 1e-5 * height, "{found} for {height}");
        assert_eq!(
            told,
            [format!("{:.0} units tall: read as centimeters; --scale overrides", 100.0 * height)]
        );
        let (found, told) = read(large, ScaleChoice::Factor(1.0));
        assert!((found - 100.0 * height).abs() < 1e-3 * height, "{found}: the user's choice counts");
        assert_eq!(told, [""; 0]);
    }

    #[test]
    fn what_is_not_certain_is_reported_and_left_alone() {
        let inches = samples::figure().scaled(1.0 / 0.0254).unwrap();
        let (height, told) = read(inches.clone(), ScaleChoice::Auto);
        assert_eq!(height, bounds_of(&inches).size().y);
        assert!(told[0].contains("--scale in"), "{told:?}");
        let limb = samples::limb(8, 4).scaled(200.0).unwrap();
        let (height, told) = read(limb.clone(), ScaleChoice::Auto);
        assert_eq!(height, bounds_of(&limb).size().y);
        assert!(told[0].contains("not human"), "{told:?}");
    }
}
