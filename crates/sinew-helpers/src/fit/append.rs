//! A fitted rig whose helpers follow other bones in place of controllers, as MMD plays them.
//!
//! Helpers start where controllers have them. In each region chains and weights are then fitted anew to the shapes themselves, and judged on poses
//! that were not fitted: where followers are no better than bones alone, a joint keeps its plain skin.

use super::fitted_rig::blended;
use super::held_out::{held_out, judge, some_frames};
use super::rig_fit::{RegionSet, region_poses};
use crate::examples::region::join_all;
use crate::{
    DriverBinds, ExampleSet, FitError, FittedRig, HeldOut, Judged, Poser, Region, Regions, RigFitSettings,
    Sampling, Scope, Sequence,
};
use glam::{Affine3A, DAffine3, DQuat, DVec3, Vec3};
use sinew_fit::{
    AppendChain, AppendFit, AppendLink, AppendSearch, AppendSettings, AppendStart, HelperMotion,
    HelperSettings, Turns, repose_helpers,
};
use sinew_geometry::nearest_rotation;
use sinew_geometry::progress::Progress;
use sinew_rig::{Character, DriverChange};

/// Influences of a vertex that PMX can hold.
const PMX_INFLUENCES: usize = 4;

/// A character's helpers as chains of bones that follow others. Plain data.
#[derive(Clone, Debug, Default)]
pub struct AppendedRig {
    /// Vertices of the surface that bones move, ascending; as [`DriverBinds::vertices`].
    pub vertices: Vec<u32>,
    /// Drivers, which come before helpers in `weights`; as [`DriverBinds::bones`].
    pub driver_count: usize,
    /// One per vertex and bone, vertex by vertex, drivers first; ≥ 0, sum 1.
    pub weights: Vec<f64>,
    /// One per helper; each has a link at least.
    pub chains: Vec<AppendChain>,
    /// How drivers rest.
    pub axes: DriverAxes,
}

/// How drivers rest in the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriverAxes {
    /// Model from bone, in the skeleton's rest pose.
    pub(crate) model_from_bone: Vec<DQuat>,
    /// How the skinning matrix turns vertices in that pose.
    pub(crate) at_rest: Vec<DQuat>,
}

impl DriverAxes {
    fn of(character: &Character, drivers: &DriverBinds) -> Self {
        let stands = character.skeleton().rest_model_from_bone();
        let rotation = |matrix: Affine3A| DQuat::from_mat3(&nearest_rotation(&matrix.as_daffine3().matrix3));
        let bones = || drivers.bones().iter().map(|bone| stands[bone.index()]);
        Self {
            model_from_bone: bones().map(rotation).collect(),
            at_rest: bones().zip(drivers.bone_from_rest()).map(|(at, from)| rotation(at * *from)).collect(),
        }
    }

    /// Turns of drivers along the model's axes; as in [`Turns::vectors`].
    fn vectors(&self, changes: &[DriverChange]) -> Vec<DVec3> {
        let axes = self.model_from_bone.iter().cycle();
        let vector =
            |(change, axes): (&DriverChange, &DQuat)| *axes * shorter(change.rotation).to_scaled_axis();
        changes.iter().zip(axes).map(vector).collect()
    }
}

fn shorter(turn: DQuat) -> DQuat {
    if turn.w < 0.0 { -turn } else { turn }
}

impl AppendedRig {
    fn plain(poser: &Poser<'_>) -> Self {
        let FittedRig { vertices, driver_count, weights, .. } = FittedRig::plain(poser.drivers, poser.bound);
        let axes = DriverAxes::of(poser.character, poser.drivers);
        Self { vertices, driver_count, weights, chains: Vec::new(), axes }
    }

    /// Skinning matrices of helpers, pose by pose, in each pose one per helper. `set`: of all drivers.
    pub fn helpers(&self, set: &ExampleSet) -> Vec<DAffine3> {
        self.matrices(set, |chain| chain.links.len())
    }

    /// The same of the links that carry the last one of each helper.
    pub(crate) fn carriers(&self, set: &ExampleSet) -> Vec<DAffine3> {
        self.matrices(set, |chain| chain.links.len() - 1)
    }

