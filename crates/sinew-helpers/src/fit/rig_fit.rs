//! From any deformer of Sinew to helper bones: every joint's neighborhood is sampled and fitted alone, then all are joined.

use super::fitted_rig::blended;
use super::held_out::{SEEN, held_out, judge, plain_in_clips, some_frames};
use super::set_fit::{HELPERS_SHARE, level_of};
use super::spend::{allot, exchange, helper_count, share, spend_rest};
use crate::examples::joint_range::Round;
use crate::examples::sampling::{rotations, shares};
use crate::{
    ExampleSet, FitError, FittedPart, FittedRig, HeldOut, Poser, Region, Regions, RigError, Sampling, Scope,
    Symmetry, Turns,
};
use glam::{DAffine3, Vec3};
use rayon::prelude::*;
use sinew_fit::{
    BasisKind, ControllerSettings, DetailLevel, DriverInput, FitErrors, HelperFit, HelperSettings, Mirror,
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
    /// Poses of each region. Default 300.
    pub pose_count: usize,
    /// Poses of the whole character that are not fitted, for measuring. Default 200.
    pub held_out_count: usize,
    /// Bones whose weights stay as they are, by place among the drivers.
    pub locked_drivers: Vec<usize>,
    /// Whether one side is fitted and mirrored.
    pub symmetric: Symmetric,
    /// Whether the number of helpers is found by the error, joint by joint; `helper_count` does not count then. A joint gets another helper, up to
    /// `joint_helpers`, as long as it takes away enough of what is left on poses that were not fitted.
    pub is_auto: bool,
    /// How many of the helpers are kept, the most important ones. Default: all.
    pub most_helpers: Option<usize>,
    /// Clips of the character, by place, that are only measured: the others decide with the ranges of joints where helpers go, and judge them.
    pub held_out_clips: Vec<usize>,
}

impl Default for RigFitSettings {
    fn default() -> Self {
        Self {
            joint_helpers: 2,
            helpers: HelperSettings::default(),
            controllers: ControllerSettings::default(),
            sampling: Sampling::default(),
            pose_count: 300,
            held_out_count: 200,
            locked_drivers: Vec::new(),
            symmetric: Symmetric::Auto,
            is_auto: false,
            most_helpers: None,
            held_out_clips: Vec::new(),
        }
    }
}

/// Whether both sides of a character are fitted alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symmetric {
    /// Where vertices, weights and bones are symmetric. Examples of clips and shapes, and folders of arrays, are fitted as they are.
    #[default]
    Auto,
    /// Yes; what is not symmetric is an error.
    On,
    /// No.
    Off,
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
    /// Both errors on the poses of [`HeldOut`], where a deformer was bent over ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Judged>,
    /// Where helpers were hardly better than the bones alone and the joint kept its plain skin: both errors on poses that were not fitted, or on the
    /// examples where there are no others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Judged>,
}

/// Errors of a region that helpers are judged by, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Judged {
    /// RMS of the bones alone.
    pub rms_plain: f64,
    /// RMS with helpers.
    pub rms: f64,
}

impl Judged {
    /// Helpers that take away less than this share of the error are not worth having.
    const LEAST_GAIN: f64 = 0.1;

    /// What is left of the error.
    pub(super) fn share(&self) -> f64 {
        self.rms / self.rms_plain.max(f64::MIN_POSITIVE)
    }

    /// Whether the bones alone are better by what can be seen on a character of some size.
    pub(crate) fn is_seen_to_harm(&self, size: f64) -> bool {
        self.rms > self.rms_plain + SEEN * size
    }

    fn is_worth_it(&self) -> bool {
        self.share() <= 1.0 - Self::LEAST_GAIN
    }
}

