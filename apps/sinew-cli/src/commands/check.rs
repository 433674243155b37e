//! `sinew check`.

use super::warnings_json;
use crate::output::{print, print_json};
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::mmd::pmd::Pmd;
use sinew::mmd::pmx::{Pmx, PmxProblem};
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
    /// Write a repaired copy of the model
    #[arg(long = "fix")]
    pub(crate) is_fixing: bool,
    /// Output file of --fix [default: NAME.fixed.pmx beside FILE]
    #[arg(short, long, value_name = "OUT.pmx", requires = "is_fixing")]
    pub(crate) output: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// Lines that a person reads; the rest is counted.
const MOST_SHOWN: usize = 40;

pub(crate) fn run(options: &Check, limits: &Limits, talk: &Talk) -> Result<()> {
    let place = || options.file.display().to_string();
    let mut report = Report::default();
    let pmx = read(options, limits, &mut report).with_context(place)?;
    let (repaired, problems) = pmx.repaired();
    talk.report(&options.file, &report);
    let written = match (options.is_fixing, problems.is_empty()) {
        (true, false) => Some(write(options, &repaired)?),
        _ => None,
    };
    if options.is_json {
        let told = serde_json::json!({
            "file": place(),
            "problems": problems.iter().map(json).collect::<Vec<_>>(),
            "written": written.as_ref().map(|path| path.display().to_string()),
            "warnings": warnings_json(&report),
        });
        print_json(&told)?;
    } else {
        list(&problems, written.is_some());
    }
    match written {
        _ if problems.is_empty() => talk.say("nothing is wrong"),
        Some(path) => talk.say(&format!("{} put right; wrote {}", counted(&problems), path.display())),
        None => bail!("{}: {} found; --fix puts them right", place(), counted(&problems)),
    }
    Ok(())
}

fn read(options: &Check, limits: &Limits, report: &mut Report) -> Result<Pmx> {
    let bytes = sinew::model::read_limited(&options.file, limits.max_memory)?;
    match sinew::model::extension_of(&options.file).as_str() {
        "pmx" => Ok(Pmx::read(&bytes, limits, report)?),
        "pmd" => Ok(Pmd::read(&bytes, limits, report)?.to_pmx(report)),
        other => bail!("only .pmx and .pmd can be checked, not {other:?}"),
    }
}

/// Writes the repaired model, whole or not at all.
fn write(options: &Check, repaired: &Pmx) -> Result<PathBuf> {
    let path = options.output.clone().unwrap_or_else(|| options.file.with_extension("fixed.pmx"));
    sinew::model::write_file(&path, &repaired.write())?;
    Ok(path)
}

fn list(problems: &[PmxProblem], is_fixed: bool) {
    for problem in problems.iter().take(MOST_SHOWN) {
        let verb = if is_fixed { "now" } else { "would become" };
        print(format_args!("{}: {}; {verb}: {}", problem.place, problem.what, problem.fix));
    }
    if problems.len() > MOST_SHOWN {
        print(format_args!("and {} more; --json lists all", problems.len() - MOST_SHOWN));
    }
}

fn counted(problems: &[PmxProblem]) -> String {
    if problems.len() == 1 { "1 problem".to_owned() } else { format!("{} problems", problems.len()) }
}

fn json(problem: &PmxProblem) -> serde_json::Value {
    serde_json::json!({ "place": problem.place, "what": problem.what, "fix": problem.fix })
}
