//! Measures in the space of shapes: the most usual body that has them.
//!
//! Unknowns are the size, the build, the modes and single parts, each in units of its deviation among people. Gauss–Newton steps look for the
//! nearest point to the usual body at which all measures hold, `y = Jᵀ (J Jᵀ)⁻¹ (e + J y)`; the slopes `J` are known for each kind of person
//! and corrected in each step (Broyden).

use super::basis::ShapeBasis;
use super::growth::{bent_back, people_of};
use super::parts::{HeadPart, PartChange, part_changes};
use super::people::Build;
use super::slots::SlotKind;
use crate::body::{Body, Topology, is_even, sharpest_cosine};
use crate::build::validate::{validate, validate_numbers};
use crate::build::{BuildError, build, build_unchecked};
use crate::design::{ByName, Design, HeadChange, unfolded};
use crate::head::HeadBasis;
use crate::quadrature::{BodyRules, PatchRule};
use crate::survey::Measure::{self, *};
use crate::survey::{Population, Sex};
use crate::tapes::{BODY_DENSITY, read_all, read_some};
use crate::template::{Flank, Template};
use glam::DVec3;
use sinew_geometry::Cholesky;
use std::cell::RefCell;
use std::sync::OnceLock;

/// Deviation of the size, of fat, muscle and shape, and of each mode beside them.
const SIZE_DEVIATION: f64 = 0.04;
const BUILD_DEVIATIONS: [f64; 3] = [0.25, 0.3, 0.4];
const MODE_DEVIATION: f64 = 0.25;
/// The most steps; four are usual.
const MOST_STEPS: usize = 16;
/// Least slack of a measure, relative: keeps measures that say the same from fighting.
const SLACK: f64 = 5e-4;
/// Slack of wished measures, of those that say how large a body is and of others.
const LEADING_SLACK: f64 = 4e-3;
const WISH_SLACK: f64 = 0.02;
/// The search ends where given measures are met, and a step saves less of the cost or so many were made: what is wished need not be exact.
const SETTLED: f64 = 0.05;
const USUAL_STEPS: usize = 4;
/// Steps that may raise the cost, and by which factor.
const LOOSE_STEPS: usize = 2;
const LOOSE: f64 = 4.0;
/// Steps that look at given measures alone, where the search ended without them.
const GIVEN_STEPS: usize = 6;
/// The least share of a step that is tried.
const LEAST_SHARE: f64 = 0.1;
/// Relative errors that count as met: of tapes and lengths, and of the mass.
const MET: f64 = 1e-3;
const MASS_MET: f64 = 2e-3;
/// Relative error of a given measure that is accepted after folds were smoothed, if it was not larger before, and how often a body is made
/// anew for it.
const SMOOTHED: f64 = 8e-3;
const SMOOTHINGS: usize = 6;
/// Where a person folds, the slack of given measures grows by this factor, so many times.
const RELAXED: f64 = 2.0;
const RELAXATIONS: usize = 8;
/// Parts of the body beside the fills, whose bays may fold with them, by what names of patches start with.
const BAYS_BESIDE_FILLS: [&str; 4] = ["trunk/", "neck/", "arm/shoulder/", "leg/thigh/"];
/// Tubes of digits.
const DIGITS: [&str; 5] = ["index", "middle", "ring", "little", "thumb"];
/// Deviations beyond which an unknown is held.
const MOST: f64 = 7.0;

/// Makers of people: a template, the shapes, and what is known of their slopes.
pub struct ShapeMaker {
    template: Template,
    basis: &'static ShapeBasis,
    /// Slopes of men, women and children.
    slopes: [OnceLock<Slopes>; 3],
    /// How the weight of men, women and children depends on fat.
    weights: [OnceLock<Vec<(f64, f64)>>; 3],
    rules: BodyRules,
}

type Slopes = Vec<(Measure, Vec<f64>)>;

/// A body and what it reads.
#[derive(Clone, Debug)]
pub struct ShapedBody {
    /// Built from `design`.
    pub body: Body,
    /// Over no base: everything is in it.
    pub design: Design,
    /// Stature, weight and the given measures, read as [`read_all`] does.
    pub readings: Vec<(Measure, f64)>,
    /// Distance from the usual body, in deviations.
    pub distance: f64,
    /// Steps that were needed.
    pub steps: usize,
}

impl ShapedBody {
    /// The reading of stature, weight or a given measure, if the surface shows it.
    #[must_use]
    pub fn reading(&self, measure: Measure) -> Option<f64> {
        self.readings.iter().find(|(found, _)| *found == measure).map(|&(_, value)| value)
    }

