//! `sinew bake`: `sinew fit` over clips, with few words.

use crate::args::Fit;
use crate::args::parse::parse_rate;
use crate::talk::Talk;
use anyhow::Result;
use clap::{Args, FromArgMatches};
use sinew::io::Limits;
use std::ffi::OsString;
use std::path::PathBuf;

/// `sinew bake`.
#[derive(Args, Debug)]
#[command(after_help = "\
The short form of `sinew fit` for who only wants a motion in an engine: helper joints are fitted to the clips and baked into them.

Examples:
  sinew bake hero.glb --from flesh --clip walk -o walk.glb
  sinew bake hero.glb --from bezier --clip dance --helpers 16 -o dance.glb")]
pub(crate) struct Bake {
    /// The model
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// What moves the skin: flesh, or a skinning method
    #[arg(long, value_name = "SOURCE", default_value = "flesh")]
    pub(crate) from: String,
    /// Clips of the model; may be repeated
    #[arg(long = "clip", value_name = "NAME|INDEX", required = true)]
    pub(crate) clips: Vec<String>,
    /// Helper joints altogether
    #[arg(long, value_name = "H", default_value_t = 12, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(crate) helpers: usize,
    /// Frames a second
    #[arg(long, value_name = "FPS", default_value = "30", value_parser = parse_rate)]
    pub(crate) fps: f64,
    /// What to write: .glb, .gltf or .vrm
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print errors, sizes and times as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Bake, limits: &Limits, talk: &Talk) -> Result<()> {
    super::fit::fit(&as_fit(options)?, limits, talk)
}

/// The same as options of `sinew fit`, whose defaults hold for all that is not said.
fn as_fit(options: &Bake) -> Result<Fit> {
    let mut words: Vec<OsString> = vec!["fit".into(), options.input.clone().into()];
    let mut say = |name: &str, value: OsString| words.extend([name.into(), value]);
    say("--from", options.from.clone().into());
    say("--helpers", options.helpers.to_string().into());
    say("--joint-helpers", "4".into());
    say("--fps", options.fps.to_string().into());
    say("-o", options.output.clone().into());
    options.clips.iter().for_each(|clip| say("--clip", clip.clone().into()));
    if options.is_json {
        words.push("--json".into());
    }
    let matches = Fit::augment_args(clap::Command::new("fit")).try_get_matches_from(words)?;
    Ok(Fit::from_arg_matches(&matches)?)
}
