//! Makes the data of shapes that ship in `data/`: fits the design to many bodies, and finds the modes of their change.
//!
//! `cargo run --release -p sinew-body --features make-shapes --example make_shapes -- SHAPES.npz CRATE`
//!
//! SHAPES.npz: bodies of one topology (MakeHuman base mesh and targets, CC0). CRATE: the folder whose `data/shapes.bin` and
//! `designs/person.toml` are written. Takes minutes on a free processor. Settings follow as `bend=0.02`; `every=5` fits every fifth body,
//! `only=male-1,female-80` some by name, and both write nothing.

mod energy;
mod npz;

use glam::DVec3;
use sinew_body::fit::{FitError, ManyBodies, PairedFit, PairedSettings, TargetJoints};
use sinew_body::shapes::{Modes, ShapeBasis, ShapeParameters, with_arms_of};
use sinew_body::{Design, Flank, Template};

use std::sync::atomic::{AtomicUsize, Ordering};

type Failure = Box<dyn std::error::Error>;

struct Data {
    bodies: ManyBodies,
    names: Vec<String>,
    is_test: Vec<bool>,
    parameters: Vec<Vec<f64>>,
    /// Vertices that are judged: not hidden, not of head or digits.
    is_judged: Vec<bool>,
    /// The part that each vertex belongs to, without its side.
    parts: Vec<String>,
    /// The mirror image of each vertex.
    mirror: Vec<usize>,
}

