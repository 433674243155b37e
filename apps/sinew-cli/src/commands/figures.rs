//! `sinew figures`.

use crate::args::parse::parse_picture_size;
use crate::interrupt;
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `sinew figures`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew figures skinning -o figures
  sinew figures skinning -o figures --json | jq '.measures[0]'
  sinew figures body -o figures --size 360x640
  sinew figures elastic -o figures
  sinew figures flesh -o figures
  sinew figures fit -o figures")]
pub(crate) struct Figures {
    /// Which figures: skinning, the models and curves of the paper that SBS+ is from; body, the human of patches; elastic, soft bodies that follow examples; flesh, what lies under the skin and how it moves; fit, helper bones from examples
    #[arg(value_enum, value_name = "SET")]
    pub(crate) set: FigureSet,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Width and height of one picture in pixels
    #[arg(long, value_name = "WxH", default_value = "420x340", value_parser = parse_picture_size)]
    pub(crate) size: (u32, u32),
    /// Print every file and measure as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// A set of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureSet {
    /// Models 1 to 7 by every method, the center curves, the sweep of s.
    Skinning,
    /// Scenes of soft bodies, weights over time, β, sag by step, times of steps.
    Elastic,
    /// Framework, fibres, β, an elbow that is bent, a jump, with measures.
    Flesh,
    /// Errors of three limbs by helpers, sweeps, degrees, penalties and examples; maps of weights and errors; seconds by step.
    Fit,
    /// Stick figure, layout of patches, man, woman, six builds, bends, twists, muscles, poses, control points, with measures.
    Body,
}

pub(crate) fn run(options: &Figures, talk: &Talk) -> Result<()> {
    let bar = talk.progress("figures", 1000);
    let on_progress = |share: f32| {
        bar.set_position((1000.0 * share) as u64);
        !interrupt::is_interrupted()
    };
    // Files, and all that a set measures or a part of it.
    macro_rules! drawn {
        ($write:ident $(, $part:ident)?) => {{
            let report = sinew_figures::figures::$write(&options.output, options.size, &on_progress);
            let report = report.with_context(|| options.output.display().to_string())?;
            (report.files.clone(), serde_json::to_value(&report$(.$part)?)?)
        }};
    }
    let (files, measures) = match options.set {
        FigureSet::Skinning => drawn!(write_skinning, rows),
        FigureSet::Elastic => drawn!(write_elastic),
        FigureSet::Flesh => drawn!(write_flesh),
        FigureSet::Fit => drawn!(write_fit),
        FigureSet::Body => drawn!(write_body, builds),
    };
    bar.finish_and_clear();
    talk.say(&format!("wrote {} files to {}", files.len(), options.output.display()));
    if options.is_json {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        print_json(&serde_json::json!({ "files": files, "measures": measures }))?;
    }
    Ok(())
}
