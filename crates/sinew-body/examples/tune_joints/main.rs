//! Finds the shapes that a joint's skin has at 90°: the numbers of `rings`, `fills`, `edges` and `nodes` in a template's `[motions]`.
//!
//! `cargo run --release -p sinew-body --example tune_joints -- BONE WAY [ROUNDS] [TEMPLATE.toml]`, such as `thigh bend 7`, which gave the
//! numbers that ship. Prints the new lists. What is made small, by Levenberg and Marquardt's method, over all poses below and over the man and the woman together: how much the
//! skin stretches, how much more it curves than in rest, and how much its volume changes.

#![expect(clippy::print_stdout, reason = "an example that prints its result")]

use sinew_body::design::{MotionChange, Sided};
use sinew_body::pose::{BodyPose, JointPose, PosedBody};
use sinew_body::shapes::{ShapeMaker, Wanted};
use sinew_body::survey::Sex;
use sinew_body::template::{BentWay, MotionText};
use sinew_body::{Body, Design, Flank, Template, build};
use std::error::Error;

/// Poses of one joint, both sides alike: bend and sideways turn, degrees.
const POSES: [(&str, BentWay, &[[f64; 2]]); 3] = [
    ("thigh", BentWay::Bend, &[[50.0, 4.0], [90.0, 4.0], [112.0, 14.0]]),
    ("thigh", BentWay::Aside, &[[0.0, 20.0], [0.0, 38.0], [90.0, 30.0]]),
    ("thigh", BentWay::Back, &[[-12.0, 0.0], [-24.0, 0.0]]),
];
/// Where the search starts, if not at the template's own numbers.
const STARTS: [(&str, BentWay, &str); 1] = [("thigh", BentWay::Bend, include_str!("thigh.toml"))];
/// Places along each direction of a patch.
const STEPS: usize = 7;
/// Weight of a length's logarithm.
const STRETCH: f64 = 0.25;
/// Weight of curvature that is lost, over that which is gained.
const FLATTER: f64 = 0.4;
/// Turn between neighboring places from which it counts more, rad, and how much more: pits and folds.
const SHARP: (f64, f64) = (0.45, 3.0);
/// Weight of the body's change of volume, in percent.
const VOLUME: f64 = 1.5;
/// Weight of a number's distance from the start, in its own step. At 0.06 the skin at the cleft grew a beak, which turns little between any two
/// places.
const STAY: f64 = 2.5;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let bone = words.first().ok_or("a bone is missing")?;
    let way = words.get(1).map_or("bend", String::as_str);
    let (_, way, poses) = POSES
        .into_iter()
        .find(|(name, found, _)| name == bone && format!("{found:?}").to_lowercase() == way)
        .ok_or("no poses")?;
    let rounds = words.get(2).map_or(Ok(10), |word| word.parse())?;
    let template = match words.get(3) {
        Some(path) => Template::parse(&std::fs::read_to_string(path)?)?,
        None => Template::human(),
    };
    let listed = template.text().motions.iter().find(|motion| motion.bone == *bone).ok_or("no motion")?;
    let start = STARTS.iter().find(|(name, found, _)| name == bone && *found == way);
    let listed = match start {
        Some((_, _, text)) => MotionChange(text.parse()?).applied_to(listed)?,
        None => listed.clone(),
    };
    let tuner = Tuner { template, bone: bone.clone(), way, poses, rest: Vec::new() }.with_rest()?;
    let found = tuner.solve(listed, rounds)?;
    print_lists(&found, way);
    Ok(())
}

fn man_and_woman() -> Result<[Design; 2], Box<dyn Error>> {
    let maker = ShapeMaker::human();
    let of = |sex: Sex| maker.make(&Wanted::average(sex)).map(|made| made.design);
    Ok([of(Sex::Male)?, of(Sex::Female)?])
}

struct Tuner {
    template: Template,
    bone: String,
    way: BentWay,
    poses: &'static [[f64; 2]],
    /// What each body looks like in rest.
    rest: Vec<(Body, Vec<usize>, Vec<Sample>)>,
}

