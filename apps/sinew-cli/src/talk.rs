//! What is said to the person, on stderr.

use indicatif::{ProgressBar, ProgressStyle};
use sinew::io::Report;

/// How much is said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Talk {
    /// Errors only.
    pub(crate) is_quiet: bool,
}

/// Warnings shown before the rest is only counted.
const MOST_SHOWN: usize = 20;

impl Talk {
    /// Tells what happened.
    pub(crate) fn say(self, message: &str) {
        if !self.is_quiet {
            eprintln!("{message}");
        }
    }

    /// Tells what could not be carried over.
    pub(crate) fn report(self, file: &std::path::Path, report: &Report) {
        if self.is_quiet {
            return;
        }
        for warning in report.warnings().iter().take(MOST_SHOWN) {
            eprintln!("warning: {}: {warning}", file.display());
        }
        let more = report.warnings().len().saturating_sub(MOST_SHOWN) + report.left_out();
        if more > 0 {
            eprintln!("warning: {}: and {more} more", file.display());
        }
    }

    /// Tells why the job failed: the error and its causes, each said once.
    pub(crate) fn error(self, error: &anyhow::Error) {
        let mut text = String::new();
        for cause in error.chain().map(ToString::to_string) {
            if text.is_empty() {
                text = cause;
            } else if !text.contains(&cause) {
                text = format!("{text}: {cause}");
            }
        }
        eprintln!("error: {text}");
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
