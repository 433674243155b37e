//! Least squares over the simplex, with few entries above zero.
//!
//! `min wᵀ G w − 2 t·w` with w ≥ 0, Σ w = total and at most K entries above zero: Eq. 4 of \[Mukai15\] for one vertex.
//!
//! Departures: where the source drops all but the K largest entries and solves again, this searches. The problem without the limit is a
//! lower bound for every subset of its bones (branch and bound): if its solution has more than K entries, one of them has to
//! go, and each is tried in turn. With enough nodes the support is the best there is; with fewer it is the best that was seen, never
//! worse than the one given.

/// Most bones that are weighed against each other for one vertex.
pub(crate) const MAX_CANDIDATES: usize = 16;
const N: usize = MAX_CANDIDATES;

/// Fraction of the mean diagonal that is added to it, so that bones that move alike share their weight instead of dividing by zero.
const RIDGE: f64 = 1e-10;
/// Weights below this are none.
const NO_WEIGHT: f64 = 1e-9;

/// One vertex' problem, for `count` candidate bones.
pub(crate) struct SimplexProblem {
    pub(crate) count: usize,
    /// Symmetric, `count` rows and columns in use.
    pub(crate) gram: [[f64; N]; N],
    pub(crate) linear: [f64; N],
    /// What the weights sum to.
    pub(crate) total: f64,
    /// K.
    pub(crate) max_entries: usize,
    /// Subproblems that may be solved.
    pub(crate) max_nodes: usize,
}

type Weights = [f64; N];

struct Search<'a> {
    problem: &'a SimplexProblem,
    ridge: f64,
    nodes_left: usize,
    best: Weights,
    best_value: f64,
}

impl SimplexProblem {
    /// `wᵀ G w − 2 t·w`.
    pub(crate) fn value(&self, weights: &Weights) -> f64 {
        let mut value = 0.0;
        for i in 0..self.count {
            if weights[i] != 0.0 {
                let row: f64 = (0..self.count).map(|j| self.gram[i][j] * weights[j]).sum();
                value += weights[i] * (row - 2.0 * self.linear[i]);
            }
        }
        value
    }

    /// The best weights found and their value. `start` is feasible, or `None`.
    pub(crate) fn solve(&self, start: Option<&Weights>) -> (Weights, f64) {
        let trace: f64 = (0..self.count).map(|i| self.gram[i][i]).sum();
        let ridge = RIDGE * trace / self.count.max(1) as f64 + f64::MIN_POSITIVE;
        let single = self.best_single();
        let first = start.copied().unwrap_or(single);
        let mut search = Search {
            problem: self,
            ridge,
            nodes_left: self.max_nodes.max(1),
            best: first,
            best_value: self.value(&first),
        };
        // The given support, with its best weights, is the first to beat.
        let given = support(&first, self.count);
        if start.is_some() && given.count_ones() as usize <= self.max_entries {
            let (weights, value) = search.relaxed(given, first);
            search.offer(weights, value);
        }
        search.branch((1u32 << self.count) - 1, 0, search.best);
        (search.best, search.best_value)
    }

    /// All weight on the one bone that does best alone.
    fn best_single(&self) -> Weights {
        let alone = |i: usize| self.total * (self.total * self.gram[i][i] - 2.0 * self.linear[i]);
        let best = (0..self.count).min_by(|&a, &b| alone(a).total_cmp(&alone(b))).unwrap_or(0);
        let mut weights = [0.0; N];
        weights[best] = self.total;
        weights
    }
}

fn support(weights: &Weights, count: usize) -> u32 {
    (0..count).filter(|&i| weights[i] > 0.0).fold(0, |mask, i| mask | 1 << i)
}

