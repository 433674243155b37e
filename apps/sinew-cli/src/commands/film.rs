//! `sinew film`.

use super::warnings_json;
use crate::args::Film as Options;
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use sinew::film::{Artist, Digest, Film, FilmChoices, Found, FrameStore, OutputKind, Style, finish, shoot};
use sinew::io::{Limits, Report};
use std::ops::Range;
use std::time::{Duration, Instant};

pub(crate) fn film(options: &Options, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let scene = || options.scene.display().to_string();
    let choices =
        FilmChoices { size: options.size, fps: options.fps, quality: options.quality.map(Into::into) };
    let film = Film::open(&options.scene, &choices, limits, &mut report).with_context(scene)?;
    let style = if options.is_preview { Style::Lines } else { Style::Shaded };
    // Made once beforehand, so that what cannot be drawn is told once.
    drop(Artist::new(&film, style, &mut report));
    talk.report(&options.scene, &report);
    let frames = options.frames.clone().unwrap_or(0..film.frame_count());
    anyhow::ensure!(
        frames.start < frames.end && frames.end <= film.frame_count(),
        "--frames {}..{}: the film has frames 0..{}",
        frames.start,
        frames.end,
        film.frame_count()
    );
    let kind = OutputKind::of(&options.output, &film, &frames)?;
    let (store, found) = FrameStore::open(&options.output, &digest(&film, style))?;
    match found {
        Found::Nothing => {}
        Found::Frames(count) => talk.say(&format!("going on: {count} frames are there already")),
        Found::Changed => talk.say("the scene, its files or the options have changed: starting anew"),
    }
    let times = record(&film, style, kind, frames.clone(), store, options, talk)?;
    talk.say(&format!(
        "wrote {}: {} frames, {:.1} s ({:.0} ms a frame drawn, {:.1} s put together)",
        options.output.display(),
        frames.len(),
        (times.drawing + times.finishing).as_secs_f64(),
        times.ms_per_frame(),
        times.finishing.as_secs_f64(),
    ));
    if options.is_json {
        println!("{:#}", told(&film, &frames, &times, options, &report));
    }
    Ok(())
}

/// How long a film took.
struct Times {
    drawing: Duration,
    finishing: Duration,
    drawn: usize,
}

impl Times {
    /// Of the frames that were drawn now.
    fn ms_per_frame(&self) -> f64 {
        self.drawing.as_secs_f64() * 1e3 / self.drawn.max(1) as f64
    }
}

/// Draws what is missing and puts it together.
fn record(
    film: &Film,
    style: Style,
    kind: OutputKind,
    frames: Range<usize>,
    store: FrameStore,
    options: &Options,
    talk: &Talk,
) -> Result<Times> {
    let start = Instant::now();
    let bar = talk.progress("drawing", frames.len());
    let go_on = |bar: &ProgressBar, done: usize| {
        bar.set_position(done as u64);
        !interrupt::is_interrupted()
    };
    let resumable = || "the frames so far are kept: run the same command again to go on";
    let drawn = shoot(film, style, frames.clone(), &store, &|progress| go_on(&bar, progress.done));
    bar.finish_and_clear();
    let drawn = drawn.with_context(resumable)?;
    let drawing = start.elapsed();
    let bar = talk.progress("putting together", frames.len());
    let mut on_progress = |progress: sinew::film::Progress| go_on(&bar, progress.done);
    let finished = finish(film, kind, frames, &store, &options.output, &mut on_progress);
    bar.finish_and_clear();
    finished.with_context(resumable)?;
    store.remove()?;
    Ok(Times { drawing, finishing: start.elapsed() - drawing, drawn })
}

/// What decides frames: the film, how it is drawn, and by which program. Two builds of one version may draw differently, so that the
/// program's own bytes count too.
fn digest(film: &Film, style: Style) -> Digest {
    let mut digest = film.digest();
    digest.add_debug(&style);
    digest.add(env!("CARGO_PKG_VERSION").as_bytes());
    if let Ok(program) = std::env::current_exe().and_then(std::fs::read) {
        digest.add(&program);
    }
    digest
}

fn told(
    film: &Film,
    frames: &Range<usize>,
    times: &Times,
    options: &Options,
    report: &Report,
) -> serde_json::Value {
    let mut player = film.player();
    let mut joint_digest = |frame: usize| {
        player.set_bones(film.time_secs(frame));
        player.joint_digest().to_string()
    };
    serde_json::json!({
        "output": options.output.display().to_string(),
        "frames": frames.len(),
        "first_frame": frames.start,
        "fps": film.fps(),
        "size": [film.size().0, film.size().1],
        "duration_secs": frames.len() as f64 / film.fps(),
        "preview": options.is_preview,
        "drawn": times.drawn,
        "kept": frames.len() - times.drawn,
        "draw_secs": times.drawing.as_secs_f64(),
        "finish_secs": times.finishing.as_secs_f64(),
        "ms_per_frame": times.ms_per_frame(),
        "joint_digests": frames.clone().map(&mut joint_digest).collect::<Vec<_>>(),
        "warnings": warnings_json(report),
    })
}
