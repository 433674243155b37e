//! The order in which numbers are sought.
//!
//! From coarse to fine, because swings that are out of step by half a round look no better for a small change in the right direction: all
//! layers together by two factors; then each layer for itself; then the same in more and in fewer layers; then, with as many layers as are worth
//! it, everything with the fibres until the runs are used up.

use super::examples::ExamplesError;
use super::judge::{Judge, Trial};
use super::knobs::{Knob, turned};
use super::report::{fibres, layers};
use super::{LayerCountTried, SearchSettings, TuneReport, TuneTarget, least_squares, with_layer_count};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use sinew_flesh::anatomy::{Paint, PaintTarget};
use sinew_flesh::{CoveredCharacter, FleshMotion, FleshRigError, FleshSettings};
use sinew_geometry::progress::{Interrupted, Progress, Step};
use sinew_rig::Deformer;
use sinew_skin::SkinSettings;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What settings are sought for.
pub struct TuneInput {
    /// The character and its tetrahedra: fewer are faster.
    pub covered: CoveredCharacter,
    /// Settings to begin with.
    pub start: FleshSettings,
    /// What is painted on the skin.
    pub paints: Vec<Paint>,
    /// How skin and flesh are skinned.
    pub skinning: SkinSettings,
    /// What deforms the skin instead, as in [`sinew_flesh::FleshRun::with_skin`].
    pub skin: Option<Arc<dyn Deformer>>,
    /// The motion that was recorded, at the rate of the recording.
    pub motion: FleshMotion,
    /// The recorded skin: one list of vertices a frame, in the order of [`sinew_rig::BoundSurface`], scene space, metres.
    pub examples: Vec<Vec<Vec3>>,
}

/// What is sought, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TuneSettings {
    /// What may change. Default: everything.
    pub targets: Vec<TuneTarget>,
    /// Most runs of the motion; 1 or more. Default: 150.
    pub evaluations: usize,
    /// Of the random numbers with which a search that has settled begins again. Default: 1.
    pub seed: u64,
}

impl Default for TuneSettings {
    fn default() -> Self {
        Self { targets: TuneTarget::ALL.to_vec(), evaluations: 150, seed: 1 }
    }
}

