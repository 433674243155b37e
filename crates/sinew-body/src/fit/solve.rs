//! Damped Gauss–Newton steps on a list of parameters.
//!
//! Unknowns are in units of each parameter's usual amount. The cost is the mean robust squared distance in mm² plus penalties on the
//! unknowns' size and roughness; parameters without pairs stay at zero.

use super::FitError;
use super::evenness::{Crossing, add_jumps};
use super::knob::Parameter;
use super::matches::{Limits, Match, Matcher, Matches};
use super::surface::PatchChange;
use crate::Patch;
use crate::build::{build_patches, validate};
use crate::design::Design;
use crate::template::Template;
use sinew_geometry::Cholesky;

/// A weighted sum of unknowns and a constant that should be zero.
pub(super) struct PriorRow {
    pub(super) terms: Vec<(usize, f64)>,
    pub(super) constant: f64,
    pub(super) weight: f64,
}

/// Input of a fit stage.
pub(super) struct Problem<'a> {
    pub(super) template: &'a Template,
    pub(super) matcher: &'a Matcher<'a>,
    /// Whether each patch counts.
    pub(super) counts: &'a [bool],
    /// The design at unknowns zero.
    pub(super) base: Design,
    pub(super) parameters: Vec<Parameter>,
    pub(super) priors: Vec<PriorRow>,
    pub(super) limits: Limits,
    /// Where curvatures are compared, and the weight of their jumps.
    pub(super) evenness: Option<(Vec<Crossing>, f64)>,
}

/// State of a solution.
pub(super) struct Stand {
    pub(super) unknowns: Vec<f64>,
    pub(super) patches: Vec<Patch>,
    pub(super) matches: Matches,
    /// The whole cost.
    pub(super) cost: f64,
}

/// The step of finite differences, in units.
const STEP: f64 = 0.02;
/// First damping, relative to the diagonal; larger is slower, smaller may overshoot at first.
pub(super) const FIRST_DAMPING: f64 = 1e-3;
/// Maximum tries per round; each damps ten times more.
const TRIES: usize = 4;

/// For each patch the unknowns that move it, and the derivatives.
pub(super) struct Jacobian {
    by_patch: Vec<Vec<(usize, PatchChange)>>,
}

