//! Adjusts knobs until the tapes read the requested values.

use super::grown::grown;
use super::knobs::{Knob, Knobs};
use super::readings::{BODY_DENSITY, ring_girth, tape_girth};
use super::sizes::{MEASURED_RINGS, RING_COUNT, Sizes};
use super::start::Start;
use super::{Base, MakeError, MakeNote, MeasuredBody};
use crate::body::Body;
use crate::build::build;
use crate::design::Design;
use crate::quadrature::{BodyRules, PatchRule};
use crate::survey::{BodyMeasures, Completed};
use crate::template::Template;
use std::cell::Cell;

/// Maximum builds; three are usual.
const MOST_STEPS: usize = 14;

/// Tolerance of a measured ring's girth, as a share: half of the promised 1e-5 m, for a head.
const RING_TOLERANCE: f64 = 5e-6;

/// Makes a body with a person's measures; see [`super::Maker::make_with`].
pub(super) fn solve(task: &Task<'_>) -> Result<MeasuredBody, MakeError> {
    let (wanted, mut notes) = (Knob::needed(task.person), Vec::new());
    let none = Design::default();
    if *task.own == none {
        let solved = task.settle(&wanted, task.start.knobs, &mut notes)?;
        return Ok(MeasuredBody { body: solved.body, design: solved.design, notes });
    }
    // A design lies over the measured body: what it changes shows, and only given measures are solved for again.
    let plain = Task::new(task.template, task.base, task.start, task.person, &none);
    let measured = plain.settle(&wanted, task.start.knobs, &mut notes)?;
    let given: Vec<Knob> =
        wanted.into_iter().filter(|knob| task.person.estimate(knob.measure()).is_given).collect();
    let solved = task.settle(&given, measured.knobs, &mut notes)?;
    Ok(MeasuredBody { body: solved.body, design: solved.design, notes })
}

/// Input of a solve.
pub(super) struct Task<'a> {
    template: &'a Template,
    base: &'a Base,
    pub(super) start: &'a Start,
    person: &'a Completed,
    own: &'a Design,
    measures: BodyMeasures,
    rules: BodyRules,
    /// Volume of the hands, once known.
    hands_m3: Cell<Option<f64>>,
}

/// A body at some setting of the knobs.
pub(super) struct Turned {
    pub(super) knobs: Knobs,
    design: Design,
    body: Body,
    /// Relative errors, one per wanted knob.
    pub(super) errors: Vec<f64>,
    /// Relative errors of the measured rings.
    ring_errors: [f64; RING_COUNT],
}

impl Turned {
    fn is_met(&self, wanted: &[Knob]) -> bool {
        let is_met = |(knob, error): (&Knob, &f64)| error.abs() <= knob.tolerance();
        wanted.iter().zip(&self.errors).all(is_met)
            && self.ring_errors.iter().all(|error| error.abs() <= RING_TOLERANCE)
    }

    /// The knob that misses its target: one at its limit before others, then one with a given measure, then the farthest off.
    fn out_of_reach(&self, task: &Task<'_>, wanted: &[Knob]) -> Option<Knob> {
        let is_given = |knob: Knob| task.person.estimate(knob.measure()).is_given;
        let is_at_end = |knob: Knob| self.knobs[knob].abs() >= knob.reach();
        let share = |(knob, error): &(&Knob, &f64)| error.abs() / knob.tolerance();
        let is_missed = |pair: &(&Knob, &f64)| share(pair) > 1.0 || pair.1.is_nan();
        let missed = wanted.iter().zip(&self.errors).filter(is_missed);
        let rank = |knob: Knob| (is_at_end(knob), is_given(knob));
        let farthest = missed.max_by(|a, b| rank(*a.0).cmp(&rank(*b.0)).then(share(a).total_cmp(&share(b))));
        farthest.map(|(&knob, _)| knob)
    }
}

impl<'a> Task<'a> {
    pub(super) fn new(
        template: &'a Template,
        base: &'a Base,
        start: &'a Start,
        person: &'a Completed,
        own: &'a Design,
    ) -> Self {
        // Four places each way leave 1e-5 of a body's volume, 1 % of the mass tolerance.
        let rules = BodyRules { bezier: PatchRule::tensor(4), gregory: PatchRule::tensor(4) };
        let (measures, hands_m3) = (BodyMeasures::new(person), Cell::new(None));
        Self { template, base, start, person, own, measures, rules, hands_m3 }
    }

    pub(super) fn at(&self, knobs: Knobs, wanted: &[Knob]) -> Result<Turned, MakeError> {
        let sizes = Sizes { person: self.person, base: &self.base.person, knobs };
        let design = self.own.laid_over(self.template, &grown(self.template, self.base, &sizes));
        let body = build(self.template, &design)?;
        let errors = wanted.iter().map(|&knob| self.read(&body, knob) / self.asked(knob) - 1.0).collect();
        let ring_errors = std::array::from_fn(|place| {
            let (ring, measure) = MEASURED_RINGS[place];
            match ring_girth(&body, ring) {
                Some(girth) if sizes.is_measured(place) && !self.own.rings.contains_key(ring) => {
                    girth / self.person.value(measure) - 1.0
                }
                _ => 0.0,
            }
        });
        Ok(Turned { knobs, design, body, errors, ring_errors })
    }

    fn asked(&self, knob: Knob) -> f64 {
        self.person.value(knob.measure())
    }