    /// All measures that the surface shows.
    #[must_use]
    pub fn all_readings(&self) -> Vec<(Measure, f64)> {
        read_all(&self.body).into_iter().map(|reading| (reading.measure, reading.value)).collect()
    }
}

/// A person to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The usual shape to begin with.
    pub build: Build,
    /// Stature to begin with, m; a given stature goes before it.
    pub stature_m: f64,
    /// Measures that the body must have; what the surface does not show is not met.
    pub given: Vec<(Measure, f64)>,
    /// Measures that are usual with the given ones: the body comes near them, where that is not far from the shapes of people.
    pub wished: Vec<(Measure, f64)>,
    /// Amounts of single modes, from zero, in deviations.
    pub modes: Vec<(usize, f64)>,
    /// Amounts of the modes of faces, in deviations; missing ones are zero.
    pub face: Vec<f64>,
}

/// Age of grown-ups without a given one, years.
pub const USUAL_AGE: f64 = 30.0;
/// Fat to begin with: the average of the source is leaner than people are.
const USUAL_FAT: f64 = 0.2;
/// Measures that are as usual where they are not given.
const WISHED: [(Measure, f64); 18] = [
    (Stature, LEADING_SLACK),
    (Weight, LEADING_SLACK),
    (NeckGirth, WISH_SLACK),
    (ChestGirth, WISH_SLACK),
    (WaistGirth, WISH_SLACK),
    (ButtockGirth, WISH_SLACK),
    (ThighGirth, WISH_SLACK),
    (CalfGirth, WISH_SLACK),
    (AnkleGirth, WISH_SLACK),
    (WristGirth, WISH_SLACK),
    (HeadGirth, WISH_SLACK),
    (CrotchHeight, WISH_SLACK),
    (KneeHeight, WISH_SLACK),
    (BiacromialBreadth, WISH_SLACK),
    (UpperArmLength, WISH_SLACK),
    (ForearmLength, WISH_SLACK),
    (HandLength, WISH_SLACK),
    (FootLength, WISH_SLACK),
];

impl Wanted {
    /// Somebody of whom nothing but the usual is known. `value`: what is usual, where that is known.
    #[must_use]
    pub fn usual(sex: Sex, years: f64, value: impl Fn(Measure) -> Option<f64>) -> Self {
        let male = f64::from(u8::from(sex == Sex::Male));
        let build = Build { male, years, muscle: 0.0, fat: USUAL_FAT, shape: 0.0 };
        let wished: Vec<(Measure, f64)> =
            WISHED.iter().filter_map(|&(measure, _)| Some((measure, value(measure)?))).collect();
        let stature_m = value(Stature).unwrap_or_else(|| people_of(sex, years).0[1]);
        Self { build, stature_m, given: Vec::new(), wished, modes: Vec::new(), face: Vec::new() }
    }

    /// The average person of the survey.
    #[must_use]
    pub fn average(sex: Sex) -> Self {
        let population = Population::of(sex);
        Self::usual(sex, USUAL_AGE, |measure| Some(population.mean(measure)))
    }
}

impl ShapeMaker {
    /// A maker on the shapes that ship.
    #[must_use]
    pub fn human() -> Self {
        let template = Template::human();
        // Four places each way leave 1e-5 of a body's volume.
        let rules = BodyRules { bezier: PatchRule::tensor(4), gregory: PatchRule::tensor(4) };
        Self {
            template,
            basis: ShapeBasis::human(),
            slopes: Default::default(),
            weights: Default::default(),
            rules,
        }
    }

    /// The template.
    #[must_use]
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Makes a person.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn make(&self, wanted: &Wanted) -> Result<ShapedBody, BuildError> {
        self.make_with(wanted, None)
    }

