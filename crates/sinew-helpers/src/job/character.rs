//! A fit of a model's own skin.

use super::outcome::{Fitted, JudgedJoint, write_json};
use crate::examples::flesh_source::FleshSource;
use crate::fit::append::{AppendSource, Appending, bake_append};
use crate::fit::held_out::judge_sequence;
use crate::output::append::keys_of;
use crate::output::corrected::{CorrectedFit, corrective_examples, put_corrected_fit_on, rms_in_poses};
use crate::output::mmd::Appended;
use crate::{
    BakedSequence, CorrectiveReport, CorrectiveSettings, DriverBinds, FitError, FitOutcome, FitRequest,
    FitSource, FittedRig, Judged, Poser, Region, RegionReport, Regions, RigError, RigFitSettings, SavedPose,
    Sequence, SequenceErrors, SequenceReport, SequenceSettings, Suggestions, Symmetric, Symmetry, fit_rig,
    fit_sequences, follow_sequence, held_out_poses, read_shapes, regions, suggest_poses,
};
use sinew_flesh::FleshPreset;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_model::motion::humanoid_map;
use sinew_model::{HelperOutput, Model, SkinChoice, read_paint, save_obj};
use sinew_play::patches::bind_patches;
use sinew_rig::{BoneId, BoundSurface, Character, Clip, Deformer, HumanoidMap, MeshId, Pose};
use sinew_skin::{Method, matches};
use std::path::Path;
use std::sync::Arc;

/// Fits helpers to a model, from the source that is asked for. A step of the progress names the clip that is simulated, or the joint that is fitted.
///
/// # Errors
/// The request does not fit the model, files cannot be read, or [`FitError::Interrupted`].
pub fn fit_character(
    model: &Model,
    request: &FitRequest,
    progress: &Progress<'_>,
) -> Result<FitOutcome, FitError> {
    let job = Job::new(model, request)?;
    match &request.source {
        FitSource::Method(method) => job.fit_posed(&job.poser(Some(*method))?, progress),
        FitSource::Patches(modes) => {
            job.fit_posed(&job.poser_of(bind_patches(&model.character, *modes)?), progress)
        }
        FitSource::Flesh { tet_count, preset } => job.fit_flesh(*tet_count, preset, progress),
        FitSource::Shapes(path) => job.fit_shapes(path, progress),
    }
}

/// Fits helpers to a model whose skin `deformer` moves; the source of the request does not count.
///
/// # Errors
/// The request does not fit the model, or [`FitError::Interrupted`].
pub fn fit_deformer(
    model: &Model,
    deformer: Arc<dyn Deformer>,
    request: &FitRequest,
    progress: &Progress<'_>,
) -> Result<FitOutcome, FitError> {
    let job = Job::new(model, request)?;
    job.fit_posed(&job.poser_of(deformer), progress)
}

/// Share of the time that a fit takes where helpers are to follow other bones too.
const FIT_SHARE: f64 = 0.8;

/// A model, its bones and what is asked of it.
struct Job<'a> {
    character: &'a Character,
    request: &'a FitRequest,
    map: HumanoidMap,
    bound: BoundSurface,
    drivers: DriverBinds,
    settings: RigFitSettings,
    regions: Regions,
    /// Shape keys that helpers take over.
    keys: Vec<(MeshId, usize)>,
    /// Why it is not fitted symmetrically, if that was left to the fit.
    asymmetry: Option<RigError>,
}

/// Shapes of a clip or cache.
struct Played {
    name: String,
    sequence: Sequence,
    is_fitted: bool,
}

