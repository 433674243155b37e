//! `sinew flesh tune`.

use super::hints::hinted;
use super::source;
use crate::args::FleshTune;
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Result, bail};
use sinew::io::{Limits, Report};
use sinew::scene::flesh::tune::{ExampleError, TuneReport, TuneSettings, TunedLayer};
use sinew::scene::flesh::{FleshSource, FleshTuneRequest, tune_from_files};

pub(super) fn tune(options: &FleshTune, limits: &Limits, talk: &Talk) -> Result<()> {
    let request = request(options)?;
    let mut report = Report::default();
    let done = talk.watch("playing", |progress| tune_from_files(&request, limits, &mut report, progress));
    let place = request.source.place();
    talk.report(place, &report);
    let done = done.map_err(hinted)?;
    tell(&done.report, &place.display().to_string(), done.seconds, talk);
    let Some(file) = &done.file else {
        bail!("interrupted; --keep-best would have written the best so far");
    };
    talk.say(&format!("wrote {}: give it with --config", file.display()));
    if options.is_json {
        print_json(&serde_json::to_value(&done)?)?;
    }
    anyhow::ensure!(!done.report.is_stopped, "interrupted; the best so far is in {}", file.display());
    Ok(())
}

fn request(options: &FleshTune) -> Result<FleshTuneRequest> {
    let (tets, speed, is_loop) = (options.tets, options.speed, options.is_loop);
    Ok(FleshTuneRequest {
        source: FleshSource { tets, speed, is_loop, ..source(&options.source)? },
        examples: options.examples.clone(),
        search: TuneSettings {
            targets: options.only.clone(),
            evaluations: options.evaluations,
            seed: options.seed,
        },
        keeps_best: options.keep_best,
        output: options.output.clone(),
    })
}

fn tell(found: &TuneReport, at: &str, secs: f64, talk: &Talk) {
    talk.say_all(&format!("note: {at}: "), found.notes.iter().cloned());
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