    /// As [`ShapeMaker::make`], with values of a design laid over the body. They are kept, and given measures are met around them.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn make_with(&self, wanted: &Wanted, own: Option<&Design>) -> Result<ShapedBody, BuildError> {
        // Before it is laid over the body: what follows from a mistake would hide it.
        own.map_or(Ok(()), |own| validate(&self.template, own))?;
        let wanted = self.fattened(wanted)?;
        let mut space = Space::new(self, &wanted);
        let mut goals = self.goals(&wanted)?;
        let usual = vec![0.0; space.len()];
        let Some(own) = own else { return self.solved(&space, &usual, &goals) };
        let found = space.solve(&usual, usual.clone(), goals.clone())?;
        // What is only wished follows the design: a longer thigh makes a taller person.
        goals.retain(|goal| goal.is_given);
        space.own = Some(own);
        self.solved(&space, &found.y, &goals)
    }

    /// What is given and wished, with what is known of its slopes.
    fn goals(&self, wanted: &Wanted) -> Result<Vec<Goal>, BuildError> {
        if wanted.given.is_empty() && wanted.wished.is_empty() {
            return Ok(Vec::new());
        }
        let slopes = self.slopes(&wanted.build)?;
        let goal = |&(measure, value): &(Measure, f64), is_given: bool| {
            let (_, row) = slopes.iter().find(|(found, _)| *found == measure)?;
            let slack = if is_given { SLACK } else { wish_slack(measure) };
            Some(Goal { measure, value, is_given, slack, row: row.clone() })
        };
        let is_free = |(wished, _): &&(Measure, f64)| wanted.given.iter().all(|(given, _)| given != wished);
        let given = wanted.given.iter().filter_map(|asked| goal(asked, true));
        let wished = wanted.wished.iter().filter(is_free);
        Ok(given.chain(wished.filter_map(|asked| goal(asked, false))).collect())
    }

    /// The person nearest to a start at which measures hold, without folds: where people with such measures fold, given measures are missed by
    /// as much as it takes.
    fn solved(&self, space: &Space<'_>, start: &[f64], goals: &[Goal]) -> Result<ShapedBody, BuildError> {
        let mut goals = goals.to_vec();
        let mut made = None;
        for _ in 0..=RELAXATIONS {
            let (found, has_folds) = self.smooth_solved(space, start, &goals)?;
            if !has_folds {
                return Ok(found);
            }
            made.get_or_insert(found);
            goals.iter_mut().filter(|goal| goal.is_given).for_each(|goal| goal.slack *= RELAXED);
        }
        Ok(made.expect("at least one was made"))
    }

    /// The person nearest to a start at which measures hold, if possible without folds in the fills between tubes: what smoothing takes is
    /// asked for before. Returns whether folds are left.
    fn smooth_solved(
        &self,
        space: &Space<'_>,
        start: &[f64],
        goals: &[Goal],
    ) -> Result<(ShapedBody, bool), BuildError> {
        let found = space.solve(start, start.to_vec(), goals.to_vec())?;
        let mut y = found.y.clone();
        let made = space.finished(found)?;
        let Some(mut smooth) = self.smoothed(&made)? else {
            let has_folds = has_folds(&made.body, &BAYS_BESIDE_FILLS);
            return Ok((made, has_folds));
        };
        let mut aims = goals.to_vec();
        let off = |body: &ShapedBody, goal: &Goal| {
            body.reading(goal.measure).map_or(1.0, |found| goal.value / found)
        };
        for _ in 0..SMOOTHINGS {
            let is_met = |goal| {
                let [before, now] = [&made, &smooth].map(|body| (off(body, goal) - 1.0).abs());
                now < before.max(SMOOTHED)
            };
            if goals.iter().filter(|goal| goal.is_given).all(is_met) {
                let has_folds = has_folds(&smooth.body, &BAYS_BESIDE_FILLS);
                return Ok((smooth, has_folds));
            }
            aims.iter_mut().zip(goals).for_each(|(aim, goal)| aim.value *= off(&smooth, goal));
            let next = space.solve(start, y, aims.clone())?;
            y = next.y.clone();
            let next = space.finished(next)?;
            smooth = self.smoothed(&next)?.unwrap_or(next);
        }
        Ok((made, true))
    }

    /// A folded person with smoothed fills.
    fn smoothed(&self, made: &ShapedBody) -> Result<Option<ShapedBody>, BuildError> {
        let Some(design) = unfolded(&self.template, &made.design, &made.body) else { return Ok(None) };
        let body = build(&self.template, &design)?;
        let asked: Vec<Measure> = made.readings.iter().map(|&(measure, _)| measure).collect();
        let readings = self.read(&body, &asked, design.is_alike());
        Ok(Some(ShapedBody { body, design, readings, distance: made.distance, steps: made.steps }))
    }

    /// The person with as much fat as the weight asks for: heavy and thin builds are the source's own, not stretched averages. The curve of
    /// a typical person, moved to this one's weight, leaves one or two bodies to try.
    fn fattened(&self, wanted: &Wanted) -> Result<Wanted, BuildError> {
        let find = |measure: Measure| {
            let asked = wanted.given.iter().chain(&wanted.wished);
            asked.into_iter().find(|(found, _)| *found == measure).map(|&(_, value)| value)
        };
        let mut wanted = wanted.clone();
        wanted.stature_m = find(Stature).unwrap_or(wanted.stature_m);
        let Some(weight) = find(Weight) else { return Ok(wanted) };
        let mut plain = Wanted { modes: Vec::new(), given: Vec::new(), wished: Vec::new(), ..wanted.clone() };
        let curve = self.weights(&plain.build)?;
        for _ in 0..MOST_FATS {
            let fat = plain.build.fat;
            let found = self.weight(&Space::plain(self, &plain).body(&[])?, true);
            let missing = (weight / found).ln();
            if missing.abs() < FAT_MET {
                break;
            }
            plain.build.fat = fat_at(curve, weight_at(curve, fat) + missing);
            if plain.build.fat == fat {
                break;
            }
        }
        wanted.build.fat = plain.build.fat;
        Ok(wanted)
    }

    /// Logarithms of a typical person's weight at ascending amounts of fat.
    fn weights(&self, build: &Build) -> Result<&[(f64, f64)], BuildError> {
        let kind = kind_of(build);
        if let Some(found) = self.weights[kind].get() {
            return Ok(found);
        }
        let typical = typical(kind);
        let at = |k: usize| -> Result<(f64, f64), BuildError> {
            let fat = FATS[0] + (FATS[1] - FATS[0]) * k as f64 / FAT_STEPS as f64;
            let tried = Wanted { build: Build { fat, ..typical.build }, ..typical.clone() };
            Ok((fat, self.weight(&Space::plain(self, &tried).body(&[])?, true).ln()))
        };
        let curve = (0..=FAT_STEPS).map(at).collect::<Result<Vec<_>, _>>()?;
        Ok(self.weights[kind].get_or_init(|| curve))
    }

    /// Relative change of each measure by each unknown, about a typical person of a kind.
    fn slopes(&self, wanted: &Build) -> Result<&Slopes, BuildError> {
        let kind = kind_of(wanted);
        if let Some(found) = self.slopes[kind].get() {
            return Ok(found);
        }
        let space = Space::new(self, &typical(kind));
        let all: Vec<Measure> = Measure::all().collect();
        let before = space.at(&[], &all)?.readings;
        let mut slopes: Slopes = before.iter().map(|&(measure, _)| (measure, Vec::new())).collect();
        for unknown in 0..space.len() {
            let mut y = vec![0.0; unknown + 1];
            y[unknown] = STEP;
            let after = space.at(&y, &all)?.readings;
            for ((_, row), (before, after)) in slopes.iter_mut().zip(before.iter().zip(&after)) {
                row.push((after.1 / before.1).ln() / STEP);
            }
        }
        Ok(self.slopes[kind].get_or_init(|| slopes))
    }

    /// Some measures as a report reads them, and the weight by faster rules. `is_alike`: whether the sides of the body are.
    fn read(&self, body: &Body, asked: &[Measure], is_alike: bool) -> Vec<(Measure, f64)> {
        let mut found = read_some(body, asked);
        found.push((Weight, self.weight(body, is_alike)));
        found
    }

    fn weight(&self, body: &Body, is_alike: bool) -> f64 {
        let times = |flank: Flank| match (is_alike, flank) {
            (true, Flank::Left) => 2.0,
            (true, Flank::Right) => 0.0,
            _ => 1.0,
        };
        let counted = body.patches.iter().filter(|patch| times(patch.flank) > 0.0);
        BODY_DENSITY * counted.map(|patch| times(patch.flank) * self.rules.volume(&patch.patch)).sum::<f64>()
    }
}

