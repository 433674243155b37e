//! Weights of all vertices, for given transforms.
//!
//! \[Mukai15\] Sec. 4.1. The Gram matrix of a vertex at x is `G_bc = xᵀ (Σ_n M_bᵀ M_c) x`, its linear term `t_b = x · Σ_n M_bᵀ v`: the sums
//! over poses are made once for all vertices, no vertex looks at a pose.

use glam::DVec3;
use rayon::prelude::*;

use super::rules::Rules;
use super::sweep::Moments;
use super::view::View;
use crate::numeric::{MAX_CANDIDATES, SimplexProblem};

/// Bones that are weighed for a vertex at a time, beside which more would cost time and hardly change the result.
const CANDIDATES: usize = 12;
const N: usize = MAX_CANDIDATES;

/// All that the weights of a view depend on.
pub(crate) struct WeightSolver<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) rules: &'a Rules,
    /// Partner of each helper; empty without mirror.
    pub(crate) pairs: &'a [Option<usize>],
    /// Subproblems a vertex.
    pub(crate) nodes: usize,
    gram: Vec<f64>,
    bone_count: usize,
    homes: &'a [DVec3],
    moments: &'a Moments,
    /// Free bones, each alone.
    singles: Vec<Entries>,
    /// Free bones, each with its mirror image.
    orbits: Vec<Entries>,
}

/// Bones of a vertex with their weights.
type Entries = Vec<(usize, f64)>;

impl<'a> WeightSolver<'a> {
    pub(crate) fn new(
        view: &'a View<'a>,
        rules: &'a Rules,
        moments: &'a Moments,
        shape: (&'a [DVec3], &'a [Option<usize>]),
        nodes: usize,
    ) -> Self {
        let (homes, pairs) = shape;
        let (driver_width, helper_width) = (view.driver_width(), 4 * homes.len());
        let width = driver_width + helper_width;
        let mut gram = vec![0.0; width * width];
        for row in 0..driver_width {
            gram[row * width..][..driver_width]
                .copy_from_slice(&view.driver_gram[row * driver_width..][..driver_width]);
        }
        for row in 0..helper_width {
            let with_drivers = &moments.with_drivers[row * driver_width..][..driver_width];
            let at = (driver_width + row) * width;
            gram[at..][..driver_width].copy_from_slice(with_drivers);
            gram[at + driver_width..][..helper_width]
                .copy_from_slice(&moments.with_helpers[row * helper_width..][..helper_width]);
            for (column, &entry) in with_drivers.iter().enumerate() {
                gram[column * width + driver_width + row] = entry;
            }
        }
        let (singles, orbits) = (Vec::new(), Vec::new());
        let mut solver =
            Self { view, rules, pairs, nodes, gram, bone_count: width / 4, homes, moments, singles, orbits };
        let is_free = |bone: usize| !rules.is_driver_locked.get(bone).copied().unwrap_or(false);
        let free: Vec<usize> = (0..solver.bone_count).filter(|&bone| is_free(bone)).collect();
        solver.singles = free.iter().map(|&bone| vec![(bone, 1.0)]).collect();
        if !rules.vertex_partners.is_empty() {
            let firsts =
                free.iter().map(|&bone| (bone, solver.partner(bone))).filter(|pair| pair.0 <= pair.1);
            solver.orbits = firsts
                .map(
                    |(bone, partner)| {
                        if partner == bone { vec![(bone, 1.0)] } else { vec![(bone, 0.5), (partner, 0.5)] }
                    },
                )
                .collect();
        }
        solver
    }

    /// Finds new weights for all vertices, from those there are. The objective (error and the cost of rules) never rises.
    pub(crate) fn update(&self, weights: &mut [f64]) {
        for group in &self.rules.groups {
            let found: Vec<Entries> =
                group.par_iter().map(|&vertex| self.solve(vertex as usize, weights)).collect();
            for (&vertex, entries) in group.iter().zip(found) {
                self.store(vertex as usize, &entries, weights, |bone| bone);
                if let Some(&partner) = self.rules.vertex_partners.get(vertex as usize)
                    && partner != vertex
                {
                    self.store(partner as usize, &entries, weights, |bone| self.partner(bone));
                }
            }
        }
    }

    /// Squared error of each vertex over all poses.
    pub(crate) fn errors(&self, weights: &[f64]) -> Vec<f64> {
        let rows = weights.par_chunks(self.bone_count).enumerate();
        rows.map(|(vertex, row)| {
            let mut error = self.view.squares[vertex];
            for bone in (0..self.bone_count).filter(|&bone| row[bone] != 0.0) {
                error -= 2.0 * row[bone] * self.linear(vertex, bone);
                for other in (0..self.bone_count).filter(|&other| row[other] != 0.0) {
                    error += row[bone] * row[other] * self.product(vertex, bone, other);
                }
            }
            error.max(0.0)
        })
        .collect()
    }

