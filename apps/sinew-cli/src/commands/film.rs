//! `sinew film`.

use super::warnings_json;
use crate::args::Film as Options;
use crate::talk::Talk;
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::scene::film::{FilmJob, FilmRequest, Found, Style};

pub(crate) fn film(options: &Options, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let request = FilmRequest {
        scene: options.scene.clone(),
        output: options.output.clone(),
        choices: options.choices.choices(),
        style: if options.is_preview { Style::Lines } else { Style::Shaded },
        frames: options.frames.clone(),
        program: program(),
    };
    let job =
        FilmJob::open(request, limits, &mut report).with_context(|| options.scene.display().to_string())?;
    talk.report(&options.scene, &report);
    let start = job.start()?;
    match start.found {
        Found::Nothing => {}
        Found::Frames(count) => talk.say(&format!("going on: {count} frames are there already")),
        Found::Changed => talk.say("the scene, its files or the options have changed: starting anew"),
    }
    let done = talk
        .watch("drawing", |progress| job.run(start, progress))
        .context("the frames so far are kept: run the same command again to go on")?;
    talk.say(&format!(
        "wrote {}: {} frames, {:.1} s ({:.0} ms a frame drawn, {:.1} s put together)",
        options.output.display(),
        done.frames,
        done.draw_secs + done.finish_secs,
        done.ms_per_frame,
        done.finish_secs,
    ));
    if options.is_json {
        let mut json = serde_json::to_value(&done)?;
        json["joint_digests"] = job.joint_digests().into();
        json["warnings"] = warnings_json(&report);
        println!("{json:#}");
    }
    Ok(())
}

/// Two builds of one version may draw differently, so that the program's own bytes count.
fn program() -> Vec<u8> {
    let mut program = env!("CARGO_PKG_VERSION").as_bytes().to_vec();
    if let Ok(bytes) = std::env::current_exe().and_then(std::fs::read) {
        program.extend(bytes);
    }
    program
}
