//! `sinew film`.

use super::warnings_json;
use crate::args::Film as Options;
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use sinew::io::{Limits, Report};
use sinew::scene::film::{
    Digest, Film, FilmChoices, FilmSet, Found, FrameStore, OutputKind, Progress, Style, finish, shoot,
};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) fn film(options: &Options, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let scene = || options.scene.display().to_string();
    let choices =
        FilmChoices { size: options.size, fps: options.fps, quality: options.quality.map(Into::into) };
    let film = Film::open(&options.scene, &choices, limits, &mut report).with_context(scene)?;
    let style = if options.is_preview { Style::Lines } else { Style::Shaded };
    let set = FilmSet::new(&film, style, &mut report);
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
    let job = Job { film: &film, set: &set, kind, frames: frames.clone(), output: &options.output };
    let times = job.run(store, talk)?;
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

/// What is filmed to where.
struct Job<'a> {
    film: &'a Film,
    set: &'a FilmSet<'a>,
    kind: OutputKind,
    frames: Range<usize>,
    output: &'a Path,
}

impl Job<'_> {
    /// Draws what is missing and puts it together.
    fn run(self, store: FrameStore, talk: &Talk) -> Result<Times> {
        let start = Instant::now();
        let go_on = |bar: &ProgressBar, done: usize| {
            bar.set_position(done as u64);
            !interrupt::is_interrupted()
        };
        let resumable = || "the frames so far are kept: run the same command again to go on";
        let bar = talk.progress("drawing", self.frames.len());
        let drawn = shoot(self.set, self.frames.clone(), &store, &|progress| go_on(&bar, progress.done));
        bar.finish_and_clear();
        let drawn = drawn.with_context(resumable)?;
        let drawing = start.elapsed();
        let bar = talk.progress("putting together", self.frames.len());
        let mut on_progress = |progress: Progress| go_on(&bar, progress.done);
        let finished = finish(self.film, self.kind, self.frames, &store, self.output, &mut on_progress);
        bar.finish_and_clear();
        finished.with_context(resumable)?;
        store.remove()?;
        Ok(Times { drawing, finishing: start.elapsed() - drawing, drawn })
    }
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
