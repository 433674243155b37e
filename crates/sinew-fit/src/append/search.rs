//! Chains of all helpers and the weights of all vertices, in turn.

use glam::{DAffine3, DVec3};

use super::chain::{AppendChain, AppendLink, Turns};
use super::hanging::Pulls;
use crate::error::HelperError;
use crate::examples::Examples;
use crate::helpers::{
    FEW_NODES, FitErrors, HelperSettings, Loads, MANY_NODES, Relaxation, Rows, Solution, View, check,
    left_over, measure, rows_from, rows_of,
};

/// How chains are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppendSettings {
    /// Maximum links of a chain. Default 3, with which 12 helpers of Sinew's human keep 98 % of what controllers remove.
    pub most_links: usize,
    /// Maximum rounds of chains and weights. Default 40.
    pub rounds: usize,
    /// Share of the squared error that a link must take away. Default 0.01.
    pub least_gain: f64,
    /// A round that lowers the RMS error by less than this fraction of it is the last. Default 1e-3.
    pub tolerance: f64,
    /// Whether weights stay those of the start: for helpers that keys move. Default: no.
    pub keeps_weights: bool,
}

impl Default for AppendSettings {
    fn default() -> Self {
        Self { most_links: 3, rounds: 40, least_gain: 0.01, tolerance: 1e-3, keeps_weights: false }
    }
}

/// Where the search starts: helpers that were fitted without being bound to follow others.
#[derive(Clone, Copy, Debug)]
pub struct AppendStart<'a> {
    /// One per vertex and bone, vertex by vertex, drivers first.
    pub weights: &'a [f64],
    /// Skinning matrices, pose by pose, in each pose one per helper.
    pub posed_from_rest: &'a [DAffine3],
    /// Mirror image of each helper, `None` for those in the middle; empty without mirror.
    pub pairs: &'a [Option<usize>],
}

/// Helpers as chains.
#[derive(Clone, Debug)]
pub struct AppendFit {
    /// One per helper.
    pub chains: Vec<AppendChain>,
    /// One per vertex and bone, vertex by vertex, drivers first.
    pub weights: Vec<f64>,
    /// What is left over.
    pub errors: FitErrors,
}

/// A search in rounds, each of which a caller may let be the last.
pub struct AppendSearch<'a> {
    relaxation: Relaxation<'a>,
    turns: Turns<'a>,
    mirror: &'a [u16],
    settings: AppendSettings,
    solution: Solution,
    chains: Vec<AppendChain>,
    /// Squared error of `chains` with the weights of `solution`.
    error: f64,
    round: usize,
    /// The best so far.
    best: (f64, Vec<AppendChain>, Solution),
}

/// Rounds that look for new chains; those after them only improve shares and pivots.
const SEARCHES: usize = 4;

impl<'a> AppendSearch<'a> {
    /// # Errors
    /// If examples or settings are wrong, or lists do not match them.
    pub fn new(
        examples: &Examples<'a>,
        start: AppendStart<'_>,
        turns: Turns<'a>,
        helpers: &'a HelperSettings,
        settings: AppendSettings,
    ) -> Result<Self, HelperError> {
        examples.check()?;
        check(helpers, examples)?;
        let (pose_count, driver_count) = (examples.pose_count(), examples.driver_count);
        let helper_count = start.posed_from_rest.len() / pose_count;
        let counts = [
            ("weights", start.weights.len(), examples.vertex_count() * (driver_count + helper_count)),
            ("helper matrices", start.posed_from_rest.len(), pose_count * helper_count),
            ("turns", turns.vectors.len(), pose_count * driver_count),
            ("turns at rest", turns.at_rest.len(), driver_count),
            ("drivers that may be followed", turns.is_followed.len(), driver_count),
        ];
        if let Some(&(what, found, expected)) = counts.iter().find(|(_, found, expected)| found != expected) {
            return Err(HelperError::Count { what, found, expected });
        }
        let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
        let view = View::new(*examples, all(pose_count), all(examples.vertex_count()));
        let poses = start.posed_from_rest.chunks(helper_count.max(1));
        let rows = poses.flat_map(|matrices| rows_from(matrices, view.center)).collect();
        let mut solution = Solution::bare(helper_count, rows, start.weights.to_vec());
        solution.pairs = start.pairs.to_vec();
        let none = AppendChain { parent: 0, links: Vec::new() };
        Ok(Self {
            relaxation: Relaxation::new(helpers, view),
            turns,
            mirror: helpers.rules.mirror.as_ref().map_or(&[], |mirror| &mirror.drivers),
            settings,
            best: (f64::INFINITY, Vec::new(), Solution::default()),
            chains: vec![none; helper_count],
            solution,
            error: f64::INFINITY,
            round: 0,
        })
    }

    /// One round; whether another may help.
    pub fn advance(&mut self) -> bool {
        let before = self.best.0;
        for helper in 0..self.chains.len() {
            self.improve(helper);
        }
        self.error = if self.settings.keeps_weights {
            let view = &self.relaxation.view;
            let count = (view.vertex_count() * view.pose_count()) as f64;
            measure(&view.examples, &self.solution).rms.powi(2) * count
        } else {
            let nodes = if self.round == 0 { MANY_NODES } else { FEW_NODES };
            self.relaxation.weigh(&mut self.solution, nodes).objective
        };
        self.round += 1;
        if self.error < self.best.0 {
            self.best = (self.error, self.chains.clone(), self.solution.clone());
        }
        let is_better = self.best.0 < before * (1.0 - 2.0 * self.settings.tolerance);
        self.round < self.settings.rounds && (is_better || self.round < SEARCHES)
    }

