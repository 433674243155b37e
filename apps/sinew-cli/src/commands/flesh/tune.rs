//! `sinew flesh tune`.

use super::source::{Prepared, Subject, paints, place, prepare};
use crate::args::FleshTune;
use crate::commands::{check_folder, warnings_json};
use crate::interrupt;
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::flesh::config::write as flesh_to_toml;
use sinew::io::{Limits, PendingFile};
use sinew::scene::flesh::tune::{
    ExampleError, TuneError, TuneInput, TuneReport, TuneSettings, TunedLayer, read_examples, tune_flesh,
};
use std::time::Instant;

pub(super) fn tune(options: &FleshTune, limits: &Limits, talk: &Talk) -> Result<()> {
    let source = &options.source;
    let at = || place(source.input.as_ref()).display().to_string();
    anyhow::ensure!(
        sinew::model::extension_of(&options.output) == "toml",
        "{}: settings are written as .toml",
        options.output.display()
    );
    check_folder(&options.output)?;
    let of_examples = || options.examples.display().to_string();
    let extension = sinew::model::extension_of(&options.examples);
    let bytes = sinew::model::read_limited(&options.examples, limits.max_memory).with_context(of_examples)?;
    let examples = read_examples(&extension, &bytes).with_context(of_examples)?;
    let prepared = prepare(source, limits, talk)?;
    let Prepared { subject: Subject { model, skin, .. }, settings: start, skinning, report, .. } = &prepared;
    let paints = paints(source, &model.character, start, limits)?;
    let input = TuneInput {
        covered: prepared.covered(source, options.tets)?,
        start: start.clone(),
        paints: &paints,
        skinning: skinning.clone(),
        skin: skin.clone(),
        motion: prepared.motion(source.fps, options.speed, options.is_loop),
        examples,
    };
    let started = Instant::now();
    let found = search(input, options, talk).map_err(|error| match &error {
        TuneError::Examples(_) => anyhow::Error::from(error).context(of_examples()),
        TuneError::Rig(_) => {
            let place = source.config.as_ref().map_or_else(at, |config| config.display().to_string());
            anyhow::Error::from(error).context(place)
        }
        _ => error.into(),
    })?;
    let Some(found) = found else { bail!("interrupted before the first run was done") };
    tell(&found, &at(), started.elapsed().as_secs_f64(), talk);
    if found.is_stopped && !options.keep_best {
        bail!("interrupted; --keep-best would have written the best so far");
    }
    let mut file = PendingFile::create(&options.output)?;
    file.write_bytes(flesh_to_toml(&found.settings).as_bytes())?;
    file.commit()?;
    talk.say(&format!("wrote {}: give it with --config", options.output.display()));
    if options.is_json {
        let mut json = serde_json::to_value(&found)?;
        json["examples"] = of_examples().into();
        json["file"] = options.output.display().to_string().into();
        json["seconds"] = started.elapsed().as_secs_f64().into();
        json["warnings"] = warnings_json(report);
        print_json(&json)?;
    }
    anyhow::ensure!(!found.is_stopped, "interrupted; the best so far is in {}", options.output.display());
    Ok(())
}

fn search(input: TuneInput<'_>, options: &FleshTune, talk: &Talk) -> Result<Option<TuneReport>, TuneError> {
    let settings =
        TuneSettings { targets: options.only.clone(), evaluations: options.evaluations, seed: options.seed };
    let bar = talk.progress("playing", settings.evaluations);
    let found = tune_flesh(input, &settings, &mut |progress| {
        if progress.evaluations as u64 != bar.position() {
            bar.set_position(progress.evaluations as u64);
            bar.set_message(format!("{:.3} mm off", 1e3 * progress.rms_m));
        }
        !interrupt::is_interrupted()
    });
    bar.finish_and_clear();
    found
}

fn tell(found: &TuneReport, at: &str, secs: f64, talk: &Talk) {
    found.notes.iter().for_each(|note| talk.say(&format!("note: {at}: {note}")));
    talk.say(&format!(
        "{} runs of {} frames in {secs:.1} s; recorded follow-through {:.3} mm rms",
        found.evaluations,
        found.frames,
        1e3 * found.follow_through_m
    ));
    for (word, error) in [("before", &found.before), ("after", &found.after)] {
        talk.say(&format!("{word}: {}", words(error)));
    }
    for tried in &found.layer_counts {
        talk.say(&format!("with {} layers: {:.4} mm off", tried.layers, 1e3 * tried.rms_m));
    }
    for layer in found.layers_after.iter().filter(|layer| !layer.is_held) {
        let before = found.layers_before.iter().find(|before| before.name == layer.name);
        talk.say(&format!("layer {}", of_layer(layer, before)));
    }
    let (before, after) = (&found.fibres_before, &found.fibres_after);
    if before != after {
        talk.say(&format!(
            "fibres: turned by {:.1}° along the skin (was {:.1}°); weights of bones {:.3} (was {:.3}), skin {:.3} (was {:.3}), muscles {:.3} (was {:.3})",
            after.skin_turn_deg,
            before.skin_turn_deg,
            after.bone_weight,
            before.bone_weight,
            after.skin_weight,
            before.skin_weight,
            after.muscle_weight,
            before.muscle_weight,
        ));
    }
}

fn words(error: &ExampleError) -> String {
    let held_out = match (error.held_out_rms_m, error.held_out_share) {
        (Some(rms), Some(share)) => {
            format!("; {:.4} mm, {:.2} % in frames that were not used", 1e3 * rms, 100.0 * share)
        }
        _ => "; too few frames to keep any apart".to_owned(),
    };
    format!("{:.4} mm off, {:.2} % of the follow-through{held_out}", 1e3 * error.rms_m, 100.0 * error.share)
}

fn of_layer(layer: &TunedLayer, before: Option<&TunedLayer>) -> String {
    let was = |value: &dyn Fn(&TunedLayer) -> f64, digits: usize| {
        before.map_or_else(|| " (new)".to_owned(), |before| format!(" (was {:.digits$})", value(before)))
    };
    format!(
        "{}: {:.0} Pa{}, damping {:.2} /s{}, β {:.3}{}",
        layer.name,
        layer.young_pa,
        was(&|layer| layer.young_pa, 0),
        layer.damping_per_sec,
        was(&|layer| layer.damping_per_sec, 2),
        layer.fibre_share,
        was(&|layer| layer.fibre_share, 3),
    )
}