impl Search<'_> {
    fn offer(&mut self, weights: Weights, value: f64) {
        if value < self.best_value {
            (self.best, self.best_value) = (weights, value);
        }
    }

    /// Looks at the subsets of `allowed` that contain `kept`.
    fn branch(&mut self, allowed: u32, kept: u32, start: Weights) {
        if self.nodes_left == 0 {
            return;
        }
        self.nodes_left -= 1;
        let (weights, value) = self.relaxed(allowed, start);
        // Not even without the limit better by more than rounding.
        if value >= self.best_value - 1e-12 * self.best_value.abs() {
            return;
        }
        let used = support(&weights, self.problem.count);
        if used.count_ones() as usize <= self.problem.max_entries {
            self.offer(weights, value);
            return;
        }
        let mut droppable: [(f64, usize); N] = [(0.0, 0); N];
        let mut length = 0;
        for i in (0..self.problem.count).filter(|&i| (used & !kept) >> i & 1 == 1) {
            droppable[length] = (weights[i], i);
            length += 1;
        }
        // The least weight goes first: the likeliest good support comes early, and prunes what follows.
        droppable[..length].sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept = kept;
        for &(_, i) in &droppable[..length] {
            if kept.count_ones() as usize > self.problem.max_entries {
                return;
            }
            self.branch(allowed & !(1 << i), kept, without(&weights, i, self.problem));
            kept |= 1 << i;
        }
    }

    /// The best weights on `allowed` without limit of their number, by a primal active set method, and their value. `start` need not be
    /// inside.
    fn relaxed(&self, allowed: u32, start: Weights) -> (Weights, f64) {
        let problem = self.problem;
        let mut weights = start;
        let outside = (0..problem.count).any(|i| allowed >> i & 1 == 0 && weights[i] > 0.0);
        if outside || support(&weights, problem.count) == 0 {
            weights = [0.0; N];
            weights[allowed.trailing_zeros() as usize] = problem.total;
        }
        let mut active = support(&weights, problem.count);
        for _ in 0..6 * problem.count {
            let (solution, multiplier) = self.equality(active);
            if let Some((step, blocking)) = first_block(&weights, &solution, active) {
                for i in 0..problem.count {
                    if active >> i & 1 == 1 {
                        weights[i] += step * (solution[i] - weights[i]);
                    }
                }
                weights[blocking] = 0.0;
                active &= !(1 << blocking);
                continue;
            }
            weights = solution;
            match self.entering(&weights, multiplier, allowed & !active) {
                Some(entering) => active |= 1 << entering,
                None => break,
            }
        }
        tidy(&mut weights, problem);
        let value = problem.value(&weights);
        (weights, value)
    }

    /// The bone whose weight should rise from zero the most, by the gradient, if any.
    fn entering(&self, weights: &Weights, multiplier: f64, candidates: u32) -> Option<usize> {
        let problem = self.problem;
        let mut best = None;
        for i in (0..problem.count).filter(|&i| candidates >> i & 1 == 1) {
            let row: f64 = (0..problem.count).map(|j| problem.gram[i][j] * weights[j]).sum();
            let slope = row - problem.linear[i] + multiplier;
            let scale = problem.gram[i][i].abs() + problem.linear[i].abs();
            if slope < -1e-11 * scale && best.is_none_or(|(least, _)| slope < least) {
                best = Some((slope, i));
            }
        }
        best.map(|(_, i)| i)
    }

    /// Minimum on the bones of `active` with Σ w = total, signs free: G w + μ 1 = t.
    fn equality(&self, active: u32) -> (Weights, f64) {
        let problem = self.problem;
        let mut order = [0; N];
        let mut n = 0;
        for i in (0..problem.count).filter(|&i| active >> i & 1 == 1) {
            order[n] = i;
            n += 1;
        }
        // Cholesky factor of the active part, row by row.
        let mut factor = [[0.0f64; N]; N];
        for i in 0..n {
            for j in 0..=i {
                let mut sum = problem.gram[order[i]][order[j]];
                if i == j {
                    sum += self.ridge;
                }
                sum -= factor[i][..j].iter().zip(&factor[j][..j]).map(|(a, b)| a * b).sum::<f64>();
                factor[i][j] = if i == j { sum.max(self.ridge * 1e-3).sqrt() } else { sum / factor[j][j] };
            }
        }
        let (mut a, mut e) = ([0.0; N], [0.0; N]);
        for i in 0..n {
            let (mut sum_a, mut sum_e) = (problem.linear[order[i]], 1.0);
            for k in 0..i {
                sum_a -= factor[i][k] * a[k];
                sum_e -= factor[i][k] * e[k];
            }
            (a[i], e[i]) = (sum_a / factor[i][i], sum_e / factor[i][i]);
        }
        for i in (0..n).rev() {
            let (mut sum_a, mut sum_e) = (a[i], e[i]);
            for k in i + 1..n {
                sum_a -= factor[k][i] * a[k];
                sum_e -= factor[k][i] * e[k];
            }
            (a[i], e[i]) = (sum_a / factor[i][i], sum_e / factor[i][i]);
        }
        let (total_a, total_e): (f64, f64) = (a[..n].iter().sum(), e[..n].iter().sum());
        let multiplier = (total_a - problem.total) / total_e;
        let mut weights = [0.0; N];
        for i in 0..n {
            weights[order[i]] = a[i] - multiplier * e[i];
        }
        (weights, multiplier)
    }
}