    /// RMS error of the best so far, with the cost of rules.
    pub fn rms(&self) -> f64 {
        let view = &self.relaxation.view;
        (self.best.0 / (view.vertex_count() * view.pose_count()).max(1) as f64).sqrt()
    }

    /// The best that was found.
    pub fn finish(self) -> AppendFit {
        let (_, chains, solution) = self.best;
        let errors = measure(&self.relaxation.view.examples, &solution);
        let center = self.relaxation.view.center;
        let placed = |link: &AppendLink| AppendLink { pivot: link.pivot + center, ..*link };
        let chain = |chain: &AppendChain| AppendChain {
            links: chain.links.iter().map(placed).collect(),
            ..chain.clone()
        };
        AppendFit { chains: chains.iter().map(chain).collect(), weights: solution.weights, errors }
    }

    /// A new chain for a helper, or a better one, and its mirror image for its partner. Pivots are counted from the view's center meanwhile.
    fn improve(&mut self, helper: usize) {
        let pair = self.solution.pairs.get(helper).copied().flatten();
        if pair.is_some_and(|partner| partner < helper) {
            return;
        }
        let is_middle = !self.mirror.is_empty() && pair.is_none();
        let Some(found) = self.chain(helper, is_middle) else { return };
        if let Some(partner) = pair {
            let shift = DVec3::X * (2.0 * self.relaxation.view.center.x);
            let mut image = found.mirrored(|driver| usize::from(self.mirror[driver]));
            image.links.iter_mut().for_each(|link| link.pivot -= shift);
            self.put(partner, image);
        }
        self.put(helper, found);
    }

    fn chain(&self, helper: usize, is_middle: bool) -> Option<AppendChain> {
        let view = &self.relaxation.view;
        let (width, driver_width) = (self.solution.helper_width(), view.driver_width());
        let driver = |driver: usize, pose: usize| -> Rows {
            rows_of(&view.driver_rows[3 * pose * driver_width..][..3 * driver_width], driver, driver_width)
        };
        let loads = Loads::new(view, &self.solution);
        let mut by_pose = vec![0.0; 3 * width * view.pose_count()];
        view.each_part(
            &mut by_pose,
            3 * width,
            || (),
            |(), block, into| into.copy_from_slice(&loads.pulls(view, &block, width)),
        );
        let rows = self.solution.helper_rows.chunks(3 * width);
        let left = rows
            .zip(by_pose.chunks(3 * width))
            .map(|(rows, pulls)| left_over(rows, pulls, &loads, helper, width));
        let pulls = Pulls {
            spread: loads.block(helper, helper, width),
            by_pose: left.collect(),
            driver: &driver,
            turns: &self.turns,
            plane: is_middle.then_some(-view.center.x),
        };
        if pulls.spread[3][3] < 1e-12 {
            return None;
        }
        let before = (self.round > 0).then(|| pulls.refined(&self.chains[helper]));
        if self.round >= SEARCHES {
            return before.map(|found| found.1);
        }
        let is_allowed = |driver: &usize| !is_middle || usize::from(self.mirror[*driver]) == *driver;
        let parents: Vec<usize> = (0..view.examples.driver_count).filter(is_allowed).collect();
        let is_followed = |driver: &&usize| self.turns.is_followed[**driver];
        let followed: Vec<usize> = parents.iter().filter(is_followed).copied().collect();
        let least_gain = self.settings.least_gain * self.error.min(self.unposed_error(&pulls));
        let found = pulls.best((&parents, &followed), self.settings.most_links, least_gain);
        let both = before.into_iter().chain(found);
        both.min_by(|a, b| a.0.total_cmp(&b.0)).map(|found| found.1)
    }

    /// A scale of squared errors before the first round: that of vertices that are off by a hundredth of the model.
    fn unposed_error(&self, pulls: &Pulls<'_>) -> f64 {
        pulls.spread[3][3]
            * self.relaxation.view.pose_count() as f64
            * (0.01 * self.relaxation.view.extent).powi(2)
    }

    /// Has a helper move as a chain does.
    fn put(&mut self, helper: usize, chain: AppendChain) {
        let view = &self.relaxation.view;
        let (width, driver_width) = (self.solution.helper_width(), view.driver_width());
        let mut matrices = vec![DAffine3::IDENTITY; view.examples.driver_count];
        for (pose, rows) in self.solution.helper_rows.chunks_mut(3 * width).enumerate() {
            let own = &view.driver_rows[3 * pose * driver_width..][..3 * driver_width];
            matrices[chain.parent] = matrix(&rows_of(own, chain.parent, driver_width));
            let moved = chain.posed_from_rest(&self.turns, pose, &matrices);
            for component in 0..3 {
                let row = &mut rows[component * width + 4 * helper..][..4];
                row[..3].copy_from_slice(&moved.matrix3.row(component).to_array());
                row[3] = moved.translation[component];
            }
        }
        self.chains[helper] = chain;
    }
}

fn matrix(rows: &Rows) -> DAffine3 {
    DAffine3 {
        matrix3: crate::helpers::linear_part(rows),
        translation: DVec3::from_array(rows.map(|row| row[3])),
    }
}