impl<'a> Job<'a> {
    fn new(model: &'a Model, request: &'a FitRequest) -> Result<Self, FitError> {
        let character = &model.character;
        let (bound, drivers) = (BoundSurface::of(character), DriverBinds::all(character)?);
        let map = humanoid_map(model, &mut Report::default()).0;
        let places = |pattern: &str| -> Vec<usize> {
            let is_meant = |at: &usize| matches(pattern, name_of(character, drivers.bones()[*at]));
            (0..drivers.bones().len()).filter(is_meant).collect()
        };
        let mut settings = request.rig.clone();
        for pattern in &request.locked_bones {
            match places(pattern) {
                found if found.is_empty() => {
                    return Err(FitError::LockedBones { pattern: pattern.clone() });
                }
                found => settings.locked_drivers.extend(found),
            }
        }
        if !request.shifts.is_empty() && is_ranged(request) {
            return Err(FitError::StillShifts);
        }
        for pattern in &request.shifts {
            match places(pattern) {
                found if found.is_empty() => return Err(FitError::Shifts { pattern: pattern.clone() }),
                found => settings.controllers.shifting.extend(found),
            }
        }
        for query in &request.held_out_clips {
            settings.held_out_clips.push(character.find_clip(query)?.index());
        }
        if let Some(pattern) = request.joints.iter().find(|pattern| places(pattern).is_empty()) {
            return Err(FitError::Joints { pattern: pattern.clone() });
        }
        let is_wanted = |bone: BoneId| {
            let name = name_of(character, bone);
            request.joints.is_empty() || request.joints.iter().any(|pattern| matches(pattern, name))
        };
        let (symmetry, asymmetry) = symmetry(request, &bound, &drivers)?;
        let locked = request.locked_paint.as_deref();
        let read = |from: &str| {
            read_paint(from, character, &request.limits)
                .map_err(|source| FitError::Paint { from: from.to_owned(), source })
        };
        let locked = locked.map(read).transpose()?;
        let is_locked = |vertex: u32| locked.as_ref().is_some_and(|paint| paint[vertex as usize] > LOCKED);
        let is_free = |vertex: u32| !is_locked(vertex);
        let regions = regions(character, &bound, &drivers, Some(&map), symmetry, &is_wanted, &is_free);
        if request.rig.symmetric == Symmetric::On && regions.symmetry.is_none() {
            return Err(FitError::Symmetric { what: "the requested joints are not" });
        }
        if request.mmd.is_some() && request.correctives > 0 {
            return Err(FitError::CorrectivesInMmd);
        }
        if request.rig.is_auto && !is_ranged(request) {
            return Err(FitError::AutoHelpers);
        }
        let keys = keys(character, &request.keys)?;
        Ok(Self { character, request, map, bound, drivers, settings, regions, keys, asymmetry })
    }