impl RegionReport {
    fn of(joint: String, set: &RegionSet<'_>, fit: Option<&RegionFit>) -> Self {
        let (vertices, poses, rms_plain) = (set.region.vertices.len(), set.set.pose_count(), set.plain_rms);
        Self {
            joint,
            vertices,
            poses,
            helpers: fit.map_or(0, |fit| fit.helpers.helper_count),
            rms_plain,
            rms: fit.map_or(rms_plain, |fit| fit.helpers.errors.rms),
            rms_controllers: fit.map_or(rms_plain, |fit| fit.errors.rms),
            held_out: None,
            refused: set.refused,
        }
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

/// Fits helpers to the shapes that a deformer gives, region by region, and judges them on poses that were not fitted: where they are no better than the
/// bones alone, a joint keeps its plain skin. Every region is an equal part of the progress, by the name of its joint.
///
/// # Errors
/// Settings that do not fit, or [`FitError::Interrupted`].
pub fn fit_rig(
    poser: &Poser<'_>,
    regions: &Regions,
    settings: &RigFitSettings,
    progress: &Progress<'_>,
) -> Result<RigFit, FitError> {
    let clips = some_frames(poser, settings);
    let in_clips = plain_in_clips(poser, regions, &clips);
    let sampled = |(index, _): (usize, &Region)| {
        let set = RegionSet::sampled(poser, (regions, index), settings);
        RegionSet { in_clips: in_clips[index], ..set }
    };
    let sets = regions.own().map(sampled).collect();
    let mut fits = fit_regions(poser, sets, settings, &progress.part("", 0.0..FIRST_SHARE))?;
    let again = progress.part("", FIRST_SHARE..1.0);
    for round in 0..ROUNDS {
        let is_last = round + 1 == ROUNDS;
        let rig = assembled(poser, &fits)?;
        let judged = judge(poser, regions, &|set| rig.placed(set), settings, &clips);
        let mut has_changed = false;
        for (set, fit) in &mut fits {
            let mut verdicts = set.sides().filter_map(|index| judged[index]);
            let bad = verdicts.find(|judged| !judged.is_worth_it());
            if let Some((bad, harmful)) = bad.zip(fit.take_if(|_| bad.is_some())) {
                *fit = set.instead(poser, settings, (harmful, bad), is_last, &again)?;
                has_changed = true;
            }
        }
        let mut is_spent = || -> Result<bool, FitError> {
            Ok(spend_rest(poser, &mut fits, settings, &again)?
                || exchange(poser, &mut fits, settings, &again)?)
        };
        if !has_changed && (is_last || !is_spent()?) {
            break;
        }
    }
    refuse_unsure(poser, &mut fits, settings)?;
    let rig = assembled(poser, &fits)?;
    let (held_out, by_region) = held_out(poser, regions, &|set| rig.placed(set), settings);
    Ok(RigFit { rig, regions: reports(poser, &fits, &by_region), held_out })
}

/// Judges once more on poses that decided nothing: of many joints one is good by chance on those that did.
fn refuse_unsure(poser: &Poser<'_>, fits: &mut Fits<'_>, settings: &RigFitSettings) -> Result<(), FitError> {
    let Some((first, _)) = fits.first() else { return Ok(()) };
    let (regions, rig) = (first.regions, assembled(poser, fits)?);
    let mut others = settings.clone();
    others.helpers.seed ^= 0x6167_6169;
    let judged = judge(poser, regions, &|set| rig.placed(set), &others, &[]);
    for (set, fit) in fits.iter_mut().filter(|(_, fit)| fit.is_some()) {
        let mut verdicts = set.sides().filter_map(|index| judged[index]);
        if let Some(bad) = verdicts.find(|judged| !judged.is_worth_it()) {
            (set.refused, *fit) = (Some(bad), None);
        }
    }
    Ok(())
}

/// Share of the time that the first fit takes of all regions; the rest is for those that were refused.
const FIRST_SHARE: f64 = 0.8;
/// Times that helpers are judged.
const ROUNDS: usize = 10;

/// Regions with what they were fitted to, and their helpers.
pub(super) type Fits<'a> = Vec<(RegionSet<'a>, Option<RegionFit>)>;

/// Fits regions one after the other.
pub(super) fn fit_regions<'a>(
    poser: &Poser<'_>,
    sets: Vec<RegionSet<'a>>,
    settings: &RigFitSettings,
    progress: &Progress<'_>,
) -> Result<Fits<'a>, FitError> {
    if sets.is_empty() {
        return Err(FitError::NoRegion);
    }
    let plain: Vec<_> = sets.iter().map(|set| (set, 1.0)).collect();
    let counts = allot(&plain, vec![0; sets.len()], settings);
    let count = sets.len();
    let mut fits = Vec::new();
    for (at, (mut set, &helper_count)) in sets.into_iter().zip(&counts).enumerate() {
        let joint = poser.character.skeleton().bone(set.region.joint).name.clone();
        let part = progress.one_of(&joint, at, count);
        part.step(0, 1)?;
        let inner = part.part("", 0.0..HELPERS_SHARE);
        let fit = match (settings.is_auto, helper_count) {
            (true, most) => set.fit_by_error(poser, settings, most, &inner)?,
            (false, 0) => None,
            (false, _) => Some(set.fit(poser, settings, helper_count, &inner)?),
        };
        fits.push((set, fit.filter(|fit| fit.helpers.helper_count > 0)));
    }
    if let Some(most) = settings.most_helpers {
        thin_out(&mut fits, settings, most)?;
    }
    Ok(fits)
}

