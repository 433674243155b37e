//! How far flesh is from what was recorded.

use super::examples::{self, ExamplesError};
use super::tuner::{TuneError, TuneInput};
use glam::Vec3;
use serde::Serialize;
use sinew_flesh::anatomy::Paint;
use sinew_flesh::fibers::FiberSolver;
use sinew_flesh::{FleshFrames, FleshMotion, FleshRig, FleshRigError, FleshRun, FleshSettings, FleshSkin};
use sinew_geometry::Bounds;
use sinew_geometry::progress::Progress;
use sinew_rig::Deformer;
use sinew_skin::SkinSettings;
use std::sync::Arc;

/// How far the skin is from the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExampleError {
    /// Root mean square over vertices and the frames that the search sees, metres.
    pub rms_m: f64,
    /// The same as a share of the recorded follow-through's own, which is its distance from skinning with what muscles add: 1 is as bad as flesh that
    /// does not move.
    pub share: f64,
    /// Over the frames that it does not see, metres; `None` where there are too few frames.
    pub held_out_rms_m: Option<f64>,
    /// As a share of the recorded follow-through in those.
    pub held_out_share: Option<f64>,
}

/// Settings that were tried.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) settings: FleshSettings,
    /// Differences from what was recorded, metres; of a part of the vertices in the frames that the search sees.
    pub(super) residuals: Vec<f32>,
    pub(super) error: ExampleError,
}

/// Plays settings and compares them with what was recorded.
pub(super) struct Judge {
    pub(super) rig: Arc<FleshRig>,
    solver: FiberSolver,
    paints: Vec<Paint>,
    skinning: SkinSettings,
    skin: Option<Arc<dyn Deformer>>,
    motion: FleshMotion,
    /// Recorded shapes, one list a frame.
    recorded: Vec<Vec<Vec3>>,
    /// Recorded follow-through: their deviations from skin over flesh that does not move.
    wanted: Vec<Vec<Vec3>>,
    is_held_out: Vec<bool>,
    /// Each so many-th vertex is among the residuals.
    stride: usize,
}

/// Vertices of all frames together that residuals are kept of: a search keeps some fifteen lists of them.
const MOST_COMPARED: usize = 300_000;

/// Follow-through below this share of the body's size is rounding of files.
const LEAST_FOLLOW_THROUGH: f64 = 1e-6;

impl Judge {
    pub(super) fn new(input: TuneInput) -> Result<(Self, FleshSettings), TuneError> {
        let TuneInput { covered, start, paints, skinning, skin, motion, examples } = input;
        examples::check(&examples, covered.surface.positions.len(), &motion)?;
        let size = f64::from(Bounds::of(&covered.surface.positions).diagonal());
        let solver = FiberSolver::new(&covered.cover.mesh).map_err(FleshRigError::from)?;
        let rig = Arc::new(FleshRig::new(covered, &start, &paints)?);
        let recorded = examples;
        let mut wanted = recorded.clone();
        let run = FleshRun::new(&rig, skinning.clone()).with_skin(skin.clone());
        // Flesh that does not move shows skinning, and what muscles add to it whatever the settings that are sought.
        let still = vec![Vec3::ZERO; rig.anatomy.point_count()];
        let frames = FleshFrames { deviations: vec![still; wanted.len()], ..FleshFrames::default() };
        let mut unmoved = FleshSkin::new(&run, &motion, &Arc::new(frames));
        for (frame, shape) in wanted.iter_mut().enumerate() {
            unmoved.set_positions(frame);
            shape.iter_mut().zip(unmoved.positions()).for_each(|(place, unmoved)| *place -= *unmoved);
        }
        let (squares, count) = wanted.iter().map(|frame| sum(frame)).fold((0.0, 0), add);
        let rms_m = rms((squares, count));
        if rms_m < LEAST_FOLLOW_THROUGH * size {
            return Err(ExamplesError::NoFollowThrough { rms_m }.into());
        }
        let is_held_out = examples::held_out(wanted.len(), motion.fps);
        let stride = count.div_ceil(MOST_COMPARED).max(1);
        let judge =
            Self { rig, solver, paints, skinning, skin, motion, recorded, wanted, is_held_out, stride };
        Ok((judge, start))
    }

    /// Recorded follow-through in the frames that the search sees, root mean square, metres.
    pub(super) fn follow_through_m(&self) -> f64 {
        rms(self.follow_through_in(false))
    }

    /// The farthest that recorded follow-through goes, metres.
    pub(super) fn farthest_m(&self) -> f32 {
        self.wanted.iter().flatten().map(|away| away.length()).fold(0.0, f32::max)
    }

    /// Frames that the search does not see.
    pub(super) fn held_out_count(&self) -> usize {
        self.is_held_out.iter().filter(|held| **held).count()
    }

    /// The mean square of residuals is the square of the error, to how well a part of the vertices stands for all.
    pub(super) fn residual_count(&self) -> usize {
        let vertices = self.wanted[0].len().div_ceil(self.stride);
        vertices * (self.wanted.len() - self.held_out_count())
    }

    /// Plays the motion with settings.
    pub(super) fn try_out(
        &mut self,
        settings: FleshSettings,
        progress: &Progress<'_>,
    ) -> Result<Trial, TuneError> {
        Arc::make_mut(&mut self.rig).relay(&settings, &self.paints, &mut self.solver)?;
        let run = FleshRun::new(&self.rig, self.skinning.clone()).with_skin(self.skin.clone());
        let frames = run.play(&self.motion, progress)?;
        let mut away = vec![Vec3::ZERO; self.wanted[0].len()];
        let (mut seen, mut held_out) = ((0.0, 0), (0.0, 0));
        let mut residuals = Vec::with_capacity(3 * self.residual_count());
        let mut shown = FleshSkin::new(&run, &self.motion, &frames);
        for (frame, (recorded, is_held_out)) in self.recorded.iter().zip(&self.is_held_out).enumerate() {
            shown.set_positions(frame);
            let apart = shown.positions().iter().zip(recorded).map(|(shown, recorded)| *shown - *recorded);
            away.iter_mut().zip(apart).for_each(|(away, apart)| *away = apart);
            if *is_held_out {
                held_out = add(held_out, sum(&away));
            } else {
                seen = add(seen, sum(&away));
                residuals.extend(away.iter().step_by(self.stride).flat_map(|away| away.to_array()));
            }
        }
        let share =
            |found: (f64, usize), wanted: (f64, usize)| rms(found) / rms(wanted).max(f64::MIN_POSITIVE);
        let is_there = held_out.1 > 0;
        let error = ExampleError {
            rms_m: rms(seen),
            share: share(seen, self.follow_through_in(false)),
            held_out_rms_m: is_there.then(|| rms(held_out)),
            held_out_share: is_there.then(|| share(held_out, self.follow_through_in(true))),
        };
        Ok(Trial { settings, residuals, error })
    }

    fn follow_through_in(&self, held_out: bool) -> (f64, usize) {
        let frames = self.wanted.iter().zip(&self.is_held_out).filter(|(_, is)| **is == held_out);
        frames.map(|(frame, _)| sum(frame)).fold((0.0, 0), add)
    }
}

fn sum(frame: &[Vec3]) -> (f64, usize) {
    (frame.iter().map(|away| f64::from(away.length_squared())).sum(), frame.len())
}

fn add(a: (f64, usize), b: (f64, usize)) -> (f64, usize) {
    (a.0 + b.0, a.1 + b.1)
}

fn rms((squares, count): (f64, usize)) -> f64 {
    (squares / count.max(1) as f64).sqrt()
}