impl Data {
    /// What of the neck lies beyond its tube belongs to heads.
    fn leave_out_beyond_neck(&mut self, paired: &[usize]) {
        let is_there = |vertex: &usize| paired.contains(vertex);
        for vertex in (0..self.parts.len()).filter(|&vertex| self.parts[vertex].starts_with("neck")) {
            self.is_judged[vertex] &= is_there(&vertex) || is_there(&self.mirror[vertex]);
        }
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [shapes, out, ..] = &arguments[..] else { return Err("give SHAPES.npz OUT".into()) };
    let mut data = read(shapes)?;
    let names = data.names.clone();
    let find = |name: &str| names.iter().position(|found| found == name).ok_or(name.to_owned());
    let average = [find("male-25")?, find("female-25")?];
    let template = Template::human().without_head();
    let start = std::time::Instant::now();
    let Run { settings, every, only } = settings_of(&arguments[2..])?;
    let fit = PairedFit::new(&template, &data.bodies, &average, &settings, &mut |line| {
        eprintln!("{:6.1} s {line}", start.elapsed().as_secs_f64());
    })?;
    data.leave_out_beyond_neck(&fit.paired_vertices());
    let energy = energy::ThinPlate::new(&data.bodies.triangles, &data.is_judged, &fit.paired_vertices());
    let mut is_fitted = vec![true; data.is_judged.len()];
    data.bodies.hidden.iter().for_each(|&vertex| is_fitted[vertex] = false);
    let chosen = match only.is_empty() {
        true => (0..data.names.len()).step_by(every).collect(),
        false => only.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?,
    };
    let fitted = fit_all(&Fitter { fit: &fit, energy: &energy, data: &data }, &chosen)?;
    eprintln!("{:6.1} s fitted", start.elapsed().as_secs_f64());
    let (mut lists, mut count, mut over) = (Vec::new(), 0, [0; 4]);
    for (&body, (list, share)) in chosen.iter().zip(fitted) {
        let name = &data.names[body];
        let vertices = &data.bodies.vertices[body];
        let distances = fit.distances(&list, vertices, stature(vertices))?;
        let [rms, most] = judged(&distances, &data.is_judged);
        let [all_rms, all_most] = judged(&distances, &is_fitted);
        let folds = folds(&fit.design(&list, stature(vertices)))?;
        let energies = energy.by_vertex(&fit, &list, vertices, stature(vertices))?;
        let [own, smoothed] = total(&energies);
        eprintln!(
            "{:6.1} s {name}: rms {:.2} mm, 95 % {:.2} mm; all {:.2}, {:.2}; energy {own:.3}, of the smoothed mesh {smoothed:.3}, {:.3}; prices {share}; folds {folds:?}",
            start.elapsed().as_secs_f64(),
            1e3 * rms,
            1e3 * most,
            1e3 * all_rms,
            1e3 * all_most,
            own / smoothed
        );
        let missed = distances.iter().zip(&data.is_judged).map(|(by, is)| f64::from(u8::from(*is)) * by * by);
        eprintln!(
            "         distances: {}; energy beyond the smoothed mesh: {}",
            by_part(&data.parts, missed),
            by_part(&data.parts, energies.iter().map(|by| by[0] - by[1]))
        );
        if !data.is_test[body] {
            count += 1;
            let is_over = [rms > 2e-3, most > 5e-3, own > smoothed, own > 0.8 * smoothed];
            over.iter_mut().zip(is_over).for_each(|(over, is)| *over += usize::from(is));
        }
        lists.push(list);
    }
    eprintln!(
        "of {count} bodies {} over 2 mm, {} over 5 mm at 95 %, {} with more energy than the smoothed mesh, {} with more than 0.8 of it",
        over[0], over[1], over[2], over[3]
    );
    if chosen.len() < data.names.len() {
        return Ok(());
    }
    let distances = |list: &[f64], body: usize| -> Result<[f64; 2], Failure> {
        let vertices = &data.bodies.vertices[body];
        Ok(judged(&fit.distances(list, vertices, stature(vertices))?, &data.is_judged))
    };
    let rest: Vec<Vec<f64>> = lists.iter().map(|list| with_arms_of(&template, list, fit.mean())).collect();
    let kept =
        |is_test: bool| (0..lists.len()).filter(|&body| data.is_test[body] == is_test).collect::<Vec<_>>();
    let train: Vec<Vec<f64>> = kept(false).iter().map(|&body| rest[body].clone()).collect();
    let modes = Modes::of(&fit, &train, 40)?;
    for count in [20, 40] {
        let mut sum = 0.0;
        for &body in &kept(true) {
            let amounts = modes.project(&fit, &rest[body], count)?;
            let list = with_arms_of(&template, &modes.list(&amounts), &lists[body]);
            let [rms, most] = distances(&list, body)?;
            eprintln!(
                "{count} modes, {}: rms {:.2} mm, 95 % {:.2} mm",
                data.names[body],
                1e3 * rms,
                1e3 * most
            );
            sum += rms * rms / kept(true).len() as f64;
        }
        eprintln!("{count} modes: {:.2} mm", 1e3 * sum.sqrt());
    }
    let parameters: Vec<ShapeParameters> = kept(false).iter().map(|&body| parameters(&data, body)).collect();
    std::fs::write(
        format!("{out}/data/shapes.bin"),
        ShapeBasis::write(&template, &modes, MODE_COUNT, &parameters),
    )?;
    let mut reference = fit.design(fit.mean(), 1.0);
    reference.offsets.clear();
    let head = "# What the modes of data/shapes.bin leave alone, over the stature: fitted to the mean of MakeHuman's young man and woman.\n# Origin of the shape: MakeHuman base mesh and targets, CC0. Made by the example make_shapes.\n";
    std::fs::write(format!("{out}/designs/person.toml"), format!("{head}{}", reference.to_toml()))?;
    Ok(())
}

/// The parts with the largest sums, with their shares of all that is positive.
fn by_part(parts: &[String], values: impl Iterator<Item = f64>) -> String {
    let mut sums = std::collections::BTreeMap::<&str, f64>::new();
    parts.iter().zip(values).for_each(|(part, value)| *sums.entry(part).or_default() += value);
    let all: f64 = sums.values().filter(|sum| **sum > 0.0).sum();
    let mut sums: Vec<(&str, f64)> = sums.into_iter().collect();
    sums.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shown = sums.iter().take(4).map(|(part, sum)| format!("{part} {:.0} %", 100.0 * sum / all));
    shown.collect::<Vec<_>>().join(", ")
}

/// What is given as `key=value`.
struct Run {
    settings: PairedSettings,
    /// The step between the bodies that are fitted.
    every: usize,
    /// Their names, unless empty.
    only: Vec<String>,
}

fn settings_of(words: &[String]) -> Result<Run, Failure> {
    let mut settings = PairedSettings::default();
    let (mut every, mut only) = (1, Vec::new());
    for word in words {
        let (key, value) = word.split_once('=').ok_or("give key=value")?;
        if key == "only" {
            only = value.split(',').map(str::to_owned).collect();
            continue;
        }
        let value: f64 = value.parse()?;
        match key {
            "bend" => settings.bend = value,
            "jump" => settings.jump = value,
            "size" => settings.size = value,
            "along" => settings.along = value,
            "rounds" => settings.rounds = value as usize,
            "own_bend" => settings.own_bend = value,
            "own_jump" => settings.own_jump = value,
            "settle" => settings.settle_rounds = value as usize,
            "own_along" => settings.own_along = value,
            "every" => every = value as usize,
            _ => return Err(format!("unknown {key}").into()),
        }
    }
    Ok(Run { settings, every, only })
}

/// The patches of a design that fold, heads aside.
fn folds(design: &Design) -> Result<Vec<String>, Failure> {
    let folds = sinew_body::build(&Template::human().without_head(), design)?.folds();
    let counted = folds.into_iter().filter(|fold| fold.flank != Flank::Right);
    let mut names: Vec<String> = counted.map(|fold| fold.patch).collect();
    names.dedup();
    Ok(names)
}

/// The share of the prices of bends to begin with. A body that is too far with it gets the lower ones in turn; one that is near but ripples,
/// the higher ones while it stays near.
const FIRST: f64 = 2.0;
const LOWER: [f64; 3] = [1.0, 0.3, 0.1];
const HIGHER: [f64; 2] = [4.0, 8.0];
/// Rounds at the first price and at each other one.
const ROUNDS: [usize; 2] = [5, 2];
/// Root mean square and 95th percentile that are near enough, m.
const NEAR_M: [f64; 2] = [1.97e-3, 4.9e-3];
/// Energy beside that of the smoothed mesh that is even enough.
const EVEN: f64 = 0.97;

/// A fit with how near it is, how even, and its share of the prices.
struct Tried {
    list: Vec<f64>,
    /// One is near enough.
    miss: f64,
    /// Energy beside that of the smoothed mesh.
    energy: f64,
    share: f64,
}

/// What all bodies are fitted with.
struct Fitter<'a> {
    fit: &'a PairedFit,
    energy: &'a energy::ThinPlate,
    data: &'a Data,
}