    fn matrices(&self, set: &ExampleSet, count: impl Fn(&AppendChain) -> usize) -> Vec<DAffine3> {
        let vectors = self.axes.vectors(&set.driver_changes);
        let turns = Turns { vectors: &vectors, at_rest: &self.axes.at_rest, is_followed: &[] };
        let of_pose = |pose: usize| {
            let drivers =
                set.driver_posed_from_rest[pose * self.driver_count..][..self.driver_count].to_vec();
            let matrix = |chain: &AppendChain| chain.matrix_of(count(chain), &turns, pose, &drivers);
            self.chains.iter().map(matrix).collect::<Vec<DAffine3>>()
        };
        (0..set.pose_count()).flat_map(of_pose).collect()
    }

    /// Where vertices stand, pose by pose. `set`: of all vertices and drivers.
    pub(crate) fn placed(&self, set: &ExampleSet) -> Vec<Vec3> {
        self.placed_by(set, &self.helpers(set))
    }

    fn placed_by(&self, set: &ExampleSet, helpers: &[DAffine3]) -> Vec<Vec3> {
        let count = self.chains.len();
        let of_pose = |pose: usize| {
            let examples = set.examples();
            let bones = examples.drivers(pose).iter().chain(&helpers[pose * count..][..count]);
            blended(&self.weights, &set.rest_positions, bones)
        };
        (0..set.pose_count()).flat_map(of_pose).collect()
    }

    /// Adds the helpers of a part. `chains` and `weights`: of its drivers, which `drivers` gives among all.
    fn add(&mut self, vertices: &[u32], drivers: &[usize], chains: &[AppendChain], weights: &[f64]) {
        let (before, part_bones) = (self.driver_count + self.chains.len(), drivers.len() + chains.len());
        // A helper that follows nothing is its parent.
        let mut columns = drivers.to_vec();
        for chain in chains {
            let chain = chain.renumbered(|driver| drivers[driver]);
            columns.push(if chain.links.is_empty() {
                chain.parent
            } else {
                self.driver_count + self.chains.len()
            });
            if !chain.links.is_empty() {
                self.chains.push(chain);
            }
        }
        let bone_count = self.driver_count + self.chains.len();
        let mut wider = vec![0.0; self.vertices.len() * bone_count];
        for (row, old) in wider.chunks_mut(bone_count).zip(self.weights.chunks(before)) {
            row[..before].copy_from_slice(old);
        }
        for (own, vertex) in weights.chunks(part_bones).zip(vertices) {
            let Ok(at) = self.vertices.binary_search(vertex) else { continue };
            let row = &mut wider[at * bone_count..][..bone_count];
            row.fill(0.0);
            own.iter().zip(&columns).for_each(|(weight, &column)| row[column] += weight);
        }
        self.weights = wider;
    }
}

/// Helpers that follow other bones, and what that costs. Lengths are metres.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct AppendReport {
    /// Bones that follow others.
    pub links: usize,
    /// On poses that were not fitted; where a deformer was bent over ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Joints that keep their plain skin, because followers were no better there.
    pub refused: Vec<AppendRefusal>,
    /// Motions with keys of helpers, or that were fitted to.
    pub motions: Vec<AppendMotion>,
}

/// A joint whose helpers cannot follow other bones well enough.
#[derive(Clone, Debug, serde::Serialize)]
pub struct AppendRefusal {
    /// Name of its bone.
    pub joint: String,
    /// Errors there.
    #[serde(flatten)]
    pub judged: Judged,
}

/// RMS errors in a motion.
#[derive(Clone, Debug, serde::Serialize)]
pub struct AppendMotion {
    /// The clip, or the file.
    pub name: String,
    /// Of the bones alone.
    pub rms_plain: f64,
    /// With helpers as a glTF plays them.
    pub rms_gltf: f64,
    /// With helpers that follow other bones.
    pub rms: f64,
    /// With keys of helpers besides, as a VMD has them.
    pub rms_baked: f64,
}

/// What followers are fitted to.
#[derive(Clone)]
pub(crate) enum AppendSource<'a> {
    /// Poses over the ranges of joints.
    Ranges,
    /// Frames, and some poses of each region besides.
    Frames(Vec<&'a Sequence>, usize),
}

/// A rig whose helpers are to follow other bones.
pub(crate) struct Appending<'a> {
    pub(crate) poser: &'a Poser<'a>,
    pub(crate) regions: &'a Regions,
    pub(crate) rig: &'a FittedRig,
    pub(crate) source: AppendSource<'a>,
    pub(crate) settings: &'a RigFitSettings,
    /// Whether keys will move helpers that lag and swing: weights then stay those of the rig, and no joint is refused.
    pub(crate) has_keys: bool,
}

