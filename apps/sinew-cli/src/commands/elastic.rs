//! `sinew elastic`.

use super::{say_morphs, warnings_json};
use crate::args::SceneOptions;
use crate::args::parse::parse_length;
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::play::BasisSettings;
use sinew::scene::elastic::{ElasticReport, ElasticRequest, Playback};
use std::path::PathBuf;

/// `sinew elastic`.
#[derive(Args, Debug)]
#[command(after_help = "\
scene.toml names soft bodies, the example shapes that they follow, colliders and handles; docs/formats/elastic.md describes every key.

Examples:
  sinew elastic scene.toml -o scene.mp4
  sinew elastic scene.toml -o strip.png -o weights.csv     moments on one sheet, weights of the examples
  sinew elastic scene.toml -o scene.glb                    the motion as morph targets
  sinew elastic scene.toml -o out                          a folder: film, strip, model and table
  sinew elastic scene.toml --json --threads 1 | jq .times  how long a step takes")]
pub(crate) struct Elastic {
    /// The scene: .toml
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// .mp4 (needs ffmpeg), .gif, .png for a strip of moments, .glb, .gltf, .pc2, .usda or .npy for the motion, .csv for weights, or a folder for a film, a strip, a .glb and a .csv; may be repeated
    #[arg(short, long, value_name = "OUT", required_unless_present = "is_json")]
    pub(crate) output: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) choices: SceneOptions,
    /// Maximum error of morph targets in .glb and .gltf, mm
    #[arg(long, value_name = "MM", default_value = "0.5", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) tolerance: f64,
    /// Skip the check for blends that invert or intersect themselves
    #[arg(long = "no-check")]
    pub(crate) has_no_check: bool,
    /// Print sizes, times of steps, weights, speeds and energies of every frame as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Elastic, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let request = ElasticRequest {
        scene: options.scene.clone(),
        choices: options.choices.choices(),
        has_no_check: options.has_no_check,
        outputs: options.output.clone(),
        basis: BasisSettings { tolerance_m: options.tolerance as f32 * 1e-3, ..BasisSettings::default() },
    };
    let place = || options.scene.display().to_string();
    let scene = request.open(limits, &mut report).with_context(place)?;
    talk.report(&options.scene, &report);
    let outputs = request.files(&scene)?;
    let playback = talk.watch("playing", |progress| Playback::of(&scene, progress)).with_context(place)?;
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
    let mut files = Vec::new();
    for output in &outputs {
        let name = output.path().display().to_string();
        let written =
            talk.watch(&name, |progress| output.write((&scene, &playback), &request.basis, progress))?;
        talk.say(&format!("wrote {name}"));
        say_morphs(&written.morphs, options.tolerance, talk);
        files.push(written);
    }
    if options.is_json {
        let mut json = serde_json::to_value(&told)?;
        json["files"] = serde_json::to_value(&files)?;
        json["size"] = serde_json::json!([scene.size().0, scene.size().1]);
        json["warnings"] = warnings_json(&report);
        print_json(&json)?;
    }
    Ok(())
}