/// Men, women and children, as places of what is known of them.
fn kind_of(build: &Build) -> usize {
    if build.years < 13.0 { 2 } else { usize::from(build.male < 0.5) }
}

/// A typical person of a kind.
fn typical(kind: usize) -> Wanted {
    let build = match kind {
        2 => Build { male: 0.5, years: 7.0, muscle: 0.0, fat: 0.0, shape: 0.0 },
        _ => Build { male: f64::from(u8::from(kind == 0)), years: 35.0, muscle: 0.0, fat: 0.3, shape: 0.0 },
    };
    let stature_m = if kind == 2 { 1.22 } else { 1.7 };
    Wanted { build, stature_m, given: Vec::new(), wished: Vec::new(), modes: Vec::new(), face: Vec::new() }
}

/// Fat from starved to the heaviest, the steps of the curve, the most bodies that are tried, and the relative weight that counts as met: the
/// solver does the rest.
const FATS: [f64; 2] = [-1.0, 2.0];
const FAT_STEPS: usize = 12;
const MOST_FATS: usize = 3;
const FAT_MET: f64 = 0.02;

fn weight_at(curve: &[(f64, f64)], fat: f64) -> f64 {
    between(curve.iter().copied(), fat)
}

/// The fat of a weight's logarithm, at most the heaviest's.
fn fat_at(curve: &[(f64, f64)], weight: f64) -> f64 {
    // From the heavy end: what is lighter than the leanest is the leanest.
    between(curve.iter().map(|&(fat, weight)| (weight, fat)), weight)
}

