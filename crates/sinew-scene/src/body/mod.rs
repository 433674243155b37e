//! Bodies from measures: the pipeline from a few numbers to a character, with a report of what it has.
//!
//! ```
//! use sinew_body::survey::{Measure, Sex};
//! use sinew_scene::body::{BodyRequest, make};
//!
//! let given = vec![(Measure::Stature, 1.72), (Measure::Weight, 68.0), (Measure::WaistGirth, 0.78)];
//! let made = make(&BodyRequest { sex: Some(Sex::Female), given, ..BodyRequest::default() })?;
//! let report = made.report();
//! assert!((report.mass_kg - 68.0).abs() < 0.68);
//! # Ok::<(), sinew_scene::body::BodyError>(())
//! ```

mod fitting;
mod making;
mod outcome;
mod patched;
mod report;
mod residual_map;
mod shaped;
mod sheet;

pub use fitting::{FitOutcome, FittedScan, VertexListError, WorstVertex, fit_scan, read_vertex_list};
pub use outcome::{BodyFile, BodyOutcome};
pub use patched::PatchedBody;
pub use report::{BodyReport, MeasureLine};
pub use residual_map::residual_map;
pub use shaped::ShapeRequest;
pub use sheet::{SHEET_VIEWS, view_from, view_of, view_sheet};

pub use making::make;

use sinew_body::character::CharacterSettings;
use sinew_body::survey::{Completed, Measure, MeasureError, Sex, UnknownName};
use sinew_body::tapes::{Reading, read_all};
use sinew_body::{Body, BuildError, Design, Template};
use sinew_model::Model;

/// What body is wanted.
#[derive(Clone, Debug, Default)]
pub struct BodyRequest {
    /// Which half of the survey completes the measures. Default: the design's base, else male.
    pub sex: Option<Sex>,
    /// Measures that the body must have; they go before those of the preset and of the design's base.
    pub given: Vec<(Measure, f64)>,
    /// A build to begin with. Default: that of the design's base.
    pub preset: Option<String>,
    /// Values of a design that are laid over the measured ones.
    pub own: Option<Design>,
    /// A template in place of the human. Default: that of the design's base.
    pub template: Option<OwnTemplate>,
    /// What is asked of the shape beside the measures.
    pub shape: ShapeRequest,
}

/// A template with the name to write into designs.
#[derive(Clone, Debug)]
pub struct OwnTemplate {
    /// `human`, `quadruped`, or a file.
    pub name: String,
    /// The layout.
    pub template: Template,
}

impl OwnTemplate {
    /// A template that ships, by its name; `None` for other names.
    #[must_use]
    pub fn shipped(name: &str) -> Option<Self> {
        let template = match name {
            "human" => Template::human(),
            "quadruped" => Template::quadruped(),
            _ => return None,
        };
        Some(Self { name: name.to_owned(), template })
    }
}

/// A body and how it came about.
#[derive(Clone, Debug)]
pub struct MadeBody {
    /// The body.
    pub body: Body,
    /// The design it is built from, with all values.
    pub design: Design,
    /// The design to write: its base, and what differs from that.
    pub short_design: Design,
    /// All measures of the person that the body was made for: given ones, and what the survey expects beside them; of ages that the survey
    /// does not have, and of drawn people, what the body shows. `None` for a body from a design alone.
    pub person: Option<Completed>,
    /// What a user should be told.
    pub notes: Vec<String>,
}

impl MadeBody {
    /// Every measure that the surface shows.
    #[must_use]
    pub fn readings(&self) -> Vec<Reading> {
        read_all(&self.body)
    }
}

/// Why there is no such body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// Measures that no body has.
    #[error("{}", lines(.0))]
    Measures(Vec<MeasureError>),
    /// A preset that is not there.
    #[error(transparent)]
    Preset(#[from] UnknownName),
    /// Measures or a preset for a body that the survey does not know.
    #[error("measures and presets need the human template; give a design with --spec")]
    NotHuman,
    /// A template that must be read by the caller.
    #[error("unknown template {name:?}; use human, quadruped, or give its file with --template")]
    Template {
        /// The name in the design's base.
        name: String,
    },
    /// A factor on a body whose size the measures say.
    #[error("scale {scale} does nothing to a measured body; use the measure stature")]
    Scale {
        /// The factor.
        scale: f64,
    },
    /// A design that cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A value of the shape that is out of range.
    #[error("{name} {found} is out of range; use {low} to {high}")]
    Shape {
        /// What was given.
        name: &'static str,
        /// Its value.
        found: f64,
        /// The lowest possible value.
        low: f64,
        /// The highest possible value.
        high: f64,
    },
    /// A measure with two values.
    #[error("{measure} is given twice; use one value")]
    Repeated {
        /// The measure.
        measure: Measure,
    },
}

