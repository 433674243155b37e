//! Fits a body to a mesh with known joints: design data by least squares.
//!
//! First the numbers of the template are fitted (rings, middles, nodes, edges, fills), then single control points along their normals
//! and the free parameters between fills, with a penalty on large or rough offsets and on jumps of curvature between patches. Heads are
//! fitted by the amounts of their modes. The builder keeps every design smooth, so a fit cannot make creases. Left and right stay equal.
//!
//! Parts inside the target, such as the walls of a mouth behind closed lips, are detected by rays that do not escape, and are not
//! fitted. [`Residuals`] include them.
//!
//! Pairs are found in each round, in both directions: places on the body with the target's nearest triangle, and the target's vertices
//! with the body's nearest place, where normals agree. Distances count along the target's normal, far ones less (Huber). Each round
//! is a Gauss–Newton step, damped until the cost falls.

mod error;
mod evenness;
mod hollow;
mod joints;
mod knob;
mod matches;
mod measure;
mod nearest;
#[cfg(feature = "make-shapes")]
mod paired;
mod points;
mod positions;
mod round;
mod solve;
mod start;
mod surface;
mod target;

pub use error::FitError;
pub use joints::TargetJoints;
pub use measure::Residuals;
#[cfg(feature = "make-shapes")]
pub use paired::{ManyBodies, PairedFit, PairedSettings};
pub use target::TargetMesh;

use crate::design::Design;
use crate::head::HeadBasis;
use crate::template::Template;
use crate::{Body, build};
use matches::{Limits, Matcher};
use serde::{Deserialize, Serialize};
use sinew_geometry::progress::Progress;
use solve::{FIRST_DAMPING, PriorRow, Problem};

/// Settings of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct FitSettings {
    /// Rounds on rings, middles, nodes, edges and fills; default 10. More do not improve a human.
    pub coarse_rounds: usize,
    /// Rounds on single control points; default 10. Zero keeps them.
    pub fine_rounds: usize,
    /// Paired places along a patch's side; default 5. Fewer miss the face, more take longer.
    pub steps: usize,
    /// Penalty of one usual amount of a coarse number, mm²; default 0.01. Smaller lets rings wander, larger keeps the template's shape.
    pub stiffness: f64,
    /// Penalty of one usual offset of a control point, mm²; default 1e-4.
    pub offset_stiffness: f64,
    /// Penalty of one usual difference between a control point and the mean of its neighbors, mm²; default 2e-3. Smaller makes dents,
    /// larger loses relief.
    pub smoothness: f64,
    /// Weight of the surface's direction relative to its position; default 1.5. Smaller makes seams and dents visible in shading.
    pub tilt: f64,
    /// Weight of jumps of curvature between patches; default 0.5. Smaller makes lines visible in shading, larger loses folds.
    pub evenness: f64,
    /// Groups of the template that are not fitted; default the hand, whose fingers only follow their joints.
    pub skipped_groups: Vec<String>,
    /// The design to start from; default none, which starts with the template on the target's joints.
    pub start: Option<Design>,
}

impl Default for FitSettings {
    fn default() -> Self {
        FitSettings {
            coarse_rounds: 10,
            fine_rounds: 10,
            steps: 5,
            stiffness: 0.01,
            offset_stiffness: 1e-4,
            smoothness: 2e-3,
            tilt: 1.5,
            evenness: 0.5,
            skipped_groups: vec!["hand".to_owned()],
            start: None,
        }
    }
}

/// A fitted design.
#[derive(Clone, Debug)]
pub struct FitResult {
    /// Rounded to 0.1 mm.
    pub design: Design,
    /// Built from the design.
    pub body: Body,
    /// Distances from the target.
    pub residuals: Residuals,
}

/// Pairs of the coarse stage: limbs of a template may be 10 cm off, and normals distinguish them.
const COARSE: Limits = Limits { reach_m: 0.10, huber_mm: 20.0, least_cosine: 0.4 };
/// Pairs of the fine stage: close, with a wide angle for steep places.
const FINE: Limits = Limits { reach_m: 0.03, huber_mm: 6.0, least_cosine: 0.0 };
/// Rounds per Jacobian in the fine stage.
const FINE_ROUNDS_PER_JACOBIAN: usize = 4;
/// A stage ends when a round lowers its cost by less than this share.
const LEAST_GAIN: f64 = 2e-3;
/// Joints may be this far outside the box of the mesh, m: ends of fingers and the crown are.
const JOINT_MARGIN_M: f64 = 0.1;

/// Fits a design to a target. Reports each round of the stages `rings` (everything that the template says in numbers) and
/// `points` (single control points), with the root of the mean robust squared distance in m.
///
/// # Errors
/// If a joint is missing or far outside the mesh, if the design cannot be built, or if the caller stops it.
pub fn fit(
    template: &Template,
    target: &TargetMesh,
    joints: &TargetJoints,
    settings: &FitSettings,
    progress: &Progress<'_>,
) -> Result<FitResult, FitError> {
    joints.check(template)?;
    check_places(target, joints)?;
    let design = match &settings.start {
        Some(design) => design.clone(),
        None => {
            let mut design = start::start_design(template, joints);
            start::write_out_rings(template, settings, &mut design)?;
            design
        }
    };
    let matcher = Matcher::new(target, settings);
    let body = build(template, &design)?;
    let mut counts: Vec<bool> =
        body.patches.iter().map(|patch| !settings.skipped_groups.contains(&patch.group)).collect();
    if let Some(head) = &body.head {
        // Walls of mouth, nose and eye sockets have nothing to meet.
        let is_hidden = HeadBasis::human().is_hidden();
        counts[head.first_patch..]
            .iter_mut()
            .zip(is_hidden)
            .for_each(|(counts, is_hidden)| *counts &= !is_hidden);
    }
    let fitter = Fitter { template, settings, matcher: &matcher, counts: &counts, progress };
    let design = fitter.coarse(design, &body)?;
    let mut design = fitter.fine(design)?;
    round::round(&mut design);
    let body = build(template, &design)?;
    let residuals = Residuals::of(&body, target);
    Ok(FitResult { design, body, residuals })
}

