//! Bodies from the shapes of people: children, old people, builds and random people.

use super::{BodyError, BodyRequest, MadeBody};
use sinew_body::design::DesignBase;
use sinew_body::shapes::{Build, RANDOM_AGES, ShapeMaker, ShapedBody, Wanted, people_of, random_person};
use sinew_body::survey::{Completed, Measure, Population, Preset, SURVEYED_AGES, Sex};
use sinew_body::{Design, build};
use sinew_geometry::Random;
use std::sync::LazyLock;

/// What is asked of a body's shape beside its measures. Anything here makes the body from the shapes of people, and so does an age outside the
/// survey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeRequest {
    /// Muscle, from −1 to 1; 0 is usual.
    pub muscle: Option<f64>,
    /// Fat, from −1 to 2; 0 is lean. A given weight goes before it.
    pub fat: Option<f64>,
    /// Proportions, from −1, uncommon, to 1, an ideal.
    pub shape: Option<f64>,
    /// Draws everything that is not given, by the statistics of the sex and age.
    pub seed: Option<u64>,
}

/// Ages that shapes are known for, years.
const AGES: [f64; 2] = [2.0, 90.0];
/// Statures and weights of people.
const LIMITS: [(Measure, f64, f64); 2] = [(Measure::Stature, 0.75, 2.2), (Measure::Weight, 8.0, 200.0)];
/// Body mass indexes of the source's bodies; beyond them shapes are stretched.
const MASS_INDEXES: [f64; 2] = [14.0, 48.0];
/// Body mass indexes beyond which the survey has few people, so that its mean would be stretched.
const SURVEYED_INDEXES: [f64; 2] = [18.5, 35.0];
/// Age of grown-ups without a given one, years.
const USUAL_AGE: f64 = 30.0;
/// Fat of a body without a given weight: the average of the source is leaner than people are.
const USUAL_FAT: f64 = 0.2;
/// Beyond this distance from the usual body, in deviations, the user is told.
const FAR: f64 = 5.0;

static MAKER: LazyLock<ShapeMaker> = LazyLock::new(ShapeMaker::human);

impl ShapeRequest {
    /// Whether the shapes of people are needed.
    pub(super) fn is_asked_for(&self, given: &[(Measure, f64)]) -> bool {
        let is_aged = |&(measure, value): &(Measure, f64)| {
            measure == Measure::Age && !(SURVEYED_AGES[0]..=SURVEYED_AGES[1]).contains(&value)
        };
        *self != Self::default() || given.iter().any(is_aged)
    }

    fn check(&self, given: &[(Measure, f64)]) -> Result<(), BodyError> {
        let values = [
            ("--muscle", self.muscle, [-1.0, 1.0]),
            ("--fat", self.fat, [-1.0, 2.0]),
            ("--shape", self.shape, [-1.0, 1.0]),
        ];
        for (name, value, [low, high]) in values {
            let Some(found) = value.filter(|value| !(low..=high).contains(value)) else { continue };
            return Err(BodyError::Shape { name, found, low, high });
        }
        let limits = LIMITS.into_iter().chain([(Measure::Age, AGES[0], AGES[1])]);
        for (measure, low, high) in limits {
            let own = given.iter().find(|(found, _)| *found == measure).map(|found| found.1);
            let Some(found) = own.filter(|value| !(low..=high).contains(value)) else { continue };
            return Err(BodyError::Shape { name: measure.name(), found, low, high });
        }
        match given.iter().find(|(_, value)| !value.is_finite() || *value <= 0.0) {
            Some(&(measure, found)) => {
                Err(BodyError::Shape { name: measure.name(), found, low: 0.0, high: f64::INFINITY })
            }
            None => Ok(()),
        }
    }
}

/// The request with everything that its design's base and its preset say, if the shapes of people are needed: for ages outside the survey, for
/// a build, for a preset with one, and for weights that would stretch a soldier.
pub(super) fn shaped_request(request: &BodyRequest) -> Result<Option<BodyRequest>, BodyError> {
    let mut asked = request.clone();
    let base = request.own.as_ref().map(|own| own.base.clone()).unwrap_or_default();
    let template = request.template.as_ref().map(|template| template.name.clone()).or(base.template.clone());
    asked.sex = request.sex.or(base.sex);
    asked.preset = request.preset.clone().or(base.preset.clone());
    if !base.measures.is_empty() {
        asked.given = base.measures_with(&request.given);
    }
    if template.is_some_and(|name| name != "human") {
        let is_shaped = request.shape.is_asked_for(&request.given);
        return if is_shaped { Err(BodyError::Together(NOT_TOGETHER)) } else { Ok(None) };
    }
    if let Some(name) = &asked.preset {
        let preset = Preset::find(name)?;
        if let Some(build) = preset.build {
            asked.given = preset.given_with(population(&asked), &asked.given);
            asked.shape.muscle = asked.shape.muscle.or(Some(build.muscle));
            asked.shape.shape = asked.shape.shape.or(Some(build.shape));
            asked.preset = None;
        }
    }
    let is_far = asked.preset.is_none() && is_far_from_survey(&asked);
    if !is_far && !asked.shape.is_asked_for(&asked.given) {
        return Ok(None);
    }
    if asked.preset.is_some() {
        return Err(BodyError::Together(NOT_TOGETHER));
    }
    Ok(Some(asked))
}

const NOT_TOGETHER: &str = "--template and presets without a build do not go with --muscle, --fat, --shape, --random or ages outside 17 to 58";

fn population(request: &BodyRequest) -> &'static Population {
    Population::of(request.sex.unwrap_or(Sex::Male))
}