impl Appending<'_> {
    /// Fits chains to the shapes that the rig was fitted to. Every region is an equal part of the progress, by the name of its joint.
    pub(crate) fn run(&self, progress: &Progress<'_>) -> Result<(AppendedRig, AppendReport), FitError> {
        let Some(joined) = joined_region(self.regions, self.rig) else { return self.run_regions(progress) };
        let regions = &Regions { list: vec![joined], symmetry: None, ..self.regions.clone() };
        let source = self.source.clone();
        Appending { regions, source, ..*self }.run_regions(progress)
    }

    fn run_regions(&self, progress: &Progress<'_>) -> Result<(AppendedRig, AppendReport), FitError> {
        let Self { poser, regions, settings, .. } = *self;
        let count = regions.own().count();
        let mut parts = Vec::new();
        for (at, (index, _)) in regions.own().enumerate() {
            parts.extend(self.fit(index, 0, &progress.one_of(self.joint(index), at, count))?);
        }
        if matches!(self.source, AppendSource::Ranges) {
            // Mostly it is near rest that followers do harm: with more such poses they may not.
            let judged = self.judged(&parts);
            for part in &mut parts {
                if harm(part, &judged).is_none() {
                    continue;
                }
                let again = progress.part(self.joint(part.set.index), 1.0..1.0);
                if let Some(found) = self.fit(part.set.index, 1, &again)? {
                    *part = found;
                }
            }
        }
        let judged = if self.keeps_weights() { vec![None; regions.list.len()] } else { self.judged(&parts) };
        let mut report = AppendReport::default();
        parts.retain(|part| {
            let Some((_, judged)) = harm(part, &judged) else { return true };
            let refusal = |side: usize| AppendRefusal { joint: self.joint(side).to_owned(), judged };
            report.refused.extend(part.set.sides().map(refusal));
            false
        });
        let made = assembled(poser, &parts);
        report.links = made.chains.iter().map(|chain| chain.links.len()).sum();
        if matches!(self.source, AppendSource::Ranges) {
            report.held_out = Some(held_out(poser, regions, &|set| made.placed(set), settings).0);
        }
        Ok((made, report))
    }

    /// Skin that lags and swings is no function of the pose: what follows shows little of it, and other weights would spoil the keys.
    fn keeps_weights(&self) -> bool {
        self.has_keys && !self.rig.swings.is_empty()
    }

    /// Name of a region's joint.
    fn joint(&self, region: usize) -> &str {
        &self.poser.character.skeleton().bone(self.regions.list[region].joint).name
    }

    /// How each region does: on poses that were not fitted, or on the frames where there are no others.
    fn judged(&self, parts: &[Part<'_>]) -> Vec<Option<Judged>> {
        if matches!(self.source, AppendSource::Ranges) {
            let made = assembled(self.poser, parts);
            return judge(
                self.poser,
                self.regions,
                &|set| made.placed(set),
                self.settings,
                &some_frames(self.poser, self.settings),
            );
        }
        let mut judged = vec![None; self.regions.list.len()];
        for part in parts {
            let found = Judged { rms_plain: part.set.plain_rms, rms: part.fit.errors.rms };
            part.set.sides().for_each(|side| judged[side] = Some(found));
        }
        judged
    }

    /// The helpers of a region as chains; `None` where it has none. `near`: as for [`region_poses`].
    fn fit(&self, index: usize, near: usize, progress: &Progress<'_>) -> Result<Option<Part<'_>>, FitError> {
        progress.step(0, 1)?;
        let Self { poser, regions, rig, settings, .. } = *self;
        let region = &regions.list[index];
        let helpers = helpers_of(rig, &region.vertices);
        if helpers.is_empty() {
            return Ok(None);
        }
        let all = self.examples(region, near);
        let axes = DriverAxes::of(poser.character, poser.drivers);
        let vectors = axes.vectors(&all.driver_changes);
        let own = |pose: &[DVec3]| region.drivers.iter().map(|&driver| pose[driver]).collect::<Vec<DVec3>>();
        let vectors: Vec<DVec3> = vectors.chunks(axes.at_rest.len()).flat_map(own).collect();
        let at_rest: Vec<DQuat> = region.drivers.iter().map(|&driver| axes.at_rest[driver]).collect();
        let set = RegionSet::given(poser, (regions, index), all.of_drivers(&region.drivers), &regions.inputs);
        let is_followed: Vec<bool> = set.inputs.iter().map(|input| input.count() > 0).collect();
        let own = HelperSettings {
            motion: HelperMotion::Rigid,
            max_influences: settings.helpers.max_influences.min(PMX_INFLUENCES),
            ..set.own_settings(settings, helpers.len())
        };
        let start = AppendStart {
            weights: &region_weights(rig, region, &helpers),
            posed_from_rest: &rig_matrices(rig, &all, &helpers),
            pairs: &if own.rules.mirror.is_some() { pairs(rig, &helpers) } else { Vec::new() },
        };
        let turns = Turns { vectors: &vectors, at_rest: &at_rest, is_followed: &is_followed };
        let search = AppendSettings { keeps_weights: self.keeps_weights(), ..AppendSettings::default() };
        let mut found = AppendSearch::new(&set.set.examples(), start, turns, &own, search)?;
        let mut round = 0;
        while found.advance() {
            round += 1;
            progress.step_with(round, search.rounds, found.rms())?;
        }
        let mut fit = found.finish();
        if self.keeps_weights() {
            // Keys need a bone, also where there is nothing to follow.
            for (chain, &helper) in
                fit.chains.iter_mut().zip(&helpers).filter(|(chain, _)| chain.links.is_empty())
            {
                let pivot = rig.controllers.helpers[helper].frame.center;
                chain.links.push(AppendLink { driver: chain.parent, ratio: 0.0, pivot });
            }
        }
        Ok(Some(Part { set, fit }))
    }

    /// Examples of a region, with all drivers.
    fn examples(&self, region: &Region, near: usize) -> ExampleSet {
        let all: Vec<usize> = (0..self.poser.drivers.bones().len()).collect();
        let scope = Scope { vertices: &region.vertices, drivers: &all };
        let (sequences, count) = match &self.source {
            AppendSource::Ranges => (&[][..], self.settings.pose_count),
            AppendSource::Frames(sequences, still_poses) => (&sequences[..], *still_poses),
        };
        let mut set = self.poser.empty(scope);
        if count > 0 {
            let poses = region_poses(region, Sampling::LowDiscrepancy, count, (0, near));
            set.append(&self.poser.examples(scope, &poses));
        }
        for sequence in sequences {
            set.append(&self.poser.sequence(scope, &sequence.poses, &sequence.shapes));
        }
        set
    }
}

/// The side of a region where followers are no better than bones alone, and both errors there.
fn harm(part: &Part<'_>, judged: &[Option<Judged>]) -> Option<(usize, Judged)> {
    let mut sides = part.set.sides().filter_map(|side| Some((side, judged[side]?)));
    sides.find(|(_, judged)| judged.rms >= judged.rms_plain)
}

/// Rigs whose helpers are not each of one region: all skin that moves was fitted as one.
fn joined_region(regions: &Regions, rig: &FittedRig) -> Option<Region> {
    let moving: Vec<Region> =
        regions.list.iter().filter(|region| !helpers_of(rig, &region.vertices).is_empty()).cloned().collect();
    let used: usize = moving.iter().map(|region| helpers_of(rig, &region.vertices).len()).sum();
    if used <= rig.helper_count() {
        return None;
    }
    let mut joined = join_all(moving);
    let bone_count = rig.driver_count + rig.helper_count();
    let rows: Vec<&[f64]> = rig.weights.chunks(bone_count).collect();
    let own: Vec<usize> =
        joined.vertices.iter().filter_map(|vertex| rig.vertices.binary_search(vertex).ok()).collect();
    let is_used = |driver: &usize| own.iter().any(|&at| rows[at][*driver] > 0.0);
    joined.drivers.extend((0..rig.driver_count).filter(is_used));
    joined.drivers.sort_unstable();
    joined.drivers.dedup();
    Some(joined)
}

/// Helpers that have weights on some vertices.
fn helpers_of(rig: &FittedRig, vertices: &[u32]) -> Vec<usize> {
    let bone_count = rig.driver_count + rig.helper_count();
    let rows: Vec<&[f64]> = vertices
        .iter()
        .filter_map(|vertex| rig.vertices.binary_search(vertex).ok())
        .map(|at| &rig.weights[at * bone_count..][..bone_count])
        .collect();
    let is_used = |helper: &usize| rows.iter().any(|row| row[rig.driver_count + helper] > 0.0);
    (0..rig.helper_count()).filter(is_used).collect()
}

/// A region whose helpers follow other bones.
struct Part<'a> {
    set: RegionSet<'a>,
    fit: AppendFit,
}