/// Straight between ascending places, constant beyond them.
fn between(places: impl Iterator<Item = (f64, f64)>, at: f64) -> f64 {
    let mut before: Option<(f64, f64)> = None;
    for (place, value) in places {
        match before {
            None if at <= place => return value,
            Some((from, low)) if at <= place => return low + (value - low) * (at - from) / (place - from),
            _ => before = Some((place, value)),
        }
    }
    before.map_or(at, |(_, value)| value)
}

/// The step of finite differences, in deviations.
const STEP: f64 = 0.3;

/// The unknowns about a person's usual shape.
struct Space<'a> {
    maker: &'a ShapeMaker,
    stature_m: f64,
    /// Amounts of the usual shape.
    usual: Vec<f64>,
    /// Changes of the amounts by fat, muscle and shape, for a whole deviation.
    builds: [Vec<f64>; 3],
    parts: Vec<PartChange>,
    face: Vec<f64>,
    bend: f64,
    /// The last tried design: writing all its numbers anew is faster than making it.
    design: RefCell<Design>,
    /// What is laid over every body.
    own: Option<&'a Design>,
}

/// Where a search ended.
struct Found {
    y: Vec<f64>,
    steps: usize,
    tried: Tried,
}

/// A body on the way, without its topology, and what it reads.
struct Tried {
    body: Body,
    readings: Vec<(Measure, f64)>,
}

impl<'a> Space<'a> {
    /// The usual shape alone, without unknowns.
    fn plain(maker: &'a ShapeMaker, wanted: &Wanted) -> Self {
        let (usual, bend) = (maker.basis.usual(&wanted.build), bent_back(wanted.build.years));
        let (builds, parts) = (Default::default(), Vec::new());
        Space {
            maker,
            stature_m: wanted.stature_m,
            usual,
            builds,
            parts,
            face: wanted.face.clone(),
            bend,
            design: RefCell::new(maker.basis.whole_design()),
            own: None,
        }
    }

    fn new(maker: &'a ShapeMaker, wanted: &Wanted) -> Self {
        let (basis, build) = (maker.basis, wanted.build);
        let plain = Self::plain(maker, wanted);
        let mut usual = plain.usual.clone();
        let change = |changed: Build, by: f64| -> Vec<f64> {
            basis.usual(&changed).iter().zip(&usual).map(|(a, b)| (a - b) * by).collect()
        };
        // Differences to the side where there is room.
        let fat = if build.fat > 1.4 { -0.3 } else { 0.3 };
        let muscle = if build.muscle > 0.6 { -0.3 } else { 0.3 };
        let builds = [
            change(Build { fat: build.fat + fat, ..build }, BUILD_DEVIATIONS[0] / fat),
            change(Build { muscle: build.muscle + muscle, ..build }, BUILD_DEVIATIONS[1] / muscle),
            change(Build { shape: build.shape + 0.3, ..build }, BUILD_DEVIATIONS[2] / 0.3),
        ];
        for &(mode, amount) in &wanted.modes {
            if let Some(value) = usual.get_mut(mode) {
                *value += amount;
            }
        }
        let list = basis.list(&usual);
        let parts = part_changes(&maker.template, &basis.slots, &list);
        Space { usual, builds, parts, ..plain }
    }

    fn len(&self) -> usize {
        1 + self.builds.len() + self.usual.len() + self.parts.len()
    }