    fn read(&self, body: &Body, knob: Knob) -> f64 {
        match knob {
            Knob::Crown => body.stature(),
            Knob::Soft => {
                // By fast rules, in two parts: hands, which no knob changes, and the rest; m³.
                let sum = |is_hand: bool| -> f64 {
                    let part = body.patches.iter().filter(|patch| (patch.group == "hand") == is_hand);
                    part.map(|patch| self.rules.volume(&patch.patch)).sum()
                };
                let hands = self.hands_m3.get().unwrap_or_else(|| sum(true));
                self.hands_m3.set(Some(hands));
                BODY_DENSITY * (hands + sum(false))
            }
            Knob::Chest | Knob::Waist | Knob::Hips | Knob::Thigh | Knob::Calf => {
                tape_girth(body, &self.measures, knob.measure())
            }
        }
    }

    /// Adjusts the knobs by Broyden's method: each step corrects the base's slopes. Rings respond almost one to one, and only to their own
    /// girth. A knob at its limit that would go further stays there, and the others are adjusted without it; it is released when its reading
    /// asks for the way back.
    pub(super) fn turn(&self, wanted: &[Knob], from: Knobs) -> Result<Turned, MakeError> {
        let mut active: Vec<usize> = (0..wanted.len()).collect();
        let of = |active: &[usize]| -> Vec<Knob> { active.iter().map(|&place| wanted[place]).collect() };
        let mut inverse = self.start.inverse(wanted);
        let mut now = self.at(from, wanted)?;
        for _ in 0..MOST_STEPS {
            if now.is_met(wanted) {
                break;
            }
            let mut knobs = now.knobs;
            let mut stuck: Vec<usize> = Vec::new();
            for (row, &place) in active.iter().enumerate() {
                let knob = wanted[place];
                let errors = active.iter().map(|&place| now.errors[place]);
                let step: f64 = inverse[row].iter().zip(errors).map(|(b, error)| -b * error).sum();
                let reach = knob.reach();
                let is_at_end = now.knobs[knob].abs() >= reach;
                let turned = (now.knobs[knob] + step).clamp(-reach, reach);
                knobs[knob] = turned;
                if is_at_end && turned == now.knobs[knob] {
                    stuck.push(place);
                }
            }
            knobs.rings.iter_mut().zip(now.ring_errors).for_each(|(ring, error)| *ring -= error);
            let next = self.at(knobs, wanted)?;
            // The readings of all adjusted knobs rise with them.
            let comes_back = |place: &usize| next.errors[*place] * next.knobs[wanted[*place]] > 0.0;
            let held: Vec<usize> = (0..wanted.len())
                .filter(|place| stuck.contains(place) || !active.contains(place))
                .filter(|place| !comes_back(place))
                .collect();
            let free: Vec<usize> = (0..wanted.len()).filter(|place| !held.contains(place)).collect();
            if free == active {
                let moved = |&place: &usize| knobs[wanted[place]] - now.knobs[wanted[place]];
                let changed = |&place: &usize| next.errors[place] - now.errors[place];
                let moved: Vec<f64> = active.iter().map(moved).collect();
                improve(&mut inverse, &moved, &active.iter().map(changed).collect::<Vec<_>>());
            } else {
                inverse = self.start.inverse(&of(&free));
                active = free;
            }
            now = next;
        }
        Ok(now)
    }

    /// Turns knobs, and leaves out one that misses its target.
    fn settle(&self, wanted: &[Knob], from: Knobs, notes: &mut Vec<MakeNote>) -> Result<Turned, MakeError> {
        let solved = self.turn(wanted, from)?;
        match solved.out_of_reach(self, wanted) {
            None => Ok(solved),
            Some(knob) => self.without(knob, wanted, notes),
        }
    }

    /// Handles a knob that misses its target: an error if its measure was given, else a note.
    fn without(&self, knob: Knob, wanted: &[Knob], notes: &mut Vec<MakeNote>) -> Result<Turned, MakeError> {
        let measure = knob.measure();
        let asked = self.asked(knob);
        let others: Vec<Knob> = wanted.iter().copied().filter(|&other| other != knob).collect();
        let held = |at: f64| {
            let mut from = self.start.knobs;
            from[knob] = at;
            self.turn(&others, from)
        };
        let (least, most) = (held(-knob.reach())?, held(knob.reach())?);
        let range = [self.read(&least.body, knob), self.read(&most.body, knob)];
        let (nearest, found) = if asked < range[0] { (least, range[0]) } else { (most, range[1]) };
        if self.person.estimate(measure).is_given {
            return Err(MakeError::Unreachable { measure, asked, nearest: found, range });
        }
        notes.push(MakeNote { measure, expected: asked, found });
        Ok(nearest)
    }
}

/// Broyden's update of an inverse: `B ← B + (s − B y) sᵀ B / (sᵀ B y)`.
fn improve(inverse: &mut [Vec<f64>], moved: &[f64], changed: &[f64]) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let guessed: Vec<f64> = inverse.iter().map(|row| dot(row, changed)).collect();
    let scale = dot(moved, &guessed);
    if scale.abs() < f64::MIN_POSITIVE {
        return;
    }
    let size = moved.len();
    let left: Vec<f64> =
        (0..size).map(|column| (0..size).map(|row| moved[row] * inverse[row][column]).sum()).collect();
    for row in 0..size {
        for column in 0..size {
            inverse[row][column] += (moved[row] - guessed[row]) * left[column] / scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broydens_update_maps_what_changed_to_what_moved() {
        let mut inverse = vec![vec![1.0, 0.0], vec![0.3, 2.0]];
        let (moved, changed) = ([0.2, -0.1], [0.15, 0.4]);
        improve(&mut inverse, &moved, &changed);
        for (row, moved) in inverse.iter().zip(moved) {
            let found: f64 = row.iter().zip(changed).map(|(b, y)| b * y).sum();
            assert!((found - moved).abs() < 1e-14);
        }
    }
}
