//! From any deformer of Sinew to helper bones: every joint's neighborhood is sampled and fitted alone, then all are joined.

use super::sampling::{random_shares, rotations, shares};
use super::{Drivers, ExampleSet, FitError, FittedPart, FittedRig, Poser, Region, Sampling, Scope, Turns};
use glam::{DAffine3, DVec3, Vec3};
use rayon::prelude::*;
use sinew_fit::{
    BasisKind, ControllerSettings, DriverInput, FitErrors, HelperFit, HelperSettings, controller_errors,
    fit_controllers, fit_helpers,
};
use sinew_rig::BoneId;
use std::ops::ControlFlow;

/// How the helpers of a character are fitted.
#[derive(Clone, Debug)]
pub struct RigFitSettings {
    /// Helpers of the whole character; they go where skin differs most from what bones alone can do.
    pub helper_count: usize,
    /// Most helpers of one joint. Default 2.
    pub joint_helpers: usize,
    /// How each region is fitted; its `helper_count` does not count.
    pub helpers: HelperSettings,
    /// How controllers are.
    pub controllers: ControllerSettings,
    /// How poses are chosen.
    pub sampling: Sampling,
    /// Poses of each region. Default 200.
    pub pose_count: usize,
    /// Poses of the whole character that are not fitted, for measuring. Default 100.
    pub held_out_count: usize,
    /// Bones whose weights stay as they are, by place among the drivers.
    pub locked_drivers: Vec<usize>,
}

impl Default for RigFitSettings {
    fn default() -> Self {
        Self {
            helper_count: 4,
            joint_helpers: 2,
            helpers: HelperSettings::default(),
            controllers: ControllerSettings::default(),
            sampling: Sampling::default(),
            pose_count: 200,
            held_out_count: 100,
            locked_drivers: Vec::new(),
        }
    }
}

/// What became of one region.
#[derive(Clone, Debug, serde::Serialize)]
pub struct RegionReport {
    /// Name of its joint's bone.
    pub joint: String,
    /// Its vertices.
    pub vertices: usize,
    /// Poses it was fitted to.
    pub poses: usize,
    /// Helpers it got.
    pub helpers: usize,
    /// RMS error of the bones alone on its poses, metres.
    pub rms_plain: f64,
    /// RMS error after stage 1.
    pub rms: f64,
    /// RMS error with controllers.
    pub rms_controllers: f64,
}

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

/// Helpers of a whole character, and how well they do.
#[derive(Clone, Debug)]
pub struct RigFit {
    /// The rig.
    pub rig: FittedRig,
    /// One per region, those without helpers too.
    pub regions: Vec<RegionReport>,
    /// On other poses.
    pub held_out: HeldOut,
}

/// What is told while a character is fitted.
#[derive(Clone, Copy, Debug)]
pub struct RigProgress<'a> {
    /// Regions that are done.
    pub done: usize,
    /// Regions there are.
    pub count: usize,
    /// Joint of the region that is worked on.
    pub joint: &'a str,
    /// Its error so far; infinite where there is none yet.
    pub rms: f64,
}

/// Called from time to time; `false` stops.
pub type OnProgress<'a> = dyn FnMut(&RigProgress<'_>) -> bool + 'a;

/// Fits helpers to all regions.
///
/// # Errors
/// Settings that do not fit, or `on_progress` stops.
pub fn fit_rig(
    poser: &Poser<'_>,
    regions: &[Region],
    settings: &RigFitSettings,
    on_progress: &mut OnProgress<'_>,
) -> Result<RigFit, FitError> {
    let name = |bone: BoneId| poser.character.skeleton().bone(bone).name.clone();
    let sets: Vec<RegionSet> = regions.iter().map(|region| RegionSet::new(poser, region, settings)).collect();
    let counts = allot(&sets, settings);
    let mut rig = FittedRig::plain(poser.drivers, poser.bound);
    let mut reports = Vec::new();
    for (at, (set, &helper_count)) in sets.into_iter().zip(&counts).enumerate() {
        let joint = name(set.region.joint);
        let mut tell =
            |rms: f64| on_progress(&RigProgress { done: at, count: regions.len(), joint: &joint, rms });
        if !tell(f64::INFINITY) {
            return Err(FitError::Interrupted);
        }
        let (vertices, helpers, rms_plain) = (set.region.vertices.len(), helper_count, set.plain_rms);
        let mut report = RegionReport {
            joint: joint.clone(),
            vertices,
            poses: set.set.pose_count(),
            helpers,
            rms_plain,
            rms: rms_plain,
            rms_controllers: rms_plain,
        };
        if helper_count > 0 {
            let fitted = set.fit(poser, settings, helper_count, &mut tell)?;
            report.poses = fitted.pose_count;
            report.helpers = fitted.helpers.helper_count;
            report.rms = fitted.helpers.errors.rms;
            report.rms_controllers = fitted.errors.rms;
            rig.add(&FittedPart {
                vertices: &regions[at].vertices,
                drivers: &regions[at].drivers,
                weights: &fitted.weights,
                controllers: &fitted.controllers,
            })?;
        }
        reports.push(report);
    }
    let held_out = held_out(poser, regions, &rig, settings);
    Ok(RigFit { rig, regions: reports, held_out })
}