    fn poser_of(&self, deformer: Arc<dyn Deformer>) -> Poser<'_> {
        Poser { character: self.character, bound: &self.bound, drivers: &self.drivers, deformer }
    }

    /// Moved by a method, or as the file says.
    fn poser(&self, method: Option<Method>) -> Result<Poser<'_>, FitError> {
        let (skin, _) = SkinChoice { method, ..SkinChoice::default() }.settings(self.character)?;
        Ok(self.poser_of(sinew_skin::bind(self.character, &self.bound, &skin).into()))
    }

    fn clip(&self, query: &str) -> Result<&'a Clip, FitError> {
        Ok(&self.character.clips()[self.character.find_clip(query)?.index()])
    }

    /// All clips that are named, those first that are fitted to.
    fn clips(&self) -> Result<Vec<(&'a Clip, bool)>, FitError> {
        let fitted = self.request.clips.iter().map(|query| (query, true));
        let others = self.request.held_out_clips.iter().map(|query| (query, false));
        fitted.chain(others).map(|(query, is_fitted)| Ok((self.clip(query)?, is_fitted))).collect()
    }

    fn fit_posed(&self, poser: &Poser<'_>, progress: &Progress<'_>) -> Result<FitOutcome, FitError> {
        if self.request.clips.is_empty() {
            return self.fit_ranges(poser, progress);
        }
        let played = self.played(poser)?;
        self.fit_played(poser, &played, (self.request.still_poses, None), progress)
    }

    /// All clips that are named, with the shapes that a deformer and the keys give.
    fn played(&self, poser: &Poser<'_>) -> Result<Vec<Played>, FitError> {
        let play = |(clip, is_fitted): (&Clip, bool)| {
            let sequence = poser.play(clip, self.request.fps, &self.keys);
            Played { name: clip.name.clone(), sequence, is_fitted }
        };
        Ok(self.clips()?.into_iter().map(play).collect())
    }

    /// Bends joint by joint over the joints' ranges.
    fn fit_ranges(&self, poser: &Poser<'_>, progress: &Progress<'_>) -> Result<FitOutcome, FitError> {
        let (fitting, appending) = self.shares(progress);
        let fitted = fit_rig(poser, &self.regions, &self.settings, &fitting)?;
        let held_out = fitted.held_out;
        let mut outcome = self.outcome(fitted.rig, fitted.regions);
        outcome.held_out = Some(held_out);
        outcome.removed = Some(1.0 - held_out.rms / held_out.rms_plain.max(f64::MIN_POSITIVE));
        for Played { name, sequence, is_fitted } in self.played(poser)? {
            let rig = &outcome.fitted.rig;
            let (_, errors) = follow_sequence(poser, rig, &sequence, &self.settings.helpers)?;
            // Clips are baked by the controllers.
            let errors = SequenceErrors { rms_baked: errors.rms_controllers, ..errors };
            let (joints, worse) = self.judged_joints(poser, rig, &sequence);
            outcome.sequences.push(SequenceReport { errors, name, is_fitted, joints, worse });
        }
        self.correct(&mut outcome, poser, &[], self.settings.pose_count)?;
        self.append(&mut outcome, poser, AppendSource::Ranges, &appending)?;
        if self.request.mmd.is_some_and(|mmd| mmd.bakes_clips) {
            for clip in self.character.clips() {
                appending.step(1, 1)?;
                let sequence = poser.play(clip, self.request.fps, &self.keys);
                let (_, errors) =
                    follow_sequence(poser, &outcome.fitted.rig, &sequence, &self.settings.helpers)?;
                let motion = (&clip.name[..], &sequence);
                self.bake_appended(&mut outcome, poser, motion, errors.rms_controllers)?;
            }
        }
        Ok(outcome)
    }

    /// The parts of the progress for the fit, and for helpers that follow other bones.
    fn shares<'b>(&self, progress: &Progress<'b>) -> (Progress<'b>, Progress<'b>) {
        let fitting = if self.request.mmd.is_some() { FIT_SHARE } else { 1.0 };
        (progress.part("", 0.0..fitting), progress.part("", fitting..1.0))
    }

    /// Has helpers follow other bones too, if that is asked for.
    fn append(
        &self,
        outcome: &mut FitOutcome,
        poser: &Poser<'_>,
        source: AppendSource<'_>,
        progress: &Progress<'_>,
    ) -> Result<(), FitError> {
        let Some(mmd) = self.request.mmd else { return Ok(()) };
        let (rig, regions, settings) = (&outcome.fitted.rig, &self.regions, &self.settings);
        let (appended, report) =
            Appending { poser, regions, rig, source, settings, has_keys: mmd.bakes_clips }.run(progress)?;
        outcome.append = Some(report);
        let fps = self.request.fps;
        outcome.fitted.appended = Some(Appended { rig: appended, baked: Vec::new(), mmd, fps });
        Ok(())
    }

    /// Finds keys for helpers of a motion, and measures with and without them.
    fn bake_appended(
        &self,
        outcome: &mut FitOutcome,
        poser: &Poser<'_>,
        motion: (&str, &Sequence),
        rms_gltf: f64,
    ) -> Result<(), FitError> {
        let (Some(appended), Some(report)) = (&mut outcome.fitted.appended, &mut outcome.append) else {
            return Ok(());
        };
        let (matrices, measured) =
            bake_append(poser, &appended.rig, motion, rms_gltf, &self.settings.helpers)?;
        report.motions.push(measured);
        appended.baked.push(keys_of(poser, &appended.rig, motion, &matrices));
        Ok(())
    }

    fn fit_flesh(
        &self,
        tet_count: u32,
        preset: &str,
        progress: &Progress<'_>,
    ) -> Result<FitOutcome, FitError> {
        if self.request.clips.is_empty() {
            return Err(FitError::NoClip);
        }
        let (fps, preset) = (self.request.fps, FleshPreset::find(preset)?);
        let (skin, _) = SkinChoice::default().settings(self.character)?;
        let source = FleshSource { fps, tet_count, preset, skin };
        let rig = source.rig(self.character, &self.map)?;
        let (clips, mut played) = (self.clips()?, Vec::new());
        let simulated = progress.part("", 0.0..0.5);
        for (at, &(clip, is_fitted)) in clips.iter().enumerate() {
            let name = clip.name.clone();
            let job = format!("flesh of {name}");
            let sequence = source.play(&rig, clip, &simulated.one_of(&job, at, clips.len()))?;
            played.push(Played { name, sequence, is_fitted });
        }
        let asked = (self.request.still_poses, Some(fps));
        let mut outcome =
            self.fit_played(&self.poser(None)?, &played, asked, &progress.part("", 0.5..1.0))?;
        outcome.notes.extend(rig.notes.iter().map(ToString::to_string));
        Ok(outcome)
    }

    fn fit_shapes(&self, path: &Path, progress: &Progress<'_>) -> Result<FitOutcome, FitError> {
        let files = read_shapes(path, self.bound.vertex_count(), &self.request.limits)?;
        let (character, fps) = (self.character, self.request.fps);
        let clip = match &self.request.clips[..] {
            [] => None,
            [clip] => Some(self.clip(clip)?),
            _ => return Err(FitError::SeveralClips),
        };
        let (poser, mut posed) = (self.poser(None)?, None);
        let (mut poses, mut shapes) = (Vec::new(), files.shapes);
        for (frame, (file, name)) in files.poses.iter().zip(&files.names).enumerate() {
            let name = name.clone();
            poses.push(match (file, clip) {
                (Some(file), _) => file.pose(character).map_err(|errors| FitError::Pose { name, errors })?,
                (None, Some(clip)) => Pose::at(character, clip, frame as f64 / fps),
                (None, None) => return Err(FitError::NoPose { name }),
            });
            if let (None, Some(pose)) = (&shapes[frame], poses.last()) {
                let posed = posed.get_or_insert_with(|| poser.posed());
                posed.set(pose);
                shapes[frame] = Some(posed.surface().positions.clone());
            }
        }
        if let Some(clip) = clip.filter(|_| files.poses.iter().all(Option::is_none)) {
            let (found, expected) = (poses.len(), clip.frame_count(fps));
            if found != expected {
                return Err(FitError::FrameCount { found, clip: clip.name.clone(), expected, fps });
            }
        }
        let name = clip.map_or_else(|| path.display().to_string(), |clip| clip.name.clone());
        let sequence = Sequence { poses, shapes: shapes.into_iter().flatten().collect(), is_loop: false };
        let suggestions = match &self.request.suggestions {
            Some(asked) => self.suggest(&poser, &sequence, asked)?,
            None => Vec::new(),
        };
        let played = [Played { name, sequence, is_fitted: true }];
        let outcome = self.fit_played(&poser, &played, (0, None), progress)?;
        Ok(FitOutcome { suggestions, ..outcome })
    }

    /// Fits to sequences, and measures on all. `asked`: poses of each region that the poser gives, and the rate of what should lag and swing.
    fn fit_played(
        &self,
        poser: &Poser<'_>,
        played: &[Played],
        (still_poses, follow_fps): (usize, Option<f64>),
        progress: &Progress<'_>,
    ) -> Result<FitOutcome, FitError> {
        let settings = SequenceSettings { rig: &self.settings, still_poses, follow_fps };
        let fitted: Vec<&Sequence> =
            played.iter().filter(|played| played.is_fitted).map(|played| &played.sequence).collect();
        let (fitting, appending) = self.shares(progress);
        let (rig, reports) = fit_sequences(poser, &self.regions, &fitted, &settings, &fitting)?;
        let mut outcome = self.outcome(rig, reports);
        for Played { name, sequence, is_fitted } in played {
            let (name, is_fitted) = (name.clone(), *is_fitted);
            let rig = &outcome.fitted.rig;
            let (helpers, errors) = follow_sequence(poser, rig, sequence, &self.settings.helpers)?;
            outcome.fitted.baked.push(BakedSequence { name: name.clone(), helpers });
            let (joints, worse) = self.judged_joints(poser, rig, sequence);
            outcome.sequences.push(SequenceReport { errors, name, is_fitted, joints, worse });
        }
        self.correct(&mut outcome, poser, played, still_poses)?;
        self.append(&mut outcome, poser, AppendSource::Frames(fitted, still_poses), &appending)?;
        for (at, Played { name, sequence, .. }) in played.iter().enumerate() {
            appending.step(1, 1)?;
            let rms_gltf = outcome.sequences[at].errors.rms_baked;
            self.bake_appended(&mut outcome, poser, (name, sequence), rms_gltf)?;
        }
        Ok(outcome)
    }

    /// How controllers move the skin of every joint, and those whose skin the bones alone move better by what can be seen.
    fn judged_joints(
        &self,
        poser: &Poser<'_>,
        rig: &FittedRig,
        sequence: &Sequence,
    ) -> (Vec<JudgedJoint>, Vec<JudgedJoint>) {
        let judged = judge_sequence(poser, &self.regions, &|set| rig.placed(set), sequence);
        let of = |(region, judged): (&Region, Option<Judged>)| {
            Some(JudgedJoint { joint: name_of(self.character, region.joint).to_owned(), judged: judged? })
        };
        let all: Vec<JudgedJoint> = self.regions.list.iter().zip(judged).filter_map(of).collect();
        let is_worse = |joint: &&JudgedJoint| joint.judged.is_seen_to_harm(self.drivers.size());
        let worse = all.iter().filter(is_worse).cloned().collect();
        (all, worse)
    }

    /// What is not as asked, or not as the user may expect.
    fn notes(&self, made: usize) -> Vec<String> {
        let why = |error: &RigError| match error {
            // Nobody knows bones by their place among those that move skin.
            RigError::MirrorDriver { driver, .. } => {
                let name = name_of(self.character, self.drivers.bones()[*driver]);
                format!("bone {name:?} has no mirror image across x = 0")
            }
            error => error.to_string(),
        };
        let asymmetry =
            self.asymmetry.iter().map(|error| format!("both sides are fitted on their own: {}", why(error)));
        let asked = self.settings.helpers.helper_count.min(self.settings.most_helpers.unwrap_or(usize::MAX));
        let is_less = made < asked && !self.settings.is_auto;
        let less = is_less
            .then(|| format!("{made} of {asked} helpers were made; more would not help, or have no room"));
        asymmetry.chain(less).collect()
    }

    fn outcome(&self, rig: FittedRig, regions: Vec<RegionReport>) -> FitOutcome {
        let count = |region: &RegionReport| region.vertices * region.poses;
        let total = |of: fn(&RegionReport) -> f64| {
            let squares = regions.iter().map(|region| of(region).powi(2) * count(region) as f64);
            (squares.sum::<f64>() / regions.iter().map(count).sum::<usize>().max(1) as f64).sqrt()
        };
        FitOutcome {
            vertices: rig.vertices.len(),
            drivers: rig.driver_count,
            helpers: rig.helper_count(),
            rmse_plain: total(|region| region.rms_plain),
            rmse: total(|region| region.rms),
            rmse_controllers: total(|region| region.rms_controllers),
            is_symmetric: self.regions.symmetry.is_some(),
            notes: self.notes(rig.helper_count()),
            coefficients: rig.controllers.coefficient_count(),
            most_influences: rig.most_influences(),
            regions,
            fitted: Fitted {
                drivers: self.drivers.clone(),
                rig,
                fps: self.request.fps,
                keys: self.keys.clone(),
                poses: held_out_poses(&self.regions, &self.settings),
                ..Fitted::default()
            },
            ..FitOutcome::default()
        }
    }

    /// Adds correctives, if they are asked for. `poses`: of each region that has helpers, taken from the poser.
    fn correct(
        &self,
        outcome: &mut FitOutcome,
        poser: &Poser<'_>,
        played: &[Played],
        poses: usize,
    ) -> Result<(), FitError> {
        let Fitted { rig, baked, poses: held_out, .. } = &outcome.fitted;
        match (self.request.correctives, rig.helper_count()) {
            (0, _) => return Ok(()),
            (_, 0) => return Err(FitError::NothingToFollow),
            _ => (),
        }
        let has_helpers = |region: &&Region| {
            let name = name_of(self.character, region.joint);
            outcome.regions.iter().any(|report| report.helpers > 0 && report.joint == name)
        };
        let with_helpers: Vec<&Region> = self.regions.list.iter().filter(has_helpers).collect();
        let sequences: Vec<&Sequence> = played.iter().map(|played| &played.sequence).collect();
        let fitted = &sequences[..played.iter().filter(|played| played.is_fitted).count()];
        let limit = self.settings.helpers.max_bytes;
        let examples = corrective_examples(poser, &with_helpers, fitted, poses, limit)?;
        let output = HelperOutput { fps: self.request.fps, ..HelperOutput::default() };
        let count = self.request.correctives;
        let settings = CorrectiveSettings { count, output, ..CorrectiveSettings::default() };
        let vertices = self.regions.vertices();
        let wanted = CorrectedFit { rig, vertices: &vertices, baked, sequences: &sequences, settings };
        let made = put_corrected_fit_on(poser, &wanted, &examples)?;
        // Only a deformer knows the truth of other poses.
        let rms_held_out =
            played.is_empty().then(|| rms_in_poses(poser, &made.character, held_out, &vertices));
        outcome.correctives = Some(CorrectiveReport {
            examples: examples.len(),
            meshes: made.summaries,
            rms_by_sequence: made.rms_by_sequence,
            rms_held_out,
        });
        outcome.fitted.corrected = Some(made.character);
        Ok(())
    }

    /// Names poses to make next, and writes each as a pose and a shape to start from.
    fn suggest(
        &self,
        poser: &Poser<'_>,
        sequence: &Sequence,
        asked: &Suggestions,
    ) -> Result<Vec<SavedPose>, FitError> {
        let found = suggest_poses(poser, &self.regions, sequence, asked.degree, asked.count);
        if found.is_empty() {
            return Err(FitError::NoSuggestion);
        }
        let mut posed = poser.posed();
        let mut saved = Vec::new();
        for (at, suggestion) in found.into_iter().enumerate() {
            let stem = asked.folder.join(format!("suggested-{}", at + 1));
            let (pose, shape) = (stem.with_extension("json"), stem.with_extension("obj"));
            let rotation = |(bone, turn): &(BoneId, glam::DQuat)| {
                let rotation = serde_json::json!({ "rotation": turn.as_quat().to_array() });
                (format!("#{}", bone.index()), rotation)
            };
            let bones: serde_json::Map<_, _> = suggestion.turns.iter().map(rotation).collect();
            write_json(&pose, &serde_json::json!({ "bones": bones }))?;
            posed.set(&poser.pose(&suggestion.turns));
            save_obj(&posed, &shape, &mut Report::default())?;
            saved.push(SavedPose {
                joint: suggestion.joint,
                pose: pose.display().to_string(),
                shape: shape.display().to_string(),
                doubt: suggestion.doubt,
                turns: suggestion.words,
            });
        }
        Ok(saved)
    }
}

