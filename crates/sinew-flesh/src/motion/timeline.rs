//! From steps of fixed length to frames at any rate.

use super::{Drive, Flesh, FleshState};
use glam::Vec3;
use std::ops::ControlFlow;

/// Which times are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeline {
    /// The time of the first frame, seconds.
    pub start_secs: f64,
    /// Frames a second.
    pub fps: f64,
    /// How many frames.
    pub count: usize,
    /// How long flesh moves before the first frame, seconds: nothing for a start at rest, some cycles for a motion that repeats.
    pub warm_secs: f64,
}

impl Timeline {
    fn time(&self, frame: usize) -> f64 {
        self.start_secs + frame as f64 / self.fps
    }
}

/// What flesh is simulated for.
pub trait Stage {
    /// What drives flesh at a time.
    fn drive(&mut self, time_secs: f64, drive: &mut Drive);

    /// Takes a frame: every particle's deviation, and the state at the end of the step that it lies in. `Break` ends it all.
    fn take(&mut self, frame: usize, deviations: &[Vec3], state: FleshState) -> ControlFlow<()>;
}

/// Steps flesh through time and hands out every frame.
///
/// Steps lie on a grid that does not depend on the frames, so that their rate does not change the motion; between two steps deviations go
/// along cubic curves.
pub fn simulate(flesh: &mut Flesh, timeline: &Timeline, stage: &mut dyn Stage) {
    let dt = f64::from(flesh.settings().dt_secs);
    let mut drive = Drive::default();
    // The grid goes through the first frame.
    let warm_steps = (timeline.warm_secs / dt).ceil().max(0.0);
    let begin = timeline.start_secs - warm_steps * dt;
    stage.drive(begin, &mut drive);
    let mut next = Drive::default();
    stage.drive(begin + dt, &mut next);
    flesh.settle(&drive, &next.shape);
    let mut step = 0u64;
    let mut before = Sample::of(flesh);
    let mut after = before.clone();
    let mut has_jumped = false;
    let mut blended = vec![Vec3::ZERO; flesh.particle_count()];
    for frame in 0..timeline.count {
        let time = timeline.time(frame);
        // A frame that falls on a step is that step, whatever rounding says.
        while begin + step as f64 * dt < time - 1e-9 {
            step += 1;
            let end = begin + step as f64 * dt;
            stage.drive(end, &mut drive);
            std::mem::swap(&mut before, &mut after);
            has_jumped |= flesh.step(&drive);
            after.set(flesh);
        }
        let share = 1.0 - (begin + step as f64 * dt - time) / dt;
        after.blend_into(&before, share.clamp(0.0, 1.0) as f32, dt as f32, &mut blended);
        let state = FleshState { has_jumped: std::mem::take(&mut has_jumped), ..flesh.state() };
        if stage.take(frame, &blended, state).is_break() {
            return;
        }
    }
}

/// Deviations at the end of a step.
#[derive(Clone)]
struct Sample {
    places: Vec<Vec3>,
    speeds: Vec<Vec3>,
}

impl Sample {
    fn of(flesh: &Flesh) -> Self {
        Self { places: flesh.deviations().collect(), speeds: vec![Vec3::ZERO; flesh.particle_count()] }
    }

    fn set(&mut self, flesh: &Flesh) {
        self.places.iter_mut().zip(flesh.deviations()).for_each(|(place, found)| *place = found);
        self.speeds.iter_mut().zip(flesh.deviation_speeds()).for_each(|(speed, found)| *speed = found);
    }

    /// Hermite's curve from another sample to this.
    fn blend_into(&self, before: &Self, share: f32, dt_secs: f32, blended: &mut [Vec3]) {
        let (t, t2) = (share, share * share);
        let t3 = t2 * t;
        let (from, to) = (2.0 * t3 - 3.0 * t2 + 1.0, 3.0 * t2 - 2.0 * t3);
        let (from_speed, to_speed) = ((t3 - 2.0 * t2 + t) * dt_secs, (t3 - t2) * dt_secs);
        for (at, blended) in blended.iter_mut().enumerate() {
            *blended = before.places[at] * from
                + self.places[at] * to
                + before.speeds[at] * from_speed
                + self.speeds[at] * to_speed;
        }
    }
}