/// A region with its examples.
struct RegionSet<'a> {
    region: &'a Region,
    set: ExampleSet,
    /// Weights of the file.
    weights: Vec<f64>,
    /// Error of the bones alone.
    plain_rms: f64,
}

/// A region with its helpers.
struct RegionFit {
    helpers: HelperFit,
    weights: Vec<f64>,
    controllers: sinew_fit::Controllers,
    errors: FitErrors,
    pose_count: usize,
}

impl<'a> RegionSet<'a> {
    fn new(poser: &Poser<'_>, region: &'a Region, settings: &RigFitSettings) -> Self {
        let scope = Scope { vertices: &region.vertices, drivers: &region.drivers };
        let count = match settings.sampling {
            Sampling::Adaptive => settings.pose_count.div_ceil(3),
            _ => settings.pose_count,
        };
        let set = poser.examples(scope, &region_poses(region, settings.sampling, count, 0));
        let weights = poser.weights(scope);
        let plain_rms = set.rms_of(&blend(&set, &weights));
        Self { region, set, weights, plain_rms }
    }

    fn energy(&self) -> f64 {
        self.plain_rms * self.plain_rms * self.region.vertices.len() as f64
    }

    fn fit(
        mut self,
        poser: &Poser<'_>,
        settings: &RigFitSettings,
        helper_count: usize,
        tell: &mut dyn FnMut(f64) -> bool,
    ) -> Result<RegionFit, FitError> {
        let mut fitted = self.fit_once(poser, settings, helper_count, tell)?;
        if settings.sampling == Sampling::Adaptive {
            // Candidates that were never fitted, the worst of which are added until there are enough.
            let mut first = self.set.pose_count();
            while self.set.pose_count() < settings.pose_count {
                let wanted =
                    (settings.pose_count - self.set.pose_count()).min(settings.pose_count.div_ceil(3));
                self.add_worst(poser, &fitted, wanted, first);
                first += CANDIDATES * wanted;
                fitted = self.fit_once(poser, settings, helper_count, tell)?;
            }
        }
        Ok(fitted)
    }

    fn add_worst(&mut self, poser: &Poser<'_>, fitted: &RegionFit, wanted: usize, first: usize) {
        let scope = Scope { vertices: &self.region.vertices, drivers: &self.region.drivers };
        let poses = region_poses(self.region, Sampling::LowDiscrepancy, CANDIDATES * wanted, first);
        let candidates = poser.examples(scope, &poses);
        let errors = controller_errors(
            &candidates.examples(),
            &candidates.driver_rotations,
            &fitted.weights,
            &fitted.controllers,
        );
        let mut order: Vec<usize> = (0..poses.len()).collect();
        order.sort_by(|&a, &b| errors.by_pose[b].total_cmp(&errors.by_pose[a]).then(a.cmp(&b)));
        order.truncate(wanted);
        let (drivers, vertices) = (self.region.drivers.len(), self.region.vertices.len());
        for pose in order {
            let set = &mut self.set;
            set.driver_posed_from_rest
                .extend(&candidates.driver_posed_from_rest[pose * drivers..][..drivers]);
            set.driver_rotations.extend(&candidates.driver_rotations[pose * drivers..][..drivers]);
            set.target_positions.extend(&candidates.target_positions[pose * vertices..][..vertices]);
        }
    }

