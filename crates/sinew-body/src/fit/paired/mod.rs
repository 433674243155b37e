//! Fits one design to many bodies that share their vertices: pairs are found once, so that shapes can be compared and added.
//!
//! The average body is fitted first, and each vertex gets its place on it: patch and parameters. Every other body is then the same linear
//! least squares problem in bone frames over the stature, with one matrix and one factor for all. The price is on the curvature of the
//! *difference* from the average and on its jumps across edges: folds of the average cost nothing, new ones do. What is not linear, such as
//! turned bones, is met by a few rounds with the same factor.
//!
//! What the average has, every body has. So the average is settled first: fitted anew with a price on its own curvature (`settle.rs`).

mod average;
mod rows;
mod settle;

use super::measure::{nearest_places, signed_distances};
use super::surface::PatchChange;
use super::{FitError, TargetJoints, TargetMesh, evenness};
use crate::Patch;
use crate::build::{Figure, build_patches};
use crate::design::Design;
use crate::shapes::slots::{Slot, Slots, scaled};
use crate::skyline::Skyline;
use crate::template::{Flank, Template};
use glam::DVec3;
use rows::{ByPatch, Rows};

/// Bodies with the same vertices.
#[derive(Clone, Debug)]
pub struct ManyBodies {
    /// Vertices of each body, model space, m, soles at zero.
    pub vertices: Vec<Vec<DVec3>>,
    /// Joints of each body.
    pub joints: Vec<TargetJoints>,
    /// Triangles of all.
    pub triangles: Vec<[u32; 3]>,
    /// Vertices that are not fitted, such as the inside of the mouth.
    pub hidden: Vec<usize>,
    /// Weight of each vertex relative to its area; toes, which the design lacks, should have little.
    pub weights: Vec<f64>,
}

/// Settings of a paired fit.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedSettings {
    /// Price of bends of the difference from the average; default 0.02.
    pub bend: f64,
    /// Price of jumps of curvature across edges; default 0.3.
    pub jump: f64,
    /// Price of a slot's own size, per squared share of the stature; default 5e-5.
    pub size: f64,
    /// Weight of distances along the surface relative to those across it; default 0.2.
    pub along: f64,
    /// Price of the average's own bends; default 0.03.
    pub own_bend: f64,
    /// Price of jumps of the average's own curvature; default 0.2.
    pub own_jump: f64,
    /// Rounds of settling the average, each with new places of its vertices; default 3.
    pub settle_rounds: usize,
    /// Rounds per body; default 8.
    pub rounds: usize,
}

impl Default for PairedSettings {
    fn default() -> Self {
        PairedSettings {
            bend: 0.04,
            jump: 0.3,
            size: 5e-5,
            along: 0.2,
            own_bend: 0.03,
            own_jump: 0.2,
            settle_rounds: 3,
            rounds: 8,
        }
    }
}

/// Prices of a linear model: of bends, of jumps of curvature, of distances along the surface beside those across it, and the share of a bend's
/// part across the surface.
struct Prices {
    bend: f64,
    jump: f64,
    along: f64,
    normal: f64,
    /// Whether these are prices of the surface itself, not of a difference.
    is_own: bool,
}

/// A place on the surface with its vertex.
#[derive(Clone, Copy, Debug)]
struct Pair {
    vertex: usize,
    patch: usize,
    u: f64,
    w: f64,
}

/// The average with its pairs, and the factor that fits every other body.
pub struct PairedFit {
    template: Template,
    slots: Slots,
    settings: PairedSettings,
    /// Of the average, over its stature.
    reference: Design,
    mean: Vec<f64>,
    pairs: Vec<Pair>,
    data: Rows,
    /// Root of the weight of each pair.
    roots: Vec<f64>,
    prices: Rows,
    factor: Skyline,
    bones: Vec<usize>,
    effects: ByPatch,
    /// Whether each number after the joints is an offset of a control point.
    is_offset: Vec<bool>,
    /// Whether each of these is held: those of head and neck alone while the average is settled.
    is_held: Vec<bool>,
}

/// The price that holds a number.
const HELD: f64 = 1e6;
/// The step of finite differences, in statures.
const STEP: f64 = 1e-4;