/// All helpers on one rig, those of mirror images too.
pub(super) fn assembled(poser: &Poser<'_>, fits: &Fits<'_>) -> Result<FittedRig, RigError> {
    let mut rig = FittedRig::plain(poser.drivers, poser.bound);
    for (set, fit) in fits {
        let Some(fit) = fit else { continue };
        let Region { vertices, drivers, .. } = set.region;
        let (weights, controllers) = (&fit.weights[..], &fit.controllers);
        rig.add(&FittedPart { vertices, drivers, weights, controllers })?;
        let Some(symmetry) = set.symmetry().filter(|_| set.image.is_some()) else { continue };
        let controllers = symmetry.controllers(controllers, drivers, &set.regions.inputs);
        let drivers: Vec<usize> = drivers.iter().map(|&driver| symmetry.driver(driver)).collect();
        let partners: Vec<u32> = vertices.iter().map(|&vertex| symmetry.vertex(vertex)).collect();
        rig.add(&FittedPart { vertices: &partners, drivers: &drivers, weights, controllers: &controllers })?;
    }
    Ok(rig)
}

/// One per region, mirror images too. `held_out`: how each does on poses that were not fitted; may be empty.
pub(super) fn reports(poser: &Poser<'_>, fits: &Fits<'_>, held_out: &[Option<Judged>]) -> Vec<RegionReport> {
    let mut reports = Vec::new();
    let name = |region: &Region| poser.character.skeleton().bone(region.joint).name.clone();
    for (set, fit) in fits {
        for side in set.sides() {
            let joint = name(&set.regions.list[side]);
            let held_out = held_out.get(side).copied().flatten();
            reports.push(RegionReport { held_out, ..RegionReport::of(joint, set, fit.as_ref()) });
        }
    }
    reports
}

