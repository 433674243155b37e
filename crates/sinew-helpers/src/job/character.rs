//! A fit of a model's own skin.

use super::outcome::{Fitted, write_json};
use crate::examples::flesh_source::FleshSource;
use crate::output::corrected::{CorrectedFit, corrective_examples, put_corrected_fit_on, rms_in_poses};
use crate::{
    BakedSequence, CorrectiveReport, CorrectiveSettings, DriverBinds, FitError, FitOutcome, FitRequest,
    FitSource, FittedRig, Poser, Region, RegionReport, Regions, RigError, RigFitSettings, SavedPose,
    Sequence, SequenceReport, SequenceSettings, Suggestions, Symmetric, Symmetry, fit_rig, fit_sequences,
    follow_sequence, held_out_poses, read_shapes, regions, suggest_poses,
};
use sinew_flesh::FleshPreset;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_model::motion::humanoid_map;
use sinew_model::{HelperOutput, Model, SkinChoice, save_obj};
use sinew_rig::{BoneId, BoundSurface, Character, Clip, Deformer, HumanoidMap, Pose};
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

/// A model, its bones and what is asked of it.
struct Job<'a> {
    character: &'a Character,
    request: &'a FitRequest,
    map: HumanoidMap,
    bound: BoundSurface,
    drivers: DriverBinds,
    settings: RigFitSettings,
    regions: Regions,
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
        if let Some(pattern) = request.joints.iter().find(|pattern| places(pattern).is_empty()) {
            return Err(FitError::Joints { pattern: pattern.clone() });
        }
        let is_wanted = |bone: BoneId| {
            let name = name_of(character, bone);
            request.joints.is_empty() || request.joints.iter().any(|pattern| matches(pattern, name))
        };
        let (symmetry, asymmetry) = symmetry(request, &bound, &drivers)?;
        let regions = regions(character, &bound, &drivers, Some(&map), symmetry, &is_wanted);
        Ok(Self { character, request, map, bound, drivers, settings, regions, asymmetry })
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
        let play = |(clip, is_fitted): (&Clip, bool)| {
            let sequence = poser.play(clip, self.request.fps);
            Played { name: clip.name.clone(), sequence, is_fitted }
        };
        let played: Vec<Played> = self.clips()?.into_iter().map(play).collect();
        self.fit_played(poser, &played, (self.request.still_poses, None), progress)
    }

    /// Bends joint by joint over the joints' ranges.
    fn fit_ranges(&self, poser: &Poser<'_>, progress: &Progress<'_>) -> Result<FitOutcome, FitError> {
        let fitted = fit_rig(poser, &self.regions, &self.settings, progress)?;
        let held_out = fitted.held_out;
        let mut outcome = self.outcome(fitted.rig, fitted.regions);
        outcome.held_out = Some(held_out);
        outcome.removed = Some(1.0 - held_out.rms / held_out.rms_plain.max(f64::MIN_POSITIVE));
        self.correct(&mut outcome, poser, &[], self.settings.pose_count)?;
        Ok(outcome)
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
        let mut poses = Vec::new();
        for (frame, (file, name)) in files.poses.iter().zip(&files.names).enumerate() {
            let name = name.clone();
            poses.push(match (file, clip) {
                (Some(file), _) => file.pose(character).map_err(|errors| FitError::Pose { name, errors })?,
                (None, Some(clip)) => Pose::at(character, clip, frame as f64 / fps),
                (None, None) => return Err(FitError::NoPose { name }),
            });
        }
        if let Some(clip) = clip.filter(|_| files.poses.iter().all(Option::is_none)) {
            let (found, expected) = (poses.len(), clip.frame_count(fps));
            if found != expected {
                return Err(FitError::FrameCount { found, clip: clip.name.clone(), expected, fps });
            }
        }
        let name = clip.map_or_else(|| path.display().to_string(), |clip| clip.name.clone());
        let sequence = Sequence { poses, shapes: files.shapes, is_loop: false };
        let poser = self.poser(None)?;
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
        let (rig, reports) = fit_sequences(poser, &self.regions, &fitted, &settings, progress)?;
        let mut outcome = self.outcome(rig, reports);
        for Played { name, sequence, is_fitted } in played {
            let (name, is_fitted) = (name.clone(), *is_fitted);
            let rig = &outcome.fitted.rig;
            let (helpers, errors) = follow_sequence(poser, rig, sequence, &self.settings.helpers)?;
            outcome.fitted.baked.push(BakedSequence { name: name.clone(), helpers });
            outcome.sequences.push(SequenceReport { errors, name, is_fitted });
        }
        self.correct(&mut outcome, poser, played, still_poses)?;
        Ok(outcome)
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
            notes: self
                .asymmetry
                .iter()
                .map(|why| format!("both sides are fitted on their own: {why}"))
                .collect(),
            coefficients: rig.controllers.coefficient_count(),
            most_influences: rig.most_influences(),
            regions,
            fitted: Fitted {
                drivers: self.drivers.clone(),
                rig,
                fps: self.request.fps,
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

fn name_of(character: &Character, bone: BoneId) -> &str {
    &character.skeleton().bone(bone).name
}

/// The symmetry that is fitted to, or why there is none although it was left to the fit.
fn symmetry(
    request: &FitRequest,
    bound: &BoundSurface,
    drivers: &DriverBinds,
) -> Result<(Option<Symmetry>, Option<RigError>), FitError> {
    let is_ranged = matches!(request.source, FitSource::Method(_)) && request.clips.is_empty();
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