fn lines(errors: &[MeasureError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Sinew's own body, as moved where no character is given.
///
/// # Errors
/// Never with the numbers that come with Sinew.
pub fn standard_body() -> Result<Model, BodyError> {
    let made = make(&BodyRequest::default())?;
    Ok(Model::new(made.character(&CharacterSettings::default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Given lengths are rounded when designs are built.
    const LENGTH_M: f64 = 1e-6;
    /// Soles are flat to this.
    const SOLE_M: f64 = 1e-3;

    #[test]
    fn a_partial_design_is_laid_over_the_measured_body() {
        let plain = make(&BodyRequest::default()).unwrap();
        let own = Some(Design::parse("lengths.thigh = 0.48\nrings.upper_arm.girth = 0.36").unwrap());
        let made = make(&BodyRequest { own, ..BodyRequest::default() }).unwrap();
        let plain_foot = foot(&plain);
        let joint = |made: &MadeBody, name: &str| {
            made.body.joints.iter().find(|joint| joint.name == name).unwrap().position
        };
        assert!((joint(&made, "hip").distance(joint(&made, "knee")) - 0.48).abs() < LENGTH_M);
        let head = |made: &MadeBody| joint(made, "crown").distance(joint(made, "skull"));
        assert!((head(&made) / head(&plain) - 1.0).abs() < 0.05, "the head is the measured man's");
        let lowest = made.body.tessellate(8).positions.iter().fold(f64::MAX, |low, at| low.min(at.y));
        assert!(lowest.abs() < SOLE_M, "feet stand: {lowest}");
        let moved = foot(&made).iter().zip(&plain_foot).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(moved < SOLE_M, "feet keep their form: {moved}");
    }

    #[test]
    fn builds_come_from_shapes_and_their_short_designs_say_the_same() {
        let heavy = || Some("heavy".to_owned());
        let made = make(&BodyRequest { preset: heavy(), ..BodyRequest::default() }).unwrap();
        let own = Some(made.short_design.clone());
        let again = make(&BodyRequest { own, ..BodyRequest::default() }).unwrap();
        assert_eq!(made.body.volume(), again.body.volume());
        let own = Some(Design::parse("lengths.thigh = 0.48").unwrap());
        let longer = make(&BodyRequest { own, preset: heavy(), ..BodyRequest::default() }).unwrap();
        let lowest = longer.body.tessellate(8).positions.iter().fold(f64::MAX, |low, at| low.min(at.y));
        assert!(lowest.abs() < SOLE_M, "feet stand: {lowest}");
        // The preset gives the stature: it is met around the design.
        assert!((longer.body.stature() - made.body.stature()).abs() < SOLE_M);
    }

    /// Places on the left foot, from its ankle.
    fn foot(made: &MadeBody) -> Vec<glam::DVec3> {
        let ankle = made.body.joints.iter().find(|joint| joint.name == "ankle").unwrap();
        let is_foot = |name: &str| name.starts_with("leg/instep") || name.starts_with("leg/toes");
        let patches =
            made.body.patches.iter().filter(|patch| patch.flank == ankle.flank && is_foot(&patch.name));
        patches.map(|patch| patch.patch.position(0.5, 0.5) - ankle.position).collect()
    }

    #[test]
    fn a_written_design_is_short_and_makes_the_same_body() {
        let own =
            Some(Design::parse("rings.upper_arm.girth = 0.36\nmotions.forearm.roundness = 0.4").unwrap());
        let given = vec![(Measure::Stature, 1.68), (Measure::WaistGirth, 0.80)];
        let sex = Some(Sex::Female);
        let made = make(&BodyRequest { sex, given, own, ..BodyRequest::default() }).unwrap();
        let text = made.short_design.to_toml();
        assert!(text.lines().count() < 30, "{text}");
        let own = Some(Design::parse(&text).unwrap());
        let again = make(&BodyRequest { own, ..BodyRequest::default() }).unwrap();
        assert_eq!(again.design, made.design);
        // What is given goes before the file's own base.
        let own = Some(Design::parse(&text).unwrap());
        let given = vec![(Measure::Stature, 1.75)];
        let taller = make(&BodyRequest { own, given, ..BodyRequest::default() }).unwrap();
        assert!((taller.body.stature() - 1.75).abs() < SOLE_M);
        assert_eq!(taller.person.unwrap().value(Measure::WaistGirth), 0.80);
    }

    #[test]
    fn a_design_lies_over_a_body_from_shapes_and_is_written_short() {
        let own = Some(Design::parse("lengths.thigh = 0.36\nrings.upper_arm.girth = 0.25").unwrap());
        let given = vec![(Measure::Age, 12.0), (Measure::WaistGirth, 0.62)];
        let request = BodyRequest { sex: Some(Sex::Female), given, own, ..BodyRequest::default() };
        let made = make(&request).unwrap();
        let joint = |name: &str| made.body.joints.iter().find(|joint| joint.name == name).unwrap().position;
        assert!((joint("hip").distance(joint("knee")) - 0.36).abs() < LENGTH_M);
        let waist = made.readings().into_iter().find(|reading| reading.measure == Measure::WaistGirth);
        assert!((waist.unwrap().value - 0.62).abs() < 2e-3, "given measures are met around the design");
        let text = made.short_design.to_toml();
        assert!(text.lines().count() < 30, "{text}");
        let own = Some(Design::parse(&text).unwrap());
        let again = make(&BodyRequest { own, ..BodyRequest::default() }).unwrap();
        assert_eq!(again.design, made.design);
    }

    #[test]
    fn people_whom_the_survey_hardly_has_are_as_heavy_as_asked_for() {
        let given = vec![(Measure::Weight, 110.0)];
        let made =
            make(&BodyRequest { sex: Some(Sex::Female), given: given.clone(), ..BodyRequest::default() });
        let line = made.unwrap().report().measures.into_iter().find(|line| line.name == "weight").unwrap();
        assert!(line.is_given && line.error.unwrap().abs() < 1.1 && !line.is_missed);
        // The survey refuses a value given twice, and so do ages that it does not have.
        for old in [None, Some((Measure::Age, 70.0))] {
            let twice = given.iter().chain(&given).copied().chain(old).collect();
            let refused = make(&BodyRequest { given: twice, ..BodyRequest::default() }).unwrap_err();
            assert!(refused.to_string().starts_with("weight"), "{refused}");
        }
    }

    /// Who has more muscle is heavier and as fat; no muscle beyond the usual changes nothing.
    #[test]
    fn muscle_comes_beside_what_is_usual() {
        let with = |muscle: Option<f64>| {
            let shape = ShapeRequest { muscle, ..ShapeRequest::default() };
            let made = make(&BodyRequest { shape, ..BodyRequest::default() }).unwrap();
            made.body.volume()
        };
        let usual = with(None);
        assert!((with(Some(0.0)) / usual - 1.0).abs() < 0.03, "{} {usual}", with(Some(0.0)));
        assert!(with(Some(0.8)) > 1.05 * usual, "{} {usual}", with(Some(0.8)));
    }

    #[test]
    fn a_given_measure_that_is_missed_is_told_with_its_size() {
        let given = vec![(Measure::CrotchHeight, 0.78)];
        let made = make(&BodyRequest { given, ..BodyRequest::default() }).unwrap();
        let found =
            made.readings().into_iter().find(|reading| reading.measure == Measure::CrotchHeight).unwrap();
        let missed = made.notes.iter().find(|note| note.contains("crotch_height 0.780 m is missed"));
        let is_missed = (found.value - 0.78).abs() > 0.0078;
        assert_eq!(missed.is_some(), is_missed, "{} {:?}", found.value, made.notes);
        let line = made.report().measures.into_iter().find(|line| line.name == "crotch_height").unwrap();
        assert_eq!((line.is_missed, line.error), (is_missed, Some(found.value - 0.78)));
    }

    #[test]
    fn a_quadruped_is_made_from_its_template_and_takes_no_measures() {
        let template = OwnTemplate::shipped("quadruped");
        let own = Some(Design::parse("lengths.forearm = 0.2").unwrap());
        let made = make(&BodyRequest { own, template: template.clone(), ..BodyRequest::default() }).unwrap();
        let plain = make(&BodyRequest { template: template.clone(), ..BodyRequest::default() }).unwrap();
        let lowest = |made: &MadeBody| {
            made.body.tessellate(6).positions.iter().fold(f64::MAX, |low, at| low.min(at.y))
        };
        assert!((lowest(&made) - lowest(&plain)).abs() < SOLE_M, "{}", lowest(&made));
        let own = Some(Design::parse(&made.short_design.to_toml()).unwrap());
        let again = make(&BodyRequest { own, ..BodyRequest::default() }).unwrap();
        assert_eq!(again.body.volume(), made.body.volume());
        let given = vec![(Measure::Stature, 1.7)];
        let refused = make(&BodyRequest { given, template, ..BodyRequest::default() }).unwrap_err();
        assert_eq!(refused, BodyError::NotHuman);
    }
}
