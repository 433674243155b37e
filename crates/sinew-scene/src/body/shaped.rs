//! Bodies from the shapes of people: children, old people, builds and random people.

use super::{BodyError, MadeBody};
use sinew_body::Design;
use sinew_body::design::DesignBase;
use sinew_body::shapes::{RANDOM_AGES, ShapeMaker, ShapedBody, USUAL_AGE, Wanted, people_of, random_person};
use sinew_body::survey::{Completed, Measure, Population, Preset, SURVEYED_AGES, Sex};
use sinew_geometry::Random;
use std::sync::LazyLock;

/// What is asked of a body's shape beside its measures.
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
/// Beyond this distance from the usual body, in deviations, the user is told.
const FAR: f64 = 5.0;

/// What all the muscle there is adds to a usual weight.
const MUSCLE_WEIGHT: f64 = 0.15;
/// Girths that a build says better than the survey's mean.
const GIRTHS: [Measure; 6] = [
    Measure::NeckGirth,
    Measure::ChestGirth,
    Measure::WaistGirth,
    Measure::ButtockGirth,
    Measure::ThighGirth,
    Measure::CalfGirth,
];

static MAKER: LazyLock<ShapeMaker> = LazyLock::new(ShapeMaker::human);

impl ShapeRequest {
    /// What is asked for here, and what a design's base says beside it.
    pub(super) fn over(&self, base: &DesignBase) -> Self {
        Self {
            muscle: self.muscle.or(base.muscle),
            fat: self.fat.or(base.fat),
            shape: self.shape.or(base.shape),
            seed: self.seed.or(base.random),
        }
    }

    fn is_of_build(&self) -> bool {
        self.muscle.is_some() || self.fat.is_some() || self.shape.is_some()
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
        let is_repeated = |place: usize| given[..place].iter().any(|(measure, _)| *measure == given[place].0);
        if let Some(place) = (0..given.len()).find(|&place| is_repeated(place)) {
            return Err(BodyError::Repeated { measure: given[place].0 });
        }
        match given.iter().find(|(_, value)| !value.is_finite() || *value <= 0.0) {
            Some(&(measure, found)) => {
                Err(BodyError::Shape { name: measure.name(), found, low: 0.0, high: f64::INFINITY })
            }
            None => Ok(()),
        }
    }
}

/// A body from shapes, with a design's values laid over it.
pub(super) fn make_shaped(
    given: &[(Measure, f64)],
    base: DesignBase,
    own: Design,
) -> Result<MadeBody, BodyError> {
    if own.scale != 1.0 {
        return Err(BodyError::Scale { scale: own.scale });
    }
    let (given, shape, fat) = with_preset(given, &base)?;
    let asked = asked(&shape, fat, base.sex, &given)?;
    let wanted = &asked.wanted;
    let values = Design { base: DesignBase::default(), ..own };
    let changes = (values != Design::default()).then_some(&values);
    let made = MAKER.make_with(wanted, changes)?;
    let mut notes = outside(wanted, &made);
    match &asked.person {
        Some(person) => {
            notes.extend(
                person.report().notes.iter().filter(|note| !note.is_outside()).map(ToString::to_string),
            );
        }
        None => notes.extend(unusual(&made)),
    }
    let observed = || Completed::of_body(asked.sex, &made.all_readings(), &wanted.given, wanted.build.years);
    let person = Some(asked.person.unwrap_or_else(observed));
    let base = DesignBase { sex: Some(asked.sex), ..base };
    let short_design = Design { base, ..values }.without_empty();
    let mut body = MadeBody { body: made.body, design: made.design, short_design, person, notes };
    let missed = body.missed();
    body.notes.extend(missed);
    Ok(body)
}

/// What a preset says beside the measures: those of both, what is asked of the shape, and the fat.
type WithPreset = (Vec<(Measure, f64)>, ShapeRequest, Option<f64>);