/// Takes helpers away until at most `most` are left, each time the one that is missed least.
fn thin_out(fits: &mut Fits<'_>, settings: &RigFitSettings, most: usize) -> Result<(), FitError> {
    let mut levels: Vec<Vec<DetailLevel>> = Vec::new();
    for (set, fit) in &*fits {
        levels.push(match fit {
            Some(fit) => detail_levels(&set.set.examples(), &fit.settings, &fit.helpers)?,
            None => Vec::new(),
        });
    }
    let mut counts: Vec<usize> = fits.iter().map(|(_, fit)| helper_count(fit)).collect();
    let total = |counts: &[usize]| {
        fits.iter().zip(counts).map(|((set, _), count)| count * set.side_count()).sum::<usize>()
    };
    while total(&counts) > most {
        let square = |at: usize, count: usize| {
            let level = level_of(&levels[at], count);
            // An image brings as much error as helpers: both count once.
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
    regions: &'a Regions,
    pub(super) region: &'a Region,
    /// Its place, and that of its mirror image, in [`Regions::list`].
    pub(super) index: usize,
    pub(super) image: Option<usize>,
    pub(super) set: ExampleSet,
    /// Weights of the file.
    weights: Vec<f64>,
    /// Squared error of the bones alone in the character's own clips; 0 without clips.
    pub(super) in_clips: f64,
    /// Error of the bones alone.
    pub(super) plain_rms: f64,
    /// Squared error of the bones alone on the first examples: those near rest that come in their place say nothing of how much a joint matters.
    pub(super) energy: f64,
    /// What controllers see of each driver of the region.
    pub(super) inputs: Vec<DriverInput>,
    /// Whether more poses may be taken from the deformer.
    is_adaptive: bool,
    /// Where its helpers were refused.
    pub(super) refused: Option<Judged>,
    /// How many of its examples are near rest: more each time that helpers did harm.
    near: usize,
    /// Fewer helpers that were judged good, where more are tried.
    pub(super) fallback: Option<RegionFit>,
    /// Whether it gets no more helpers.
    pub(super) is_full: bool,
    /// Whether it was tried with helpers of other joints.
    pub(super) is_tried: bool,
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
    fn sampled(poser: &Poser<'_>, (regions, index): (&'a Regions, usize), settings: &RigFitSettings) -> Self {
        let region = &regions.list[index];
        let scope = Scope { vertices: &region.vertices, drivers: &region.drivers };
        let is_adaptive = settings.sampling == Sampling::Adaptive;
        let count = if is_adaptive { settings.pose_count.div_ceil(3) } else { settings.pose_count };
        let set = poser.examples(scope, &region_poses(region, settings.sampling, count, (0, 0)));
        Self { is_adaptive, ..Self::given(poser, (regions, index), set, &regions.inputs) }
    }

    /// What comes in place of helpers that do harm: fewer of them that did not, others that were fitted near rest, or none.
    fn instead(
        &mut self,
        poser: &Poser<'_>,
        settings: &RigFitSettings,
        (harmful, judged): (RegionFit, Judged),
        is_last: bool,
        progress: &Progress<'_>,
    ) -> Result<Option<RegionFit>, FitError> {
        if let Some(before) = self.fallback.take() {
            return Ok(Some(before));
        }
        if self.near + 1 == NEAR.len() || is_last {
            self.refused = Some(judged);
            return Ok(None);
        }
        // Mostly it is near rest that they harm: with more such poses they may not.
        let scope = Scope { vertices: &self.region.vertices, drivers: &self.region.drivers };
        self.near += 1;
        let poses = region_poses(self.region, settings.sampling, settings.pose_count, (0, self.near));
        self.set = poser.examples(scope, &poses);
        self.plain_rms = self.set.rms_of(&blend(&self.set, &self.weights));
        self.fit(poser, settings, harmful.helpers.helper_count, progress).map(Some)
    }

    /// With examples of any source; `inputs`: one per driver of the character.
    pub(super) fn given(
        poser: &Poser<'_>,
        (regions, index): (&'a Regions, usize),
        set: ExampleSet,
        inputs: &[DriverInput],
    ) -> Self {
        let region = &regions.list[index];
        let weights = poser.weights(Scope { vertices: &region.vertices, drivers: &region.drivers });
        let plain_rms = set.rms_of(&blend(&set, &weights));
        Self {
            regions,
            region,
            index,
            image: regions.list.iter().position(|region| region.mirror_of == Some(index)),
            weights,
            in_clips: 0.0,
            plain_rms,
            energy: plain_rms * plain_rms * region.vertices.len() as f64,
            inputs: region.seen(poser.drivers, inputs),
            is_adaptive: false,
            refused: None,
            near: 0,
            fallback: None,
            is_full: false,
            is_tried: false,
            set,
        }
    }

    pub(super) fn symmetry(&self) -> Option<&'a Symmetry> {
        self.regions.symmetry.as_ref()
    }

    /// Regions that its helpers are for: 1, or 2 with a mirror image.
    pub(super) fn side_count(&self) -> usize {
        1 + usize::from(self.image.is_some())
    }

    /// Places of those regions.
    pub(super) fn sides(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(self.index).chain(self.image)
    }

    /// Takes helpers away that are no better than the bones alone on the examples themselves, where nothing else is known.
    pub(super) fn refuse_harm(&mut self, fit: &mut Option<RegionFit>) {
        let of = |fit: &RegionFit| Judged { rms_plain: self.plain_rms, rms: fit.errors.rms };
        if let Some(judged) = fit.as_ref().map(of).filter(|judged| !judged.is_worth_it()) {
            (self.refused, *fit) = (Some(judged), None);
        }
    }

    /// Share of the squared error that helpers leave, on its examples.
    pub(super) fn left_share(&self, fit: &Option<RegionFit>) -> f64 {
        let rms = fit.as_ref().map_or(self.plain_rms, |fit| fit.errors.rms);
        share(rms * rms, self.plain_rms * self.plain_rms)
    }

    /// As many helpers, up to `most`, as take away enough of what is left on poses that are not fitted.
    fn fit_by_error(
        &mut self,
        poser: &Poser<'_>,
        settings: &RigFitSettings,
        most: usize,
        progress: &Progress<'_>,
    ) -> Result<Option<RegionFit>, FitError> {
        let scope = Scope { vertices: &self.region.vertices, drivers: &self.region.drivers };
        let others = region_poses(self.region, Sampling::LowDiscrepancy, AUTO_POSES, (AUTO_FIRST, 0));
        let left_out = poser.examples(scope, &others);
        let mut best = None;
        let mut rms = left_out.rms_of(&blend(&left_out, &self.weights));
        let enough = AUTO_ENOUGH * poser.drivers.size();
        for helper_count in 1..=most {
            if rms <= enough {
                break;
            }
            let fit =
                self.fit(poser, settings, helper_count, &progress.one_of("", helper_count - 1, most))?;
            let with = left_out.errors(&fit.weights, &fit.controllers).rms;
            if with > (1.0 - AUTO_GAIN) * rms {
                break;
            }
            (best, rms) = (Some(fit), with);
        }
        Ok(best)
    }

    pub(super) fn fit(
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
        let poses = region_poses(self.region, Sampling::LowDiscrepancy, CANDIDATES * wanted, (first, 0));
        let candidates = poser.examples(scope, &poses);
        let errors = candidates.errors(&fitted.weights, &fitted.controllers);
        let mut order: Vec<usize> = (0..poses.len()).collect();
        order.sort_by(|&a, &b| errors.by_pose[b].total_cmp(&errors.by_pose[a]).then(a.cmp(&b)));
        order.truncate(wanted);
        let examples = candidates.examples();
        for pose in order {
            self.set.driver_posed_from_rest.extend(examples.drivers(pose));
            self.set.driver_changes.extend(candidates.changes(pose));
            self.set.target_positions.extend(examples.targets(pose));
        }
    }

    fn fit_once(
        &self,
        settings: &RigFitSettings,
        helper_count: usize,
        progress: &Progress<'_>,
    ) -> Result<RegionFit, FitError> {
        let own = self.own_settings(settings, helper_count);
        let helpers = fit_helpers(&self.set.examples(), &own, progress)?;
        match helpers.state {
            Some(_) => Err(FitError::Interrupted),
            None => self.fit_controllers(helpers, own, settings),
        }
    }

    /// Settings with the rules of this region.
    pub(super) fn own_settings(&self, settings: &RigFitSettings, helper_count: usize) -> HelperSettings {
        let mut own = HelperSettings { helper_count, ..settings.helpers.clone() };
        let is_locked = |driver: &usize| settings.locked_drivers.contains(driver);
        let locked = self.region.drivers.iter().enumerate().filter(|(_, driver)| is_locked(driver));
        own.rules.locked_drivers = locked.map(|(at, _)| at as u16).collect();
        if !own.rules.locked_drivers.is_empty() {
            own.rules.driver_weights.clone_from(&self.weights);
        }
        own.rules.mirror = self.mirror();
        own
    }

    /// Partners within a region in the middle.
    fn mirror(&self) -> Option<Mirror> {
        let symmetry = self.symmetry().filter(|_| self.region.is_middle)?;
        let Region { vertices, drivers, .. } = self.region;
        let vertex =
            |&vertex: &u32| vertices.binary_search(&symmetry.vertex(vertex)).map(|at| at as u32).ok();
        let driver =
            |&driver: &usize| drivers.binary_search(&symmetry.driver(driver)).map(|at| at as u16).ok();
        Some(Mirror {
            vertices: vertices.iter().map(vertex).collect::<Option<_>>()?,
            drivers: drivers.iter().map(driver).collect::<Option<_>>()?,
        })
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
            // What is in the middle hangs there.
            parents: own.rules.mirror.as_ref().map_or_else(Vec::new, |mirror| {
                let drivers = mirror.drivers.iter().enumerate();
                drivers.filter(|(at, partner)| *at == usize::from(**partner)).map(|(at, _)| at).collect()
            }),
            ..settings.controllers.clone()
        };
        let changes = &self.set.driver_changes;
        let mut found = fit_controllers(&self.set.examples(), changes, &helpers, &own, &controllers)?;
        if let (Some(symmetry), Some(mirror)) = (self.symmetry(), &own.rules.mirror) {
            let pairs = &helpers.mirror_pairs;
            symmetry.make_even(
                &mut found.controllers,
                &self.region.drivers,
                &self.regions.inputs,
                (mirror, pairs),
            );
            found.errors = self.set.errors(&found.weights, &found.controllers);
        }
        Ok(RegionFit {
            helpers,
            settings: own,
            weights: found.weights,
            controllers: found.controllers,
            errors: found.errors,
        })
    }
}

