//! A fit of a model's own skin.

use super::corrected::Leftovers;
use super::settings::{controller_settings, helper_settings};
use super::{corrected, suggest, write_json};
use crate::args::Fit as Options;
use crate::commands::{open, warnings_json};
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result, bail, ensure};
use sinew::body::character::Look;
use sinew::flesh::FleshPreset;
use sinew::geometry::progress::{Progress, Step};
use sinew::helpers::{
    BakedSequence, ConstraintLoss, Drivers, FittedRig, FleshSource, Poser, Region, RegionReport, ResultNames,
    RigFitSettings, Sequence, SequenceErrors, SequenceSettings, constrain_helpers, fit_rig, fit_sequences,
    follow_sequence, held_out_poses, join_mirrored, put_fit_on, read_shapes, regions, result_json,
};
use sinew::io::{Limits, Report};
use sinew::model::{Model, RotationConstraint, SkinChoice};
use sinew::rig::{BoneId, BoundSurface, Character, Clip, Deformer, HumanoidMap, Pose, guess_humanoid};
use sinew::scene::body::{BodyRequest, make};
use sinew::skin::{Method, SkinSettings, matches};
use std::path::Path;
use std::sync::Arc;

/// A model, its bones and what is asked of it.
pub(super) struct Job<'a> {
    pub(super) options: &'a Options,
    pub(super) model: &'a Model,
    pub(super) map: HumanoidMap,
    pub(super) bound: BoundSurface,
    pub(super) drivers: Drivers,
    pub(super) settings: RigFitSettings,
    limits: &'a Limits,
    talk: &'a Talk,
}

/// A fit, and what is told about it.
struct Done {
    told: serde_json::Value,
    rig: FittedRig,
    baked: Vec<BakedSequence>,
    /// With helpers and correctives, where those were asked for.
    corrected: Option<Character>,
}

pub(super) fn fit(
    options: &Options,
    input: &Path,
    limits: &Limits,
    talk: &Talk,
) -> Result<serde_json::Value> {
    let mut report = Report::default();
    let model = open(input, limits, &mut report)?;
    talk.report(input, &report);
    fit_model(options, model, None, limits, talk)
        .map(|mut told| {
            told["warnings"] = warnings_json(&report);
            told
        })
        .with_context(|| input.display().to_string())
}

/// Steps along the edges of the patches of Sinew's own human.
const HUMAN_STEPS: usize = 6;

/// Sinew's own human, with the shapes that its patches give.
pub(super) fn fit_body(options: &Options, limits: &Limits, talk: &Talk) -> Result<serde_json::Value> {
    ensure!(
        options.clips.is_empty() && options.held_out_clips.is_empty(),
        "--from body is bent joint by joint and has no clips; leave --clip out"
    );
    let body = make(&BodyRequest::default())?.patched(HUMAN_STEPS, Look::Skin)?;
    fit_model(options, Model::new(body.character), Some(body.deformer), limits, talk).context("Sinew's body")
}

/// `own`: what moves the model's skin, where that is no skinning method.
fn fit_model(
    options: &Options,
    mut model: Model,
    own: Option<Arc<dyn Deformer>>,
    limits: &Limits,
    talk: &Talk,
) -> Result<serde_json::Value> {
    let bound = BoundSurface::of(&model.character);
    let drivers = Drivers::of(&model.character, &bound)?;
    let settings = rig_settings(options, &model.character, &drivers, limits)?;
    let map = guess_humanoid(&model.character);
    let job = Job { options, model: &model, map, bound, drivers, settings, limits, talk };
    let done = match (&options.from, &options.examples, own) {
        (Some(source), _, Some(own)) => job.fit_ranges(source, &job.poser_of(own)),
        (Some(source), _, None) if source == "flesh" => job.fit_flesh(),
        (Some(source), _, None) => job.fit_deformer(source),
        (None, Some(path), _) => job.fit_shapes(path),
        (None, None, _) => bail!("name --from or --examples"),
    }?;
    let Done { mut told, rig, baked, corrected } = done;
    let Some(output) = &options.output else { return Ok(told) };
    if sinew::model::extension_of(output) == "json" {
        let names: Vec<String> = job.drivers.bones().iter().map(|bone| job.name(*bone)).collect();
        write_json(output, &result_json(&rig, &ResultNames { drivers: &names }))?;
        return Ok(told);
    }
    let made = match corrected {
        Some(character) => character,
        None => put_fit_on(&model.character, &job.drivers, &rig, &baked, options.fps)?,
    };
    let place = || output.display().to_string();
    let mut losses = Report::default();
    if sinew::model::extension_of(output) == "vrm" {
        let (made, constraints, lost) = job.constrained(&made)?;
        told["constraints"] = serde_json::to_value(lost)?;
        model.character = made;
        model.save_constrained(output, &constraints, &mut losses).with_context(place)?;
    } else {
        model.character = made;
        model.save(output, &mut losses).with_context(place)?;
    }
    talk.report(output, &losses);
    Ok(told)
}

