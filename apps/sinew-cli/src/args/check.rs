//! Options of `sinew check`.

use clap::Args;
use std::path::PathBuf;

/// `sinew check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Looks for bad C, R0 and R1 of SDEF vertices, weights, numbers that are not finite, indices that name nothing, cycles, names that are
there twice. Exits with 1 where something was found and not put right.

Examples:
  sinew check model.pmx
  sinew check model.pmx --fix                          writes model.fixed.pmx
  sinew check model.pmx --fix -o good.pmx --json")]
pub(crate) struct Check {
    /// The model: .pmx or .pmd
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the model with all of it put right
    #[arg(long = "fix")]
    pub(crate) is_fixing: bool,
    /// Where to, with --fix [default: NAME.fixed.pmx beside FILE]
    #[arg(short, long, value_name = "OUT.pmx", requires = "is_fixing")]
    pub(crate) output: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}
