//! What is said to the person, on stderr.

use crate::interrupt;
use indicatif::{ProgressBar, ProgressStyle};
use sinew::geometry::progress::{Progress, Step};
use sinew::io::{Report, WarningGroup};
use sinew::model::motion::MotionLoadError;
use sinew::model::{JobError, OpenError, PoseChoiceError};
use sinew::motion::{GaitError, HumanoidError};
use sinew::picture::PictureError;
use sinew::play::TakeError;
use sinew::scene::SceneError;
use std::error::Error;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// How much is said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Talk {
    /// Errors only.
    pub(crate) is_quiet: bool,
    /// Every warning and every name.
    pub(crate) is_verbose: bool,
    /// Whether an input may be replaced by an output that holds less.
    pub(crate) is_forced: bool,
}

/// Kinds of warnings shown before the rest is only counted.
const MOST_SHOWN: usize = 20;

impl Talk {
    /// Tells what happened.
    pub(crate) fn say(self, message: &str) {
        if !self.is_quiet {
            print(message);
        }
    }

    /// Tells which file there is now.
    pub(crate) fn wrote(self, file: &Path) {
        self.say(&format!("wrote {}", file.display()));
    }

    /// Tells what could not be carried over.
    pub(crate) fn report(self, file: &Path, report: &Report) {
        self.summed(&format!("warning: {}: ", file.display()), report);
    }

    /// Tells what is alike in few lines: the first of each kind, and how many there are.
    pub(crate) fn say_all(self, start: &str, lines: impl IntoIterator<Item = String>) {
        let mut report = Report::default();
        lines.into_iter().for_each(|line| report.warn("", line));
        self.summed(start, &report);
    }

    /// Warnings of one kind in one line, or all of them.
    fn summed(self, start: &str, report: &Report) {
        if self.is_quiet {
            return;
        }
        if self.is_verbose {
            report.warnings().iter().for_each(|warning| print(format_args!("{start}{warning}")));
        }
        let groups = if self.is_verbose { Vec::new() } else { report.grouped() };
        for WarningGroup { first, more } in groups.iter().take(MOST_SHOWN) {
            let like = match more {
                0 => String::new(),
                more => format!(" (and {more} more like it; --verbose lists them)"),
            };
            print(format_args!("{start}{}{like}", first.short()));
        }
        let rest = groups.iter().skip(MOST_SHOWN).map(|group| 1 + group.more).sum::<usize>();
        if rest + report.left_out() > 0 {
            print(format_args!("{start}and {} more", rest + report.left_out()));
        }
    }

    /// Refuses to replace an input by an output that holds less; `loss` says what would be gone.
    pub(crate) fn keep_input(self, input: &Path, output: &Path, loss: &str) -> anyhow::Result<()> {
        if !self.is_forced && sinew::io::is_same_file(input, output) {
            anyhow::bail!(
                "{}: this is the input, and the output {loss}; write another file, or use --force",
                output.display()
            );
        }
        Ok(())
    }

    /// Tells why the job failed: the error and its causes, each said once.
    pub(crate) fn error(self, error: &anyhow::Error) {
        let mut text = String::new();
        for cause in error.chain() {
            let (plain, full) = (cause.to_string(), words(cause));
            if text.is_empty() {
                text = full;
            } else if !text.contains(&plain) {
                text = format!("{text}: {full}");
            } else if !text.contains(&full) {
                text = text.replacen(&plain, &full, 1);
            }
        }
        print(format_args!("error: {text}"));
    }

    /// Does a job with a bar for each of its stages, which are called `what` where they have no name. Ctrl-C stops it.
    pub(crate) fn watch<T>(self, what: &str, job: impl FnOnce(&Progress<'_>) -> T) -> T {
        let bar: Mutex<Option<(String, ProgressBar)>> = Mutex::new(None);
        let watch = |step: &Step<'_>| {
            let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
            let stage = if step.stage.is_empty() { what } else { step.stage };
            if bar.as_ref().is_none_or(|(known, _)| known != stage) {
                let next = self.progress(stage, step.total);
                if let Some((_, before)) = bar.replace((stage.to_owned(), next)) {
                    before.finish_and_clear();
                }
            }
            if let Some((_, bar)) = &*bar {
                bar.set_position(step.done as u64);
                if let Some(residual) = step.residual {
                    bar.set_message(format!("{stage}, {residual:.2e}"));
                }
            }
            interrupt::flow()
        };
        let done = job(&Progress::new(&watch));
        if let Some((_, bar)) = bar.into_inner().unwrap_or_else(PoisonError::into_inner) {
            bar.finish_and_clear();
        }
        done
    }