/// How far one can go from `weights` to `solution` before an entry becomes negative, and which.
fn first_block(weights: &Weights, solution: &Weights, active: u32) -> Option<(f64, usize)> {
    if active.count_ones() < 2 {
        return None;
    }
    let mut block: Option<(f64, usize)> = None;
    for i in (0..N).filter(|&i| active >> i & 1 == 1 && solution[i] < 0.0) {
        let fall = weights[i] - solution[i];
        let step = if fall > 0.0 { (weights[i] / fall).clamp(0.0, 1.0) } else { 0.0 };
        if block.is_none_or(|(least, _)| step < least) {
            block = Some((step, i));
        }
    }
    block
}

/// The weights with one entry shared out among the others.
fn without(weights: &Weights, removed: usize, problem: &SimplexProblem) -> Weights {
    let mut rest = *weights;
    rest[removed] = 0.0;
    tidy(&mut rest, problem);
    rest
}

/// Drops what is next to nothing and puts the sum right.
fn tidy(weights: &mut Weights, problem: &SimplexProblem) {
    for weight in weights.iter_mut() {
        if *weight < NO_WEIGHT * problem.total {
            *weight = 0.0;
        }
    }
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        let factor = problem.total / sum;
        weights.iter_mut().for_each(|weight| *weight *= factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::Random;

    /// A random problem whose columns are of `rows` numbers.
    fn problem(random: &mut Random, count: usize, rows: usize, max_entries: usize) -> SimplexProblem {
        let mut columns = vec![vec![0.0; rows]; count];
        for column in &mut columns {
            column.iter_mut().for_each(|entry| *entry = random.unit() - 0.3);
        }
        let target: Vec<f64> = (0..rows).map(|_| random.unit()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let mut made = SimplexProblem {
            count,
            gram: [[0.0; N]; N],
            linear: [0.0; N],
            total: 1.0,
            max_entries,
            max_nodes: usize::MAX,
        };
        for i in 0..count {
            made.linear[i] = dot(&columns[i], &target);
            for j in 0..count {
                made.gram[i][j] = dot(&columns[i], &columns[j]);
            }
        }
        made
    }

    /// The truth: every support of at most K bones, each by its own equality, kept where no weight is negative.
    fn by_enumeration(problem: &SimplexProblem) -> f64 {
        let search =
            Search { problem, ridge: 1e-14, nodes_left: 0, best: [0.0; N], best_value: f64::INFINITY };
        (1u32..1 << problem.count)
            .filter(|mask| mask.count_ones() as usize <= problem.max_entries)
            .map(|mask| search.equality(mask).0)
            .filter(|weights| weights.iter().all(|&weight| weight >= 0.0))
            .map(|weights| problem.value(&weights))
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_best_support_is_found_as_by_trying_all() {
        let mut random = Random::new(3);
        for round in 0..400 {
            let (count, max_entries) = (1 + round % 9, 1 + round % 5);
            let made = problem(&mut random, count, 12, max_entries);
            let (weights, value) = made.solve(None);
            let truth = by_enumeration(&made);
            assert!((value - truth).abs() < 1e-7 * truth.abs().max(1.0), "round {round}: {value}, {truth}");
            assert!(weights.iter().filter(|&&weight| weight > 0.0).count() <= max_entries, "{weights:?}");
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12 && weights.iter().all(|&w| w >= 0.0));
        }
    }

    #[test]
    fn few_nodes_never_do_worse_than_the_start() {
        let mut random = Random::new(4);
        for nodes in 1..60 {
            let mut made = problem(&mut random, 12, 20, 3);
            made.max_nodes = nodes;
            let mut start = [0.0; N];
            (start[2], start[7]) = (0.4, 0.6);
            let before = made.value(&start);
            let (weights, value) = made.solve(Some(&start));
            assert!(value <= before && (value - made.value(&weights)).abs() < 1e-12, "{nodes}");
            assert!(weights.iter().filter(|&&weight| weight > 0.0).count() <= 3, "{weights:?}");
        }
    }

    #[test]
    fn bones_that_move_alike_are_no_trouble() {
        let mut random = Random::new(5);
        let mut made = problem(&mut random, 6, 4, 4);
        for i in 0..6 {
            made.linear[i] = made.linear[0];
            for j in 0..6 {
                made.gram[i][j] = made.gram[0][0];
            }
        }
        let (weights, value) = made.solve(None);
        assert!((value - (made.gram[0][0] - 2.0 * made.linear[0])).abs() < 1e-9, "{value}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{weights:?}");
    }
}