    fn fit_once(
        &self,
        poser: &Poser<'_>,
        settings: &RigFitSettings,
        helper_count: usize,
        tell: &mut dyn FnMut(f64) -> bool,
    ) -> Result<RegionFit, FitError> {
        let mut helper_settings = HelperSettings { helper_count, ..settings.helpers.clone() };
        let is_locked = |driver: &usize| settings.locked_drivers.contains(driver);
        let locked = self.region.drivers.iter().enumerate().filter(|(_, driver)| is_locked(driver));
        helper_settings.rules.locked_drivers = locked.map(|(at, _)| at as u16).collect();
        if !helper_settings.rules.locked_drivers.is_empty() {
            helper_settings.rules.driver_weights.clone_from(&self.weights);
        }
        let mut is_stopped = false;
        let helpers = fit_helpers(&self.set.examples(), &helper_settings, &mut |progress| {
            if tell(progress.rms_error) {
                return ControlFlow::Continue(());
            }
            is_stopped = true;
            ControlFlow::Break(())
        })?;
        if is_stopped {
            return Err(FitError::Interrupted);
        }
        let inputs = self.inputs(poser.drivers);
        let controller_settings = ControllerSettings {
            basis: affordable(settings.controllers.basis, &inputs, self.set.pose_count()),
            inputs,
            ..settings.controllers.clone()
        };
        let rotations = &self.set.driver_rotations;
        let found = fit_controllers(
            &self.set.examples(),
            rotations,
            &helpers,
            &helper_settings,
            &controller_settings,
        )?;
        Ok(RegionFit {
            helpers,
            weights: found.weights,
            controllers: found.controllers,
            errors: found.errors,
            pose_count: self.set.pose_count(),
        })
    }

    /// What controllers see of each driver of the region.
    fn inputs(&self, drivers: &Drivers) -> Vec<DriverInput> {
        let of = |&driver: &usize| {
            let mut joints = self.region.joints.iter().zip(&self.region.is_seen);
            let own = joints.find(|(joint, is_seen)| **is_seen && joint.bone == drivers.bones()[driver]);
            own.map_or(DriverInput::None, |(joint, _)| joint.input())
        };
        self.region.drivers.iter().map(of).collect()
    }
}

/// Candidates for each pose that is added where the rig errs most.
const CANDIDATES: usize = 4;

/// A polynomial with products across drivers needs several poses a function; without them it is as the source's.
fn affordable(kind: BasisKind, inputs: &[DriverInput], pose_count: usize) -> BasisKind {
    let BasisKind::Polynomial { degree, across_drivers: true } = kind else { return kind };
    let count: usize = inputs.iter().map(DriverInput::count).sum();
    let functions = (1..=degree).fold(1usize, |product, k| product.saturating_mul(count + k) / k);
    BasisKind::Polynomial { degree, across_drivers: 3 * functions <= pose_count }
}

/// Poses of a region, the first of them at rest.
fn region_poses(region: &Region, sampling: Sampling, count: usize, first: usize) -> Vec<Turns> {
    let bones = || region.joints.iter().map(|joint| joint.bone);
    let turns = |shares: &Vec<f64>| bones().zip(rotations(&region.joints, shares)).collect();
    let rest = (first == 0).then(Vec::new);
    let sampled = shares(sampling, region.freedom_count(), count.saturating_sub(1).max(1), first);
    rest.into_iter().chain(sampled.iter().map(turns)).collect()
}

/// Linear blend of the drivers alone, pose by pose.
fn blend(set: &ExampleSet, weights: &[f64]) -> Vec<Vec3> {
    let driver_count = set.driver_names.len();
    let of_pose = |matrices: &[DAffine3]| -> Vec<Vec3> {
        let place = |(row, rest): (&[f64], &Vec3)| {
            let parts = row.iter().zip(matrices).filter(|(weight, _)| **weight != 0.0);
            parts.map(|(w, matrix)| matrix.transform_point3(rest.as_dvec3()) * *w).sum::<DVec3>().as_vec3()
        };
        weights.chunks(driver_count).zip(&set.rest_positions).map(place).collect()
    };
    set.driver_posed_from_rest.par_chunks(driver_count).flat_map_iter(of_pose).collect()
}

/// How many helpers each region gets: one after the other goes where it is likely to take away most.
fn allot(sets: &[RegionSet<'_>], settings: &RigFitSettings) -> Vec<usize> {
    /// A helper takes about this share of what is left of the squared error; the guess only orders regions.
    const SHARE: f64 = 0.7;
    let mut left: Vec<f64> = sets.iter().map(RegionSet::energy).collect();
    let mut counts = vec![0; sets.len()];
    for _ in 0..settings.helper_count {
        let open = (0..sets.len()).filter(|&at| counts[at] < settings.joint_helpers && left[at] > 0.0);
        let Some(best) = open.max_by(|&a, &b| left[a].total_cmp(&left[b]).then(b.cmp(&a))) else { break };
        counts[best] += 1;
        left[best] *= 1.0 - SHARE;
    }
    counts
}

/// Measures a rig on poses that bend all joints of all regions at once.
fn held_out(poser: &Poser<'_>, regions: &[Region], rig: &FittedRig, settings: &RigFitSettings) -> HeldOut {
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
    let mut poses: Vec<Turns> = vec![Vec::new()];
    poses.extend((0..settings.held_out_count).map(turns));
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
