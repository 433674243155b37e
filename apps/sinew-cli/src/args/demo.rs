//! Options of `sinew demo`.

use clap::Args;
use std::path::PathBuf;

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
