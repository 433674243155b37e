//! From a request to a body.

use super::shaped::{make_shaped, shaped_request};
use super::{BodyError, BodyRequest, MadeBody, OwnTemplate, maker_for};
use sinew_body::design::DesignBase;
use sinew_body::survey::{Measure, Population, Preset, Sex, Unit};
use sinew_body::tapes::Reading;
use sinew_body::{Design, build};

/// A given length is met within this, m, or this share of it; the mass within the share.
const MET_M: f64 = 2e-3;
const MET_SHARE: f64 = 1e-2;

/// Makes a body. A design that places every joint is built as it is unless measures or a preset are given; any other design is laid over the
/// measured body. A design's own base counts where the request says nothing. Builds, children, old people and weights far from the survey's
/// are made from the shapes of people.
///
/// # Errors
/// Values that are refused, each with its key and a range to use.
pub fn make(request: &BodyRequest) -> Result<MadeBody, BodyError> {
    if let Some(asked) = shaped_request(request)? {
        return make_shaped(request, &asked);
    }
    let own = request.own.clone().unwrap_or_default();
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
        measures: own.base.measures_with(&request.given).into_iter().collect(),
    };
    match template.filter(|template| template.name != "human") {
        Some(template) => on_template(&template, base, own),
        None => human(request, base, own),
    }
}

/// A body of another template: its own figure with a design's changes.
fn on_template(template: &OwnTemplate, base: DesignBase, own: Design) -> Result<MadeBody, BodyError> {
    if base.preset.is_some() || !base.measures.is_empty() {
        return Err(BodyError::NotHuman);
    }
    let body = build(&template.template, &own)?;
    let base = DesignBase { sex: None, ..base };
    let short_design = Design { base, ..own.clone() }.without_empty();
    let person = Population::of(Sex::Male).complete(&[]).map_err(BodyError::Measures)?;
    Ok(MadeBody { body, design: own, short_design, person, has_person: false, notes: Vec::new() })
}

fn human(request: &BodyRequest, base: DesignBase, own: Design) -> Result<MadeBody, BodyError> {
    let sex = base.sex.unwrap_or(Sex::Male);
    let population = Population::of(sex);
    let given = request_measures(request, &own, &base);
    let given = match &base.preset {
        Some(name) => Preset::find(name)?.given_with(population, &given),
        None => given,
    };
    let person = population.complete(&given).map_err(BodyError::Measures)?;
    let maker = maker_for(sex);
    if own.is_whole(maker.template()) && given.is_empty() && base.preset.is_none() {
        let body = build(maker.template(), &own)?;
        let (short_design, notes) = (own.clone().without_empty(), Vec::new());
        return Ok(MadeBody { body, design: own, short_design, person, has_person: false, notes });
    }
    if own.scale != 1.0 && !own.is_whole(maker.template()) {
        return Err(BodyError::Scale { scale: own.scale });
    }
    let base = DesignBase { sex: Some(sex), ..base };
    let values = Design { base: DesignBase::default(), ..own };
    let made = maker.make_with(&person, &values)?;
    let mut notes: Vec<String> = person.report().notes.iter().map(ToString::to_string).collect();
    notes.extend(made.notes.iter().map(ToString::to_string));
    let short_design = Design { base, ..values }.without_empty();
    let mut body =
        MadeBody { body: made.body, design: made.design, short_design, person, has_person: true, notes };
    if given.iter().any(|(measure, _)| !matches!(measure, Measure::Stature | Measure::Weight | Measure::Age))
    {
        let missed: Vec<String> =
            body.readings().iter().filter_map(|reading| missed(&body, reading)).collect();
        body.notes.extend(missed);
    }
    Ok(body)
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

/// What to say of a given measure that is missed.
fn missed(made: &MadeBody, reading: &Reading) -> Option<String> {
    let (measure, read) = (reading.measure, reading.value);
    let estimate = made.person.estimate(measure);
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
