//! The alternation of transforms and weights on one view.

use super::motion::HelperMotion;
use super::rules::Rules;
use super::seeds::{influenced, remove};
use super::settings::HelperSettings;
use super::sweep::{Moments, Solution, sweep};
use super::view::View;
use super::weights::WeightSolver;

/// Rounds of transform updates a sweep. On the leg 2 to 5 give the same error after the same time.
pub(crate) const ROUNDS: usize = 3;
/// Subproblems a vertex in ordinary sweeps, and where the support should be the best there is.
pub(crate) const FEW_NODES: usize = 12;
pub(crate) const MANY_NODES: usize = 400;

/// A view with its rules.
pub(crate) struct Relaxation<'a> {
    pub(crate) view: View<'a>,
    pub(crate) rules: Rules,
    pub(crate) motion: HelperMotion,
    pub(crate) min_vertices: usize,
}

/// What a solution misses.
#[derive(Clone, Debug)]
pub(crate) struct Miss {
    /// Squared error of each vertex of the view.
    pub(crate) errors: Vec<f64>,
    /// Their sum and the cost of rules.
    pub(crate) objective: f64,
}

impl<'a> Relaxation<'a> {
    pub(crate) fn new(settings: &HelperSettings, view: View<'a>) -> Self {
        let rules = Rules::new(settings, &view);
        Self { view, rules, motion: settings.motion, min_vertices: settings.min_vertices }
    }

    /// Drivers alone.
    pub(crate) fn drivers_only(&self) -> (Solution, Miss) {
        let bone_count = self.view.examples.driver_count;
        let weights = vec![0.0; self.view.vertex_count() * bone_count];
        let mut solution = Solution { weights, ..Solution::default() };
        let miss = self.weigh(&mut solution, MANY_NODES);
        (solution, miss)
    }

    /// New weights for the transforms there are.
    pub(crate) fn weigh(&self, solution: &mut Solution, nodes: usize) -> Miss {
        self.sweep_thoroughly(solution, 0, nodes)
    }

    pub(crate) fn weigh_with(&self, moments: &Moments, solution: &mut Solution, nodes: usize) -> Miss {
        let shape = (&solution.homes[..], &solution.pairs[..]);
        let solver = WeightSolver::new(&self.view, &self.rules, moments, shape, nodes);
        solver.update(&mut solution.weights);
        let errors = solver.errors(&solution.weights);
        let objective = errors.iter().sum::<f64>() + solver.cost(&solution.weights);
        Miss { errors, objective }
    }

    /// One sweep: transforms, then weights.
    pub(crate) fn sweep(&self, solution: &mut Solution) -> Miss {
        self.sweep_thoroughly(solution, ROUNDS, FEW_NODES)
    }

    pub(crate) fn sweep_thoroughly(&self, solution: &mut Solution, rounds: usize, nodes: usize) -> Miss {
        let moments = sweep(&self.view, solution, self.motion, rounds);
        self.weigh_with(&moments, solution, nodes)
    }

    /// Takes out helpers with too little influence, with their mirror images, and solves the weights again. Returns whether any was.
    pub(crate) fn prune(&self, solution: &mut Solution, miss: &mut Miss) -> bool {
        let driver_count = self.view.examples.driver_count;
        // On a part of the vertices, the same part of the limit.
        let all = self.view.examples.vertex_count();
        let limit = self.min_vertices * self.view.vertex_count() / all;
        let counts = influenced(solution, driver_count);
        let is_kept = |helper: usize| counts[helper] > limit;
        if (0..solution.helper_count).all(is_kept) {
            return false;
        }
        let pairs = solution.pairs.clone();
        remove(solution, driver_count, |helper| {
            is_kept(helper) && pairs.get(helper).copied().flatten().is_none_or(is_kept)
        });
        *miss = self.weigh(solution, FEW_NODES);
        true
    }

    pub(crate) fn rms(&self, miss: &Miss) -> f64 {
        let count = self.view.vertex_count() * self.view.pose_count();
        (miss.errors.iter().sum::<f64>() / count.max(1) as f64).sqrt()
    }
}
