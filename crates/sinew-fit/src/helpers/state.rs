//! Where a fit stands: plain data, to store and go on from.

use serde::{Deserialize, Serialize};

use super::sweep::Solution;

/// The parts of a fit, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stage {
    /// Starts, on few poses and vertices.
    #[default]
    Starts,
    /// The better starts go on, on the same poses.
    Race,
    /// The best few on more poses and all vertices.
    Refine,
    /// The best on everything.
    Full,
    /// Nothing left to do.
    Done,
}

impl Stage {
    /// As [`Step::stage`](sinew_geometry::progress::Step) has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Starts => "starts",
            Self::Race => "race",
            Self::Refine => "refine",
            Self::Full => "full",
            Self::Done => "done",
        }
    }
}

/// One line of a fit's history.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageError {
    /// The part.
    pub stage: Stage,
    /// Step of that part.
    pub step: usize,
    /// RMS error over the poses and vertices of that part.
    pub rms_error: f64,
    /// Squared error and the cost of rules; within a part after its first step it never rises.
    pub objective: f64,
}

/// A solution in the race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Candidate {
    pub(crate) solution: Solution,
    pub(crate) objective: f64,
    pub(crate) rms: f64,
}

/// Where a fit stands. Store it with any serde format; [`resume_helpers`](crate::resume_helpers) goes on as if nothing had happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HelperState {
    pub(crate) stage: Stage,
    pub(crate) step: usize,
    /// Best first, except during [`Stage::Starts`].
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) history: Vec<StageError>,
}

impl HelperState {
    /// The part it is in.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Keeps the best, at most `count`; ties go to the earlier start.
    pub(crate) fn keep_best(&mut self, count: usize) {
        self.candidates.sort_by(|a, b| a.objective.total_cmp(&b.objective));
        self.candidates.truncate(count);
    }

    pub(crate) fn best(&self) -> Option<&Candidate> {
        self.candidates.iter().min_by(|a, b| a.objective.total_cmp(&b.objective))
    }

    pub(crate) fn note(&mut self) {
        if let Some(&Candidate { objective, rms: rms_error, .. }) = self.best() {
            self.history.push(StageError { stage: self.stage, step: self.step, rms_error, objective });
        }
    }
}