    /// What the rules cost, beside the error.
    pub(crate) fn cost(&self, weights: &[f64]) -> f64 {
        let row = |vertex: usize| &weights[vertex * self.bone_count..][..self.bone_count];
        let mut cost = 0.0;
        for (vertex, ring) in self.rules.rings.iter().enumerate() {
            for &other in ring.iter().filter(|&&other| other as usize > vertex) {
                let differences = row(vertex).iter().zip(row(other as usize)).map(|(a, b)| (a - b) * (a - b));
                cost += self.rules.edge_cost * differences.sum::<f64>();
            }
        }
        if self.rules.distance_cost > 0.0 {
            for vertex in 0..self.view.vertex_count() {
                for bone in self.view.examples.driver_count..self.bone_count {
                    let weight = row(vertex)[bone];
                    cost += weight * weight * self.far(vertex, bone);
                }
            }
        }
        cost
    }

    fn partner(&self, bone: usize) -> usize {
        self.rules.bone_partner(bone, self.homes, self.pairs)
    }

    fn store(&self, vertex: usize, entries: &Entries, weights: &mut [f64], rename: impl Fn(usize) -> usize) {
        let row = &mut weights[vertex * self.bone_count..][..self.bone_count];
        row.fill(0.0);
        for &(bone, weight) in entries {
            row[rename(bone)] += weight;
        }
    }

    /// G_bc of a vertex.
    fn product(&self, vertex: usize, bone: usize, other: usize) -> f64 {
        let (x, width) = (&self.view.points[vertex], 4 * self.bone_count);
        let mut sum = 0.0;
        for (part, factor) in x.iter().enumerate() {
            let row = &self.gram[(4 * bone + part) * width + 4 * other..][..4];
            sum += factor * (row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3] * x[3]);
        }
        sum
    }

    /// t_b of a vertex.
    fn linear(&self, vertex: usize, bone: usize) -> f64 {
        let driver_count = self.view.examples.driver_count;
        let (sums, count, bone) = if bone < driver_count {
            (&self.view.driver_targets, driver_count, bone)
        } else {
            (&self.moments.targets, self.homes.len(), bone - driver_count)
        };
        let sums = &sums[4 * (vertex * count + bone)..][..4];
        self.view.points[vertex].iter().zip(sums).map(|(x, sum)| x * sum).sum()
    }

    /// Cost of a squared weight of a helper by its distance.
    fn far(&self, vertex: usize, bone: usize) -> f64 {
        let driver_count = self.view.examples.driver_count;
        if bone < driver_count || self.rules.distance_cost == 0.0 {
            return 0.0;
        }
        let [x, y, z, _] = self.view.points[vertex];
        self.rules.distance_cost * self.homes[bone - driver_count].distance_squared(DVec3::new(x, y, z))
    }

    /// G_bc of a vertex and its mirror image together, and the cost of rules.
    fn whole_product(&self, vertex: usize, bone: usize, other: usize) -> f64 {
        let mut sum = self.product(vertex, bone, other);
        if bone == other {
            let ring = self.rules.rings.get(vertex).map_or(0, Vec::len);
            sum += self.far(vertex, bone) + self.rules.edge_cost * ring as f64;
        }
        sum
    }

    fn whole_linear(&self, vertex: usize, bone: usize, weights: &[f64]) -> f64 {
        let ring = self.rules.rings.get(vertex).map_or(&[][..], Vec::as_slice);
        let around: f64 = ring.iter().map(|&other| weights[other as usize * self.bone_count + bone]).sum();
        self.linear(vertex, bone) + self.rules.edge_cost * around
    }

    /// The unknowns of a vertex: single bones, or pairs of mirrored bones where the vertex lies in the middle.
    fn unknowns(&self, vertex: usize) -> &[Entries] {
        let in_middle =
            self.rules.vertex_partners.get(vertex).is_some_and(|&partner| partner as usize == vertex);
        if in_middle { &self.orbits } else { &self.singles }
    }

    fn solve(&self, vertex: usize, weights: &[f64]) -> Entries {
        let row = &weights[vertex * self.bone_count..][..self.bone_count];
        let given = |bone: usize| self.rules.given[vertex * self.view.examples.driver_count + bone];
        let driver_count = self.view.examples.driver_count;
        if self.rules.is_vertex_locked.get(vertex) == Some(&true) {
            return (0..driver_count).map(|bone| (bone, given(bone))).filter(|entry| entry.1 > 0.0).collect();
        }
        let locked = (0..driver_count).filter(|&bone| self.rules.is_driver_locked[bone]);
        let mut entries: Entries =
            locked.map(|bone| (bone, given(bone))).filter(|&(_, weight)| weight > 0.0).collect();
        let total = 1.0 - entries.iter().map(|entry| entry.1).sum::<f64>();
        let room = self.rules.max_influences.saturating_sub(entries.len());
        // Locked weights that fill the vertex leave nothing to do; what rounding or the limit leaves goes to the largest.
        if total <= 1e-9 || room == 0 {
            if let Some(most) = entries.iter_mut().max_by(|a, b| a.1.total_cmp(&b.1)) {
                most.1 += total;
            }
            return entries;
        }
        let mirrored = self.rules.vertex_partners.get(vertex).map(|&partner| partner as usize);
        let mirrored = mirrored.filter(|&partner| partner != vertex);
        let task = VertexTask { solver: self, vertex, mirrored, weights, locked: &entries, total, room };
        let found = task.run(row);
        entries.extend(found);
        entries
    }
}