/// A place on the skin.
#[derive(Clone, Copy)]
struct Sample {
    lengths: [f64; 2],
    normal: glam::DVec3,
}

impl Tuner {
    fn with_rest(mut self) -> Result<Self, Box<dyn Error>> {
        for design in man_and_woman()? {
            let body = build(&self.template, &design)?;
            let near = self.patches_near(&body);
            let samples = sampled(&body, &near);
            self.rest.push((body, near, samples));
        }
        Ok(self)
    }

    /// Patches of the bone's own tube up to its first ring, of the fills that change, and of the tube on the other side of these.
    fn patches_near(&self, body: &Body) -> Vec<usize> {
        let Some(bone) = body.bones.iter().position(|bone| bone.name == self.bone) else { return Vec::new() };
        let fills: Vec<&str> =
            body.motions[bone].fills.iter().map(|bent| body.fills[bent.fill].name.as_str()).collect();
        let is_near = |name: &str| {
            let (part, rest) = name.split_once('/').unwrap_or((name, ""));
            fills.contains(&part)
                || (part == "leg" && rest.starts_with("thigh/"))
                || (part == "trunk" && rest.starts_with("belly/"))
        };
        let listed = body.patches.iter().enumerate();
        listed
            .filter(|(_, patch)| patch.flank != Flank::Right && is_near(&patch.name))
            .map(|(place, _)| place)
            .collect()
    }

    fn bodies(&self, motion: &MotionText) -> Result<Vec<PosedBody>, Box<dyn Error>> {
        let mut table = toml::Table::try_from(motion)?;
        table.remove("bone");
        let bodies = man_and_woman()?.map(|mut design| {
            design.motions.insert(self.bone.clone(), Sided::Both(MotionChange(table.clone())));
            build(&self.template, &design).map(PosedBody::new)
        });
        Ok(bodies.into_iter().collect::<Result<Vec<_>, _>>()?)
    }

    /// What is made small, but for the distance from the start.
    fn errors(&self, motion: &MotionText) -> Result<Vec<f64>, Box<dyn Error>> {
        let mut errors = Vec::new();
        for (posed, (body, near, rest)) in self.bodies(motion)?.iter_mut().zip(&self.rest) {
            let volume = body.volume();
            for angles in self.poses {
                let [bend_rad, aside_rad] = angles.map(f64::to_radians);
                let mut pose = BodyPose::rest(posed.figure());
                for flank in [Flank::Left, Flank::Right] {
                    let bone = posed.figure().find(&self.bone, flank).ok_or("no such bone on this side")?;
                    pose.set_joint(posed.figure(), bone, &JointPose { bend_rad, aside_rad, twist_rad: 0.0 });
                }
                posed.set(&pose);
                compare(rest, &sampled(posed.body(), near), &mut errors);
                errors.push(VOLUME * 100.0 * (posed.body().volume() / volume - 1.0));
            }
        }
        Ok(errors)
    }