impl PairedFit {
    /// Fits the average of some of the bodies, and finds the place of each vertex on it. The template should have no floor, which is not linear.
    ///
    /// # Errors
    /// If the average cannot be fitted.
    pub fn new(
        template: &Template,
        bodies: &ManyBodies,
        average_of: &[usize],
        settings: &PairedSettings,
        say: &mut dyn FnMut(String),
    ) -> Result<Self, FitError> {
        let average = average::Average::of(bodies, average_of)?;
        let design = average.first_design(template)?;
        let slots = Slots::of(template);
        let reference = scaled(&design, 1.0 / average.stature);
        let mut fit = PairedFit {
            template: template.clone(),
            mean: slots.read(&reference),
            slots,
            settings: settings.clone(),
            reference,
            pairs: Vec::new(),
            data: Rows::new(),
            roots: Vec::new(),
            prices: Rows::new(),
            factor: Skyline::new(Vec::new()),
            bones: Vec::new(),
            effects: Vec::new(),
            is_offset: Vec::new(),
            is_held: Vec::new(),
        };
        fit.is_offset = fit.slots.are_offsets();
        fit.pair(bodies, &average)?;
        for round in 0..settings.settle_rounds {
            let missed = fit.settle(&average)?;
            fit.pair(bodies, &average)?;
            say(format!("settled {round}: {:.2} mm, {} pairs", 1e3 * missed, fit.pairs.len()));
        }
        fit.linearize(&Prices {
            bend: settings.bend,
            jump: settings.jump,
            along: settings.along,
            normal: 1.0,
            is_own: false,
        })?;
        say("factored".to_owned());
        Ok(fit)
    }

    /// Finds the place of each vertex of the average on the present surface.
    fn pair(&mut self, bodies: &ManyBodies, average: &average::Average) -> Result<(), FitError> {
        let patches = build_patches(&self.template, &scaled(&self.reference, average.stature))?;
        (self.pairs, self.roots) = average.pairs(&patches, bodies);
        Ok(())
    }

    /// The linear model about the mean, and its factor.
    fn linearize(&mut self, by: &Prices) -> Result<(), FitError> {
        let design = self.design(&self.mean, 1.0);
        let body = crate::build(&self.template, &design)?;
        let patches: Vec<Patch> = body.patches.iter().map(|patch| patch.patch).collect();
        // The surface is nearly linear in control points: effects found once serve all rounds.
        if self.effects.is_empty() {
            self.effects = self.effects(&design, &patches)?;
        }
        let by_patch = std::mem::take(&mut self.effects);
        self.bones = body.patches.iter().map(|patch| patch.bone).collect();
        self.data = Rows::new();
        for pair in &self.pairs {
            let sum = super::surface::Combination::position(&patches, pair.patch, pair.u, pair.w);
            let normal = patches[pair.patch].normal(pair.u, pair.w);
            self.data.add(&by_patch, &[&sum], |moved| weighed(moved, normal, by.along));
        }
        self.prices = Rows::new();
        let is_left = body.patches.iter().map(|patch| patch.flank != Flank::Right);
        // A part without offsets, as a finger, can only change its size, and would shrink to bend less.
        let is_free = |slots: &[(usize, PatchChange)]| slots.iter().any(|(slot, _)| self.is_offset[*slot]);
        let is_priced: Vec<bool> = is_left
            .zip(&by_patch)
            .map(|(is_left, slots)| is_left && (!by.is_own || is_free(slots)))
            .collect();
        rows::bends(&body, &by_patch, &patches, (by, &is_priced), &mut self.prices);
        let crossings = evenness::crossings(&body, &is_priced);
        rows::jumps(&crossings, &by_patch, &patches, by.jump, &mut self.prices);
        let is_head: Vec<bool> = body.patches.iter().map(|patch| patch.group == rows::HEAD).collect();
        let is_priced: Vec<bool> = is_priced.iter().zip(&is_head).map(|(a, b)| *a && *b).collect();
        let crossings = evenness::crossings(&body, &is_priced);
        rows::jumps(&crossings, &by_patch, &patches, rows::HEAD_PRICE * by.jump, &mut self.prices);
        // A neck that is settled under a head that is not makes a collar between them.
        let is_kept =
            body.patches.iter().map(|patch| [rows::HEAD, rows::NECK].contains(&patch.group.as_str()));
        self.is_held = vec![by.is_own; self.is_offset.len()];
        for (slots, _) in by_patch.iter().zip(is_kept).filter(|(_, is_kept)| !is_kept) {
            slots.iter().for_each(|(slot, _)| self.is_held[*slot] = false);
        }
        self.effects = by_patch;
        self.assemble()
    }

