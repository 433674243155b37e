//! Start of solving: the base's own solution and its slopes.

use super::Base;
use super::knobs::{KNOB_COUNT, Knob, Knobs};
use super::solver::Task;
use crate::design::Design;
use crate::template::Template;
use sinew_geometry::Lu;

/// Relative change of the reading in a row by the knob in a column, both in the order of [`Knob::ALL`].
type Slopes = [[f64; KNOB_COUNT]; KNOB_COUNT];

/// Known before the person is: the base's distance from its measures, and the response of readings to knobs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Start {
    /// The knobs at which the base has its person's measures, after at most three steps.
    pub(super) knobs: Knobs,
    /// Response of readings to knobs, near there.
    slopes: Slopes,
}

/// Trial change of knobs; small enough to be linear, large compared with the tapes' 1e-4.
const TRIAL: f64 = 0.03;

/// Slopes of a round body, for a base that cannot be built when its knobs are turned.
const PLAIN: [f64; KNOB_COUNT] = [0.57, 0.9, 0.9, 0.9, 1.0, 1.0, 0.8];

impl Start {
    pub(super) fn of(template: &Template, base: &Base) -> Self {
        let none = Design::default();
        let mut plain = [[0.0; KNOB_COUNT]; KNOB_COUNT];
        (0..KNOB_COUNT).for_each(|place| plain[place][place] = PLAIN[place]);
        let mut start = Start { knobs: Knobs::default(), slopes: plain };
        // Twice if the base does not have its measures yet, because slopes are better where it does.
        for _ in 0..2 {
            let before = start.knobs;
            let task = Task::new(template, base, &start, &base.person, &none);
            let known = Knob::needed(&base.person);
            if let Ok(turned) = task.turn(&known, start.knobs) {
                start.knobs = turned.knobs;
            }
            if let Some(slopes) = slopes(&Task::new(template, base, &start, &base.person, &none)) {
                start.slopes = slopes;
            }
            if start.knobs == before {
                break;
            }
        }
        start
    }

    /// The inverse of the slopes among some knobs.
    pub(super) fn inverse(&self, wanted: &[Knob]) -> Vec<Vec<f64>> {
        let size = wanted.len();
        let factor = Lu::factor(size, |i, j| self.slopes[wanted[i] as usize][wanted[j] as usize]);
        let mut inverse = vec![vec![0.0; size]; size];
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            // For a singular matrix each knob affects only its own reading.
            factor.iter().for_each(|factor| factor.solve(&mut unit));
            (0..size).for_each(|row| inverse[row][column] = unit[row]);
        }
        inverse
    }
}

fn slopes(task: &Task<'_>) -> Option<Slopes> {
    let before = task.at(task.start.knobs, &Knob::ALL).ok()?.errors;
    let mut slopes = [[0.0; KNOB_COUNT]; KNOB_COUNT];
    for (column, knob) in Knob::ALL.into_iter().enumerate() {
        let mut knobs = task.start.knobs;
        knobs[knob] += TRIAL;
        let after = task.at(knobs, &Knob::ALL).ok()?.errors;
        for row in 0..KNOB_COUNT {
            slopes[row][column] = (after[row] - before[row]) / TRIAL;
        }
    }
    Some(slopes)
}