    /// The list of design numbers and the head for some unknowns; missing ones are zero.
    fn list(&self, y: &[f64]) -> (Vec<f64>, HeadChange) {
        let unknown = |place: usize| y.get(place).copied().unwrap_or(0.0);
        let mut amounts = self.usual.clone();
        for (k, change) in self.builds.iter().enumerate() {
            amounts.iter_mut().zip(change).for_each(|(amount, by)| *amount += unknown(1 + k) * by);
        }
        let first = 1 + self.builds.len();
        amounts.iter_mut().enumerate().for_each(|(k, amount)| *amount += MODE_DEVIATION * unknown(first + k));
        let mut list = self.maker.basis.list(&amounts);
        let first = first + amounts.len();
        let (mut face, mut size) = (self.face.clone(), DVec3::ONE);
        face.resize(HeadBasis::human().mode_counts()[1], 0.0);
        for (k, part) in self.parts.iter().enumerate() {
            let share = part.deviation * unknown(first + k);
            if share != 0.0 {
                part.slots.iter().for_each(|&(slot, by)| list[slot] += share * by);
                match part.head {
                    HeadPart::None => {}
                    HeadPart::Size(by) => size += share * by,
                    HeadPart::Face(mode) => face[mode] += share,
                }
            }
        }
        self.bend_back(&mut list);
        (list, HeadChange { shape: amounts, face, size: Some(size), stature: None })
    }

    /// Bends the back of old people: joints above the waist turn forward, the head less, and arms keep their directions.
    fn bend_back(&self, list: &mut [f64]) {
        if self.bend == 0.0 {
            return;
        }
        let slots = &self.maker.basis.slots;
        let joints = || slots.list.iter().filter(|slot| slot.kind == SlotKind::Joint);
        let place = |list: &[f64], name: &str| {
            joints().find(|slot| slot.name == name).map(|slot| {
                let at = |axis: usize| {
                    slot.axes.iter().position(|&a| a == axis).map_or(0.0, |k| list[slot.first + k])
                };
                [at(1), at(2)]
            })
        };
        let Some([waist, chest, neck, skull]) = Some(["waist", "chest", "neck", "skull"]).and_then(|names| {
            Some([
                place(list, names[0])?,
                place(list, names[1])?,
                place(list, names[2])?,
                place(list, names[3])?,
            ])
        }) else {
            return;
        };
        let turn = |[y, z]: [f64; 2], angle: f64| {
            let (sin, cos) = angle.sin_cos();
            [y * cos - z * sin, y * sin + z * cos]
        };
        let minus = |a: [f64; 2], b: [f64; 2]| [a[0] - b[0], a[1] - b[1]];
        let plus = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        let new_chest = plus(waist, turn(minus(chest, waist), 0.35 * self.bend));
        let new_neck = plus(new_chest, turn(minus(neck, chest), 1.4 * self.bend));
        let new_skull = plus(new_neck, turn(minus(skull, neck), 1.0 * self.bend));
        let shoulders = minus(plus(new_chest, turn(minus(neck, chest), 1.0 * self.bend)), neck);
        for slot in joints() {
            let by = match slot.name.as_str() {
                "pelvis" | "waist" | "hip" | "knee" | "ankle" | "ball" | "toe" => continue,
                "chest" => minus(new_chest, chest),
                "neck" => minus(new_neck, neck),
                "skull" | "crown" => minus(new_skull, skull),
                _ => shoulders,
            };
            for (k, &axis) in slot.axes.iter().enumerate().filter(|(_, axis)| **axis > 0) {
                list[slot.first + k] += by[axis - 1];
            }
        }
    }

    /// Height of a body in place of its list's own, m. Lists are over the stature, which other unknowns change a little.
    fn size_m(&self, y: &[f64]) -> f64 {
        self.stature_m * (SIZE_DEVIATION * y.first().copied().unwrap_or(0.0)).exp()
    }

    fn write_design(&self, y: &[f64], design: &mut Design) {
        let (list, head) = self.list(y);
        self.maker.basis.write_design((&list, head), self.size_m(y), design);
    }

    /// A body at some unknowns, without its topology.
    fn body(&self, y: &[f64]) -> Result<Body, BuildError> {
        let mut design = self.design.borrow_mut();
        self.write_design(y, &mut design);
        let template = &self.maker.template;
        let laid = self.own.map(|own| own.laid_over(template, &design));
        let whole = laid.as_ref().unwrap_or(&design);
        validate_numbers(whole)?;
        build_unchecked(template, whole)
    }

    /// A body at some unknowns with some of its measures.
    fn at(&self, y: &[f64], asked: &[Measure]) -> Result<Tried, BuildError> {
        let body = self.body(y)?;
        let is_alike = self.own.is_none_or(Design::is_alike);
        let readings = self.maker.read(&body, asked, is_alike);
        Ok(Tried { body, readings })
    }