    fn solve(&self, start: MotionText, rounds: usize) -> Result<MotionText, Box<dyn Error>> {
        let mut best = start;
        let first: Vec<f64> = numbers(&mut best, self.way).iter().map(|(value, _)| **value).collect();
        let ranges: Vec<Range> = numbers(&mut best, self.way).iter().map(|(_, range)| *range).collect();
        let (mut x, mut damping) = (first.clone(), 0.01);
        let at = |x: &[f64], motion: &MotionText| {
            let mut motion = motion.clone();
            for ((value, _), x) in numbers(&mut motion, self.way).into_iter().zip(x) {
                *value = *x;
            }
            motion
        };
        let all = |x: &[f64]| -> Result<Vec<f64>, Box<dyn Error>> {
            let mut errors = self.errors(&at(x, &best))?;
            errors.extend((0..x.len()).map(|k| STAY * (x[k] - first[k]) / ranges[k].step));
            Ok(errors)
        };
        let mut errors = all(&x)?;
        for round in 0..rounds {
            let mut slopes = Vec::new();
            for k in 0..x.len() {
                let mut moved = x.clone();
                moved[k] += 0.05 * ranges[k].step;
                let found = all(&moved)?;
                slopes.push(found.iter().zip(&errors).map(|(a, b)| (a - b) / 0.05).collect::<Vec<f64>>());
            }
            let mut is_better = false;
            for _ in 0..6 {
                let moved: Vec<f64> = step(&slopes, &errors, damping)
                    .iter()
                    .zip(&x)
                    .zip(&ranges)
                    .map(|((by, x), range)| {
                        (x - by.clamp(-2.0, 2.0) * range.step).clamp(range.low, range.high)
                    })
                    .collect();
                let found = all(&moved)?;
                if sum(&found) < sum(&errors) {
                    (x, errors, damping, is_better) = (moved, found, 0.3 * damping, true);
                    break;
                }
                damping *= 5.0;
            }
            eprintln!("round {round}: {:.3}, damping {damping:.1e}", sum(&errors));
            if !is_better {
                break;
            }
        }
        let rounded: Vec<f64> = x
            .iter()
            .zip(&ranges)
            .map(
                |(x, range)| {
                    if range.step > 0.05 { (x * 100.0).round() / 100.0 } else { (x * 1e4).round() / 1e4 }
                },
            )
            .collect();
        best = at(&rounded, &best);
        Ok(best)
    }
}

fn sum(errors: &[f64]) -> f64 {
    errors.iter().map(|error| error * error).sum()
}

fn sampled(body: &Body, patches: &[usize]) -> Vec<Sample> {
    let at = |step: usize| step as f64 / (STEPS - 1) as f64;
    let place = |patch: usize, k: usize| {
        let jet = body.patches[patch].patch.jet(at(k / STEPS), at(k % STEPS));
        Sample {
            lengths: [jet.du.length(), jet.dw.length()],
            normal: jet.du.cross(jet.dw).normalize_or_zero(),
        }
    };
    patches.iter().flat_map(|&patch| (0..STEPS * STEPS).map(move |k| place(patch, k))).collect()
}

fn compare(rest: &[Sample], posed: &[Sample], errors: &mut Vec<f64>) {
    for (rest, posed) in rest.chunks(STEPS * STEPS).zip(posed.chunks(STEPS * STEPS)) {
        for k in 0..STEPS * STEPS {
            for way in 0..2 {
                let ratio = (posed[k].lengths[way] + 1e-3) / (rest[k].lengths[way] + 1e-3);
                errors.push(STRETCH * ratio.ln());
            }
            for (is_inside, next) in [(k % STEPS > 0, k.wrapping_sub(1)), (k >= STEPS, k.wrapping_sub(STEPS))]
            {
                if !is_inside {
                    continue;
                }
                let turn = |samples: &[Sample]| samples[k].normal.distance(samples[next].normal);
                let (now, before) = (turn(posed), turn(rest));
                let more = now - before;
                errors.push(if more > 0.0 { more } else { FLATTER * more });
                errors.push(SHARP.1 * (now - SHARP.0.max(before)).max(0.0));
            }
        }
    }
}

/// How far a number may go.
#[derive(Clone, Copy)]
struct Range {
    /// Changes the skin by about a centimetre.
    step: f64,
    low: f64,
    high: f64,
}

const TURN: Range = Range { step: 0.1, low: 0.2, high: 1.15 };
const LEG: Range = Range { step: 0.3, low: 0.3, high: 2.0 };
const PUSH: Range = Range { step: 0.01, low: -0.04, high: 0.015 };
const HEIGHT: Range = Range { step: 0.01, low: -0.05, high: 0.06 };
const SPREAD: Range = Range { step: 0.3, low: 0.4, high: 1.8 };
const CENTER: Range = Range { step: 0.3, low: 0.8, high: 3.4 };
const SHIFT: Range = Range { step: 0.01, low: -0.06, high: 0.06 };
const VECTOR: Range = Range { step: 0.02, low: -0.06, high: 0.06 };

