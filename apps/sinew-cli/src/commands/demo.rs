//! `sinew demo`.

use crate::interrupt;
use crate::output::print;
use crate::talk::Talk;
use anyhow::{Context, Result};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// `sinew demo`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew demo
  sinew demo -o my-demo && open my-demo/report.html")]
pub(crate) struct Demo {
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", default_value = DEMO_FOLDER)]
    pub(crate) output: PathBuf,
}

const DEMO_FOLDER: &str = "sinew-demo";

impl Default for Demo {
    fn default() -> Self {
        Self { output: DEMO_FOLDER.into() }
    }
}

pub(crate) fn run(options: &Demo, talk: &Talk) -> Result<()> {
    let start = Instant::now();
    talk.say("sinew demo: characters from nothing, posed, skinned, drawn and written");
    let bar = talk.progress("demo", 1000);
    let on_progress = |stage: &str, share: f32| {
        bar.set_message(stage.to_owned());
        bar.set_position((1000.0 * share) as u64);
        !interrupt::is_interrupted()
    };
    let files = sinew_figures::demo::run(&options.output, &on_progress)
        .with_context(|| options.output.display().to_string())?;
    bar.finish_and_clear();
    for file in &files {
        print(format_args!("{}", file.display()));
    }
    let report = files.first().context("the demo writes a report")?;
    talk.say(&format!("done in {:.1} s; open {}", start.elapsed().as_secs_f64(), report.display()));
    Ok(())
}