fn check_places(target: &TargetMesh, joints: &TargetJoints) -> Result<(), FitError> {
    let (low, high) = target.bounds();
    for (name, sided) in &joints.joints {
        for &at in sided.values() {
            let nearest = at.clamp(low, high);
            let distance_m = nearest.distance(at);
            if distance_m > JOINT_MARGIN_M {
                return Err(FitError::JointOutside { joint: name.clone(), at, distance_m });
            }
        }
    }
    Ok(())
}

struct Fitter<'a> {
    template: &'a Template,
    settings: &'a FitSettings,
    matcher: &'a Matcher<'a>,
    counts: &'a [bool],
    progress: &'a Progress<'a>,
}

impl<'a> Fitter<'a> {
    fn coarse(&self, design: Design, body: &Body) -> Result<Design, FitError> {
        let parameters = start::coarse_parameters(self.template, self.settings, body);
        let mut priors = sizes(0..parameters.len(), self.settings.stiffness);
        priors.extend(start::ring_differences(body, &parameters, self.settings.stiffness));
        let problem = self.problem(design, parameters, priors, COARSE);
        let (rounds, share) = (self.settings.coarse_rounds, self.coarse_share());
        self.run(&problem, rounds, 1, &self.progress.part("rings", 0.0..share))
    }

    fn fine(&self, design: Design) -> Result<Design, FitError> {
        if self.settings.fine_rounds == 0 {
            return Ok(design);
        }
        let body = build(self.template, &design)?;
        let mut parameters = Vec::new();
        start::net_parameters(self.template, self.settings, &mut parameters);
        let net_count = parameters.len();
        let points = points::point_parameters(self.template, self.settings, &body, self.matcher, net_count);
        parameters.extend(points.parameters);
        let mut priors = sizes(0..net_count, self.settings.stiffness);
        priors.extend(sizes(net_count..parameters.len(), self.settings.offset_stiffness));
        priors.extend(points.smoothness);
        let mut problem = self.problem(design, parameters, priors, FINE);
        let weight = self.settings.evenness;
        // Skipped parts do not have their final shape yet, and amounts of modes leave the head as even as it is.
        let is_free = |(patch, &counts): (usize, &bool)| {
            counts && body.head.as_ref().is_none_or(|head| patch < head.first_patch)
        };
        let is_free: Vec<bool> = self.counts.iter().enumerate().map(is_free).collect();
        problem.evenness = Some((evenness::crossings(&body, &is_free), weight));
        let (rounds, share) = (self.settings.fine_rounds, self.coarse_share());
        // The surface is nearly linear in single control points, so that one Jacobian serves several rounds.
        self.run(&problem, rounds, FINE_ROUNDS_PER_JACOBIAN, &self.progress.part("points", share..1.0))
    }

    fn problem(
        &self,
        base: Design,
        parameters: Vec<knob::Parameter>,
        priors: Vec<PriorRow>,
        limits: Limits,
    ) -> Problem<'a> {
        let Self { template, matcher, counts, .. } = *self;
        Problem { template, matcher, counts, base, parameters, priors, limits, evenness: None }
    }

    fn coarse_share(&self) -> f64 {
        let (coarse, fine) = (self.settings.coarse_rounds as f64, self.settings.fine_rounds as f64);
        coarse / (coarse + fine).max(1.0)
    }

    /// `served`: how many rounds a Jacobian serves.
    fn run(
        &self,
        problem: &Problem<'_>,
        rounds: usize,
        served: usize,
        progress: &Progress<'_>,
    ) -> Result<Design, FitError> {
        let mut stand = problem.stand(vec![0.0; problem.parameters.len()])?;
        let mut damping = FIRST_DAMPING;
        let mut jacobian = None;
        for round in 0..rounds {
            // The surface is nearly linear in single control points, so one Jacobian serves several rounds.
            if round % served == 0 {
                jacobian = Some(problem.jacobian(&stand)?);
            }
            let Some(jacobian) = &jacobian else { break };
            let Some(next) = problem.step(&stand, jacobian, &mut damping)? else { break };
            let gain = 1.0 - next.cost / stand.cost;
            stand = next;
            progress.step_with(round + 1, rounds, 1e-3 * stand.matches.cost.sqrt())?;
            if gain < LEAST_GAIN {
                break;
            }
        }
        Ok(problem.design(&stand.unknowns))
    }
}

/// A penalty on each unknown's own size.
fn sizes(unknowns: std::ops::Range<usize>, weight: f64) -> Vec<PriorRow> {
    unknowns.map(|unknown| PriorRow { terms: vec![(unknown, 1.0)], constant: 0.0, weight }).collect()
}

#[cfg(test)]
mod tests;