/// The free part of one vertex.
struct VertexTask<'s> {
    solver: &'s WeightSolver<'s>,
    vertex: usize,
    /// Its mirror image, where that is another.
    mirrored: Option<usize>,
    weights: &'s [f64],
    locked: &'s Entries,
    total: f64,
    room: usize,
}

impl VertexTask<'_> {
    fn run(&self, row: &[f64]) -> Entries {
        let unknowns = self.solver.unknowns(self.vertex);
        let has_pairs = unknowns.iter().any(|unknown| unknown.len() > 1);
        let room = if has_pairs { (self.room / 2).max(1) } else { self.room };
        let mut amounts: Vec<f64> =
            unknowns.iter().map(|unknown| unknown.iter().map(|&(bone, _)| row[bone]).sum()).collect();
        let count = amounts.iter().filter(|&&amount| amount > 0.0).count();
        let sum: f64 = amounts.iter().sum();
        let has_start = count > 0 && count <= room && (sum - self.total).abs() < 1e-6;
        if !has_start {
            amounts.fill(0.0);
        }
        // With more bones than are weighed at a time, a few rounds bring in those that the gradient asks for.
        let rounds = if unknowns.len() <= CANDIDATES.max(room + 4) { 1 } else { 3 };
        for _ in 0..rounds {
            let chosen = self.candidates(unknowns, &amounts, room);
            let found = self.weigh(unknowns, &chosen, &amounts, room);
            amounts.fill(0.0);
            chosen.iter().zip(found).for_each(|(&at, amount)| amounts[at] = amount);
        }
        let parts = unknowns.iter().zip(&amounts).filter(|(_, amount)| **amount > 0.0);
        parts
            .flat_map(|(unknown, amount)| unknown.iter().map(move |&(bone, share)| (bone, share * amount)))
            .collect()
    }

    fn pair_product(&self, a: &Entries, b: &Entries) -> f64 {
        let solver = self.solver;
        let mut sum = 0.0;
        for &(bone, share) in a {
            for &(other, other_share) in b {
                let mut product = solver.whole_product(self.vertex, bone, other);
                if let Some(partner) = self.mirrored {
                    product += solver.whole_product(partner, solver.partner(bone), solver.partner(other));
                }
                sum += share * other_share * product;
            }
        }
        sum
    }

    fn pair_linear(&self, a: &Entries) -> f64 {
        let solver = self.solver;
        let mut sum = -self.pair_product(a, self.locked);
        for &(bone, share) in a {
            sum += share * solver.whole_linear(self.vertex, bone, self.weights);
            if let Some(partner) = self.mirrored {
                sum += share * solver.whole_linear(partner, solver.partner(bone), self.weights);
            }
        }
        sum
    }

    /// Those in use, and of the others those that the gradient likes best.
    fn candidates(&self, unknowns: &[Entries], amounts: &[f64], room: usize) -> Vec<usize> {
        let limit = CANDIDATES.max(room + 4).min(N);
        if unknowns.len() <= limit {
            return (0..unknowns.len()).collect();
        }
        let used: Vec<usize> = (0..unknowns.len()).filter(|&at| amounts[at] > 0.0).collect();
        let slope = |at: usize| {
            let product = |other: usize| self.pair_product(&unknowns[at], &unknowns[other]);
            let along: f64 = used.iter().map(|&other| amounts[other] * product(other)).sum();
            // Without a start: what the bone would do alone.
            let alone = if used.is_empty() { 0.5 * self.total * product(at) } else { 0.0 };
            along + alone - self.pair_linear(&unknowns[at])
        };
        let mut others: Vec<(f64, usize)> =
            (0..unknowns.len()).filter(|at| amounts[*at] == 0.0).map(|at| (slope(at), at)).collect();
        others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut chosen = used;
        chosen.extend(others.iter().map(|other| other.1).take(limit - chosen.len().min(limit)));
        chosen.sort_unstable();
        chosen
    }

    fn weigh(&self, unknowns: &[Entries], chosen: &[usize], amounts: &[f64], room: usize) -> Vec<f64> {
        let mut problem = SimplexProblem {
            count: chosen.len(),
            gram: [[0.0; N]; N],
            linear: [0.0; N],
            total: self.total,
            max_entries: room,
            max_nodes: self.solver.nodes,
        };
        let mut start = [0.0; N];
        for (i, &at) in chosen.iter().enumerate() {
            problem.linear[i] = self.pair_linear(&unknowns[at]);
            start[i] = amounts[at];
            for (j, &other) in chosen.iter().enumerate().take(i + 1) {
                let product = self.pair_product(&unknowns[at], &unknowns[other]);
                (problem.gram[i][j], problem.gram[j][i]) = (product, product);
            }
        }
        let has_start = start.iter().any(|&amount| amount > 0.0);
        problem.solve(has_start.then_some(&start)).0[..chosen.len()].to_vec()
    }
}