/// Matrices of some helpers, as controllers have them.
fn rig_matrices(rig: &FittedRig, set: &ExampleSet, helpers: &[usize]) -> Vec<DAffine3> {
    let of_pose = |pose: usize| {
        let found = rig.controllers.posed_from_rest(set.changes(pose), set.examples().drivers(pose));
        helpers.iter().map(|&helper| found[helper]).collect::<Vec<DAffine3>>()
    };
    (0..set.pose_count()).flat_map(of_pose).collect()
}

/// Weights of a region's vertices on its drivers and helpers.
fn region_weights(rig: &FittedRig, region: &Region, helpers: &[usize]) -> Vec<f64> {
    let bone_count = rig.driver_count + rig.helper_count();
    let mut weights = Vec::with_capacity(region.vertices.len() * (region.drivers.len() + helpers.len()));
    for at in region.vertices.iter().filter_map(|vertex| rig.vertices.binary_search(vertex).ok()) {
        let row = &rig.weights[at * bone_count..][..bone_count];
        weights.extend(region.drivers.iter().map(|&driver| row[driver]));
        weights.extend(helpers.iter().map(|&helper| row[rig.driver_count + helper]));
    }
    weights
}

/// Partners of helpers in the middle: those whose centers are each other's image, which is exact there.
fn pairs(rig: &FittedRig, helpers: &[usize]) -> Vec<Option<usize>> {
    let center = |helper: usize| rig.controllers.helpers[helper].frame.center;
    let partner = |&helper: &usize| {
        let image = center(helper) * DVec3::new(-1.0, 1.0, 1.0);
        helpers.iter().position(|&other| other != helper && center(other) == image)
    };
    helpers.iter().map(partner).collect()
}

