//! Options of `sinew elastic`.

use super::options::SceneOptions;
use super::parse::parse_length;
use clap::Args;
use std::path::PathBuf;

/// `sinew elastic`.
#[derive(Args, Debug)]
#[command(after_help = "\
scene.toml names soft bodies, the example shapes that they follow, colliders and handles; docs/formats/elastic.md describes every key.

Examples:
  sinew elastic scene.toml -o scene.mp4
  sinew elastic scene.toml -o strip.png -o weights.csv     moments on one sheet, weights of the examples
  sinew elastic scene.toml -o scene.glb                    the motion as morph targets
  sinew elastic scene.toml -o out                          a folder: film, strip, model and table
  sinew elastic scene.toml --json --threads 1 | jq .times  how long a step takes")]
pub(crate) struct Elastic {
    /// The scene: .toml
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// .mp4 (needs ffmpeg), .gif, .png for a strip of moments, .glb, .gltf, .pc2, .usda or .npy for the motion, .csv for weights, or a folder for a film, a strip, a .glb and a .csv; may be repeated
    #[arg(short, long, value_name = "OUT", required_unless_present = "is_json")]
    pub(crate) output: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) choices: SceneOptions,
    /// Millimetres that a vertex may be off in .glb and .gltf, whose motion is a few morph targets
    #[arg(long, value_name = "MM", default_value = "0.5", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) tolerance: f64,
    /// Do not look whether blends of examples turn inside out or cut through themselves
    #[arg(long = "no-check")]
    pub(crate) has_no_check: bool,
    /// Print sizes, times of steps, weights, speeds and energies of every frame as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}