fn rig_settings(
    options: &Options,
    character: &Character,
    drivers: &Drivers,
    limits: &Limits,
) -> Result<RigFitSettings> {
    let name = |bone: &BoneId| character.skeleton().bone(*bone).name.as_str();
    let mut locked_drivers = Vec::new();
    for pattern in &options.rig.lock_bones {
        let found = drivers.bones().iter().enumerate().filter(|(_, bone)| matches(pattern, name(bone)));
        let before = locked_drivers.len();
        locked_drivers.extend(found.map(|(at, _)| at));
        ensure!(locked_drivers.len() > before, "--lock-bones {pattern:?} names no bone that moves skin");
    }
    Ok(RigFitSettings {
        helper_count: options.rig.helpers,
        joint_helpers: options.rig.joint_helpers,
        helpers: helper_settings(&options.rig, limits),
        controllers: controller_settings(&options.rig),
        sampling: options.samples.sampling.into(),
        pose_count: options.samples.count,
        locked_drivers,
        is_symmetric: options.rig.is_symmetric,
        most_helpers: options.rig.lod,
        ..RigFitSettings::default()
    })
}

impl Job<'_> {
    pub(super) fn say(&self, text: &str) {
        self.talk.say(text);
    }

    pub(super) fn name(&self, bone: BoneId) -> String {
        self.model.character.skeleton().bone(bone).name.clone()
    }

    /// The regions that are asked for.
    pub(super) fn regions(&self) -> Result<Vec<Region>> {
        let patterns = &self.options.samples.joints;
        for pattern in patterns {
            let is_known = self.drivers.bones().iter().any(|bone| matches(pattern, &self.name(*bone)));
            ensure!(is_known, "--joints {pattern:?} names no bone that moves skin");
        }
        let is_wanted = |bone: BoneId| {
            patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, &self.name(bone)))
        };
        let character = &self.model.character;
        let all = regions(character, &self.bound, &self.drivers, Some(&self.map), &is_wanted);
        Ok(if self.settings.is_symmetric { join_mirrored(all, &self.drivers) } else { all })
    }

    pub(super) fn poser(&self, skin: &SkinSettings) -> Poser<'_> {
        self.poser_of(sinew::skin::bind(&self.model.character, &self.bound, skin).into())
    }

    fn poser_of(&self, deformer: Arc<dyn Deformer>) -> Poser<'_> {
        let (character, bound, drivers) = (&self.model.character, &self.bound, &self.drivers);
        Poser { character, bound, drivers, deformer }
    }

    fn fit_deformer(&self, source: &str) -> Result<Done> {
        let method: Method = source
            .parse()
            .map_err(|error| anyhow::anyhow!("--from {source}: {error}, flesh, and body without a model"))?;
        let choice = SkinChoice { method: Some(method), ..SkinChoice::default() };
        let (skin, _) = choice.settings(&self.model.character)?;
        let poser = self.poser(&skin);
        if !self.options.clips.is_empty() {
            return self.fit_clips(&poser);
        }
        self.fit_ranges(source, &poser)
    }

    /// Bends joint by joint over the joints' ranges.
    fn fit_ranges(&self, source: &str, poser: &Poser<'_>) -> Result<Done> {
        let regions = self.regions()?;
        let fitted = self.with_progress(regions.len(), |progress| {
            Ok(fit_rig(poser, &regions, &self.settings, progress)?)
        })?;
        let held_out = fitted.held_out;
        let removed = 1.0 - held_out.rms / held_out.rms_plain.max(f64::MIN_POSITIVE);
        self.talk.say(&format!(
            "{} helpers; {} poses not fitted: {:.3} mm from {source}, bones alone {:.3} mm: {:.1} % removed",
            fitted.rig.helper_count(),
            held_out.poses,
            1e3 * held_out.rms,
            1e3 * held_out.rms_plain,
            100.0 * removed
        ));
        let mut told = self.told(&fitted.rig, &fitted.regions);
        told["held_out"] = serde_json::to_value(held_out)?;
        told["removed"] = removed.into();
        let fit = Leftovers {
            poser,
            rig: &fitted.rig,
            reports: &fitted.regions,
            baked: &[],
            sequences: &[],
            fitted_count: 0,
            poses: self.settings.pose_count,
            has_truth: true,
        };
        let corrected = self.correct(&fit, &mut told)?;
        Ok(Done { told, rig: fitted.rig, baked: Vec::new(), corrected })
    }

    /// Helpers as VRM can hold them, and what each loses by it.
    fn constrained(
        &self,
        made: &Character,
    ) -> Result<(Character, Vec<RotationConstraint>, Vec<ConstraintLoss>)> {
        let (skin, _) = SkinChoice::default().settings(&self.model.character)?;
        let poser = self.poser(&skin);
        let poses: Vec<Pose> = held_out_poses(&self.regions()?, &self.settings)
            .iter()
            .map(|turns| poser.pose(turns).of_larger(made))
            .collect();
        let (character, constraints, losses) = constrain_helpers(made, &poses)?;
        for loss in &losses {
            let how = match &loss.source {
                Some(source) => format!("follows {source} by {:.2}", loss.weight),
                None => "is no share of one bone's turn and moves in baked clips alone".to_owned(),
            };
            self.say(&format!(
                "VRM: {} {how}; {:.2} mm off its controller, {:.2} mm standing still",
                loss.helper,
                1e3 * loss.rms,
                1e3 * loss.rms_still
            ));
        }
        Ok((character, constraints, losses))
    }

    /// Correctives, if they were asked for.
    fn correct(&self, fit: &Leftovers<'_>, told: &mut serde_json::Value) -> Result<Option<Character>> {
        if self.options.rig.correctives == 0 {
            return Ok(None);
        }
        let (character, found) = corrected::correct(self, fit)?;
        told["correctives"] = found;
        Ok(Some(character))
    }

    /// The frames of clips, with the shapes that the poser's deformer gives.
    fn fit_clips(&self, poser: &Poser<'_>) -> Result<Done> {
        let play = |query: &String| -> Result<(String, Sequence)> {
            let clip = self.clip(query)?;
            Ok((clip.name.clone(), poser.play(clip, self.options.fps)))
        };
        let trained = self.options.clips.iter().map(play).collect::<Result<Vec<_>>>()?;
        let others = self.options.held_out_clips.iter().map(play).collect::<Result<Vec<_>>>()?;
        let sequences: Vec<Sequence> = trained.iter().map(|(_, sequence)| sequence.clone()).collect();
        let fitted = self.fit_to(poser, &sequences, STILL_POSES, None)?;
        self.finish(poser, fitted, &trained, &others, STILL_POSES)
    }

    fn fit_flesh(&self) -> Result<Done> {
        ensure!(!self.options.clips.is_empty(), "--from flesh needs --clip, the motion that flesh follows");
        let preset = FleshPreset::find(&self.options.flesh.preset)?;
        let (skin, _) = SkinChoice::default().settings(&self.model.character)?;
        let source = FleshSource {
            fps: self.options.fps,
            tet_count: self.options.flesh.tets,
            preset,
            skin: skin.clone(),
        };
        let rig = source.rig(&self.model.character, Some(&self.map))?;
        rig.notes.iter().for_each(|note| self.talk.say(&format!("note: {note}")));
        let play = |query: &String| -> Result<(String, Sequence)> {
            let clip = self.clip(query)?;
            let mut bar = None;
            let name = format!("flesh of {}", clip.name);
            let played = source.play(&self.model.character, &rig, clip, &mut |frame, count| {
                bar.get_or_insert_with(|| self.talk.progress(&name, count)).set_position(frame as u64);
                !interrupt::is_interrupted()
            });
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
            Ok((clip.name.clone(), played?))
        };
        let trained = self.options.clips.iter().map(play).collect::<Result<Vec<_>>>()?;
        let others = self.options.held_out_clips.iter().map(play).collect::<Result<Vec<_>>>()?;
        let sequences: Vec<Sequence> = trained.iter().map(|(_, sequence)| sequence.clone()).collect();
        let poser = self.poser(&skin);
        let fitted = self.fit_to(&poser, &sequences, STILL_POSES, Some(self.options.fps))?;
        self.finish(&poser, fitted, &trained, &others, STILL_POSES)
    }

    fn fit_shapes(&self, path: &Path) -> Result<Done> {
        let files = read_shapes(path, self.bound.vertex_count(), self.limits)?;
        let character = &self.model.character;
        let mut poses = Vec::new();
        let clip = match &self.options.clips[..] {
            [] => None,
            [clip] => Some(self.clip(clip)?),
            _ => bail!("shapes are the frames of one clip; give --clip once"),
        };
        for (frame, (file, name)) in files.poses.iter().zip(&files.names).enumerate() {
            poses.push(match (file, clip) {
                (Some(file), _) => file.pose(character).map_err(|errors| {
                    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                    anyhow::anyhow!("the pose of {name:?}: {}", errors.join("; "))
                })?,
                (None, Some(clip)) => {
                    let mut pose = Pose::rest(character);
                    pose.set_clip(character, clip, frame as f64 / self.options.fps);
                    pose
                }
                (None, None) => {
                    bail!("shape {name:?} has no pose: put {name}.json beside it, or name the --clip that shapes are frames of")
                }
            });
        }
        if let Some(clip) = clip {
            let (found, expected) = (poses.len(), clip.frame_count(self.options.fps));
            let is_matched = files.poses.iter().any(Option::is_some) || found == expected;
            ensure!(
                is_matched,
                "{found} shapes, but the clip {:?} has {expected} frames at {} a second; give another --fps",
                clip.name,
                self.options.fps
            );
        }
        let sequence = Sequence { poses, shapes: files.shapes, is_loop: false };
        let (skin, _) = SkinChoice::default().settings(character)?;
        let poser = self.poser(&skin);
        let suggestions = match self.options.suggest {
            Some(count) => Some(suggest::suggest(self, &poser, &sequence, count, path)?),
            None => None,
        };
        let fitted = self.fit_to(&poser, std::slice::from_ref(&sequence), 0, None)?;
        let name = path.display().to_string();
        let name = clip.map_or(name, |clip| clip.name.clone());
        let mut done = self.finish(&poser, fitted, &[(name, sequence)], &[], 0)?;
        if let Some(suggestions) = suggestions {
            done.told["suggestions"] = suggestions;
        }
        Ok(done)
    }

    fn fit_to(
        &self,
        poser: &Poser<'_>,
        sequences: &[Sequence],
        still_poses: usize,
        follow_fps: Option<f64>,
    ) -> Result<(FittedRig, Vec<RegionReport>)> {
        let regions = self.regions()?;
        let settings = SequenceSettings { rig: &self.settings, still_poses, follow_fps };
        self.with_progress(regions.len(), |progress| {
            Ok(fit_sequences(poser, &regions, sequences, &settings, progress)?)
        })
    }

    /// Measures on all sequences, and writes.
    fn finish(
        &self,
        poser: &Poser<'_>,
        (rig, reports): (FittedRig, Vec<RegionReport>),
        trained: &[(String, Sequence)],
        others: &[(String, Sequence)],
        still_poses: usize,
    ) -> Result<Done> {
        let mut baked = Vec::new();
        let mut measure =
            |(name, sequence): &(String, Sequence), is_trained: bool| -> Result<serde_json::Value> {
                let (matrices, errors) = follow_sequence(poser, &rig, sequence, &self.settings.helpers)?;
                self.say_errors(name, &errors, is_trained);
                baked.push(BakedSequence { name: name.clone(), helpers: matrices });
                let mut told = serde_json::to_value(errors)?;
                told["name"] = name.clone().into();
                told["is_fitted"] = is_trained.into();
                Ok(told)
            };
        let mut told_sequences = Vec::new();
        for sequence in trained {
            told_sequences.push(measure(sequence, true)?);
        }
        for sequence in others {
            told_sequences.push(measure(sequence, false)?);
        }
        let mut told = self.told(&rig, &reports);
        told["sequences"] = told_sequences.into();
        let sequences: Vec<&Sequence> = trained.iter().chain(others).map(|(_, sequence)| sequence).collect();
        let fit = Leftovers {
            poser,
            rig: &rig,
            reports: &reports,
            baked: &baked,
            sequences: &sequences,
            fitted_count: trained.len(),
            poses: still_poses,
            has_truth: false,
        };
        let corrected = self.correct(&fit, &mut told)?;
        Ok(Done { told, rig, baked, corrected })
    }

    fn say_errors(&self, name: &str, errors: &SequenceErrors, is_trained: bool) {
        let share = |rms: f64| 100.0 * (1.0 - rms / errors.rms_plain.max(f64::MIN_POSITIVE));
        let following = errors.rms_following.map_or_else(String::new, |rms| {
            format!(", with lag and swing {:.3} mm ({:.1} %)", 1e3 * rms, share(rms))
        });
        self.talk.say(&format!(
            "{name}{}: bones alone {:.3} mm; baked {:.3} mm ({:.1} % removed), controllers {:.3} mm ({:.1} %){following}",
            if is_trained { "" } else { ", not fitted" },
            1e3 * errors.rms_plain,
            1e3 * errors.rms_baked,
            share(errors.rms_baked),
            1e3 * errors.rms_controllers,
            share(errors.rms_controllers),
        ));
        let played = errors.rms_following.unwrap_or(errors.rms_controllers);
        if !is_trained && played > errors.rms_plain {
            self.talk.say(&format!(
                "warning: in {name:?} controllers are worse than bones alone; name it with --clip too, so that it is simulated and baked"
            ));
        }
    }

    fn clip(&self, query: &str) -> Result<&Clip> {
        let id = self.model.character.find_clip(query)?;
        Ok(&self.model.character.clips()[id.index()])
    }

    fn with_progress<T>(&self, count: usize, work: impl FnOnce(&Progress<'_>) -> Result<T>) -> Result<T> {
        let bar = self.talk.progress("fitting", count);
        let watch = |step: &Step<'_>| {
            // A joint is done at its whole share, which rounding may miss.
            bar.set_position((step.share * count as f64 + 1e-6) as u64);
            if let Some(rms) = step.residual.filter(|rms| rms.is_finite()) {
                bar.set_message(format!("{}, RMS {:.3} mm", step.job, 1e3 * rms));
            }
            interrupt::flow()
        };
        let done = work(&Progress::new(&watch));
        bar.finish_and_clear();
        done
    }

    fn told(&self, rig: &FittedRig, reports: &[RegionReport]) -> serde_json::Value {
        let total = |of: fn(&RegionReport) -> f64| {
            let squares =
                reports.iter().map(|region| of(region).powi(2) * (region.vertices * region.poses) as f64);
            let count: usize = reports.iter().map(|region| region.vertices * region.poses).sum();
            (squares.sum::<f64>() / count.max(1) as f64).sqrt()
        };
        serde_json::json!({
            "vertices": rig.vertices.len(),
            "drivers": rig.driver_count,
            "helpers": rig.helper_count(),
            "rmse_plain": total(|region| region.rms_plain),
            "rmse": total(|region| region.rms),
            "rmse_controllers": total(|region| region.rms_controllers),
            "coefficients": rig.controllers.coefficient_count(),
            "most_influences": rig.most_influences(),
            "regions": reports,
        })
    }
}

/// Poses of each region that keep skin in place where a clip does not bend it.
const STILL_POSES: usize = 60;
