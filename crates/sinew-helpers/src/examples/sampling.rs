//! Which poses of a few joints are looked at.

use crate::JointRange;
use glam::DQuat;
use sinew_geometry::Random;

/// How poses are spread over the ranges of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// Evenly without a lattice: any number of poses is spread well, also over many freedoms.
    #[default]
    LowDiscrepancy,
    /// A lattice with the ends of every range on it; as many steps a freedom as the number of poses allows, at least 2.
    Grid,
    /// As `LowDiscrepancy` to begin with, then one by one where the rig so far errs most.
    Adaptive,
}

/// Poses as shares from 0 to 1, one list a pose, one share a freedom.
pub fn shares(sampling: Sampling, freedom_count: usize, count: usize, first: usize) -> Vec<Vec<f64>> {
    match sampling {
        Sampling::Grid => grid(freedom_count, count),
        Sampling::LowDiscrepancy | Sampling::Adaptive => {
            (first..first + count).map(|index| halton(index, freedom_count)).collect()
        }
    }
}

/// Rotations of joints for the shares of all their freedoms, joint by joint.
pub(crate) fn rotations(joints: &[JointRange], shares: &[f64]) -> Vec<DQuat> {
    let mut at = 0;
    let mut of_joint = |joint: &JointRange| {
        let own = &shares[at..][..joint.freedoms.len()];
        at += own.len();
        joint.rotation(own)
    };
    joints.iter().map(&mut of_joint).collect()
}

/// Number `index` of Halton's sequence: \[Halton60\]. Each freedom's digits are permuted by a fixed rule, without which freedoms of
/// large primes follow each other for the first hundred poses.
fn halton(index: usize, freedom_count: usize) -> Vec<f64> {
    let mut primes = Vec::with_capacity(freedom_count);
    let mut candidate = 2u64;
    while primes.len() < freedom_count {
        if primes.iter().all(|prime| !candidate.is_multiple_of(*prime)) {
            primes.push(candidate);
        }
        candidate += 1;
    }
    let radical = |&prime: &u64| {
        // A multiplier near the golden section of the prime; 0 stays 0.
        let multiplier = ((prime as f64 * 0.618_034) as u64).max(1);
        let (mut left, mut share, mut place) = (index as u64 + 1, 0.0, 1.0 / prime as f64);
        while left > 0 {
            share += ((left % prime) * multiplier % prime) as f64 * place;
            left /= prime;
            place /= prime as f64;
        }
        share
    };
    primes.iter().map(radical).collect()
}

/// A pose at random, the same for the same seed and index: for freedoms in any number.
pub fn random_shares(freedom_count: usize, seed: u64, index: usize) -> Vec<f64> {
    let mut random = Random::new(seed ^ (index as u64).wrapping_mul(0xd1b5_4a32_d192_ed03));
    (0..freedom_count).map(|_| random.unit()).collect()
}

fn grid(freedom_count: usize, count: usize) -> Vec<Vec<f64>> {
    if freedom_count == 0 {
        return vec![Vec::new()];
    }
    let steps = ((count as f64).powf(1.0 / freedom_count as f64) + 1e-9).floor().max(2.0) as usize;
    let total = steps
        .checked_pow(freedom_count as u32)
        .unwrap_or(usize::MAX)
        .min(count.max(1 << freedom_count.min(20)));
    let pose = |index: usize| {
        let mut left = index;
        let share = |_| {
            let step = left % steps;
            left /= steps;
            step as f64 / (steps - 1) as f64
        };
        (0..freedom_count).map(share).collect()
    };
    (0..total).map(pose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_poses_is_spread_over_every_pair_of_freedoms() {
        for freedoms in [1, 3, 7, 12] {
            let poses = shares(Sampling::LowDiscrepancy, freedoms, 128, 0);
            for a in 0..freedoms {
                let mean = poses.iter().map(|pose| pose[a]).sum::<f64>() / 128.0;
                assert!((mean - 0.5).abs() < 0.06, "{freedoms} freedoms, {a}: mean {mean}");
                for b in 0..a {
                    // Quarters of the square of two freedoms hold about as many poses each.
                    let mut counts = [0; 4];
                    poses.iter().for_each(|pose| {
                        counts[usize::from(pose[a] > 0.5) * 2 + usize::from(pose[b] > 0.5)] += 1
                    });
                    let least = counts.iter().min().copied().unwrap_or(0);
                    assert!(least >= 18, "{freedoms} freedoms, {a} and {b}: {counts:?}");
                }
            }
        }
    }

    #[test]
    fn a_grid_has_the_ends_of_every_range() {
        let poses = shares(Sampling::Grid, 2, 10, 0);
        assert_eq!(poses.len(), 9);
        assert!(poses.contains(&vec![0.0, 1.0]) && poses.contains(&vec![0.5, 0.5]));
        assert_eq!(shares(Sampling::Grid, 3, 1, 0).len(), 8, "two steps a freedom are the least");
        assert_eq!(shares(Sampling::Grid, 0, 5, 0), [Vec::<f64>::new()]);
    }
}