/// Whether the given weight and stature are those of a build that the survey hardly has.
fn is_far_from_survey(request: &BodyRequest) -> bool {
    let find =
        |measure: Measure| request.given.iter().find(|(found, _)| *found == measure).map(|found| found.1);
    let Some(weight) = find(Measure::Weight) else { return false };
    let stature =
        find(Measure::Stature).unwrap_or_else(|| population(request).at_percentile(Measure::Stature, 50.0));
    let is_possible = |measure: Measure, value: f64| {
        LIMITS.iter().all(|&(limit, low, high)| limit != measure || (low..=high).contains(&value))
    };
    let is_known = is_possible(Measure::Weight, weight) && is_possible(Measure::Stature, stature);
    is_known && !(SURVEYED_INDEXES[0]..=SURVEYED_INDEXES[1]).contains(&(weight / (stature * stature)))
}

/// Makes a body from the shapes of people. `asked`: what [`shaped_request`] made of the request.
pub(super) fn make_shaped(request: &BodyRequest, asked: &BodyRequest) -> Result<MadeBody, BodyError> {
    asked.shape.check(&asked.given)?;
    let own = request.own.clone().unwrap_or_default();
    if own.scale != 1.0 {
        return Err(BodyError::Scale { scale: own.scale });
    }
    let (sex, wanted) = wanted(asked);
    let mut made = MAKER.make(&wanted).map_err(BodyError::from)?;
    let values = Design { base: DesignBase::default(), ..own.clone() };
    if values != Design::default() {
        made.design = values.laid_over(MAKER.template(), &made.design);
        made.body = build(MAKER.template(), &made.design)?;
        made.readings = made.all_readings();
    }
    let mut notes = misses(&wanted, &made);
    notes.extend(outside(&wanted, &made));
    let person = Completed::of_body(sex, &made.all_readings(), &wanted.given, wanted.build.years);
    let short_design = short_design(request, sex, values, &made).without_empty();
    Ok(MadeBody { body: made.body, design: made.design, short_design, person, has_person: false, notes })
}

/// What differs from the base, where a base can say what was asked for; else everything.
fn short_design(request: &BodyRequest, sex: Sex, values: Design, made: &ShapedBody) -> Design {
    if request.shape != ShapeRequest::default() {
        return made.design.clone();
    }
    let base = request.own.as_ref().map(|own| own.base.clone()).unwrap_or_default();
    let measures = base.measures_with(&request.given).into_iter().collect();
    let preset = request.preset.clone().or(base.preset);
    Design { base: DesignBase { template: base.template, sex: Some(sex), preset, measures }, ..values }
}

fn wanted(request: &BodyRequest) -> (Sex, Wanted) {
    let find =
        |measure: Measure| request.given.iter().find(|(found, _)| *found == measure).map(|found| found.1);
    let age = find(Measure::Age);
    let asked_sex = request.sex.unwrap_or(Sex::Male);
    let shape = &request.shape;
    let (sex, mut wanted) = match shape.seed {
        Some(seed) => random_person(&mut Random::new(seed), request.sex, age),
        None => {
            let years = age.unwrap_or(USUAL_AGE);
            let male = f64::from(u8::from(asked_sex == Sex::Male));
            let build = Build { male, years, muscle: 0.0, fat: USUAL_FAT, shape: 0.0 };
            let stature_m = people_of(asked_sex, years).0[1];
            (asked_sex, Wanted { build, stature_m, given: Vec::new(), modes: Vec::new() })
        }
    };
    let build = &mut wanted.build;
    build.muscle = shape.muscle.unwrap_or(build.muscle);
    build.shape = shape.shape.unwrap_or(build.shape);
    if let Some(fat) = shape.fat {
        build.fat = fat;
        wanted.given.retain(|(measure, _)| *measure != Measure::Weight);
    }
    let own = request.given.iter().filter(|(measure, _)| *measure != Measure::Age);
    for &(measure, value) in own {
        wanted.given.retain(|(found, _)| *found != measure);
        wanted.given.push((measure, value));
    }
    (sex, wanted)
}

/// Every given measure that is not met, or that the surface does not show.
fn misses(wanted: &Wanted, made: &ShapedBody) -> Vec<String> {
    let missed = |&(measure, asked): &(Measure, f64)| match made.reading(measure) {
        None => Some(format!("{measure} {} is not read on a surface and was left out", measure.show(asked))),
        Some(found) if (found - asked).abs() <= 0.002 || (found / asked - 1.0).abs() <= 0.01 => None,
        Some(found) => Some(format!(
            "{measure} {} was asked for, the body has {}",
            measure.show(asked),
            measure.show(found)
        )),
    };
    wanted.given.iter().filter_map(missed).collect()
}

/// What lies outside the data.
fn outside(wanted: &Wanted, made: &ShapedBody) -> Vec<String> {
    let mut notes = Vec::new();
    if let (Some(mass), Some(stature)) = (made.reading(Measure::Weight), made.reading(Measure::Stature)) {
        let index = mass / (stature * stature);
        let low = if wanted.build.years < 18.0 { MASS_INDEXES[0] - 1.0 } else { MASS_INDEXES[0] };
        if !(low..=MASS_INDEXES[1]).contains(&index) {
            notes.push(format!(
                "body mass index {index:.1} is outside the shapes' {low:.0} to {:.0}",
                MASS_INDEXES[1]
            ));
        }
    }
    if made.distance > FAR {
        notes.push(format!(
            "these values are unusual together: {:.1} deviations from the usual body",
            made.distance
        ));
    }
    if wanted.build.years > RANDOM_AGES[1] {
        notes.push(format!("beyond {:.0} years shapes change no more", RANDOM_AGES[1]));
    }
    notes
}
