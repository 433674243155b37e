//! Bodies from measures: the pipeline from a few numbers to a character, with a report of what it has.
//!
//! ```
//! use sinew_body::survey::{Measure, Sex};
//! use sinew_scene::body::{BodyRequest, make};
//!
//! let given = vec![(Measure::Stature, 1.72), (Measure::Weight, 68.0), (Measure::WaistGirth, 0.78)];
//! let made = make(&BodyRequest { sex: Sex::Female, given, ..BodyRequest::default() })?;
//! let report = made.report();
//! assert!((report.mass_kg - 68.0).abs() < 0.68);
//! # Ok::<(), sinew_scene::body::BodyError>(())
//! ```

mod fitting;
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

use sinew_body::character::CharacterSettings;
use sinew_body::measured::{Base, MakeError, Maker};
use sinew_body::survey::{Completed, Measure, MeasureError, Population, Preset, Sex, UnknownName};
use sinew_body::{Body, BuildError, Design, Template};
use sinew_model::Model;
use std::sync::LazyLock;

/// What body is wanted.
#[derive(Clone, Debug)]
pub struct BodyRequest {
    /// Which half of the survey completes the measures. Default: male.
    pub sex: Sex,
    /// Measures that the body must have.
    pub given: Vec<(Measure, f64)>,
    /// A build to begin with; what is given goes before it.
    pub preset: Option<String>,
    /// Values of a design that are laid over the measured ones.
    pub own: Option<Design>,
    /// What is asked of the shape beside the measures.
    pub shape: ShapeRequest,
}

impl Default for BodyRequest {
    fn default() -> Self {
        Self { sex: Sex::Male, given: Vec::new(), preset: None, own: None, shape: ShapeRequest::default() }
    }
}

/// A body and how it came about.
#[derive(Clone, Debug)]
pub struct MadeBody {
    /// The body.
    pub body: Body,
    /// The design it is built from.
    pub design: Design,
    /// All measures of the person; for a body from a design alone, those of the survey's mean.
    pub person: Completed,
    /// What a user should be told.
    pub notes: Vec<String>,
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
    /// Measures that do not go together, or a design that cannot be built.
    #[error(transparent)]
    Make(#[from] MakeError),
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
    /// Options that do not go together.
    #[error("{0}")]
    Together(&'static str),
}

impl From<BuildError> for BodyError {
    fn from(error: BuildError) -> Self {
        Self::Make(error.into())
    }
}

fn lines(errors: &[MeasureError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

static WOMEN: LazyLock<Maker> = LazyLock::new(|| maker_on_shipped(Sex::Female));
static MEN: LazyLock<Maker> = LazyLock::new(|| maker_on_shipped(Sex::Male));

fn maker_on_shipped(sex: Sex) -> Maker {
    let template = Template::human();
    let base = Base::of(&template, sex);
    Maker::new(template, base)
}

/// The maker on the design that ships for a sex; made at the first call.
#[must_use]
pub fn maker_for(sex: Sex) -> &'static Maker {
    match sex {
        Sex::Female => &WOMEN,
        Sex::Male => &MEN,
    }
}

/// Makes a body. A design that places every joint is built as it is unless measures or a preset are given; any other design is laid over the measured
/// body.
///
/// # Errors
/// Values that are refused, each with its key and a range to use.
pub fn make(request: &BodyRequest) -> Result<MadeBody, BodyError> {
    if request.shape.is_asked_for(&request.given) {
        return shaped::make_shaped(request);
    }
    let population = Population::of(request.sex);
    let given = match &request.preset {
        Some(name) => Preset::find(name)?.given_with(population, &request.given),
        None => request.given.clone(),
    };
    let person = population.complete(&given).map_err(BodyError::Measures)?;
    let whole = request.own.as_ref().filter(|own| own.is_whole(maker_for(request.sex).template()));
    if let (Some(design), true, None) = (whole, request.given.is_empty(), &request.preset) {
        let body = sinew_body::build(maker_for(request.sex).template(), design)?;
        return Ok(MadeBody { body, design: design.clone(), person, notes: Vec::new() });
    }
    let own = request.own.clone().unwrap_or_default();
    let made = maker_for(request.sex).make_with(&person, &own)?;
    let mut notes: Vec<String> = person.report().notes.iter().map(ToString::to_string).collect();
    notes.extend(made.notes.iter().map(ToString::to_string));
    Ok(MadeBody { body: made.body, design: made.design, person, notes })
}

/// Sinew's own body, as moved where no character is given.
///
/// # Errors
/// Never with the numbers that come with Sinew.
pub fn standard_body() -> Result<Model, BodyError> {
    let made = make(&BodyRequest::default())?;
    Ok(Model::new(made.body.to_character(&CharacterSettings::default())))
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
        let joint = |made: &MadeBody, name: &str| {
            made.body.joints.iter().find(|joint| joint.name == name).unwrap().position
        };
        assert!((joint(&made, "hip").distance(joint(&made, "knee")) - 0.48).abs() < LENGTH_M);
        let head = |made: &MadeBody| joint(made, "crown").distance(joint(made, "skull"));
        assert!((head(&made) / head(&plain) - 1.0).abs() < 0.05, "the head is the measured man's");
        let lowest = made.body.tessellate(8).positions.iter().fold(f64::MAX, |low, at| low.min(at.y));
        assert!(lowest.abs() < SOLE_M, "feet stand: {lowest}");
    }
}