    /// A bar for `count` steps; hidden where nobody looks, and for a single step.
    pub(crate) fn progress(self, what: &str, count: usize) -> ProgressBar {
        if self.is_quiet || count < 2 {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{msg} [{bar:32}] {pos}/{len} {eta}")
            .expect("a template that was tried");
        ProgressBar::new(count as u64).with_style(style.progress_chars("=> ")).with_message(what.to_owned())
    }
}

/// A line on stderr; where nobody reads it, it is lost.
fn print(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// An error in words, with the options that help: the library does not know them.
fn words(error: &(dyn Error + 'static)) -> String {
    let scene = error.downcast_ref::<SceneError>();
    let picture = match scene {
        Some(SceneError::Picture(picture)) => Some(picture),
        _ => error.downcast_ref::<PictureError>(),
    };
    match (scene, picture, error.downcast_ref::<TakeError>()) {
        (_, Some(PictureError::GifTooLarge { .. }), _) => {
            format!("{error}, or use a smaller --size or --fps")
        }
        (_, Some(PictureError::OnePicture { .. }), _) => {
            format!("{error}; use --frames A..B for one of them, or write .gif, .mp4 or a folder")
        }
        (Some(SceneError::Speed { .. }), ..) => format!("{error}; --speed goes with films and caches"),
        (Some(SceneError::Frames { start, end, count }), ..) => {
            format!("--frames {start}..{end}: the film has frames 0..{count}")
        }
        (.., Some(TakeError::NormalsElsewhere { extension, has })) => {
            format!("--normals writes a second .npy file and goes with .npy only; {extension:?} {has}")
        }
        (.., Some(TakeError::BonesElsewhere { extension })) => {
            format!("--bones writes a second .npy file and goes with .npy only, not with {extension:?}")
        }
        _ => format!("{error}{}", hint(error)),
    }
}

/// The options that help, to be said after an error.
fn hint(error: &(dyn Error + 'static)) -> &'static str {
    if let Some(OpenError::UnknownKind { extension }) = error.downcast_ref() {
        return match extension.as_str() {
            ".vmd" | ".bvh" | ".vrma" => "; give a motion with --motion, after the model",
            ".toml" => "; `sinew film` takes scenes, `--config` and `--spec` take settings",
            _ => "",
        };
    }
    if let Some(OpenError::NotText { found: "a glTF model" | "an MMD model" }) = error.downcast_ref() {
        return "; poses are .json files, scenes and settings are .toml files";
    }
    match error.downcast_ref() {
        Some(MotionLoadError::NeedsPath) => return ": --path path.toml",
        Some(MotionLoadError::NoVmdBones) => return ", use a .pmx with --character",
        Some(MotionLoadError::Open(inner)) => return hint(inner),
        Some(MotionLoadError::Gait(inner)) => return hint(inner),
        _ => {}
    }
    if let Some(JobError::ReplacesInput { .. }) = error.downcast_ref() {
        ", or use --force"
    } else if let Some(OpenError::TooLarge { .. }) = error.downcast_ref() {
        "; raise it with --max-memory"
    } else if let Some(PoseChoiceError::TooManyFrames { .. }) = error.downcast_ref() {
        ", use a lower --fps"
    } else if let Some(GaitError::TooSlow { .. }) = error.downcast_ref() {
        " (to stand at the end use --to-rest, to go another way a path)"
    } else if let Some(HumanoidError::Missing { .. }) = error.downcast_ref() {
        " (`sinew motion map`)"
    } else {
        ""
    }
}
