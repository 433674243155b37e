//! Fits one design to many bodies that share their vertices: pairs are found once, so that shapes can be compared and added.
//!
//! The average body is fitted first, and each vertex gets its place on it: patch and parameters. What the average has, every body has, so it
//! is settled: fitted anew with a thin-plate price of its own (`settle.rs`). Every other body is then fitted in two steps.
//!
//! 1. By its difference from the average, in bone frames over the stature, with one matrix and one factor for all. The price is on the
//!    curvature of the difference and on its jumps across edges: folds of the average cost nothing, new ones do.
//! 2. Settled like the average, about itself. The first step moves by the average's effects and normals, which are not those of a heavy
//!    body or of a child: it stops short there, and the surface ripples where skin nearly touches skin.

mod average;
mod effects;
mod linear;
mod nearest_places;
mod rows;
mod settle;

use super::measure::signed_distances;
use super::{FitError, TargetJoints, TargetMesh};
use crate::build::{Figure, build_patches};
use crate::design::Design;
use crate::shapes::slots::{Slots, scaled};
use crate::template::Template;
use effects::Effects;
use glam::DVec3;
use linear::Linear;
use nearest_places::nearest_places;

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
    /// Price of a surface's own bends; default 0.08.
    pub own_bend: f64,
    /// Price of jumps of a surface's own curvature; default 0.5.
    pub own_jump: f64,
    /// Weight of distances along the surface while a body is settled; default 0.1.
    pub own_along: f64,
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
            own_bend: 0.08,
            own_jump: 0.5,
            own_along: 0.1,
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
    /// Whether the surface is the average.
    is_average: bool,
}

/// Share of its own prices at which the average is settled: what it lacks, every body must find anew.
const AVERAGE: f64 = 0.4;

/// A body is settled when a round lowers the cost by less than this share.
const LEAST_GAIN: f64 = 0.02;

/// A body's vertices, model space, m, and what they are divided by.
struct Scaled<'a> {
    vertices: &'a [DVec3],
    stature: f64,
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
    /// Root of the weight of each pair.
    roots: Vec<f64>,
    /// The model about the mean whose prices are on differences from it.
    linear: Option<Linear>,
    bones: Vec<usize>,
    effects: Effects,
}

impl PairedFit {
    /// Fits the average of some of the bodies, and finds the place of each vertex on it. The template has no head: its neck ends open.
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
        let mean = slots.read(&reference);
        let effects = Effects::of(template, &slots, &reference, &mean)?;
        let mut fit = PairedFit {
            template: template.clone(),
            mean,
            slots,
            settings: settings.clone(),
            reference,
            pairs: Vec::new(),
            roots: Vec::new(),
            linear: None,
            bones: Vec::new(),
            effects,
        };
        fit.pair(bodies, &average)?;
        for round in 0..settings.settle_rounds {
            let vertices = Scaled { vertices: &average.vertices, stature: average.stature };
            let found = fit.settled(&vertices, &fit.mean, (settle::ALONG, AVERAGE))?;
            fit.mean = found.values;
            fit.reference = fit.design(&fit.mean, 1.0);
            fit.pair(bodies, &average)?;
            say(format!("settled {round}: {:.2} mm, {} pairs", 1e3 * found.before_m, fit.pairs.len()));
        }
        let prices = Prices {
            bend: settings.bend,
            jump: settings.jump,
            along: settings.along,
            normal: 1.0,
            is_own: false,
            is_average: false,
        };
        fit.linear = Some(Linear::new(&fit, &fit.mean, &prices)?);
        fit.bones = crate::build(template, &fit.reference)?.patches.iter().map(|patch| patch.bone).collect();
        say("factored".to_owned());
        Ok(fit)
    }

    /// Finds the place of each vertex of the average on the present surface.
    fn pair(&mut self, bodies: &ManyBodies, average: &average::Average) -> Result<(), FitError> {
        let body = crate::build(&self.template, &scaled(&self.reference, average.stature))?;
        (self.pairs, self.roots) = average.pairs(&body, bodies);
        Ok(())
    }

    /// The list of a body's design, over its stature, with its own joints, by its difference from the average.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn fit(&self, bodies: &ManyBodies, body: usize) -> Result<Vec<f64>, FitError> {
        let (vertices, joints) = (&bodies.vertices[body], &bodies.joints[body]);
        self.solve(vertices, joints, stature_of(vertices))
    }

    /// The list settled like the average, about itself, with a share of the prices. Ends after some rounds, or when one changes little.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn settle(
        &self,
        bodies: &ManyBodies,
        body: usize,
        list: &[f64],
        (share, rounds): (f64, usize),
    ) -> Result<Vec<f64>, FitError> {
        let vertices = &bodies.vertices[body];
        let body = Scaled { vertices, stature: stature_of(vertices) };
        let mut values = list.to_vec();
        for _ in 0..rounds {
            let found = self.settled(&body, &values, (self.settings.own_along, share))?;
            values = found.values;
            if found.gain < LEAST_GAIN {
                break;
            }
        }
        Ok(values)
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
            })?;
            let joint_len = self.slots.joint_len;
            values[joint_len..].iter_mut().zip(step).for_each(|(value, by)| *value += by);
        }
        Ok(values)
    }

    fn step(&self, values: &[f64], missed: impl Fn(&Pair) -> DVec3) -> Result<Vec<f64>, FitError> {
        let joint_len = self.slots.joint_len;
        let change: Vec<f64> =
            values[joint_len..].iter().zip(&self.mean[joint_len..]).map(|(a, b)| a - b).collect();
        let weighted = self.pairs.iter().zip(&self.roots).map(|(pair, root)| root * root * missed(pair));
        self.linear.as_ref().expect("made in new").step(&change, 0.0, weighted)
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

    /// The places nearest to points on the surface of a list, m, of those that face as the points' normals.
    ///
    /// # Errors
    /// If the design cannot be built.
    pub fn nearest(
        &self,
        values: &[f64],
        points: &[DVec3],
        normals: &[DVec3],
        stature: f64,
    ) -> Result<Vec<DVec3>, FitError> {
        Ok(nearest_places(&build_patches(&self.template, &self.design(values, stature))?, points, normals))
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
