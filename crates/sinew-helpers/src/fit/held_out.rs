//! How well a rig does in poses that it was not fitted to.

use crate::examples::sampling::{random_shares, rotations};
use crate::{ExampleSet, FittedRig, Poser, Region, RigFitSettings, Scope, Turns};
use rayon::prelude::*;
use sinew_rig::BoneId;

/// Errors on poses of the whole character that were not fitted, metres.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct HeldOut {
    /// Poses.
    pub poses: usize,
    /// RMS of the bones alone, over the vertices of all regions.
    pub rms_plain: f64,
    /// RMS with helpers.
    pub rms: f64,
    /// RMS of the bones alone, over all vertices of the skin.
    pub rms_plain_all: f64,
    /// RMS with helpers, over all vertices of the skin.
    pub rms_all: f64,
    /// Largest error with helpers.
    pub largest: f64,
    /// Largest error of a vertex in rest pose.
    pub largest_at_rest: f64,
}

/// Poses that bend all joints of all regions at once, at random; none of them is fitted.
pub fn held_out_poses(regions: &[Region], settings: &RigFitSettings) -> Vec<Turns> {
    let mut bones: Vec<BoneId> =
        regions.iter().flat_map(|region| region.joints.iter().map(|joint| joint.bone)).collect();
    bones.sort_unstable_by_key(|bone| bone.index());
    bones.dedup();
    let known = |bone: &BoneId| {
        let mut joints = regions.iter().flat_map(|region| &region.joints);
        joints.find(|joint| joint.bone == *bone).cloned()
    };
    let joints: Vec<_> = bones.iter().filter_map(known).collect();
    let freedom_count = joints.iter().map(|joint| joint.freedoms.len()).sum();
    let turns = |index: usize| -> Turns {
        let shares = random_shares(freedom_count, settings.helpers.seed ^ 0x6865_6c64, index);
        bones.iter().copied().zip(rotations(&joints, &shares)).collect()
    };
    (0..settings.held_out_count).map(turns).collect()
}

/// Measures a rig on poses that bend all joints of all regions at once.
pub(super) fn held_out(
    poser: &Poser<'_>,
    regions: &[Region],
    rig: &FittedRig,
    settings: &RigFitSettings,
) -> HeldOut {
    let mut poses: Vec<Turns> = vec![Vec::new()];
    poses.extend(held_out_poses(regions, settings));
    let all: Vec<usize> = (0..rig.driver_count).collect();
    let scope = Scope { vertices: &rig.vertices, drivers: &all };
    let mut is_fitted = vec![false; rig.vertices.len()];
    for vertex in regions.iter().flat_map(|region| &region.vertices) {
        if let Ok(at) = rig.vertices.binary_search(vertex) {
            is_fitted[at] = true;
        }
    }
    let plain = FittedRig::plain(poser.drivers, poser.bound);
    let measured: Vec<[Measure; 2]> = poses
        .par_iter()
        .map(|turns| {
            let set = poser.examples(scope, std::slice::from_ref(turns));
            [rig, &plain].map(|rig| Measure::of(rig, &set, &is_fitted))
        })
        .collect();
    let sum =
        |which: usize| measured[1..].iter().fold(Measure::default(), |sum, pair| sum.plus(&pair[which]));
    let (with, without) = (sum(0), sum(1));
    let fitted = (is_fitted.iter().filter(|is| **is).count() * settings.held_out_count).max(1) as f64;
    let every = (rig.vertices.len() * settings.held_out_count).max(1) as f64;
    HeldOut {
        poses: settings.held_out_count,
        rms_plain: (without.fitted / fitted).sqrt(),
        rms: (with.fitted / fitted).sqrt(),
        rms_plain_all: (without.all / every).sqrt(),
        rms_all: (with.all / every).sqrt(),
        largest: with.largest,
        largest_at_rest: measured[0][0].largest,
    }
}

/// Squared errors of a pose.
#[derive(Clone, Copy, Debug, Default)]
struct Measure {
    fitted: f64,
    all: f64,
    largest: f64,
}

impl Measure {
    fn of(rig: &FittedRig, set: &ExampleSet, is_fitted: &[bool]) -> Self {
        let positions =
            rig.positions(&set.rest_positions, &set.driver_rotations, &set.driver_posed_from_rest);
        let mut measure = Self::default();
        for ((a, b), is_fitted) in positions.iter().zip(&set.target_positions).zip(is_fitted) {
            let square = f64::from(a.distance_squared(*b));
            measure.all += square;
            measure.fitted += if *is_fitted { square } else { 0.0 };
            measure.largest = measure.largest.max(square.sqrt());
        }
        measure
    }

    fn plus(&self, other: &Self) -> Self {
        let largest = self.largest.max(other.largest);
        Self { fitted: self.fitted + other.fitted, all: self.all + other.all, largest }
    }
}
