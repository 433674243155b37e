//! From any deformer of Sinew to helper bones: every joint's neighborhood is sampled and fitted alone, then all are joined.

use super::fitted_rig::blended;
use super::held_out::held_out;
use super::set_fit::{HELPERS_SHARE, level_of};
use crate::examples::sampling::{rotations, shares};
use crate::{
    DriverBinds, ExampleSet, FitError, FittedPart, FittedRig, HeldOut, Poser, Region, Sampling, Scope, Turns,
    find_mirror,
};
use glam::{DAffine3, DVec3, Vec3};
use rayon::prelude::*;
use sinew_fit::{
    BasisKind, ControllerSettings, DetailLevel, DriverInput, FitErrors, HelperFit, HelperSettings,
    detail_levels, fit_controllers, fit_helpers,
};
use sinew_geometry::progress::Progress;

/// How the helpers of a character are fitted.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RigFitSettings {
    /// Most helpers of one joint. Default 2.
    pub joint_helpers: usize,
    /// How each region is fitted. Its `helper_count` is that of the whole character: helpers go where skin differs most from what bones alone can do.
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
    /// Whether helpers and weights of both sides are alike; regions must then be [joined](crate::join_mirrored).
    pub is_symmetric: bool,
    /// How many of the helpers are kept, the most important ones. Default: all.
    pub most_helpers: Option<usize>,
}

impl Default for RigFitSettings {
    fn default() -> Self {
        Self {
            joint_helpers: 2,
            helpers: HelperSettings::default(),
            controllers: ControllerSettings::default(),
            sampling: Sampling::default(),
            pose_count: 200,
            held_out_count: 100,
            locked_drivers: Vec::new(),
            is_symmetric: false,
            most_helpers: None,
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

impl RegionReport {
    /// Of a region without helpers.
    fn of(joint: String, set: &RegionSet<'_>) -> Self {
        let (vertices, poses, rms) = (set.region.vertices.len(), set.set.pose_count(), set.plain_rms);
        Self { joint, vertices, poses, helpers: 0, rms_plain: rms, rms, rms_controllers: rms }
    }
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

/// Fits helpers to the shapes that a deformer gives, region by region. Every region is an equal part of the progress, by the name of its joint.
///
/// # Errors
/// Settings that do not fit, or [`FitError::Interrupted`].
pub fn fit_rig(
    poser: &Poser<'_>,
    regions: &[Region],
    settings: &RigFitSettings,
    progress: &Progress<'_>,
) -> Result<RigFit, FitError> {
    let sets = regions.iter().map(|region| RegionSet::sampled(poser, region, settings)).collect();
    let (rig, reports, _) = fit_regions(poser, sets, settings, progress)?;
    let held_out = held_out(poser, regions, &rig, settings);
    Ok(RigFit { rig, regions: reports, held_out })
}

/// A rig, what became of its regions, and of those with helpers what they were fitted to.
pub(super) type Joined<'a> = (FittedRig, Vec<RegionReport>, Vec<(RegionSet<'a>, RegionFit)>);

/// Fits regions one after the other and joins them.
pub(super) fn fit_regions<'a>(
    poser: &Poser<'_>,
    sets: Vec<RegionSet<'a>>,
    settings: &RigFitSettings,
    progress: &Progress<'_>,
) -> Result<Joined<'a>, FitError> {
    if sets.is_empty() {
        return Err(FitError::NoRegion);
    }
    let counts = allot(&sets, settings);
    let count = sets.len();
    let mut reports = Vec::new();
    let mut fits = Vec::new();
    for (at, (mut set, &helper_count)) in sets.into_iter().zip(&counts).enumerate() {
        let joint = poser.character.skeleton().bone(set.region.joint).name.clone();
        let part = progress.one_of(&joint, at, count);
        part.step(0, 1)?;
        let fit = match helper_count {
            0 => None,
            _ => Some(set.fit(poser, settings, helper_count, &part.part("", 0.0..HELPERS_SHARE))?),
        };
        reports.push(RegionReport::of(joint, &set));
        fits.push((set, fit));
    }
    if let Some(most) = settings.most_helpers {
        thin_out(&mut fits, settings, most)?;
    }
    let mut rig = FittedRig::plain(poser.drivers, poser.bound);
    let mut joined = Vec::new();
    for ((set, fit), report) in fits.into_iter().zip(&mut reports) {
        let Some(fit) = fit.filter(|fit| fit.helpers.helper_count > 0) else { continue };
        report.poses = set.set.pose_count();
        report.helpers = fit.helpers.helper_count;
        (report.rms, report.rms_controllers) = (fit.helpers.errors.rms, fit.errors.rms);
        let Region { vertices, drivers, .. } = set.region;
        let (weights, controllers) = (&fit.weights[..], &fit.controllers);
        rig.add(&FittedPart { vertices, drivers, weights, controllers })?;
        joined.push((set, fit));
    }
    Ok((rig, reports, joined))
}

