//! Stage 1 as a whole: from examples to helper transforms and weights.
//!
//! After \[Mukai15\] Alg. 1.
//!
//! Departures: instead of one greedy start on all examples, many starts on few poses and vertices race, the best few are refined on more
//! poses, and the winner is finished on everything. A sweep costs as much as its poses, and weights need far fewer poses than
//! there are: this is faster and ends lower.

use super::measure::{FitErrors, measure};
use super::motion::Pivot;
use super::relax::{FEW_NODES, MANY_NODES, Miss, Relaxation};
use super::rules::check;
use super::seeds::{insert, random, worst};
use super::settings::HelperSettings;
use super::state::{Candidate, HelperState, Stage, StageError};
use super::sweep::Solution;
use super::transfer::transfer;
use super::view::View;
use crate::error::HelperError;
use crate::examples::Examples;
use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use sinew_geometry::Random;
use sinew_geometry::progress::{Interrupted, Progress};

/// Starts between two reports.
const BATCH: usize = 8;
/// Sweeps of every start after its last helper is in.
const START_SWEEPS: usize = 10;
/// Sweeps of the better third.
const RACE_SWEEPS: usize = 15;
/// Starts that are refined.
const REFINED: usize = 4;
/// Sweeps between two reports of the refinement.
const REFINE_STRIDE: usize = 5;
/// Rounds of transforms after weights were taken to other poses.
const SETTLING_ROUNDS: usize = 20;
/// Sweeps that may go by without the error falling by the tolerance.
const PATIENCE: usize = 2;

/// Helper bones that were fitted.
#[derive(Clone, Debug)]
pub struct HelperFit {
    /// Helpers there are; fewer than asked for where some had too little influence.
    pub helper_count: usize,
    /// Drivers, which come before helpers in `weights`.
    pub driver_count: usize,
    /// Skinning matrices of helpers: pose by pose, in each pose one per helper.
    pub posed_from_rest: Vec<DAffine3>,
    /// One per vertex and bone, vertex by vertex, drivers first. Invariant: ≥ 0, sum 1, at most K above 0.
    pub weights: Vec<f64>,
    /// Where helpers of fixed length hang; empty for other motions.
    pub pivots: Vec<Pivot>,
    /// Mirror image of each helper; empty without mirror, `None` for helpers in the middle.
    pub mirror_pairs: Vec<Option<usize>>,
    /// Where each helper was put in, rest space.
    pub homes: Vec<DVec3>,
    /// What is left over.
    pub errors: FitErrors,
    /// The way there.
    pub history: Vec<StageError>,
    /// `Some` where the fit was cancelled: to go on from.
    pub state: Option<HelperState>,
}

impl HelperFit {
    /// Bones of a vertex with a weight above 0, drivers first.
    pub fn influences(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let bone_count = self.driver_count + self.helper_count;
        let row = &self.weights[vertex * bone_count..][..bone_count];
        row.iter().copied().enumerate().filter(|&(_, weight)| weight > 0.0)
    }
}

/// Fits helpers to examples. Reports every step, with the RMS error of the best so far over the poses and vertices of its [`Stage`]; a fit that is
/// stopped returns that best with a state to go on from.
///
/// # Errors
/// If examples or settings are wrong, or more memory is needed than the settings allow.
///
/// # Degenerate input
/// One pose, equal poses and fewer vertices than helpers are fine: helpers that nobody needs are left out.
pub fn fit_helpers(
    examples: &Examples<'_>,
    settings: &HelperSettings,
    progress: &Progress<'_>,
) -> Result<HelperFit, HelperError> {
    resume_helpers(examples, settings, HelperState::default(), progress)
}

/// Goes on with a fit that was cancelled, on the same examples with the same settings; the result is that of a fit that was not.
///
/// # Errors
/// As [`fit_helpers`], and if the state does not match the examples.
pub fn resume_helpers(
    examples: &Examples<'_>,
    settings: &HelperSettings,
    mut state: HelperState,
    progress: &Progress<'_>,
) -> Result<HelperFit, HelperError> {
    examples.check()?;
    check(settings, examples)?;
    let mut runner = Runner { examples: *examples, settings, relaxation: None };
    runner.check_state(&state)?;
    while state.stage != Stage::Done {
        runner.advance(&mut state);
        if runner.report(&state, progress).is_err() {
            return Ok(runner.result(&state, Some(state.clone())));
        }
    }
    Ok(runner.result(&state, None))
}

