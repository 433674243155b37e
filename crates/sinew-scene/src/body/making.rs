//! From a request to a body.

use super::shaped::make_shaped;
use super::{BodyError, BodyRequest, MadeBody, OwnTemplate, maker_for};
use sinew_body::design::DesignBase;
use sinew_body::survey::{Measure, Note, Population, Preset, Sex, Unit};
use sinew_body::tapes::Reading;
use sinew_body::{Design, build};

/// A given length is met within this, m, or this share of it; the mass within the share.
const MET_M: f64 = 2e-3;
const MET_SHARE: f64 = 1e-2;

/// Makes a body. A design that places every joint is built as it is unless measures or a preset are given; any other design is laid over the
/// measured body. A design's own base counts where the request says nothing. Builds, children, old people and whom the survey hardly has are
/// made from the shapes of people.
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
    let preset = base.preset.as_deref().map(Preset::find).transpose()?;
    if shape.is_asked_for(&given) || preset.is_some_and(|preset| preset.build.is_some()) {
        return make_shaped(&given, base, own);
    }
    match template.filter(|template| template.name != "human") {
        Some(template) => on_template(&template, base, own),
        None => human(&given, base, own),
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

fn human(asked: &[(Measure, f64)], base: DesignBase, own: Design) -> Result<MadeBody, BodyError> {
    let sex = base.sex.unwrap_or(Sex::Male);
    let population = Population::of(sex);
    let given = match &base.preset {
        Some(name) => Preset::find(name)?.given_with(population, asked),
        None => asked.to_vec(),
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
    let outside: Vec<&Note> = person.report().notes.iter().filter(|note| note.is_outside()).collect();
    // A preset is made of the survey's percentiles.
    if !outside.is_empty() && base.preset.is_none() {
        let mut made = make_shaped(&given, base, own)?;
        made.notes.insert(0, format!("{}; shapes of people are used", outside[0]));
        return Ok(made);
    }
    let base = DesignBase { sex: Some(sex), ..base };
    let values = Design { base: DesignBase::default(), ..own };
    let made = maker.make_with(&person, &values)?;
    let told = |note: &Note| format!("{note}{}", if note.is_outside() { "; extrapolated" } else { "" });
    let mut notes: Vec<String> = person.report().notes.iter().map(told).collect();
    notes.extend(made.notes.iter().map(ToString::to_string));
    let short_design = Design { base, ..values }.without_empty();
    let mut body =
        MadeBody { body: made.body, design: made.design, short_design, person, has_person: true, notes };
    if given.iter().any(|(measure, _)| !matches!(measure, Measure::Stature | Measure::Weight | Measure::Age))
    {
        let missed = body.missed();
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

impl MadeBody {
    /// What to say of given measures that are missed.
    pub(super) fn missed(&self) -> Vec<String> {
        self.readings().iter().filter_map(|reading| missed(self, reading)).collect()
    }
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