/// Why no settings are found.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// Shapes that do not fit.
    #[error(transparent)]
    Examples(#[from] ExamplesError),
    /// Settings that make no flesh.
    #[error(transparent)]
    Rig(#[from] FleshRigError),
    /// Nothing to seek.
    #[error("nothing to tune; choose from stiffness, damping, beta, layers or fibers")]
    NoTarget,
    /// Painted layers cannot come and go.
    #[error("cannot tune the thickness of layer {0}; it is painted")]
    PaintedLayers(usize),
    /// All flesh is bone.
    #[error("all layers are held; set `held = false` for those outside the bone")]
    NothingMoves,
}

/// Shares of all runs: for all layers together, for each layer, and for each other number of layers. The rest is for everything.
const TOGETHER: f64 = 0.1;
const EACH: f64 = 0.35;
const OTHER_COUNT: f64 = 0.15;

/// Numbers of layers that are tried, the held one counted.
const LAYER_COUNTS: [usize; 3] = [2, 3, 4];

/// A further layer must lower the error by this share of it, and by this share of the follow-through: every layer more fits noise better.
const WORTH_OF_ERROR: f64 = 0.05;
const WORTH_OF_FOLLOW_THROUGH: f64 = 0.005;

/// An error of this share of the follow-through is as good as none.
const GOOD_ENOUGH: f64 = 1e-3;

/// Finds settings with which the skin moves as it was recorded. Progress is that of each run as a part of all; the best so far is told by
/// the residual, metres, once there is one.
///
/// The same input gives the same settings, bit for bit; they are never worse than those at the start.
///
/// # Errors
/// Shapes that are not those of the motion, settings that make no flesh, nothing that may change; [`FleshRigError::Interrupted`] if it
/// was stopped before its first run was done.
pub fn tune_flesh(
    input: TuneInput,
    settings: &TuneSettings,
    progress: &Progress<'_>,
) -> Result<TuneReport, TuneError> {
    let targets = &settings.targets;
    if targets.is_empty() {
        return Err(TuneError::NoTarget);
    }
    if input.start.layers.iter().all(|layer| layer.is_held) {
        return Err(TuneError::NothingMoves);
    }
    let painted = input.paints.iter().find_map(|paint| match paint.target {
        PaintTarget::Thickness(layer) => Some(layer),
        _ => None,
    });
    if let Some(layer) = painted.filter(|_| targets.contains(&TuneTarget::Layers)) {
        return Err(TuneError::PaintedLayers(layer));
    }
    let frames = input.examples.len();
    let (judge, start) = Judge::new(input)?;
    let mut notes = judge.rig.notes.clone();
    let (farthest, most) = (judge.farthest_m(), start.simulation.max_distance_m);
    if f64::from(farthest) > most {
        notes.push(format!(
            "recorded skin is up to {farthest:.3} m from plain skinning, but simulation.max_distance_m is {most}; raise it if flesh should follow there"
        ));
    }
    let held_out_frames = judge.held_out_count();
    let mut tuner = Tuner { judge, settings, progress, used: 0, best_m: None, is_stopped: false };
    let Some(before) = tuner.try_out(start)? else {
        return Err(FleshRigError::Interrupted(Interrupted).into());
    };
    let (after, layer_counts) = tuner.seek(before.clone())?;
    Ok(TuneReport {
        before: before.error,
        after: after.error,
        follow_through_m: tuner.judge.follow_through_m(),
        evaluations: tuner.used,
        frames,
        held_out_frames,
        layer_counts,
        layers_before: layers(&before.settings),
        layers_after: layers(&after.settings),
        fibres_before: fibres(&before.settings),
        fibres_after: fibres(&after.settings),
        is_stopped: tuner.is_stopped,
        notes,
        settings: after.settings,
    })
}

struct Tuner<'a> {
    judge: Judge,
    settings: &'a TuneSettings,
    progress: &'a Progress<'a>,
    used: usize,
    best_m: Option<f64>,
    is_stopped: bool,
}

