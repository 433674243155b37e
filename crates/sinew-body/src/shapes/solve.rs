//! Measures in the space of shapes: the most usual body that has them.
//!
//! Unknowns are the size, the build, the modes and single parts, each in units of its deviation among people. Gauss–Newton steps look for the
//! nearest point to the usual body at which all measures hold, `y = Jᵀ (J Jᵀ)⁻¹ (e + J y)`; the slopes `J` are known for each kind of person
//! and corrected in each step (Broyden).

use super::basis::ShapeBasis;
use super::growth::bent_back;
use super::parts::{PartChange, part_changes};
use super::people::Build;
use super::slots::SlotKind;
use crate::body::{Body, Topology};
use crate::build::validate::{validate, validate_numbers};
use crate::build::{BuildError, build, build_unchecked};
use crate::design::{Design, unfolded};
use crate::measured::BODY_DENSITY;
use crate::quadrature::{BodyRules, PatchRule};
use crate::survey::Measure::{self, *};
use crate::tapes::{Levels, read_all, read_some};
use crate::template::Template;
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
/// Relative errors that count as met: of tapes and lengths, and of the mass.
const MET: f64 = 4e-4;
const MASS_MET: f64 = 1e-3;
/// The group whose net has no shape of its own.
const HAND: &str = "hand";
/// Relative change of a measure by the smoothing of folds that is accepted: with the errors above it leaves measures within 1 %.
const SMOOTHED: f64 = 5e-3;
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
        let levels = Levels::of_body(&self.body);
        let found = levels.map(|levels| read_all(&self.body, &levels)).unwrap_or_default();
        found.into_iter().map(|reading| (reading.measure, reading.value)).collect()
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
    /// Amounts of single modes, from zero, in deviations.
    pub modes: Vec<(usize, f64)>,
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
        let space = Space { own, ..Space::new(self, &wanted) };
        if wanted.given.is_empty() {
            return self.unfolded(space.solve(&[], Vec::new())?);
        }
        let slopes = self.slopes(&wanted.build)?;
        let known: Vec<(Measure, f64)> = wanted
            .given
            .iter()
            .copied()
            .filter(|(measure, _)| slopes.iter().any(|(found, _)| found == measure))
            .collect();
        let row =
            |measure: Measure| slopes.iter().find(|(found, _)| *found == measure).map(|(_, row)| row.clone());
        let rows: Vec<Vec<f64>> = known.iter().filter_map(|&(measure, _)| row(measure)).collect();
        self.unfolded(space.solve(&known, rows)?)
    }

    /// The same person without folds in the fills between tubes, unless that changes a given measure by too much.
    fn unfolded(&self, made: ShapedBody) -> Result<ShapedBody, BuildError> {
        let Some(design) = unfolded(&self.template, &made.design, &made.body, HAND) else { return Ok(made) };
        let body = build(&self.template, &design)?;
        let asked: Vec<Measure> = made.readings.iter().map(|&(measure, _)| measure).collect();
        let readings = self.read(&body, &asked);
        let is_kept = |&(measure, value): &(Measure, f64)| {
            made.reading(measure).is_some_and(|before| (value / before - 1.0).abs() < SMOOTHED)
        };
        let is_met = readings.iter().all(is_kept);
        Ok(if is_met { ShapedBody { body, design, readings, ..made } } else { made })
    }

    /// The person with as much fat as the weight asks for: heavy and thin builds are the source's own, not stretched averages. The curve of
    /// a typical person, moved to this one's weight, leaves one or two bodies to try.
    fn fattened(&self, wanted: &Wanted) -> Result<Wanted, BuildError> {
        let find = |measure: Measure| {
            wanted.given.iter().find(|(found, _)| *found == measure).map(|&(_, value)| value)
        };
        let mut wanted = wanted.clone();
        wanted.stature_m = find(Stature).unwrap_or(wanted.stature_m);
        let Some(weight) = find(Weight) else { return Ok(wanted) };
        let plain = Wanted { modes: Vec::new(), given: Vec::new(), ..wanted.clone() };
        let curve = self.weights(&plain.build)?;
        for _ in 0..MOST_FATS {
            let fat = wanted.build.fat;
            let tried = Wanted { build: Build { fat, ..plain.build }, ..plain.clone() };
            let found = self.weight(&Space::plain(self, &tried).body(&[])?);
            let missing = (weight / found).ln();
            if missing.abs() < FAT_MET {
                break;
            }
            let next = fat_at(curve, weight_at(curve, fat) + missing);
            wanted.build.fat = next;
            if next == fat {
                break;
            }
        }
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
            Ok((fat, self.weight(&Space::plain(self, &tried).body(&[])?).ln()))
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

    /// Some measures as a report reads them, and the weight by faster rules.
    fn read(&self, body: &Body, asked: &[Measure]) -> Vec<(Measure, f64)> {
        let mut found = read_some(body, None, asked);
        found.push((Weight, self.weight(body)));
        found
    }

    fn weight(&self, body: &Body) -> f64 {
        BODY_DENSITY * body.patches.iter().map(|patch| self.rules.volume(&patch.patch)).sum::<f64>()
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
    Wanted { build, stature_m, given: Vec::new(), modes: Vec::new() }
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
    bend: f64,
    /// The last tried design: writing all its numbers anew is faster than making it.
    design: RefCell<Design>,
    /// What is laid over every body.
    own: Option<&'a Design>,
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

    /// The list of design numbers for some unknowns; missing ones are zero.
    fn list(&self, y: &[f64]) -> Vec<f64> {
        let unknown = |place: usize| y.get(place).copied().unwrap_or(0.0);
        let mut amounts = self.usual.clone();
        for (k, change) in self.builds.iter().enumerate() {
            amounts.iter_mut().zip(change).for_each(|(amount, by)| *amount += unknown(1 + k) * by);
        }
        let first = 1 + self.builds.len();
        amounts.iter_mut().enumerate().for_each(|(k, amount)| *amount += MODE_DEVIATION * unknown(first + k));
        let mut list = self.maker.basis.list(&amounts);
        let first = first + amounts.len();
        for (k, part) in self.parts.iter().enumerate() {
            let share = part.deviation * unknown(first + k);
            if share != 0.0 {
                part.slots.iter().for_each(|&(slot, by)| list[slot] += share * by);
            }
        }
        self.bend_back(&mut list);
        list
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

    /// A body at some unknowns, without its topology.
    fn body(&self, y: &[f64]) -> Result<Body, BuildError> {
        let mut design = self.design.borrow_mut();
        self.maker.basis.write_design(&self.list(y), self.size_m(y), &mut design);
        let template = &self.maker.template;
        let laid = self.own.map(|own| own.laid_over(template, &design));
        let whole = laid.as_ref().unwrap_or(&design);
        validate_numbers(whole)?;
        build_unchecked(template, whole)
    }

    /// A body at some unknowns with some of its measures.
    fn at(&self, y: &[f64], asked: &[Measure]) -> Result<Tried, BuildError> {
        let body = self.body(y)?;
        let readings = self.maker.read(&body, asked);
        Ok(Tried { body, readings })
    }

    /// What a try becomes in the end.
    fn finished(&self, y: &[f64], steps: usize, tried: Tried) -> Result<ShapedBody, BuildError> {
        let Tried { mut body, readings } = tried;
        let mut design = self.maker.basis.whole_design();
        self.maker.basis.write_design(&self.list(y), self.size_m(y), &mut design);
        if let Some(own) = self.own {
            design = own.laid_over(&self.maker.template, &design);
        }
        validate(&self.maker.template, &design)?;
        body.topology = Topology::of(&body);
        let distance = y.iter().map(|y| y * y).sum::<f64>().sqrt();
        Ok(ShapedBody { body, design, readings, distance, steps })
    }

    fn solve(&self, known: &[(Measure, f64)], mut rows: Vec<Vec<f64>>) -> Result<ShapedBody, BuildError> {
        let mut y = vec![0.0; self.len()];
        let errors = |tried: &Tried| -> Vec<f64> {
            let read = |measure: Measure| tried.readings.iter().find(|(found, _)| *found == measure);
            let error = |&(measure, asked): &(Measure, f64)| {
                read(measure).map_or(0.0, |found| (asked / found.1).ln())
            };
            known.iter().map(error).collect()
        };
        // How many tolerances the errors are, in the root mean square.
        let size = |errors: &[f64]| {
            let share = |(&(measure, _), error): (&(Measure, f64), &f64)| {
                (error / if measure == Weight { MASS_MET } else { MET }).powi(2)
            };
            known.iter().zip(errors).map(share).sum::<f64>().sqrt()
        };
        let asked: Vec<Measure> = known.iter().map(|&(measure, _)| measure).chain([Stature]).collect();
        let mut now = self.at(&y, &asked)?;
        let mut now_errors = errors(&now);
        let (mut share, mut steps) = (1.0, 0);
        for step in 1..=MOST_STEPS {
            if size(&now_errors) <= 1.0 {
                break;
            }
            let whole = nearest(&rows, &now_errors, &y);
            let next_y: Vec<f64> = y.iter().zip(&whole).map(|(y, next)| y + share * (next - y)).collect();
            let Ok(next) = self.at(&next_y, &asked) else { break };
            steps = step;
            let next_errors = errors(&next);
            correct(&mut rows, &y, &next_y, &now_errors, &next_errors);
            // A step that does not help is halved; what it taught about the slopes stays.
            if size(&next_errors) < size(&now_errors) {
                (y, now, now_errors, share) = (next_y, next, next_errors, 1.0);
            } else {
                share *= 0.5;
            }
        }
        self.finished(&y, steps, now)
    }
}

/// The point nearest to zero at which the linear model has no errors, with unknowns held within their reach.
fn nearest(rows: &[Vec<f64>], errors: &[f64], y: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let factor = Cholesky::factor(rows.len(), |i, j| {
        dot(&rows[i], &rows[j]) + if i == j { SLACK * SLACK } else { 0.0 }
    });
    let mut wanted: Vec<f64> = rows.iter().zip(errors).map(|(row, error)| error + dot(row, y)).collect();
    factor.iter().for_each(|factor| factor.solve(&mut wanted));
    let mut next = vec![0.0; y.len()];
    for (row, by) in rows.iter().zip(&wanted) {
        next.iter_mut().zip(row).for_each(|(value, slope)| *value += by * slope);
    }
    next.iter_mut().for_each(|value| *value = value.clamp(-MOST, MOST));
    next
}

/// Broyden's correction: the slopes along the last step become what was seen.
fn correct(rows: &mut [Vec<f64>], y: &[f64], next: &[f64], errors: &[f64], next_errors: &[f64]) {
    let step: Vec<f64> = next.iter().zip(y).map(|(a, b)| a - b).collect();
    let length: f64 = step.iter().map(|s| s * s).sum();
    if length < 1e-12 {
        return;
    }
    for (row, (before, after)) in rows.iter_mut().zip(errors.iter().zip(next_errors)) {
        let guessed: f64 = row.iter().zip(&step).map(|(a, b)| a * b).sum();
        let seen = before - after;
        row.iter_mut().zip(&step).for_each(|(slope, s)| *slope += (seen - guessed) * s / length);
    }
}
