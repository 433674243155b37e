//! The source's own way on a subject: how its error falls, and the seconds of its steps.

use super::super::table;
use super::subject::Subject;
use anyhow::Result;
use serde::Serialize;
use sinew_fit::{GreedyProgress, GreedyStep, HelperSettings, greedy_steps};
use std::ops::ControlFlow;
use std::time::Instant;

/// Sweeps of the source.
const SWEEPS: usize = 20;

/// Seconds of the source's steps with so many helpers, from one start on all poses; means of the steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepRow {
    /// Helpers.
    pub helpers: usize,
    /// To put one in.
    pub insertion_secs: f64,
    /// To find weights from sums.
    pub weights_secs: f64,
    /// To move all helpers in all poses, and sum what weights need.
    pub transforms_secs: f64,
    /// All of it.
    pub total_secs: f64,
    /// RMS error after each sweep; the first is before the first sweep.
    pub sweeps: Vec<f64>,
    /// The source's own seconds, on its leg with 40 logical cores: insertion, weights, transforms and all.
    pub source_secs: Option<[f64; 4]>,
}

/// \[Mukai15\] Sec. 6.1.
fn source_secs(helpers: usize) -> Option<[f64; 4]> {
    match helpers {
        1 => Some([0.05, 0.11, 0.05, 3.4]),
        4 => Some([0.05, 0.42, 0.18, 15.0]),
        _ => None,
    }
}

pub(super) fn step_row(subject: &Subject, helpers: usize) -> Result<StepRow> {
    let settings = HelperSettings {
        helper_count: helpers,
        full_sweeps: if helpers == 0 { 0 } else { SWEEPS },
        ..HelperSettings::default()
    };
    let mut clock = Clock::new();
    greedy_steps(&subject.examples.examples(), &settings, &mut |progress| {
        clock.note(progress);
        ControlFlow::Continue(())
    })?;
    Ok(clock.row(helpers, subject))
}

/// Seconds and numbers of steps, by kind.
struct Clock {
    begin: Instant,
    last: Instant,
    sums: [(f64, usize); 3],
    sweeps: Vec<f64>,
}

impl Clock {
    fn new() -> Self {
        let begin = Instant::now();
        Self { begin, last: begin, sums: [(0.0, 0); 3], sweeps: Vec::new() }
    }

    fn note(&mut self, progress: &GreedyProgress) {
        let now = Instant::now();
        let (kind, counts) = match progress.step {
            GreedyStep::Insertion => (0, true),
            // Weights of bones alone, and of a helper that has just come, sum over all poses first: their time is not that of a sweep's.
            GreedyStep::Weights => (1, progress.sweep.is_some()),
            GreedyStep::Transforms => (2, true),
        };
        if counts {
            self.sums[kind].0 += (now - self.last).as_secs_f64();
            self.sums[kind].1 += 1;
        }
        if progress.step == GreedyStep::Weights {
            if progress.sweep.is_none() {
                self.sweeps.clear();
            }
            self.sweeps.push(progress.rms_error);
        }
        self.last = now;
    }

    fn row(&self, helpers: usize, subject: &Subject) -> StepRow {
        let mean = |kind: usize| self.sums[kind].0 / self.sums[kind].1.max(1) as f64;
        StepRow {
            helpers,
            insertion_secs: mean(0),
            weights_secs: mean(1),
            transforms_secs: mean(2),
            total_secs: (self.last - self.begin).as_secs_f64(),
            sweeps: self.sweeps.iter().map(|rms| rms * subject.units).collect(),
            source_secs: if subject.is_source { source_secs(helpers) } else { None },
        }
    }
}

const SOURCE_IN_BRACKETS: &str = "In brackets the source, on its own leg with 40 logical cores.\n";

pub(super) fn step_markdown(rows: &[StepRow]) -> String {
    let source = if rows.iter().any(|row| row.source_secs.is_some()) { SOURCE_IN_BRACKETS } else { "" };
    let head = format!(
        "Seconds of a step, means; from one start on all poses, {SWEEPS} sweeps. Sums over all poses that weights need count as transforms.\n\
         {source}\n\
         | helpers | insertion | weights | transforms | all |\n|---|---|---|---|---|"
    );
    let shown: Vec<&StepRow> = rows.iter().filter(|row| row.helpers > 0).collect();
    table(&head, &shown, |row| {
        let own = [row.insertion_secs, row.weights_secs, row.transforms_secs, row.total_secs];
        let source = |at: usize| row.source_secs.map_or_else(String::new, |secs| format!(" ({})", secs[at]));
        let cells = [0, 1, 2, 3].map(|at| format!("{:.4}{}", own[at], source(at)));
        format!("| {} | {} |", row.helpers, cells.join(" | "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_steps_and_sweeps_begin_with_the_last_helper() {
        let mut clock = Clock::new();
        let told = [
            (GreedyStep::Weights, 0, None, 4.0),
            (GreedyStep::Insertion, 1, None, 4.0),
            (GreedyStep::Weights, 1, None, 3.0),
            (GreedyStep::Transforms, 1, Some(1), 3.0),
            (GreedyStep::Weights, 1, Some(1), 2.0),
            (GreedyStep::Transforms, 1, Some(2), 2.0),
            (GreedyStep::Weights, 1, Some(2), 1.0),
        ];
        for (step, helper_count, sweep, rms_error) in told {
            clock.note(&GreedyProgress { step, helper_count, sweep, rms_error });
        }
        assert_eq!(clock.sweeps, [3.0, 2.0, 1.0]);
        assert_eq!(clock.sums.map(|(_, count)| count), [1, 2, 2]);
    }
}
