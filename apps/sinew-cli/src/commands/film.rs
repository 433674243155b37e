//! `sinew film`.

use super::warnings_json;
use crate::args::parse::parse_frames;
use crate::args::{SceneOptions, SpringOptions};
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::scene::SceneChoices;
use sinew::scene::film::{FilmJob, FilmRequest, Found, Style};
use std::path::PathBuf;

/// `sinew film`.
#[derive(Args, Debug)]
#[command(after_help = "\
scene.toml names characters, their motions, cameras and cuts; docs/formats/scene.md describes every key. A film that was stopped goes
on where it was when the same command is run again: finished frames are kept in a folder beside OUT until the film is done.

Examples:
  sinew film scene.toml -o film.mp4
  sinew film scene.toml --preview -o look.mp4              lines only, the same motion
  sinew film scene.toml --size 480x270 --fps 15 -o small.gif
  sinew film scene.toml --frames 45..46 --quality high -o still.png
  sinew film scene.toml -o frames                          a folder of PNG files")]
pub(crate) struct Film {
    /// The scene: .toml
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// Draw lines only, much faster, with exactly the same motion and cameras
    #[arg(long = "preview")]
    pub(crate) is_preview: bool,
    /// Only frames A to B - 1, counted from 0
    #[arg(long, value_name = "A..B", value_parser = parse_frames)]
    pub(crate) frames: Option<std::ops::Range<usize>>,
    #[command(flatten)]
    pub(crate) choices: SceneOptions,
    #[command(flatten)]
    pub(crate) springs: SpringOptions,
    /// .mp4 (needs ffmpeg), .gif, .png for a single frame, or a folder for PNG frames
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print frames, times and a digest of all joints of each frame as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Film, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let request = FilmRequest {
        scene: options.scene.clone(),
        output: options.output.clone(),
        choices: SceneChoices { springs: options.springs.play(), ..options.choices.choices() },
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
        Found::Busy => talk.say("another run writes the same file; this one draws all frames by itself"),
        Found::Changed => talk.say("the scene, its files or the options have changed: starting anew"),
    }
    let is_kept = start.found != Found::Busy;
    let done = talk.watch("drawing", |progress| job.run(start, progress)).map_err(|error| match is_kept {
        true => anyhow::Error::new(error)
            .context("the frames so far are kept: run the same command again to go on"),
        false => error.into(),
    })?;
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
        print_json(&json)?;
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
