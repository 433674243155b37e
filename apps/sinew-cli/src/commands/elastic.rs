//! `sinew elastic`.

use super::{say_morphs, warnings_json};
use crate::args::Elastic as Options;
use crate::talk::Talk;
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::play::BasisSettings;
use sinew::scene::elastic::{ElasticReport, ElasticRequest, Playback};

pub(crate) fn elastic(options: &Options, limits: &Limits, talk: &Talk) -> Result<()> {
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
        println!("{json:#}");
    }
    Ok(())
}
