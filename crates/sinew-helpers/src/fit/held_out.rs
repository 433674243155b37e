//! How well a rig does in poses that it was not fitted to.

use crate::examples::sampling::{random_shares, rotations};
use crate::{ExampleSet, FittedRig, Judged, Poser, Regions, RigFitSettings, Scope, Turns};
use glam::DQuat;
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
pub fn held_out_poses(regions: &Regions, settings: &RigFitSettings) -> Vec<Turns> {
    random_poses(regions, settings.helpers.seed ^ 0x6865_6c64, settings.held_out_count, 1.0)
}

/// Poses at random, `reach` of the way from rest to where the joints' ranges have them.
fn random_poses(regions: &Regions, seed: u64, count: usize, reach: f64) -> Vec<Turns> {
    let mut bones: Vec<BoneId> =
        regions.list.iter().flat_map(|region| region.joints.iter().map(|joint| joint.bone)).collect();
    bones.sort_unstable_by_key(|bone| bone.index());
    bones.dedup();
    let known = |bone: &BoneId| {
        let mut joints = regions.list.iter().flat_map(|region| &region.joints);
        joints.find(|joint| joint.bone == *bone).cloned()
    };
    let joints: Vec<_> = bones.iter().filter_map(known).collect();
    let freedom_count = joints.iter().map(|joint| joint.freedoms.len()).sum();
    let turns = |index: usize| -> Turns {
        let shares = random_shares(freedom_count, seed, index);
        let turned = rotations(&joints, &shares).into_iter();
        bones.iter().copied().zip(turned.map(|turn| DQuat::IDENTITY.slerp(turn, reach))).collect()
    };
    (0..count).map(turns).collect()
}

/// Poses of each kind that helpers are judged on; others than those that are fitted, and than those that are told.
const JUDGED_POSES: usize = 200;
/// How far the two kinds are bent: over the whole range, and as far as a walk does.
const JUDGED_REACHES: [f64; 2] = [1.0, 0.35];

/// How every region does in poses that were not fitted, near rest or far from it, whichever is worse; `None` without vertices.
pub(super) fn judge(
    poser: &Poser<'_>,
    regions: &Regions,
    rig: &FittedRig,
    settings: &RigFitSettings,
) -> Vec<Option<Judged>> {
    let all: Vec<usize> = (0..rig.driver_count).collect();
    let scope = Scope { vertices: &rig.vertices, drivers: &all };
    let mut region_of = vec![usize::MAX; rig.vertices.len()];
    for (index, region) in regions.list.iter().enumerate() {
        for vertex in &region.vertices {
            if let Ok(at) = rig.vertices.binary_search(vertex) {
                region_of[at] = index;
            }
        }
    }
    let plain = FittedRig::plain(poser.drivers, poser.bound);
    let of_pose = |turns: &Turns| {
        let set = poser.examples(scope, std::slice::from_ref(turns));
        [rig, &plain].map(|rig| {
            let mut squares = vec![0.0; regions.list.len()];
            for ((a, b), &region) in rig.placed(&set).iter().zip(&set.target_positions).zip(&region_of) {
                if let Some(square) = squares.get_mut(region) {
                    *square += f64::from(a.distance_squared(*b));
                }
            }
            squares
        })
    };
    let mut judged = vec![None::<Judged>; regions.list.len()];
    for reach in JUDGED_REACHES {
        let poses = random_poses(regions, settings.helpers.seed ^ 0x6a75_6467, JUDGED_POSES, reach);
        let measured: Vec<[Vec<f64>; 2]> = poses.par_iter().map(of_pose).collect();
        for (index, region) in regions.list.iter().enumerate() {
            let count = (region.vertices.len() * poses.len()) as f64;
            let rms =
                |which: usize| (measured.iter().map(|pose| pose[which][index]).sum::<f64>() / count).sqrt();
            let found = Judged { rms: rms(0), rms_plain: rms(1) };
            if count > 0.0 && judged[index].is_none_or(|known| found.share() > known.share()) {
                judged[index] = Some(found);
            }
        }
    }
    judged
}

/// Measures a rig on poses that bend all joints of all regions at once.
pub(super) fn held_out(
    poser: &Poser<'_>,
    regions: &Regions,
    rig: &FittedRig,
    settings: &RigFitSettings,
) -> HeldOut {
    let mut poses: Vec<Turns> = vec![Vec::new()];
    poses.extend(held_out_poses(regions, settings));
    let all: Vec<usize> = (0..rig.driver_count).collect();
    let scope = Scope { vertices: &rig.vertices, drivers: &all };
    let mut is_fitted = vec![false; rig.vertices.len()];
    for vertex in regions.list.iter().flat_map(|region| &region.vertices) {
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
        let positions = rig.placed(set);
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
