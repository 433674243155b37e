//! `sinew elastic`.

use super::{check_folder, say_morphs, warnings_json};
use crate::args::Elastic as Options;
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::play::BasisSettings;
use sinew::scene::elastic::outputs::{OutputKind, files_in, write};
use sinew::scene::elastic::{ElasticChoices, ElasticReport, ElasticScene, Playback};
use std::path::PathBuf;

pub(crate) fn elastic(options: &Options, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let choices =
        ElasticChoices { size: options.size, fps: options.fps, quality: options.quality.map(Into::into) };
    let place = || options.scene.display().to_string();
    let scene = ElasticScene::open(&options.scene, &choices, limits, &mut report).with_context(place)?;
    if !options.has_no_check {
        scene.check_blends(&mut report).with_context(place)?;
    }
    talk.report(&options.scene, &report);
    let outputs = outputs(options, &scene)?;
    let playback = play(&scene, talk).with_context(place)?;
    let told = ElasticReport::of(&scene, &playback);
    talk.say(&format!(
        "{} bodies of {} particles, {} steps: {:.3} ms a step ({:.3} matching, {:.3} examples, {:.3} contact), {:.0} times real time",
        told.bodies.len(),
        told.particles,
        told.steps,
        told.times.median_ms,
        told.times.matching_ms,
        told.times.projection_ms,
        told.times.contact_ms,
        told.times.real_time_factor
    ));
    let basis = BasisSettings { tolerance_m: options.tolerance as f32 * 1e-3, ..BasisSettings::default() };
    let mut files = Vec::new();
    for (kind, path) in &outputs {
        let name = path.display().to_string();
        let mut bar = None;
        let written = write(*kind, (&scene, &playback), path, &basis, &mut |done, total| {
            bar.get_or_insert_with(|| talk.progress(&name, total)).set_position(done as u64);
            !interrupt::is_interrupted()
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let written = written?;
        talk.say(&format!("wrote {name}"));
        say_morphs(&written.morphs, options.tolerance, talk);
        files.push(written);
    }
    if options.is_json {
        let mut json = serde_json::to_value(&told)?;
        json["files"] = serde_json::to_value(&files)?;
        json["size"] = serde_json::json!([scene.size().0, scene.size().1]);
        json["warnings"] = warnings_json(&report);
        println!("{json:#}");
    }
    Ok(())
}

fn play(scene: &ElasticScene, talk: &Talk) -> Result<Playback> {
    let bar = talk.progress("playing", scene.frame_count());
    let played = Playback::of(scene, &mut |frame| {
        bar.set_position(frame as u64);
        !interrupt::is_interrupted()
    });
    bar.finish_and_clear();
    Ok(played?)
}

/// Every file that is to be written, and as what; folders are made.
fn outputs(options: &Options, scene: &ElasticScene) -> Result<Vec<(OutputKind, PathBuf)>> {
    let name = options.scene.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = Vec::new();
    for output in &options.output {
        if sinew::model::extension_of(output).is_empty() {
            std::fs::create_dir_all(output).with_context(|| output.display().to_string())?;
            files.extend(files_in(output, &name));
        } else {
            files.push(output.clone());
        }
    }
    let kind = |path: PathBuf| {
        check_folder(&path)?;
        Ok((OutputKind::of(&path, scene)?, path))
    };
    files.into_iter().map(kind).collect()
}