    /// What a try becomes in the end. Digits that fold, as modes of other hands may bring them to, get the form of the mean's.
    fn finished(&self, found: Found) -> Result<ShapedBody, BuildError> {
        let Found { y, steps, tried: Tried { mut body, mut readings } } = found;
        let mut design = self.maker.basis.whole_design();
        self.write_design(&y, &mut design);
        if let Some(own) = self.own {
            design = own.laid_over(&self.maker.template, &design);
        }
        let folded: Vec<&str> = DIGITS.into_iter().filter(|digit| has_folded_digit(&body, digit)).collect();
        if !folded.is_empty() {
            let mut mean = self.maker.basis.whole_design();
            let list = self.maker.basis.list(&[]);
            self.maker.basis.write_design((&list, HeadChange::default()), self.size_m(&y), &mut mean);
            let is_own = |name: &str| folded.iter().any(|digit| name.starts_with(digit));
            take_over(&mut design.offsets, &mean.offsets, is_own);
            take_over(&mut design.rings, &mean.rings, is_own);
            take_over(&mut design.middles, &mean.middles, is_own);
            body = build_unchecked(&self.maker.template, &design)?;
            let asked: Vec<Measure> = readings.iter().map(|&(measure, _)| measure).collect();
            readings = self.maker.read(&body, &asked, design.is_alike());
        }
        validate(&self.maker.template, &design)?;
        body.topology = Topology::of(&body);
        let distance = y.iter().map(|y| y * y).sum::<f64>().sqrt();
        Ok(ShapedBody { body, design, readings, distance, steps })
    }

    /// The unknowns nearest to a start at which goals are met, sought from `y` on.
    fn solve(&self, start: &[f64], mut y: Vec<f64>, mut goals: Vec<Goal>) -> Result<Found, BuildError> {
        let errors = |tried: &Tried, goals: &[Goal]| -> Vec<f64> {
            let read = |measure: Measure| tried.readings.iter().find(|(found, _)| *found == measure);
            goals
                .iter()
                .map(|goal| read(goal.measure).map_or(0.0, |found| (goal.value / found.1).ln()))
                .collect()
        };
        let asked: Vec<Measure> = goals.iter().map(|goal| goal.measure).chain([Stature]).collect();
        let mut now = self.at(&y, &asked)?;
        let mut now_errors = errors(&now, &goals);
        let (mut share, mut steps) = (1.0, 0);
        let mut first_slopes = Some(goals.clone());
        for step in 1..=MOST_STEPS {
            if goals.is_empty() {
                break;
            }
            let whole = nearest(&goals, &now_errors, &y, start);
            let next_y: Vec<f64> = y.iter().zip(&whole).map(|(y, next)| y + share * (next - y)).collect();
            let Ok(next) = self.at(&next_y, &asked) else { break };
            steps = step;
            let next_errors = errors(&next, &goals);
            correct(&mut goals, &y, &next_y, &now_errors, &next_errors);
            // A step that does not help is halved; what it taught about the slopes stays. Early ones may cost more: what a large change of
            // girths does to the weight is not linear, and the next step puts it right.
            let [before, after] =
                [cost(&goals, &now_errors, &y, start), cost(&goals, &next_errors, &next_y, start)];
            let most = if step <= LOOSE_STEPS { LOOSE * before } else { before };
            if after >= most {
                share *= 0.5;
                if share >= LEAST_SHARE {
                    continue;
                }
                // Corrected slopes may lead nowhere, where those of the typical person still do.
                match first_slopes.take().filter(|_| !is_met(&goals, &now_errors)) {
                    Some(slopes) => (goals, share) = (slopes, 1.0),
                    None => break,
                }
                continue;
            }
            let is_settled = step >= USUAL_STEPS || (share == 1.0 && before - after < SETTLED * before);
            (y, now, now_errors, share) = (next_y, next, next_errors, 1.0);
            if is_settled && is_met(&goals, &now_errors) {
                break;
            }
        }
        // What is given goes before what is wished: the nearest person to this one who has it.
        goals.retain(|goal| goal.is_given);
        let mut now_errors = errors(&now, &goals);
        let anchor = y.clone();
        for _ in 0..GIVEN_STEPS {
            if is_met(&goals, &now_errors) {
                break;
            }
            let next_y = nearest(&goals, &now_errors, &y, &anchor);
            let Ok(next) = self.at(&next_y, &asked) else { break };
            let next_errors = errors(&next, &goals);
            correct(&mut goals, &y, &next_y, &now_errors, &next_errors);
            let size = |errors: &[f64]| errors.iter().map(|error| error * error).sum::<f64>();
            if size(&next_errors) < size(&now_errors) {
                (y, now, now_errors) = (next_y, next, next_errors);
            }
        }
        Ok(Found { y, steps, tried: now })
    }
}