/// Takes helpers away until at most `most` are left, each time the one that is missed least.
fn thin_out(
    fits: &mut [(RegionSet<'_>, Option<RegionFit>)],
    settings: &RigFitSettings,
    most: usize,
) -> Result<(), FitError> {
    let mut levels: Vec<Vec<DetailLevel>> = Vec::new();
    for (set, fit) in &*fits {
        levels.push(match fit {
            Some(fit) => detail_levels(&set.set.examples(), &fit.settings, &fit.helpers)?,
            None => Vec::new(),
        });
    }
    let mut counts: Vec<usize> =
        fits.iter().map(|(_, fit)| fit.as_ref().map_or(0, |fit| fit.helpers.helper_count)).collect();
    while counts.iter().sum::<usize>() > most {
        let square = |at: usize, count: usize| {
            let level = level_of(&levels[at], count);
            level.map_or(0.0, |level| level.rms_error.powi(2) * fits[at].0.region.vertices.len() as f64)
        };
        let loss = |at: usize| square(at, counts[at] - 1) - square(at, counts[at]);
        let least =
            (0..counts.len()).filter(|&at| counts[at] > 0).min_by(|&a, &b| loss(a).total_cmp(&loss(b)));
        let Some(least) = least else { break };
        counts[least] -= 1;
    }
    for (at, (set, fit)) in fits.iter_mut().enumerate() {
        let Some(before) = fit.as_ref().filter(|fit| fit.helpers.helper_count > counts[at]) else { continue };
        *fit = match level_of(&levels[at], counts[at]).filter(|level| !level.helpers.is_empty()) {
            Some(level) => {
                let helpers = before.helpers.with_helpers(&level.helpers);
                Some(set.fit_controllers(helpers, before.settings.clone(), settings)?)
            }
            None => None,
        };
    }
    Ok(())
}

/// A region with its examples.
pub(super) struct RegionSet<'a> {
    pub(super) region: &'a Region,
    pub(super) set: ExampleSet,
    /// Weights of the file.
    weights: Vec<f64>,
    /// Error of the bones alone.
    plain_rms: f64,
    /// What controllers see of each driver of the region.
    inputs: Vec<DriverInput>,
    /// Where each driver of the region begins.
    heads: Vec<DVec3>,
    /// Whether more poses may be taken from the deformer.
    is_adaptive: bool,
}

/// A region with its helpers.
pub(super) struct RegionFit {
    pub(super) helpers: HelperFit,
    pub(super) settings: HelperSettings,
    pub(super) weights: Vec<f64>,
    pub(super) controllers: sinew_fit::Controllers,
    errors: FitErrors,
}

impl<'a> RegionSet<'a> {
    fn sampled(poser: &Poser<'_>, region: &'a Region, settings: &RigFitSettings) -> Self {
        let scope = Scope { vertices: &region.vertices, drivers: &region.drivers };
        let is_adaptive = settings.sampling == Sampling::Adaptive;
        let count = if is_adaptive { settings.pose_count.div_ceil(3) } else { settings.pose_count };
        let set = poser.examples(scope, &region_poses(region, settings.sampling, count, 0));
        let inputs = range_inputs(region, poser.drivers);
        Self { is_adaptive, ..Self::given(poser, region, set, inputs) }
    }

    /// With examples of any source; `inputs`: one per driver of the region.
    pub(super) fn given(
        poser: &Poser<'_>,
        region: &'a Region,
        set: ExampleSet,
        inputs: Vec<DriverInput>,
    ) -> Self {
        let weights = poser.weights(Scope { vertices: &region.vertices, drivers: &region.drivers });
        let plain_rms = set.rms_of(&blend(&set, &weights));
        let all = poser.drivers.heads();
        let heads = region.drivers.iter().map(|&driver| all[driver]).collect();
        Self { region, set, weights, plain_rms, inputs, heads, is_adaptive: false }
    }

    pub(super) fn energy(&self) -> f64 {
        self.plain_rms * self.plain_rms * self.region.vertices.len() as f64
    }

    fn fit(
        &mut self,
        poser: &Poser<'_>,
        settings: &RigFitSettings,
        helper_count: usize,
        progress: &Progress<'_>,
    ) -> Result<RegionFit, FitError> {
        let mut fitted = self.fit_once(settings, helper_count, progress)?;
        if self.is_adaptive {
            // Candidates that were never fitted, the worst of which are added until there are enough.
            let mut first = self.set.pose_count();
            while self.set.pose_count() < settings.pose_count {
                let wanted =
                    (settings.pose_count - self.set.pose_count()).min(settings.pose_count.div_ceil(3));
                self.add_worst(poser, &fitted, wanted, first);
                first += CANDIDATES * wanted;
                fitted = self.fit_once(settings, helper_count, progress)?;
            }
        }
        Ok(fitted)
    }

    fn add_worst(&mut self, poser: &Poser<'_>, fitted: &RegionFit, wanted: usize, first: usize) {
        let scope = Scope { vertices: &self.region.vertices, drivers: &self.region.drivers };
        let poses = region_poses(self.region, Sampling::LowDiscrepancy, CANDIDATES * wanted, first);
        let candidates = poser.examples(scope, &poses);
        let errors = candidates.errors(&fitted.weights, &fitted.controllers);
        let mut order: Vec<usize> = (0..poses.len()).collect();
        order.sort_by(|&a, &b| errors.by_pose[b].total_cmp(&errors.by_pose[a]).then(a.cmp(&b)));
        order.truncate(wanted);
        let examples = candidates.examples();
        for pose in order {
            self.set.driver_posed_from_rest.extend(examples.drivers(pose));
            self.set.driver_rotations.extend(candidates.rotations(pose));
            self.set.target_positions.extend(examples.targets(pose));
        }
    }

    fn fit_once(
        &self,
        settings: &RigFitSettings,
        helper_count: usize,
        progress: &Progress<'_>,
    ) -> Result<RegionFit, FitError> {
        let mut own = HelperSettings { helper_count, ..settings.helpers.clone() };
        let is_locked = |driver: &usize| settings.locked_drivers.contains(driver);
        let locked = self.region.drivers.iter().enumerate().filter(|(_, driver)| is_locked(driver));
        own.rules.locked_drivers = locked.map(|(at, _)| at as u16).collect();
        if !own.rules.locked_drivers.is_empty() {
            own.rules.driver_weights.clone_from(&self.weights);
        }
        if settings.is_symmetric {
            own.rules.mirror = Some(find_mirror(&self.set.rest_positions, &self.heads)?);
        }
        let helpers = fit_helpers(&self.set.examples(), &own, progress)?;
        match helpers.state {
            Some(_) => Err(FitError::Interrupted),
            None => self.fit_controllers(helpers, own, settings),
        }
    }

    fn fit_controllers(
        &self,
        helpers: HelperFit,
        own: HelperSettings,
        settings: &RigFitSettings,
    ) -> Result<RegionFit, FitError> {
        let controllers = ControllerSettings {
            basis: affordable(settings.controllers.basis, &self.inputs, self.set.pose_count()),
            inputs: self.inputs.clone(),
            ..settings.controllers.clone()
        };
        let rotations = &self.set.driver_rotations;
        let found = fit_controllers(&self.set.examples(), rotations, &helpers, &own, &controllers)?;
        Ok(RegionFit {
            helpers,
            settings: own,
            weights: found.weights,
            controllers: found.controllers,
            errors: found.errors,
        })
    }
}

/// What controllers see of each driver of a region, by its joints' ranges.
pub(super) fn range_inputs(region: &Region, drivers: &DriverBinds) -> Vec<DriverInput> {
    let of = |&driver: &usize| {
        let mut joints = region.joints.iter().zip(&region.is_seen);
        let own = joints.find(|(joint, is_seen)| **is_seen && joint.bone == drivers.bones()[driver]);
        own.map_or(DriverInput::None, |(joint, _)| joint.input())
    };
    region.drivers.iter().map(of).collect()
}

/// Candidates for each pose that is added where the rig errs most.
const CANDIDATES: usize = 4;

/// Functions need several poses each: where there are too few, products across drivers go first, then degrees.
fn affordable(kind: BasisKind, inputs: &[DriverInput], pose_count: usize) -> BasisKind {
    let BasisKind::Polynomial { degree, across_drivers } = kind else { return kind };
    let all = |count: usize, degree: usize| {
        (1..=degree).fold(1usize, |product, k| product.saturating_mul(count + k) / k)
    };
    let inputs = || inputs.iter().map(DriverInput::count);
    let is_affordable = |degree: usize, across_drivers: bool| {
        let functions = match across_drivers {
            true => all(inputs().sum(), degree),
            false => 1 + inputs().map(|count| all(count, degree) - 1).sum::<usize>(),
        };
        3 * functions <= pose_count
    };
    let choices = (1..=degree).rev().flat_map(|degree| [(degree, true), (degree, false)]);
    let mut fine =
        choices.filter(|&(degree, across)| (across_drivers || !across) && is_affordable(degree, across));
    let (degree, across_drivers) = fine.next().unwrap_or((1, false));
    BasisKind::Polynomial { degree, across_drivers }
}

/// One pose in so many is the rest pose: the shape that everybody sees first must not suffer for the others.
const REST_SHARE: usize = 20;

/// Poses of a region, the first of them at rest.
pub(crate) fn region_poses(region: &Region, sampling: Sampling, count: usize, first: usize) -> Vec<Turns> {
    let bones = || region.joints.iter().map(|joint| joint.bone);
    let turns = |shares: &Vec<f64>| bones().zip(rotations(&region.joints, shares)).collect();
    let rest_count = if first == 0 { count.div_ceil(REST_SHARE) } else { 0 };
    let rest = std::iter::repeat_n(Vec::new(), rest_count);
    let sampled = shares(sampling, region.freedom_count(), count.saturating_sub(rest_count).max(1), first);
    rest.chain(sampled.iter().map(turns)).collect()
}

/// Linear blend of the drivers alone, pose by pose.
fn blend(set: &ExampleSet, weights: &[f64]) -> Vec<Vec3> {
    let of_pose = |matrices: &[DAffine3]| blended(weights, &set.rest_positions, matrices.iter());
    set.driver_posed_from_rest.par_chunks(set.driver_names.len()).flat_map_iter(of_pose).collect()
}

/// How many helpers each region gets: one after the other goes where it is likely to take away most.
fn allot(sets: &[RegionSet<'_>], settings: &RigFitSettings) -> Vec<usize> {
    /// A helper takes about this share of what is left of the squared error; the guess only orders regions.
    const SHARE: f64 = 0.7;
    let mut left: Vec<f64> = sets.iter().map(RegionSet::energy).collect();
    let mut counts = vec![0; sets.len()];
    for _ in 0..settings.helpers.helper_count {
        let open = (0..sets.len())
            .filter(|&at| counts[at] < settings.joint_helpers * sets[at].region.side_count && left[at] > 0.0);
        let Some(best) = open.max_by(|&a, &b| left[a].total_cmp(&left[b]).then(b.cmp(&a))) else { break };
        counts[best] += 1;
        left[best] *= 1.0 - SHARE;
    }
    counts
}
