//! A fit to a folder of arrays, without a model.

use super::corrected::summary_json;
use super::settings::{controller_settings, helper_settings};
use super::write_json;
use crate::args::Fit as Options;
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result, ensure};
use sinew::fit::{HelperRig, controller_errors};
use sinew::geometry::progress::{Progress, one_at_a_time};
use sinew::helpers::{
    CorrectedFit, CorrectiveSettings, Drivers, ExchangeFolder, FittedRig, Poser, ResultNames, SetFit,
    corrective_examples, exchange_character, exchange_sequence, find_mirror, fit_set, put_corrected_fit_on,
    put_fit_on, read_exchange, result_json, rms_of_sequence,
};
use sinew::io::{Limits, Report};
use sinew::model::HelperOutput;
use sinew::rig::{BoundSurface, Character};
use sinew::skin::{Method, SkinSettings};
use std::path::Path;
use std::time::Instant;

pub(super) fn fit(
    options: &Options,
    folder: &Path,
    limits: &Limits,
    talk: &Talk,
) -> Result<serde_json::Value> {
    let place = || folder.display().to_string();
    let read = read_exchange(folder, limits).with_context(place)?;
    let held_out = options.held_out.as_ref().map(|path| {
        let other = read_exchange(path, limits).with_context(|| path.display().to_string())?;
        let counts = |read: &ExchangeFolder| (read.set.rest_positions.len(), read.parents.len());
        let (found, expected) = (counts(&other), counts(&read));
        ensure!(
            found == expected,
            "{}: {} vertices and {} bones, {} has {} and {}",
            path.display(),
            found.0,
            found.1,
            folder.display(),
            expected.0,
            expected.1
        );
        Ok(other)
    });
    let held_out = held_out.transpose()?;
    let mut settings = helper_settings(&options.rig, limits);
    if options.rig.is_symmetric {
        let heads: Vec<_> = read.rest_world.iter().map(|matrix| matrix.translation).collect();
        settings.rules.mirror = Some(find_mirror(&read.set.rest_positions, &heads)?);
    }
    let bar = talk.progress("fitting", 100);
    let mut times = StageTimes::new();
    let watch = one_at_a_time(|step| {
        times.note(step.stage);
        bar.set_position((100.0 * step.share) as u64);
        bar.set_message(format!("fitting, RMS {:.4}", step.residual.unwrap_or(f64::INFINITY)));
        interrupt::flow()
    });
    let fitted = fit_set(
        &read.set,
        &settings,
        &controller_settings(&options.rig),
        options.rig.lod,
        &Progress::new(&watch),
    );
    drop(watch);
    bar.finish_and_clear();
    let fitted = fitted.with_context(place)?;
    times.note_controllers();
    let SetFit { helpers, found, levels } = &fitted;
    talk.say(&format!(
        "{} helpers: RMS {:.4}, with controllers {:.4} ({} coefficients), largest {:.3}",
        helpers.helper_count,
        helpers.errors.rms,
        found.errors.rms,
        found.controllers.coefficient_count(),
        found.errors.largest
    ));
    let rms_held_out = held_out.as_ref().map(|other| {
        let set = &other.set;
        controller_errors(&set.examples(), &set.driver_rotations, &found.weights, &found.controllers).rms
    });
    let corrected = match options.rig.correctives {
        0 => None,
        _ => Some(correct(&read, held_out.as_ref(), &fitted, (options, limits, talk)).with_context(place)?),
    };
    let (corrected, told_correctives) = corrected.unzip();
    if let Some(output) = &options.output {
        save(&read, &fitted, corrected, output)?;
    }
    let runner = HelperRig::new(&found.controllers)?;
    Ok(serde_json::json!({
        "vertices": read.set.rest_positions.len(),
        "poses": read.set.pose_count(),
        "drivers": read.parents.len(),
        "helpers": helpers.helper_count,
        "rmse": helpers.errors.rms,
        "rmse_regression": found.regression_rms,
        "rmse_controllers": found.errors.rms,
        "rmse_held_out": rms_held_out,
        "largest": found.errors.largest,
        "largest_pose": found.errors.largest_pose,
        "largest_vertex": found.errors.largest_vertex,
        "coefficients": found.controllers.coefficient_count(),
        "lambda": found.penalty,
        "bytes_a_helper": (0..runner.helper_count()).map(|helper| runner.helper_bytes(helper)).max(),
        "levels": levels.iter().map(|level| serde_json::json!({ "helpers": level.helpers, "rmse": level.rms_error })).collect::<Vec<_>>(),
        "history": helpers.history.iter().map(|line| serde_json::json!({ "stage": line.stage, "step": line.step, "rmse": line.rms_error })).collect::<Vec<_>>(),
        "correctives": told_correctives,
        "seconds_by_stage": times.json(),
    }))
}