impl Fitter<'_> {
    fn settled(&self, body: usize, list: &[f64], share: f64, rounds: usize) -> Result<Tried, FitError> {
        let Fitter { fit, energy, data } = self;
        let vertices = &data.bodies.vertices[body];
        let list = fit.settle(&data.bodies, body, list, (share, rounds))?;
        let found = judged(&fit.distances(&list, vertices, stature(vertices))?, &data.is_judged);
        let [own, smoothed] = total(&energy.by_vertex(fit, &list, vertices, stature(vertices))?);
        let miss = (found[0] / NEAR_M[0]).max(found[1] / NEAR_M[1]);
        Ok(Tried { list, miss, energy: own / smoothed, share })
    }

    /// The list of a body with its share of the prices.
    fn fitted(&self, body: usize) -> Result<(Vec<f64>, f64), FitError> {
        let mut best = self.settled(body, &self.fit.fit(&self.data.bodies, body)?, FIRST, ROUNDS[0])?;
        let is_near = best.miss <= 1.0;
        for &share in if is_near { &HIGHER[..] } else { &LOWER[..] } {
            if if is_near { best.energy < EVEN } else { best.miss <= 1.0 } {
                break;
            }
            let next = self.settled(body, &best.list, share, ROUNDS[1])?;
            if if is_near { next.miss > 1.0 || next.energy > best.energy } else { next.miss > best.miss } {
                break;
            }
            best = next;
        }
        eprintln!("         {}: prices {}, energy {:.3}", self.data.names[body], best.share, best.energy);
        Ok((best.list, best.share))
    }
}

/// The sums over all vertices.
fn total(energies: &[[f64; 2]]) -> [f64; 2] {
    energies.iter().fold([0.0; 2], |sum, by| [sum[0] + by[0], sum[1] + by[1]])
}

/// The lists of some bodies, each with its share of the prices, on all threads.
fn fit_all(fitter: &Fitter<'_>, chosen: &[usize]) -> Result<Vec<(Vec<f64>, f64)>, FitError> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut found: Vec<(usize, Result<_, FitError>)> = std::thread::scope(|scope| {
        let work = || {
            let mut own = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(&body) = chosen.get(place) else { return own };
                own.push((place, fitter.fitted(body)));
            }
        };
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        started.into_iter().flat_map(|thread| thread.join().expect("no fit panics")).collect()
    });
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, list)| list).collect()
}

/// Modes that ship.
const MODE_COUNT: usize = 40;

fn parameters(data: &Data, body: usize) -> ShapeParameters {
    let p = &data.parameters[body];
    // Male, years, source age, scale, muscle, weight, height, proportions, three origins, cup, firmness, fat.
    let is_even = (p[8] - p[9]).abs() < 0.01 && (p[9] - p[10]).abs() < 0.01;
    ShapeParameters {
        male: p[0],
        years: p[1],
        muscle: p[4],
        // Fat goes on where weight ends.
        weight: p[5] + p[13],
        height: p[6],
        proportions: p[7],
        is_plain: is_even && p[11] == 0.5 && p[12] == 0.5,
        stature_m: stature(&data.bodies.vertices[body]),
    }
}