struct Runner<'a> {
    examples: Examples<'a>,
    settings: &'a HelperSettings,
    /// The view of the present stage.
    relaxation: Option<(Stage, Relaxation<'a>)>,
}

impl<'a> Runner<'a> {
    fn poses(&self, count: usize) -> Vec<u32> {
        // The same generator for every count: more poses contain the fewer, nearly.
        Random::new(self.settings.seed ^ 0x706f_7365).choose(self.examples.pose_count(), count)
    }

    fn vertices(&self, count: usize) -> Vec<u32> {
        let mut vertices =
            Random::new(self.settings.seed ^ 0x766d).choose(self.examples.vertex_count(), count);
        if let Some(mirror) = &self.settings.rules.mirror {
            let partners: Vec<u32> =
                vertices.iter().map(|&vertex| mirror.vertices[vertex as usize]).collect();
            vertices.extend(partners);
            vertices.sort_unstable();
            vertices.dedup();
        }
        vertices
    }

    /// Poses and vertices of a stage.
    fn sample(&self, stage: Stage) -> (Vec<u32>, Vec<u32>) {
        let (poses, vertices) = match stage {
            Stage::Starts | Stage::Race => (self.settings.start_poses, self.settings.start_vertices),
            Stage::Refine => (self.settings.refine_poses, self.settings.refine_vertices),
            Stage::Full | Stage::Done => (usize::MAX, usize::MAX),
        };
        (self.poses(poses), self.vertices(vertices))
    }

    fn prepare(&mut self, stage: Stage) {
        let view_stage = if stage == Stage::Race { Stage::Starts } else { stage };
        if self.relaxation.as_ref().is_none_or(|(made, _)| *made != view_stage) {
            // The old view goes before the new one comes.
            self.relaxation = None;
            let (poses, vertices) = self.sample(view_stage);
            let view = View::new(self.examples, poses, vertices);
            self.relaxation = Some((view_stage, Relaxation::new(self.settings, view)));
        }
    }

