//! Options of `sinew bake`.

use super::parse::parse_rate;
use clap::Args;
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