/// Paint above this locks a vertex.
const LOCKED: f32 = 0.5;

/// Shape keys that patterns name.
fn keys(character: &Character, patterns: &[String]) -> Result<Vec<(MeshId, usize)>, FitError> {
    let mut all = Vec::new();
    for (mesh, of) in character.meshes().iter().enumerate() {
        all.extend(of.morphs.iter().enumerate().map(|(at, morph)| (MeshId::of(mesh), at, &morph.name)));
    }
    if let Some(pattern) = patterns.iter().find(|pattern| !all.iter().any(|key| matches(pattern, key.2))) {
        return Err(FitError::Keys { pattern: pattern.clone() });
    }
    all.retain(|key| patterns.iter().any(|pattern| matches(pattern, key.2)));
    Ok(all.into_iter().map(|(mesh, at, _)| (mesh, at)).collect())
}

fn name_of(character: &Character, bone: BoneId) -> &str {
    &character.skeleton().bone(bone).name
}

/// Whether joints are bent over their ranges by a deformer, which gives the shape of any pose.
fn is_ranged(request: &FitRequest) -> bool {
    matches!(request.source, FitSource::Method(_) | FitSource::Patches(_)) && request.clips.is_empty()
}

/// The symmetry that is fitted to, or why there is none although it was left to the fit.
fn symmetry(
    request: &FitRequest,
    bound: &BoundSurface,
    drivers: &DriverBinds,
) -> Result<(Option<Symmetry>, Option<RigError>), FitError> {
    let is_ranged = is_ranged(request);
    let is_polynomial = matches!(request.rig.controllers.basis, sinew_fit::BasisKind::Polynomial { .. });
    match request.rig.symmetric {
        Symmetric::Off => Ok((None, None)),
        Symmetric::On if !is_ranged => Err(FitError::Symmetric { what: "clips and shapes are not" }),
        Symmetric::On if !is_polynomial => Err(FitError::Symmetric { what: "radial functions are not" }),
        Symmetric::On => Ok((Some(Symmetry::find(bound, drivers)?), None)),
        Symmetric::Auto if !is_ranged || !is_polynomial => Ok((None, None)),
        Symmetric::Auto => Ok(match Symmetry::find(bound, drivers) {
            Ok(found) => (Some(found).filter(Symmetry::has_sides), None),
            Err(why) => (None, Some(why)),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripts::{ScriptError, ScriptTarget, script};
    use glam::{Vec3, Vec4};
    use sinew_rig::{Channel, InstanceId, MorphTarget, Track, samples};

    /// A limb whose key "bulge" raises its front where its clip bends it.
    fn limb() -> Model {
        let mut parts = samples::limb(12, 16).into_parts();
        let mesh = &mut parts.meshes[0];
        let bulge = |place: &Vec3| {
            let near = (1.0 - (place.y - 0.3).abs() / 0.08).max(0.0);
            near * place.z.max(0.0) * 0.5 * Vec3::Z
        };
        let deltas: Vec<Vec3> = mesh.positions.iter().map(bulge).collect();
        mesh.morphs = vec![MorphTarget::from_dense("bulge".into(), &deltas, &[], &[])];
        mesh.default_morph_weights = vec![0.0];
        // The upper half is red.
        mesh.colors = mesh
            .positions
            .iter()
            .map(|place| Vec4::new(f32::from(u8::from(place.y > 0.3)), 0.0, 0.0, 1.0))
            .collect();
        let weights = Channel::MorphWeights(InstanceId::of(0), vec![0.0, 1.0, 0.0]);
        parts.instances[0].morph_weights = vec![0.0];
        parts.clips[0].tracks.push(Track::linear(vec![0.0, 1.0, 2.0], weights));
        Model::new(Character::new(parts).expect("a limb with a key"))
    }

    fn request() -> FitRequest {
        let mut request = FitRequest { source: FitSource::Method(Method::Lbs), ..FitRequest::default() };
        (request.rig.helpers.helper_count, request.rig.helpers.start_count) = (2, 3);
        request
    }

    fn weights_of_key(character: &Character) -> &[f32] {
        let tracks = &character.clips()[0].tracks;
        let of = |track: &'_ Track| matches!(track.channel, Channel::MorphWeights(..));
        match &tracks.iter().find(|track| of(track)).expect("a track of the key").channel {
            Channel::MorphWeights(_, values) => values,
            _ => unreachable!("looked for"),
        }
    }

    #[test]
    fn keys_of_a_clip_become_helpers_and_are_played_once() {
        let model = limb();
        let keys = vec!["bul*".to_owned()];
        let request = FitRequest { clips: vec!["bend".into()], keys, still_poses: 0, ..request() };
        let outcome = fit_character(&model, &request, &Progress::none()).unwrap();
        let errors = outcome.sequences[0].errors;
        assert!(errors.rms_plain > 1e-3 && errors.rms_baked < 0.5 * errors.rms_plain, "{errors:?}");
        assert_eq!(weights_of_key(&model.character), [0.0, 1.0, 0.0]);
        assert_eq!(weights_of_key(&outcome.character(&model.character).unwrap()), [0.0; 3]);
        let without = FitRequest { keys: Vec::new(), ..request.clone() };
        let outcome = fit_character(&model, &without, &Progress::none()).unwrap();
        assert!(outcome.sequences[0].errors.rms_plain < 1e-6, "keys that nobody named are not fitted");
        let unknown = FitRequest { keys: vec!["smile".into()], ..request };
        let refused = fit_character(&model, &unknown, &Progress::none());
        assert!(matches!(refused, Err(FitError::Keys { .. })));
    }

    #[test]
    fn helpers_follow_a_bone_that_slides() {
        let mut parts = limb().character.into_parts();
        let lower =
            BoneId::of(parts.bones.iter().position(|bone| bone.name == "lower").expect("of the sample"));
        let rest = Vec3::from(parts.bones[lower.index()].rest.to_affine().translation);
        let slides = Channel::Translation(lower, vec![rest, rest + 0.05 * Vec3::Y, rest]);
        let tracks = &mut parts.clips[0].tracks;
        tracks.retain(|track| matches!(track.channel, Channel::MorphWeights(..)));
        tracks.push(Track::linear(vec![0.0, 1.0, 2.0], slides));
        let model = Model::new(Character::new(parts).expect("a limb that gets longer"));
        let keys = vec!["bulge".to_owned()];
        let still = FitRequest { clips: vec!["bend".into()], keys, still_poses: 0, ..request() };
        let request = FitRequest { shifts: vec!["low*".into()], ..still.clone() };
        let outcome = fit_character(&model, &request, &Progress::none()).unwrap();
        let errors = outcome.sequences[0].errors;
        assert!(errors.rms_plain > 1e-3 && errors.rms_controllers < 0.3 * errors.rms_plain, "{errors:?}");
        let made = outcome.character(&model.character).unwrap();
        let drivers = &made.controllers().drivers;
        assert_eq!(drivers.iter().map(|driver| driver.shifts.len()).collect::<Vec<_>>(), [1], "{drivers:?}");
        for target in [ScriptTarget::Blender, ScriptTarget::Unity, ScriptTarget::Godot] {
            let refused = script(&made, target, "limb");
            assert!(
                matches!(refused, Err(ScriptError::Shifts { ref name }) if name == "lower"),
                "{refused:?}"
            );
        }
        let (json, _) = script(&made, ScriptTarget::Json, "limb").expect("it has directions");
        assert!(json.contains("\"shifts\""), "{json}");
        // Turns alone say nothing of this clip.
        let errors = fit_character(&model, &still, &Progress::none()).unwrap().sequences[0].errors;
        assert!(errors.rms_controllers > 0.9 * errors.rms_plain, "{errors:?}");
        let refused = |request: FitRequest| fit_character(&model, &request, &Progress::none()).unwrap_err();
        let unknown = FitRequest { shifts: vec!["jaw".into()], ..request.clone() };
        assert!(matches!(refused(unknown), FitError::Shifts { .. }));
        let ranged = FitRequest { clips: Vec::new(), keys: Vec::new(), ..request };
        assert!(matches!(refused(ranged), FitError::StillShifts));
    }

    #[test]
    fn poses_alone_have_the_shape_of_their_keys() {
        let model = limb();
        let folder = tempfile::tempdir().unwrap();
        for (at, share) in [0.0f32, 0.5, 1.0].into_iter().enumerate() {
            let (s, c) = (0.7 * share).sin_cos();
            let text = format!(
                r#"{{"bones": {{"lower": {{"rotation": [{s}, 0, 0, {c}]}}}}, "morphs": {{"bulge": {share}}}}}"#
            );
            std::fs::write(folder.path().join(format!("{at}.json")), text).unwrap();
        }
        let request = FitRequest { source: FitSource::Shapes(folder.path().into()), ..request() };
        let errors = fit_character(&model, &request, &Progress::none()).unwrap().sequences[0].errors;
        assert_eq!(errors.frames, 3);
        assert!(errors.rms_plain > 1e-3 && errors.rms_baked < 0.5 * errors.rms_plain, "{errors:?}");
        std::fs::write(folder.path().join("bare.json"), r#"{"bones": {}}"#).unwrap();
        let refused = fit_character(&model, &request, &Progress::none()).unwrap_err().to_string();
        assert!(refused.contains("bare.json") && refused.contains("no shape"), "{refused}");
    }

    #[test]
    fn painted_vertices_keep_their_weights() {
        let model = limb();
        let source = FitSource::Method(Method::Dlb);
        let request = FitRequest { source, locked_paint: Some("r".into()), ..request() };
        let outcome = fit_character(&model, &request, &Progress::none()).unwrap();
        let made = outcome.character(&model.character).unwrap();
        let (before, after) = (&model.character.meshes()[0], &made.meshes()[0]);
        let of = |mesh: &sinew_rig::Mesh, vertex: usize| {
            let mut found: Vec<(u16, f32)> = mesh.influences.pairs(vertex).collect();
            found.retain(|(_, weight)| *weight > 0.0);
            found.sort_by_key(|(bone, _)| *bone);
            found
        };
        let (mut kept, mut changed) = (0, 0);
        for (vertex, color) in before.colors.iter().enumerate() {
            let is_same = of(before, vertex) == of(after, vertex);
            assert!(is_same || color[0] < 0.5, "vertex {vertex} is locked");
            (kept, changed) = (kept + usize::from(is_same), changed + usize::from(!is_same));
        }
        assert!(kept > 0 && changed > 0, "{kept} kept, {changed} changed");
        let missing = FitRequest { locked_paint: Some("nowhere.npy".into()), ..request };
        assert!(matches!(fit_character(&model, &missing, &Progress::none()), Err(FitError::Paint { .. })));
    }
}