fn stature(vertices: &[DVec3]) -> f64 {
    let high = vertices.iter().fold(f64::MIN, |high, at| high.max(at.y));
    high - vertices.iter().fold(f64::MAX, |low, at| low.min(at.y))
}

/// Root mean square and 95th percentile over the judged vertices.
fn judged(distances: &[f64], is_judged: &[bool]) -> [f64; 2] {
    let mut sizes: Vec<f64> =
        distances.iter().zip(is_judged).filter(|(_, judged)| **judged).map(|(d, _)| d.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let mean = sizes.iter().map(|size| size * size).sum::<f64>() / sizes.len() as f64;
    [mean.sqrt(), sizes[(0.95 * (sizes.len() - 1) as f64).round() as usize]]
}

fn read(path: &str) -> Result<Data, Failure> {
    let arrays = npz::read(path)?;
    let array = |name: &str| arrays.get(name).ok_or_else(|| format!("{path} has no {name}"));
    let names = array("names")?.texts();
    let body: Vec<bool> = array("body")?.numbers().iter().map(|&is| is != 0.0).collect();
    let count = body.iter().filter(|is| **is).count();
    let shape = array("vertices")?.shape.clone();
    let numbers = array("vertices")?.numbers();
    let vectors =
        |numbers: &[f64]| -> Vec<DVec3> { numbers.chunks_exact(3).map(DVec3::from_slice).collect() };
    let vertices = numbers.chunks_exact(3 * shape[1]).map(|all| vectors(&all[..3 * count])).collect();
    let joint_names = array("joint_names")?.texts();
    let joints = array("joints")?.numbers();
    let joints = joints.chunks_exact(3 * joint_names.len()).map(|all| {
        let entries: Vec<String> = joint_names
            .iter()
            .zip(all.chunks_exact(3))
            .map(|(name, at)| format!("\"{name}\": [{}, {}, {}]", at[0], at[1], at[2]))
            .collect();
        TargetJoints::from_json(&format!("{{{}}}", entries.join(", ")))
    });
    let faces = array("faces")?.numbers();
    let triangles = faces.chunks_exact(4).filter(|face| face.iter().all(|&at| (at as usize) < count));
    let triangles = triangles.flat_map(|face| {
        let corner = |k: usize| face[k] as u32;
        [[corner(0), corner(1), corner(2)], [corner(0), corner(2), corner(3)]]
    });
    let part_names = array("part_names")?.texts();
    let parts: Vec<&str> =
        array("part")?.numbers().iter().take(count).map(|&part| part_names[part as usize].as_str()).collect();
    let starts = |part: &str, list: &[&str]| list.iter().any(|start| part.starts_with(start));
    let head =
        ["head", "jaw", "levator", "oculi", "orbicularis", "oris", "risorius", "special", "tongue", "eye"];
    // Hidden vertices and those of heads, which have data of their own.
    let inside = array("hidden")?.numbers();
    let is_left_out = |at: usize| inside[at] != 0.0 || starts(parts[at], &head);
    let hidden: Vec<usize> = (0..count).filter(|&at| is_left_out(at)).collect();
    let mut is_judged: Vec<bool> = parts.iter().map(|part| !starts(part, &["finger", "toe"])).collect();
    hidden.iter().for_each(|&vertex| is_judged[vertex] = false);
    // The design has no toes, which must not pull at the foot.
    let weights = parts.iter().map(|part| if starts(part, &["toe"]) { 0.1 } else { 1.0 }).collect();
    let width = array("parameter_names")?.shape[0];
    Ok(Data {
        bodies: ManyBodies {
            vertices,
            joints: joints.collect::<Result<_, _>>()?,
            triangles: triangles.collect(),
            hidden,
            weights,
        },
        parts: parts
            .iter()
            .map(|part| part.trim_end_matches(".L").trim_end_matches(".R").to_owned())
            .collect(),
        names,
        is_test: array("use")?.texts().iter().map(|word| word == "test").collect(),
        parameters: array("parameters")?.numbers().chunks_exact(width).map(<[f64]>::to_vec).collect(),
        is_judged,
        mirror: array("mirror")?.numbers().iter().take(count).map(|&at| at as usize).collect(),
    })
}