impl Problem<'_> {
    pub(super) fn design(&self, unknowns: &[f64]) -> Design {
        let mut design = self.base.clone();
        for (parameter, &units) in self.parameters.iter().zip(unknowns) {
            if units != 0.0 {
                parameter.turn(&mut design, units);
            }
        }
        design
    }

    pub(super) fn stand(&self, unknowns: Vec<f64>) -> Result<Stand, FitError> {
        let design = self.design(&unknowns);
        validate::validate(self.template, &design)?;
        let patches = build_patches(self.template, &design)?;
        let mut matches = self.matcher.find(&patches, self.counts, &self.limits);
        if let Some((crossings, weight)) = &self.evenness {
            add_jumps(crossings, &patches, *weight, self.limits.huber_mm, &mut matches);
        }
        let prior: f64 = self.priors.iter().map(|row| row.weight * row.value(&unknowns).powi(2)).sum();
        let cost = matches.cost + prior;
        Ok(Stand { unknowns, patches, matches, cost })
    }

    /// The effect of each unknown on the surface, by differences. Unknowns are independent of each other, so the result does not depend on
    /// the number of threads.
    pub(super) fn jacobian(&self, stand: &Stand) -> Result<Jacobian, FitError> {
        let design = self.design(&stand.unknowns);
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        let share = self.parameters.len().div_ceil(threads).max(1);
        let columns = |parameters: &[Parameter]| -> Result<Vec<Vec<PatchChange>>, FitError> {
            let mut columns = Vec::new();
            for parameter in parameters {
                let mut turned = design.clone();
                parameter.turn(&mut turned, STEP);
                let patches = build_patches(self.template, &turned)?;
                columns.push(PatchChange::between(&stand.patches, &patches, STEP));
            }
            Ok(columns)
        };
        let mut parts: Vec<Result<Vec<Vec<PatchChange>>, FitError>> = Vec::new();
        if threads == 1 {
            parts.push(columns(&self.parameters));
        } else {
            std::thread::scope(|scope| {
                let running: Vec<_> =
                    self.parameters.chunks(share).map(|part| scope.spawn(|| columns(part))).collect();
                parts.extend(running.into_iter().map(|part| part.join().expect("building does not panic")));
            });
        }
        let mut jacobian = Jacobian { by_patch: vec![Vec::new(); stand.patches.len()] };
        let mut unknown = 0;
        for part in parts {
            for column in part? {
                for change in column {
                    jacobian.by_patch[change.patch].push((unknown, change));
                }
                unknown += 1;
            }
        }
        Ok(jacobian)
    }

    /// One round: the step of minimum cost in the linear model, damped until the cost falls. `None` if no step helps.
    pub(super) fn step(
        &self,
        stand: &Stand,
        jacobian: &Jacobian,
        damping: &mut f64,
    ) -> Result<Option<Stand>, FitError> {
        let (matrix, slope) = self.normal_equations(stand, jacobian);
        let count = self.parameters.len();
        for _ in 0..TRIES {
            let factor = Cholesky::factor(count, |i, j| {
                let entry = matrix[i * count + j];
                // The summand keeps unknowns without any effect or prior at rest.
                if i == j { entry * (1.0 + *damping) + 1e-12 } else { entry }
            });
            if let Some(factor) = factor {
                let mut way: Vec<f64> = slope.iter().map(|slope| -slope).collect();
                factor.solve(&mut way);
                let unknowns = stand.unknowns.iter().zip(&way).map(|(x, by)| x + by).collect();
                let next = self.stand(unknowns)?;
                if next.cost < stand.cost {
                    *damping = (0.3 * *damping).max(1e-6);
                    return Ok(Some(next));
                }
            }
            *damping *= 10.0;
        }
        Ok(None)
    }

    /// `Jᵀ W J` with priors, lower half, and `Jᵀ W r`.
    fn normal_equations(&self, stand: &Stand, jacobian: &Jacobian) -> (Vec<f64>, Vec<f64>) {
        let count = self.parameters.len();
        let mut matrix = vec![0.0; count * count];
        let mut slope = vec![0.0; count];
        let mut row: Vec<(usize, f64)> = Vec::new();
        for found in &stand.matches.list {
            jacobian.row_into(found, &mut row);
            add_row(&mut matrix, &mut slope, &row, found.weight, found.distance_mm);
        }
        for prior in &self.priors {
            let mut terms = prior.terms.clone();
            terms.sort_by_key(|term| term.0);
            add_row(&mut matrix, &mut slope, &terms, prior.weight, prior.value(&stand.unknowns));
        }
        (matrix, slope)
    }
}

impl PriorRow {
    fn value(&self, unknowns: &[f64]) -> f64 {
        let sum: f64 = self.terms.iter().map(|&(unknown, factor)| factor * unknowns[unknown]).sum();
        sum + self.constant
    }
}

impl Jacobian {
    /// Derivatives of a pair's distance in mm, in ascending order of unknowns.
    fn row_into(&self, found: &Match, row: &mut Vec<(usize, f64)>) {
        row.clear();
        for sum in std::iter::once(&found.sum).chain(&found.other) {
            for (unknown, change) in &self.by_patch[sum.patch] {
                let by = 1e3 * sum.change_along(change, found.normal);
                if by != 0.0 {
                    row.push((*unknown, by));
                }
            }
        }
        if found.other.is_some() {
            row.sort_by_key(|term| term.0);
        }
    }
}

/// An unknown may occur twice in a row; ascending order fills only the lower half.
fn add_row(matrix: &mut [f64], slope: &mut [f64], row: &[(usize, f64)], weight: f64, rest: f64) {
    let count = slope.len();
    for (place, &(i, by_i)) in row.iter().enumerate() {
        slope[i] += weight * by_i * rest;
        for &(j, by_j) in &row[..=place] {
            matrix[i * count + j] += weight * by_i * by_j;
        }
        // A later term of the same unknown adds to the diagonal again.
        for &(j, by_j) in row[place + 1..].iter().take_while(|term| term.0 == i) {
            matrix[i * count + j] += weight * by_i * by_j;
        }
    }
}
