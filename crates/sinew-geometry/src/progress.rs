//! Progress and cancellation of jobs.
//!
//! A job takes `&Progress` and calls [`Progress::step`]; the caller decides in one function what to show and when to stop. The function may
//! be called from any thread, so that a loop of rayon can report too. A flag that stops a job from outside is a function that reads it.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::sync::atomic::{AtomicBool, Ordering};
//!
//! use sinew_geometry::progress::{Interrupted, Progress, Step};
//!
//! fn job(progress: &Progress<'_>) -> Result<(), Interrupted> {
//!     for frame in 0..10 {
//!         progress.part("posing", 0.0..0.3).step(frame, 10)?;
//!     }
//!     progress.part("drawing", 0.3..1.0).step(1, 1)
//! }
//!
//! let is_stopped = AtomicBool::new(false);
//! let watch = |step: &Step<'_>| {
//!     assert!(step.share <= 1.0, "{}: {} of {}", step.stage, step.done, step.total);
//!     if is_stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
//! };
//! assert_eq!(job(&Progress::new(&watch)), Ok(()));
//! is_stopped.store(true, Ordering::Relaxed);
//! assert_eq!(job(&Progress::new(&watch)), Err(Interrupted));
//! ```

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, PoisonError};

/// Called with every step, from any thread; `Break` stops the job.
pub type Watch<'a> = dyn Fn(&Step<'_>) -> ControlFlow<()> + Sync + 'a;

/// The caller stopped the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// A progress report of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step<'a> {
    /// Outermost part that has a name: what a person would call the job of the moment. Empty where no part has one.
    pub job: &'a str,
    /// Innermost part that has a name; the same as `job` where there is one only.
    pub stage: &'a str,
    /// Steps of the innermost part that are done.
    pub done: usize,
    /// Steps that the innermost part has at most.
    pub total: usize,
    /// Finished share of the whole, 0 to 1.
    pub share: f64,
    /// Error that is left, in the unit of the job; `None` where it measures none.
    pub residual: Option<f64>,
}

/// Receiver of a job's or a part's progress. Free if nobody listens.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    watch: Option<&'a Watch<'a>>,
    job: &'a str,
    stage: &'a str,
    from: f64,
    share: f64,
}

impl<'a> Progress<'a> {
    /// Nobody watches, and nothing stops.
    #[must_use]
    pub const fn none() -> Self {
        Self { watch: None, job: "", stage: "", from: 0.0, share: 1.0 }
    }

    /// A job that `watch` follows. For a function that changes what it holds, see [`one_at_a_time`].
    #[must_use]
    pub const fn new(watch: &'a Watch<'a>) -> Self {
        Self { watch: Some(watch), ..Self::none() }
    }

    /// A part of this job. `share`: which part of this job's way it is, 0 to 1. An empty name keeps that of this job.
    #[must_use]
    pub fn part<'b>(&self, stage: &'b str, share: Range<f64>) -> Progress<'b>
    where
        'a: 'b,
    {
        Progress {
            watch: self.watch,
            job: if self.job.is_empty() { stage } else { self.job },
            stage: if stage.is_empty() { self.stage } else { stage },
            from: self.from + self.share * share.start,
            share: self.share * (share.end - share.start),
        }
    }

    /// Part `at` of `count` equal parts.
    #[must_use]
    pub fn one_of<'b>(&self, stage: &'b str, at: usize, count: usize) -> Progress<'b>
    where
        'a: 'b,
    {
        let count = count.max(1) as f64;
        self.part(stage, at as f64 / count..(at + 1) as f64 / count)
    }

    /// Reports that `done` of `total` steps of this part are done.
    ///
    /// # Errors
    /// The caller wants to stop.
    pub fn step(&self, done: usize, total: usize) -> Result<(), Interrupted> {
        self.report(done, total, None)
    }

    /// As [`Progress::step`], with the error that is left.
    ///
    /// # Errors
    /// The caller wants to stop.
    pub fn step_with(&self, done: usize, total: usize, residual: f64) -> Result<(), Interrupted> {
        self.report(done, total, Some(residual))
    }

    fn report(&self, done: usize, total: usize, residual: Option<f64>) -> Result<(), Interrupted> {
        let Some(watch) = self.watch else { return Ok(()) };
        let part = (done as f64 / total.max(1) as f64).min(1.0);
        let share = self.from + self.share * part;
        let step = Step { job: self.job, stage: self.stage, done, total, share, residual };
        if watch(&step).is_break() { Err(Interrupted) } else { Ok(()) }
    }
}

impl Default for Progress<'_> {
    fn default() -> Self {
        Self::none()
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { watch, job, stage, from, share } = self;
        let is_watched = watch.is_some();
        write!(f, "Progress {{ {job:?}, {stage:?}, {from}..{}, watched: {is_watched} }}", from + share)
    }
}

/// Makes a function that changes what it holds one that any thread may call: calls wait for each other.
pub fn one_at_a_time(
    watch: impl FnMut(&Step<'_>) -> ControlFlow<()> + Send,
) -> impl Fn(&Step<'_>) -> ControlFlow<()> + Sync {
    let watch = Mutex::new(watch);
    // A watcher that panicked in another thread has nothing of ours in it that could be half done.
    move |step: &Step<'_>| (watch.lock().unwrap_or_else(PoisonError::into_inner))(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDING: f64 = 1e-12;

    fn watched(job: impl Fn(&Progress<'_>)) -> Vec<(String, String, f64)> {
        let mut seen = Vec::new();
        let watch = one_at_a_time(|step| {
            seen.push((step.job.to_owned(), step.stage.to_owned(), step.share));
            ControlFlow::Continue(())
        });
        job(&Progress::new(&watch));
        drop(watch);
        seen
    }

    #[test]
    fn parts_of_parts_add_up_to_the_whole() {
        let seen = watched(|progress| {
            for at in 0..4 {
                let joint = progress.one_of("elbow", at, 4);
                joint.part("starts", 0.0..0.5).step(1, 1).unwrap();
                joint.part("", 0.5..1.0).step(2, 4).unwrap();
            }
            progress.step(7, 7).unwrap();
        });
        let shares: Vec<f64> = seen.iter().map(|step| step.2).collect();
        let expected = [0.125, 0.1875, 0.375, 0.4375, 0.625, 0.6875, 0.875, 0.9375, 1.0];
        assert_eq!(shares.len(), expected.len());
        assert!(shares.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < ROUNDING));
        assert_eq!((&*seen[0].0, &*seen[0].1), ("elbow", "starts"));
        assert_eq!((&*seen[1].0, &*seen[1].1), ("elbow", "elbow"));
    }

    #[test]
    fn more_steps_than_announced_do_not_leave_the_part() {
        let seen = watched(|progress| progress.part("", 0.0..0.5).step_with(9, 3, 0.1).unwrap());
        assert!((seen[0].2 - 0.5).abs() < ROUNDING);
    }

    #[test]
    fn a_break_reaches_the_job_and_nobody_never_stops() {
        let watch = |step: &Step<'_>| match step.done {
            2.. => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let job = |progress: &Progress<'_>| (0..5).try_for_each(|at| progress.step(at, 5));
        assert_eq!(job(&Progress::new(&watch)), Err(Interrupted));
        assert_eq!(job(&Progress::none()), Ok(()));
        assert_eq!(Interrupted.to_string(), "interrupted");
    }
}
