//! From a request to a body.

use super::shaped::make_shaped;
use super::{BodyError, BodyRequest, MadeBody, OwnTemplate, ShapeRequest};
use sinew_body::design::DesignBase;
use sinew_body::survey::{Completed, Measure, Unit};
use sinew_body::tapes::Reading;
use sinew_body::{Design, Template, build};

/// A given length is met within this, m, or this share of it; the mass within the share.
const MET_M: f64 = 2e-3;
const MET_SHARE: f64 = 1e-2;

/// Makes a body from the shapes of people. A design that places every joint is built as it is unless anything else is asked for; any other
/// design is laid over the body of the measures. A design's own base counts where the request says nothing.
///
/// # Errors
/// Values that are refused, each with its key and a range to use.
pub fn make(request: &BodyRequest) -> Result<MadeBody, BodyError> {
    let own = request.own.clone().unwrap_or_default();
    let shape = request.shape.over(&own.base);
    let template = match (&request.template, &own.base.template) {
        (Some(given), _) => Some(given.clone()),
        (None, Some(name)) => {
            let unknown = || BodyError::Template { name: name.clone() };
            Some(OwnTemplate::shipped(name).ok_or_else(unknown)?)
        }
        (None, None) => None,
    };
    let base = DesignBase {
        template: template.as_ref().map(|template| template.name.clone()),
        sex: request.sex.or(own.base.sex),
        preset: request.preset.clone().or_else(|| own.base.preset.clone()),
        muscle: shape.muscle,
        fat: shape.fat,
        shape: shape.shape,
        random: shape.seed,
        measures: own.base.measures_with(&request.given).into_iter().collect(),
    };
    let given = request_measures(request, &own, &base);
    let is_asked = shape != ShapeRequest::default() || base.preset.is_some() || !given.is_empty();
    match template.filter(|template| template.name != "human") {
        Some(_) if is_asked => Err(BodyError::NotHuman),
        Some(template) => on_template(&template, base, own),
        None if !is_asked && own.is_whole(&Template::human()) => as_it_is(&Template::human(), own),
        None => make_shaped(&given, base, own),
    }
}

/// The body of a design that lacks nothing.
fn as_it_is(template: &Template, own: Design) -> Result<MadeBody, BodyError> {
    let body = build(template, &own)?;
    let short_design = own.clone().without_empty();
    Ok(MadeBody { body, design: own, short_design, person: None, notes: Vec::new() })
}

/// A body of another template: its own figure with a design's changes.
fn on_template(template: &OwnTemplate, base: DesignBase, own: Design) -> Result<MadeBody, BodyError> {
    let base = DesignBase { sex: None, ..base };
    let made = as_it_is(&template.template, own)?;
    Ok(MadeBody { short_design: Design { base, ..made.design.clone() }.without_empty(), ..made })
}

/// Measures of the design's base with those of the request, in the order in which they were given.
fn request_measures(request: &BodyRequest, own: &Design, base: &DesignBase) -> Vec<(Measure, f64)> {
    // A value given twice stays twice, so that it is refused.
    match own.base.measures.is_empty() {
        true => request.given.clone(),
        false => base.measures.iter().map(|(&measure, &value)| (measure, value)).collect(),
    }
}

/// Whether a given measure is missed by a reading.
pub(super) fn is_missed(measure: Measure, asked: f64, read: f64) -> bool {
    let least = if measure.unit() == Unit::Metre { MET_M } else { 0.0 };
    (read - asked).abs() > least.max(MET_SHARE * asked)
}

impl MadeBody {
    /// What to say of given measures that are missed.
    pub(super) fn missed(&self) -> Vec<String> {
        let Some(person) = &self.person else { return Vec::new() };
        self.readings().iter().filter_map(|reading| missed(person, reading)).collect()
    }
}

/// What to say of a given measure that is missed.
fn missed(person: &Completed, reading: &Reading) -> Option<String> {
    let (measure, read) = (reading.measure, reading.value);
    let estimate = person.estimate(measure);
    if !estimate.is_given || !is_missed(measure, estimate.value, read) {
        return None;
    }
    let [asked, found] = [estimate.value, read].map(|value| measure.show(value));
    let much = match measure.unit() {
        Unit::Metre => format!("{:+.0} mm", 1e3 * (read - estimate.value)),
        unit => format!("{:+.1} {unit}", read - estimate.value),
    };
    Some(format!("{measure} {asked} is missed: the body has {found}, {much}"))
}
