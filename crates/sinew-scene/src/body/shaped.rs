//! Bodies from the shapes of people: children, old people, builds and random people.

use super::{BodyError, MadeBody};
use sinew_body::Design;
use sinew_body::design::DesignBase;
use sinew_body::shapes::{Build, RANDOM_AGES, ShapeMaker, ShapedBody, Wanted, people_of, random_person};
use sinew_body::survey::{Completed, Measure, Population, Preset, SURVEYED_AGES, Sex};
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
/// Age of grown-ups without a given one, years.
const USUAL_AGE: f64 = 30.0;
/// Fat of a body without a given weight: the average of the source is leaner than people are.
const USUAL_FAT: f64 = 0.2;
/// Beyond this distance from the usual body, in deviations, the user is told.
const FAR: f64 = 5.0;

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
    if base.template.as_ref().is_some_and(|name| name != "human") {
        return Err(BodyError::Together(NOT_TOGETHER));
    }
    if own.scale != 1.0 {
        return Err(BodyError::Scale { scale: own.scale });
    }
    let (given, shape) = with_preset(given, &base)?;
    shape.check(&given)?;
    let (sex, wanted) = wanted(&shape, base.sex, &given);
    let values = Design { base: DesignBase::default(), ..own };
    let changes = (values != Design::default()).then_some(&values);
    let made = MAKER.make_with(&wanted, changes)?;
    let person = Completed::of_body(sex, &made.all_readings(), &wanted.given, wanted.build.years);
    let mut notes = outside(&wanted, &made);
    notes.extend(unseen(&wanted, &made));
    let base = DesignBase { sex: Some(sex), ..base };
    let short_design = Design { base, ..values }.without_empty();
    let mut body =
        MadeBody { body: made.body, design: made.design, short_design, person, has_person: false, notes };
    let missed = body.missed();
    body.notes.extend(missed);
    Ok(body)
}

const NOT_TOGETHER: &str = "--template and presets without a build do not go with --muscle, --fat, --shape, --random or ages outside 17 to 58";

/// What is asked for with what a preset says beside it.
fn with_preset(
    given: &[(Measure, f64)],
    base: &DesignBase,
) -> Result<(Vec<(Measure, f64)>, ShapeRequest), BodyError> {
    let shape = ShapeRequest::default().over(base);
    let Some(name) = &base.preset else { return Ok((given.to_vec(), shape)) };
    let preset = Preset::find(name)?;
    let build = preset.build.ok_or(BodyError::Together(NOT_TOGETHER))?;
    let given = preset.given_with(Population::of(base.sex.unwrap_or(Sex::Male)), given);
    let (muscle, proportions) = (shape.muscle.or(Some(build.muscle)), shape.shape.or(Some(build.shape)));
    Ok((given, ShapeRequest { muscle, shape: proportions, ..shape }))
}

fn wanted(shape: &ShapeRequest, sex: Option<Sex>, given: &[(Measure, f64)]) -> (Sex, Wanted) {
    let find = |measure: Measure| given.iter().find(|(found, _)| *found == measure).map(|found| found.1);
    let age = find(Measure::Age);
    let asked_sex = sex.unwrap_or(Sex::Male);
    let (sex, mut wanted) = match shape.seed {
        Some(seed) => random_person(&mut Random::new(seed), sex, age),
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
    for &(measure, value) in given.iter().filter(|(measure, _)| *measure != Measure::Age) {
        wanted.given.retain(|(found, _)| *found != measure);
        wanted.given.push((measure, value));
    }
    (sex, wanted)
}

/// Every given measure that the surface does not show.
fn unseen(wanted: &Wanted, made: &ShapedBody) -> Vec<String> {
    let unseen = wanted.given.iter().filter(|(measure, _)| made.reading(*measure).is_none());
    let note = |&(measure, asked): &(Measure, f64)| {
        format!("{measure} {} cannot be measured on a surface; it is ignored", measure.show(asked))
    };
    unseen.map(note).collect()
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