impl Tuner<'_> {
    fn seek(&mut self, before: Trial) -> Result<(Trial, Vec<LayerCountTried>), TuneError> {
        let targets = &self.settings.targets;
        let share = |share: f64| (share * self.settings.evaluations as f64).ceil() as usize;
        let (together, each, other) = (share(TOGETHER), share(EACH), share(OTHER_COUNT));
        let mut best = before;
        best = self.stage(best, &Knob::together(targets), together, COARSE)?;
        let knobs = Knob::of_layers(targets, &best.settings);
        best = self.stage(best, &knobs, each, USUAL)?;
        let mut tried = Vec::new();
        if targets.contains(&TuneTarget::Layers) {
            let own = best.settings.layers.len();
            let mut candidates = vec![best];
            for count in LAYER_COUNTS.into_iter().filter(|count| *count != own) {
                let Some(settings) = with_layer_count(&candidates[0].settings, count) else { continue };
                if self.is_over() {
                    break;
                }
                let Some(start) = self.try_out(settings)? else { break };
                let knobs = Knob::of_layers(targets, &start.settings);
                candidates.push(self.stage(start, &knobs, other, USUAL)?);
            }
            let of = |trial: &Trial| LayerCountTried {
                layers: trial.settings.layers.len(),
                rms_m: trial.error.rms_m,
            };
            tried = candidates.iter().map(of).collect();
            best = self.worth_it(candidates);
        }
        let mut knobs = Knob::of_layers(targets, &best.settings);
        let has_muscles = !self.judge.rig.muscles.muscles().is_empty();
        knobs.extend(Knob::of_fibres(targets, has_muscles));
        let rest = self.settings.evaluations - self.used.min(self.settings.evaluations);
        best = self.stage(best, &knobs, rest, FINE)?;
        Ok((best, tried))
    }

    fn is_over(&self) -> bool {
        self.is_stopped || self.used >= self.settings.evaluations
    }

    /// Of settings with several numbers of layers, those with the fewest that no further layer is worth adding to.
    fn worth_it(&self, mut candidates: Vec<Trial>) -> Trial {
        candidates.sort_by_key(|trial| trial.settings.layers.len());
        let least_gain = WORTH_OF_FOLLOW_THROUGH * self.judge.follow_through_m();
        let mut of_count = candidates.into_iter();
        let first = of_count.next().expect("the number at the start is among them");
        of_count.fold(first, |best, more| {
            let gain = best.error.rms_m - more.error.rms_m;
            if gain > least_gain.max(WORTH_OF_ERROR * best.error.rms_m) { more } else { best }
        })
    }

    /// Seeks with some of the numbers free. The best of all that was tried, which is `base` where nothing is better.
    fn stage(
        &mut self,
        base: Trial,
        knobs: &[Knob],
        evaluations: usize,
        manner: Manner,
    ) -> Result<Trial, TuneError> {
        if knobs.is_empty() || self.is_over() {
            return Ok(base);
        }
        let evaluations = evaluations.min(self.settings.evaluations - self.used);
        let good_enough = GOOD_ENOUGH * self.judge.follow_through_m();
        let search = SearchSettings {
            // The base is known, and counts as one.
            evaluations: evaluations + 1,
            radius: manner.radius,
            tolerance: manner.tolerance,
            target: good_enough * good_enough * self.judge.residual_count() as f64,
            restarts: manner.restarts,
            seed: self.settings.seed,
        };
        let from: Vec<f64> = knobs.iter().map(|knob| knob.coordinate(&base.settings)).collect();
        let bounds: Vec<[f64; 2]> = knobs.iter().map(|knob| knob.bounds()).collect();
        let mut best = base.clone();
        least_squares(&from, &bounds, &search, &mut |at: &[f64]| {
            let settings = turned(&base.settings, knobs, at);
            if settings == base.settings {
                return Ok(Some(base.residuals.clone()));
            }
            let Some(trial) = self.try_out(settings)? else { return Ok(None) };
            let residuals = trial.residuals.clone();
            if trial.error.rms_m < best.error.rms_m {
                best = trial;
            }
            Ok::<_, TuneError>(Some(residuals))
        })?;
        Ok(best)
    }

    fn try_out(&mut self, settings: FleshSettings) -> Result<Option<Trial>, TuneError> {
        let (used, most) = (self.used, self.settings.evaluations);
        let (progress, best_m) = (*self.progress, self.best_m);
        // Runs are what a person counts; frames only let the caller stop within one.
        let watch = |_: &Step<'_>| match best_m {
            Some(best_m) => flow(progress.step_with(used, most, best_m)),
            None => flow(progress.step(used, most)),
        };
        match self.judge.try_out(settings, &Progress::new(&watch)) {
            Ok(trial) => {
                self.used += 1;
                self.best_m = Some(best_m.map_or(trial.error.rms_m, |best_m| best_m.min(trial.error.rms_m)));
                Ok(Some(trial))
            }
            Err(TuneError::Rig(FleshRigError::Interrupted(_))) => {
                self.is_stopped = true;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

fn flow(reported: Result<(), Interrupted>) -> ControlFlow<()> {
    if reported.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// How a stage searches; lengths in coordinates of knobs.
#[derive(Clone, Copy)]
struct Manner {
    radius: f64,
    tolerance: f64,
    restarts: usize,
}

/// Half as stiff or twice as stiff.
const COARSE: Manner = Manner { radius: 0.7, tolerance: 0.1, restarts: 0 };
/// Two thirds as stiff, or half as stiff again.
const USUAL: Manner = Manner { radius: 0.4, tolerance: 0.01, restarts: 0 };
/// A quarter more or less, to 2 in 1,000, and again beside it as long as there are runs.
const FINE: Manner = Manner { radius: 0.25, tolerance: 0.002, restarts: 4 };