fn rig_of(read: &ExchangeFolder, fitted: &SetFit) -> FittedRig {
    FittedRig {
        vertices: (0..read.set.rest_positions.len() as u32).collect(),
        driver_count: read.parents.len(),
        weights: fitted.found.weights.clone(),
        controllers: fitted.found.controllers.clone(),
        swings: Vec::new(),
        swing_fps: 0.0,
    }
}

/// Poses that correctives are made from, and measured on.
const CORRECTIVE_POSES: usize = 600;

/// The folder's character with helpers and correctives, and what became of them.
fn correct(
    read: &ExchangeFolder,
    held_out: Option<&ExchangeFolder>,
    fitted: &SetFit,
    (options, limits, talk): (&Options, &Limits, &Talk),
) -> Result<(Character, serde_json::Value)> {
    let rig = rig_of(read, fitted);
    ensure!(
        rig.helper_count() > 0,
        "nothing is left for helpers to do, so that there are none whose bones correctives could follow"
    );
    let character = exchange_character(read)?;
    let bound = BoundSurface::of(&character);
    let drivers = Drivers::of(&character, &bound)?;
    let deformer = sinew::skin::bind(&character, &bound, &SkinSettings::from(Method::Lbs)).into();
    let poser = Poser { character: &character, bound: &bound, drivers: &drivers, deformer };
    let sequence = exchange_sequence(read, &character, CORRECTIVE_POSES);
    let examples = corrective_examples(&poser, &[], &[&sequence], 0, limits.max_memory)?;
    let output = HelperOutput { fps: CLIP_FPS, ..HelperOutput::default() };
    let settings =
        CorrectiveSettings { count: options.rig.correctives, output, ..CorrectiveSettings::default() };
    let wanted = CorrectedFit { rig: &rig, vertices: &rig.vertices, baked: &[], sequences: &[], settings };
    let made = put_corrected_fit_on(&poser, &wanted, &examples)?;
    let rms = rms_of_sequence(&made.character, &sequence, &rig.vertices);
    let rms_held_out = held_out.map(|other| {
        let others = exchange_sequence(other, &made.character, CORRECTIVE_POSES);
        rms_of_sequence(&made.character, &others, &rig.vertices)
    });
    let morphs: usize = made.summaries.iter().map(|summary| summary.morphs).sum();
    talk.say(&format!("{morphs} correctives: RMS {rms:.4} on {} poses", examples.len()));
    let told = serde_json::json!({
        "examples": examples.len(),
        "meshes": made.summaries.iter().map(summary_json).collect::<Vec<_>>(),
        "rmse": rms,
        "rmse_held_out": rms_held_out,
    });
    Ok((made.character, told))
}

fn save(read: &ExchangeFolder, fitted: &SetFit, corrected: Option<Character>, output: &Path) -> Result<()> {
    let rig = rig_of(read, fitted);
    if sinew::model::extension_of(output) != "json" {
        let character = match corrected {
            Some(character) => character,
            None => {
                let character = exchange_character(read)?;
                let drivers = Drivers::of(&character, &BoundSurface::of(&character))?;
                put_fit_on(&character, &drivers, &rig, &[], CLIP_FPS)?
            }
        };
        let mut report = Report::default();
        let saved = sinew::model::Model::new(character).save(output, &mut report);
        return saved.with_context(|| output.display().to_string());
    }
    let names = ResultNames { drivers: &read.set.driver_names };
    write_json(output, &result_json(&rig, &names))
}

/// Frames a second of the clip of examples.
const CLIP_FPS: f64 = 30.0;

/// Seconds of the parts of a fit.
struct StageTimes {
    since: Instant,
    stage: String,
    seconds: Vec<(String, f64)>,
    controllers: f64,
}

impl StageTimes {
    fn new() -> Self {
        Self { since: Instant::now(), stage: "starts".to_owned(), seconds: Vec::new(), controllers: 0.0 }
    }

    /// A step of the stage before is done; `stage` is what comes.
    fn note(&mut self, stage: &str) {
        let passed = self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        match self.seconds.iter_mut().find(|(known, _)| *known == self.stage) {
            Some((_, seconds)) => *seconds += passed,
            None => self.seconds.push((self.stage.clone(), passed)),
        }
        stage.clone_into(&mut self.stage);
    }

    fn note_controllers(&mut self) {
        self.controllers = self.since.elapsed().as_secs_f64();
    }

    fn json(&self) -> serde_json::Value {
        let mut json = serde_json::Map::new();
        for (stage, seconds) in &self.seconds {
            json.insert(stage.clone(), (*seconds).into());
        }
        json.insert("controllers".into(), self.controllers.into());
        json.into()
    }
}