/// All chains on one rig, those of mirror images too.
fn assembled(poser: &Poser<'_>, parts: &[Part<'_>]) -> AppendedRig {
    let mut rig = AppendedRig::plain(poser);
    for Part { set, fit } in parts {
        let Region { vertices, drivers, .. } = set.region;
        rig.add(vertices, drivers, &fit.chains, &fit.weights);
        let Some(symmetry) = set.symmetry().filter(|_| set.image.is_some()) else { continue };
        let partners: Vec<u32> = vertices.iter().map(|&vertex| symmetry.vertex(vertex)).collect();
        let drivers: Vec<usize> = drivers.iter().map(|&driver| symmetry.driver(driver)).collect();
        let chains: Vec<AppendChain> =
            fit.chains.iter().map(|chain| chain.mirrored(|driver| driver)).collect();
        rig.add(&partners, &drivers, &chains, &fit.weights);
    }
    rig
}

/// Helpers where they are best in every frame, as keys put them: skinning matrices, frame by frame, in each frame one per helper. `rms_gltf`: error of
/// helpers as a glTF plays them.
pub(crate) fn bake_append(
    poser: &Poser<'_>,
    appended: &AppendedRig,
    (name, sequence): (&str, &Sequence),
    rms_gltf: f64,
    settings: &HelperSettings,
) -> Result<(Vec<DAffine3>, AppendMotion), FitError> {
    let drivers: Vec<usize> = (0..appended.driver_count).collect();
    let scope = Scope { vertices: &appended.vertices, drivers: &drivers };
    let set = poser.sequence(scope, &sequence.poses, &sequence.shapes);
    set.examples().check().map_err(sinew_fit::HelperError::from)?;
    let followed = appended.helpers(&set);
    let free = HelperSettings { motion: HelperMotion::Rigid, rules: Default::default(), ..settings.clone() };
    let baked = match appended.chains.len() {
        0 => Vec::new(),
        _ => repose_helpers(&set.examples(), &appended.weights, &followed, &free)?.0,
    };
    let plain = FittedRig::plain(poser.drivers, poser.bound);
    let of_plain = (0..set.pose_count()).flat_map(|pose| plain.blend(&set, pose, &[]));
    let motion = AppendMotion {
        name: name.to_owned(),
        rms_plain: set.rms_of(&of_plain.collect::<Vec<Vec3>>()),
        rms_gltf,
        rms: set.rms_of(&appended.placed_by(&set, &followed)),
        rms_baked: set.rms_of(&appended.placed_by(&set, &baked)),
    };
    Ok((baked, motion))
}