    fn view(&self) -> &Relaxation<'a> {
        let (_, relaxation) = self.relaxation.as_ref().expect("prepare comes before every step");
        relaxation
    }

    fn advance(&mut self, state: &mut HelperState) {
        self.prepare(state.stage);
        match state.stage {
            Stage::Starts => self.starts(state),
            Stage::Race => self.race(state),
            Stage::Refine => self.refine(state),
            Stage::Full => self.full(state),
            Stage::Done => (),
        }
    }

    fn starts(&mut self, state: &mut HelperState) {
        let relaxation = self.view();
        let (base, base_miss) = relaxation.drivers_only();
        let rings = self.examples.rings();
        let start_count = if self.settings.helper_count == 0 { 1 } else { self.settings.start_count };
        let last = (state.step + BATCH).min(start_count);
        let batch: Vec<Candidate> = (state.step..last)
            .into_par_iter()
            .map(|start| self.start(start, (&base, &base_miss), &rings))
            .collect();
        state.candidates.extend(batch);
        state.step = last;
        state.note();
        if last == start_count {
            state.keep_best(start_count.div_ceil(3).max(REFINED));
            (state.stage, state.step) = (Stage::Race, 0);
        }
    }

    /// One start; number 0 is greedy.
    fn start(&self, start: usize, base: (&Solution, &Miss), rings: &[Vec<u32>]) -> Candidate {
        let relaxation = self.view();
        let settings = self.settings;
        let (mut solution, mut miss) = (base.0.clone(), base.1.clone());
        let mut generator = Random::new(settings.seed.wrapping_mul(0x9e37_79b9).wrapping_add(start as u64));
        let how = (settings.motion, settings.rules.mirror.as_ref(), settings.helper_count);
        // A helper that is taken out again is tried elsewhere once for each helper asked for.
        for _ in 0..2 * settings.helper_count {
            if solution.helper_count >= settings.helper_count {
                break;
            }
            let seed = if start == 0 {
                worst(&relaxation.view, &miss.errors, rings)
            } else {
                random(&relaxation.view, &miss.errors, rings, &mut generator)
            };
            insert(&relaxation.view, &mut solution, &seed, how);
            // Sec. 4.3: weights first, a new helper has none yet.
            relaxation.weigh(&mut solution, FEW_NODES);
            for _ in 0..=generator.below(2) {
                miss = relaxation.sweep(&mut solution);
            }
            relaxation.prune(&mut solution, &mut miss);
        }
        for _ in 0..START_SWEEPS {
            miss = relaxation.sweep(&mut solution);
        }
        Candidate { solution, objective: miss.objective, rms: relaxation.rms(&miss) }
    }

    /// Sweeps all candidates.
    fn sweep_all(&self, state: &mut HelperState, count: usize) {
        let relaxation = self.view();
        state.candidates.par_iter_mut().for_each(|candidate| {
            for _ in 0..count {
                let miss = relaxation.sweep(&mut candidate.solution);
                (candidate.objective, candidate.rms) = (miss.objective, relaxation.rms(&miss));
            }
        });
        state.keep_best(usize::MAX);
        state.note();
    }

    fn race(&mut self, state: &mut HelperState) {
        self.sweep_all(state, RACE_SWEEPS);
        state.keep_best(REFINED);
        self.lift(state, Stage::Refine);
    }

    /// Takes the candidates to the view of another stage.
    fn lift(&mut self, state: &mut HelperState, stage: Stage) {
        let poses = self.view().view.poses.clone();
        let (_, vertices) = self.sample(stage);
        if self.view().view.vertices != vertices {
            // Weights of the new vertices, on the poses whose transforms are known.
            self.relaxation = None;
            let vertex_count = vertices.len();
            let whole = Relaxation::new(self.settings, View::new(self.examples, poses.clone(), vertices));
            for candidate in &mut state.candidates {
                let bone_count = self.examples.driver_count + candidate.solution.helper_count;
                candidate.solution.weights = vec![0.0; vertex_count * bone_count];
                whole.weigh(&mut candidate.solution, FEW_NODES);
            }
        }
        self.prepare(stage);
        let relaxation = self.view();
        state.candidates.par_iter_mut().for_each(|candidate| {
            let solution = &mut candidate.solution;
            transfer(&self.examples, &poses, &relaxation.view, solution);
            let mut miss = relaxation.sweep_thoroughly(solution, SETTLING_ROUNDS, FEW_NODES);
            relaxation.prune(solution, &mut miss);
            (candidate.objective, candidate.rms) = (miss.objective, relaxation.rms(&miss));
        });
        (state.stage, state.step) = (stage, 0);
        state.keep_best(usize::MAX);
        state.note();
    }

    fn refine(&mut self, state: &mut HelperState) {
        let most = self.settings.refine_sweeps;
        let before = state.candidates.first().map_or(0.0, |best| best.objective);
        let count = REFINE_STRIDE.min(most - state.step.min(most));
        self.sweep_all(state, count);
        state.step += count;
        let after = state.candidates.first().map_or(0.0, |best| best.objective);
        if state.step * 2 >= most {
            state.keep_best(1);
        } else if state.step * 4 >= most {
            state.keep_best(REFINED.div_ceil(2));
        }
        // The objective is a square: it falls twice as fast as the RMS error.
        let has_settled = before - after <= 2.0 * self.settings.tolerance * before * 0.1;
        if state.step >= most || (has_settled && state.candidates.len() == 1) {
            state.keep_best(1);
            self.lift(state, Stage::Full);
        }
    }

    fn full(&mut self, state: &mut HelperState) {
        let most = self.settings.full_sweeps;
        let relaxation = self.view();
        let Some(best) = state.candidates.first_mut() else {
            state.stage = Stage::Done;
            return;
        };
        let before = best.objective;
        let miss = relaxation.sweep(&mut best.solution);
        (best.objective, best.rms) = (miss.objective, relaxation.rms(&miss));
        let has_helpers = best.solution.helper_count > 0;
        state.step += 1;
        state.note();
        let lines = state.history.iter().filter(|line| line.stage == Stage::Full);
        let lines: Vec<f64> = lines.map(|line| line.objective).collect();
        let earlier = lines.len().checked_sub(1 + PATIENCE).map_or(f64::INFINITY, |at| lines[at]);
        let least_fall = 2.0 * self.settings.tolerance * PATIENCE as f64 * before;
        let has_settled = earlier.is_finite() && earlier - miss.objective <= least_fall;
        if state.step < most && !has_settled && has_helpers {
            return;
        }
        // The last word: the best supports there are, for transforms that fit them.
        if let Some(best) = state.candidates.first_mut() {
            let mut miss = relaxation.weigh(&mut best.solution, MANY_NODES);
            relaxation.prune(&mut best.solution, &mut miss);
            (best.objective, best.rms) = (miss.objective, relaxation.rms(&miss));
        }
        state.step += 1;
        state.note();
        state.stage = Stage::Done;
    }

    fn report(&self, state: &HelperState, progress: &Progress<'_>) -> Result<(), Interrupted> {
        let settings = self.settings;
        // Ninths of a usual fit's time.
        let (from, to, step_count) = match state.stage {
            Stage::Starts => (0.0, 4.0, settings.start_count),
            Stage::Race => (4.0, 5.0, 1),
            Stage::Refine => (5.0, 7.0, settings.refine_sweeps),
            Stage::Full => (7.0, 9.0, settings.full_sweeps + 1),
            Stage::Done => (9.0, 9.0, settings.full_sweeps + 1),
        };
        let rms_error = state.best().map_or(f64::INFINITY, |best| best.rms);
        progress.part(state.stage.name(), from / 9.0..to / 9.0).step_with(state.step, step_count, rms_error)
    }

    fn check_state(&self, state: &HelperState) -> Result<(), HelperError> {
        let driver_count = self.examples.driver_count;
        let (poses, vertices) = self.sample(state.stage);
        for Candidate { solution, .. } in &state.candidates {
            let helper_count = solution.helper_count;
            check_counts(&[
                ("helper matrices", solution.helper_rows.len(), 12 * helper_count * poses.len()),
                ("weights", solution.weights.len(), (driver_count + helper_count) * vertices.len()),
                ("places", solution.homes.len(), helper_count),
            ])?;
        }
        let is_empty = state.candidates.is_empty() && state.stage != Stage::Starts;
        check_counts(&[("solutions", usize::from(!is_empty), 1)])
    }

    fn result(&mut self, state: &HelperState, unfinished: Option<HelperState>) -> HelperFit {
        let mut last = state.clone();
        last.keep_best(1);
        if !matches!(last.stage, Stage::Full | Stage::Done) {
            self.prepare(last.stage);
            self.lift(&mut last, Stage::Full);
        }
        self.prepare(Stage::Full);
        let solution = match last.candidates.into_iter().next() {
            Some(best) => best.solution,
            None => self.view().drivers_only().0,
        };
        self.relaxation = None;
        let errors = measure(&self.examples, &solution);
        let center = View::untallied(self.examples, Vec::new(), Vec::new()).center;
        let pivots = solution.pivots.iter().map(|pivot| Pivot { point: pivot.point + center, ..*pivot });
        HelperFit {
            helper_count: solution.helper_count,
            driver_count: self.examples.driver_count,
            posed_from_rest: solution.posed_from_rest(center),
            pivots: pivots.collect(),
            mirror_pairs: solution.pairs,
            homes: solution.homes.iter().map(|home| *home + center).collect(),
            weights: solution.weights,
            errors,
            history: last.history,
            state: unfinished,
        }
    }
}

/// What there is of each thing, and what there should be.
pub(super) fn check_counts(counts: &[(&'static str, usize, usize)]) -> Result<(), HelperError> {
    match counts.iter().find(|(_, found, expected)| found != expected) {
        Some(&(what, found, expected)) => Err(HelperError::State { what, found, expected }),
        None => Ok(()),
    }
}

/// What the kept of a list are; nothing of an empty list.
pub(super) fn pick<T: Copy>(list: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().filter_map(|&at| list.get(at).copied()).collect()
}

/// The mirror images among the kept, by their new places.
pub(super) fn pick_pairs(pairs: &[Option<usize>], kept: &[usize]) -> Vec<Option<usize>> {
    let place = |helper: usize| kept.iter().position(|&other| other == helper);
    pick(pairs, kept).into_iter().map(|pair| pair.and_then(place)).collect()
}