/// The numbers of a way.
fn numbers(motion: &mut MotionText, way: BentWay) -> Vec<(&mut f64, Range)> {
    let mut all = Vec::new();
    for ring in motion.rings.iter_mut().filter(|ring| ring.way == way) {
        all.extend(ring.turn.iter_mut().map(|value| (value, TURN)));
        all.extend(ring.leg.iter_mut().map(|value| (value, LEG)));
        all.extend(ring.push.iter_mut().map(|value| (value, PUSH)));
    }
    for fill in motion.fills.iter_mut().filter(|fill| fill.way == way) {
        all.extend(fill.height.as_mut().map(|value| (value, HEIGHT)));
        all.extend(fill.spread.as_mut().map(|value| (value, SPREAD)));
        all.extend(fill.center.as_mut().map(|value| (value, CENTER)));
        all.extend(
            fill.shift
                .iter_mut()
                .flat_map(|shift| [&mut shift.x, &mut shift.y, &mut shift.z])
                .map(|value| (value, SHIFT)),
        );
    }
    let edges = motion.edges.iter_mut().filter(|edge| edge.way == way).map(|edge| &mut edge.bulge);
    let nodes = motion.nodes.iter_mut().filter(|node| node.way == way).map(|node| &mut node.shift);
    for vector in edges.chain(nodes) {
        all.extend([&mut vector.x, &mut vector.y, &mut vector.z].map(|value| (value, VECTOR)));
    }
    all
}

/// Solves (JᵀJ + damping · diagonal) step = Jᵀ errors.
fn step(slopes: &[Vec<f64>], errors: &[f64], damping: f64) -> Vec<f64> {
    let count = slopes.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut rows: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| dot(&slopes[i], &slopes[j])).chain([dot(&slopes[i], errors)]).collect())
        .collect();
    for (k, row) in rows.iter_mut().enumerate() {
        row[k] += damping * (row[k] + 1e-3);
    }
    for k in 0..count {
        let pivot = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot[k];
            for (value, above) in row.iter_mut().zip(&pivot).skip(k) {
                *value -= factor * above;
            }
        }
    }
    let mut found = vec![0.0; count];
    for k in (0..count).rev() {
        let known: f64 = (k + 1..count).map(|j| rows[k][j] * found[j]).sum();
        found[k] = (rows[k][count] - known) / rows[k][k];
    }
    found
}

fn print_lists(motion: &MotionText, way: BentWay) {
    let name = format!("{way:?}").to_lowercase();
    for ring in motion.rings.iter().filter(|ring| ring.way == way) {
        println!(
            "    {{ way = \"{name}\", turn = {:?}, leg = {:?}, push = {:?} }},",
            ring.turn, ring.leg, ring.push
        );
    }
    for bent in motion.fills.iter().filter(|bent| bent.way == way) {
        let number = |key: &str, value: Option<f64>| {
            value.map_or(String::new(), |value| format!(", {key} = {value:?}"))
        };
        let shift = bent.shift.map_or(String::new(), |shift| format!(", shift = {:?}", shift.to_array()));
        println!(
            "    {{ fill = \"{}\", way = \"{name}\"{}{}{}{shift} }},",
            bent.fill,
            number("height", bent.height),
            number("spread", bent.spread),
            number("center", bent.center)
        );
    }
    for bent in motion.edges.iter().filter(|bent| bent.way == way) {
        println!(
            "    {{ edge = \"{}\", way = \"{name}\", bulge = {:?} }},",
            bent.edge,
            bent.bulge.to_array()
        );
    }
    for bent in motion.nodes.iter().filter(|bent| bent.way == way) {
        println!(
            "    {{ node = \"{}\", way = \"{name}\", shift = {:?} }},",
            bent.node,
            bent.shift.to_array()
        );
    }
}