/// Whether patches fold whose names start in one of some ways.
fn has_folds(body: &Body, starts: &[&str]) -> bool {
    let is_asked = |name: &str| starts.iter().any(|start| name.starts_with(start));
    let asked = body.patches.iter().filter(|patch| patch.flank != Flank::Right && is_asked(&patch.name));
    let mut uneven = asked.filter(|patch| !is_even(&patch.patch));
    uneven.any(|patch| sharpest_cosine(&patch.patch) < 0.0)
}

/// Whether a digit folds: its bays do so as a whole, and one patch of each tells.
fn has_folded_digit(body: &Body, digit: &str) -> bool {
    let bays = ["proximal/0", "middle/0", "distal/0"].map(|bay| format!("{digit}/{bay}"));
    has_folds(body, &bays.each_ref().map(String::as_str))
}

/// Replaces values of some names.
fn take_over<T: Clone>(own: &mut ByName<T>, other: &ByName<T>, is_asked: impl Fn(&str) -> bool) {
    for (name, value) in own.iter_mut().filter(|(name, _)| is_asked(name)) {
        if let Some(other) = other.get(name) {
            *value = other.clone();
        }
    }
}

fn wish_slack(measure: Measure) -> f64 {
    WISHED.iter().find(|(found, _)| *found == measure).map_or(WISH_SLACK, |found| found.1)
}

/// A measure to come to.
#[derive(Clone)]
struct Goal {
    measure: Measure,
    value: f64,
    /// Whether it must hold; others are wished.
    is_given: bool,
    /// Relative error that costs as much as a deviation of one unknown.
    slack: f64,
    /// Relative change by each unknown.
    row: Vec<f64>,
}

/// Whether all given measures are met.
fn is_met(goals: &[Goal], errors: &[f64]) -> bool {
    goals.iter().zip(errors).filter(|(goal, _)| goal.is_given).all(|(goal, error)| {
        let met = if goal.measure == Weight { MASS_MET } else { MET }.max(goal.slack);
        error.abs() <= met
    })
}

/// What is to be least: the squared distance from the start, and errors in units of their slack.
fn cost(goals: &[Goal], errors: &[f64], y: &[f64], start: &[f64]) -> f64 {
    let missed: f64 = goals.iter().zip(errors).map(|(goal, error)| (error / goal.slack).powi(2)).sum();
    missed + y.iter().zip(start).map(|(y, start)| (y - start).powi(2)).sum::<f64>()
}

/// The point nearest to the start at which the linear model has no errors, with unknowns held within their reach.
fn nearest(goals: &[Goal], errors: &[f64], y: &[f64], start: &[f64]) -> Vec<f64> {
    let away: Vec<f64> = y.iter().zip(start).map(|(y, start)| y - start).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let factor = Cholesky::factor(goals.len(), |i, j| {
        dot(&goals[i].row, &goals[j].row) + if i == j { goals[i].slack.powi(2) } else { 0.0 }
    });
    let mut wanted: Vec<f64> =
        goals.iter().zip(errors).map(|(goal, error)| error + dot(&goal.row, &away)).collect();
    factor.iter().for_each(|factor| factor.solve(&mut wanted));
    let mut next = start.to_vec();
    for (goal, by) in goals.iter().zip(&wanted) {
        next.iter_mut().zip(&goal.row).for_each(|(value, slope)| *value += by * slope);
    }
    next.iter_mut().for_each(|value| *value = value.clamp(-MOST, MOST));
    next
}

/// Broyden's correction: the slopes along the last step become what was seen.
fn correct(goals: &mut [Goal], y: &[f64], next: &[f64], errors: &[f64], next_errors: &[f64]) {
    let step: Vec<f64> = next.iter().zip(y).map(|(a, b)| a - b).collect();
    let length: f64 = step.iter().map(|s| s * s).sum();
    if length < 1e-12 {
        return;
    }
    for (goal, (before, after)) in goals.iter_mut().zip(errors.iter().zip(next_errors)) {
        let guessed: f64 = goal.row.iter().zip(&step).map(|(a, b)| a * b).sum();
        let seen = before - after;
        goal.row.iter_mut().zip(&step).for_each(|(slope, s)| *slope += (seen - guessed) * s / length);
    }
}