    /// The effect of each slot but the joints', by differences.
    fn effects(&self, design: &Design, patches: &[Patch]) -> Result<ByPatch, FitError> {
        let slots: Vec<_> =
            self.slots.list.iter().filter(|slot| slot.first >= self.slots.joint_len).collect();
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        let found: Vec<Result<_, FitError>> = std::thread::scope(|scope| {
            let parts = slots.chunks(slots.len().div_ceil(threads).max(1));
            let started: Vec<_> =
                parts.map(|part| scope.spawn(move || self.effects_of(part, design, patches))).collect();
            started.into_iter().map(|thread| thread.join().expect("no slot panics")).collect()
        });
        let mut by_patch: ByPatch = vec![Vec::new(); patches.len()];
        for (place, change) in found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            by_patch[change.patch].push((place, change));
        }
        Ok(by_patch)
    }

    /// The effects of some slots, each with its place after the joints.
    fn effects_of(
        &self,
        slots: &[&Slot],
        design: &Design,
        patches: &[Patch],
    ) -> Result<Vec<(usize, PatchChange)>, FitError> {
        let mut found = Vec::new();
        let mut turned = design.clone();
        let mut values = self.mean.clone();
        for slot in slots {
            for place in slot.first..slot.first + slot.axes.len() {
                let step = if slot.is_length() { STEP } else { 1e-3 };
                values[place] += step;
                slot.write_from(&values, &mut turned);
                let moved = build_patches(&self.template, &turned)?;
                let changes = PatchChange::between(patches, &moved, step);
                found.extend(changes.into_iter().map(|change| (place - self.slots.joint_len, change)));
                values[place] = self.mean[place];
                slot.write_from(&values, &mut turned);
            }
        }
        Ok(found)
    }

    fn assemble(&mut self) -> Result<(), FitError> {
        let len = self.slots.len - self.slots.joint_len;
        let mut firsts: Vec<usize> = (0..len).collect();
        for rows in [&self.data, &self.prices] {
            for row in 0..rows.len() {
                let Some(first) = rows.row(row).map(|(slot, _)| slot).min() else { continue };
                rows.row(row).for_each(|(slot, _)| firsts[slot] = firsts[slot].min(first));
            }
        }
        let mut matrix = Skyline::new(firsts);
        for slot in 0..len {
            matrix.add(slot, slot, if self.is_held[slot] { HELD } else { self.settings.size });
        }
        let mut add = |rows: &Rows, row: usize, weight: f64| {
            let entries: Vec<(usize, DVec3)> = rows.row(row).collect();
            for &(i, a) in &entries {
                for &(j, b) in entries.iter().filter(|(j, _)| *j <= i) {
                    matrix.add(i, j, weight * a.dot(b));
                }
            }
        };
        for row in 0..self.data.len() {
            add(&self.data, row, self.roots[row] * self.roots[row]);
        }
        for row in 0..self.prices.len() {
            add(&self.prices, row, 1.0);
        }
        if !matrix.factor() {
            return Err(FitError::Map {
                tube: "all".into(),
                problem: "its control points are not determined".into(),
            });
        }
        self.factor = matrix;
        Ok(())
    }

    /// The list of a body's design, over its stature, with its own joints.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn fit(&self, bodies: &ManyBodies, body: usize) -> Result<Vec<f64>, FitError> {
        let (vertices, joints) = (&bodies.vertices[body], &bodies.joints[body]);
        self.solve(vertices, joints, stature_of(vertices))
    }

    fn solve(&self, vertices: &[DVec3], joints: &TargetJoints, stature: f64) -> Result<Vec<f64>, FitError> {
        let mut values = self.mean.clone();
        let own = self.slots.read(&Design { joints: joints.joints.clone(), ..Design::default() });
        for (value, own) in values[..self.slots.joint_len].iter_mut().zip(own) {
            *value = own / stature;
        }
        let first = Figure::new(&self.template, &self.reference);
        for _ in 0..self.settings.rounds {
            let design = self.design(&values, 1.0);
            let figure = Figure::new(&self.template, &design);
            let patches = build_patches(&self.template, &design)?;
            let step = self.step(&values, |pair| {
                let bone = self.bones[pair.patch];
                let missed = vertices[pair.vertex] / stature - patches[pair.patch].position(pair.u, pair.w);
                let normal = patches[pair.patch].normal(pair.u, pair.w);
                let missed = weighed(missed, normal, self.settings.along);
                // The rows are those of the average's pose.
                first.bones[bone].direction(figure.bones[bone].listed_from(missed))
            });
            let joint_len = self.slots.joint_len;
            values[joint_len..].iter_mut().zip(step).for_each(|(value, by)| *value += by);
        }
        Ok(values)
    }

    fn step(&self, values: &[f64], missed: impl Fn(&Pair) -> DVec3) -> Vec<f64> {
        let joint_len = self.slots.joint_len;
        let change: Vec<f64> =
            values[joint_len..].iter().zip(&self.mean[joint_len..]).map(|(a, b)| a - b).collect();
        let mut slope: Vec<f64> = change.iter().map(|change| -self.settings.size * change).collect();
        for (row, pair) in self.pairs.iter().enumerate() {
            let weight = self.roots[row] * self.roots[row];
            self.data.add_back(row, weight * missed(pair), &mut slope);
        }
        for row in 0..self.prices.len() {
            self.prices.add_back(row, -self.prices.value(row, &change), &mut slope);
        }
        self.factor.solve(&mut slope);
        slope
    }

    /// The design of a list at a stature, m.
    #[must_use]
    pub fn design(&self, values: &[f64], stature: f64) -> Design {
        let mut design = self.reference.clone();
        self.slots.write(values, &mut design);
        if stature == 1.0 { design } else { scaled(&design, stature) }
    }

    /// The average's list.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Numbers that place joints, at the start of each list.
    #[must_use]
    pub fn joint_len(&self) -> usize {
        self.slots.joint_len
    }

    /// Places of all pairs on the surface of a list, over the stature, with the weights of each.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn places(&self, values: &[f64]) -> Result<Vec<(f64, DVec3)>, FitError> {
        let patches = build_patches(&self.template, &self.design(values, 1.0))?;
        let places = self.pairs.iter().zip(&self.roots);
        Ok(places.map(|(pair, root)| (root * root, patches[pair.patch].position(pair.u, pair.w))).collect())
    }

    /// The vertex of each pair: those of the figure's left half and its middle.
    #[must_use]
    pub fn paired_vertices(&self) -> Vec<usize> {
        self.pairs.iter().map(|pair| pair.vertex).collect()
    }

    /// The places nearest to points on the surface of a list, m.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn nearest(&self, values: &[f64], points: &[DVec3], stature: f64) -> Result<Vec<DVec3>, FitError> {
        Ok(nearest_places(&build_patches(&self.template, &self.design(values, stature))?, points))
    }

    /// Signed distances of a body's vertices from the surface of a list, m.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn distances(&self, values: &[f64], vertices: &[DVec3], stature: f64) -> Result<Vec<f64>, FitError> {
        Ok(signed_distances(&build_patches(&self.template, &self.design(values, stature))?, vertices))
    }
}

/// A distance with its part along the surface weighed less.
fn weighed(missed: DVec3, normal: DVec3, along: f64) -> DVec3 {
    along * missed + (1.0 - along) * missed.dot(normal) * normal
}

/// From the lowest to the highest vertex.
pub(super) fn stature_of(vertices: &[DVec3]) -> f64 {
    let (low, high) =
        vertices.iter().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.y), high.max(at.y)));
    high - low
}

/// The mesh of some vertices, for measuring.
pub(super) fn target_of(bodies: &ManyBodies, vertices: &[DVec3]) -> Result<TargetMesh, FitError> {
    TargetMesh::new(vertices.to_vec(), bodies.triangles.clone(), &bodies.hidden)
}