/// Poses on which the number of helpers is chosen, and where they begin among all: no fit has those.
const AUTO_POSES: usize = 60;
const AUTO_FIRST: usize = 1 << 16;
/// Another helper must take away this share of the error, or the joint has enough.
const AUTO_GAIN: f64 = 0.2;
/// An error below this fraction of the model's size needs no helper: a third of a millimeter on a human.
const AUTO_ENOUGH: f64 = 1.5e-4;

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

/// Of so many poses in turn some are bent less far: motions are mostly near rest, or near how a human stands at ease, and there a small error shows beside
/// a smaller one of the bones alone. Every other turn these are round the one, and round the other.
const NEAR_TURN: usize = 18;
/// How many of them, at first and where helpers do harm. Errors grow with the square of a bend: far poses count most even where they are few.
const NEAR: [usize; 3] = [12, 15, 17];
/// How far those are bent.
const NEAR_REACH: f64 = 0.4;

/// Poses of a region, those at rest first. `first`: which of the sequence is the first; `near`: which of [`NEAR`].
pub(crate) fn region_poses(
    region: &Region,
    sampling: Sampling,
    count: usize,
    (first, near): (usize, usize),
) -> Vec<Turns> {
    let turns = |(at, shares): (usize, &Vec<f64>)| -> Turns {
        let reach = if at % NEAR_TURN < NEAR[near] { NEAR_REACH } else { 1.0 };
        let round = if (at / NEAR_TURN).is_multiple_of(2) { Round::Stance } else { Round::Rest };
        let turned = rotations(&region.joints, shares).into_iter();
        let joints = region.joints.iter().zip(turned);
        joints.map(|(joint, turn)| (joint.bone, joint.toward(turn, reach, round))).collect()
    };
    let rest_count = if first == 0 { count.div_ceil(REST_SHARE) } else { 0 };
    let rest = std::iter::repeat_n(Vec::new(), rest_count);
    let sampled = shares(sampling, region.freedom_count(), count.saturating_sub(rest_count).max(1), first);
    rest.chain(sampled.iter().enumerate().map(turns)).collect()
}

/// Linear blend of the drivers alone, pose by pose.
fn blend(set: &ExampleSet, weights: &[f64]) -> Vec<Vec3> {
    let of_pose = |matrices: &[DAffine3]| blended(weights, &set.rest_positions, matrices.iter());
    set.driver_posed_from_rest.par_chunks(set.driver_names.len()).flat_map_iter(of_pose).collect()
}