fn with_preset(given: &[(Measure, f64)], base: &DesignBase) -> Result<WithPreset, BodyError> {
    let shape = ShapeRequest::default().over(base);
    let Some(name) = &base.preset else { return Ok((given.to_vec(), shape, None)) };
    let preset = Preset::find(name)?;
    let given = preset.given_with(Population::of(base.sex.unwrap_or(Sex::Male)), given);
    let build = preset.build.unwrap_or_default();
    let (muscle, proportions) = (shape.muscle.or(build.muscle), shape.shape.or(build.shape));
    Ok((given, ShapeRequest { muscle, shape: proportions, ..shape }, build.fat))
}

/// Who is asked for.
struct Asked {
    sex: Sex,
    wanted: Wanted,
    /// What the survey expects; for ages that it has.
    person: Option<Completed>,
}

/// Whom options ask for. What is not given is usual: of the survey for its ages, of the growth charts and health surveys for others; of the
/// dice with a seed.
fn asked(
    shape: &ShapeRequest,
    preset_fat: Option<f64>,
    sex: Option<Sex>,
    given: &[(Measure, f64)],
) -> Result<Asked, BodyError> {
    let find = |measure: Measure| given.iter().find(|(found, _)| *found == measure).map(|found| found.1);
    let age = find(Measure::Age);
    let is_surveyed = age.is_none_or(|age| (SURVEYED_AGES[0]..=SURVEYED_AGES[1]).contains(&age));
    let drawn = shape.seed.map(|seed| random_person(&mut Random::new(seed), sex, age));
    let sex = drawn.as_ref().map_or(sex.unwrap_or(Sex::Male), |drawn| drawn.0);
    let person = match drawn {
        None if is_surveyed => Some(Population::of(sex).complete(given).map_err(BodyError::Measures)?),
        _ => None,
    };
    // After the survey, whose messages know the usual range.
    shape.check(given)?;
    let mut wanted = match (drawn, &person) {
        (Some((_, wanted)), _) => wanted,
        (None, Some(person)) => {
            Wanted::usual(sex, age.unwrap_or(USUAL_AGE), |measure| Some(person.value(measure)))
        }
        (None, None) => {
            let years = age.unwrap_or(USUAL_AGE);
            let (stature, index) = people_of(sex, years);
            let stature = find(Measure::Stature).unwrap_or(stature[1]);
            Wanted::usual(sex, years, |measure| match measure {
                Measure::Stature => Some(stature),
                Measure::Weight => Some(index[1] * stature * stature),
                _ => None,
            })
        }
    };
    for &(measure, value) in given.iter().filter(|(measure, _)| *measure != Measure::Age) {
        wanted.given.retain(|(found, _)| *found != measure);
        wanted.given.push((measure, value));
    }
    if shape.is_of_build() || preset_fat.is_some() {
        wanted.wished.retain(|(measure, _)| !GIRTHS.contains(measure));
    }
    if let Some(fat) = shape.fat.or(preset_fat).filter(|_| find(Measure::Weight).is_none()) {
        wanted.build.fat = fat;
        wanted.wished.retain(|(measure, _)| *measure != Measure::Weight);
        wanted.given.retain(|(measure, _)| *measure != Measure::Weight);
    }
    for (_, weight) in wanted.wished.iter_mut().filter(|(measure, _)| *measure == Measure::Weight) {
        *weight *= 1.0 + MUSCLE_WEIGHT * shape.muscle.unwrap_or(0.0);
    }
    wanted.build.muscle = shape.muscle.unwrap_or(wanted.build.muscle);
    wanted.build.shape = shape.shape.unwrap_or(wanted.build.shape);
    Ok(Asked { sex, wanted, person })
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
    if wanted.build.years > RANDOM_AGES[1] {
        notes.push(format!("beyond {:.0} years shapes change no more", RANDOM_AGES[1]));
    }
    notes
}

/// What to say of values far from the usual, where no survey says it.
fn unusual(made: &ShapedBody) -> Option<String> {
    let far =
        || format!("these values are unusual together: {:.1} deviations from the usual body", made.distance);
    (made.distance > FAR).then(far)
}
