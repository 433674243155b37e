//! Which pose is worth making next.
//!
//! A controller is a weighted sum of functions φ of the pose. With examples at φ₁ … φₙ, the variance of what it says at another pose is
//! `φᵀ (Σ φᵢ φᵢᵀ)⁻¹ φ` times that of the examples, wherever the truth lies: the pose where it is largest is the one about which the examples
//! say least. Adding that pose, and looking again, is the sequential form of a D-optimal design: \[Wynn70\].

use super::rig_fit::region_poses;
use crate::{Poser, Regions, Sampling, Scope, Sequence, Turns};
use sinew_fit::{Controllers, DriverInput};
use sinew_rig::{BoneId, DriverChange};

/// Functions that no example has shown yet have this much of a unit example.
const PRIOR: f64 = 1e-6;

/// A pose that is worth making.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// Which of the candidates.
    pub candidate: usize,
    /// How little the examples say about it: the variance there in variances of one example; above 1 it lies outside of what they span.
    pub doubt: f64,
}

/// What examples say about poses.
pub struct Knowledge {
    controllers: Controllers,
    /// (Σ φ φᵀ + prior)⁻¹, row by row.
    inverse: Vec<f64>,
}

impl Knowledge {
    /// Nothing known yet. `inputs`: what is seen of each driver.
    pub fn new(inputs: Vec<DriverInput>, degree: usize) -> Self {
        let counts: Vec<usize> = inputs.iter().map(DriverInput::count).collect();
        let basis = sinew_rig::ControllerBasis::polynomial(&counts, degree, true);
        let size = basis.function_count();
        let mut inverse = vec![0.0; size * size];
        (0..size).for_each(|at| inverse[at * size + at] = 1.0 / PRIOR);
        Self { controllers: Controllers { inputs, basis, helpers: Vec::new() }, inverse }
    }

    /// Adds an example. `changes`: of each driver.
    pub fn add(&mut self, changes: &[DriverChange]) {
        let values = self.controllers.values(changes);
        let along = self.times(&values);
        let doubt: f64 = values.iter().zip(&along).map(|(a, b)| a * b).sum();
        // The inverse after a product of a column with itself was added to the matrix.
        let size = values.len();
        for (row, left) in self.inverse.chunks_mut(size).zip(&along) {
            row.iter_mut().zip(&along).for_each(|(entry, right)| *entry -= left * right / (1.0 + doubt));
        }
    }

    /// How little is known about a pose.
    pub fn doubt(&self, changes: &[DriverChange]) -> f64 {
        let values = self.controllers.values(changes);
        values.iter().zip(self.times(&values)).map(|(a, b)| a * b).sum()
    }

    fn times(&self, values: &[f64]) -> Vec<f64> {
        let row = |row: &[f64]| row.iter().zip(values).map(|(a, b)| a * b).sum();
        self.inverse.chunks(values.len()).map(row).collect()
    }

    /// The candidates worth most, best first, each as if those before it had been made.
    pub fn suggest(&mut self, candidates: &[Vec<DriverChange>], count: usize) -> Vec<Suggestion> {
        let mut found = Vec::new();
        for _ in 0..count.min(candidates.len()) {
            let doubts: Vec<f64> = candidates.iter().map(|changes| self.doubt(changes)).collect();
            let best = (0..doubts.len()).max_by(|&a, &b| doubts[a].total_cmp(&doubts[b]).then(b.cmp(&a)));
            let Some(candidate) = best else { break };
            self.add(&candidates[candidate]);
            found.push(Suggestion { candidate, doubt: doubts[candidate] });
        }
        found
    }
}

/// A pose of a character that is worth making.
#[derive(Clone, Debug)]
pub struct SuggestedPose {
    /// Name of the bone of the joint that it is for.
    pub joint: String,
    /// Turns from rest.
    pub turns: Turns,
    /// The same in words.
    pub words: String,
    /// As in [`Suggestion::doubt`].
    pub doubt: f64,
}

/// Poses that each region is asked about.
const CANDIDATES: usize = 300;

/// The poses of a character that examples say least about, those that matter to most skin first.
pub fn suggest_poses(
    poser: &Poser<'_>,
    regions: &Regions,
    sequence: &Sequence,
    degree: usize,
    count: usize,
) -> Vec<SuggestedPose> {
    let name = |bone: BoneId| poser.character.skeleton().bone(bone).name.clone();
    let mut found: Vec<(f64, SuggestedPose)> = Vec::new();
    for region in &regions.list {
        let scope = Scope { vertices: &[], drivers: &region.drivers };
        let mut knowledge = Knowledge::new(region.seen(poser.drivers, &regions.inputs), degree);
        let made = poser.sequence(scope, &sequence.poses, &sequence.shapes);
        made.driver_changes.chunks(region.drivers.len()).for_each(|changes| knowledge.add(changes));
        let poses = region_poses(region, Sampling::LowDiscrepancy, CANDIDATES, (0, 0));
        let changes = |turns: &Turns| -> Vec<DriverChange> {
            let of = |&driver: &usize| {
                let own = turns.iter().find(|(bone, _)| *bone == poser.drivers.bones()[driver]);
                own.map_or(DriverChange::REST, |(_, turn)| (*turn).into())
            };
            region.drivers.iter().map(of).collect()
        };
        let candidates: Vec<Vec<DriverChange>> = poses.iter().map(changes).collect();
        for Suggestion { candidate, doubt } in knowledge.suggest(&candidates, count) {
            let turns = poses[candidate].clone();
            let words = describe(&turns, &name);
            let worth = doubt * region.vertices.len() as f64;
            found.push((worth, SuggestedPose { joint: name(region.joint), turns, words, doubt }));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(count).map(|(_, pose)| pose).collect()
}

/// A pose in words: which bones turn by how many degrees, those that turn most first.
fn describe(turns: &Turns, name: &dyn Fn(BoneId) -> String) -> String {
    let mut parts: Vec<(f64, String)> = turns
        .iter()
        .map(|(bone, turn)| {
            let shorter = if turn.w < 0.0 { -*turn } else { *turn };
            let (axis, angle) = shorter.to_axis_angle();
            let degrees = angle.to_degrees();
            let text =
                format!("{} {degrees:.0}° about ({:.2}, {:.2}, {:.2})", name(*bone), axis.x, axis.y, axis.z);
            (degrees.abs(), text)
        })
        .filter(|(degrees, _)| *degrees >= 1.0)
        .collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    parts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn what_is_known_least_is_suggested_and_known_afterwards() {
        let hinge = |angle: f64| vec![DriverChange::from(DQuat::from_axis_angle(DVec3::X, angle))];
        let mut knowledge = Knowledge::new(vec![DriverInput::Hinge(DVec3::X)], 2);
        [0.0, 0.2, 0.4].iter().for_each(|angle| knowledge.add(&hinge(*angle)));
        let candidates: Vec<Vec<DriverChange>> = (0..=20).map(|step| hinge(0.1 * f64::from(step))).collect();
        let before = knowledge.doubt(&candidates[20]);
        let found = knowledge.suggest(&candidates, 2);
        assert_eq!(found[0].candidate, 20, "the far end is known least");
        assert!((8..15).contains(&found[1].candidate), "then the middle of the gap: {}", found[1].candidate);
        let after = knowledge.doubt(&candidates[20]);
        assert!(before > 10.0 && after < 1.0 + 1e-9, "{before} before, {after} after");
    }
}
